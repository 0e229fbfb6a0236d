package mcp

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

func TestMain(m *testing.M) {
	isolate.Child(Work)
	os.Exit(m.Run())
}

const gate = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="coins" expr="0"/></datamodel>
  <state id="closed">
    <transition event="coin" cond="coins &lt; 3"><assign location="coins" expr="coins + 1"/></transition>
    <transition event="push" cond="coins >= 2" target="open"/>
    <transition event="kick" target="broken"/>
  </state>
  <state id="open"><onentry><send event="shut" delay="5s"/></onentry><transition event="shut" target="closed"/></state>
  <state id="broken"/>
</scxml>
`

const gateScenario = `-- chart --
gate.scxml
-- events --
kick
-- check --
reach broken
`

// wrap makes a document of its content.
func wrap(content string) string {
	return `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">` + content + `</scxml>`
}

// connect returns a client of a server for a folder, with the SDK on both sides and the protocol between them.
func connect(t *testing.T, dir string, cfg isolate.Config, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	pool, err := isolate.NewPool(cfg)
	if err != nil {
		t.Fatal(err)
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- Serve(context.Background(), in, out, Options{Dir: dir, Version: "test", Pool: pool})
		out.Close()
	}()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, o).Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		pool.Close()
		if err := <-served; err != nil && !errors.Is(err, io.ErrClosedPipe) { // it had something to say yet
			t.Errorf("the server ended with %v", err)
		}
	})
	return client
}

// folder returns a folder with files.
func folder(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{"gate.scxml": gate, "kick.txtar": gateScenario, "sub/gate.txtar": strings.Replace(gateScenario, "gate.", "../gate.", 1)} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := os.ReadFile("testdata/gate.rec")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "gate.rec"), recorded, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

type args = map[string]any

// ask calls a tool. What goes wrong with the protocol fails the test.
func ask(t *testing.T, c *mcp.ClientSession, tool string, a args) (text string, images [][]byte, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: a})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, a, err)
	}
	var b strings.Builder
	for _, part := range r.Content {
		switch part := part.(type) {
		case *mcp.TextContent:
			b.WriteString(part.Text + "\n")
		case *mcp.ImageContent:
			images = append(images, part.Data)
		}
	}
	return b.String(), images, r.IsError
}

// toggles leaves b for c by an event that is not possible in between.
var toggles = wrap(`<state id="a"><transition event="e" target="b"/></state><state id="b"><transition event="e" target="a"/><transition event="f" target="c"/></state><final id="c"/>`)

