package datamodel

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// formatDate writes t as RFC 3339 in UTC, and years that have no four digits
// as ECMAScript does, with a sign and six digits.
func formatDate(t time.Time) string {
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return fmt.Sprintf("%+07d%s", y, t.Format("-01-02T15:04:05.999999999Z07:00"))
	}
	return t.Format(time.RFC3339Nano)
}

// parseDate is the inverse of formatDate, and takes every date of RFC 3339.
func parseDate(s string) (time.Time, error) {
	if !strings.HasPrefix(s, "+") && !strings.HasPrefix(s, "-") {
		return time.Parse(time.RFC3339Nano, s)
	}
	var year int
	if len(s) < 8 || s[7] != '-' {
		return time.Time{}, errors.New("no date")
	}
	if _, err := fmt.Sscanf(s[:7], "%d", &year); err != nil {
		return time.Time{}, errors.New("no date")
	}
	// 2000 is a leap year, so that every day of a year can be read.
	t, err := time.Parse(time.RFC3339Nano, "2000"+s[7:])
	if err != nil {
		return time.Time{}, err
	}
	return time.Date(year, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location()), nil
}
