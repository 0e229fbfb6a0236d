package scxml_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestSketch: what is read of a document with errors, and that no session runs it.
func TestSketch(t *testing.T) {
	for _, test := range []struct {
		name, document string
		states         string // names in document order
		errors         string // codes
	}{
		{"no errors", `<scxml><state id="a"/></scxml>`, "a", ""},
		{"unknown target", `<scxml><state id="a"><transition event="e" target="z"/></state><state id="b"/></scxml>`, "a b", "unknown-target"},
		{"id twice", `<scxml><state id="a"><state id="a"/></state></scxml>`, "a state#2", "duplicate-id"},
		{"data model", `<scxml datamodel="cplusplus:x.h"><state id="a"><transition cond="x->y()"/></state></scxml>`, "a", "unknown-datamodel"},
		{"script", `<scxml><script src="x.js"/><state id="a"/></scxml>`, "a", "cannot-load"},
		{"misplaced", `<scxml><state id="a"><onentry><state id="b"/></onentry></state></scxml>`, "a b", "misplaced-element"},
		{"history that leads to itself", `<scxml><state id="a"><history id="h"><transition target="h"/></history><state id="b"/></state></scxml>`, "a h b", "history-loop"},
		{"nothing in it", `<scxml/>`, "", "no-state"},
		{"text", `<scxml><state id="a"><transition cond="1 < 2 & 3"/></state></scxml>`, "a", "bad-character bad-entity"},
		{"end tag", `<scxml><state id="a"><onentry></state></scxml>`, "a", "mismatched-tag"},
		{"no end", `<scxml><state id="a"/><state id="b"><transition target="a"/><sta`, "a b", "truncated"},
		{"second root", `<scxml><state id="a"/></scxml><scxml/>`, "a", "second-root"},
		{"not XML", `digraph {}`, "none", "not-xml"},
		{"not SCXML", `<svg/>`, "none", "wrong-root"},
	} {
		document := strings.Replace(test.document, "<scxml", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"`, 1)
		_, want := scxml.Parse("f", []byte(document))
		chart, err := scxml.Sketch("f", []byte(document))
		if (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
			t.Errorf("%s: error %v, Parse has %v", test.name, err, want)
		}
		states, codes := "none", ""
		var refused *scxml.DocumentError
		if errors.As(err, &refused) && chart == nil {
			codes = " " + refused.Diagnostics[0].Code
		}
		if chart != nil {
			states = ""
			for _, s := range chart.States()[1:] {
				states += " " + s.Name()
				if s.Element() == nil {
					t.Errorf("%s: state %s has no element", test.name, s)
				}
			}
			for _, d := range chart.Errors() {
				codes += " " + d.Code
			}
			if _, err := scxml.New(chart); (err == nil) != (len(chart.Errors()) == 0) {
				t.Errorf("%s: New: %v", test.name, err)
			}
			if _, err := scxml.Restore(chart, []byte("x")); len(chart.Errors()) > 0 && !strings.Contains(err.Error(), "the document has errors") {
				t.Errorf("%s: Restore: %v", test.name, err)
			}
		}
		if states = strings.TrimPrefix(states, " "); states != test.states {
			t.Errorf("%s: states %q, want %q", test.name, states, test.states)
		}
		if codes = strings.TrimPrefix(codes, " "); codes != test.errors {
			t.Errorf("%s: errors %q, want %q", test.name, codes, test.errors)
		}
	}
}

// TestSketchDamaged: something is read of every document that is cut off in the middle, or that has errors.
func TestSketchDamaged(t *testing.T) {
	read := 0
	for _, pattern := range []string{"testdata/diagnostics/*.scxml", "internal/doc/testdata/*.scxml", "internal/doc/testdata/diagnostics/*.scxml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no documents %s: %v", pattern, err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for end := len(source); end > 0; end -= 1 + len(source)/20 {
				if chart, _ := scxml.Sketch(file, source[:end]); chart != nil {
					read++
					for _, s := range chart.States() {
						_, _, _ = s.Element(), s.Children(), s.Transitions()
					}
				}
			}
		}
	}
	if read < 1000 {
		t.Errorf("only %d parts of documents were read", read)
	}
}