// Each tool does what it says.
func TestTools(t *testing.T) {
	client := connect(t, folder(t), isolate.Config{Deadline: 20 * time.Second}, nil)
	file := args{"file": "gate.scxml"}
	with := func(more args) args {
		all := args{"file": "gate.scxml"}
		for name, v := range more {
			all[name] = v
		}
		return all
	}
	used := map[string]bool{}
	for _, test := range []struct {
		tool string
		args args
		want []string // in the answer
	}{
		{"check", file, []string{"gate.scxml:9:3: warning: state \"broken\" has no way out", "[no-way-out]"}},
		{"check", args{"source": wrap(`<state id="a"><transition event="e" target="b"/></state>`)}, []string{"chart.scxml:1:", "error: ", "[unknown-target]"}},
		{"check", args{"source": wrap(`<state id="a"><transition event="e" target="b"/></state><final id="b"/>`)}, []string{"nothing to report"}},
		{"check", args{"code": "unknown-target"}, []string{"A target is not the id of a state", "Right:"}},
		{"check", args{"code": "list"}, []string{"no-way-out", "unknown-target"}},
		{"describe", file, []string{"# gate", "| `coin` |", "coins < 3"}},
		{"describe", args{"source": wrap(`<state id="a"><transition event="e" target="b"/></state>`)}, []string{"the chart was refused", "This is what could be read", "**`e`**"}},
		{"draw", with(args{"format": "svg"}), []string{"<svg", "closed"}},
		{"draw", with(args{"format": "svg", "state": "open"}), []string{"<svg", "open"}},
		{"draw", with(args{"format": "tree"}), []string{"├→ closed"}},
		{"draw", with(args{"format": "mermaid"}), []string{"stateDiagram-v2"}},
		{"draw", with(args{"format": "xstate"}), []string{`"closed"`}},
		{"try", with(args{"event": "push"}), []string{"its condition is false", "coins is 0", "unused"}},
		{"try", with(args{"event": "push", "states": []string{"closed"}, "data": args{"coins": 2}}), []string{"take    closed push -> open", "in      open", "shut in 5s"}},
		{"try", args{"source": wrap(`<state id="a"><transition event="e" cond="_event.data.n === 9007199254740993"><log expr="'yes'"/></transition></state>`), "event": "e", "event_data": args{"n": 9007199254740993}}, []string{`log "yes"`}},
		{"run", with(args{"events": []string{"coin", "coin", "push", "advance 5s"}}), []string{"transition open -> closed", "in      closed", "coins = 2"}},
		{"run", args{"scenario_file": "kick.txtar"}, []string{"passed", "enter broken"}},
		{"run", args{"scenario_file": "sub/gate.txtar"}, []string{"passed"}},
		{"run", args{"scenario": strings.Replace(gateScenario, "reach broken", "reach open", 1), "source": gate}, []string{"failed", "open"}},
		{"explore", with(args{"never": []string{"coins > 2"}, "reach": []string{"open"}}), []string{"violated", "deadlock in broken", "1. kick", "coins > 2", "3. coin"}},
		{"explore", args{"source": wrap(`<state id="a"><transition event="e" target="b"/></state><final id="b"/>`), "leads_to": []string{"In('a') => In('b')"}}, []string{"holds"}},
		{"explore", args{"source": toggles, "leads_to": []string{"In('a') => In('c')"}}, []string{"violated"}},
		{"explore", args{"source": toggles, "leads_to": []string{"In('a') => In('c')"}, "strong": true}, []string{"holds"}},
		{"explore", args{"source": toggles, "property": []string{wrap(`<state id="s"><transition event="enter.c" target="bad"/></state><final id="bad"/>`)}}, []string{"violated", "bad", "property-1"}},
		{"explore", args{"source": wrap(`<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition event="e"><assign location="n" expr="n + 1"/></transition></state>`), "seconds": 0.3}, []string{"inconclusive (time)", "n had", `"view": ["-n"]`, `"depth": 20`}},
		{"explore", args{"source": wrap(`<state id="a"><transition event="e" cond="_event.data.n > 7" target="b"/><transition event="f" target="c"/></state><state id="c"><transition event="f" target="a"/></state><final id="b"/>`)}, []string{`give data with "event_data", which "suggest" writes`, `"assume"`}},
		{"explore", args{"source": wrap(`<state id="a"><transition event="e" cond="_event.data.n > 7" target="b"/></state><final id="b"/>`), "suggest": true}, []string{`"e"`, `8`}},
		{"explore", args{"source": wrap(`<state id="a"><transition event="e" cond="_event.data.n > 7" target="b"/></state><final id="b"/>`), "event_data": args{"e": args{"n": "7..8"}}}, []string{"holds", `within what is given: "event_data"`}},
		{"compare", with(args{"old_file": "gate.scxml"}), []string{"holds"}},
		{"compare", with(args{"old_source": strings.Replace(gate, ">= 2", ">= 1", 1)}), []string{"violated", "1. coin", "2. push"}},
		{"generate_tests", file, []string{"covered, 0 not", "what they miss", "gate-01.txtar", "-- events --", "-- trace --"}},
		{"generate_tests", with(args{"scenario_files": []string{"kick.txtar"}}), []string{"1 test", "missed", "coin", "gate-01.txtar, to be saved next to gate.scxml:", "It finds the change"}},
		{"edit", nil, []string{"add-state: ", "  id (required): ", "add-transition"}},
		{"edit", with(args{"operations": []args{{"op": "add-transition", "from": "broken", "event": "mend", "to": "closed"}}}), []string{"check has nothing to report", `<transition event="mend" target="closed"/>`, `<onentry><send event="shut" delay="5s"/></onentry>`}},
		{"why", args{"file": "gate.rec", "what": "push", "step": 1}, []string{"its condition is false", "coins is"}},
		{"why", args{"file": "gate.rec", "what": "coins"}, []string{"coins is 2", "<assign"}},
		{"import", args{"text": "a => b: go;"}, []string{"<?xml", `<transition event="go" target="b"/>`}},
		{"import", args{"text": `{"initial":"a","states":{"a":{"on":{"GO":{"target":"b","guard":"may"}}},"b":{}}}`}, []string{"lost or guessed", "may", "<scxml"}},
	} {
		used[test.tool] = true
		text, _, failed := ask(t, client, test.tool, test.args)
		for _, want := range test.want {
			if failed || !strings.Contains(text, want) {
				t.Errorf("%s %.200v:\n%.2000s\nwant %q, and no error", test.tool, test.args, text, want)
				break
			}
		}
	}
	_, images, _ := ask(t, client, "draw", args{"file": "gate.scxml", "dark": true, "scale": 1})
	if len(images) != 1 {
		t.Fatalf("%d pictures", len(images))
	}
	if pic, err := png.Decode(bytes.NewReader(images[0])); err != nil || pic.Bounds().Dx() < 100 {
		t.Errorf("the picture is not one: %v", err)
	}
	for tool, err := range client.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if !used[tool.Name] {
			t.Errorf("the tool %s is not tried", tool.Name)
		}
		delete(used, tool.Name)
	}
	if len(used) > 0 {
		t.Errorf("these tools are missing: %v", used)
	}
}

