package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/suite"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

const shrinkHelp = `Shrink finds the few events of a recording that matter: those after which an expression of
the chart's data model is true, for example --keep 'isNaN(total)' or --keep "In('stuck')". It
leaves out events, shortens waiting times and drops data as long as the expression becomes
true.

The result is a scenario with the chart inside that fails until the chart is mended: see
scxmlrun test. With --chart it names another chart. The scenario begins with a new session
if that leads there too, and otherwise with a snapshot of the recorded one.

Exit status:
  1    the events alone do not make the expression true, for example because a service
       must answer
  2    wrong usage
  3    the recording or the chart was refused
  130  interrupted`

type shrinkOptions struct {
	keep, out, chart string
}

// newShrinkCommand returns the command that makes a recording small.
func newShrinkCommand() *cobra.Command {
	var o shrinkOptions
	cmd := &cobra.Command{
		Use:     "shrink RECORDING --keep EXPR",
		Short:   "Find the events of a recording that matter",
		Long:    shrinkHelp,
		Example: `  scxmlrun shrink bug.rec --keep 'isNaN(total)' -o bug.txtar`,
		Args:    oneRecording,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.keep, "keep", "", "`EXPR` that is to become true")
	flags.StringVarP(&o.out, "output", "o", "", "write the scenario to `FILE` (default: standard output)")
	flags.StringVar(&o.chart, "chart", "", "use the chart in `FILE` in place of the recorded one; the scenario then refers to it")
	return cmd
}

func (o *shrinkOptions) run(parent context.Context, name string) error {
	if o.keep == "" {
		return cli.Usagef("what is to become true? Give an expression, for example --keep \"In('stuck')\"")
	}
	if err := cli.CheckOut("-o", o.out, name, o.chart); err != nil {
		return err
	}
	rec, err := recording.Open(name, o.chart)
	if err != nil {
		return err
	}
	if err := rec.Config.Chart.CheckLook(o.keep); err != nil {
		return cli.Usagef("--keep %q: %v", o.keep, err)
	}
	rec.Warn(os.Stderr)
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	line := cli.NewProgress()
	defer line.Clear()
	chart := rec.Config.Chart
	events, end := rec.Arrivals()
	left := func(n int) {
		if line.Due() {
			line.Write(fmt.Sprintf("%d of %d events left", n, len(events)))
		}
	}
	// A new session if that is enough: the scenario is easier to read, and survives changes of the chart.
	var from []byte
	few, err := suite.Shrink(ctx, chart, nil, events, end, o.keep, left)
	if errors.Is(err, suite.ErrNotKept) {
		if from, err = beginning(ctx, rec); err == nil {
			few, err = suite.Shrink(ctx, chart, from, events, end, o.keep, left)
		}
	}
	line.Clear()
	switch {
	case ctx.Err() != nil:
		return &cli.Error{Status: cli.Interrupted}
	case errors.Is(err, suite.ErrNotKept) && err != suite.ErrNotKept:
		return cli.Usagef("--keep: %s never has a value: %v", o.keep, strings.TrimPrefix(err.Error(), suite.ErrNotKept.Error()+": "))
	case errors.Is(err, suite.ErrNotKept):
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("%s is never true when the %d events of %s are sent again", o.keep, len(events), name)}
	case err != nil:
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	s, err := suite.Counterexample(ctx, chart, explore.Options{From: from}, explore.Violation{Kind: explore.Broken, Property: "never " + o.keep, Path: few}, changes)
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	makes := "make"
	if count(few) == 1 {
		makes = "makes"
	}
	s.Comment = fmt.Sprintf("%d of the %d events of %s %s this true: %s", count(few), len(events), filepath.Base(name), makes, o.keep)
	if err := o.place(s, rec); err != nil {
		return err
	}
	if err := writeOut(o.out, s.Format()); err != nil || toStdout(o.out) {
		return err
	}
	fmt.Fprintf(os.Stderr, "scxmlrun: %s: %d of %d events\n", o.out, count(few), len(events))
	return nil
}

// beginning returns a snapshot of the recorded session after its start.
func beginning(ctx context.Context, rec *recording.Recording) (snapshot []byte, err error) {
	_, err = rec.Replay(ctx, rec.Config, true, func(at history.Position) error {
		if snapshot, err = at.Session.Snapshot(); err != nil {
			return err
		}
		return errUntil
	})
	if errors.Is(err, errUntil) {
		err = nil
	}
	return snapshot, err
}

// count returns the number of events in a path.
func count(path []explore.Input) (n int) {
	for _, in := range path {
		if in.Event != "" {
			n++
		}
	}
	return n
}

// place gives the scenario its chart.
func (o *shrinkOptions) place(s *scxmltest.Scenario, rec *recording.Recording) (err error) {
	if o.chart != "" {
		s.Chart, err = relativeTo(filepath.Dir(o.out), o.chart)
		return err
	}
	const chart = "chart.scxml" // of a scenario
	document := path.Base(rec.File)
	s.Files = maps.Clone(rec.Recording.Files)
	if _, other := s.Files[chart]; other && document != chart {
		return cli.Usagef("a scenario has its chart in %s, and the recorded one loads another file of this name: name the chart with --chart", chart)
	}
	s.Files[chart] = s.Files[document]
	if document != chart {
		delete(s.Files, document)
	}
	return nil
}
