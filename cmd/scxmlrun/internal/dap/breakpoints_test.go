package dap_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	godap "github.com/google/go-dap"
)

// places runs until the session is idle, and returns the texts of the stops on the way.
func (c *client) places() (all []string) {
	c.t.Helper()
	for {
		stop := event[*godap.StoppedEvent](c)
		if strings.HasPrefix(stop.Body.Description, "Idle") || strings.HasPrefix(stop.Body.Description, "Ended") {
			return all
		}
		text, _, _ := strings.Cut(stop.Body.Text, ", by ")
		all = append(all, stop.Body.Reason+": "+text)
		ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	}
}

func TestSourceBreakpoints(t *testing.T) {
	c := connect(t)
	file := write(t, shop)
	c.launch(object{"program": file, "clock": "virtual", "events": []string{"buy 1", "advance 5s", "buy 2", "advance 5s", "buy 3"}})
	assign := line(t, shop, `<assign location="total"`)
	set := func(all ...object) []godap.Breakpoint {
		t.Helper()
		return ask[*godap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": file}, "breakpoints": all}).Body.Breakpoints
	}
	// Comments and text between elements are not places to stop: the next element is.
	moved := set(object{"line": 3}, object{"line": 1000}, object{"line": assign, "hitCondition": "often"})
	if !moved[0].Verified || moved[0].Line <= 3 {
		t.Errorf("a breakpoint in <datamodel>: %+v", moved[0])
	}
	if moved[1].Verified || moved[1].Message == "" {
		t.Errorf("a breakpoint after the end: %+v", moved[1])
	}
	if moved[2].Verified || !strings.Contains(moved[2].Message, `"often"`) {
		t.Errorf("a breakpoint with a bad hit condition: %+v", moved[2])
	}
	got := set(
		object{"line": assign, "condition": "_event.data > 1"},
		object{"line": line(t, shop, `<log label="bought"`), "logMessage": "buys {_event.data} of {total}"},
		object{"line": line(t, shop, `<send event="late"`), "hitCondition": "3"},
	)
	again := set(
		object{"line": assign, "condition": "_event.data > 1"},
		object{"line": line(t, shop, `<log label="bought"`), "logMessage": "buys {_event.data} of {total}"},
		object{"line": line(t, shop, `<send event="late"`), "hitCondition": "3"},
	)
	for i, b := range again {
		if !b.Verified || b.Id == 0 || b.Id != got[i].Id || b.Source == nil || b.Source.Path != file {
			t.Errorf("breakpoint %d: %+v, then %+v", i, got[i], b)
		}
	}
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	for _, want := range []struct {
		id    int
		total string
	}{{got[0].Id, "1"}, {got[0].Id, "3"}, {got[2].Id, "6"}} {
		stop := c.stopped("breakpoint")
		if !slices.Equal(stop.Body.HitBreakpointIds, []int{want.id}) || c.evaluate("watch", "total") != want.total {
			t.Errorf("stopped: %+v, total %s; want %+v", stop.Body, c.evaluate("watch", "total"), want)
		}
		ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	}
	c.stopped("pause")

	c.refused("setBreakpoints", object{"source": object{}, "breakpoints": []object{}}, "neither a path nor a reference")
	if b := ask[*godap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": "/nowhere.scxml"}, "breakpoints": []object{{"line": 1}}}).Body.Breakpoints; len(b) != 1 || b[0].Verified {
		t.Errorf("a breakpoint in a file that is not loaded: %+v", b)
	}
}

func TestLogPoint(t *testing.T) {
	c := connect(t)
	at := line(t, shop, `<assign location="total"`)
	file := write(t, shop)
	c.launch(object{"program": file, "clock": "virtual", "events": []string{"buy 4"}})
	ask[*godap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": file}, "breakpoints": []object{{"line": at, "logMessage": "buys for {_event.data}"}}})
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	var got []string
	for len(got) < 3 {
		e := event[*godap.OutputEvent](c)
		got = append(got, fmt.Sprintf("%s %d %s", e.Body.Category, e.Body.Line, strings.TrimSpace(e.Body.Output)))
	}
	want := []string{
		fmt.Sprintf("stdout %d bought: 4", at-1),
		fmt.Sprintf("console %d buys for 4", at),
		"stdout 0 send late in 5s",
	}
	if !slices.Equal(got, want) {
		t.Errorf("output %q, want %q", got, want)
	}
}

func TestBreakpointColumns(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="x"/></datamodel><state id="a"><onentry>
<!--😀--><assign location="x" expr="'😀'"/><assign location="x" expr="2"/></onentry></state></scxml>`
	for _, base := range []int{0, 1} {
		c := connect(t)
		ask[*godap.InitializeResponse](c, "initialize", object{"linesStartAt1": base == 1, "columnsStartAt1": base == 1})
		file := write(t, chart)
		ask[*godap.LaunchResponse](c, "launch", object{"program": file})
		got := ask[*godap.BreakpointLocationsResponse](c, "breakpointLocations", object{"source": object{"path": file}, "line": 1 + base}).Body.Breakpoints
		first, second := 9+base, 43+base // as UTF-16 units
		if len(got) != 2 || got[0].Line != 1+base || got[0].Column != first || got[1].Column != second {
			t.Fatalf("base %d: locations %+v, want columns %d and %d", base, got, first, second)
		}
		b := ask[*godap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": file}, "breakpoints": []object{{"line": 1 + base, "column": second}}}).Body.Breakpoints
		if !b[0].Verified || b[0].Line != 1+base || b[0].Column != second {
			t.Errorf("base %d: %+v", base, b[0])
		}
		ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
		c.stopped("breakpoint")
		if f := c.top(); f.Line != 1+base || f.Column != second || f.EndColumn != second+len(`<assign location="x" expr="2"/>`) {
			t.Errorf("base %d: the frame is at %d:%d-%d", base, f.Line, f.Column, f.EndColumn)
		}
		if got := c.evaluate("watch", "x"); got != `"😀"` {
			t.Errorf("x = %s", got)
		}
	}
}

func TestFunctionBreakpoints(t *testing.T) {
	c := connect(t)
	c.launch(object{"program": write(t, shop), "clock": "virtual", "events": []string{"buy 1", "paid"}})
	all := []object{
		{"name": "enter:paying"}, {"name": "exit: paying"}, {"name": "event:paid"}, {"name": "enter:done"}, {"name": "state:nowhere"},
		{"name": "buy", "condition": "_event.data == 2"},
	}
	for i, b := range ask[*godap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", object{"breakpoints": all}).Body.Breakpoints {
		if b.Verified != (all[i]["name"] != "state:nowhere") || !b.Verified && !strings.Contains(b.Message, "nowhere") {
			t.Errorf("%v: %+v", all[i], b)
		}
	}
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	want := []string{
		"function breakpoint: enter paying", "function breakpoint: event paid",
		"function breakpoint: exit paying", "function breakpoint: enter done",
	}
	if got := c.places(); !slices.Equal(got, want) {
		t.Errorf("stopped at %q, want %q", got, want)
	}
}

func TestDataBreakpoints(t *testing.T) {
	c := connect(t)
	c.begin(shop, object{"events": []string{"buy 1", "advance 5s", "buy 2"}}, `<log label="bought"`)
	c.stopped("breakpoint")
	frame := c.top().Id
	scopes := ask[*godap.ScopesResponse](c, "scopes", object{"frameId": frame}).Body.Scopes
	info := func(arguments object) godap.DataBreakpointInfoResponseBody {
		t.Helper()
		return ask[*godap.DataBreakpointInfoResponse](c, "dataBreakpointInfo", arguments).Body
	}
	total := info(object{"variablesReference": scopes[0].VariablesReference, "name": "total"})
	if total.DataId != "total" || !total.CanPersist || !slices.Equal(total.AccessTypes, []godap.DataBreakpointAccessType{"write"}) {
		t.Errorf("info of total: %+v", total)
	}
	if length := info(object{"name": "items.length", "frameId": frame}); length.DataId != "items.length" {
		t.Errorf("info of an expression: %+v", length)
	}
	if name := info(object{"variablesReference": scopes[1].VariablesReference, "name": "name"}); name.DataId != nil || name.Description == "" {
		t.Errorf("info of _event.name: %+v", name)
	}
	c.refused("dataBreakpointInfo", object{"variablesReference": scopes[0].VariablesReference, "name": "nothing"}, `no variable "nothing"`)
	c.refused("setDataBreakpoints", object{"breakpoints": []object{{"dataId": "total", "accessType": "read"}}}, `want "write"`)
	b := ask[*godap.SetDataBreakpointsResponse](c, "setDataBreakpoints", object{"breakpoints": []object{
		{"dataId": "total", "accessType": "write"}, {"dataId": "items.length", "condition": "items.length > 3"},
	}}).Body.Breakpoints
	if len(b) != 2 || !b[0].Verified || !b[1].Verified {
		t.Errorf("data breakpoints: %+v", b)
	}
	c.breakAt(ask[*godap.LoadedSourcesResponse](c, "loadedSources", nil).Body.Sources[0].Path, shop) // none
	ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	want := []string{"data breakpoint: total: 0 -> 1", "data breakpoint: total: 1 -> 3", "data breakpoint: items.length: 3 -> 4"}
	if got := c.places(); !slices.Equal(got, want) {
		t.Errorf("stopped at %q, want %q", got, want)
	}
}

func TestExceptionBreakpoints(t *testing.T) {
	c := connect(t)
	c.launch(object{"program": write(t, shop), "clock": "virtual", "events": []string{"fail", "unknown", "fail"}})
	c.refused("setExceptionBreakpoints", object{"filters": []string{"everything"}}, `unknown filter "everything"`)
	ask[*godap.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", object{
		"filters": []string{"unhandled"}, "filterOptions": []object{{"filterId": "error.execution", "condition": "total === 0"}},
	})
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	if stop := c.stopped("exception"); stop.Body.Text != "error.execution: <assign>: ReferenceError: missing is not defined" {
		t.Errorf("stopped: %+v", stop.Body)
	}
	info := ask[*godap.ExceptionInfoResponse](c, "exceptionInfo", object{"threadId": 1}).Body
	if info.ExceptionId != "error.execution" || !strings.Contains(info.Description, "missing") || info.BreakMode != "always" {
		t.Errorf("exceptionInfo: %+v", info)
	}
	if f := c.top(); f.Line != line(t, shop, "missing.x") {
		t.Errorf("the error is in %+v", f)
	}
	ask[*godap.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", object{"filters": []string{"unhandled"}})
	ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	want := []string{"exception: unhandled error.execution", "exception: unhandled unknown", "exception: unhandled error.execution"}
	if got := c.places(); !slices.Equal(got, want) {
		t.Errorf("stopped at %q, want %q", got, want)
	}
}
