package dap

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Positions count characters, and the protocol UTF-16 units.
func TestColumns(t *testing.T) {
	for _, base := range []int{0, 1} {
		s := &sources{clientView: clientView{lineBase: base, columnBase: base}, text: func(string) (string, bool) { return "ab\né😀x😀\r\nc", true }}
		for _, test := range []struct{ line, col, units int }{
			{1, 1, 0}, {1, 3, 2}, {1, 9, 8}, // beyond the end of the line
			{2, 1, 0}, {2, 2, 1}, {2, 3, 3}, {2, 4, 4}, {2, 5, 6}, {2, 7, 8},
			{3, 2, 1}, {9, 4, 3},
		} {
			at := datamodel.Position{File: "x.scxml", Line: test.line, Col: test.col}
			line, column := s.place(at)
			if line != test.line-1+base || column != test.units+base {
				t.Errorf("base %d: place(%v) = %d, %d; want %d, %d", base, at, line, column, test.line-1+base, test.units+base)
			}
			if col := s.column("x.scxml", test.line, column); col != test.col {
				t.Errorf("base %d: column(%d, %d) = %d, want %d", base, test.line, column, col, test.col)
			}
		}
		// A column in the middle of a character is at that character.
		if col := s.column("x.scxml", 2, 2+base); col != 2 {
			t.Errorf("base %d: column within a surrogate pair = %d, want 2", base, col)
		}
	}
}

func TestSources(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a b.scxml")
	if err := os.WriteFile(file, []byte("\uFEFF<scxml/>"), 0o666); err != nil {
		t.Fatal(err)
	}
	loaded := map[string]string{"a b.scxml": "<scxml/>", "gone.scxml": "<scxml/>"}
	for _, uri := range []bool{false, true} {
		s := &sources{clientView: clientView{uri: uri}, dir: dir, text: func(name string) (string, bool) { text, ok := loaded[name]; return text, ok }}
		same := s.source("a b.scxml").dap
		if uri && same.Path != "file:///"+strings.TrimPrefix(filepath.ToSlash(dir), "/")+"/a%20b.scxml" || !uri && same.Path != file || same.SourceReference != 0 {
			t.Errorf("a file as it was loaded: %+v", same)
		}
		if name, ok := s.find(&same); !ok || name != "a b.scxml" {
			t.Errorf("find: %q, %t", name, ok)
		}
		gone := s.source("gone.scxml").dap
		if gone.Path != "" || gone.SourceReference != 1 {
			t.Errorf("a file that is not there: %+v", gone)
		}
		if name, ok := s.find(&gone); !ok || name != "gone.scxml" {
			t.Errorf("find: %q, %t", name, ok)
		}
		for _, unknown := range []godap.Source{{}, {SourceReference: 2}, {SourceReference: -1}} {
			if name, ok := s.find(&unknown); ok {
				t.Errorf("find %+v: %q", unknown, name)
			}
		}
	}
	loaded["a b.scxml"] = "<scxml></scxml>"
	s := &sources{dir: dir, text: func(name string) (string, bool) { text, ok := loaded[name]; return text, ok }}
	if changed := s.source("a b.scxml").dap; changed.SourceReference == 0 || changed.Path != "" {
		t.Errorf("a file that has changed since: %+v", changed)
	}
}
