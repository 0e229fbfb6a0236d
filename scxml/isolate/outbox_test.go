package isolate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

const handing = `<datamodel><data id="log" expr="[_ioprocessors['urn:p'].location]"/></datamodel>
<state id="a">
	<onentry><send event="out" type="urn:p" target="there" id="m"><param name="x" expr="1"/><param name="x" expr="2"/></send>
		<send event="late" delay="1s"/><send event="later" delay="2s"/></onentry>
	<invoke id="job" type="urn:job" src="s" autoforward="true"><param name="n" expr="7"/></invoke>
	<invoke id="kid"><content><scxml version="1.0"><state id="k"><onentry><send event="hello" target="#_parent"/></onentry><transition event="ask"><send event="answer" target="#_parent"/></transition></state></scxml></content></invoke>
	<transition event="tell"><send event="hi" target="#_scxml_k2"/><send event="no" type="urn:p" target="refused"><param name="x" expr="1"/></send></transition>
	<transition event="leave" target="b"/>
	<transition event="*"><script>log.push(_event.name + ' ' + _event.type + ' ' + _event.invokeid + ' ' + _event.origin + ' ' + JSON.stringify(_event.data))</script></transition>
</state><state id="b"/>`

// A wall is a session on this side of the wall or on the other.
type wall interface {
	Do(ctx context.Context, now time.Time, ev scxml.Event) ([]scxml.Task, error)
	Report(ctx context.Context, o scxml.Outcome) (bool, error)
	Outbox() []scxml.Task
	Deliver(ctx context.Context, id string, ev scxml.Event) (bool, error)
	DropDue(ctx context.Context, now time.Time) ([]string, error)
	Get(ctx context.Context, expr string) (datamodel.Value, error)
	Restored(t *testing.T) wall
}

type behind struct {
	*isolate.Session
	pool *isolate.Pool
	spec isolate.Spec
	opt  scxml.Option
}

func (b behind) Do(ctx context.Context, now time.Time, ev scxml.Event) ([]scxml.Task, error) {
	effect, err := b.Session.Do(ctx, now, ev)
	return effect.Out, err
}

