package playground

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/editor"
)

// The page draws a document, changes it by operations, and learns what would dangle.
func TestEdit(t *testing.T) {
	p := New(nil)
	defer p.Close()
	drawn := request[drawing](t, p, "POST", "/draw", door)
	if len(drawn.States) != 3 || len(drawn.Transitions) != 1 || !strings.Contains(drawn.SVG, `data-transition="shut/1"`) {
		t.Errorf("drawn: %+v", drawn)
	}
	if part := request[drawing](t, p, "POST", "/draw?of=shut", door); part.Of != "shut" || strings.Contains(part.SVG, `data-state="open"`) {
		t.Errorf("of a state: %+v", part)
	}
	body := func(op string, args ...string) string {
		o := editor.Operation{Op: op, Args: map[string]string{}}
		for i := 0; i < len(args); i += 2 {
			o.Args[args[i]] = args[i+1]
		}
		text, err := json.Marshal(edit{door, o})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := request[edited](t, p, "POST", "/edit", body("set-target", "transition", "shut/1", "to", "shut")); got.At != 2 || got.Source != strings.Replace(door, `target="open"`, `target="shut"`, 1) {
		t.Errorf("edited: %+v", got)
	}
	if got := request[edited](t, p, "POST", "/edit", body("delete-state", "state", "open")); len(got.Uses) != 1 || got.Uses[0].Line != 2 || got.Source != "" {
		t.Errorf("what would dangle: %+v", got)
	}
	if got := request[edited](t, p, "POST", "/edit", body("add-stat")); !strings.Contains(got.Error, "add-state") {
		t.Errorf("a wrong operation: %+v", got)
	}
	if got := request[completion](t, p, "POST", "/complete?argument=to&at=2", body("set-target", "transition", "shut/1", "to", "op")); len(got.Items) == 0 || got.Items[0].Insert != "open" || got.From != 0 || got.To != 2 {
		t.Errorf("completed: %+v", got)
	}
	if got := request[completion](t, p, "POST", "/complete?argument=actions&at=15", body("set-onexit", "state", "shut", "actions", "<!-- 🚪 -->\n<lo\n<log/>")); len(got.Items) == 0 || got.Items[0] != (item{"log", "SCXML 4.7", `log expr=""/>`, 10, false}) || got.From != 13 || got.To != 15 {
		t.Errorf("completed: %+v", got)
	}
	if got := request[string](t, p, "POST", "/copy?of=open", door); got != `<final id="open"/>` {
		t.Errorf("copied: %q", got)
	}
	if drawn := request[drawing](t, p, "POST", "/draw", "<a"); len(drawn.States) > 0 && drawn.SVG != "" {
		t.Errorf("what is not a chart: %+v", drawn)
	}
}
