package explore_test

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// lift is the chart that the tests change.
const lift = `<datamodel><data id="floor" expr="0"/></datamodel>
	<state id="idle"><transition event="up" cond="floor &lt; 3" target="moving"><assign location="floor" expr="floor + 1"/></transition>
		<transition event="down" cond="floor &gt; 0" target="moving"><assign location="floor" expr="floor - 1"/></transition>
		<transition event="off" cond="floor == 0" target="over"/></state>
	<state id="moving"><onentry><send event="motor"><param name="floor" expr="floor"/></send><send event="arrived" delay="2s"/></onentry>
		<transition event="arrived" target="idle"><log label="at" expr="floor"/></transition></state>
	<final id="over"><donedata><content expr="floor"/></donedata></final>`

// Compare finds a shortest way to what two charts do differently.
func TestCompare(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"same", "", "", ""},
		{"refactored", `target="moving"><assign location="floor" expr="floor + 1"/>`, `target="moving"><script>floor++</script>`, ""},
		{"renamed state", `"moving"`, `"between"`, ""},
		{"guard", `floor &lt; 3`, `floor &lt; 2`, "difference: send: old: motor {\"floor\":3}; new: nothing\n1. up\n2. advance 2s\n3. up\n4. advance 2s\n5. up"},
		{"data", `floor - 1`, `floor - 2`, "difference: send: old: motor {\"floor\":0}; new: motor {\"floor\":-1}\n1. up\n2. advance 2s\n3. down"},
		{"delay", `"2s"`, `"3s"`, "difference: send: old: arrived; new: nothing\n1. up\n2. advance 2s"},
		{"log", `label="at"`, `label="on"`, "difference: log: old: at 1; new: on 1\n1. up\n2. advance 2s"},
		{"state", `event="off" cond="floor == 0" target="over"`, `event="off" cond="floor == 0" target="idle"`, "difference: state: old: over; new: idle\n1. off"},
		{"end", `<content expr="floor"/>`, `<content expr="7"/>`, "difference: end: old: ended in over 0; new: ended in over 7\n1. off"},
		{"error", `<content expr="floor"/>`, `<content expr="flor"/>`, "difference: error: old: nothing; new: error.execution\n1. off"},
		{"limit", `target="over"/>`, `target="over"/><transition cond="floor == 2"/>`, "difference: limit: old: comes to rest; new: limit Microsteps = 100000 exceeded by "},
		{"start", `<send event="motor">`, `<send event="engine">`, "difference: send: old: motor {\"floor\":1}; new: engine {\"floor\":1}\n1. up"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(lift, test.old) {
				t.Fatalf("the chart does not have %q", test.old)
			}
			r := compare(t, lift, strings.ReplaceAll(lift, test.old, test.new), explore.Options{})
			got := ""
			for _, v := range r.Violations {
				got += v.String()
			}
			if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) || r.Verdict != map[bool]explore.Verdict{true: explore.Holds, false: explore.Violated}[test.want == ""] {
				t.Errorf("%v\n%s\nwant\n%s", r.Verdict, got, test.want)
			}
		})
	}
}

func compare(t *testing.T, old, new string, opts explore.Options, aspects ...explore.Aspect) *explore.Report {
	t.Helper()
	var charts [2]*scxml.Chart
	for i, inside := range []string{old, new} {
		charts[i] = parse(t, inside)
	}
	r, err := explore.Compare(t.Context(), charts[0], charts[1], opts, aspects...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Only the aspects count that are asked for.
func TestCompareAspects(t *testing.T) {
	higher := strings.ReplaceAll(lift, "floor &lt; 3", "floor &lt; 2")
	r := compare(t, lift, higher, explore.Options{}, explore.Logs)
	if want := "difference: log: old: at 3; new: nothing\n1. up\n2. advance 2s\n3. up\n4. advance 2s\n5. up\n6. advance 2s"; len(r.Violations) != 1 || r.Violations[0].String() != want {
		t.Errorf("got %v\nwant %s", r.Violations, want)
	}
	if r := compare(t, lift, higher, explore.Options{}, explore.Errors, explore.Limits); r.Violations != nil {
		t.Errorf("got %v %v", r.Verdict, r.Violations)
	}
}

// An event that one of the charts sends itself does not come from outside, a deadlock that both have is
// not a difference, and neither is a limit that both exceed.
func TestCompareHolds(t *testing.T) {
	const raises = `<state id="a"><transition event="go" target="b"><raise event="step"/></transition></state>
		<state id="b"><transition event="step" target="c"/></state><state id="c"/>`
	if r := compare(t, raises, strings.Replace(raises, `<raise event="step"/>`, ``, 1), explore.Options{}); len(r.Violations) != 1 || r.Violations[0].Property != string(explore.States) {
		t.Errorf("without the event: %v %v", r.Verdict, r.Violations)
	}
	const unseen = `<state id="a"><transition event="go" target="b"><raise event="step"/></transition></state>
		<state id="b"><transition event="never" target="c"/></state><state id="c"/>`
	if r := compare(t, unseen, strings.Replace(unseen, `<transition event="never" target="c"/>`, `<transition event="never" target="c"/><transition event="step"/>`, 1), explore.Options{}); r.Verdict != explore.Holds || r.Deadlocks != 1 {
		t.Errorf("an event that changes nothing: %v %v, %d deadlocks", r.Verdict, r.Violations, r.Deadlocks)
	}
	const endless = `<state id="a"><transition event="go" target="b"/></state><state id="b"><transition target="b"/></state>`
	if r := compare(t, endless, strings.Replace(endless, `<transition target="b"/>`, `<transition/>`, 1), explore.Options{}); r.Verdict != explore.Holds {
		t.Errorf("a limit that both exceed: %v %v", r.Verdict, r.Violations)
	}
}

// A limit that both exceed ends one way, and not those from the states that are visited after it.
func TestCompareAfterLimit(t *testing.T) {
	const chart = `<state id="a"><transition event="go" target="b"/><transition event="spin" target="loop"/></state>
		<state id="b"><transition event="spin" target="loop"/><transition event="call"><send event="answer"/></transition></state>
		<state id="loop"><transition target="loop"/></state>`
	r := compare(t, chart, strings.Replace(chart, "answer", "reply", 1), explore.Options{Workers: 1})
	if want := "difference: send: old: answer; new: reply\n1. go\n2. call"; len(r.Violations) != 1 || r.Violations[0].String() != want {
		t.Errorf("got %v %v\nwant %s", r.Verdict, r.Violations, want)
	}
}

// What cannot be explored is refused, and says why.
func TestCompareRefuses(t *testing.T) {
	chart := parse(t, lift)
	if _, err := explore.Compare(t.Context(), chart, chart, explore.Options{Reach: []string{"idle"}}); err == nil {
		t.Error("a state to reach is not refused")
	}
}
