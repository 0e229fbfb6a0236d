package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/findings"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/mutate"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/conformance"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// testsOf returns the tests in folders that are for the chart with this source.
func testsOf(name string, source []byte, dirs []string) ([]mutate.Test, error) {
	var all []mutate.Test
	others := 0 // tests of other charts
	for _, dir := range dirs {
		found, err := findTests(dir, "any", len(dirs) > 1)
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			if document, err := t.Document(); err != nil || !bytes.Equal(document, source) {
				others++
				continue
			}
			all = append(all, mutate.Test{Name: t.Name, Passes: passes(t)})
		}
	}
	if len(all) == 0 {
		hint := "; \"scxmlrun gen scenarios\" writes some"
		if others > 0 {
			hint = ", but " + text.Count(others, "test") + " of other charts, or of another version of it"
		}
		return nil, &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot find tests of %s in %s%s", name, cli.List(dirs, "and"), hint)}
	}
	return all, nil
}

func passes(t conformance.Test) func(context.Context, *scxml.Chart) (bool, error) {
	return func(ctx context.Context, chart *scxml.Chart) (bool, error) {
		return t.Run(ctx, chart).Passed, ctx.Err()
	}
}

// writeMissed writes a scenario for each way to a change that was missed.
func writeMissed(ctx context.Context, r *mutate.Report, chart *scxml.Chart, name, dir string) error {
	relative, err := scenarioFolder(dir, name)
	if err != nil {
		return err
	}
	missed, err := findings.Missed(ctx, r, chart)
	if err != nil {
		return err
	}
	stem := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	for i, s := range missed {
		s.Chart = relative
		if err := writeScenario(filepath.Join(dir, fmt.Sprintf("%s-missed-%02d.txtar", stem, i+1)), s); err != nil {
			return err
		}
	}
	return nil
}
