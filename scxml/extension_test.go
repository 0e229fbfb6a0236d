package scxml_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/null"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func TestInvoker(t *testing.T) {
	const inside = `
<datamodel><data id="sum" expr="0"/><data id="got" expr="[]"/></datamodel>
<state id="s">
  <invoke type="adder" id="add" src="somewhere"><param name="from" expr="10"/>
    <finalize><script>got.push(_event.name)</script></finalize></invoke>
  <transition event="next"><send event="number" target="#_add"><param name="n" expr="_event.data"/></send></transition>
  <transition event="sum"><assign location="sum" expr="_event.data"/></transition>
  <transition event="done.invoke.add" target="t"><assign location="sum" expr="_event.data + ' ' + _event.invokeid"/></transition>
  <transition event="error.communication" target="failed"/>
  <transition event="leave" target="t"/>
</state>
<state id="t"/><state id="failed"/>`
	var cancelled atomic.Bool
	adder := scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		from, _ := inv.Params.Get("from")
		sum := int(from.(int64))
		if inv.Src != "somewhere" || inv.ID != "add" || inv.Type != "adder" {
			return nil, fmt.Errorf("it got %+v", inv)
		}
		for {
			ev, err := inv.Receive(ctx)
			if err != nil {
				cancelled.Store(true)
				inv.Send(scxml.Event{Name: "late"})
				return nil, err
			}
			data, err := scxml.EventData[struct{ N int }](ev)
			if err != nil || data.N < 0 {
				return nil, errors.New("no number")
			}
			if sum += data.N; sum > 100 {
				return sum, nil
			}
			time.Sleep(time.Millisecond) // the virtual clock waits meanwhile
			if err := inv.Send(scxml.Event{Name: "sum", Data: sum}); err != nil {
				return nil, err
			}
		}
	})
	eval := func(s *scxml.Session, expr string) string {
		v, err := s.Eval(t.Context(), expr)
		if err != nil {
			t.Error(err)
		}
		return datamodel.Text(v)
	}
	t.Run("done", func(t *testing.T) {
		s, clock := start(t, inside, scxml.WithInvoker("adder", adder))
		send(t, s, clock, "next", 5)
		if got := eval(s, "sum"); got != "15" {
			t.Errorf("sum %s, want 15", got)
		}
		send(t, s, clock, "next", 90)
		wantConfiguration(t, s, "t")
		if got := eval(s, "sum + ' ' + got"); got != "105 add sum,done.invoke.add" {
			t.Errorf("sum and events: %s", got)
		}
	})
	t.Run("failed", func(t *testing.T) {
		s, clock := start(t, inside, scxml.WithInvoker("adder", adder))
		send(t, s, clock, "next", -1)
		wantConfiguration(t, s, "failed")
	})
	t.Run("cancelled", func(t *testing.T) {
		s, clock := start(t, inside, scxml.WithInvoker("adder", adder))
		s.OnEvent("late", func(scxml.Event) { t.Error("an event of a cancelled service arrives") })
		send(t, s, clock, "leave", nil)
		for !cancelled.Load() {
			time.Sleep(time.Millisecond)
		}
		if err := clock.Advance(t.Context(), s, time.Second); err != nil {
			t.Error(err)
		}
		wantConfiguration(t, s, "t")
	})
	t.Run("unknown", func(t *testing.T) {
		s, clock := start(t, `<state id="s"><invoke type="adder"/><transition event="error.execution" target="t"/></state><state id="t"/>`)
		if err := clock.Advance(t.Context(), s, 0); err != nil {
			t.Error(err)
		}
		wantConfiguration(t, s, "t")
	})
	t.Run("real time", func(t *testing.T) {
		quick := scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) { return "done", nil })
		s := newSession(t, parse(t, `<state id="s"><invoke type="quick" id="q"/><transition event="done.invoke.q" target="f"/></state><final id="f"/>`), scxml.WithInvoker("quick", quick))
		if err := s.Run(t.Context()); err != nil || s.FinalState() != "f" {
			t.Errorf("%v in %q", err, s.FinalState())
		}
	})
}

