package check

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func TestFold(t *testing.T) {
	const e, w = scxml.SeverityError, scxml.SeverityWarning
	many := strings.Repeat(`the same of "a"|`, 13)
	for _, tt := range []struct {
		severity       scxml.Severity
		messages, want string // with "|" between them; the nth is in line n
	}{
		{w, "", ""},
		{w, "one|two", "one|two"},
		{e, "one|two|one", "one; also at 3:1|two"},
		{w, many[:len(many)-1], `the same of "a"; also at 2:1, 3:1, 4:1, 5:1, 6:1, 7:1, 8:1, 9:1, 10:1, 11:1, 2 more places`},
		{w, `no "a"|no "b"|no "c"`, `no "a"|no "b"|no "c"`},
		{w, `no "a"|no "b"|no "c"|no "a"`, `no "a"; also at 2:1 ("b"), 3:1 ("c"), 4:1`},
		{e, `no "a"|no "b"|no "c"|no "a"`, `no "a"; also at 4:1|no "b"|no "c"`},
	} {
		var all []scxml.Diagnostic
		for i, message := range strings.FieldsFunc(tt.messages, func(r rune) bool { return r == '|' }) {
			all = append(all, scxml.Diagnostic{Pos: datamodel.Position{File: "c", Line: i + 1, Col: 1}, Severity: tt.severity, Code: "x", Message: message})
		}
		var got []string
		for _, d := range fold(all) {
			got = append(got, d.Message)
		}
		if got := strings.Join(got, "|"); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.messages, got, tt.want)
		}
	}
	other := []scxml.Diagnostic{
		{Pos: datamodel.Position{File: "c", Line: 1, Col: 1}, Code: "x", Message: "m"},
		{Pos: datamodel.Position{File: "d.js", Line: 2, Col: 1}, Code: "x", Message: "m"},
		{Pos: datamodel.Position{File: "c", Line: 3, Col: 1}, Code: "y", Message: "m"},
	}
	if got, want := fmt.Sprint(fold(other)), "[c:1:1: m; also at d.js:2:1 c:3:1: m]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestQuantity(t *testing.T) {
	for _, tt := range []struct {
		r    report
		want string
	}{
		{report{charts: 1}, "1 chart checked, nothing to report"},
		{report{charts: 3, odd: 2, errors: 1, warnings: 2}, "1 error and 2 warnings in 2 of 3 charts"},
		{report{charts: 1, odd: 1, warnings: 1}, "1 warning in 1 chart"},
		{report{charts: 1, odd: 1, errors: 2, warnings: 1, notes: 1}, "2 errors, 1 warning and 1 note in 1 chart"},
	} {
		if got := tt.r.summary(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestLocate(t *testing.T) {
	root := "/"
	if runtime.GOOS == "windows" {
		root = "C:/"
	}
	for file, want := range map[string]string{
		"a.scxml":          "a.scxml",
		"a b/ü%.scxml":     "a%20b/%C3%BC%25.scxml",
		"../a.scxml":       "../a.scxml",
		root + "a.scxml":   "file:///" + strings.TrimPrefix(root, "/") + "a.scxml",
		"a:b.scxml":        "./a:b.scxml",
		"charts/a#1.scxml": "charts/a%231.scxml",
	} {
		if got := locate(file, 1, 1).Physical.Artifact.URI; got != want {
			t.Errorf("%q: got %q, want %q", file, got, want)
		}
	}
}
