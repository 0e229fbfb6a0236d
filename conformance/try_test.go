package conformance_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// TestTryOwnDocuments runs the documents of this package, and TestTryW3C those of the W3C, twice:
// the second time somebody asks Try about several events between any two steps. It must do the
// same, and have the same snapshot before and after.
func TestTryOwnDocuments(t *testing.T) { tryDocuments(t, os.DirFS("documents")) }

func TestTryW3C(t *testing.T) { tryDocuments(t, os.DirFS(w3cDir(t))) }

func tryDocuments(t *testing.T, fsys fs.FS) {
	files := 0
	all := &tried{guards: map[string]string{}}
	err := fs.WalkDir(fsys, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".scxml" {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		dir, err := fs.Sub(fsys, path.Dir(name))
		if err != nil {
			return err
		}
		chart, err := scxml.Load(dir, path.Base(name))
		if err != nil {
			return nil // it is to be rejected
		}
		files++
		t.Run(strings.TrimSuffix(name, ".scxml"), func(t *testing.T) {
			names := append(eventNames(string(text)), "error.execution", "something.else")
			plain := all.run(t, chart, nil)
			if asked := all.run(t, chart, names); asked != plain && !strings.Contains(plain, "http://") {
				t.Errorf("it does\n%s\nbut if it is asked what it would do\n%s", plain, asked)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	evaluated := 0
	for _, why := range all.guards {
		if why == "" {
			evaluated++
		}
	}
	t.Logf("%d documents; of %d guards that Try came to it evaluated %d", files, len(all.guards), evaluated)
	for guard, why := range all.guards {
		if why != "" {
			t.Logf("%s: %s", guard, why)
		}
	}
	if files < 150 || evaluated*2 < len(all.guards) {
		t.Error("there are too few of them")
	}
}

var eventAttribute = regexp.MustCompile(`event="([^"*]+)"`)

// eventNames returns some events of a document, evenly spread.
func eventNames(text string) (names []string) {
	for _, m := range eventAttribute.FindAllStringSubmatch(text, -1) {
		for name := range strings.FieldsSeq(m[1]) {
			if name = strings.Trim(name, "."); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for len(names) > 6 {
		names = slices.Delete(names, len(names)/2, len(names)/2+1)
	}
	return names
}

// A tried collects what Try said of guards, by place: why it did not evaluate one.
type tried struct{ guards map[string]string }

// run returns the trace of a session. Between any two steps it is asked about events.
func (x *tried) run(t *testing.T, chart *scxml.Chart, names []string) string {
	var trace bytes.Buffer
	now := scxmltest.Epoch
	s, err := scxml.New(chart, scxml.WithMissing(), scxml.WithSeed(1), scxml.WithTrace(scxmltest.NewTrace(&trace)), scxml.WithClock(func() time.Time { return now }),
		scxml.WithLimits(scxml.Limits{Microsteps: 500}))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		trace.WriteString(err.Error())
	}
	for range 200 {
		for _, name := range names {
			x.ask(t, s, name)
		}
		more, err := s.Step(t.Context(), now)
		if err != nil {
			trace.WriteString(err.Error())
			break
		}
		if due, ok := s.NextDue(); !more && ok && due.After(now) {
			now = due
		} else if !more {
			break
		}
	}
	return trace.String()
}

func (x *tried) ask(t *testing.T, s *scxml.Session, name string) {
	t.Helper()
	before, saveErr := s.Snapshot()
	trial, err := s.Try(context.Background(), scxml.Event{Name: name, Data: map[string]any{"n": 5, "x": "y", "list": []any{1, 2}}})
	if err != nil {
		return
	}
	after, err := s.Snapshot()
	if (saveErr == nil) != (err == nil) || !bytes.Equal(before, after) {
		t.Errorf("Try of %s changes the session (%v, %v):\n%s\n%s", name, saveErr, err, before, after)
	}
	for _, c := range trial.Candidates {
		if c.Transition.Cond() == "" || c.Verdict == scxml.NoMatch || c.Verdict == scxml.NotReached {
			continue
		}
		place := c.Transition.Pos().String() + " " + c.Transition.Cond()
		if c.Verdict == scxml.NotEvaluated {
			x.guards[place] = c.Err.Error()
		} else if _, known := x.guards[place]; !known {
			x.guards[place] = ""
		}
	}
}
