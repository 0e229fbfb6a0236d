package scxmltest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

const counter = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="counting">
    <transition event="add" cond="n &lt; 3"><assign location="n" expr="n + _event.data.by"/></transition>
    <transition event="wait" target="waiting"/>
    <transition event="wrong"><assign location="n.m.o" expr="1"/></transition>
    <transition event="loop" target="looping"/>
    <transition event="end" target="ended"/>
  </state>
  <state id="waiting"><onentry><send event="late" delay="1s"/><send event="later" delay="2s"/></onentry>
    <transition event="late"><assign location="n" expr="100"/></transition>
    <transition event="later" target="counting"><assign location="n" expr="0"/></transition>
  </state>
  <state id="looping"><transition event="again"/><transition event="*"><raise event="on"/></transition></state>
  <final id="ended"/>
</scxml>
`

// runCounter runs a scenario of the counter.
func runCounter(t *testing.T, events, check string, files map[string]string) (*Result, error) {
	t.Helper()
	s := &Scenario{Events: events, Check: check, Files: map[string]string{"chart.scxml": counter}}
	for name, text := range files {
		s.Files[name] = text
	}
	chart, err := s.Load("")
	if err != nil {
		t.Fatal(err)
	}
	return s.Run(t.Context(), chart)
}

func TestChecks(t *testing.T) {
	for _, test := range []struct{ events, check, failure string }{
		{`add {"by":1}`, "never n == 2", ""},
		{"add {\"by\":2}\nadd {\"by\":1}", "never n == 2", `never n == 2: it is true in counting, after add {"by":2}`},
		{"", "never In('counting')", "never In('counting'): it is true in counting, at the start"},
		{"end", "never In('ended')", "never In('ended'): it is true in ended, after end"},
		{"end", "reach waiting", "reach waiting: it is not: at the end in ended"},
		{`add {"by":1}`, "always n < 2", ""},
		{`add {"by":5}`, "always n < 2", `always n < 2: it is false in counting, after add {"by":5}`},
		{"wait\nadvance 3s", "never n == 100", "never n == 100: it is true in waiting, after advance 3s"}, // between the two
		{"wait\nadvance 3s", "reach waiting", ""},
		{"add {\"by\":1}", "reach waiting", "reach waiting: it is not: at the end in counting"},
		{`add {"by":1}`, "data n 1", ""},
		{`add {"by":1}`, "data n 2", "data n 2: it is 1"},
		{"wait", "leads-to In('waiting') => In('counting')", "leads-to In('waiting') => In('counting'): at the end it is not true: in waiting"},
		{"wait\nadvance 2s", "leads-to In('waiting') => In('counting')", ""},
		{"wait\nadvance 2s\nwait", "leads-to In('waiting') => n == 100", "leads-to In('waiting') => n == 100: at the end it is not true: in waiting"},
		{"add {\"by\":1}", "no error", ""},
		{"wrong", "no error", "no error: error.execution: chart.scxml:6:"},
		{"add {\"by\":1}", "no limit", ""},
		{"loop\nanother", "no limit", "no limit: "},
		{"add {\"by\":1}", "no deadlock", ""},
		{"add {\"by\":1}\nwait\nadvance 2s", "# a comment\n\nno deadlock\nreach waiting\nnever n > 100", ""},
	} {
		got, err := runCounter(t, test.events, test.check, nil)
		if err != nil {
			t.Errorf("%q, %q: %v", test.events, test.check, err)
			continue
		}
		all := strings.Join(got.Failures, "\n")
		if test.failure == "" && all != "" || !strings.HasPrefix(all, test.failure) {
			t.Errorf("%q, %q: got\n%q\nwant\n%q", test.events, test.check, all, test.failure)
		}
	}
}

// Whether a state is a deadlock depends on the data that events carry.
func TestCheckDeadlockWithData(t *testing.T) {
	const stuck = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
	  <state id="a"><transition event="e" cond="_event.data == 7" target="b"/></state><state id="b"/></scxml>`
	for _, test := range []struct{ events, data, failure string }{
		{"", `{"e": [1, 7]}`, ""},
		{"", `{"e": [1]}`, "no deadlock: no event changes anything in a"},
		{"e 7", `{"e": [7]}`, "no deadlock: no event changes anything in b"},
	} {
		got, err := runCounter(t, test.events, "no deadlock", map[string]string{"chart.scxml": stuck, "data.json": test.data})
		if err != nil || strings.Join(got.Failures, "\n") != test.failure {
			t.Errorf("%q %s: got %v, %v", test.events, test.data, got, err)
		}
	}
}

