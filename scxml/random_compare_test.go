package scxml_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/null"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	"github.com/scxmlrun/scxmlrun/scxml/internal/reference"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// This file runs a chart in the engine and in the reference side by side.

// limits are low, so that charts exceed them. The others are tested elsewhere.
var limits = scxml.Limits{Microsteps: 40, Timers: 8, InvokeDepth: 2, Sessions: 5, ForeachItems: 3, DataSize: 5000}

const (
	// stepLimit bounds what one stimulus causes: sessions may keep sending events to each other.
	stepLimit = 60
)

// A difference is the result of a comparison.
type difference struct {
	what      string // in one line
	engine    string // what the two wrote since the last step in which they agreed
	reference string
}

func (d *difference) String() string {
	s := d.what + "\n"
	e, r := strings.Split(d.engine, "\n"), strings.Split(d.reference, "\n")
	same := 0
	for same < len(e) && same < len(r) && e[same] == r[same] {
		same++
	}
	show := func(who string, lines []string) {
		for _, line := range lines {
			s += fmt.Sprintf("  %-9s %.300s\n", who, line)
		}
	}
	show("", e[max(0, same-6):same])
	show("engine", e[same:min(len(e), same+5)])
	show("reference", r[same:min(len(r), same+5)])
	return s
}

// A bench runs one trial after the other, on one goroutine.
type bench struct {
	languages []datamodel.Language
	exprs     map[string]datamodel.Expr // names of data items, compiled

	engine, reference record
	sum               maphash.Hash // of what the engine writes

	loader   fs.FS
	world    *reference.World
	numbers  map[*scxml.Session]int // of the engine's sessions
	active   []map[string]bool      // by session: to see what is entered twice
	ids      map[string]int         // sessions by address
	broken   error                  // an invariant
	services bool                   // one was started
	tooLarge bool                   // the limit DataSize was exceeded
	plan     bool                   // use plans at once

	try     bool                        // whether to ask Try after each step
	opts    []scxml.Option              // of the session
	restore func(steps int) bool        // whether to replace the session after so many steps; nil: never
	begin   func(*scxml.Chart) []string // where sessions begin; nil, or the result is nil: in the initial states
	begun   []string                    // where this one began
	load    bool                        // replace it by one that is loaded, and not by a restored one
	spare   *scxml.Session              // to be loaded

	tally
}

// A tally counts the work.
type tally struct {
	illegal     int // refused charts
	unfinished  int // charts given up because they never end, or their data grows too large
	again       int // charts run a second time
	events      int
	microsteps  int
	planned     int // macrosteps that ended with a planned microstep
	steps       int
	restored    int // how often a session was replaced
	evaluated   int // guards that Try evaluated
	refused     int // guards that it did not
	invocations int
	timers      int
}

func newBench() *bench {
	return &bench{languages: []datamodel.Language{ecmascript.New(), null.New()}, exprs: map[string]datamodel.Expr{}}
}

func (b *bench) expr(id string) datamodel.Expr {
	e := b.exprs[id]
	if e == nil {
		e, _ = b.languages[0].Compile(datamodel.ValueExpr, datamodel.Source{Text: id})
		b.exprs[id] = e
	}
	return e
}

// run compares the engine with the reference. It returns nil if they agree or the chart is illegal.
func (b *bench) run(t *randomchart.Trial) (d *difference) {
	defer func() {
		if x := recover(); x != nil {
			d = &difference{fmt.Sprintf("panic: %v\n%s", x, debug.Stack()), string(b.engine.buf), string(b.reference.buf)}
		}
	}()
	b.loader = nil
	if len(t.Files) > 0 {
		b.loader = t.FS()
	}
	text := t.Chart.String()
	document, problems := doc.Parse("chart.scxml", []byte(text), doc.Options{Loader: b.loader})
	if slices.ContainsFunc(problems, func(p doc.Diagnostic) bool { return p.Severity == doc.Error }) {
		b.illegal++
		return nil
	}
	chart := scxml.CompileDocument(document, b.loader)
	b.plan = len(text)%2 == 0
	if b.begin != nil {
		b.begun = b.begin(chart)
	}
	finished, d := b.sideBySide(t, chart, document)
	if d != nil || !finished {
		return d
	}
	// A script that is interrupted fails, and a service runs independently.
	if len(text)%8 == 0 && len(t.Files) == 0 && !b.services && !strings.Contains(text, "ecmascript") {
		b.again++
		return b.runAgain(t, chart, b.sum.Sum64())
	}
	return nil
}

