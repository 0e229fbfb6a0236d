package compile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// This file compiles charts, runs them in a program, and compares what they do with what the interpreter does.

// A subject is a chart with what it is given.
type subject struct {
	name    string // in what is printed
	fsys    fs.FS
	file    string
	stimuli []twin.Stimulus
	suite   string // that it belongs to, if any
	high    bool   // with the usual limits
	typed   bool   // compiled with typed data

	incomparable string // why it cannot be compared

	why    string // it was not
	job    twin.Job
	want   []string // the transcript of the interpreter
	code   []byte
	script bool // the data model is ecmascript
}

// Limits are low, so that charts exceed them, and allow shortcuts all the same. Not that of the external queue: shortcuts
// leave out events that nothing takes.
var (
	lowLimits  = scxml.Limits{Microsteps: 200, InternalQueue: 25, Timers: 8, InvokeDepth: 2, Sessions: 5}
	lowMachine = machine.Limits{Microsteps: 200, InternalQueue: 25, Timers: 8, InvokeDepth: 2, Sessions: 5}
)

// A tally counts the charts that were compared, and says why others were not.
type tally struct {
	equal, different, stimuli, lines int
	refused                          int            // transcripts of typed charts that end early, because an event has data which they cannot hold
	shorter                          int            // charts whose stimuli end early, because they do not come to rest
	left                             map[string]int // charts that were left out, by reason
}

func (a *tally) add(b *tally) {
	a.equal, a.different, a.stimuli, a.lines, a.shorter = a.equal+b.equal, a.different+b.different, a.stimuli+b.stimuli, a.lines+b.lines, a.shorter+b.shorter
	a.refused += b.refused
	if a.left == nil {
		a.left = map[string]int{}
	}
	for why, n := range b.left {
		a.left[why] += n
	}
}

func (a *tally) String() string {
	s := fmt.Sprintf("%d charts equal, %d different; %d stimuli, %d lines compared; %d charts with fewer stimuli because they do not come to rest", a.equal, a.different, a.stimuli, a.lines, a.shorter)
	if a.refused > 0 {
		s += fmt.Sprintf("; %d transcripts end at data that a typed chart cannot hold", a.refused)
	}
	for _, why := range slices.Sorted(maps.Keys(a.left)) {
		s += fmt.Sprintf("\n%6d left out: %s", a.left[why], why)
	}
	return s
}

// A difference is a chart that does not do the same.
type difference struct {
	*subject
	text string
}

// compareAll compares charts, all in one program.
func compareAll(t testing.TB, subjects []*subject) (*tally, []difference) {
	sum := &tally{left: map[string]int{}}
	var taken []*subject
	for _, s := range subjects {
		if s.why = s.prepare(len(taken)); s.why != "" {
			sum.left[s.why]++
			continue
		}
		if len(s.job.Stimuli) < len(s.stimuli) {
			sum.shorter++
		}
		taken = append(taken, s)
	}
	if len(taken) == 0 {
		return sum, nil
	}
	dir := *compareKeep
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "compare"); err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
	}
	program := build(t, dir, taken)
	var differences []difference
	for _, shortcuts := range []bool{false, true} {
		got := runProgram(t, program, taken, shortcuts)
		for i, s := range taken {
			want, compiled := twin.Comparable(s.want, shortcuts), got[i]
			if at := slices.IndexFunc(compiled, func(line string) bool { return strings.HasPrefix(line, "refused ") }); s.typed && at >= 0 {
				want, compiled = want[:min(at, len(want))], compiled[:at] // data that a typed machine cannot hold: the two part here
				sum.refused++
			}
			sum.lines += len(want)
			if text := twin.Difference(want, compiled); text != "" {
				if shortcuts {
					text = "with shortcuts:\n" + text
				}
				if len(differences) == 0 || differences[len(differences)-1].subject != s {
					differences = append(differences, difference{s, text})
				}
			}
		}
	}
	for _, s := range taken {
		sum.stimuli += len(s.job.Stimuli)
	}
	slices.SortStableFunc(differences, func(a, b difference) int { return strings.Compare(a.job.Chart, b.job.Chart) })
	differences = slices.CompactFunc(differences, func(a, b difference) bool { return a.subject == b.subject })
	sum.different = len(differences)
	sum.equal = len(taken) - sum.different
	return sum, differences
}

// words that differ from chart to chart.
var specific = regexp.MustCompile(`"[^"]*"|<[^>]*:[^>]*>|\d+`)