func TestAction(t *testing.T) {
	const inside = `<datamodel><data id="n" expr="20"/></datamodel>
<state id="s"><onentry><x:double xmlns:x="urn:x" of="n + 1" to="n"/><raise event="next"/></onentry>
<transition event="doubled" target="t"/><transition event="error.execution" target="failed"/><transition event="next" target="next"/></state>
<state id="t"/><state id="failed"/><state id="next"/>`
	double := func(c *scxml.ActionCall) error {
		v, err := c.Value("of")
		if err != nil {
			return err
		}
		n, ok := v.(int64)
		if !ok {
			return fmt.Errorf("%s is not a number", datamodel.Text(v))
		}
		if err := c.Assign("to", 2*n); err != nil {
			return err
		}
		return c.Raise("doubled", nil)
	}
	name := xml.Name{Space: "urn:x", Local: "double"}
	s, _ := start(t, inside, scxml.WithAction(name, double))
	wantConfiguration(t, s, "t")
	if v, err := s.Eval(t.Context(), "n"); err != nil || v != int64(42) {
		t.Errorf("n is %v, %v", v, err)
	}
	for _, broken := range []string{
		strings.Replace(inside, "n + 1", "nowhere", 1),
		strings.Replace(inside, "n + 1", "n +", 1),
		strings.Replace(inside, "n + 1", "'x'", 1),
		strings.Replace(inside, `to="n"`, "", 1),
		strings.Replace(inside, "urn:x", "urn:y", 1),
	} {
		s, _ := start(t, broken, scxml.WithAction(name, double))
		wantConfiguration(t, s, "failed")
	}
}

