// Package wall carries out the flag --isolate: it makes the pool of child processes in which a
// command runs or checks untrusted charts.
package wall

import (
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// Modes of a wall.
const (
	None       = ""
	Full       = "full"        // refuse without limits of the system
	BestEffort = "best-effort" // do without them
)

// Flag adds the flag --isolate to a command.
func Flag(cmd *cobra.Command, usage string) *cli.Choice {
	mode := &cli.Choice{All: []string{Full, BestEffort}}
	mode.Flag(cmd, "isolate", usage+"; =best-effort also where the system cannot limit its memory")
	cmd.Flags().Lookup("isolate").NoOptDefVal = Full
	return mode
}

// Pool returns a pool whose children take at most the given time for a request.
func Pool(mode string, deadline time.Duration, spare int) (*isolate.Pool, error) {
	pool, err := isolate.NewPool(isolate.Config{Deadline: deadline, Spare: spare, BestEffort: mode == BestEffort})
	switch {
	case errors.Is(err, isolate.ErrNoLimit):
		return nil, cli.Usagef("--isolate: %v; --isolate=best-effort runs without", errors.Unwrap(err))
	case err != nil:
		return nil, &cli.Error{Status: cli.Failed, Err: err}
	}
	return pool, nil
}

// Deadline is how long a child may take for a request under the given limits: their MacrostepTime,
// and half a second more, so that they are noticed first.
func Deadline(limits scxml.Limits) time.Duration {
	most := limits.MacrostepTime
	switch {
	case most == 0:
		most = scxml.DefaultLimits().MacrostepTime
	case most < 0:
		most = 24 * time.Hour
	}
	return most + 500*time.Millisecond
}

// StateIDs returns the ids of the states of a chart.
func StateIDs(chart *isolate.Chart) (ids []string) {
	for _, s := range chart.States {
		if s.ID != "" {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// IsAtomic reports whether a state of the chart is atomic.
func IsAtomic(chart *isolate.Chart, name string) bool {
	return slices.ContainsFunc(chart.States, func(s isolate.State) bool { return s.Name == name && s.Atomic })
}
