package suite_test

import (
	"os"
	"os/exec"
	"reflect"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/suite"
	_ "github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

func TestMain(m *testing.M) { os.Exit(clitest.OwnCache(m)) }

// till has data of events, conditions that fail, events that are raised, histories in a parallel, a limit that is exceeded,
// an end, and what nothing leads to.
const till = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="sum" expr="0"/><data id="list" expr="[]"/></datamodel>
  <parallel id="till">
    <state id="money">
      <initial><transition target="few"><assign location="sum" expr="1"/></transition></initial>
      <state id="few">
        <transition event="coin" cond="_event.data.x &gt; 1"><assign location="sum" expr="sum + _event.data.x"/></transition>
        <transition event="coin" cond="list.none.x" target="never"/>
        <transition event="coin.*"/>
        <transition cond="sum &gt; 4" target="many"><raise event="full"/></transition>
      </state>
      <state id="many"><transition event="pay" target="few"><assign location="sum" expr="0"/></transition></state>
      <state id="never"/>
    </state>
    <state id="drawer">
      <state id="shut"><transition event="open" target="ajar"/></state>
      <state id="ajar">
        <history id="before"><transition target="wide"/></history>
        <state id="wide"><transition event="push" target="narrow"/></state>
        <state id="narrow"><transition event="push full" target="shut"/><transition event="loop"><raise event="loop"/></transition></state>
      </state>
      <transition event="back" target="before"/>
      <transition event="full" target="shut"/>
    </state>
    <transition event="close" cond="In('shut')" target="closed"/>
  </parallel>
  <state id="closed"><transition event="back" target="before"/><transition event="end" target="end"/></state>
  <final id="end"/>
</scxml>`

// line has one thing after the other.
const line = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="a"><transition event="go" target="b"/></state>
  <state id="b"><transition event="go" target="c"/></state>
  <state id="c"><transition event="go" cond="n &lt; 3" target="a"><assign location="n" expr="n + 1"/></transition>
    <transition event="go" target="d"/></state>
  <state id="d"><transition event="go" target="e"/></state>
  <state id="e"/>
</scxml>`

// A program makes the suites that sessions make.
func TestProgram(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	for name, source := range map[string]string{"lift.scxml": lift, "till.scxml": till, "line.scxml": line} {
		chart := parse(t, name, source)
		var data map[string][]any
		if source == till {
			data = map[string][]any{"coin": {map[string]any{"x": 1.0}, map[string]any{"x": 3.0}}}
		}
		for _, criteria := range [][]suite.Criterion{{suite.States}, {suite.Transitions}, {suite.Pairs}, {suite.Guards}, suite.Criteria()} {
			for _, opts := range []explore.Options{{MaxStates: 10_000, Data: data}, {MaxDepth: 2, Data: data}, {MaxStates: 13, Data: data}} {
				want, err := suite.Cover(t.Context(), chart, opts, "never", criteria...)
				if err != nil {
					t.Fatal(err)
				}
				if len(want.Covered) < 3 {
					t.Errorf("%s, %v: covered only %q", name, criteria, want.Covered)
				}
				for opts.Workers = range 3 {
					got, err := suite.Cover(t.Context(), chart, opts, "always", criteria...)
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Fatalf("%s, %v, %+v: a program made\n%+v, %v, want\n%+v", name, criteria, opts, got, err, want)
					}
				}
			}
		}
	}
}
