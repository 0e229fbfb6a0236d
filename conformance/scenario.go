package conformance

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// ScenarioTests finds the scenarios of package scxmltest in a folder and its
// subfolders: the files x.txtar that have events. It sorts them by name.
func ScenarioTests(dir string) ([]Test, error) {
	var tests []Test
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := filepath.Base(file)
		if d.IsDir() {
			if base == "node_modules" || strings.HasPrefix(base, ".") && file != dir {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(base) != ".txtar" {
			return nil
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !bytes.Contains(source, []byte("-- events --")) {
			return nil // some other archive
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		t := scenarioTest{scxmltest.ParseScenario(source), filepath.Dir(file)}
		tests = append(tests, Test{strings.TrimSuffix(filepath.ToSlash(name), ".txtar"), t.document, t.run})
		return nil
	})
	slices.SortFunc(tests, func(a, b Test) int { return strings.Compare(a.Name, b.Name) })
	return tests, err
}

// A scenarioTest is a scenario in a file of the folder dir.
type scenarioTest struct {
	*scxmltest.Scenario
	dir string
}

func (t scenarioTest) document() ([]byte, error) {
	if t.Chart == "" {
		return []byte(t.Files["chart.scxml"]), nil
	}
	return os.ReadFile(t.File(t.dir))
}

func (t scenarioTest) run(ctx context.Context, chart *scxml.Chart, opts ...scxml.Option) Result {
	ctx, stop := context.WithTimeoutCause(ctx, time.Minute, errUnstable)
	defer stop()
	own := chart == nil
	var err error
	if own {
		if chart, err = t.Load(t.dir); err != nil {
			return Result{Reason: err.Error()}
		}
	}
	got, err := t.Run(ctx, chart, opts...)
	if err != nil {
		return Result{Reason: err.Error()}
	}
	if !own && t.Trace != nil && withoutPlaces(got.Trace) == withoutPlaces(string(t.Trace)) {
		got.Failures = slices.DeleteFunc(got.Failures, func(failure string) bool { return strings.HasPrefix(failure, "the trace differs") })
	}
	return Result{
		Passed: len(got.Failures) == 0, Reason: strings.Join(got.Failures, "\n"),
		Configuration: got.Session.Configuration(), Trace: got.Trace,
	}
}

var place = regexp.MustCompile(`[^ ]*:\d+:\d+`)

func withoutPlaces(trace string) string { return place.ReplaceAllString(trace, "") }
