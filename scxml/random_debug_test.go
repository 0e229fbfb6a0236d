package scxml_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

var (
	debugCharts = flag.Int("random.debugs", 24, "number of random charts that are debugged backwards")
	debugSteps  = flag.Int("random.debugsteps", 60, "number of macrosteps of each of them; the first one has 1,000")
)

// TestDebugRandomCharts: stepping back through the macrosteps of a random chart shows what was there on
// the way: the place, the configurations, the data, the queues and the timers. So does the way forwards
// again, and values that were set on the way are part of it.
func TestDebugRandomCharts(t *testing.T) {
	macrosteps, sets := 0, 0
	kinds := map[debug.Kind]int{}
	steps := 1000
	for n := range int64(*debugCharts) {
		trial := randomTrialOf(*randomSeed, n, 60)
		chart, err := scxml.Parse("chart.scxml", []byte(trial.Chart.String()), scxml.WithLoader(trial.FS()))
		if err != nil {
			continue
		}
		rng := rand.New(rand.NewPCG(*randomSeed, uint64(n)))
		d := &debugged{T: t, rng: rng, trial: trial}
		d.Debugger, err = debug.New(debug.Config{Chart: chart, Start: scxmltest.Epoch, Options: []scxml.Option{
			scxml.WithSeed(1), scxml.WithLimits(limits), scxml.WithMissing(), scxml.WithIOProcessor("nonsense", refuser{rng}),
			scxml.WithInvoker("service", scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
				<-ctx.Done()
				return nil, nil
			})),
		}})
		if err != nil {
			t.Fatal(err)
		}
		d.forwards(steps)
		d.backwards()
		macrosteps += d.present.Macrostep
		for _, v := range d.seen {
			kinds[v.kind]++
		}
		sets += d.sets
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.Fatalf("chart %d of seed %d\n%s", n, *randomSeed, trial.Chart)
		}
		if d.present.Macrostep > 900 && len(d.seen) > 1400 {
			steps = *debugSteps
		}
	}
	t.Logf("stops %v in %d macrosteps, %d values set", kinds, macrosteps, sets)
	if steps == 1000 || sets == 0 || kinds[debug.AtElement] < 50 || kinds[debug.AtMicrostep] < 50 {
		t.Error("the charts have too little to step through")
	}
}

// debugged is a debugger of a random chart.
type debugged struct {
	*testing.T
	*debug.Debugger
	rng     *rand.Rand
	trial   *randomchart.Trial
	seen    []view
	present debug.Place
	sets    int
}

// A view is what a debugger shows at a place.
type view struct {
	debug.Place
	kind debug.Kind
	text string
}

// forwards goes forwards in steps of all kinds.
func (d *debugged) forwards(macrosteps int) {
	ctx := d.Context()
	steps := []func(context.Context) (debug.Stop, error){d.StepIn, d.StepIn, d.StepIn, d.Next, d.StepOut}
	d.note()
	for round := 0; d.present.Macrostep < macrosteps && round < 20*macrosteps; round++ {
		stop, err := steps[d.rng.IntN(len(steps))](ctx)
		if err != nil {
			d.Fatal(err)
		}
		if stop.Reason == debug.Ended {
			return
		}
		if stop.Reason == debug.Idle {
			stimulus := d.trial.Stimuli[d.rng.IntN(len(d.trial.Stimuli))]
			if all := d.Chart().Transitions(); len(all) > 0 && d.rng.IntN(3) > 0 {
				if events := all[d.rng.IntN(len(all))].Events(); len(events) > 0 {
					stimulus.Event = strings.TrimSuffix(events[0], ".*")
				}
			}
			if stimulus.Event != "" && stimulus.Event != "*" {
				_ = d.Send("", scxml.Event{Name: stimulus.Event, Data: stimulus.Data})
			} else if stop, err = d.Advance(ctx, stimulus.Wait); err != nil {
				d.Fatal(err)
			}
		}
		d.change()
		d.note()
	}
}

