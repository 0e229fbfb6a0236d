package findings

import (
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/mutate"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
)

// Mutated writes what became of the changes to a chart, and how many tests were run on each. It has
// characters of the chart: see [cli.Visible].
func Mutated(r *mutate.Report, tests int) string {
	var b strings.Builder
	tried := text.Count(r.Total, "change")
	if n := len(r.Results); n < r.Total {
		tried = fmt.Sprintf("%d of %s", n, tried)
	}
	fmt.Fprintf(&b, "%s, %s: %d killed, %d missed, %d equivalent, %d unknown; the tests kill %.1f%%\n",
		tried, text.Count(tests, "test"), r.Count(mutate.Killed), r.Count(mutate.Missed), r.Count(mutate.Equivalent), r.Count(mutate.Unknown), percent(r.Rate()))
	for i := range r.Results {
		res := &r.Results[i]
		if res.Outcome == mutate.Killed {
			continue
		}
		outcome := string(res.Outcome)
		if res.Bound != "" {
			outcome += " (" + res.Bound + ")"
		}
		fmt.Fprintf(&b, "\n%s: %s: %s\n  %s\n", res.Pos, outcome, res.Operator, strings.Join(res.Diff(), "\n  "))
		if res.Difference != nil {
			b.WriteString(res.Difference.String() + "\n")
		}
	}
	return b.String()
}

// percent returns a rate in percent, rounded down so that only all is 100 %.
func percent(rate float64) float64 { return float64(int(rate*1000)) / 10 }
