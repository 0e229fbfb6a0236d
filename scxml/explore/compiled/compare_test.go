package compiled_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/explore/compiled"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
)

var (
	charts = flag.Int("search.charts", 40, "number of random charts that are searched both ways")
	seed   = flag.Uint64("search.seed", 1, "seed of the random charts; 0: a fresh one, which is printed")
	first  = flag.Int("search.first", 0, "number of the first chart")
	slice  = flag.Int("search.slice", 300, "charts in one program")
	race   = flag.Bool("search.race", false, "build the programs with the race detector")
)

// A subject is a chart that is searched both ways.
type subject struct {
	name   string
	chart  *scxml.Chart
	opts   explore.Options
	search *compiled.Search
	cover  []search.Kind // what is covered by the search, or nil

	old     *scxml.Chart // that the chart is compared with, or nil
	aspects []explore.Aspect
}

// explore searches with sessions.
func (s *subject) explore(ctx context.Context) (*explore.Report, error) {
	switch {
	case s.old != nil:
		return explore.Compare(ctx, s.old, s.chart, s.opts, s.aspects...)
	case s.cover != nil:
		return explore.Search(ctx, func() (explore.System, error) { return newCovering(s) }, s.opts)
	}
	return explore.Run(ctx, s.chart, s.opts)
}

// compile makes the search of a program.
func (s *subject) compile() (err error) {
	switch {
	case s.old != nil:
		s.search, err = compiled.Compare(s.old, s.chart, s.opts, s.aspects...)
	case s.cover != nil:
		s.search, err = compiled.Cover(s.chart, s.opts, violation, s.cover...)
	default:
		s.search, err = compiled.New(s.chart, s.opts)
	}
	return err
}

// source returns the documents.
func (s *subject) source() string {
	if s.old != nil {
		return s.old.Source() + "\n" + s.chart.Source()
	}
	return s.chart.Source()
}

// Random charts are explored with the same result by sessions and by a program.
func TestRandomCharts(t *testing.T) { testRandom(t, randomSubject) }

func testRandom(t *testing.T, subjectOf func(t *testing.T, n int) *subject) {
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	refused, verdicts := map[string]int{}, map[string]int{}
	compared, enabled, reduced := 0, 0, 0
	for n := *first; n < *first+*charts; {
		var all []*subject
		for ; n < *first+*charts && len(all) < *slice; n++ {
			s := subjectOf(t, n)
			if s == nil {
				continue
			}
			if err := s.compile(); err != nil {
				reason, _, _ := strings.Cut(err.Error(), "\n")
				if _, text, ok := strings.Cut(reason, ": "); ok {
					reason = text
				}
				refused[reason]++
				continue
			}
			all = append(all, s)
			if s.search.Task.Pure && strings.Contains(string(s.search.Code), ") Enabled(") {
				enabled++
			}
			if s.opts.Reduce {
				reduced++
			}
		}
		compared += compare(t, all, refused, verdicts)
	}
	t.Logf("seed %d: %d charts compared, %d of them know which inputs are enabled, up to %d are reduced; %v", *seed, compared, enabled, reduced, verdicts)
	for reason, n := range refused {
		if n*50 > *charts {
			t.Logf("%6d refused: %s", n, reason)
		}
	}
	if compared == 0 {
		t.Error("no chart was compared")
	}
}