// change sets a value now and then.
func (d *debugged) change() {
	if d.rng.IntN(10) > 0 {
		return
	}
	scopes, err := d.Scopes(d.Context(), "")
	if err != nil {
		d.Fatal(err)
	}
	if items := scopes[0].Variables; len(items) > 0 {
		if _, err := d.Set(d.Context(), "", items[d.rng.IntN(len(items))].Expr, fmt.Sprint(d.rng.IntN(5))); err == nil {
			d.sets++
		}
	}
}

// note notes what is seen now.
func (d *debugged) note() {
	v := d.look()
	d.present = v.Place
	if n := len(d.seen); n > 0 && d.seen[n-1].Place == v.Place {
		n--
		d.seen = d.seen[:n]
	}
	d.seen = append(d.seen, v)
}

// look returns what is seen now.
func (d *debugged) look() view {
	stop, err := d.Stop()
	if err != nil {
		d.Fatal(err)
	}
	sessions, err := d.Sessions()
	if err != nil {
		d.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, stop.Place, stop.Kind, stop.Session, stop.At, stop.Text)
	for _, s := range sessions {
		fmt.Fprintln(&b, "session", s.ID, s.InvokeID, s.Status, s.Stopped)
		frames, err := d.Stack(s.ID)
		if err != nil {
			d.Fatal(err)
		}
		for _, f := range frames {
			fmt.Fprintln(&b, " ", f)
		}
		scopes, err := d.Scopes(context.Background(), s.ID)
		if err != nil {
			d.Fatal(err)
		}
		for _, scope := range scopes {
			if stop.Kind == debug.AtRest && scope.Name != "Data" && scope.Name != "History" {
				continue // time has passed, or events have arrived
			}
			for _, v := range scope.Variables {
				fmt.Fprintln(&b, " ", scope.Name, v.Name, datamodel.Text(v.Value), v.Err)
			}
		}
	}
	if (stop.Place.Macrostep+stop.Place.At)%7 == 0 && stop.Kind != debug.AtRest && d.Chart().Datamodel() == "ecmascript" {
		v, err := d.Eval(d.Context(), "", "_sessionid + Math.random()") // in a copy
		fmt.Fprintln(&b, "evaluated", v, err)
	}
	return view{Place: stop.Place, kind: stop.Kind, text: b.String()}
}

// backwards goes back over all that was seen, and forwards again over some of it.
func (d *debugged) backwards() {
	ctx := d.Context()
	for i := len(d.seen) - 2; i >= 0 && !d.Failed(); i-- {
		want := d.seen[i]
		for {
			stop, err := d.StepBackIn(ctx)
			if err != nil {
				d.Error(err)
				return
			}
			if stop.Reason == debug.Beginning || stop.Place.Compare(want.Place) < 0 {
				d.Errorf("stepping back leads from %v to %v and not to %v", d.seen[i+1].Place, stop.Place, want.Place)
				return
			}
			if stop.Place == want.Place {
				break
			}
		}
		d.compare(want, d.look())
		if d.rng.IntN(50) == 0 {
			d.thereAndBack(i)
		}
	}
}

// thereAndBack goes to a later place by steps, and back at once.
func (d *debugged) thereAndBack(i int) {
	there := d.seen[i+d.rng.IntN(min(40, len(d.seen)-i))]
	for {
		stop, err := d.Stop()
		if err == nil && stop.Place == there.Place {
			break
		}
		if stop, err = d.StepIn(d.Context()); err != nil || stop.Place.Compare(there.Place) > 0 {
			d.Errorf("stepping forwards misses %v: %v, %v", there.Place, stop.Place, err)
			return
		}
	}
	d.compare(there, d.look())
	if _, err := d.Goto(d.Context(), d.seen[i].Place); err != nil {
		d.Error(err)
	}
	d.compare(d.seen[i], d.look())
}

func (d *debugged) compare(want, got view) {
	if got.text != want.text {
		d.Errorf("on the way there\n%s\nand on the way back\n%s", want.text, got.text)
	}
}

// A refuser is an Event I/O Processor that refuses a third of what is sent.
type refuser struct{ *rand.Rand }

func (refuser) Open(*scxml.Session) string { return "" }
func (refuser) Close(*scxml.Session)       {}
func (r refuser) Send(_ *scxml.Session, _ scxml.Message, done func(error)) error {
	if r.IntN(3) == 0 {
		return errors.New("refused")
	}
	done(nil)
	return nil
}
