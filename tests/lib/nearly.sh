# shellcheck shell=bash
#
# For scripts that test patterns.

# Names that are nearly those of standard input.
nearly() {
    awk '{
        print $0 "x"; print "x" $0; print $0 $0; print " " $0; print $0 " "
        print toupper($0); print $0 ".dlq.v2"; print $0 ".v2"; print $0 "\\"
        half = int(length($0) / 2)
        print substr($0, 1, half) substr($0, half + 2)
        print substr($0, 1, half) "." substr($0, half + 1)
        print substr($0, 1, half) "x" substr($0, half + 2)
        print substr($0, 2); print substr($0, 1, length($0) - 1)
        gsub(/\./, "x"); print }' | grep .
}
