package compile_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin"
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
	texts   bool   // those of errors are compared

	incomparable string // why it cannot be compared

	why    string // it was not
	record twin.Record
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
	s := fmt.Sprintf("%d charts equal, %d different; %d stimuli, %d lines of the interpreter; %d charts with fewer stimuli because they do not come to rest", a.equal, a.different, a.stimuli, a.lines, a.shorter)
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
	var records []*twin.Record
	for _, s := range subjects {
		if s.why = s.prepare(); s.why != "" {
			sum.left[s.why]++
			continue
		}
		if len(s.record.Stimuli) < len(s.stimuli) {
			sum.shorter++
		}
		taken, records = append(taken, s), append(records, &s.record)
	}
	if len(taken) == 0 {
		return sum, nil
	}
	dir, err := filepath.Abs(*compareKeep)
	if *compareKeep == "" {
		dir = t.TempDir()
	}
	root, err2 := filepath.Abs("../..")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := twin.Compare(t.Context(), root, dir, records); err != nil {
		t.Fatal(err)
	}
	if testing.Verbose() {
		t.Logf("%d charts built and run in %v", len(taken), time.Since(began).Round(time.Millisecond))
	}
	var differences []difference
	for _, s := range taken {
		sum.stimuli += len(s.record.Stimuli)
		sum.lines += len(s.record.Lines)
		if s.record.Refused != "" {
			sum.refused++
		}
		if s.record.Difference != "" {
			differences = append(differences, difference{s, s.record.Difference})
		}
	}
	sum.different = len(differences)
	sum.equal = len(taken) - sum.different
	return sum, differences
}

// words that differ from chart to chart.
var specific = regexp.MustCompile(`"[^"]*"|<[^>]*:[^>]*>|\d+`)

// prepare compiles a chart and interprets it. The result says why it cannot be compared, if it cannot.
func (s *subject) prepare() (why string) {
	limits, job := lowLimits, twin.Job{Limits: lowMachine, Typed: s.typed, Texts: s.texts}
	if s.high {
		limits, job.Limits = scxml.Limits{}, machine.Limits{}
	}
	chart, err := scxml.Load(s.fsys, s.file, scxml.WithLimits(limits))
	if err != nil {
		if s.texts {
			return err.Error()
		}
		return "the document is not a legal chart"
	}
	if !s.typed {
		job.Items = []string{"it", "at", "made"} // what content declares, of which a typed machine does not tell
	}
	s.record = twin.Record{Job: job}
	err = s.record.Compile(chart, func(typ string) ([]byte, error) {
		return compile.Go(s.fsys, s.file, compile.Options{Package: "main", Type: typ, File: typ + ".go", Dynamic: !s.typed})
	})
	if unsupported := (*compile.UnsupportedError)(nil); errors.As(err, &unsupported) {
		return "not compiled: " + specific.ReplaceAllString(unsupported.Problems[0].Msg, "…")
	} else if err != nil {
		return err.Error()
	}
	if s.incomparable != "" {
		return s.incomparable
	}
	if err := s.interpret(chart); err != nil {
		return err.Error()
	}
	return ""
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

// interpret records what the interpreter does, up to the first stimulus after which the chart does not come to rest, or
// has too much data.
func (s *subject) interpret(chart *scxml.Chart) error {
	patience := 5000
	if s.high {
		patience = 200_000
	}
	r := &s.record
	now := scxmltest.Epoch
	root, err := scxml.New(chart, scxml.WithSessionID("root"), scxml.WithSeed(1), scxml.WithTrace(r.Trace()), scxml.WithMissing(), scxml.WithClock(func() time.Time { return now }))
	if err != nil {
		return err
	}
	// rest reports whether the session rests, and adds what it has.
	rest := func(err error) bool {
		if r.Root != nil && r.Err == nil && !errors.Is(err, context.Canceled) {
			r.AddAll(r.Rest()...)
			return r.Err == nil
		}
		return false
	}
	ctx := func() context.Context { return &patient{Context: context.Background(), patience: patience} }
	err = root.Start(ctx())
	if err == nil {
		err = root.Advance(ctx(), now)
	}
	if !rest(err) {
		return errors.New("it does not come to rest after its start")
	}
	for _, st := range s.stimuli {
		before := *r
		r.Stimulus(st)
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
			r.Add("handled", effect.Handled)
		}
		if !rest(err) {
			*r = before
			break
		}
	}
	return nil
}
