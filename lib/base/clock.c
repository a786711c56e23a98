#include "base/clock.h"

#include <stdio.h>
#include <time.h>

uint64_t lq_now_millis(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t lq_millis_until(uint64_t moment)
{
    const uint64_t now = lq_now_millis();

    if (moment == LQ_NEVER) {
        return LQ_NEVER;
    }
    return moment > now ? moment - now : 0;
}

int64_t lq_unix_millis(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#define DAY_SECONDS 86400
#define ERA_YEARS 400
#define ERA_DAYS 146097

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % ERA_YEARS == 0);
}

static int days_in_month(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days from 1970-01-01; years from 0 on. */
static int64_t days_before_year(int64_t year)
{
    /* 0 is a leap year; 719528 days lie between it and 1970 */
    const int64_t leaps =
        year == 0 ? 0
                  : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1;

    return year * 365 + leaps - 719528;
}

/* The day's year, and what is left of the day's number in it. */
static int64_t year_of(int64_t day, int64_t *rest)
{
    int64_t year = (day + 719528) * ERA_YEARS / ERA_DAYS;

    while (days_before_year(year) > day) {
        --year;
    }
    while (days_before_year(year + 1) <= day) {
        ++year;
    }
    *rest = day - days_before_year(year);
    return year;
}

bool lq_time_text(int64_t unix_millis, char out[LQ_TIME_TEXT])
{
    const int64_t day_millis = (int64_t)DAY_SECONDS * 1000;
    const int64_t least = days_before_year(0) * day_millis;
    const int64_t end = days_before_year(10000) * day_millis;
    int64_t rest = 0;
    int64_t day = 0;
    int64_t year = 0;
    int month = 1;
    int length = 0;

    if (unix_millis < least || unix_millis >= end) {
        return false;
    }
    day = (unix_millis - least) / day_millis + days_before_year(0);
    rest = unix_millis - day * day_millis;
    year = year_of(day, &day);
    while (day >= days_in_month(year, month)) {
        day -= days_in_month(year, month++);
    }
    length = snprintf(out, LQ_TIME_TEXT, "%04d-%02d-%02dT%02d:%02d:%02d",
                      (int)year, month, (int)day + 1, (int)(rest / 3600000),
                      (int)(rest / 60000 % 60), (int)(rest / 1000 % 60));
    if (rest % 1000 != 0) {
        length += snprintf(out + length, LQ_TIME_TEXT - (size_t)length, ".%03d",
                           (int)(rest % 1000));
    }
    (void)snprintf(out + length, LQ_TIME_TEXT - (size_t)length, "Z");
    return true;
}

/* Reads exactly `digits` decimal digits; -1 when there are others. */
static int take_number(const char **text, int digits)
{
    int value = 0;

    for (; digits > 0; --digits, ++*text) {
        if (**text < '0' || **text > '9') {
            return -1;
        }
        value = value * 10 + (**text - '0');
    }
    return value;
}

static bool take_mark(const char **text, char mark)
{
    const bool there = **text == mark;

    *text += there;
    return there;
}

static bool take_date(const char **text, int64_t *day)
{
    const int year = take_number(text, 4);
    const bool first = year >= 0 && take_mark(text, '-');
    const int month = first ? take_number(text, 2) : -1;
    const bool second = month >= 1 && month <= 12 && take_mark(text, '-');
    const int number = second ? take_number(text, 2) : -1;

    if (number < 1 || number > days_in_month(year, month)) {
        return false;
    }
    *day = days_before_year(year) + number - 1;
    for (int i = 1; i < month; ++i) {
        *day += days_in_month(year, i);
    }
    return true;
}

/* "hh:mm" in minutes, or -1. */
static int take_minutes(const char **text)
{
    const int hours = take_number(text, 2);
    const bool more = hours >= 0 && hours < 24 && take_mark(text, ':');
    const int minutes = more ? take_number(text, 2) : -1;

    return minutes >= 0 && minutes < 60 ? hours * 60 + minutes : -1;
}

/* A fraction of a second in milliseconds, further digits cut; or -1. */
static int take_fraction(const char **text)
{
    int millis = 0;
    int unit = 100;

    if (!take_mark(text, '.')) {
        return 0;
    }
    if (**text < '0' || **text > '9') {
        return -1;
    }
    for (; **text >= '0' && **text <= '9'; ++*text, unit /= 10) {
        millis += (**text - '0') * unit;
    }
    return millis;
}

/* "Z", or "+hh:mm" or "-hh:mm": minutes ahead of UTC. */
static bool take_offset(const char **text, int *minutes)
{
    const bool minus = **text == '-';

    *minutes = 0;
    if (take_mark(text, 'Z') || take_mark(text, 'z')) {
        return true;
    }
    if (!take_mark(text, '+') && !take_mark(text, '-')) {
        return false;
    }
    *minutes = take_minutes(text);
    if (*minutes < 0) {
        return false;
    }
    *minutes = minus ? -*minutes : *minutes;
    return true;
}

/* What follows the date: milliseconds from its midnight in UTC. */
static bool take_clock(const char **text, int64_t *millis)
{
    const int minutes = take_minutes(text);
    const bool more = minutes >= 0 && take_mark(text, ':');
    const int seconds = more ? take_number(text, 2) : -1;
    const int fraction = seconds >= 0 ? take_fraction(text) : -1;
    int offset = 0;

    /* a leap second is the first one of the next minute */
    if (seconds > 60 || fraction < 0 || !take_offset(text, &offset)) {
        return false;
    }
    *millis = ((int64_t)(minutes - offset) * 60 + seconds) * 1000 + fraction;
    return true;
}

bool lq_time_parse(const char *text, int64_t *unix_millis)
{
    int64_t day = 0;
    int64_t millis = 0;

    if (!take_date(&text, &day)) {
        return false;
    }
    if (*text) {
        if (!take_mark(&text, 'T') && !take_mark(&text, 't') &&
            !take_mark(&text, ' ')) {
            return false;
        }
        if (!take_clock(&text, &millis)) {
            return false;
        }
    }
    *unix_millis = day * DAY_SECONDS * 1000 + millis;
    return !*text;
}
