package doc

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
)

// FuzzParse makes sure that no input makes the parser panic, and that a
// document without errors keeps the promises of the model.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*.scxml", "testdata/diagnostics/*.scxml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds: %v", err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(mark.ReplaceAll(src, nil))
		}
	}
	loader := fstest.MapFS{"x.js": {Data: []byte("1")}, "x.xml": {Data: []byte("<a/>")}}
	f.Fuzz(func(t *testing.T, src []byte) {
		d, diags := Parse("f", src, Options{Loader: loader, Limits: Limits{Size: 1 << 16, Depth: 100}})
		errors := 0
		for _, diag := range diags {
			if !diag.Pos.IsValid() || diag.Code == "" || diag.Message == "" {
				t.Fatalf("malformed diagnostic: %+v", diag)
			}
			if diag.Severity == Error {
				errors++
			}
		}
		if d == nil && errors == 0 {
			t.Fatal("neither a document nor an error")
		}
		if errors > 0 {
			return
		}
		for i, s := range d.States {
			if s.Index != i || (s.Kind == Scxml) != (i == 0) {
				t.Fatalf("state %d: %+v", i, s)
			}
			if (s.Kind == Compound || s.Kind == Scxml) != (s.Initial != nil && len(s.Initial.Targets) > 0) {
				t.Fatalf("%s without initial state, or with one where none is allowed", s)
			}
			if s.Open || s.Stray {
				t.Fatalf("%s is marked as part of an error", s)
			}
			for _, tr := range s.Transitions {
				if tr.Open || tr.Stray || tr.Guesses != nil {
					t.Fatalf("a transition of %s is marked as part of an error", s)
				}
			}
			if s.Kind == History && (len(s.Transitions) != 1 || len(s.Transitions[0].Targets) == 0) {
				t.Fatalf("%s without default", s)
			}
			for _, inv := range s.Invokes {
				if inv.Content != nil && inv.Content.Scxml() {
					inv.Content.Parse(Options{})
				}
			}
		}
	})
}

// FuzzDelay makes sure that a delay is within bounds, and that it is the same in
// milliseconds.
func FuzzDelay(f *testing.F) {
	for _, s := range []string{"1s", ".5s", "500ms", "1.5E3", "-1s", "1e400s", "366d", "+0", "1 s", "'1s'", "1e-400s", "١s", "1m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := delay.Parse(s)
		if err != nil {
			if d != 0 || err.Error() == "" || !utf8.ValidString(err.Error()) && utf8.ValidString(s) {
				t.Errorf("%q: %v and %q", s, d, err)
			}
			return
		}
		if d < 0 || d > delay.Max {
			t.Errorf("%q is %v", s, d)
		}
		ms := strconv.FormatFloat(float64(d)/1e6, 'f', -1, 64) + "ms"
		if again, err := delay.Parse(ms); again != d || err != nil {
			t.Errorf("%q is %v, but %q is %v, %v", s, d, ms, again, err)
		}
	})
}