// What follows from an input that exceeds a limit is not a part of the states that are visited after it.
func TestObjectsAfterLimit(t *testing.T) {
	chart := parseText(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="o" expr="({x: 0})"/></datamodel>
		<state id="a"><transition event="spin" target="loop"/><transition event="go" target="b"/></state>
		<state id="loop"><transition target="loop"><script>o.x = 7</script></transition></state><state id="b"/></scxml>`)
	s := &subject{name: "spin", chart: chart, opts: explore.Options{Properties: []explore.Property{explore.Always("o.x == 0")}}}
	compareAll(t, []*subject{s})
}

// randomSubject returns a random chart with random options, or nil if it is not a legal one.
func randomSubject(t *testing.T, n int) *subject {
	rng := rand.New(rand.NewPCG(*seed, uint64(n)))
	trial, script := randomTrial(rng)
	if rng.IntN(4) > 0 {
		still(trial.Chart, "send")
	}
	timed := rng.IntN(4) == 0
	regions := !timed && rng.IntN(6) == 0
	chart := parse(trial)
	if regions {
		chart, script = parseText(t, randomchart.Regions(rng)), true
	}
	if timed {
		chart = parseText(t, randomchart.Timed(rng.Uint64(), time.Second))
	}
	if chart == nil {
		return nil
	}
	maybe := func(percent int) bool { return rng.IntN(100) < percent }
	o := explore.Options{
		Workers: 1 + rng.IntN(2), Errors: maybe(50), NoDeadlocks: maybe(50), First: maybe(15), Stop: maybe(20), MaxStates: 300,
	}
	if timed && maybe(25) {
		o.Time, o.MaxStates = explore.Any, 60 // each has many successors
	}
	if regions && maybe(70) {
		o.Reduce = true
	} else if maybe(15) {
		o.Bits = 1 << 20 // far more than the states have
	}
	if maybe(15) {
		o.MaxDepth = 1 + rng.IntN(4)
	}
	var names []string
	for _, st := range chart.States() {
		if st.Kind() != scxml.KindHistory && st.ID() != "" {
			names = append(names, st.ID())
		}
	}
	for len(names) > 0 && maybe(50) && len(o.Properties) < 3 {
		in := fmt.Sprintf("In('%s')", names[rng.IntN(len(names))])
		if script && maybe(50) {
			in += fmt.Sprintf(" || In('%s')", names[rng.IntN(len(names))])
		}
		p := explore.Never(in)
		if maybe(20) {
			p = explore.Always(in)
		}
		if !slices.ContainsFunc(o.Properties, func(q explore.Property) bool { return q.Name == p.Name }) {
			o.Properties = append(o.Properties, p)
		}
	}
	for len(names) > 0 && maybe(40) && len(o.Reach) < 3 {
		if name := names[rng.IntN(len(names))]; !slices.Contains(o.Reach, name) {
			o.Reach = append(o.Reach, name)
		}
	}
	given := maybe(30)
	for _, s := range trial.Stimuli {
		if s.Event == "" || !(given || s.Data != nil && maybe(50)) {
			continue
		}
		if given && !slices.Contains(o.Names, s.Event) {
			o.Names = append(o.Names, s.Event)
		}
		if s.Data != nil && len(o.Data[s.Event]) < 3 {
			if o.Data == nil {
				o.Data = map[string][]any{}
			}
			o.Data[s.Event] = append(o.Data[s.Event], s.Data)
		}
	}
	s := &subject{name: fmt.Sprintf("chart %d of seed %d", n, *seed), chart: chart, opts: o}
	if maybe(50) {
		s.cover, s.opts.Reduce = []search.Kind{search.Entered}, false
		for _, kinds := range [][]search.Kind{{search.Taken}, {search.Followed}, {search.True, search.False}} {
			if maybe(50) {
				s.cover = append(s.cover, kinds...)
			}
		}
		s.opts.First, s.opts.Errors, s.opts.Reach, s.opts.Properties = false, false, nil, nil
	}
	return s
}

func randomTrial(rng *rand.Rand) (trial *randomchart.Trial, script bool) {
	script = rng.IntN(100) < 60
	trial = randomchart.New(rng, script, 20)
	if script {
		randomchart.Scalars(rng, trial)
	} else if rng.IntN(2) == 0 {
		randomchart.Bare(rng, trial)
	}
	return trial, script
}

// parse returns the chart of a trial, or nil if it is not a legal one.
func parse(trial *randomchart.Trial) *scxml.Chart {
	chart, _ := scxml.Parse("chart.scxml", []byte(trial.Chart.String()), scxml.WithLoader(trial.FS()), scxml.WithLimits(scxml.Limits{Microsteps: 300}))
	return chart
}

func parseText(t *testing.T, source string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("chart.scxml", []byte(source), scxml.WithLimits(scxml.Limits{Microsteps: 300}))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// still removes what makes searches by a program impossible, and elements with more names.
func still(e *randomchart.Element, names ...string) {
	e.Children = slices.DeleteFunc(e.Children, func(c *randomchart.Element) bool {
		return c.Name == "invoke" || c.Name == "donedata" || c.Name == "cancel" || slices.Contains(names, c.Name)
	})
	for _, c := range e.Children {
		still(c, names...)
	}
}

// compare searches both ways, and returns how many charts were.
func compare(t *testing.T, all []*subject, refused, verdicts map[string]int) (compared int) {
	t.Helper()
	if len(all) == 0 {
		return 0
	}
	results := run(t, all)
	for i, s := range all {
		if results[i].Unable != "" {
			refused[results[i].Unable]++
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		want, err := s.explore(ctx)
		got, replayed := s.search.Report(ctx, results[i])
		cancel()
		if errors.Is(replayed, explore.ErrLooks) {
			refused[replayed.Error()]++
			continue
		}
		if err != nil || replayed != nil {
			if fmt.Sprint(err) != fmt.Sprint(replayed) {
				t.Errorf("%s: %v, want %v\n%s", s.name, replayed, err, s.source())
			}
			continue
		}
		compared++
		verdicts[strings.TrimSpace(fmt.Sprintf("%v %s", want.Verdict, want.Bound))]++
		verdicts["with waits"] += min(1, len(results[i].Waits))
		verdicts["covered"] += min(1, len(s.cover))
		if got, want := written(got), written(want); got != want {
			t.Errorf("%s: a program has found\n%s\nwant\n%s\n%+v\n%s", s.name, got, want, s.opts, s.source())
		}
	}
	return compared
}

// compareAll searches both ways, and all must be possible.
func compareAll(t *testing.T, all []*subject) {
	t.Helper()
	for _, s := range all {
		if err := s.compile(); err != nil {
			t.Fatal(s.name, err)
		}
	}
	refused := map[string]int{}
	if n := compare(t, all, refused, map[string]int{}); n < len(all) {
		t.Errorf("%d of %d were compared: %v", n, len(all), refused)
	}
}

// written returns all that a report says.
func written(r *explore.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %q, %d states, %d transitions, depth %d, %d deadlocks, %d pruned, left out %v, grows %v", r.Verdict, r.Bound, r.States, r.Transitions, r.Depth, r.Deadlocks, r.Pruned, r.LeftOut, r.Grows)
	for _, v := range r.Violations {
		b.WriteString("\n" + v.String())
	}
	for _, reached := range r.Reached {
		b.WriteString("\n" + reached.String())
	}
	return b.String()
}

// run returns the results of one program that has all charts.
func run(t *testing.T, all []*subject) []*search.Result {
	t.Helper()
	// The program of the test must have the sources that it builds: Go keeps the results of a test until that changes.
	if _, err := compiled.Module(); err != nil {
		t.Fatal(err)
	}
	module, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	place := filepath.Base(filepath.Dir(dir)) + filepath.Base(dir)
	replace := map[string]string{}
	write := func(name, code string) {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(module, place, filepath.FromSlash(name))] = file
	}
	var imports, makers strings.Builder
	tasks := new(bytes.Buffer)
	for i, s := range all {
		files := s.search.Files()
		main := string(files["main.go"])
		begin, end := strings.Index(main, "func() search.Machine"), strings.Index(main, ")\n\tif err")
		for _, name := range []string{"code.go", "newer.go"} {
			if code, ok := files[name]; ok {
				write(fmt.Sprintf("c%d/%s", i, name), strings.Replace(string(code), "package main", fmt.Sprintf("package c%d", i), 1))
			}
		}
		write(fmt.Sprintf("c%d/new.go", i), fmt.Sprintf("package c%d\n\nimport \"github.com/scxmlrun/scxmlrun/scxml/machine/search\"\n\nvar New = %s\n", i, main[begin:end]))
		fmt.Fprintf(&imports, "\t\"github.com/scxmlrun/scxmlrun/%s/c%d\"\n", place, i)
		fmt.Fprintf(&makers, "c%d.New,\n", i)
		task, err := json.Marshal(s.search.Task)
		if err != nil {
			t.Fatal(err)
		}
		tasks.Write(append(task, '\n'))
	}
	write("main.go", `package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
`+imports.String()+`)

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for _, f := range []func() search.Machine{`+makers.String()+`} {
		var task search.Task
		if err := in.Decode(&task); err != nil {
			panic(err)
		}
		out.Encode(search.Run(context.Background(), f, task, nil))
	}
}
`)
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlayFile, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "program.exe")
	if err := os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"build", "-gcflags=-N -l -e -dwarf=false", "-ldflags=-s -w", "-overlay", overlayFile, "-o", program, "./" + place}
	if *race {
		args = slices.Insert(args, 1, "-race")
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%.3000s", err, out)
	}
	cmd = exec.CommandContext(t.Context(), program)
	cmd.Stdin, cmd.Stderr = tasks, os.Stderr
	out, err := cmd.Output()
	var results []*search.Result
	for lines := json.NewDecoder(bytes.NewReader(out)); lines.More(); {
		r := new(search.Result)
		if err := lines.Decode(r); err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if err != nil || len(results) < len(all) {
		t.Fatalf("%s: %v", all[len(results)].name, err)
	}
	return results
}
