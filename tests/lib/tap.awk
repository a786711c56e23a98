# Judges one TAP stream: every test counted, in order, once, and the plan kept.
# Variables: code, the exit status of the program that wrote it.
# Prints "PASSED FAILED SKIPPED", then what is wrong, a line each.

function wrong(text)
{
    faults[++fault_count] = text
}

# "ok 3 - name" or "not ok 3 - name"
function test_line(line, good,    number, directive)
{
    ++seen
    sub(/^(not )?ok/, "", line)
    number = line
    sub(/^ +/, "", number)
    if (number ~ /^[0-9]+/) {
        number += 0
        if (number != seen)
            wrong("test " number " where test " seen " was due")
    }
    if (line ~ /[^\\]# *[Tt][Oo][Dd][Oo]/) {
        good = 0
        wrong("test " seen " is marked TODO")
    }
    if (!good)
        ++failed
    else if (line ~ /[^\\]# *[Ss][Kk][Ii][Pp]/)
        ++skipped
    else
        ++passed
}

/^1\.\.[0-9]+/ {
    if (planned != "")
        wrong("a second plan")
    planned = substr($1, 4) + 0
    skips_all = $0 ~ /^1\.\.0 *# *[Ss][Kk][Ii][Pp]/
}

/^ok( |$)/ { test_line($0, 1) }

/^not ok( |$)/ { test_line($0, 0) }

/^Bail out!/ { wrong($0) }

END {
    if (planned == "")
        wrong("no plan: it ended early")
    else if (planned != seen)
        wrong("ran " seen + 0 " of " planned " tests")
    if (planned != "" && seen == 0 && !skips_all)
        wrong("no tests")
    if (code == 124 || code == 137)
        wrong("took too long (exit status " code ")")
    else if (code > 128)
        wrong("killed by signal " code - 128)
    else if (code != 0 && failed == 0)
        wrong("exit status " code)
    if (skips_all && code == 0)
        ++skipped
    # What went wrong outside a test counts as a failed one.
    if (fault_count && !failed)
        ++failed
    print passed + 0, failed + 0, skipped + 0
    for (i = 1; i <= fault_count; ++i)
        print faults[i]
}
