package suite_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/suite"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

const counter = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="a"><invoke id="kid"><content><scxml version="1.0"><datamodel><data id="m" expr="'x'"/></datamodel><state id="k"/></scxml></content></invoke>
    <transition event="add" cond="n &lt; 3"><assign location="n" expr="n + 1"/></transition>
    <transition event="end" target="f"/></state>
  <final id="f"/>
</scxml>`

func TestCounterexampleTellsWhatChanges(t *testing.T) {
	chart := parse(t, "counter.scxml", counter)
	opts := explore.Options{Properties: []explore.Property{explore.Never("n == 2"), explore.Always("n < 1")}}
	report, err := explore.Run(t.Context(), chart, opts)
	if err != nil || len(report.Violations) != 2 {
		t.Fatal(report, err)
	}
	want := []string{"# in a\n# n = 0\n# [kid] m = \"x\"\nadd\n# in a\n# n: 0 → 1\n"}
	want = append(want, want[0]+"add\n# in a\n# n: 1 → 2\n")
	for i, v := range report.Violations {
		s, err := suite.Counterexample(t.Context(), chart, opts, v, whole)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Run(t.Context(), chart)
		if err != nil || len(got.Failures) != 1 || !strings.HasPrefix(got.Failures[0], v.Property+": ") {
			t.Errorf("got %v, %v", got, err)
		}
		if s.Events != want[i] {
			t.Errorf("got\n%s\nwant\n%s", s.Events, want[i])
		}
	}
}

func whole(id string, was, now datamodel.Value) []string {
	return []string{fmt.Sprintf("%s: %v → %v", id, was, now)}
}

// A scenario fails, or is not made.
func TestCounterexampleErrors(t *testing.T) {
	chart := parse(t, "counter.scxml", counter)
	own := explore.Property{Name: "mine", Holds: func(context.Context, explore.System) (bool, error) { return false, nil }}
	for _, test := range []struct {
		v    explore.Violation
		want string
	}{
		{explore.Violation{Kind: explore.Broken, Property: own.Name}, `a scenario cannot check the property "mine": want one of Never or Always, or a property chart`},
		{explore.Violation{Kind: explore.Broken, Property: "never n == 2"}, "cannot repeat the violation: property: never n == 2"},
		{explore.Violation{Kind: explore.Broken, Property: "never n ==\n0"}, "a property in a scenario is one line"},
		{explore.Violation{Kind: explore.Difference}, `a scenario cannot check "difference"`},
		{explore.Violation{Kind: explore.Missing, Property: "nowhere"}, `"nowhere" is not a state`},
	} {
		_, err := suite.Counterexample(t.Context(), chart, explore.Options{}, test.v, whole)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}
