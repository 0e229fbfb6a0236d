package doc

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "write the marks in testdata/diagnostics anew; read them before you commit")

// mark matches an expected diagnostic. It is at the end of the line where the diagnostic belongs,
// with column, code and message:
//
//	<state id="s1"/> <!-- ERROR 12 duplicate-id: id "s1" is already taken by … -->
var mark = regexp.MustCompile(` *<!-- (?:ERROR|WARNING) [0-9]+ .*? -->`)

// TestDiagnostics reads the documents of testdata/diagnostics, which contain the expected
// diagnostics.
func TestDiagnostics(t *testing.T) {
	files, err := filepath.Glob("testdata/diagnostics/*.scxml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	loader := fstest.MapFS{
		"good.js":      {Data: []byte("var good = 1;\n")},
		"latin.js":     {Data: []byte("'\xE9'")},
		"data.json":    {Data: []byte(`{"a": 1}`)},
		"folder/in.js": {Data: []byte("1")},
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(strings.TrimSuffix(name, ".scxml"), func(t *testing.T) {
			marked, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src := mark.ReplaceAll(marked, nil)
			_, diags := Parse(name, src, Options{Loader: loader})
			lines := strings.Split(string(src), "\n")
			for _, d := range diags {
				if d.Pos.File != name || d.Pos.Line > len(lines) {
					t.Fatalf("diagnostic outside the document: %+v", d)
				}
				severity := "ERROR"
				if d.Severity == Warning {
					severity = "WARNING"
				}
				msg := strings.ReplaceAll(d.Message, "--", "- -") // which a comment may not contain
				lines[d.Pos.Line-1] += fmt.Sprintf(" <!-- %s %d %s: %s -->", severity, d.Pos.Col, d.Code, msg)
			}
			got := strings.Join(lines, "\n")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want := strings.Split(string(marked), "\n")
			for i, line := range lines {
				if line != want[i] {
					t.Errorf("%s:%d:\n got %s\nwant %s", name, i+1, line, want[i])
				}
			}
		})
	}
}
