#include "date.h"

/* The number that len digits stand for, or -1 if one of them is no digit. */
static int digits(const char *text, size_t len)
{
	int value = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		value = value * 10 + (text[i] - '0');
	}
	return value;
}

static int days_of(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return month == 2 && leap ? 29 : days[month - 1];
}

bool date_valid(const char *text, size_t len)
{
	if (len != DATE_TEXT || text[4] != '-' || text[7] != '-')
		return false;
	int year = digits(text, 4);
	int month = digits(text + 5, 2);
	int day = digits(text + 8, 2);

	return year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= days_of(year, month);
}

int64_t date_days(const char *text)
{
	const int year = digits(text, 4), month = digits(text + 5, 2);
	/* Years before it, each with its leap days. */
	const int before = year - 1, leaps = before / 4 - before / 100 + before / 400;
	int64_t days = (int64_t)before * 365 + leaps + digits(text + 8, 2) - 1;

	for (int m = 1; m < month; m++)
		days += days_of(year, m);
	return days - 719162; /* 0001-01-01 to 1970-01-01 */
}
