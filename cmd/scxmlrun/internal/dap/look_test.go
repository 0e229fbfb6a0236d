package dap_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	godap "github.com/google/go-dap"
)

func TestThreads(t *testing.T) {
	c := connect(t)
	c.begin(shop, object{"events": []string{"work"}})
	if e := event[*godap.ThreadEvent](c); e.Body.Reason != "started" || e.Body.ThreadId != 1 {
		t.Errorf("thread event: %+v", e.Body)
	}
	if e := event[*godap.ThreadEvent](c); e.Body.Reason != "started" || e.Body.ThreadId != 2 {
		t.Errorf("thread event: %+v", e.Body)
	}
	c.stopped("pause")
	if all := fmt.Sprint(ask[*godap.ThreadsResponse](c, "threads", nil).Body.Threads); all != "[{1 shop} {2 helper (helper)}]" {
		t.Errorf("threads: %s", all)
	}
	if got := c.evaluate("repl", "help"); !strings.Contains(got, "advance TIME") {
		t.Errorf("help: %s", got)
	}
	helper, shopFrames := c.stack(2), c.stack(1)
	if len(helper) != 1 || helper[0].Name != "h" || helper[0].Line != line(t, shop, `<state id="h">`) {
		t.Errorf("frames of the helper: %q", names(helper))
	}
	if got := c.variables(helper[0].Id, "Data"); !slices.Equal(got, []string{"mine = 7"}) {
		t.Errorf("data of the helper: %q", got)
	}
	if got := c.variables(shopFrames[0].Id, "Invocations"); len(got) != 1 || !strings.HasPrefix(got[0], "helper = ") {
		t.Errorf("invocations: %q", got)
	}
	eval := func(frame int, expr string) string {
		t.Helper()
		return ask[*godap.EvaluateResponse](c, "evaluate", object{"expression": expr, "frameId": frame}).Body.Result
	}
	if got := eval(helper[0].Id, "mine"); got != "7" {
		t.Errorf("mine: %s", got)
	}
	if got := ask[*godap.SetExpressionResponse](c, "setExpression", object{"expression": "mine", "value": "mine + 1", "frameId": helper[0].Id}).Body.Value; got != "8" {
		t.Errorf("mine was set to %s", got)
	}
	info := ask[*godap.DataBreakpointInfoResponse](c, "dataBreakpointInfo", object{"name": "mine", "frameId": helper[0].Id}).Body
	if id, _ := info.DataId.(string); info.CanPersist || !strings.HasSuffix(id, "mine") || id == "mine" {
		t.Errorf("info of mine: %+v", info)
	}
	if b := ask[*godap.SetDataBreakpointsResponse](c, "setDataBreakpoints", object{"breakpoints": []object{{"dataId": info.DataId}}}).Body.Breakpoints; !b[0].Verified {
		t.Errorf("a breakpoint at data of the helper: %+v", b)
	}
	c.evaluate("repl", "send buy 1")
	ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	if e := event[*godap.ThreadEvent](c); e.Body.Reason != "exited" || e.Body.ThreadId != 2 {
		t.Errorf("thread event: %+v", e.Body)
	}
	c.stopped("pause")
	if all := ask[*godap.ThreadsResponse](c, "threads", nil).Body.Threads; len(all) != 1 {
		t.Errorf("threads: %+v", all)
	}
	c.refused("stackTrace", object{"threadId": 2}, "no session")
	ask[*godap.StepBackResponse](c, "stepBack", object{"threadId": 1})
	c.stopped("step")
	if all := ask[*godap.ThreadsResponse](c, "threads", nil).Body.Threads; len(all) != 2 {
		t.Errorf("threads in the past: %+v", all)
	}
}

