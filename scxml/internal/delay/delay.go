// Package delay reads the delays of <send>.
package delay

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// Max is the longest delay of a <send>.
const Max = 366 * 24 * time.Hour

// Parse parses a delay of <send>: a time as in CSS2, such as "1s", ".5s" or "500ms". The units
// m, h and d are from the REC's schema. A number without unit is in milliseconds.
func Parse(s string) (time.Duration, error) {
	d, _, err := ParseUnit(s)
	return d, err
}

// Unit returns the unit of a delay in lower case, or "".
func Unit(s string) string {
	return strings.ToLower(strings.TrimLeft(strings.Trim(s, space), "+-.0123456789"))
}

// ParseUnit is Parse, and also reports whether the delay has a unit. 0 does not need
// one.
func ParseUnit(s string) (d time.Duration, hasUnit bool, err error) {
	text := strings.Trim(s, space)
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	unit, hasUnit := unitOf(text[len(number):])
	switch {
	case strings.ContainsAny(text, `'"`):
		return 0, false, fmt.Errorf(`%q is not a delay: write it without quotes`, abridge(text))
	case text == "":
		return 0, false, fmt.Errorf(`delay is empty: want a time such as "1s", ".5s" or "500ms"`)
	case unit == 0:
		return 0, false, fmt.Errorf(`%q is not a delay: unknown unit %q, want "s" or "ms"`, abridge(text), abridge(text[len(number):]))
	case !isNumber(number):
		return 0, false, fmt.Errorf(`%q is not a delay: want a time such as "1s", ".5s" or "500ms"`, abridge(text))
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil && !math.IsInf(n, 0) {
		return 0, false, fmt.Errorf("%q is not a delay: %w", abridge(text), err)
	}
	ns := n * float64(unit)
	switch {
	case ns < 0:
		return 0, false, fmt.Errorf("delay %q is negative", abridge(text))
	case ns > float64(Max):
		return 0, false, fmt.Errorf("delay %q is longer than 366 days", abridge(text))
	}
	return time.Duration(math.Round(ns)), hasUnit || n == 0, nil
}

func unitOf(s string) (unit time.Duration, hasUnit bool) {
	switch strings.ToLower(s) {
	case "ms":
		return time.Millisecond, true
	case "s":
		return time.Second, true
	case "m":
		return time.Minute, true
	case "h":
		return time.Hour, true
	case "d":
		return 24 * time.Hour, true
	case "":
		return time.Millisecond, false
	}
	return 0, false
}

// isNumber reports whether s is a decimal number, possibly in a form in which scripts print it. It
// does not accept the other forms that strconv reads.
func isNumber(s string) bool {
	s = strings.TrimLeft(s, "+-")
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(s), "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	exponent = strings.TrimLeft(exponent, "+-")
	return !hasExponent || exponent != "" && strings.Trim(exponent, "0123456789") == ""
}

// abridge shortens a text for a message.
func abridge(s string) string { return short.Text(s, 41) }

const space = " \t\r\n" // of XML
