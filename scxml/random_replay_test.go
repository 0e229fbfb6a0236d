package scxml_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	recs "github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

var replayCharts = flag.Int("random.replays", 400, "number of random charts that are recorded and replayed")

// TestReplayRandomCharts: a run can be repeated, record for record, from the chart, the options,
// the seed and the inputs alone, whatever came from outside.
func TestReplayRandomCharts(t *testing.T) {
	kinds := map[recs.Kind]int{}
	for n := range int64(*replayCharts) {
		trial := randomTrial(*randomSeed, n)
		chart, err := scxml.Parse("chart.scxml", []byte(trial.Chart.String()), scxml.WithLoader(trial.FS()))
		if err != nil {
			continue
		}
		recorded := recordRun(trial, chart, rand.New(rand.NewPCG(*randomSeed, uint64(n))), beginOf(chart, n))
		var inputs []recs.Record
		for _, r := range recorded {
			if r.Input() {
				kinds[r.Kind]++
				inputs = append(inputs, kept(t, &r))
			}
		}
		replayed, err := replay(chart, inputs, recorded[len(recorded)-1].Seq, beginOf(chart, n))
		for i := range recorded {
			if i >= len(replayed) || recorded[i].String() != replayed[i].String() {
				t.Fatalf("chart %d of seed %d: %v\n%s\nrecorded\n%s\nreplayed\n%s", n, *randomSeed, err, trial.Chart,
					lines(recorded, i), lines(replayed, i))
			}
		}
		if err != nil || len(replayed) != len(recorded) {
			t.Fatalf("chart %d of seed %d: %d records instead of %d, %v", n, *randomSeed, len(replayed), len(recorded), err)
		}
	}
	for _, k := range []recs.Kind{recs.Clock, recs.Arrive, recs.Outcome, recs.Stop, recs.Cancel, recs.Value} {
		if kinds[k] == 0 {
			t.Errorf("nothing was replayed of kind %v", k)
		}
	}
	t.Log(kinds)
}