func TestVariables(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel>
		<data id="list" expr="Array.from({length: 1000}, (_, i) =&gt; i * i)"/>
		<data id="o" expr="({a: 1, 'b c': 'x', d: {e: null}, f: undefined, g: true, h: 2.5})"/>
		<data id="empty" expr="[]"/><data id="text" expr="'x'.repeat(5000)"/>
	</datamodel><state id="s"><history id="past"><transition target="t"/></history><state id="t"/></state></scxml>`
	c := connect(t)
	c.begin(chart, nil)
	c.stopped("pause")
	frame := c.top().Id
	scopes := ask[*godap.ScopesResponse](c, "scopes", object{"frameId": frame}).Body.Scopes
	var all []string
	for _, s := range scopes {
		all = append(all, s.Name)
	}
	if want := []string{"Data", "Event", "Queues", "Timers", "History", "Invocations"}; !slices.Equal(all, want) {
		t.Fatalf("scopes: %q", all)
	}
	page := func(arguments object) []godap.Variable {
		t.Helper()
		return ask[*godap.VariablesResponse](c, "variables", arguments).Body.Variables
	}
	data := page(object{"variablesReference": scopes[0].VariablesReference})
	list, o := data[0], data[1]
	if list.IndexedVariables != 1000 || list.NamedVariables != 0 || list.Type != "array" || list.Value != "[… 1000 items]" {
		t.Errorf("list: %+v", list)
	}
	if o.NamedVariables != 6 || o.IndexedVariables != 0 || o.Type != "object" {
		t.Errorf("o: %+v", o)
	}
	if data[2].VariablesReference != 0 || data[2].Value != "[]" {
		t.Errorf("empty: %+v", data[2])
	}
	if n := len(data[3].Value); n > 300 {
		t.Errorf("the text is shown in %d characters", n)
	}
	if got := ask[*godap.EvaluateResponse](c, "evaluate", object{"expression": "text", "context": "clipboard"}).Body.Result; len(got) != 5002 {
		t.Errorf("the text is copied in %d characters", len(got))
	}
	ref := list.VariablesReference
	for _, test := range []struct {
		arguments object
		want      string
	}{
		{object{"variablesReference": ref, "start": 998}, "[998 = 996004 999 = 998001]"},
		{object{"variablesReference": ref, "start": 2, "count": 2, "filter": "indexed"}, "[2 = 4 3 = 9]"},
		{object{"variablesReference": ref, "start": 2, "count": 2, "filter": "named"}, "[]"},
		{object{"variablesReference": ref, "start": 2000, "count": 2}, "[]"},
		{object{"variablesReference": o.VariablesReference, "filter": "indexed"}, "[]"},
		{object{"variablesReference": o.VariablesReference, "start": 1, "count": 3}, `[b c = "x" d = {"e":null} f = undefined]`},
		{object{"variablesReference": scopes[0].VariablesReference, "start": 2, "count": 1}, "[empty = []]"},
		{object{"variablesReference": scopes[1].VariablesReference}, "[]"},
		{object{"variablesReference": scopes[4].VariablesReference}, "[past = undefined]"},
	} {
		if got := fmt.Sprint(lines(page(test.arguments))); got != test.want {
			t.Errorf("variables %v: %s, want %s", test.arguments, got, test.want)
		}
	}
	if n := len(page(object{"variablesReference": ref})); n != 1000 {
		t.Errorf("%d items", n)
	}
	for _, v := range page(object{"variablesReference": o.VariablesReference}) {
		if got := c.evaluate("variables", v.EvaluateName); got != v.Value {
			t.Errorf("%s evaluates to %s, want %s", v.EvaluateName, got, v.Value)
		}
	}
	c.refused("variables", object{"variablesReference": 0}, "number 0")
	c.refused("variables", object{"variablesReference": -1}, "number -1")
	c.refused("variables", object{"variablesReference": 99999}, "number 99999")
	c.refused("variables", object{"variablesReference": ref, "start": -1}, "must not be negative")
	c.refused("variables", object{"variablesReference": frame}, "a frame has no variables")
	c.refused("scopes", object{"frameId": ref}, "not a frame")

	set := func(reference int, name, value string) godap.SetVariableResponseBody {
		t.Helper()
		return ask[*godap.SetVariableResponse](c, "setVariable", object{"variablesReference": reference, "name": name, "value": value}).Body
	}
	if got := set(ref, "3", "list[3] + 1"); got.Value != "10" || got.Type != "number" {
		t.Errorf("list[3] was set: %+v", got)
	}
	if got := set(o.VariablesReference, "b c", "[1, 2]"); got.Value != "[1,2]" || got.IndexedVariables != 2 || len(c.children(got.VariablesReference)) != 2 {
		t.Errorf("o['b c'] was set: %+v", got)
	}
	if got := c.evaluate("watch", "[list[3], o['b c']]"); got != "[10,[1,2]]" {
		t.Errorf("after setting: %s", got)
	}
	c.refused("setVariable", object{"variablesReference": ref, "name": "3", "value": "1 +"}, "SyntaxError")
	c.refused("setVariable", object{"variablesReference": ref, "name": "x", "value": "1"}, `no variable "x"`)
	c.refused("setVariable", object{"variablesReference": scopes[4].VariablesReference, "name": "past", "value": "1"}, "cannot be changed")
	c.refused("setExpression", object{"expression": "nothing", "value": "1"}, "nothing")

	// What was seen before a step is not valid after it.
	ask[*godap.NextResponse](c, "next", object{"threadId": 1})
	c.stopped("pause")
	c.refused("variables", object{"variablesReference": ref}, fmt.Sprint(ref))
}

func TestCompletions(t *testing.T) {
	c := connect(t)
	c.launch(object{"program": write(t, shop)})
	for _, test := range []struct {
		text   string
		column int
		want   string
	}{
		{"send ", 6, "[buy fail late paid work]"},
		{":send b", 8, "[buy]"},
		{"s", 2, "[send]"},
		{"t", 2, "[total]"},
		{"'😀' + to", 10, "[total]"},
		{"b", 2, "[back buy]"},
		{"total", 1, "[send advance back goto where help buy fail late paid work total items _event _sessionid _name _ioprocessors _x In]"},
		{"total", -5, "[send advance back goto where help buy fail late paid work total items _event _sessionid _name _ioprocessors _x In]"},
		{"it", 500, "[items]"},
		{"1 + it", 7, "[items]"},
		{"nothing", 8, "[]"},
	} {
		var labels []string
		for _, item := range ask[*godap.CompletionsResponse](c, "completions", object{"text": test.text, "column": test.column}).Body.Targets {
			labels = append(labels, item.Label)
			units := utf16.Encode([]rune(test.text))
			cursor := min(max(test.column, 1), len(units)+1)
			if word := string(utf16.Decode(units[item.Start-1:][:item.Length])); item.Start+item.Length != cursor || !strings.HasPrefix(item.Label, word) {
				t.Errorf("completions of %q at %d: %s replaces %q", test.text, test.column, item.Label, word)
			}
		}
		if got := fmt.Sprint(labels); got != test.want {
			t.Errorf("completions of %q at %d: %s, want %s", test.text, test.column, got, test.want)
		}
	}
}

// A command gives way to a data item of its name.
func TestCommandNames(t *testing.T) {
	c := connect(t)
	c.begin(strings.ReplaceAll(lamp, `id="n"`, `id="send"`), nil)
	c.stopped("pause")
	if got := c.evaluate("repl", "send + 1"); !strings.HasPrefix(got, "1") && got != "NaN" {
		t.Errorf("send + 1: %s", got)
	}
	if got := c.evaluate("repl", ":send push"); !strings.HasPrefix(got, "sent push") {
		t.Errorf(":send push: %s", got)
	}
	for _, event := range []string{"push", `push {"x":1}`, "push.hard"} {
		if got := c.evaluate("repl", event); !strings.HasPrefix(got, "sent push") {
			t.Errorf("%s: %s", event, got)
		}
	}
	c.refused("evaluate", object{"context": "watch", "expression": "push"}, "push is not defined")
	for expr, want := range map[string]string{
		"pull":         "pull is not defined",
		":sent push":   `unknown command "sent" (did you mean "send"?)`,
		":":            "unknown command",
		":send":        "which event?",
		":send a {b}":  "the data of a: bad JSON",
		":send a b":    "bad JSON",
		"advance":      "advance",
		"advance 1":    "advance",
		"where now":    "where takes no argument",
		"goto":         "not a place",
		"goto 1.-1":    "not a place",
		"goto 1.x":     "not a place",
		"nothing here": "SyntaxError",
	} {
		c.refused("evaluate", object{"context": "repl", "expression": expr}, want)
	}
}

func TestSource(t *testing.T) {
	c := connect(t)
	file := c.begin(lamp, nil)
	c.stopped("pause")
	get := func(arguments object) string {
		t.Helper()
		return ask[*godap.SourceResponse](c, "source", arguments).Body.Content
	}
	if got := get(object{"source": object{"path": file}}); got != lamp {
		t.Errorf("the source is %q", got)
	}
	c.refused("source", object{"sourceReference": 3}, "not known")
	c.refused("source", object{}, "not known")
	c.refused("source", object{"source": object{"path": filepath.Join(filepath.Dir(file), "other.scxml")}}, "not known")
	c.refused("breakpointLocations", nil, "missing")
	c.refused("breakpointLocations", object{"line": 1}, "not known")
	all := ask[*godap.BreakpointLocationsResponse](c, "breakpointLocations", object{"source": object{"path": file}, "line": 3, "endLine": 5}).Body.Breakpoints
	if got := fmt.Sprint(all); got != "[{3 3 0 0} {3 19 0 0} {4 3 0 0} {5 14 0 0}]" {
		t.Errorf("locations: %s", got)
	}
}

// A chart that has changed since the start is shown as it was.
func TestChangedSource(t *testing.T) {
	c := connect(t)
	file := write(t, lamp)
	c.launch(object{"program": file, "clock": "virtual"})
	if err := os.WriteFile(file, []byte("<scxml/>"), 0o666); err != nil {
		t.Fatal(err)
	}
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	c.stopped("pause")
	source := c.top().Source
	if source.Path != "" || source.SourceReference == 0 {
		t.Fatalf("source: %+v", source)
	}
	if got := ask[*godap.SourceResponse](c, "source", object{"source": source, "sourceReference": source.SourceReference}).Body.Content; got != lamp {
		t.Errorf("the source is %q", got)
	}
	b := ask[*godap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": source, "breakpoints": []object{{"line": 5}}}).Body.Breakpoints
	if !b[0].Verified || b[0].Source.SourceReference != source.SourceReference {
		t.Errorf("a breakpoint in it: %+v", b)
	}
}