// prepare compiles a chart and interprets it. The result says why it cannot be compared, if it cannot.
func (s *subject) prepare(number int) (why string) {
	limits, ofMachine := lowLimits, lowMachine
	if s.high {
		limits, ofMachine = scxml.Limits{}, machine.Limits{}
	}
	chart, err := scxml.Load(s.fsys, s.file, scxml.WithLimits(limits))
	if err != nil {
		return "the document is not a legal chart"
	}
	name := "C" + strconv.Itoa(number)
	s.code, err = compile.Go(s.fsys, s.file, compile.Options{Package: "charts", Type: name, Dynamic: !s.typed})
	var unsupported *compile.UnsupportedError
	if errors.As(err, &unsupported) {
		return "not compiled: " + specific.ReplaceAllString(unsupported.Problems[0].Msg, "…")
	} else if err != nil {
		return "not compiled, which is a fault: " + err.Error()
	}
	if invokesLater(s.fsys, s.file, 0) {
		return "it invokes what exists at run time only, for which a compiled chart needs its host"
	}
	if strings.Contains(chart.Source(), "Math.random") {
		return "it uses random numbers"
	}
	if s.incomparable != "" {
		return s.incomparable
	}
	s.job = twin.Job{Chart: name, Typed: s.typed, Now: scxmltest.Epoch, Limits: ofMachine, Items: items(chart, s.typed)}
	if s.want, err = s.interpret(chart); err != nil {
		return err.Error()
	}
	return ""
}

// invokesLater reports whether a document, or one that it invokes, has an <invoke> of a computed type or document.
func invokesLater(fsys fs.FS, name string, depth int) bool {
	text, err := fs.ReadFile(fsys, path.Clean(strings.TrimPrefix(name, "file:")))
	if err != nil || depth > 5 {
		return false
	}
	var open []string
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if err != nil {
			return false
		}
		switch e := token.(type) {
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.StartElement:
			parent := ""
			if len(open) > 0 {
				parent = open[len(open)-1]
			}
			open = append(open, e.Name.Local)
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "srcexpr", "typeexpr":
					if e.Name.Local == "invoke" {
						return true
					}
				case "expr":
					if e.Name.Local == "content" && parent == "invoke" {
						return true
					}
				case "src":
					if e.Name.Local == "invoke" && invokesLater(fsys, a.Value, depth+1) {
						return true
					}
				}
			}
		}
	}
}