// kept returns an input as it comes out of a file, in one form or the other.
func kept(t *testing.T, in *recs.Record) (out recs.Record) {
	t.Helper()
	var err error
	if in.Seq%2 == 0 {
		out, err = recs.ParseText(in.String())
	} else {
		out, err = recs.ParseJSON(in.AppendJSON(nil))
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// lines writes some of the records around the ith.
func lines(all []recs.Record, i int) string {
	var b strings.Builder
	for j := max(0, i-8); j < min(len(all), i+4); j++ {
		fmt.Fprintln(&b, &all[j])
	}
	return b.String()
}

// A stage has a session and its surroundings: services and deliveries that do nothing by
// themselves, each numbered in the order in which it began.
type stage struct {
	session    *scxml.Session
	recorder   *recs.Recorder
	records    []recs.Record
	started    chan *puppet
	services   []*puppet
	deliveries []func(error)
	refuses    func(n int) bool // whether a delivery is refused at once
	hears      func(*recs.Record)
	changed    func() // the host has cancelled or evaluated something
	now        time.Time
}

// A puppet is a service.
type puppet struct {
	number  int
	session *scxml.Session
	inv     *scxml.Invocation
	ends    chan error
	gone    bool
}

func newStage(chart *scxml.Chart, opts ...scxml.Option) *stage {
	st := &stage{started: make(chan *puppet), now: scxmltest.Epoch, changed: func() {}}
	st.recorder = recs.NewRecorder(st.now, recs.All, func(r *recs.Record) {
		st.records = append(st.records, *r)
		if st.hears != nil {
			st.hears(r)
		}
	})
	trace := st.recorder.Trace()
	told := trace.Invoke
	trace.Invoke = func(s *scxml.Session, id string, child *scxml.Session) {
		if child == nil {
			p := <-st.started
			p.number, p.session = len(st.services), s
			st.services = append(st.services, p)
		}
		told(s, id, child)
	}
	s, err := scxml.New(chart, append([]scxml.Option{
		scxml.WithMissing(), scxml.WithSeed(1), scxml.WithLimits(limits), scxml.WithTrace(trace), scxml.WithClock(func() time.Time { return st.now }),
		scxml.WithInvoker("service", scxml.InvokerFunc(st.serve)), scxml.WithIOProcessor("nonsense", st),
	}, opts...)...)
	if err != nil {
		panic(err)
	}
	st.session = s
	return st
}

func (st *stage) serve(ctx context.Context, inv *scxml.Invocation) (any, error) {
	p := &puppet{inv: inv, ends: make(chan error)}
	st.started <- p
	select {
	case err := <-p.ends:
		return p.number, err
	case <-ctx.Done():
		return nil, nil
	}
}

// end ends a service, and returns when the session is about to hear of it.
func (p *puppet) end(err error) {
	p.gone = true
	asked := p.session.Asked()
	p.ends <- err
	for !asked && !p.session.Asked() {
		runtime.Gosched()
	}
}

func (*stage) Open(*scxml.Session) string { return "" }
func (*stage) Close(*scxml.Session)       {}
func (st *stage) Send(_ *scxml.Session, _ scxml.Message, done func(error)) error {
	n := len(st.deliveries)
	st.deliveries = append(st.deliveries, done)
	if st.refuses(n) {
		return fmt.Errorf("refused %d", n)
	}
	return nil
}

// leave ends what is still running outside.
func (st *stage) leave() {
	st.hears = nil
	st.session.Stop()
	_, _ = st.session.Step(context.Background(), st.now)
}

// recordRun runs a chart and returns what was recorded.
func recordRun(t *randomchart.Trial, chart *scxml.Chart, rng *rand.Rand, opts ...scxml.Option) []recs.Record {
	st := newStage(chart, opts...)
	defer st.leave()
	st.run(t, rng)
	return st.records
}

// run gives a session the stimuli of a trial, with more from its surroundings.
func (st *stage) run(t *randomchart.Trial, rng *rand.Rand) {
	ctx := context.Background()
	st.refuses = func(int) bool { return rng.IntN(3) == 0 }
	s := st.session
	st.hears = func(r *recs.Record) {
		if r.Kind == recs.Send && rng.IntN(10) == 0 {
			_ = s.Send(scxml.Event{Name: "a", Data: "from a callback"}) // fails if the session has ended
		}
	}
	_ = s.Start(ctx) // a limit ends it
	for _, stimulus := range t.Stimuli {
		st.outside(rng)
		to := st.now
		switch {
		case stimulus.Stop:
			st.settle()
			st.recorder.Tell(s, recs.Record{Kind: recs.Stop})
			s.Stop()
		case stimulus.Event == "":
			to = to.Add(stimulus.Wait)
		default:
			_ = s.Send(scxml.Event{Name: stimulus.Event, Data: stimulus.Data})
		}
		var racing sync.WaitGroup
		if rng.IntN(4) == 0 {
			racing.Go(func() { _ = s.Send(scxml.Event{Name: "b", Data: "from elsewhere"}) })
		}
		for range 20 {
			more, _ := s.Step(ctx, st.now)
			if rng.IntN(8) == 0 {
				_, _ = s.Snapshot() // reports what is on its way
			}
			if more {
				continue
			}
			if due, ok := s.NextDue(); ok && due.Before(to) {
				st.now = due
			} else if st.now.Before(to) {
				st.now = to
			} else {
				break
			}
		}
		racing.Wait()
	}
	st.settle()
}

// settle reports to the session what has arrived, and does nothing else.
func (st *stage) settle() { _, _ = st.session.Step(done, st.now) }

// outside lets something happen around the session.
func (st *stage) outside(rng *rand.Rand) {
	s := st.session
	if s.Status() != scxml.Running {
		return
	}
	if n := len(st.services); n > 0 {
		p := st.services[rng.IntN(n)]
		alive := !p.gone && p.session.Status() == scxml.Running
		switch rng.IntN(8) {
		case 0:
			_ = p.inv.Send(scxml.Event{Name: "c", Data: "from a service"})
		case 1:
			if alive && st.running(p) {
				p.end([]error{nil, fmt.Errorf("boom %d", p.number)}[rng.IntN(2)])
			}
		}
	}
	if n := len(st.deliveries); n > 0 && rng.IntN(3) == 0 {
		n = rng.IntN(n)
		st.deliveries[n](fmt.Errorf("lost %d", n))
	}
	switch rng.IntN(12) {
	case 0:
		st.settle()
		st.recorder.Tell(s, recs.Record{Kind: recs.Cancel, Line: 1, Event: scxml.Event{SendID: "x"}, Count: s.Cancel("x")})
		st.changed()
	case 1:
		st.settle()
		const expr = "typeof v0 == 'number' ? v0 = v0 + 1 : In('s1')"
		if v, err := s.Eval(context.Background(), expr); err == nil {
			st.recorder.Tell(s, recs.Record{Kind: recs.Value, Line: 1, Label: expr, Value: v})
		}
		st.changed()
	}
}

// running reports whether a service has not been cancelled.
func (st *stage) running(p *puppet) bool {
	err := p.inv.Send(scxml.Event{Name: "still.there"})
	return err == nil
}

// replay runs a chart with recorded inputs up to the given number of records.
func replay(chart *scxml.Chart, inputs []recs.Record, records int64, opts ...scxml.Option) ([]recs.Record, error) {
	ctx := context.Background()
	st := newStage(chart, opts...)
	defer st.leave()
	refused := map[string]bool{}
	for _, in := range inputs {
		refused[in.Message] = in.Kind == recs.Outcome
	}
	st.refuses = func(n int) bool { return refused[fmt.Sprintf("refused %d", n)] }
	count := func() int64 { return int64(len(st.records)) }
	start := func() { _ = st.session.Start(ctx) }
	for idle := 0; count() < records; idle++ {
		if idle == 1000 {
			return st.records, errors.New("the inputs do not fit")
		}
		given := int64(0) // inputs reported in the next step
		for len(inputs) > 0 && inputs[0].Seq <= count()+given+1 {
			in := inputs[0]
			if in.Seq <= count() { // reported when it happened: the clock of the start, a refusal
				inputs = inputs[1:]
				continue
			}
			told := in.Kind == recs.Stop || in.Kind == recs.Cancel || in.Kind == recs.Value
			if given > 0 && (told || in.Kind == recs.Clock) {
				break // a step reports the clock first
			}
			if !told {
				given++
			}
			inputs = inputs[1:]
			if err := st.apply(&in); err != nil {
				return st.records, err
			}
		}
		switch {
		case start != nil:
			start()
			start = nil
		case given > 0:
			st.settle()
		default:
			_, _ = st.session.Step(ctx, st.now)
		}
	}
	return st.records, nil
}

// apply carries out an input.
func (st *stage) apply(in *recs.Record) error {
	s := st.session
	for _, other := range s.Sessions() {
		if other.ID() == in.Session {
			s = other
		}
	}
	var n int
	switch in.Kind {
	case recs.Clock:
		st.now = in.Now
	case recs.Arrive:
		if in.Event.Type == datamodel.External {
			return s.Send(in.Event)
		}
		n, ok := in.Event.Data.(int64)
		if !ok {
			return fmt.Errorf("%v: no service has sent this", in)
		}
		st.services[n].end(nil)
	case recs.Outcome:
		what := in.Message[strings.LastIndexByte(in.Message, '"')+1:] // of a service: service "ID": boom 1
		if _, err := fmt.Sscanf(what, ": boom %d", &n); err == nil {
			st.services[n].end(fmt.Errorf("boom %d", n))
		} else if _, err := fmt.Sscanf(what, "lost %d", &n); err == nil {
			st.deliveries[n](errors.New(what))
		}
	case recs.Stop:
		st.recorder.Tell(s, recs.Record{Kind: recs.Stop})
		s.Stop()
	case recs.Cancel:
		st.recorder.Tell(s, recs.Record{Kind: recs.Cancel, Line: in.Line, Event: scxml.Event{SendID: in.Event.SendID}, Count: s.Cancel(in.Event.SendID)})
	case recs.Value:
		v, err := s.Eval(context.Background(), in.Label)
		if err != nil {
			return err
		}
		st.recorder.Tell(s, recs.Record{Kind: recs.Value, Line: in.Line, Label: in.Label, Value: v})
	}
	return nil
}
