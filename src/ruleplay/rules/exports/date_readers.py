r"""How programs that are written read a date: as `rules.dates` does, in days since 1970-01-01.

A year of four digits may come first in every style; a time of day is a fraction of a day.
"""

from ruleplay.rules.dates import DATE, DAY_FIRST, MONTH_FIRST

ORDERS = {DATE: "ymd", DAY_FIRST: "dmy", MONTH_FIRST: "mdy"}
EPOCH = 719163  # days from the year 1 to 1970-01-01

_DATE = (
    r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})"
    r"(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(?: ?([AaPp])[Mm])?(?:Z|[+-]\d{2}:?\d{2})?)?"
)

PYTHON_IMPORTS = ("import re", "from datetime import date", "")

PYTHON_PATTERN = f"""DATE = re.compile(
    r"{_DATE[:39]}"
    r"{_DATE[39:83]}"
    r"{_DATE[83:]}"
)"""

PYTHON = '''


def days(k, value):
    """Return the days from 1970-01-01 to a date, a text or an object; NaN if it is none."""
    if hasattr(value, "toordinal"):
        clock = [getattr(value, name, 0) for name in ("hour", "minute", "second", "microsecond")]
        seconds = clock[0] * 3600 + clock[1] * 60 + clock[2] + clock[3] / 1e6
        return value.toordinal() - 719163 + seconds / 86400
    if not isinstance(value, str):
        return value
    found = DATE.fullmatch(value.strip())
    if not found:
        return float("nan")
    first, _, second, third, hour, minute, seconds, half = found.groups()
    order = "ymd" if len(first) == 4 else DATES[k]
    part = dict(zip(order, (first, second, third)))
    is_short = len(part["y"]) == 2 and order != "ymd"
    if not (is_short or len(part["y"]) == 4) or max(len(part["m"]), len(part["d"])) > 2:
        return float("nan")
    year = int(part["y"]) + is_short * (1900 if part["y"] >= "69" else 2000)
    whole = date(year, int(part["m"]), int(part["d"])).toordinal() - 719163  # or ValueError
    if hour is None:
        return whole
    hours = int(hour) % 12 + 12 * (half in "Pp") if half else int(hour)
    return whole + (hours * 3600 + int(minute) * 60 + float(seconds or 0)) / 86400
'''

JAVASCRIPT_PATTERN = f"const DATE = /^{_DATE}$/;"

JAVASCRIPT = """
// Return the days from 1970-01-01 to a date, a text or an object; NaN if it is none.
function days(k, value) {
  if (value instanceof Date) return value.getTime() / 86400000;
  if (typeof value !== "string") return value ?? NaN;
  const found = DATE.exec(value.trim());
  if (!found) return NaN;
  const [, first, , second, third, hour, minute, seconds, half] = found;
  const order = first.length === 4 ? "ymd" : DATES[k];
  const part = { [order[0]]: first, [order[1]]: second, [order[2]]: third };
  const isShort = part.y.length === 2 && order !== "ymd";
  if (!(isShort || part.y.length === 4) || Math.max(part.m.length, part.d.length) > 2) return NaN;
  const year = Number(part.y) + (isShort ? (part.y >= "69" ? 1900 : 2000) : 0);
  const date = new Date(Date.UTC(year, part.m - 1, part.d));
  if (date.getUTCMonth() !== part.m - 1 || date.getUTCDate() !== Number(part.d)) return NaN;
  const whole = date.getTime() / 86400000;
  if (hour === undefined) return whole;
  const hours = half ? (hour % 12) + 12 * ("Pp".includes(half) ? 1 : 0) : Number(hour);
  return whole + (hours * 3600 + minute * 60 + Number(seconds ?? 0)) / 86400;
}
"""

C = r"""
/* Return the days from 1970-01-01 to a date, the time of day as a fraction; NAN if it is none.
   The order of year, month and day is a text such as "dmy". */
static double days(const char *order, const char *text)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int part[3] = {0}, width[3] = {0}, year = 0, month = 0, day = 0, wide = 0, k, leap, length;
    int hour = 0, minute = 0;
    double seconds = 0.0, whole;
    char mark = 0;
    for (; *text == ' '; text++) {
    }
    for (k = 0; k < 3; k++) {
        for (; *text >= '0' && *text <= '9' && width[k] < 5; text++, width[k]++) {
            part[k] = 10 * part[k] + (*text - '0');
        }
        if (k < 2) {
            if (*text != '-' && *text != '/' && *text != '.') {
                return NAN;
            }
            if (k == 1 && *text != mark) {
                return NAN;
            }
            mark = *text++;
        }
    }
    order = width[0] == 4 ? "ymd" : order;
    for (k = 0; k < 3; k++) {
        if (order[k] == 'y') {
            year = part[k];
            wide = width[k];
        } else if (width[k] < 1 || width[k] > 2) {
            return NAN;
        } else if (order[k] == 'm') {
            month = part[k];
        } else {
            day = part[k];
        }
    }
    if (wide == 2 && order[0] != 'y') {
        year += year >= 69 ? 1900 : 2000;
    } else if (wide != 4 || year == 0) {
        return NAN;
    }
    leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    length = month == 2 ? 28 + leap : 30 + (month + month / 8) % 2;
    if (month < 1 || month > 12 || day < 1 || day > length) {
        return NAN;
    }
    whole = 365.0 * (year - 1) + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    whole += before[month - 1] + (month > 2 && leap) + day - 719163;
    if (*text == 'T' || (*text == ' ' && text[1] != ' ' && text[1] != 0)) {
        if (sscanf(text + 1, "%2d:%2d:%lf", &hour, &minute, &seconds) < 2) {
            return NAN;
        }
        if (strpbrk(text, "AaPp")) {
            hour = hour % 12 + (strpbrk(text, "Pp") ? 12 : 0);
        }
        return whole + (hour * 3600 + minute * 60 + seconds) / 86400.0;
    }
    for (; *text == ' '; text++) {
    }
    return *text == 0 ? whole : NAN;
}
"""


