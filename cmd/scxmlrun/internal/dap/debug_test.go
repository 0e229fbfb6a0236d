package dap_test

import (
	"slices"
	"strings"
	"testing"

	godap "github.com/google/go-dap"
)

// shop has data, a parallel, a delayed event and an invoked session.
const shop = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="shop" initial="open">
  <datamodel>
    <data id="total" expr="0"/>
    <data id="items" expr="['a', {b: [1, 2]}]"/>
  </datamodel>
  <state id="open">
    <transition event="buy" target="paying">
      <log label="bought" expr="_event.data"/>
      <assign location="total" expr="total + _event.data"/>
    </transition>
    <transition event="fail"><assign location="total" expr="missing.x"/></transition>
    <transition event="work" target="helping"/>
  </state>
  <state id="paying">
    <onentry>
      <send event="late" delay="5s"/>
      <assign location="items" expr="items.concat(total)"/>
    </onentry>
    <transition event="late" target="open"/>
    <transition event="paid" target="done"/>
  </state>
  <state id="helping">
    <invoke type="scxml" id="helper"><content>
      <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="helper" initial="h">
        <datamodel><data id="mine" expr="7"/></datamodel>
        <state id="h"><transition event="ask"><log expr="mine"/></transition></state>
      </scxml>
    </content></invoke>
    <transition event="buy" target="open"/>
  </state>
  <final id="done"/>
