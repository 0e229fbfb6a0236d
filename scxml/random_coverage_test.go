package scxml_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

var randomProfile = flag.String("random.profile", "", "coverage profile of a run of TestRandomCharts, see TESTING.md")

// algorithm lists the files that random charts must cover.
var algorithm = []string{
	"interpret.go", "select.go", "microstep.go", "entry.go", "fast.go", "rows.go", "turns.go", "content.go", "send.go", "timers.go", "invoke.go", "tree.go",
}

// TestRandomCoverage reports how much of the algorithm TestRandomCharts covers, and which
// statements it misses.
func TestRandomCoverage(t *testing.T) {
	if *randomProfile == "" {
		t.Skip("no -random.profile")
	}
	profile, err := os.ReadFile(*randomProfile)
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ covered, all int }
	files := map[string]count{}
	var total count
	var missed []string
	for line := range strings.Lines(string(profile)) {
		var place string
		var statements, hits int
		if n, _ := fmt.Sscan(line, &place, &statements, &hits); n != 3 {
			continue // mode: set
		}
		file, lines, _ := strings.Cut(path.Base(place), ":")
		if !slices.Contains(algorithm, file) {
			continue
		}
		c := files[file]
		c.all += statements
		total.all += statements
		if hits > 0 {
			c.covered += statements
			total.covered += statements
		} else {
			missed = append(missed, file+":"+lines)
		}
		files[file] = c
	}
	for _, file := range algorithm {
		c := files[file]
		t.Logf("%-14s %4d of %4d statements, %5.1f %%", file, c.covered, c.all, 100*float64(c.covered)/float64(max(c.all, 1)))
	}
	t.Logf("together       %4d of %4d statements, %5.1f %%", total.covered, total.all, 100*float64(total.covered)/float64(max(total.all, 1)))
	slices.Sort(missed)
	t.Logf("not covered:\n%s", strings.Join(missed, "\n"))
	if 100*total.covered < 95*total.all {
		t.Errorf("less than 95 %%")
	}
}
