package dap_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	godap "github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/framing"
)

const lamp = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="lamp">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="off"><transition event="push" target="on"/></state>
  <state id="on">
    <onentry><assign location="n" expr="n + 1"/></onentry>
    <transition event="push" target="off"/>
  </state>
</scxml>`

func TestInitialize(t *testing.T) {
	c := connect(t)
	for _, command := range []string{"launch", "threads", "terminate"} {
		c.refused(command, object{}, "initialize first")
	}
	c.refused("initialize", object{"pathFormat": "url"}, `"url" is neither "path" nor "uri"`)
	c.refused("initialize", object{"linesStartAt1": 1}, "arguments.linesStartAt1: want true or false, got number")
	body := c.initialize().Body
	if !body.SupportsStepBack || !body.SupportsConfigurationDoneRequest || len(body.ExceptionBreakpointFilters) != 4 {
		t.Errorf("capabilities: %+v", body)
	}
	c.refused("initialize", nil, "already")
	for _, command := range []string{"threads", "continue", "stackTrace", "setBreakpoints", "evaluate", "configurationDone"} {
		c.refused(command, object{}, "launch a chart first")
	}
	c.refused("attach", object{}, `use "launch"`)
	c.refused("dance", nil, "not known")
}

func TestLaunchRefused(t *testing.T) {
	chart := write(t, lamp)
	recording := filepath.Join(t.TempDir(), "bad.rec")
	if err := os.WriteFile(recording, []byte("hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := connect(t)
	c.initialize()
	for _, test := range []struct {
		arguments any
		want      string
	}{
		{nil, `at least "program"`},
		{[]int{1}, `at least "program"`},
		{object{}, `"program" is missing`},
		{object{"program": 1}, "program: want a string, got number"},
		{object{"program": "nowhere.scxml"}, "nowhere.scxml"},
		{object{"program": chart, "stopOnEntry": "yes"}, "stopOnEntry: want true or false, got string"},
		{object{"program": chart, "stoponentry": true}, `unknown argument "stoponentry" (did you mean "stopOnEntry"?)`},
		{object{"program": chart, "clock": "virtuel"}, `"virtuel" is neither "real" nor "virtual" (did you mean "virtual"?)`},
		{object{"program": chart, "seed": -1}, "seed: want a whole number that is not negative, got number -1"},
		{object{"program": chart, "limits": "Microsteps=1"}, "limits: want a list, got string"},
		{object{"program": chart, "limits": []string{"Microstep=1"}}, `did you mean "Microsteps"`},
		{object{"program": chart, "data": []int{1}}, "data: want an object, got array"},
		{object{"program": chart, "data": object{"m": 1}}, `no top-level data item "m" (did you mean "n"?)`},
		{object{"program": chart, "events": "push"}, "events: want a list, got string"},
		{object{"program": chart, "events": []any{"push", "tap {x}"}}, "events: item 2: the data of tap: bad JSON, column 2"},
		{object{"program": chart, "events": []any{"push", 1}}, "events: item 2"},
		{object{"program": chart, "events": []any{object{"stop": true}}}, "events: item 1: want an event"},
		{object{"program": chart, "clock": "virtual", "events": []any{object{"advance": "1s", "session": "s"}}}, `events: item 1: "advance" concerns all sessions`},
		{object{"program": chart, "events": []any{object{"event": "a", "data": 1}}}, `events: item 1: "data" is not a field of the line`},
		{object{"program": chart, "events": []any{"advance soon"}}, "events: item 1: advance"},
		{object{"program": chart, "events": []any{"advance 1s"}}, `"clock": "virtual"`},
		{object{"recording": recording}, "not a recording"},
		{object{"recording": recording, "seed": 1}, `"seed" does not go with "recording"`},
	} {
		c.refused("launch", test.arguments, test.want)
	}
	// What clients add themselves is not a mistake.
	ask[*godap.LaunchResponse](c, "launch", object{
		"program": chart, "type": "scxml", "request": "launch", "name": "Debug", "__sessionId": "1", "preLaunchTask": "x",
		"internalConsoleOptions": "openOnSessionStart", "debugServer": 1, "presentation": object{}, "__configurationTarget": 6, "console": "internalConsole",
		"args": []string{}, "env": object{}, "trace": true, "postDebugTask": "", "serverReadyAction": object{}, "suppressMultipleSessionWarning": true,
	})
	c.refused("launch", object{"program": chart}, "already being debugged")
}

func TestLaunchBadChart(t *testing.T) {
	c := connect(t)
	c.initialize()
	const second = `  <!-- 🛑🛑 --><state id="a"><transition target="b"/></state>`
	name := write(t, "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\">\n"+second+"\n</scxml>")
	c.refused("launch", object{"program": name}, "chart.scxml was refused", `target "b"`)
	e := event[*godap.OutputEvent](c)
	before, _, _ := strings.Cut(second, `b"/>`)
	if column := len(utf16.Encode([]rune(before))) + 1; e.Body.Line != 2 || e.Body.Column != column || e.Body.Source.Path != name {
		t.Errorf("the problem is at %d:%d of %v, want 2:%d of %s", e.Body.Line, e.Body.Column, e.Body.Source, column, name)
	}
}

func TestBadMessages(t *testing.T) {
	c := connect(t)
	for _, content := range []string{"", "{", "null", "[]", `{"seq":1,"type":"response","command":"threads"}`, `{"seq":"1","type":"request"}`, `{"seq":1,"type":"request"}`} {
		if err := framing.Write(c.out, []byte(content)); err != nil {
			t.Fatal(err)
		}
		e := event[*godap.OutputEvent](c)
		if e.Body.Category != "important" || !strings.HasPrefix(e.Body.Output, "a message was ignored: ") {
			t.Errorf("%q: got %+v", content, e.Body)
		}
	}
	c.initialize() // the connection still works
	if _, err := io.WriteString(c.out, "Hello\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := <-c.served; err == nil || !strings.Contains(err.Error(), `"Hello" is not a header field`) {
		t.Errorf("Serve: %v", err)
	}
}

func TestEndOfInput(t *testing.T) {
	c := connect(t)
	c.initialize()
	c.out.Close()
	if err := <-c.served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestDisconnectFirst(t *testing.T) {
	c := connect(t)
	ask[*godap.DisconnectResponse](c, "disconnect", nil)
	if err := <-c.served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}
