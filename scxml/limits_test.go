package scxml_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func TestLimits(t *testing.T) {
	t.Run("Microsteps", func(t *testing.T) {
		s := newSession(t, parse(t, `<state id="a"><transition target="b"/></state><state id="b"><transition target="a"/></state>`),
			scxml.WithLimits(scxml.Limits{Microsteps: 1000}))
		err := s.Start(t.Context())
		var limit *scxml.LimitError
		if !errors.As(err, &limit) || limit.Limit != "Microsteps" || limit.Value != any(1000) || len(limit.States) != 2 {
			t.Errorf("Start: %v", err)
		}
		if s.Status() != scxml.Stopped || s.Err() != err {
			t.Errorf("status %v, error %v", s.Status(), s.Err())
		}
	})
	t.Run("Microsteps by a failing invoke", func(t *testing.T) {
		s := newSession(t, parse(t, `<state id="a"><invoke type="nonsense"/><transition event="error" target="a"/></state>`),
			scxml.WithLimits(scxml.Limits{Microsteps: 1000}))
		wantLimit(t, s.Start(t.Context()), "Microsteps")
	})
	t.Run("Microsteps of this macrostep only", func(t *testing.T) {
		s, clock := start(t, `<state id="a"><transition event="b" target="b"/></state><state id="b"><transition event="c" target="c"/></state>
			<state id="c"><transition target="d"/></state><state id="d"><transition target="c"/></state>`,
			scxml.WithLimits(scxml.Limits{Microsteps: 40}))
		send(t, s, clock, "b", nil)
		_, err := s.Do(t.Context(), clock.Now(), scxml.Event{Name: "c"})
		var limit *scxml.LimitError
		if !errors.As(err, &limit) || !reflect.DeepEqual(limit.States, []string{"c", "d"}) {
			t.Errorf("the loop is that of %v", err)
		}
	})
	t.Run("InternalQueue", func(t *testing.T) {
		s := newSession(t, parse(t, `<state id="a"><onentry><foreach array="[1,2,3,4,5]" item="i"><raise event="x"/></foreach></onentry></state>`),
			scxml.WithLimits(scxml.Limits{InternalQueue: 4}))
		var limit *scxml.LimitError
		if err := s.Start(t.Context()); !errors.As(err, &limit) || limit.Limit != "InternalQueue" {
			t.Errorf("Start: %v", err)
		}
	})
	t.Run("ExternalQueue", func(t *testing.T) {
		s, clock := start(t, lamp, scxml.WithLimits(scxml.Limits{ExternalQueue: 2}))
		for i := range 3 {
			if err := s.Send(scxml.Event{Name: "toggle"}); (err != nil) != (i == 2) || err != nil && !errors.Is(err, scxml.ErrQueueFull) {
				t.Errorf("Send %d: %v", i, err)
			}
		}
		send := func() error { return s.Send(scxml.Event{Name: "toggle"}) }
		if err := clock.Advance(t.Context(), s, 0); err != nil || send() != nil {
			t.Errorf("the queue does not drain: %v", err)
		}
	})
	t.Run("Timers", func(t *testing.T) {
		s, _ := start(t, `<state id="a"><onentry><send event="x" delay="1s"/><send event="x" delay="1s"/></onentry>
			<transition event="error.execution" target="b"/></state><state id="b"/>`, scxml.WithLimits(scxml.Limits{Timers: 1}))
		wantConfiguration(t, s, "b")
	})
	t.Run("ScriptTime", func(t *testing.T) {
		s, clock := start(t, `<state id="a"><transition event="go"><script>while (true) {}</script></transition>
			<transition event="error.execution" target="b"/></state><state id="b"><transition event="go" cond="1 + 1 == 2" target="c"/></state><state id="c"/>`,
			scxml.WithLimits(scxml.Limits{ScriptTime: 20 * time.Millisecond}))
		send(t, s, clock, "go", nil)
		wantConfiguration(t, s, "b")
		send(t, s, clock, "go", nil)
		wantConfiguration(t, s, "c")
	})
	t.Run("CallDepth", func(t *testing.T) {
		s, clock := start(t, `<state id="a"><transition event="go"><script>function f() { f() } f()</script></transition>
			<transition event="error.execution" target="b"/></state><state id="b"/>`)
		send(t, s, clock, "go", nil)
		wantConfiguration(t, s, "b")
	})
	t.Run("MacrostepTime of another session", func(t *testing.T) {
		other := fmt.Errorf("the other one: %w", &datamodel.EvalError{Msg: "too long", Err: datamodel.ErrMacrostepTime})
		s := newSession(t, parse(t, `<state id="a"><onentry><script>f()</script></onentry><transition event="error.execution" target="b"/></state><state id="b"/>`),
			scxml.WithFunc("f", func() error { return other }))
		if err := s.Start(t.Context()); err != nil || !s.In("b") {
			t.Errorf("Start: %v; the function failed, not the limit", err)
		}
	})
	t.Run("MacrostepTime", func(t *testing.T) {
		// No single evaluation is slow, but they never end.
		s := newSession(t, parse(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition cond="n &gt;= 0"><script>var end = n + 2e4; while (n &lt; end) n++; n = 0</script></transition></state>`),
			scxml.WithLimits(scxml.Limits{Microsteps: -1, MacrostepTime: 50 * time.Millisecond}))
		wantLimit(t, s.Start(t.Context()), "MacrostepTime")
		if s.Status() != scxml.Stopped {
			t.Errorf("status %v", s.Status())
		}
	})
	for _, test := range []struct {
		name    string
		limits  scxml.Limits
		content string // executable content that exceeds the limit
	}{
		{"DataSize", scxml.Limits{DataSize: 100}, `<send event="x"><param name="p" expr="'x'.repeat(100)"/></send>`},
		{"DataSize", scxml.Limits{DataSize: 100}, `<send event="x"><content expr="'x'.repeat(101)"/></send>`},
		{"DataDepth", scxml.Limits{DataDepth: 3}, `<send event="x"><content expr="[[[[1]]]]"/></send>`},
		{"Delay", scxml.Limits{Delay: time.Minute}, `<send event="x" delay="61s"/>`},
		{"Timers", scxml.Limits{Timers: 1}, `<send event="x" delay="1s"/><send event="x" delay="1s"/>`},
		{"ForeachItems", scxml.Limits{ForeachItems: 2}, `<foreach array="[1,2,3]" item="i"><assign location="n" expr="i"/></foreach>`},
		{"LogSize", scxml.Limits{LogSize: 100}, `<log expr="'x'.repeat(40)"/><log expr="'x'.repeat(40)"/><log expr="'x'.repeat(40)"/>`},
		{"ExprSize", scxml.Limits{ExprSize: 100}, `<script>` + strings.Repeat("1;", 60) + `</script>`},
		{"ExprDepth", scxml.Limits{ExprDepth: 5}, `<script>((((((1))))))</script>`},
		{"ArrayItems", scxml.Limits{ArrayItems: 10}, `<script>[...Array(11)]</script>`},
		{"StringLength", scxml.Limits{StringLength: 10}, `<script>'x'.repeat(11)</script>`},
		{"CallDepth", scxml.Limits{CallDepth: 10}, `<script>(function f(n) { if (n) f(n - 1) })(20)</script>`},
		{"ScriptTime", scxml.Limits{ScriptTime: 20 * time.Millisecond}, `<script>for (;;);</script>`},
	} {
		// The block ends with error.execution, and the session continues.
		t.Run(test.name, func(t *testing.T) {
			inside := `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition event="go">` + test.content + `<raise event="survived"/></transition>
				<transition event="error.execution" target="b"/><transition event="survived" target="c"/></state>
				<state id="b"><transition event="go" target="c"/></state><state id="c"/>`
			chart, err := scxml.Parse("chart.scxml", []byte(document(inside)), scxml.WithLimits(test.limits))
			if err != nil {
				t.Fatal(err)
			}
			for _, limited := range []bool{true, false} {
				opts := []scxml.Option{}
				want := []string{"b"}
				if !limited { // the session's own limits replace those of the chart
					if strings.HasPrefix(test.name, "Expr") || test.name == "ScriptTime" || test.name == "ArrayItems" || test.name == "StringLength" {
						continue
					}
					opts, want = append(opts, scxml.WithLimits(scxml.Limits{})), []string{"c"}
				}
				s := newSession(t, chart, opts...)
				if err := s.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if err := s.Send(scxml.Event{Name: "go"}); err != nil {
						t.Fatal(err)
					}
					if err := s.Advance(t.Context(), time.Now()); err != nil {
						t.Fatal(err)
					}
					if got := s.Configuration(); !reflect.DeepEqual(got, want) {
						t.Errorf("limited %v: configuration %v, want %v", limited, got, want)
					}
					want = []string{"c"}
				}
			}
		})
	}
	t.Run("Send", func(t *testing.T) {
		s, _ := start(t, lamp, scxml.WithLimits(scxml.Limits{DataSize: 100, DataDepth: 3}))
		wantLimit(t, s.Send(scxml.Event{Name: "x", Data: strings.Repeat("x", 101)}), "DataSize")
		wantLimit(t, s.Send(scxml.Event{Name: "x", Data: [][][][]int{{{{1}}}}}), "DataDepth")
		if err := s.Send(scxml.Event{Name: "x", Data: "short"}); err != nil {
			t.Error(err)
		}
	})
	t.Run("Sessions", func(t *testing.T) {
		kid := `<invoke><content><scxml version="1.0"><state/></scxml></content></invoke>`
		s, clock := start(t, `<state id="a">`+kid+kid+kid+`<transition event="error.execution" target="b"/></state><state id="b"/>`, scxml.WithLimits(scxml.Limits{Sessions: 3}))
		wantConfiguration(t, s, "b")
		if err := clock.Advance(t.Context(), s, 0); err != nil || len(s.Sessions()) != 1 {
			t.Errorf("%d sessions, %v", len(s.Sessions()), err)
		}
	})
}

func wantLimit(t *testing.T, err error, name string) {
	t.Helper()
	var limit *scxml.LimitError
	if !errors.As(err, &limit) || limit.Limit != name {
		t.Errorf("error %v, want one of limit %s", err, name)
	}
}

func TestDocumentLimits(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits scxml.Limits
		inside string
	}{
		{"size", scxml.Limits{DocumentSize: 200}, "<!--" + strings.Repeat("x", 200) + "--><state/>"},
		{"depth", scxml.Limits{DocumentDepth: 3}, "<state><state><state/></state></state>"},
		{"elements", scxml.Limits{Elements: 3}, "<state/><state/><state/>"},
		{"attributes", scxml.Limits{Attributes: 3}, `<state a="" b="" c="" d=""/>`},
	} {
		_, err := scxml.Parse("chart.scxml", []byte(document(test.inside)), scxml.WithLimits(test.limits))
		var bad *scxml.DocumentError
		if !errors.As(err, &bad) || bad.Diagnostics[0].Code != "document-limit" {
			t.Errorf("%s: error %v, want a document-limit", test.name, err)
		}
		if _, err := scxml.Parse("chart.scxml", []byte(document(test.inside))); err != nil {
			t.Errorf("%s: %v with the defaults", test.name, err)
		}
	}
}

// Every field has a default and a strict value.
func TestLimitsAreComplete(t *testing.T) {
	strict := reflect.ValueOf(scxml.Strict())
	for i := range strict.NumField() {
		if strict.Field(i).IsZero() {
			t.Errorf("Strict has no %s", strict.Type().Field(i).Name)
		}
	}
	got := fmt.Sprint(scxml.DefaultLimits())
	if strings.Contains(got, " 0") || strings.Contains(got, "{0") {
		t.Errorf("a default is missing: %s", got)
	}
}

// An embedder can remove limits.
func TestNoLimit(t *testing.T) {
	s := newSession(t, parse(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition cond="n &lt; 150000"><assign location="n" expr="n + 1"/></transition><transition target="b"/></state><final id="b"/>`),
		scxml.WithLimits(scxml.Limits{Microsteps: -1}))
	if err := s.Start(t.Context()); err != nil || s.FinalState() != "b" {
		t.Errorf("%v, %q", err, s.FinalState())
	}
}