func (b behind) Restored(t *testing.T) wall {
	snapshot, err := b.Snapshot(t.Context())
	if err == nil {
		b.Session, err = b.pool.Restore(t.Context(), b.spec, snapshot, b.opt)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

type before struct {
	*scxml.Session
	opt scxml.Option
}

func (b before) Do(ctx context.Context, now time.Time, ev scxml.Event) ([]scxml.Task, error) {
	effect, err := b.Session.Do(ctx, now, ev)
	return effect.Out, err
}
func (b before) Outbox() []scxml.Task { return scxml.ForServer(b.Session).Outbox() }
func (b before) Report(_ context.Context, o scxml.Outcome) (bool, error) {
	return scxml.ForServer(b.Session).Report(o)
}
func (b before) Get(ctx context.Context, expr string) (datamodel.Value, error) {
	return b.Eval(ctx, expr)
}
func (b before) Deliver(_ context.Context, id string, ev scxml.Event) (bool, error) {
	for _, s := range b.Sessions() {
		if s.ID() == id {
			return true, scxml.ForServer(s).Deliver(ev)
		}
	}
	return false, nil
}
func (b before) DropDue(_ context.Context, now time.Time) (dropped []string, _ error) {
	scxml.ForServer(b.Session).Reschedule(func(d scxml.Delayed) time.Time {
		if d.Due.After(now) {
			return d.Due
		}
		dropped = append(dropped, d.Message.Event.Name)
		return time.Time{}
	})
	return dropped, nil
}
func (b before) Restored(t *testing.T) wall {
	snapshot, err := b.Snapshot()
	if err == nil {
		b.Session, err = scxml.Restore(b.Chart(), snapshot, b.opt)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Tasks and reports are the same on both sides of the wall.
func TestOutboxCrosses(t *testing.T) {
	opt := scxml.WithOutbox(scxml.Outbox{
		Processors: []string{"urn:p"}, Services: []string{"*"}, Sessions: true,
		Location: func(session, typ string) string { return typ + "/" + session },
		Check: func(session string, m scxml.Message) error {
			if m.Target == "refused" {
				return fmt.Errorf("session %s sends %v", session, m.Params)
			}
			return nil
		},
	})
	opts := []scxml.Option{opt, scxml.WithSessionID("k"), scxml.WithSeed(1), atStart}
	pool := newPool(t, isolate.Config{})
	spec := isolate.Spec{Name: "chart.scxml", Source: document(handing)}
	b := begin(t, pool, spec, opts...)
	chart, err := scxml.Parse("chart.scxml", spec.Source)
	if err != nil {
		t.Fatal(err)
	}
	a, err := scxml.New(chart, opts...)
	if err == nil {
		err = a.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	got, want := told(t, behind{b, pool, spec, opt}), told(t, before{a, opt})
	if got != want {
		t.Errorf("behind the wall\n%s\nin process\n%s", got, want)
	}
	for _, part := range []string{
		`1 send k "" out there urn:p [{x 1} {x 2}]`, `job urn:job s {"n":7}`, "hi #_scxml_k2", "urn:p/k",
		`error.communication platform job undefined {"message":"service \"job\": broken"`, "answer external kid", "dropped [later]",
		`{"message":"session k sends [{x 1}]"`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("there is no %q in\n%s", part, got)
		}
	}
}

// told tells what a session does.
func told(t *testing.T, w wall) string {
	ctx := t.Context()
	var b strings.Builder
	note := func(what string, tasks []scxml.Task, err error) {
		fmt.Fprintln(&b, what, err)
		for _, task := range tasks {
			m := task.Message
			fmt.Fprintf(&b, "  %d %v %s %q %s %s %s %v", task.ID, task.Kind, task.Session, m.Event.Origin, m.Event.Name, m.Target, m.Type, m.Params)
			fmt.Fprintln(&b, " ", task.Service.ID, task.Service.Type, task.Service.Src, datamodel.Text(task.Service.Params), task.Invoke, task.Seq)
		}
	}
	do := func(now time.Time, name string) {
		out, err := w.Do(ctx, now, scxml.Event{Name: name})
		note("do "+name, out, err)
		note("outbox", w.Outbox(), nil)
		w = w.Restored(t)
	}
	report := func(o scxml.Outcome) {
		changed, err := w.Report(ctx, o)
		note(fmt.Sprint("report ", o.Task, changed), nil, err)
	}
	do(start, "")
	do(start, "tell")
	kid, err := w.Get(ctx, "/#_scxml_(k~[0-9a-z]+)/.exec(log.join())[1]")
	note(fmt.Sprint("kid ", kid), nil, err)
	found, err := w.Deliver(ctx, "nobody", scxml.Event{Name: "x"})
	note(fmt.Sprint("found ", found), nil, err)
	found, err = w.Deliver(ctx, fmt.Sprint(kid), scxml.Event{Name: "ask", Origin: "#_scxml_k3"})
	note(fmt.Sprint("found ", found), nil, err)
	do(start, "")
	report(scxml.Outcome{Task: 2, Event: &scxml.Event{Name: "step", Data: []int{1}}, Seq: 1})
	report(scxml.Outcome{Task: 2, Event: &scxml.Event{Name: "step", Data: []int{1}}, Seq: 1})
	report(scxml.Outcome{Task: 2, Event: &scxml.Event{Name: "step"}, Seq: 9})
	report(scxml.Outcome{Task: 1, Err: errors.New("nobody there"), Refused: true})
	report(scxml.Outcome{Task: 77})
	do(start.Add(time.Second), "")
	report(scxml.Outcome{Task: 2, Err: errors.New("broken")})
	dropped, err := w.DropDue(ctx, start.Add(2*time.Second))
	note(fmt.Sprint("dropped ", dropped), nil, err)
	do(start.Add(3*time.Second), "leave")
	v, err := w.Get(ctx, "log.join('\\n')")
	note(fmt.Sprint(v), nil, err)
	return b.String()
}

// What the outbox and the fleet need to know of a chart crosses too.
func TestChartCrosses(t *testing.T) {
	pool := newPool(t, isolate.Config{})
	source := document(`<state id="a"><onentry><raise event="own"/></onentry><transition event="go own"/></state>`)
	s := begin(t, pool, isolate.Spec{Source: source})
	chart, err := scxml.Parse("chart.scxml", source)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Chart().Hash; got != chart.Hash() || got == "" {
		t.Errorf("the hash is %q, want %q", got, chart.Hash())
	}
	for _, name := range []string{"go", "own", "done.x", "error", "doner", ""} {
		if got, want := s.Chart().IsUserEvent(name), chart.IsUserEvent(name); got != want {
			t.Errorf("IsUserEvent(%q) is %v, want %v", name, got, want)
		}
	}
	tenant, err := pool.Tenant(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tenant.Close()
	if _, err := tenant.Drive(t.Context(), isolate.Spec{Source: source}, drive.Config{Options: []scxml.Option{scxml.WithOutbox(scxml.Outbox{})}}); err == nil || !strings.Contains(err.Error(), "WithOutbox is not for a driver") {
		t.Error(err)
	}
}
