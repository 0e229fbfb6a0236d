package scxml_test

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestMacrostepAllocatesNothing: a chart without scripts does not allocate once its session has
// done the same before.
func TestMacrostepAllocatesNothing(t *testing.T) {
	for _, c := range speedCharts() {
		allocatesNothing(t, c.name, compiled(t, c.name, render(c.name, c.root)), c.events...)
	}
	for name, inside := range map[string]string{
		"conditions": `<parallel id="p"><state id="a"><transition event="t" cond="In('b2')" target="a"/><transition event="t" cond="In('b1')" target="a"/></state>
			<state id="b"><state id="b1"><transition event="t" target="b2"/></state><state id="b2"><transition event="t" target="b1"/></state></state></parallel>`,
		"preemption": `<state id="o"><transition event="t" target="o"/><parallel id="p"><state id="a"><state id="a1"><transition event="t" target="b1"/></state></state>
			<state id="b"><state id="b1"><transition event="t" target="a1 b1"/></state></state></parallel></state>`,
		"done events": `<state id="a"><state id="a1"><transition event="t" target="f"/></state><final id="f"/><transition event="done.state.a" target="a"/></state>`,
		"done events of a parallel": `<parallel id="p"><state id="a"><state id="a1"><transition event="t" target="f"/></state><final id="f"/></state>
			<state id="b"><state id="b1"><transition event="t" target="g"/></state><final id="g"/></state><transition event="done.state.p" target="p"/></parallel>`,
		"shallow history": `<state id="a" initial="a1"><history id="h"><transition target="a1"/></history><state id="a1"/><state id="a2"/><transition event="t" target="b"/></state>
			<state id="b"><transition event="t" target="h"/></state>`,
		"targetless":                `<state id="a"><transition event="t"><raise event="r"/><if cond="In('a')"><raise event="r"/><else/><raise event="s"/></if></transition><transition event="r"/></state>`,
		"initial content":           `<state id="a"><transition event="t" target="b"/></state><state id="b"><initial><transition target="c"><raise event="r"/></transition></initial><state id="c"><transition event="r" target="a"/></state></state>`,
		"wildcards":                 `<state id="a"><transition event="x.y other *" target="a"/></state>`,
		"an event for nobody":       `<state id="a"><transition event="x" target="a"/></state>`,
		"an event to the session":   `<state id="a"><transition event="t"><send event="u"/></transition><transition event="u" target="a"/></state>`,
		"an internal event":         `<state id="a"><transition event="t"><send event="u" target="#_internal"/></transition><transition event="u" target="a"/></state>`,
		"a log that nobody reads":   `<state id="a"><onexit><log label="out"/></onexit><transition event="t" target="a"/></state>`,
		"a cancel without an event": `<state id="a"><transition event="t" target="a"><cancel sendid="x"/></transition></state>`,
	} {
		allocatesNothing(t, name, parse(t, inside, `datamodel="null"`), "t")
	}
	// Many states, of which some candidates are looked up.
	allocatesNothing(t, "a crowd of transitions", compiled(t, "crowd", render("Crowd", ringChart(10, 1000))), "next")
	allocatesNothing(t, "many regions", compiled(t, "regions", render("Regions", parallelChart(500))), "t")
}

func allocatesNothing(t *testing.T, name string, chart *scxml.Chart, events ...string) {
	t.Run(name, func(t *testing.T) {
		d := driven(t, chart)
		states := 0
		d.OnState(chart.States()[1].Name(), func(bool) { states++ }) // an observer does not change this
		plain := driven(t, chart)
		for _, d := range []driver{d, plain} {
			step := func() {
				for _, event := range events {
					if err := d.Send(scxml.Event{Name: event}); err != nil {
						t.Fatal(err)
					}
					d.finish()
				}
			}
			var effect scxml.Effect
			do := func() {
				for _, event := range events {
					if err := d.DoInto(d.ctx, now, scxml.Event{Name: event}, &effect); err != nil {
						t.Fatal(err)
					}
				}
			}
			for name, op := range map[string]func(){"Send and Step": step, "DoInto": do} {
				for range 10 {
					op()
				}
				if n := testing.AllocsPerRun(100, op); n != 0 {
					t.Errorf("%s: %v allocations", name, n)
				}
			}
		}
	})
}

// racing reports that the race detector is on.
var racing bool

// TestSessionIsSmall: a session of two states takes at most 770 bytes before its first event, and 1 KB
// with it: 768 for the session and its tree, 128 for the event and 128 for a queue of one. Options take
// 288 more. With the first event it takes at most 2,500 bytes if a guard and an action are functions of
// the host.
func TestSessionIsSmall(t *testing.T) {
	first := func(chart *scxml.Chart, event string, opts ...scxml.Option) func() {
		return func() {
			s, err := scxml.New(chart, opts...)
			if err == nil {
				err = s.Start(t.Context())
			}
			if err == nil {
				err = s.Send(scxml.Event{Name: event})
			}
			if err == nil {
				_, err = s.Step(t.Context(), now)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	ping := compiled(t, "ping", render("Ping", pingChart()))
	sessionIsSmall(t, 770, sessionOp(t, ping))
	sessionIsSmall(t, 1024, first(ping, "t"))
	sessionIsSmall(t, 1024+288, first(ping, "t", atNow))
	sessionIsSmall(t, 2500, first(parse(t, goFuncs), "e", atNow,
		scxml.WithFunc("above", func(n float64) bool { return n > 3 }), scxml.WithFunc("note", func(float64) {})))
}

func sessionIsSmall(t *testing.T, most uint64, op func()) {
	switch {
	case strconv.IntSize < 64:
		t.Skip("it is smaller still where a pointer has 4 bytes")
	case racing:
		t.Skip("it is larger with the race detector")
	}
	op()
	least := uint64(1 << 62) // other goroutines may allocate too
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 1000 {
			op()
		}
		runtime.ReadMemStats(&after)
		least = min(least, (after.TotalAlloc-before.TotalAlloc)/1000)
	}
	if t.Logf("%d bytes", least); least > most {
		t.Errorf("%d bytes", least)
	}
}

// Eval compiles a text once, also after many others.
func TestEvalAllocs(t *testing.T) {
	s, _ := start(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="a"/>`)
	for i := range 300 {
		if v, err := s.Eval(t.Context(), fmt.Sprintf("n + %d", i)); err != nil || v != int64(i) && v != float64(i) {
			t.Fatalf("n + %d: %v, %v", i, v, err)
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		if v, err := s.Eval(t.Context(), "In('a') && n == 0"); v != true || err != nil {
			t.Errorf("%v, %v", v, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