// session makes the engine's session.
func (b *bench) session(chart *scxml.Chart, now func() time.Time, opts ...scxml.Option) *scxml.Session {
	b.engine.buf, b.reference.buf = b.engine.buf[:0], b.reference.buf[:0]
	b.numbers, b.active, b.ids, b.broken, b.services, b.tooLarge = map[*scxml.Session]int{}, nil, map[string]int{}, nil, false, false
	b.sum.Reset()
	b.opts = append(opts, scxml.WithMissing(), scxml.WithInvoker("service", scxml.InvokerFunc(service)), scxml.WithClock(now), scxml.WithTrace(b.trace()), scxml.WithLimits(limits))
	var begun scxml.Options
	if b.begun != nil {
		begun = scxml.Options{scxml.WithConfiguration(b.begun...)}
	}
	s, err := scxml.New(chart, append(b.opts, scxml.WithSeed(1), scxml.WithSessionID("root"), begun)...)
	if err != nil {
		panic(err)
	}
	b.add(s)
	b.spare = nil
	return s
}

// sideBySide drives both through the stimuli. finished reports whether they reached the end.
func (b *bench) sideBySide(t *randomchart.Trial, chart *scxml.Chart, document *doc.Document) (finished bool, d *difference) {
	ctx := context.Background()
	clock := new(scxmltest.Clock)
	s := b.session(chart, clock.Now)
	b.world = &reference.World{
		Tell:  b.tell,
		Value: func(v datamodel.Value) string { return string(appendValue(nil, v)) },
		Limits: reference.Limits{
			Microsteps: limits.Microsteps, Timers: limits.Timers, InvokeDepth: limits.InvokeDepth,
			Sessions: limits.Sessions, ForeachItems: limits.ForeachItems, DataSize: limits.DataSize,
		},
		Now: clock.Now(),
	}
	defer func() {
		if b.services { // end them
			s.Stop()
			_, _ = s.Step(ctx, clock.Now())
		}
	}()
	err := s.Start(ctx)
	r := b.world.StartIn(reference.NewChart(document, b.loader, b.languages...), b.begun)
	if d = b.compare(s, r, err); d != nil || b.grown() {
		return false, d
	}
	for i := -1; i < len(t.Stimuli); i++ {
		at := s.Now()
		to := at
		if i >= 0 {
			switch st := t.Stimuli[i]; {
			case st.Stop:
				s.Stop()
				if !r.Ended {
					r.Stop()
				}
			case st.Event == "":
				to = at.Add(st.Wait)
			default:
				b.events++
				err := s.Send(scxml.Event{Name: st.Event, Data: st.Data})
				if r.Send(datamodel.Event{Name: st.Event, Data: st.Data}) != (err == nil) {
					return false, &difference{what: "one of the two takes no more events"}
				}
			}
		}
		for steps := 0; ; steps++ {
			if steps == stepLimit {
				b.unfinished++
				return false, nil
			}
			more, err := s.Step(ctx, at)
			refMore := b.world.Step(at)
			if d := b.compare(s, r, err); d != nil || b.grown() {
				return false, d
			}
			if more != refMore {
				return false, &difference{what: fmt.Sprintf("the engine has more to do: %v, the reference: %v", more, refMore)}
			}
			if b.try {
				if err := b.tryAll(s, t); err != nil {
					return false, &difference{what: err.Error()}
				}
			}
			if b.restore != nil && b.restore(b.steps) {
				replace := b.replace
				if b.load {
					replace = b.exchange
				}
				if s, err = replace(chart, s); err != nil {
					return false, &difference{what: err.Error()}
				}
			}
			b.steps++
			if more {
				continue
			}
			if r.Ended || !at.Before(to) {
				break
			}
			at = to
			if due, ok := s.NextDue(); ok && due.Before(to) {
				at = due
			}
		}
	}
	return true, nil
}

// grown reports whether data has grown too large. Error messages count as data; as the two word
// them differently, they cannot be compared then.
func (b *bench) grown() bool { return b.tooLarge || b.world.TooLarge }

