package doc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestW3C reads the documents of the W3C's suite. Only those whose entry says so are refused.
// SCXML_W3C_SUITE names the folder of the suite.
func TestW3C(t *testing.T) {
	suite := os.Getenv("SCXML_W3C_SUITE")
	if suite == "" {
		t.Skip("SCXML_W3C_SUITE is not set")
	}
	if strings.HasSuffix(suite, ".json") {
		suite = filepath.Dir(suite)
	}
	list, err := os.ReadFile(filepath.Join(suite, "tests.json"))
	if err != nil {
		t.Fatal(err)
	}
	var tests []struct{ Start, Expect, Unaltered string }
	if err := json.Unmarshal(list, &tests); err != nil {
		t.Fatal(err)
	}
	expect := map[string]string{}
	for _, test := range tests {
		expect[test.Start] = test.Expect
		if test.Unaltered != "" {
			expect[test.Unaltered] = test.Expect
		}
	}
	files, err := filepath.Glob(filepath.Join(suite, "*", "*.scxml"))
	if err != nil {
		t.Fatal(err)
	}
	unaltered, err := filepath.Glob(filepath.Join(suite, "*", "unaltered", "*.scxml"))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, unaltered...)
	if len(files) < len(tests) {
		t.Fatalf("%d documents for %d tests", len(files), len(tests))
	}
	for _, file := range files {
		name, err := filepath.Rel(suite, file)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			// Files that the document loads: those of an unaltered one are one folder up.
			folder := strings.TrimSuffix(filepath.Dir(file), string(filepath.Separator)+"unaltered")
			_, diags := Parse(name, src, Options{Loader: os.DirFS(folder)})
			refused := false
			for _, d := range diags {
				refused = refused || d.Severity == Error
			}
			switch want := expect[name]; {
			case refused && want != "reject":
				t.Errorf("refused: %v", diags)
			case !refused && want == "reject":
				t.Errorf("not refused")
			}
			if len(diags) > 0 {
				t.Log(diags)
			}
		})
	}
}
