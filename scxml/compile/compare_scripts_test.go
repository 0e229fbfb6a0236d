package compile_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml/compile"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
)

var (
	scriptCharts = flag.Int("scripts.charts", 8, "number of charts with random scripts that are compiled and compared with the interpreter")
	scriptSeed   = flag.Uint64("scripts.seed", 1, "seed of the charts; 0: a fresh one, which is printed")
	scriptFirst  = flag.Int("scripts.first", 0, "number of the first chart")
	scriptOnly   = flag.String("scripts.only", "", "numbers of the only charts, separated by commas")
	scriptSlice  = flag.Int("scripts.slice", 150, "charts in one program")
	scriptShrink = flag.Int("scripts.shrink", 0, "number of charts with differences that are made smaller")
)

// TestRandomScripts compares scripts of compiled charts with what the interpreter does with them.
func TestRandomScripts(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go tool")
	}
	seed := *scriptSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	var sum tally
	refused, scripts := map[string]int{}, 0
	began := time.Now()
	first, last := *scriptFirst, *scriptFirst+*scriptCharts
	for n := first; n < last; {
		trials := map[*subject]*randomchart.Trial{}
		var subjects []*subject
		for ; n < last && len(subjects) < *scriptSlice; n++ {
			if only := strings.Split(*scriptOnly, ","); *scriptOnly != "" && !slices.Contains(only, strconv.Itoa(n)) {
				continue
			}
			trial := randomchart.Scripts(rand.New(rand.NewPCG(seed, uint64(n))))
			s := scriptSubject(t, fmt.Sprintf("chart %d of seed %d", n, seed), trial, refused)
			subjects, trials[s] = append(subjects, s), trial
			if n%5 == 0 { // what moves data in and out of the script engine
				dynamic := *s
				dynamic.name, dynamic.typed = s.name+", dynamic", false
				subjects, trials[&dynamic] = append(subjects, &dynamic), trial
			}
			scripts += strings.Count(trial.Chart.String(), "<script>\n")
		}
		found, differences := compareAll(t, subjects)
		sum.add(found)
		for i, d := range differences {
			trial := trials[d.subject]
			if i < *scriptShrink {
				trial, d.text = shrinkScripts(t, trial, d, 30)
			}
			if i < max(*scriptShrink, 1) {
				d.text = describe(t, trial, d)
			}
			t.Errorf("%s: %s", d.name, d.text)
		}
		if sum.different > 100 {
			break
		}
	}
	t.Logf("seed %d, %v: %d scripts, %v", seed, time.Since(began).Round(time.Millisecond), scripts, &sum)
	for _, why := range slices.SortedFunc(maps.Keys(refused), func(a, b string) int { return refused[b] - refused[a] }) {
		t.Logf("%6d refused: %s", refused[why], why)
	}
	if sum.equal+sum.different == 0 {
		t.Error("nothing was compared")
	}
}

// scriptSubject takes out of a trial what cannot be compiled, and counts it.
func scriptSubject(t testing.TB, name string, trial *randomchart.Trial, refused map[string]int) *subject {
	wrong(trial.Chart)
	for _, chart := range trial.Files {
		wrong(chart)
	}
	for {
		s := trialSubject(name, trial)
		s.typed, s.high, s.texts = true, true, true
		_, err := compile.Go(s.fsys, s.file, compile.Options{Package: "main", Type: "Chart"})
		var unsupported *compile.UnsupportedError
		if !errors.As(err, &unsupported) {
			return s
		}
		type place struct {
			file string
			line int
		}
		places := map[place]bool{}
		for _, p := range unsupported.Problems {
			refused[specific.ReplaceAllString(p.Msg, "…")]++
			places[place{p.Pos.File, p.Pos.Line}] = true
		}
		dropped := false
		for _, p := range slices.SortedFunc(maps.Keys(places), func(a, b place) int { return b.line - a.line }) { // so that lines before it stay
			chart := trial.Files[p.file]
			if chart == nil {
				chart = trial.Chart
			}
			dropped = randomchart.Drop(chart, p.line) || dropped
		}
		if !dropped {
			t.Fatalf("%v\n%s", err, trial.Chart)
		}
	}
}

// wrong takes out functions with syntax errors.
func wrong(e *randomchart.Element) {
	if _, err := ecmascript.Tree(datamodel.Script, datamodel.Source{Text: e.Text}); err != nil && e.Name == "script" {
		e.Empty()
	}
	for _, c := range e.Children {
		wrong(c)
	}
}
