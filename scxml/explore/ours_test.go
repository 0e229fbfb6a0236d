package explore_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

var updateVerdicts = flag.Bool("verdicts.update", false, "write testdata/verdicts.txt anew")

// TestVerdictsOfOurCharts: of each chart of this project a search says that it holds, but for those in testdata/verdicts.txt,
// which has the reasons, and those with too many states or errors.
func TestVerdictsOfOurCharts(t *testing.T) {
	if testing.Short() {
		t.Skip("searches 400 charts, as other tests do")
	}
	root := filepath.Join("..", "..")
	var b strings.Builder
	holds := 0
	for _, dir := range []string{"charts", "cmd", "conformance/documents", "examples", "scxml"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".scxml" {
				return err
			}
			chart, err := scxml.Load(os.DirFS(filepath.Dir(name)), filepath.Base(name))
			if err != nil {
				return nil // it is a test of that
			}
			r, err := explore.Run(t.Context(), chart, explore.Options{NoDeadlocks: true, MaxStates: 200, MaxDepth: 200})
			switch {
			case err != nil:
			case r.Verdict == explore.Holds:
				holds++
			case r.Verdict == explore.Searched:
				var names []string
				for _, reason := range r.LeftOut {
					if !slices.Contains(names, reason.Name) {
						names = append(names, reason.Name)
					}
				}
				path, err := filepath.Rel(root, name)
				if err != nil {
					return err
				}
				fmt.Fprintf(&b, "%s: %s\n", filepath.ToSlash(path), strings.Join(names, " "))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d charts hold", holds)
	const file = "testdata/verdicts.txt"
	if *updateVerdicts {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) || holds < 200 {
		t.Errorf("%d charts hold; these do as far as searched:\n%s\nwant\n%s", holds, b.String(), want)
	}
}