// A mistake is an answer that says where it is, why, and what to do.
func TestMistakes(t *testing.T) {
	client := connect(t, folder(t), isolate.Config{Deadline: 20 * time.Second}, nil)
	broken := wrap("<state id=\"a\">\n<transition target=\"bb\"/></state><state id=\"b\"/>")
	for _, test := range []struct {
		tool string
		args args
		want string
	}{
		{"check", nil, `which chart? Give its text as "source", or a "file"`},
		{"check", args{"file": "gate.scxml", "source": gate}, `"file" and "source" are both given: want one`},
		{"check", args{"fil": "gate.scxml"}, `there is no argument "fil" (did you mean "file"?)`},
		{"check", args{"file": 5}, `"file" is a number: want a string`},
		{"check", args{"file": "gate.scml"}, `cannot read "gate.scml": file does not exist (did you mean "gate.scxml"?)`},
		{"check", args{"file": "no/gate.scxml"}, `cannot read "no/gate.scxml": file does not exist, and neither does its folder "no"`},
		{"check", args{"file": "sub"}, `cannot read "sub": it is a folder`},
		{"check", args{"code": "unknown-targt"}, `there is no code "unknown-targt" (did you mean "unknown-target"?)`},
		{"check", args{"file": "gate.scxml", "portable": []string{"qtt"}}, `"portable": "qtt" is not an engine (did you mean "qt"?)`},
		{"run", args{"source": broken}, "the chart was refused:\nchart.scxml:2:21: error: state \"a\": target \"bb\" not found (did you mean \"b\"?) [unknown-target]\n\nThe tool check explains a code in brackets, given as \"code\"."},
		{"draw", args{"file": "gate.scxml", "format": "pngg"}, `"format": "pngg" is not a format (did you mean "png"?)`},
		{"draw", args{"file": "gate.scxml", "state": "opn"}, `"state": "opn" is not a state of the chart (did you mean "open"?)`},
		{"draw", args{"file": "gate.scxml", "scale": 9}, `"scale": 9 is not a scale: want 1 to 4`},
		{"try", args{"file": "gate.scxml"}, `"event": the event has no name`},
		{"try", args{"file": "gate.scxml", "event": "push", "states": []string{"opn"}}, `cannot begin there: gate.scxml has no state "opn" (did you mean "open"?)`},
		{"try", args{"source": wrap(`<state id="a"><transition target="a"/></state>`), "event": "push"}, "limit Microsteps = 100000 exceeded: the chart loops through a by the transition at chart.scxml:1:76\n\nThe chart cannot start. Its trace ends with:\n"},
		{"try", args{"file": "gate.scxml", "event": "push", "data": args{"coin": 1}}, `"data": "coin" is not a data item of the chart (did you mean "coins"?)`},
		{"run", args{"file": "gate.scxml", "events": []string{"coin {"}}, `the scenario cannot run: events line 1: `},
		{"run", args{"scenario": "-- events --\ngo\n"}, `scenario has no chart: give one as "file" or "source"`},
		{"run", args{"scenario": "-- chart --\n../x.scxml\n-- events --\ngo\n"}, `scenario names the chart "../x.scxml", which is not below the folder of the server: give the chart as "file" or "source"`},
		{"explore", args{"file": "gate.scxml", "reach": []string{"opn"}}, `"reach": "opn" is not a state of the chart (did you mean "open"?)`},
		{"explore", args{"file": "gate.scxml", "seconds": 100}, `"seconds": 100 is out of range: want more than 0, and at most 45`},
		{"explore", args{"file": "gate.scxml", "assume": []string{"chanc"}}, `"assume": "chanc" is not the name of a reason (did you mean "chance"?)`},
		{"explore", args{"file": "gate.scxml", "never": []string{"coins >"}}, `coins >`},
		{"explore", args{"file": "gate.scxml", "property_files": []string{"ways.scxml"}}, `cannot read "ways.scxml"`},
		{"explore", args{"file": "gate.scxml", "property": []string{"<scxml"}}, `property-1.scxml:1:1: error`},
		{"explore", args{"file": "gate.scxml", "leads_to": []string{"coins"}}, `"leads_to": `},
		{"explore", args{"source": wrap(`<state id="a"><invoke type="x"/></state>`)}, `"no_services" explores the chart without services`},
		{"compare", args{"file": "gate.scxml"}, `which chart is the old one? Give "old_source" or "old_file"`},
		{"compare", args{"file": "gate.scxml", "old_source": broken}, "the chart was refused:\nold.scxml:2:21: error: "},
		{"generate_tests", args{"file": "gate.scxml", "cover": []string{"all"}}, `"cover": "all" is not a criterion: want states, transitions, pairs or guards`},
		{"generate_tests", args{"file": "gate.scxml", "scenarios": []string{"-- events --\npush\n-- check --\nreach open\n"}}, `scenario 1`},
		{"edit", args{"file": "gate.scxml"}, `which "operations"? Call edit without arguments for a list`},
		{"edit", args{"file": "gate.scxml", "operations": []args{{"op": "add-stat", "id": "x"}}}, `add-state`},
		{"edit", args{"file": "gate.scxml", "operations": []args{{"op": "delete-state", "state": "open"}}}, `state "open" is used at 5:56 (target of <transition>): change that first`},
		{"edit", args{"file": "gate.scxml", "operations": []args{{"op": "add-state", "id": []int{1}}}}, `operation 1: id: [1] is not a text`},
		{"why", args{"file": "gate.rec", "what": "push", "step": 99}, `"step": 99 is not a step: the recording has 0 to `},
		{"why", args{"file": "gate.rec", "what": "pus"}, `did you mean "push"?`},
		{"why", args{"file": "gate.scxml", "what": "push"}, `gate.scxml: not a recording`},
		{"import", args{"text": "a => "}, `text:1:`},
		{"import", args{"text": "a;", "from": "dot"}, `text: "dot" is not a notation that is read: want smcat or xstate`},
	} {
		text, _, failed := ask(t, client, test.tool, test.args)
		if !failed || !strings.Contains(text, test.want) {
			t.Errorf("%s %.200v: %v\n%.1000s\nwant an error with\n%s", test.tool, test.args, failed, text, test.want)
		}
		for _, ours := range []string{"scxml: ", "isolate: ", "explore: ", "mutate: ", "suite: ", "--"} {
			if strings.Contains(text, ours) && !strings.Contains(test.want, ours) {
				t.Errorf("%s %.200v says %q, which is nothing to an assistant:\n%s", test.tool, test.args, ours, text)
			}
		}
	}
}
