package compile_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
)

var (
	compareCharts = flag.Int("compare.charts", 25, "number of random charts that are compiled and compared with the interpreter")
	compareSeed   = flag.Uint64("compare.seed", 1, "seed of the random charts; 0: a fresh one, which is printed")
	compareFirst  = flag.Int("compare.first", 0, "number of the first chart")
	compareSlice  = flag.Int("compare.slice", 500, "charts in one program")
	compareTime   = flag.Duration("compare.time", 0, "begin no program after this time; 0: until all charts are compared")
	compareScript = flag.Int("compare.script", 50, "percentage of charts with ECMAScript; the others have the null data model")
	compareTyped  = flag.Int("compare.typed", 50, "percentage of charts with ECMAScript that have scalars only and are compiled with typed data")
	compareBare   = flag.Int("compare.bare", 40, "percentage of charts without ECMAScript that have nothing but states and transitions")
	compareKeep   = flag.String("compare.keep", "", "folder for the program, which is kept there")
	compareShrink = flag.Int("compare.shrink", 0, "programs that may be built to make a chart with a difference smaller")
)

// TestRandomCharts compares compiled random charts with the interpreter.
func TestRandomCharts(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go tool")
	}
	seed := *compareSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	var sum tally
	began := time.Now()
	first, last := *compareFirst, *compareFirst+*compareCharts
	for n := first; n < last && (*compareTime == 0 || time.Since(began) < *compareTime); {
		var subjects []*subject
		for ; n < last && len(subjects) < *compareSlice; n++ {
			trial, typed := randomTrial(seed, n)
			s := trialSubject(fmt.Sprintf("chart %d of seed %d", n, seed), trial)
			s.typed, s.texts = typed, typed
			subjects = append(subjects, s)
		}
		found, differences := compareAll(t, subjects)
		sum.add(found)
		for _, d := range differences[:min(len(differences), 20)] {
			var number int
			fmt.Sscanf(d.name, "chart %d of", &number)
			trial, _ := randomTrial(seed, number)
			t.Errorf("%s: %s", d.name, describe(t, trial, d))
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("seed %d, %v: %v", seed, time.Since(began).Round(time.Millisecond), &sum)
	if sum.equal+sum.different == 0 {
		t.Error("nothing was compared")
	}
}

// randomTrial returns a trial, and whether it has typed data.
func randomTrial(seed uint64, n int) (trial *randomchart.Trial, typed bool) {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	script := rng.IntN(100) < *compareScript
	trial = randomchart.New(rng, script, 20)
	switch {
	case !script && rng.IntN(100) < *compareBare:
		randomchart.Bare(rng, trial)
	case script && rng.IntN(100) < *compareTyped:
		typed = true
		randomchart.Scalars(rng, trial)
	}
	return trial, typed
}

func trialSubject(name string, trial *randomchart.Trial) *subject {
	files := fstest.MapFS{"chart.scxml": {Data: []byte(trial.Chart.String())}}
	for name, chart := range trial.Files {
		files[name] = &fstest.MapFile{Data: []byte(chart.String())}
	}
	s := &subject{name: name, fsys: files, file: "chart.scxml"}
	for _, st := range trial.Stimuli {
		stimulus := twin.Stimulus{Event: st.Event, Wait: st.Wait, Stop: st.Stop}
		if st.Data != nil {
			stimulus.Data = datamodel.AppendJSON(nil, st.Data)
		}
		s.stimuli = append(s.stimuli, stimulus)
	}
	return s
}

// describe says what differs, for a trial that may be made smaller.
func describe(t *testing.T, trial *randomchart.Trial, d difference) string {
	text := d.text
	if *compareShrink > 0 {
		trial = randomchart.Shrink(trial, *compareShrink, func(smaller *randomchart.Trial) bool {
			s := trialSubject("", smaller)
			s.typed = d.typed
			_, differences := compareAll(t, []*subject{s})
			if len(differences) == 0 {
				return false
			}
			text = differences[0].text
			return true
		})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s%s", text, trial.Chart)
	for _, name := range slices.Sorted(maps.Keys(trial.Files)) {
		if strings.Contains(trial.Chart.String(), name) {
			fmt.Fprintf(&b, "-- %s --\n%s", name, trial.Files[name])
		}
	}
	for _, st := range trial.Stimuli {
		fmt.Fprintln(&b, st)
	}
	return b.String()
}
