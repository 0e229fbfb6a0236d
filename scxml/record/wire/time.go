package wire

import (
	"errors"
	"regexp"
	"sync"
	"time"
)

// MaxTime is the longest time span in a line.
const MaxTime = 100 * 365 * 24 * time.Hour

var (
	errTime     = errors.New(`write a time with its unit, for example "500ms", "1.5s" or "2m"`)
	errLongTime = errors.New("the time is too long: want at most 100 years (876000h)")
	timePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\+?((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$`) })
)

// ParseTime parses a non-negative time span of at most [MaxTime].
func ParseTime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case timePattern().MatchString(text) && (err != nil || d > MaxTime): // a span of more than 290 years gives an error
		return 0, errLongTime
	case err != nil || d < 0:
		return 0, errTime
	}
	return d, nil
}
