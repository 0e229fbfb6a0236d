package load

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/dlclark/regexp2/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// DebuggerLimits are [Limits] for a session that is debugged. MacrostepTime has no bound unless it is named:
// it also passes while the session waits at a breakpoint.
func DebuggerLimits(strict bool, flags []string) (scxml.Limits, error) {
	return Limits(strict, append([]string{"MacrostepTime=-1s"}, flags...))
}

// Limits returns the limits of --strict and --limit NAME=VALUE. The names are those of
// the fields of scxml.Limits, in upper or lower case.
func Limits(strict bool, flags []string) (scxml.Limits, error) {
	var l scxml.Limits
	if strict {
		l = scxml.Strict()
	}
	v := reflect.ValueOf(&l).Elem()
	var names []string
	for i := range v.NumField() {
		names = append(names, v.Type().Field(i).Name)
	}
	for _, flag := range flags {
		name, value, ok := strings.Cut(flag, "=")
		if !ok {
			return l, cli.Usagef("--limit %s: expected NAME=VALUE, for example --limit Microsteps=1000", flag)
		}
		field := v.FieldByNameFunc(func(f string) bool { return strings.EqualFold(f, name) })
		if !field.IsValid() {
			return l, cli.Usagef("--limit %s: unknown limit %q%s; the limits are %s", flag, name, cli.DidYouMean(name, names), cli.List(names, "and"))
		}
		if field.Type() == reflect.TypeFor[time.Duration]() {
			d, err := time.ParseDuration(value)
			if err != nil {
				return l, cli.Usagef("--limit %s: %q is not a duration: want one like 500ms, or -1s for no limit", flag, value)
			}
			field.SetInt(int64(d))
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return l, cli.Usagef("--limit %s: %q is not a whole number; a negative one means no limit", flag, value)
		}
		field.SetInt(int64(n))
	}
	return l, nil
}

// BoundMatches bounds how long a regular expression that backtracks may match, in this
// process: scripts use regexp2 for these, and nothing interrupts it. Call it before charts
// are loaded. The bound is above ScriptTime: a script that is interrupted then sees the
// interrupt. If the bound came first, it would see that nothing matches.
func BoundMatches(limits scxml.Limits) {
	most := limits.ScriptTime
	if most == 0 {
		most = scxml.DefaultLimits().ScriptTime
	}
	const margin = time.Second // the timers of the engine and of regexp2 are coarse
	if most < 0 || most > (math.MaxInt64-margin)/2 {
		regexp2.DefaultMatchTimeout = math.MaxInt64
		return
	}
	regexp2.DefaultMatchTimeout = 2*most + margin
}