</scxml>`

// line returns the number of the line of a chart that has a text.
func line(t *testing.T, chart, text string) int {
	t.Helper()
	before, _, ok := strings.Cut(chart, text)
	if !ok {
		t.Fatalf("the chart does not have %q", text)
	}
	return strings.Count(before, "\n") + 1
}

// begin launches a chart on a virtual clock, with breakpoints at the lines that have the given texts, and
// lets it run.
func (c *client) begin(chart string, arguments object, at ...string) (file string) {
	c.t.Helper()
	file = write(c.t, chart)
	launch := object{"program": file, "clock": "virtual"}
	for name, v := range arguments {
		launch[name] = v
	}
	c.launch(launch)
	for i, b := range c.breakAt(file, chart, at...) {
		if !b.Verified {
			c.t.Fatalf("the breakpoint at %q: %s", at[i], b.Message)
		}
	}
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	return file
}

// breakAt sets the breakpoints of a file.
func (c *client) breakAt(file, chart string, at ...string) []godap.Breakpoint {
	c.t.Helper()
	all := []object{}
	for _, text := range at {
		all = append(all, object{"line": line(c.t, chart, text)})
	}
	return ask[*godap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": file}, "breakpoints": all}).Body.Breakpoints
}

// top returns the topmost frame of the first session.
func (c *client) top() godap.StackFrame {
	c.t.Helper()
	return c.stack(1)[0]
}

func TestRunToBreakpoint(t *testing.T) {
	c := connect(t)
	file := c.begin(shop, object{"events": []string{"buy 3"}}, `<assign location="total"`)
	stop := c.stopped("breakpoint")
	if stop.Body.ThreadId != 1 || !stop.Body.AllThreadsStopped || len(stop.Body.HitBreakpointIds) != 1 {
		t.Errorf("stopped: %+v", stop.Body)
	}
	frames := c.stack(1)
	want := []string{"9:7", "7:5"}
	for i, w := range want {
		if i >= len(frames) || !strings.HasPrefix(names(frames)[i], w) {
			t.Fatalf("frames: %q, want places %q", names(frames), want)
		}
	}
	if f := frames[0]; f.Source == nil || f.Source.Path != file || f.EndLine != 9 || !strings.Contains(f.Name, "assign") {
		t.Errorf("the topmost frame: %+v", f)
	}
	if got := c.variables(frames[0].Id, "Data"); !slices.Equal(got, []string{"total = 0", `items = ["a",{"b":[1,2]}]`}) {
		t.Errorf("data: %q", got)
	}
	if got := c.variables(frames[0].Id, "Event"); !slices.Contains(got, `name = "buy"`) || !slices.Contains(got, "data = 3") {
		t.Errorf("_event: %q", got)
	}
	for expr, want := range map[string]string{"total + _event.data": "3", "In('open')": "false", "items[1].b": "[1,2]", "'a'": `"a"`} {
		for _, context := range []string{"watch", "hover", "repl", "clipboard", "variables", ""} {
			if got := c.evaluate(context, expr); got != want {
				t.Errorf("evaluate %s in %q: %s, want %s", expr, context, got, want)
			}
		}
	}
	c.refused("evaluate", object{"expression": "nothing.x", "frameId": frames[0].Id}, "nothing")
	c.refused("evaluate", object{"expression": "1", "frameId": 9999}, "9999")
	ask[*godap.NextResponse](c, "next", object{"threadId": 1})
	c.stopped("step")
	if got := c.evaluate("watch", "total"); got != "3" {
		t.Errorf("total after the step: %s", got)
	}
	ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	if stop := c.stopped("pause"); !strings.HasPrefix(stop.Body.Description, "Idle") {
		t.Errorf("stopped: %+v", stop.Body)
	}
	if got := c.evaluate("watch", "items"); got != `["a",{"b":[1,2]},3]` {
		t.Errorf("items: %s", got)
	}
}

// On the real clock the events of the launch wait in the queue from the beginning.
func TestEventsOnRealClock(t *testing.T) {
	c := connect(t)
	c.launch(object{"program": write(t, lamp), "events": []any{"push", object{"event": "push"}, "push"}})
	ask[*godap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", object{"breakpoints": []object{{"name": "enter:on", "hitCondition": "2"}}})
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	c.stopped("function breakpoint")
	if got := c.evaluate("watch", "n"); got != "1" {
		t.Errorf("n = %s", got)
	}
}

func TestStepping(t *testing.T) {
	c := connect(t)
	c.begin(shop, object{"stopOnEntry": true, "events": []string{"buy 3", "paid"}})
	c.stopped("entry")
	var places []string
	step := func(command string) {
		t.Helper()
		c.response(c.send(command, object{"threadId": 1}))
		stop := event[*godap.StoppedEvent](c)
		place := "nowhere"
		if frames := c.stack(1); len(frames) > 0 {
			place = names(frames)[0]
		}
		places = append(places, command+" "+stop.Body.Reason+" "+place+" "+c.evaluate("repl", "where"))
	}
	for range 12 {
		step("stepIn")
	}
	step("stepOut")
	step("next")
	step("stepBack")
	step("stepBack")
	step("reverseContinue")
	want := []string{
		"stepIn step 1:1 the initial states 0.1 (microstep) of 0.1",
		"stepIn step 6:3 open 0.2 (enter) of 0.2",
		"stepIn step 6:3 open 1.0 (rest) of 1.0",
		"stepIn step 7:5 open buy -> paying 1.2 (microstep) of 1.2",
		"stepIn step 8:7 log bought 1.5 (element) of 1.5",
		"stepIn step 9:7 assign total 1.6 (element) of 1.6",
		"stepIn step 14:3 paying 1.7 (enter) of 1.7",
		"stepIn step 16:7 send late 1.8 (element) of 1.8",
		"stepIn step 17:7 assign items 1.9 (element) of 1.9",
		"stepIn step 14:3 paying 2.0 (rest) of 2.0",
		"stepIn step 20:5 paying paid -> done 2.2 (microstep) of 2.2",
		"stepIn step 31:3 done 2.5 (enter) of 2.5",
		"stepOut step 1:1 final state done 3.0 (rest) of 3.0",
		"next pause 1:1 final state done 3.0 (rest) of 3.0",
		"stepBack step 20:5 paying paid -> done 2.2 (microstep) of 3.0",
		"stepBack step 14:3 paying 2.0 (rest) of 3.0",
		"reverseContinue entry 1:1 before the start 0.0 (rest) of 3.0",
	}
	if !slices.Equal(places, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(places, "\n"), strings.Join(want, "\n"))
	}
}
