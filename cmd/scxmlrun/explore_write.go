package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/suite"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// write writes each violation as a scenario into the folder of --write, and returns the names of the files:
// "" for one that a scenario cannot check.
func (o *exploreOptions) write(ctx context.Context, chart *scxml.Chart, name string, opts explore.Options, r *explore.Report) ([]string, error) {
	files := make([]string, len(r.Violations))
	if o.out == "" || len(files) == 0 {
		return files, nil
	}
	failed := func(err error) ([]string, error) { return nil, &cli.Error{Status: cli.Failed, Err: err} }
	relative, err := scenarioFolder(o.out, name)
	if err != nil {
		return failed(err)
	}
	for i, v := range r.Violations {
		s, err := suite.Counterexample(ctx, chart, opts, v, changes)
		if err != nil {
			fmt.Fprintf(os.Stderr, "scxmlrun: a violation is not written: %v\n", err)
			continue
		}
		s.Chart = relative
		file := filepath.Join(o.out, fileName(v))
		for n := 2; slices.Contains(files, file); n++ {
			file = filepath.Join(o.out, strings.TrimSuffix(fileName(v), ".txtar")+fmt.Sprintf("-%d.txtar", n))
		}
		if err := writeScenario(file, s); err != nil {
			return failed(err)
		}
		files[i] = file
	}
	return files, nil
}

func changes(id string, was, now datamodel.Value) []string {
	const width = 90
	return text.Differences(id, was, now, width)
}

// fileName returns a file name that says what is violated.
func fileName(v explore.Violation) string {
	words := strings.FieldsFunc(v.Property, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if v.Kind != explore.Broken {
		words = append([]string{string(v.Kind)}, words...)
	}
	const most = 60
	name := ""
	for _, word := range words {
		if len(name)+len(word) > most {
			break
		}
		name += "-" + word
	}
	if name == "" {
		name = "-" + string(v.Kind)
	}
	return name[1:] + ".txtar"
}