// items returns the names of the data items of a chart, and of what its content declares, of which a typed machine does not
// tell.
func items(chart *scxml.Chart, typed bool) (all []string) {
	if !typed {
		all = []string{"it", "at", "made"}
	}
	for _, st := range chart.States() {
		all = append(all, st.Data()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// patient is a context that is done after some questions, which ends what does not come to rest.
type patient struct {
	context.Context
	asked, patience int
}

func (p *patient) Err() error {
	if p.asked++; p.asked > p.patience {
		return context.Canceled
	}
	return nil
}

// interpret makes the transcript of the interpreter, and the stimuli up to the first after which the chart does not
// come to rest, or has too much data.
func (s *subject) interpret(chart *scxml.Chart) ([]string, error) {
	patience, size := 5000, 20_000
	if s.high {
		patience, size = 200_000, 10<<20
	}
	t := new(twin.Transcript)
	number := map[string]int{}
	for i, st := range chart.States() {
		number[st.Name()] = i
	}
	document, _ := doc.Parse(s.file, []byte(chart.Source()), doc.Options{Loader: s.fsys})
	transitions := map[datamodel.Position]int{}
	for _, st := range document.States {
		for _, tr := range st.Transitions {
			transitions[tr.Pos] = tr.Index
		}
	}
	var root *scxml.Session
	large := false
	weigh := func(v datamodel.Value) {
		n, depth := datamodel.Size(v, size, 100)
		large = large || n >= size || depth >= 100
	}
	sent := func(m scxml.Message) {
		t.Add("sent", m.Event.Name, m.Event.Data, m.Target, m.Delay.String(), m.Event.SendID)
	}
	trace := &scxml.Trace{
		InternalEvent: func(_ *scxml.Session, ev *scxml.Event) { weigh(ev.Data) },
		Event:         func(_ *scxml.Session, ev *scxml.Event) { weigh(ev.Data) },
		Send: func(_ *scxml.Session, m scxml.Message) {
			if weigh(m.Event.Data); m.Delay == 0 {
				sent(m)
			}
		},
		Timer: func(_ *scxml.Session, m scxml.Message) { sent(m) },
		Log:   func(_ *scxml.Session, label string, v datamodel.Value) { t.Add("log", label, v) },
		Error: func(_ *scxml.Session, e *scxml.ExecutionError) { t.Add("error", e.Event, e.Element, e.SendID) },
		Unhandled: func(s *scxml.Session, ev *scxml.Event) {
			if s == root {
				t.Add("unhandled", ev.Name)
			}
		},
		Enter: func(s *scxml.Session, st scxml.State) {
			if s == root {
				t.Add("entered", st.ID())
			}
		},
		Exit: func(s *scxml.Session, st scxml.State) {
			if s == root {
				t.Add("exited", st.ID())
			}
		},
		Transition: func(s *scxml.Session, tr scxml.Transition) {
			if s == root {
				t.Add("took", transitions[tr.Pos()])
			}
		},
	}
	now := scxmltest.Epoch
	root, err := scxml.New(chart, scxml.WithSessionID("root"), scxml.WithSeed(1), scxml.WithTrace(trace), scxml.WithMissing(), scxml.WithClock(func() time.Time { return now }))
	if err != nil {
		return nil, err
	}
	defer root.Stop()
	s.script = chart.Datamodel() == "ecmascript"
	// rest writes where the session is, and returns false if it does not rest.
	rest := func(err error) bool {
		if large || errors.Is(err, context.Canceled) {
			return false
		}
		if root.Status() == scxml.Running {
			var active []datamodel.Value
			for _, name := range root.Configuration() {
				active = append(active, int64(number[name]))
			}
			t.Add("in", active)
			if due, ok := root.NextDue(); ok {
				t.Add("due", due.Sub(scxmltest.Epoch).String())
			}
		} else {
			why := ""
			if limit := (*scxml.LimitError)(nil); errors.As(root.Err(), &limit) {
				why = limit.Limit
			}
			t.Add("ended", why, root.DoneData())
		}
		if s.script {
			for _, id := range s.job.Items {
				if v, err := root.Eval(context.Background(), id); err == nil {
					weigh(v)
					t.Add("data "+id, v)
				}
			}
		}
		return !large
	}
	ctx := func() context.Context { return &patient{Context: context.Background(), patience: patience} }
	err = root.Start(ctx())
	if err == nil {
		err = root.Advance(ctx(), now)
	}
	if !rest(err) {
		return nil, errors.New("it does not come to rest after its start")
	}
	for _, st := range s.stimuli {
		before := len(t.Lines)
		t.Lines = append(t.Lines, st.String())
		switch {
		case st.Stop:
			root.Stop()
			_, err = root.Step(ctx(), now)
		case st.Event == "":
			now = now.Add(st.Wait)
			err = root.Advance(ctx(), now)
		default:
			var effect scxml.Effect
			effect, err = root.Do(ctx(), now, scxml.Event{Name: st.Event, Data: st.Value()})
			t.Add("handled", effect.Handled)
		}
		if !rest(err) {
			t.Lines = t.Lines[:before]
			break
		}
		s.job.Stimuli = append(s.job.Stimuli, st)
	}
	return t.Lines, nil
}

// build writes a program with the charts into a folder outside of the module's, and compiles it.
func build(t testing.TB, dir string, subjects []*subject) (program string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	const place = "scxml/compile/internal/twin/program"
	replace := map[string]string{}
	add := func(name string, code []byte) {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(file, code, 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, place, filepath.FromSlash(name))] = file
	}
	var names []string
	for _, s := range subjects {
		add("charts/"+s.job.Chart+".go", s.code)
		names = append(names, s.job.Chart)
	}
	glue := "package charts\n\nimport (\n\t\"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin\"\n\t\"github.com/scxmlrun/scxmlrun/scxml/machine\"\n)\n\nfunc init() {\n" + twin.Registration("twin.", names) + "}\n"
	add("charts/register.go", []byte(glue))
	add("main.go", []byte("package main\n\nimport (\n\t\"os\"\n\n\t\"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin\"\n\t_ \"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin/program/charts\"\n)\n\nfunc main() {\n\tif err := twin.Main(os.Stdin, os.Stdout); err != nil {\n\t\tpanic(err)\n\t}\n}\n"))
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlayFile, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "program")
	began := time.Now()
	// Half of the time that the usual flags take.
	cmd := exec.Command("go", "build", "-gcflags=github.com/scxmlrun/scxmlrun/"+place+"/...=-N -l -dwarf=false", "-ldflags=-s -w",
		"-overlay", overlayFile, "-o", program, "./"+place)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOGC=800")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%.5000s", err, out)
	}
	if testing.Verbose() {
		t.Logf("%d charts built in %v", len(subjects), time.Since(began).Round(time.Millisecond))
	}
	return program
}

// runProgram runs the charts, and returns their transcripts.
func runProgram(t testing.TB, program string, subjects []*subject, shortcuts bool) [][]string {
	t.Helper()
	all := make([][]string, len(subjects))
	for next := 0; next < len(subjects); {
		var in bytes.Buffer
		enc := json.NewEncoder(&in)
		for _, s := range subjects[next:] {
			job := s.job
			job.Shortcuts = shortcuts
			if err := enc.Encode(job); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(program)
		var stderr bytes.Buffer
		cmd.Stdin, cmd.Stderr = &in, &stderr
		out, err := cmd.Output()
		complete := strings.SplitAfter(string(out), "\n\n")
		for _, text := range complete[:len(complete)-1] {
			all[next] = strings.Split(strings.TrimSuffix(text, "\n\n"), "\n")
			next++
		}
		if err == nil && next < len(subjects) {
			t.Fatalf("the program ends early: %s", stderr.Bytes())
		}
		if err != nil { // this chart has ended it
			message, _, _ := strings.Cut(stderr.String(), "\n")
			all[next] = []string{"the process has ended: " + err.Error() + ": " + message}
			next++
		}
	}
	return all
}
