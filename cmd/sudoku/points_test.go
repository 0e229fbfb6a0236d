package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The points are numbered from 1 to 91, and each names tests that exist or a command.
func TestPoints(t *testing.T) {
	source, err := os.ReadFile("POINTS.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| (\\d+) \\|.*\\| ((?:`[^`]+`(?:, )?)+)(?: in `([^`]+)`)? \\|$")
	rows := row.FindAllStringSubmatch(string(source), -1)
	if len(rows) != 91 {
		t.Errorf("got %d points, want 91", len(rows))
	}
	for i, m := range rows {
		if m[1] != strconv.Itoa(i+1) {
			t.Fatalf("got point %s, want %d", m[1], i+1)
		}
		for name := range strings.SplitSeq(strings.ReplaceAll(m[2], "`", ""), ", ") {
			if m[3] != "" && !hasTest(t, filepath.Join("../..", m[3]), name) {
				t.Errorf("point %s: %s has no test %s", m[1], m[3], name)
			}
		}
	}
}

// hasTest reports whether a folder has a test or an example of this name.
func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