def sql_days(text: str, style: str, *, whole: bool) -> str:
    """Return the expression of the days of a column's text in small letters; NULL if it is none.

    Each step takes something off the text: its parts, year, month and day, then the time unless
    days are whole.
    """
    day_parts, clock = (1, 2, 4), (1, 2)
    taken = "y, m, d, "
    steps = [
        f"SELECT REPLACE(REPLACE(REPLACE({text}, '/', '-'), '.', '-'), 't', ' ') || ' ' AS rest",
        f"SELECT {_before('rest', '-', day_parts)} AS p1, {_after('rest', '-', day_parts)} AS rest",
        f"SELECT p1, {_before('rest', '-', clock)} AS p2, {_after('rest', '-', clock)} AS rest",
        f"SELECT p1, p2, {_before('rest', ' ', day_parts)} AS p3, "
        f"{_after('rest', ' ', day_parts)} AS rest",
        f"SELECT {_year_month_day(ORDERS[style])}, rest",
    ]
    if not whole:
        steps += [
            f"SELECT {taken}rest, {_before('rest', ':', clock)} AS hour, "
            f"{_after('rest', ':', clock)} AS later",
            f"SELECT {taken}{_seconds()} AS seconds",
        ]
    steps += [f"SELECT {taken}{'0 AS seconds' if whole else 'seconds'}, {_LEAP} AS leap"]
    query = steps[0]
    for number, step in enumerate([*steps[1:], f"SELECT {_DAYS}"]):
        query = f"{step} FROM ({query}) AS s{number}"
    return f"({query})"


_LEAP = "CASE WHEN y % 4 = 0 AND y % 100 <> 0 OR y % 400 = 0 THEN 1 ELSE 0 END"
_CUMULATIVE = " ".join(
    f"WHEN {month} THEN {days}"
    for month, days in enumerate((0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334), 1)
)
_DAYS = (
    "CASE WHEN y >= 1 AND m BETWEEN 1 AND 12 AND d BETWEEN 1 AND CASE WHEN m = 2 THEN 28 + leap "
    "WHEN m IN (4, 6, 9, 11) THEN 30 ELSE 31 END THEN "
    "365 * (y - 1) + (y - 1 - (y - 1) % 4) / 4 - (y - 1 - (y - 1) % 100) / 100 "
    f"+ (y - 1 - (y - 1) % 400) / 400 + CASE m {_CUMULATIVE} END "
    f"+ CASE WHEN m > 2 THEN leap ELSE 0 END + d - {EPOCH} "
    "+ CAST(seconds AS DOUBLE PRECISION) / 86400 END"
)


def _before(text: str, sign: str, widths: tuple[int, ...]) -> str:
    """Return what stands before a sign, if it is as wide as one of these."""
    cases = (f"WHEN {text} LIKE '{'_' * n}{sign}%' THEN SUBSTR({text}, 1, {n})" for n in widths)
    return f"CASE {' '.join(cases)} END"


def _after(text: str, sign: str, widths: tuple[int, ...]) -> str:
    """Return what stands after the same sign."""
    cases = (f"WHEN {text} LIKE '{'_' * n}{sign}%' THEN SUBSTR({text}, {n + 2})" for n in widths)
    return f"CASE {' '.join(cases)} END"


def _whole(text: str) -> str:
    """Return the whole number that a text of digits is; NULL if there is anything else in it."""
    return f"CASE WHEN RTRIM({text}, '0123456789') = '' THEN CAST({text} AS INTEGER) END"


def _year_month_day(order: str) -> str:
    """Return the numbers of three parts; a part of four digits that comes first is the year."""
    year, month, day = (f"p{order.index(name) + 1}" for name in "ymd")
    first = "WHEN LENGTH(p1) = 4 THEN"
    if order == "ymd":
        return f"CASE {first} {_whole('p1')} END AS y, {_whole('p2')} AS m, {_whole('p3')} AS d"
    short = f"{_whole(year)} + CASE WHEN {year} >= '69' THEN 1900 ELSE 2000 END"
    return (
        f"CASE {first} {_whole('p1')} WHEN LENGTH({year}) = 4 THEN {_whole(year)} "
        f"WHEN LENGTH({year}) = 2 THEN {short} END AS y, "
        f"CASE {first} {_whole('p2')} ELSE {_whole(month)} END AS m, "
        f"CASE {first} {_whole('p3')} ELSE {_whole(day)} END AS d"
    )


def _seconds() -> str:
    """Return the seconds of a time of day; none if there is none."""
    hour = _whole("hour")
    return (
        f"CASE WHEN hour IS NULL THEN 0 ELSE CASE WHEN rest LIKE '%am%' THEN {hour} % 12 "
        f"WHEN rest LIKE '%pm%' THEN {hour} % 12 + 12 ELSE {hour} END * 3600 "
        f"+ {_whole('SUBSTR(later, 1, 2)')} * 60 + CASE WHEN later LIKE '__:__%' "
        f"THEN {_whole('SUBSTR(later, 4, 2)')} ELSE 0 END END"
    )
