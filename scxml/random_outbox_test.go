package scxml_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	recs "github.com/scxmlrun/scxmlrun/scxml/record"
)

var outboxCharts = flag.Int("random.outboxes", 300, "number of random charts that run with an outbox and without")

// TestOutboxOfRandomCharts: a session that hands out its work does what a session does that has it done
// in place, wherever it is saved and restored between a task and its report, and however often a report
// is repeated.
func TestOutboxOfRandomCharts(t *testing.T) {
	var total farOff
	for n := range int64(*outboxCharts) {
		trial := randomTrialOf(*randomSeed, n, 60)
		afar(trial.Chart, rand.New(rand.NewPCG(uint64(n), *randomSeed)))
		chart, err := scxml.Parse("chart.scxml", []byte(trial.Chart.String()), scxml.WithLoader(trial.FS()))
		if err != nil || n%8 > 0 && !strings.Contains(trial.Chart.String(), `type="service"`) {
			continue
		}
		if err := total.run(trial, chart, rand.New(rand.NewPCG(*randomSeed, uint64(n)))); err != nil {
			t.Fatalf("chart %d of seed %d: %v\n%s", n, *randomSeed, err, trial.Chart)
		}
	}
	t.Logf("%d steps, %d restored, tasks %v, %d events of services, %d ends, %d failures, %d refused", total.steps, total.restored, total.kinds,
		total.events, total.ends, total.failures, total.refused)
	for _, n := range append(total.kinds[:], total.restored, total.events, total.ends, total.failures, total.refused) {
		if n == 0 {
			t.Error("the charts have too little to compare")
		}
	}
}

// afar makes services of many invoked sessions, and of many messages ones for a processor or service.
func afar(e *randomchart.Element, rng *rand.Rand) {
	typed := slices.ContainsFunc(e.Attrs, func(a string) bool { return a == "type" || a == "typeexpr" })
	switch {
	case e.Name == "invoke" && !typed && rng.IntN(2) == 0:
		e.Attrs = append(e.Attrs, "type", "service")
	case e.Name == "send" && !typed && rng.IntN(4) == 0:
		e.Attrs = append(e.Attrs, "type", "nonsense")
	}
	for _, child := range e.Children {
		afar(child, rng)
	}
}

// A farOff is what happens around a session that hands out its work.
type farOff struct {
	session              *scxml.Session
	records              []recs.Record
	services, deliveries []uint64 // tasks, in the order of a stage
	seqs                 map[uint64]uint64
	last                 uint64 // task that was seen

	kinds                                   [4]int
	steps, restored, events, ends, failures int
	refused                                 int
}

// quiet is a Router that refuses some messages and loses the others.
type quiet struct{ refused *int }

func (quiet) Join(*scxml.Session)  {}
func (quiet) Leave(*scxml.Session) {}
func (q quiet) Route(m scxml.Message) error {
	if m.Type != scxml.SCXMLEventProcessor || (len(m.Event.Name)+len(m.Event.SendID))%2 == 0 {
		return nil
	}
	*q.refused++
	return errors.New("refused")
}

func (f *farOff) run(trial *randomchart.Trial, chart *scxml.Chart, rng *rand.Rand) error {
	ctx := context.Background()
	near := newStage(chart, scxml.WithRouter(quiet{&f.refused}))
	defer near.leave()
	near.refuses = func(int) bool { return false }
	recorder := recs.NewRecorder(near.now, recs.All, func(r *recs.Record) { f.records = append(f.records, *r) })
	opts := scxml.Options{
		scxml.WithLimits(limits), scxml.WithTrace(recorder.Trace()), scxml.WithClock(func() time.Time { return near.now }),
		scxml.WithOutbox(scxml.Outbox{Processors: []string{"nonsense"}, Services: []string{"service"}, Sessions: true,
			Check: func(_ string, m scxml.Message) error { return quiet{new(int)}.Route(m) }}),
	}
	var err error
	if f.session, err = scxml.New(chart, append(opts, scxml.WithSeed(1), scxml.WithMissing())...); err != nil {
		return err
	}
	f.records, f.services, f.deliveries, f.seqs, f.last = nil, nil, nil, map[uint64]uint64{}, 0

	// settle looks at what both have done.
	settle := func() error {
		f.steps++
		f.look()
		a, errA := near.session.Snapshot()
		b, errB := f.session.Snapshot()
		if fmt.Sprint(errA) != fmt.Sprint(errB) {
			return fmt.Errorf("a snapshot fails with %v, with an outbox with %v", errA, errB)
		}
		if err := compareRecords(f.records, near.records); err != nil {
			return err
		}
		near.records, f.records = nil, nil
		if errA != nil {
			return nil
		}
		if a, b := withoutTasks(a), withoutTasks(b); !reflect.DeepEqual(a, b) {
			return fmt.Errorf("the snapshot is\n%v\nand with an outbox\n%v", a, b)
		}
		if rng.IntN(3) == 0 {
			tasks := taskLines(scxml.ForServer(f.session).Outbox())
			if f.session, err = scxml.Restore(chart, b, opts); err != nil {
				return err
			}
			again, err := f.session.Snapshot()
			if err != nil || string(again) != string(b) || !slices.Equal(taskLines(scxml.ForServer(f.session).Outbox()), tasks) {
				return fmt.Errorf("the restored session has another snapshot or other tasks (%v)\n%s\n%s", err, again, b)
			}
			f.restored++
		}
		return nil
	}
	errA, errB := near.session.Start(ctx), f.session.Start(ctx)
	if fmt.Sprint(errA) != fmt.Sprint(errB) {
		return fmt.Errorf("start: %v, with an outbox %v", errA, errB)
	}
	for _, stimulus := range trial.Stimuli {
		if err := settle(); err != nil {
			return err
		}
		if err := f.outside(near, rng); err != nil {
			return err
		}
		to := near.now
		for _, s := range []*scxml.Session{near.session, f.session} {
			switch {
			case stimulus.Stop:
				s.Stop()
			case stimulus.Event == "":
				to = near.now.Add(stimulus.Wait)
			default:
				_ = s.Send(scxml.Event{Name: stimulus.Event, Data: stimulus.Data})
			}
		}
		for range 20 {
			more, errA := near.session.Step(ctx, near.now)
			moreB, errB := f.session.Step(ctx, near.now)
			if more != moreB || fmt.Sprint(errA) != fmt.Sprint(errB) {
				return fmt.Errorf("a step: %v, %v; with an outbox %v, %v", more, errA, moreB, errB)
			}
			if err := settle(); err != nil {
				return err
			}
			if more {
				continue
			}
			if due, ok := near.session.NextDue(); ok && due.Before(to) {
				near.now = due
			} else if near.now.Before(to) {
				near.now = to
			} else {
				break
			}
		}
	}
	return nil
}

