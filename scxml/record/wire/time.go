package wire

import (
	"errors"
	"regexp"
	"time"
)

// MaxTime is the longest time that a line can give.
const MaxTime = 100 * 365 * 24 * time.Hour

var (
	errTime     = errors.New(`write a time with its unit, for example "500ms", "1.5s" or "2m"`)
	errLongTime = errors.New("more than 100 years (876000h) is too long")
	timePattern = regexp.MustCompile(`^\+?((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$`)
)

// ParseTime reads a time span of at most [MaxTime] that is not negative.
func ParseTime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case timePattern.MatchString(text) && (err != nil || d > MaxTime): // more than 290 years are an error
		return 0, errLongTime
	case err != nil || d < 0:
		return 0, errTime
	}
	return d, nil
}