// The params of an element are evaluated as those of <send> are.
func TestActionParams(t *testing.T) {
	const inside = `<datamodel><data id="n" expr="20"/></datamodel>
<state id="s"><onentry><x:tell xmlns:x="urn:x"><param name="twice" expr="2 * n"/><other/>
<x:param name="n" location="n"/><param name="twice" expr="'again'"/></x:tell></onentry></state>`
	var got []scxml.Param
	var failed string
	tell := func(c *scxml.ActionCall) (err error) {
		got, err = c.Params()
		return err
	}
	opts := []scxml.Option{
		scxml.WithAction(xml.Name{Space: "urn:x", Local: "tell"}, tell),
		scxml.WithTrace(&scxml.Trace{Error: func(_ *scxml.Session, err *scxml.ExecutionError) { failed = err.Error() }}),
	}
	start(t, inside, opts...)
	if want := []scxml.Param{{"twice", int64(40)}, {"n", int64(20)}, {"twice", "again"}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, test := range []struct{ from, to, want string }{
		{"2 * n", "2 * m", "m is not defined"},
		{"2 * n", "2 *", "unexpected end of input"},
		{`expr="2 * n"`, "", `param "twice": attribute "expr" is missing`},
		{`name="twice"`, "", `attribute "name" of <param> is missing`},
	} {
		failed = ""
		start(t, strings.Replace(inside, test.from, test.to, 1), opts...)
		if !strings.Contains(failed, test.want) {
			t.Errorf("with %s: %q, want %q", test.to, failed, test.want)
		}
	}
}

func TestFunc(t *testing.T) {
	type point struct{ X, Y int }
	funcs := []scxml.Option{
		scxml.WithFunc("swap", func(p point) point { return point{p.Y, p.X} }),
		scxml.WithFunc("sum", func(first int, more ...int) int {
			for _, n := range more {
				first += n
			}
			return first
		}),
		scxml.WithFunc("check", func(ok bool) error {
			if !ok {
				return errors.New("not ok")
			}
			return nil
		}),
	}
	s, _ := start(t, `<datamodel><data id="n" expr="sum(1, 2, 3)"/></datamodel><state id="s"/>`, funcs...)
	for _, test := range []struct{ expr, want string }{
		{"n", "6"},
		{"sum()", "0"},
		{"swap({x: 1, y: 2})", `{"X":2,"Y":1}`},
		{"check(true)", "undefined"},
		{"(function() { try { check(false) } catch (e) { return 'caught ' + e.message } })()", "caught not ok"},
		{"(function() { try { sum('x') } catch (e) { return e.message } })()", "argument 1: cannot put \"x\" into int"},
		{"typeof sum", "function"},
	} {
		v, err := s.Eval(t.Context(), test.expr)
		if got := datamodel.Text(v); err != nil || got != test.want {
			t.Errorf("%s = %s, %v; want %s", test.expr, got, err, test.want)
		}
	}
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "from the host")
	s, _ = start(t, `<state id="s"/>`, scxml.WithFunc("where", func(ctx context.Context, more ...string) string {
		return fmt.Sprint(ctx.Value(key{}), more)
	}))
	if v, err := s.Eval(ctx, "where('a', 'b')"); err != nil || v != "from the host[a b]" {
		t.Errorf("with a context: %v, %v", v, err)
	}
	chart := parse(t, `<state id="s"/>`)
	for _, fn := range []any{nil, 1, func() (int, int) { return 0, 0 }} {
		if _, err := scxml.New(chart, scxml.WithFunc("f", fn)); err == nil {
			t.Errorf("%T is taken as a function", fn)
		}
	}
	_, err := scxml.New(parse(t, `<state id="s"/>`, `datamodel="null"`), funcs...)
	if want := `scxml: New: WithFunc: data model "null" of chart.scxml does not support functions`; err == nil || err.Error() != want {
		t.Errorf("the null data model: %v, want %s", err, want)
	}
	// A data model is asked whether it supports functions; its name does not matter.
	other, err := scxml.Parse("chart.scxml", []byte(document(`<state id="s"/>`, `datamodel="other"`)), scxml.WithLanguage(named{null.New(), "other"}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scxml.New(other, funcs...); err == nil || !strings.Contains(err.Error(), `data model "other" of chart.scxml does not support functions`) {
		t.Errorf("a data model without functions: %v", err)
	}
	script, err := scxml.Parse("chart.scxml", []byte(document(`<state id="s"/>`, `datamodel="null"`)), scxml.WithLanguage(named{ecmascript.New(), "null"}))
	if err != nil {
		t.Fatal(err)
	}
	newSession(t, script, funcs...)
}

// named is a data model under another name.
type named struct {
	datamodel.Language
	name string
}

func (n named) Name() string { return n.name }

func TestDirectory(t *testing.T) {
	var directory scxml.Directory
	const inside = `<datamodel><data id="peer"/></datamodel><state id="s">
<transition event="ask"><send event="question" targetexpr="'#_scxml_' + peer"/></transition>
<transition event="question"><send event="answer" targetexpr="_event.origin"/></transition>
<transition event="answer" target="t"/><transition event="error.communication" target="failed"/></state><state id="t"/><state id="failed"/>`
	a, clockA := start(t, inside, scxml.WithRouter(&directory), scxml.WithSessionID("a"), scxml.WithData("peer", "b"))
	b, clockB := start(t, inside, scxml.WithRouter(&directory), scxml.WithSessionID("b"))
	outsider, clockS := start(t, inside, scxml.WithData("peer", "b"))
	send(t, a, clockA, "ask", nil)
	if err := clockB.Advance(t.Context(), b, 0); err != nil {
		t.Fatal(err)
	}
	if err := clockA.Advance(t.Context(), a, 0); err != nil {
		t.Fatal(err)
	}
	wantConfiguration(t, a, "t")
	send(t, outsider, clockS, "ask", nil)
	wantConfiguration(t, outsider, "failed")
	b.Stop()
	b.Step(t.Context(), clockB.Now())
	c, clockC := start(t, inside, scxml.WithRouter(&directory), scxml.WithData("peer", "b"))
	send(t, c, clockC, "ask", nil)
	wantConfiguration(t, c, "failed")
}

func TestSessions(t *testing.T) {
	s, clock := start(t, `<state id="s"><invoke id="kid"><content><scxml version="1.0" name="Kid"><state id="k"/></scxml></content></invoke><transition event="go" target="t"/></state><state id="t"/>`)
	if err := clock.Advance(t.Context(), s, 0); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, each := range s.Sessions() {
		names = append(names, each.InvokeID()+":"+strings.Join(each.Configuration(), " "))
	}
	if want := []string{":s", "kid:k"}; !slices.Equal(names, want) {
		t.Errorf("sessions %q, want %q", names, want)
	}
	kid := s.Sessions()[1]
	send(t, s, clock, "go", nil)
	if len(s.Sessions()) != 1 || kid.Status() != scxml.Stopped {
		t.Errorf("%d sessions, the child is %v", len(s.Sessions()), kid.Status())
	}
	if err := kid.Start(t.Context()); err == nil {
		t.Error("an invoked session can be started")
	}
}
