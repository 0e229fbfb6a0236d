package dap_test

import (
	"strings"
	"testing"

	godap "github.com/google/go-dap"
)

// busy never comes to rest: its loop has no limit.
const busy = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="busy">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="a"><transition target="b"><assign location="n" expr="n + 1"/></transition></state>
  <state id="b"><transition target="a"/></state>
</scxml>`

// stuck has a script that never ends.
const stuck = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="stuck">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="a"><transition event="go"><script>while (true) n++</script></transition></state>
</scxml>`

func TestRunning(t *testing.T) {
	c := connect(t)
	c.launch(object{"program": write(t, lamp)}) // on the real clock
	c.refused("continue", object{"threadId": 1}, "configurationDone is missing")
	c.refused("stackTrace", object{"threadId": 2}, "no thread 2")
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	c.refused("configurationDone", nil, "already")
	// It waits for events now, or will soon.
	for _, command := range []string{"continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "stackTrace", "restartFrame", "scopes"} {
		c.refused(command, object{"threadId": 1}, "the session is running: pause it first")
	}
	c.refused("evaluate", object{"expression": "n"}, "running")
	c.refused("setExpression", object{"expression": "n", "value": "1"}, "running")
	c.refused("exceptionInfo", object{"threadId": 1}, "running")
	if all := ask[*godap.ThreadsResponse](c, "threads", nil).Body.Threads; len(all) != 1 || all[0].Id != 1 || all[0].Name != "lamp" {
		t.Errorf("threads: %+v", all)
	}
	if got := ask[*godap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", object{"breakpoints": []object{{"name": "enter:on"}}}); !got.Body.Breakpoints[0].Verified {
		t.Errorf("a breakpoint while the session runs: %+v", got.Body)
	}
	if got := c.evaluate("repl", "send push"); got != "sent push" {
		t.Errorf("send: %q", got)
	}
	c.stopped("function breakpoint")
	if got := c.evaluate("repl", "send push"); got != "sent push; continue or step to take it" {
		t.Errorf("send: %q", got)
	}
	ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	ask[*godap.PauseResponse](c, "pause", object{"threadId": 1})
	if stop := c.stopped("pause"); !strings.HasPrefix(stop.Body.Description, "Paused, at ") {
		t.Errorf("stopped: %+v", stop.Body)
	}
	ask[*godap.PauseResponse](c, "pause", object{"threadId": 1}) // nothing to do
	if got := c.evaluate("watch", "n"); got != "1" {
		t.Errorf("n = %s", got)
	}
}

