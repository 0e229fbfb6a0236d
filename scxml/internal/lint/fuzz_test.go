package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/null"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// FuzzDocument makes sure that no document makes the linter panic, whatever
// errors it has, and that what it finds has a place.
func FuzzDocument(f *testing.F) {
	mark := regexp.MustCompile(` *<!-- (?:ERROR|WARNING) [0-9]+ .*? -->`)
	for _, pattern := range []string{"../../testdata/diagnostics/*.scxml", "../doc/testdata/*.scxml", "../doc/testdata/diagnostics/*.scxml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds %s: %v", pattern, err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(mark.ReplaceAll(src, nil))
		}
	}
	language := func(name string) datamodel.Language {
		if name == "null" {
			return null.New()
		}
		return nil
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		opts := doc.Options{Limits: doc.Limits{Size: 1 << 16, Depth: 100}}
		d, _ := doc.Parse("f", src, opts)
		if d == nil {
			return
		}
		for _, found := range Document(d, Options{Portable: Engines(), Language: language, Doc: opts}) {
			if !found.Pos.IsValid() || found.Severity == doc.Error && found.Code != "expression-syntax" || found.Code == "" || found.Message == "" {
				t.Fatalf("odd diagnostic: %+v", found)
			}
		}
	})
}
