package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// maxScenario is how many bytes a scenario may have.
const maxScenario = 64 << 20

// ScenarioTests finds the scenarios of package scxmltest in a folder and its
// subfolders: the files x.txtar that have events. It sorts them by name. One that
// has something else of a scenario, or nothing at all, was damaged, and fails.
func ScenarioTests(dir string) ([]Test, error) {
	var tests []Test
	err := eachFile(os.DirFS(dir), func(name string) error {
		stem, isArchive := strings.CutSuffix(name, ".txtar")
		if !isArchive {
			return nil
		}
		t, err := ScenarioTest(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, errArchive) {
			return nil
		}
		t.Name = stem
		tests = append(tests, t)
		return err
	})
	slices.SortFunc(tests, func(a, b Test) int { return strings.Compare(a.Name, b.Name) })
	return tests, err
}

// errArchive says that an archive is not a scenario.
var errArchive = errors.New("this is not a scenario: it has no part -- events --")

// ScenarioTest returns the scenario in a file. Its name is that of the file.
func ScenarioTest(file string) (Test, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return Test{}, err
	case !info.Mode().IsRegular():
		return Test{}, &fs.PathError{Op: "read", Path: file, Err: errors.New("it is not a regular file")}
	case info.Size() > maxScenario:
		return Test{}, &fs.PathError{Op: "read", Path: file, Err: fmt.Errorf("it is larger than %d bytes", maxScenario)}
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return Test{}, err
	}
	s, damaged := scxmltest.ParseScenario(source)
	hasEvents := bytes.Contains(source, []byte("-- events --"))
	if damaged == nil && !hasEvents {
		damaged = errors.New("the scenario has no part -- events --: the file was damaged")
	}
	t := scenarioTest{s, filepath.Dir(file), damaged}
	if !hasEvents && t.Chart == "" && t.Trace == nil && t.Check == "" && t.Snapshot == nil && len(source) > 0 {
		return Test{}, &fs.PathError{Op: "read", Path: file, Err: errArchive}
	}
	return Test{strings.TrimSuffix(filepath.Base(file), ".txtar"), t.document, t.run}, nil
}

// TestOf returns a scenario as a test. If it names the file of a chart, that is relative to the folder dir.
func TestOf(name string, s *scxmltest.Scenario, dir string) Test {
	t := scenarioTest{s, dir, nil}
	return Test{name, t.document, t.run}
}

// A scenarioTest is a scenario in a file of the folder dir.
type scenarioTest struct {
	*scxmltest.Scenario
	dir     string
	damaged error // why it cannot run
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
	if t.damaged != nil {
		return Result{Reason: t.damaged.Error()}
	}
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

var place = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^ ]*:\d+:\d+`) })

func withoutPlaces(trace string) string { return place().ReplaceAllString(trace, "") }