func TestBadChecks(t *testing.T) {
	for check, want := range map[string]string{
		"\nsometimes x":          `check line 2: "sometimes" is not a check: want always, data, `,
		"no luck":                `"no luck" cannot be checked: want no deadlock, no error or no limit`,
		"reach nowhere":          `"nowhere" is not a state of chart.scxml`,
		"leads-to x":             `"x" is not "A => B": want two expressions`,
		"data n":                 `"n" does not have a value: want data NAME JSON`,
		"data n {":               "check line 1: ",
		"always n = 2":           `check line 1: property "always n = 2": it changes data (n = 2); to compare, write ==`,
		"leads-to n++ => n == 2": `check line 1: property "n++ => n == 2": it changes data (n++)`,
		"never 1 +":              `check line 1: property "never 1 +": SyntaxError`,
		"always nowhere":         `check "always nowhere": `,
		"data nowhere 1":         `check "data nowhere 1": `,
		"leads-to 1 => +":        `check line 1: property "1 => +": SyntaxError`,
		"leads-to + => 1 ":       `check line 1: property "+ => 1": SyntaxError`,
	} {
		if _, err := runCounter(t, "", check, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", check, err, want)
		}
	}
	if _, err := runCounter(t, "", "no deadlock", map[string]string{"data.json": "[]"}); err == nil || !strings.Contains(err.Error(), "data.json: ") {
		t.Errorf("got %v", err)
	}
}

// A trace counts if it is there, and a scenario has to expect something.
func TestTraceIsOptionalWithCheck(t *testing.T) {
	for _, test := range []struct {
		trace  []byte
		check  string
		passes bool
	}{
		{nil, "never n == 2", true},
		{nil, "", false},
		{[]byte("enter counting\nstable counting\n"), "", true},
		{[]byte("enter counting\nstable counting\n"), "never n == 2", true},
		{[]byte{}, "never n == 2", false},
	} {
		s := &Scenario{Trace: test.trace, Check: test.check, Files: map[string]string{"chart.scxml": counter}}
		s, err := ParseScenario(s.Format())
		if err != nil {
			t.Fatal(err)
		}
		chart, err := s.Load("")
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Run(t.Context(), chart)
		if err != nil || (len(got.Failures) == 0) != test.passes {
			t.Errorf("%q, %q: got %v, %v", test.trace, test.check, got, err)
		}
	}
}

