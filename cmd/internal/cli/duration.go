package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration reads a time like [time.ParseDuration], but not a negative one, and with days: 30d or 1d12h.
func Duration(text string) (time.Duration, error) {
	wrong := fmt.Errorf("%q is not a time: write, for example, 30d, 12h or 1d12h", text)
	days, rest, ok := strings.Cut(text, "d")
	if !ok {
		days, rest = "0", text
	}
	n, err := strconv.ParseUint(days, 10, 16) // less than 180 years
	if err != nil {
		return 0, wrong
	}
	var d time.Duration
	if rest != "" || !ok {
		d, err = time.ParseDuration(rest)
	}
	if d += time.Duration(n) * 24 * time.Hour; err != nil || d < 0 || strings.ContainsAny(rest, "+-") {
		return 0, wrong
	}
	return d, nil
}