// look notes new tasks, and reports what needs no answer.
func (f *farOff) look() {
	for _, task := range scxml.ForServer(f.session).Outbox() {
		if task.ID <= f.last {
			continue
		}
		f.last = task.ID
		f.kinds[task.Kind]++
		switch {
		case task.Kind == scxml.TaskInvoke:
			f.services = append(f.services, task.ID)
		case task.Kind == scxml.TaskSend && task.Message.Type == "nonsense":
			f.deliveries = append(f.deliveries, task.ID)
		case task.ID%2 == 0:
			_, _ = scxml.ForServer(f.session).Report(scxml.Outcome{Task: task.ID})
		}
	}
}

// outside lets the same happen around both sessions.
func (f *farOff) outside(near *stage, rng *rand.Rand) error {
	if near.session.Status() != scxml.Running {
		return nil
	}
	// report reports an outcome, and again. It must change something if has.
	report := func(o scxml.Outcome, has bool) error {
		changed, err := scxml.ForServer(f.session).Report(o)
		if err != nil || changed != has {
			return fmt.Errorf("%+v: changed %v, %v; want %v", o, changed, err, has)
		}
		if again, err := scxml.ForServer(f.session).Report(o); again || err != nil {
			return fmt.Errorf("%+v again: changed %v, %v", o, again, err)
		}
		return nil
	}
	event := func(i int, ev scxml.Event) (bool, error) {
		arrived := near.services[i].inv.Send(ev) == nil
		task := f.services[i]
		f.seqs[task]++
		f.events++
		return arrived, report(scxml.Outcome{Task: task, Event: &ev, Seq: f.seqs[task]}, arrived)
	}
	if n := min(len(near.services), len(f.services)); n > 0 && rng.IntN(3) > 0 {
		i := rng.IntN(n)
		alive, err := event(i, scxml.Event{Name: "c", Data: "from a service"})
		if err != nil {
			return err
		}
		if p := near.services[i]; alive && !p.gone && rng.IntN(4) == 0 {
			failed := []error{nil, errors.New("boom")}[rng.IntN(2)]
			p.end(failed)
			_, _ = near.session.Snapshot() // it hears of it
			f.ends++
			if err := report(scxml.Outcome{Task: f.services[i], Data: p.number, Err: failed}, true); err != nil {
				return err
			}
		}
	}
	if n := len(near.deliveries); n > 0 && rng.IntN(3) == 0 {
		i := rng.IntN(n)
		lost := errors.New("lost")
		near.deliveries[i](lost)
		_, _ = near.session.Snapshot()
		f.failures++
		_, err := scxml.ForServer(f.session).Report(scxml.Outcome{Task: f.deliveries[i], Err: lost})
		return err
	}
	return nil
}

// withoutTasks decodes a snapshot, without what only a session with an outbox has, and without the inbox
// of services.
func withoutTasks(snapshot []byte) (tree map[string]any) {
	if err := json.Unmarshal(snapshot, &tree); err != nil {
		panic(err)
	}
	delete(tree, "outbox")
	for _, s := range list(tree["sessions"]) {
		for _, inv := range list(s.(map[string]any)["invocations"]) {
			if service, ok := inv.(map[string]any)["service"].(map[string]any); ok {
				for _, field := range []string{"inbox", "task", "seq"} {
					delete(service, field)
				}
			}
		}
	}
	return tree
}