// A scenario may name the file of its chart.
func TestScenarioOfAChartOutside(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "tests"), 0o777); err != nil {
		t.Fatal(err)
	}
	s := &Scenario{Comment: "Outside.", Chart: "../counter.scxml", Events: "wait", Trace: []byte("enter counting\n"), Check: "reach waiting"}
	for name, data := range map[string][]byte{"counter.scxml": []byte(counter), "tests/c.txtar": s.Format()} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	*update = true
	RunFiles(t, filepath.Join(dir, "tests", "*"))
	*update = false
	RunFiles(t, filepath.Join(dir, "tests", "*"))
	source, err := os.ReadFile(filepath.Join(dir, "tests", "c.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseScenario(source)
	if err != nil || !strings.HasPrefix(string(got.Trace), "enter counting\nstable counting\nevent wait\n") {
		t.Errorf("the trace is %q, %v", got.Trace, err)
	}
	got.Trace, s.Trace = nil, nil
	if string(got.Format()) != string(s.Format()) {
		t.Errorf("got\n%s\nwant\n%s", got.Format(), s.Format())
	}
}

// A scenario that begins in a saved session continues at the time of that session, and also if the
// chart has changed since then.
func TestScenarioFromSnapshot(t *testing.T) {
	chart, err := scxml.Parse("c.scxml", []byte(counter))
	if err != nil {
		t.Fatal(err)
	}
	before := Start(t, chart)
	before.Do("wait")
	before.Advance(1500e6)
	s := &Scenario{Events: "advance 500ms", Check: "reach counting\ndata n 0"}
	if s.Snapshot, err = before.Snapshot(); err != nil {
		t.Fatal(err)
	}
	if s, err = ParseScenario(s.Format()); err != nil {
		t.Fatal(err)
	}
	changed, err := scxml.Parse("c.scxml", []byte(strings.Replace(counter, "n &lt; 3", "n &lt; 4", 1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, chart := range []*scxml.Chart{chart, changed} {
		got, err := s.Run(t.Context(), chart)
		if err != nil || len(got.Failures) > 0 || !strings.HasPrefix(got.Trace, "due later\n") {
			t.Errorf("got %v, %v", got, err)
		}
	}
}

// A chart that never comes to rest does not hang its test.
func TestReplayEnds(t *testing.T) {
	const endless = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
	  <state id="a"><onentry><send event="e"/></onentry><transition event="e" target="a"/></state></scxml>`
	got, err := runCounter(t, "", "no limit", map[string]string{"chart.scxml": endless})
	if err != nil || len(got.Failures) != 1 || !strings.HasSuffix(got.Trace, "the chart sends itself events forever\n") {
		t.Errorf("got %v, %v", got.Failures, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &Scenario{Files: map[string]string{"chart.scxml": counter}, Check: "no limit"}
	chart, err := s.Load("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(ctx, chart); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// An event may have the name of a command, or look like a comment.
func TestQuotedEventNames(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"><transition event="*"/></state></scxml>`
	for _, name := range []string{"stop", "advance", "#1", `"x`, "x"} {
		line := explore.Input{Event: name, Data: "d"}.String()
		got, err := runCounter(t, line, "", map[string]string{"chart.scxml": chart})
		if err != nil {
			t.Error(err)
			continue
		}
		want := "\n" + (&record.Record{Kind: record.Event, Event: scxml.Event{Name: name, Data: "d"}}).String() + "\ntransition s\n"
		if !strings.Contains(got.Trace, want) {
			t.Errorf("%s: got\n%s", line, got.Trace)
		}
	}
}

// A property chart observes a session that starts, and one that is restored.
func TestCheckProperty(t *testing.T) {
	const property = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
	  <state id="quiet"><transition event="enter.waiting" target="waits"/></state>
	  <state id="waits"><transition event="event.add" cond="_event.data.by == 1" target="added"/><transition event="exit.waiting" target="quiet"/></state>
	  <final id="added"/></scxml>`
	chart, err := scxml.Parse("c.scxml", []byte(counter))
	if err != nil {
		t.Fatal(err)
	}
	before := Start(t, chart)
	before.Do("wait")
	snapshot, err := before.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		snapshot        []byte
		events, failure string
	}{
		{nil, "add {\"by\":1}\nwait", ""},
		{nil, "wait\nadd {\"by\":2}\nadd {\"by\":1}", "property p.scxml: it reaches added in waiting, after add {\"by\":1}"},
		{nil, "wait\nadvance 2s\nadd {\"by\":1}", ""},
		{snapshot, "add {\"by\":1}", "property p.scxml: it reaches added in waiting, after add {\"by\":1}"},
		{snapshot, "advance 2s\nadd {\"by\":1}", ""},
	} {
		s := &Scenario{Snapshot: test.snapshot, Events: test.events, Check: "property p.scxml", Files: map[string]string{"p.scxml": property}}
		got, err := s.Run(t.Context(), chart)
		if err != nil || strings.Join(got.Failures, "\n") != test.failure {
			t.Errorf("%q: got %v, %v", test.events, got, err)
		}
	}
}