func TestPauseHostile(t *testing.T) {
	c := connect(t)
	c.begin(busy, object{"limits": []string{"Microsteps=-1"}})
	c.evaluateRunning()
	for range 3 {
		ask[*godap.PauseResponse](c, "pause", object{"threadId": 1})
		c.stopped("pause")
		before := c.evaluate("watch", "n")
		if frames := c.stack(1); len(frames) == 0 || frames[0].Line < 1 {
			t.Errorf("frames: %+v", frames)
		}
		ask[*godap.NextResponse](c, "next", object{"threadId": 1})
		c.stopped("step")
		ask[*godap.NextResponse](c, "next", object{"threadId": 1})
		c.stopped("step")
		ask[*godap.NextResponse](c, "next", object{"threadId": 1})
		c.stopped("step")
		if after := c.evaluate("watch", "n"); after == before {
			t.Errorf("n = %s after three steps", after)
		}
		ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	}
	ask[*godap.DisconnectResponse](c, "disconnect", nil)
	if err := <-c.served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// evaluateRunning checks that the session runs.
func (c *client) evaluateRunning() {
	c.t.Helper()
	c.refused("evaluate", object{"expression": "n"}, "running")
}

// A script that never ends is interrupted by its limit, and at once when the client leaves.
func TestStuckScript(t *testing.T) {
	for _, leave := range []string{"disconnect", "terminate", "end of input"} {
		t.Run(leave, func(t *testing.T) {
			c := connect(t)
			c.begin(stuck, object{"limits": []string{"ScriptTime=-1s", "MacrostepTime=-1s"}, "events": []string{"go"}})
			c.evaluateRunning()
			switch leave {
			case "disconnect":
				ask[*godap.DisconnectResponse](c, "disconnect", nil)
			case "terminate":
				ask[*godap.TerminateResponse](c, "terminate", nil)
				event[*godap.TerminatedEvent](c)
				c.refused("stackTrace", object{"threadId": 1}, "closed")
				ask[*godap.DisconnectResponse](c, "disconnect", nil)
			default:
				c.out.Close()
			}
			if err := <-c.served; err != nil {
				t.Errorf("Serve: %v", err)
			}
		})
	}
	c := connect(t)
	c.launch(object{"program": write(t, stuck), "clock": "virtual", "limits": []string{"ScriptTime=20ms"}, "events": []string{"go"}})
	ask[*godap.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", object{"filters": []string{"error.execution"}})
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	if stop := c.stopped("exception"); !strings.Contains(stop.Body.Text, "time limit of 20ms") {
		t.Errorf("stopped: %+v", stop.Body)
	}
}

// Disconnect works in every state.
func TestDisconnect(t *testing.T) {
	for name, prepare := range map[string]func(*client){
		"before a launch":  func(c *client) { c.initialize() },
		"after a launch":   func(c *client) { c.launch(object{"program": write(c.t, lamp)}) },
		"before the start": func(c *client) { c.begin(lamp, object{"stopOnEntry": true}); c.stopped("entry") },
		"at a breakpoint":  func(c *client) { c.begin(shop, object{"events": []string{"buy 1"}}, "<log"); c.stopped("breakpoint") },
		"while it is idle": func(c *client) { c.begin(lamp, nil); c.stopped("pause") },
		"while it waits":   func(c *client) { c.begin(lamp, object{"clock": "real"}) },
		"in the past": func(c *client) {
			c.begin(lamp, nil)
			c.stopped("pause")
			c.send("stepBack", object{"threadId": 1})
			c.stopped("step")
		},
		"after the end":     func(c *client) { c.begin(shop, object{"events": []string{"buy 1", "paid"}}); c.stopped("pause") },
		"after a terminate": func(c *client) { c.begin(lamp, nil); c.send("terminate", nil); event[*godap.TerminatedEvent](c) },
		"during an evaluate": func(c *client) {
			c.begin(lamp, nil)
			c.stopped("pause")
			c.send("evaluate", object{"expression": "(function(){while(true){}})()"})
		},
		"during a condition": func(c *client) {
			c.launch(object{"program": write(c.t, lamp), "events": []string{"push"}})
			c.send("setFunctionBreakpoints", object{"breakpoints": []object{{"name": "on", "condition": "(function(){while(true){}})()"}}})
			ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := connect(t)
			prepare(c)
			ask[*godap.DisconnectResponse](c, "disconnect", object{"terminateDebuggee": true})
			if err := <-c.served; err != nil {
				t.Errorf("Serve: %v", err)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	c := connect(t)
	c.begin(lamp, nil)
	c.stopped("pause")
	const loop = "(function(){while(true){}})()"
	slow := c.send("evaluate", object{"expression": loop})
	waiting := c.send("evaluate", object{"expression": "2"})
	later := c.send("evaluate", object{"expression": "3"})
	ask2 := c.send("cancel", object{"requestId": waiting})
	ask1 := c.send("cancel", object{"requestId": slow})
	for _, seq := range []int{slow, waiting} {
		if e := answer[*godap.ErrorResponse](c, seq); e.Message != "cancelled" {
			t.Errorf("request %d: %+v", seq, e)
		}
	}
	if e := answer[*godap.EvaluateResponse](c, later); e.Body.Result != "3" {
		t.Errorf("the request after it: %+v", e.Body)
	}
	answer[*godap.CancelResponse](c, ask1)
	answer[*godap.CancelResponse](c, ask2)
	ask[*godap.CancelResponse](c, "cancel", object{"requestId": 12345})
	ask[*godap.CancelResponse](c, "cancel", nil)
}

func TestStepBack(t *testing.T) {
	c := connect(t)
	c.begin(shop, object{"events": []string{"buy 3", "advance 5s", "buy 4"}}, "<assign location=\"total\"")
	c.stopped("breakpoint")
	ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	c.stopped("breakpoint")
	if got := c.evaluate("watch", "total"); got != "3" {
		t.Errorf("total: %s", got)
	}
	move := func(command, reason string) *godap.StoppedEvent {
		t.Helper()
		c.response(c.send(command, object{"threadId": 1, "frameId": c.top().Id}))
		return c.stopped(reason)
	}
	if stop := move("reverseContinue", "breakpoint"); !strings.Contains(stop.Body.Description, "in the past") {
		t.Errorf("stopped: %+v", stop.Body)
	}
	if got := c.evaluate("watch", "total"); got != "0" {
		t.Errorf("total: %s", got)
	}
	c.refused("setExpression", object{"expression": "total", "value": "9"}, "the past cannot be changed")
	c.refused("evaluate", object{"context": "repl", "expression": "send buy 1"}, "the past cannot be changed")
	if stop := move("reverseContinue", "entry"); stop.Body.Description != "At the beginning" {
		t.Errorf("stopped: %+v", stop.Body)
	}
	move("continue", "breakpoint")
	move("continue", "breakpoint")
	move("next", "step")
	if got := c.evaluate("watch", "total"); got != "7" {
		t.Errorf("total in the present again: %s", got)
	}
	move("restartFrame", "step")
	if got := c.evaluate("repl", "where"); !strings.Contains(got, "(rest)") {
		t.Errorf("where: %s", got)
	}
	move("stepIn", "step")
	place := c.evaluate("repl", "where")
	c.evaluate("repl", "back")
	event[*godap.ContinuedEvent](c)
	c.stopped("step")
	c.evaluate("repl", "goto 1")
	event[*godap.ContinuedEvent](c)
	c.stopped("goto")
	words := strings.Fields(place)
	c.evaluate("repl", "goto "+words[0])
	c.stopped("goto")
	if got := c.evaluate("repl", "where"); got != place {
		t.Errorf("where: %s, want %s", got, place)
	}
	ask[*godap.StepBackResponse](c, "stepBack", object{"threadId": 1, "granularity": "instruction"})
	c.stopped("step")
	c.refused("evaluate", object{"context": "repl", "expression": "goto x"}, `"x" is not a place`)
	c.evaluate("repl", "goto 99")
	if stop := c.stopped("pause"); !strings.Contains(stop.Body.Description, "no place 99.0") {
		t.Errorf("stopped: %+v", stop.Body)
	}
	before := c.evaluate("repl", "where") // it is where it was
	c.evaluate("repl", "goto 99")
	c.stopped("pause")
	if c.evaluate("repl", "where") != before {
		t.Errorf("it has moved from %s", before)
	}
}

// The session stops at its end, so that one can look at it and step back. One more continue ends it.
func TestEnd(t *testing.T) {
	c := connect(t)
	c.begin(shop, object{"events": []string{"buy 3", "paid"}})
	if stop := c.stopped("pause"); !strings.HasPrefix(stop.Body.Description, "Ended") || stop.Body.Text != "final state done" {
		t.Errorf("stopped: %+v", stop.Body)
	}
	if frames := c.stack(1); len(frames) != 1 || frames[0].Name != "final state done" {
		t.Errorf("frames: %+v", frames)
	}
	ask[*godap.StepBackResponse](c, "stepBack", object{"threadId": 1})
	c.stopped("step")
	ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	c.stopped("pause")
	ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	event[*godap.TerminatedEvent](c)
	ask[*godap.TerminateResponse](c, "terminate", nil)
	ask[*godap.DisconnectResponse](c, "disconnect", nil)
	if len(c.events) > 0 {
		t.Errorf("the client is told again: %+v", c.events)
	}
}

// A chart without a name has that of its file.
func TestNoName(t *testing.T) {
	c := connect(t)
	c.begin(strings.Replace(lamp, ` name="lamp"`, "", 1), nil)
	c.stopped("pause")
	if all := ask[*godap.ThreadsResponse](c, "threads", nil).Body.Threads; len(all) != 1 || all[0].Name != "chart.scxml" {
		t.Errorf("threads: %+v", all)
	}
}

func TestNoDebug(t *testing.T) {
	c := connect(t)
	file := write(t, shop)
	c.launch(object{"program": file, "clock": "virtual", "events": []string{"buy 3"}, "noDebug": true})
	if b := c.breakAt(file, shop, "<log"); b[0].Verified || b[0].Message == "" {
		t.Errorf("a breakpoint: %+v", b)
	}
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	event[*godap.TerminatedEvent](c)
}

func TestLimit(t *testing.T) {
	c := connect(t)
	c.launch(object{"program": write(t, busy), "clock": "virtual", "limits": []string{"Microsteps=100"}})
	ask[*godap.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", object{"filters": []string{"limit"}})
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	if stop := c.stopped("exception"); !strings.Contains(stop.Body.Text, "Microsteps") {
		t.Errorf("stopped: %+v", stop.Body)
	}
	ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	if stop := c.stopped("pause"); !strings.HasPrefix(stop.Body.Description, "Ended") || !strings.Contains(stop.Body.Text, "Microsteps") {
		t.Errorf("stopped: %+v", stop.Body)
	}
}
