package suite_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/suite"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/cover"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// lift has a region with a timer, guards, a history and a state that is left in several ways.
const lift = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="floor" expr="0"/></datamodel>
  <parallel id="lift">
    <state id="doors">
      <state id="shut"><transition event="open" cond="In('still')" target="wide"/></state>
      <state id="wide"><onentry><send event="close" delay="3s" id="c"/></onentry><onexit><cancel sendid="c"/></onexit>
        <transition event="close" target="shut"/><transition event="block"><cancel sendid="c"/><send event="close" delay="3s" id="c"/></transition></state>
    </state>
    <state id="cabin">
      <history id="before"><transition target="still"/></history>
      <state id="still">
        <transition event="up" cond="floor &lt; 2 &amp;&amp; In('shut')" target="moving"><assign location="floor" expr="floor + 1"/></transition>
        <transition event="down" cond="floor &gt; 0 &amp;&amp; In('shut')" target="moving"><assign location="floor" expr="floor - 1"/></transition>
      </state>
      <state id="moving"><onentry><send event="arrived" delay="5s" id="a"/></onentry><onexit><cancel sendid="a"/></onexit>
        <transition event="arrived" target="still"/></state>
    </state>
    <transition event="stop" target="stopped"/>
  </parallel>
  <state id="stopped"><transition event="resume" target="before"/></state>
</scxml>`

func parse(t *testing.T, name, source string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse(name, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func TestSuiteCovers(t *testing.T) {
	chart := parse(t, "lift.scxml", lift)
	for _, test := range []struct {
		criterion suite.Criterion
		covered   func(e cover.Element) bool
	}{
		{suite.States, func(e cover.Element) bool { return !e.State || e.Count > 0 }},
		{suite.Transitions, func(e cover.Element) bool { return e.Count > 0 }},
		{suite.Pairs, func(e cover.Element) bool { return e.Count > 0 }},
		{suite.Guards, func(e cover.Element) bool { return e.Count > 0 && (e.Cond == "" || e.True > 0 && e.False > 0) }},
	} {
		s, err := suite.Cover(t.Context(), chart, explore.Options{MaxStates: 10_000}, "never", test.criterion)
		if err != nil {
			t.Fatal(err)
		}
		var profile cover.Profile
		for _, scenario := range s.Scenarios {
			if err := suite.Fill(t.Context(), scenario, chart); err != nil {
				t.Fatal(err)
			}
			got, err := scenario.Run(t.Context(), chart, scxml.WithTrace(profile.Trace()))
			if err != nil || len(got.Failures) > 0 {
				t.Errorf("%s: a scenario fails: %v, %v\n%s", test.criterion, got, err, scenario.Format())
			}
		}
		for _, e := range profile.Documents()[0].Elements {
			if !test.covered(e) {
				t.Errorf("%s: not covered: %+v", test.criterion, e)
			}
		}
		if len(s.Missing) > 0 {
			t.Errorf("%s: missing: %q", test.criterion, s.Missing)
		}
	}
}

// Every two transitions that can follow one another do so in the suite: here found by all sequences of up
// to five events.
func TestSuiteCoversAllPairs(t *testing.T) {
	chart := parse(t, "m.scxml", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
	  <state id="a"><transition event="x" target="b"/><transition event="y" target="b"/></state>
	  <state id="b"><transition event="x" target="c"/><transition event="y"/></state>
	  <state id="c"><transition event="x" target="a"/><transition event="z" cond="In('b')" target="b"/></state>
	</scxml>`)
	s, err := suite.Cover(t.Context(), chart, explore.Options{MaxStates: 10_000}, "never", suite.Pairs)
	if err != nil {
		t.Fatal(err)
	}
	pairs := func(events []string) map[string]bool {
		found, last := map[string]bool{}, ""
		session, err := scxml.New(chart, scxml.WithTrace(&scxml.Trace{Transition: func(_ *scxml.Session, now scxml.Transition) {
			if last != "" {
				found[last+", then "+now.Pos().String()] = true
			}
			last = now.Pos().String()
		}}))
		if err == nil {
			err = session.Start(t.Context())
		}
		for _, e := range events {
			if err == nil {
				_, err = session.Do(t.Context(), session.Now(), scxml.Event{Name: e})
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	covered := map[string]bool{}
	for _, scenario := range s.Scenarios {
		for p := range pairs(strings.Fields(scenario.Events)) {
			covered[p] = true
		}
	}
	for n := range 1024 * 3 * 3 {
		var events []string
		for range 5 {
			events = append(events, []string{"x", "y", "z"}[n%3])
			n /= 3
		}
		for p := range pairs(events) {
			if !covered[p] {
				t.Errorf("no scenario has %s", p)
				covered[p] = true
			}
		}
	}
	if len(covered) < 9 {
		t.Errorf("only %d pairs", len(covered))
	}
}

func TestSuiteIsTheSameOnAnyNumberOfWorkers(t *testing.T) {
	chart := parse(t, "lift.scxml", lift)
	var want *suite.Suite
	for _, workers := range []int{1, 2, 7} {
		s, err := suite.Cover(t.Context(), chart, explore.Options{MaxStates: 10_000, Workers: workers}, "never", suite.Criteria()...)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = s
		} else if !reflect.DeepEqual(s, want) {
			t.Errorf("%d workers: got %+v\nwant %+v", workers, s, want)
		}
	}
}

// No scenario of a suite is superfluous.
func TestSuiteIsMinimal(t *testing.T) {
	const wide = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null"><state id="s">%s</state></scxml>`
	var transitions strings.Builder
	for i := range 20 {
		fmt.Fprintf(&transitions, `<transition event="e%d"/>`, i)
	}
	chart := parse(t, "wide.scxml", fmt.Sprintf(wide, transitions.String()))
	s, err := suite.Cover(t.Context(), chart, explore.Options{MaxStates: 10_000}, "never", suite.Transitions)
	if err != nil || len(s.Scenarios) != 20 || slices.ContainsFunc(s.Scenarios, func(x *scxmltest.Scenario) bool { return strings.Count(x.Events, "\n") != 1 }) {
		t.Errorf("got %d scenarios, %v", len(s.Scenarios), err)
	}
}

func TestUnknownCriterion(t *testing.T) {
	_, err := suite.Cover(t.Context(), parse(t, "lift.scxml", lift), explore.Options{MaxStates: 10_000}, "never", "lines")
	if err == nil || err.Error() != `suite: "lines" is not a criterion: want one of ["states" "transitions" "pairs" "guards"]` {
		t.Errorf("got %v", err)
	}
}