// compare compares what the two have written, and what remains to be done.
func (b *bench) compare(s *scxml.Session, r *reference.Session, err error) *difference {
	if b.grown() {
		b.unfinished++
		return nil
	}
	what := ""
	due, ok := s.NextDue()
	refDue, refOK := b.world.NextDue()
	var limit *scxml.LimitError
	switch {
	case !bytes.Equal(b.engine.buf, b.reference.buf):
		what = "they do different things"
	case b.broken != nil:
		what = "an invariant is broken: " + b.broken.Error()
	case ok != refOK || !due.Equal(refDue):
		what = fmt.Sprintf("the next event is due at %v in the engine, at %v in the reference", due, refDue)
	case (s.Status() != scxml.Running) != r.Ended || (s.Status() == scxml.Final) != (r.Final != nil):
		what = fmt.Sprintf("the engine's session is %v, the reference's has ended: %v, in %v", s.Status(), r.Ended, r.Final)
	case err != nil && !errors.As(err, &limit) && !errors.Is(err, scxml.ErrStopped):
		what = fmt.Sprintf("error of the engine: %v", err)
	default:
		b.sum.Write(b.engine.buf)
		b.engine.buf, b.reference.buf = b.engine.buf[:0], b.reference.buf[:0]
		return nil
	}
	return &difference{what, string(b.engine.buf), string(b.reference.buf)}
}

// runAgain runs the engine once more: with Advance, in a Directory, and with a context that is
// repeatedly done and so interrupts macrosteps. The result must be the same.
func (b *bench) runAgain(t *randomchart.Trial, chart *scxml.Chart, want uint64) *difference {
	clock := new(scxmltest.Clock)
	s := b.session(chart, clock.Now, scxml.WithRouter(new(scxml.Directory)))
	s.Wake()
	ctx := &hasty{Context: context.Background(), patience: 5 + len(t.Chart.Children)%3}
	err := s.Start(ctx)
	tries := 0
	for i := -1; i < len(t.Stimuli); i++ {
		var wait time.Duration
		if i >= 0 {
			switch st := t.Stimuli[i]; {
			case st.Stop:
				s.Stop()
			case st.Event == "":
				wait = st.Wait
			default:
				_ = s.Send(scxml.Event{Name: st.Event, Data: st.Data}) // fails if the session has ended
			}
		}
		_ = s.Call(done, func(*scxml.Session) {})
		for {
			if errors.Is(err, context.Canceled) {
				ctx.asked = 0
				if tries++; tries > 100_000 {
					return &difference{what: "a session whose macrosteps are interrupted does not end", engine: string(b.engine.buf)}
				}
			}
			if err = clock.Advance(ctx, s, wait); !errors.Is(err, context.Canceled) {
				break
			}
			wait = 0
		}
		ctx.asked = 0
	}
	b.sum.Write(b.engine.buf)
	s.Stop()
	_, _ = s.Step(context.Background(), clock.Now())
	if b.broken != nil || b.sum.Sum64() != want {
		return &difference{what: fmt.Sprintf("macrosteps that are interrupted end differently (%v)", b.broken), engine: string(b.engine.buf)}
	}
	return nil
}

// done is a context that is done.
var done = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// A hasty context is done after a few questions, until it is reset.
type hasty struct {
	context.Context
	patience, asked int
}

func (*hasty) Done() <-chan struct{} { return done.Done() }
func (h *hasty) Err() error {
	if h.asked++; h.asked > h.patience {
		return context.Canceled
	}
	return nil
}

// service is invoked by some charts. It listens until it is cancelled and sends nothing.
func service(ctx context.Context, inv *scxml.Invocation) (any, error) {
	for {
		if _, err := inv.Receive(ctx); err != nil {
			return nil, err
		}
	}
}

// A macrostep that exceeds its limit at its last event does so too if it is interrupted there.
func TestLimitOfInterruptedMacrostep(t *testing.T) {
	for raised := range 6 {
		chart := parse(t, `<state id="a"><onentry>`+strings.Repeat(`<raise event="e"/>`, raised)+`</onentry></state>`)
		start := func(ctx *hasty) (exceeded bool) {
			s, err := scxml.New(chart, scxml.WithLimits(scxml.Limits{Microsteps: 3}), scxml.WithTrace(&scxml.Trace{Stable: func(*scxml.Session) {}}))
			if err != nil {
				t.Fatal(err)
			}
			for err = s.Start(ctx); errors.Is(err, context.Canceled); _, err = s.Step(ctx, s.Now()) {
				ctx.asked = 0
			}
			var limit *scxml.LimitError
			return errors.As(err, &limit)
		}
		want := start(&hasty{context.Background(), math.MaxInt, 0})
		for patience := 5; patience < 16; patience++ {
			if got := start(&hasty{context.Background(), patience, 0}); got != want {
				t.Errorf("%d events, interrupted after %d questions: limit exceeded: %v, want %v", raised, patience, got, want)
			}
		}
	}
}
