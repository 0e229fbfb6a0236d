// Package searchprogram explores charts by programs that it compiles for them, see package compiled in scxml/explore. A
// program is built from files that the command has in itself, without a module proxy, kept in the user's cache folder,
// and run as a child process.
package searchprogram

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/explore/compiled"
	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
)

// Modes say when a program searches: if the search takes some time, and it can; in any case; or never. Anything else is
// the first one.
var Modes = []string{"auto", "always", "never"}

// patience is how long a search takes before it is worth a program. Until then sessions have said what grows.
var patience = 3 * time.Second

// A Program is what has searched.
type Program struct {
	StateBytes int   `json:"state_bytes"` // that a state has
	KeptBytes  int64 `json:"kept_bytes"`  // that it has kept
}

// Explore is [explore.Run] in one of the modes. The program is nil if none has searched.
func Explore(ctx context.Context, chart *scxml.Chart, opts explore.Options, mode string) (*explore.Report, *Program, error) {
	return job{
		run: func(ctx context.Context, opts explore.Options) (*explore.Report, error) {
			return explore.Run(ctx, chart, opts)
		},
		compile: func(opts explore.Options) (*compiled.Search, error) { return compiled.New(chart, opts) },
	}.search(ctx, mode, opts)
}

// Compare is [explore.Compare] in one of the modes, as Explore is explore.Run.
func Compare(ctx context.Context, old, new *scxml.Chart, opts explore.Options, aspects []explore.Aspect, mode string) (*explore.Report, *Program, error) {
	return job{
		run: func(ctx context.Context, opts explore.Options) (*explore.Report, error) {
			return explore.Compare(ctx, old, new, opts, aspects...)
		},
		compile: func(opts explore.Options) (*compiled.Search, error) {
			return compiled.Compare(old, new, opts, aspects...)
		},
	}.search(ctx, mode, opts)
}

// Cover is the search of sessions in one of the modes. A program does that of [compiled.Cover], which must be the same.
func Cover(
	ctx context.Context, chart *scxml.Chart, opts explore.Options, mode string,
	sessions func(ctx context.Context, opts explore.Options) (*explore.Report, error),
	violation func(d compiled.Deed) explore.Violation, kinds ...search.Kind,
) (*explore.Report, error) {
	r, _, err := job{
		run: sessions,
		compile: func(opts explore.Options) (*compiled.Search, error) {
			return compiled.Cover(chart, opts, violation, kinds...)
		},
	}.search(ctx, mode, opts)
	return r, err
}

// A job is a search by sessions, and by a program.
type job struct {
	run     func(ctx context.Context, opts explore.Options) (*explore.Report, error)
	compile func(opts explore.Options) (*compiled.Search, error)
}

func (j job) search(ctx context.Context, mode string, opts explore.Options) (*explore.Report, *Program, error) {
	var o outcome
	switch mode {
	case "never":
		o = j.sessions(ctx, opts)
	case "always":
		if o = j.program(ctx, opts); o.err != nil {
			o.err = fmt.Errorf("a program cannot do this search: %w", o.err)
		}
	default:
		o = j.race(ctx, opts)
	}
	return o.report, o.program, o.err
}

// An outcome is what a search has come to.
type outcome struct {
	report  *explore.Report
	program *Program
	err     error
}

func (j job) sessions(ctx context.Context, opts explore.Options) outcome {
	r, err := j.run(ctx, opts)
	return outcome{r, nil, err}
}

// race begins with sessions. After a while a program begins too. When it has found more states, the sessions end: if it
// then meets something that it cannot do, they begin again.
func (j job) race(ctx context.Context, opts explore.Options) outcome {
	own, endSessions := context.WithCancel(ctx)
	defer endSessions()
	other, endProgram := context.WithCancel(ctx)
	defer endProgram()
	var states atomic.Int64 // that the sessions have found
	var overtaken atomic.Bool
	begin := func(search func() outcome) <-chan outcome {
		end := make(chan outcome, 1)
		go func() { end <- search() }()
		return end
	}
	progress := func(program bool, note func(states int)) explore.Options {
		opts := opts
		tell := opts.Progress
		opts.Progress = func(p explore.Progress) {
			note(p.States)
			if tell != nil && overtaken.Load() == program {
				tell(p)
			}
		}
		return opts
	}
	first := begin(func() outcome {
		return j.sessions(own, progress(false, func(n int) { states.Store(int64(n)) }))
	})
	var second <-chan outcome
	late := time.After(patience)
	for {
		select {
		case <-late:
			second = begin(func() outcome {
				return j.program(other, progress(true, func(n int) {
					if int64(n) > states.Load() && !overtaken.Swap(true) {
						endSessions()
					}
				}))
			})
		case o := <-first:
			if !overtaken.Load() {
				return o
			}
			first = nil
		case o := <-second:
			switch {
			case o.err == nil:
				return o
			case overtaken.Load():
				return j.sessions(ctx, opts)
			}
			second = nil
		}
	}
}
