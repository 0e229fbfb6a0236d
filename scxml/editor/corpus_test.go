package editor

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A sample is a chart file.
type sample struct {
	file string // where it is
	text string
}

func (s sample) analyse(text string) *Document {
	return Analyse(filepath.Base(s.file), text, s.options())
}

func (s sample) options() Options {
	return Options{Files: os.DirFS(filepath.Dir(s.file))}
}

// corpus returns the charts of this module, broken ones included, and those of the W3C's suite where
// it is present.
func corpus(t testing.TB) []sample {
	t.Helper()
	roots := []string{filepath.Join("..", "..")}
	if suite := os.Getenv("SCXML_W3C_SUITE"); suite != "" {
		roots = append(roots, suite)
	}
	var all []sample
	for _, root := range roots {
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(file) != ".scxml" {
				return err
			}
			text, err := os.ReadFile(file)
			if len(text) < 1<<20 { // a larger one is for measurements
				all = append(all, sample{file, strings.ToValidUTF8(string(text), "?")})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(all) < 100 {
		t.Fatalf("there are only %d charts", len(all))
	}
	return all
}
