package lsp

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/editor"
)

// TestHoverTypes: the hovers of names have their types, as long as the chart can be loaded.
func TestHoverTypes(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<datamodel><data id="n" expr="0"/><data id="late"/></datamodel>
<script>var limit = 3; function add(x) { return x + limit; }</script>
<state id="a"><transition event="e" cond="_event.data.m &lt; n"><assign location="n" expr="add(n)"/><log expr="/re/"/></transition>
<transition event="x"><assign location="late" expr="limit"/></transition></state>
</scxml>`
	r := openChart(t, everything, chart)
	for _, test := range []struct{ before, name, want string }{
		{"data id", "n", "`number`, in Go `float64`"},
		{"data id", "late", "`number | undefined`, in Go `js.Value`, from `undefined at 2:35, a number at 5:53`"},
		{"_event.data", "m", "member `m`: `number`, in Go `float64`"},
		{"location=", "add", "function `add`: in Go `(x float64) float64`"},
		{"add(n", "n", "data item `n`, at first `0`\n\n`number`, in Go `float64`"},
		{"late\" expr=", "limit", "variable `limit`: `number`, in Go `float64`"},
		{"return", "limit", "variable `limit`: `number`, in Go `float64`"},
		{"function", "add", "function `add`: in Go `(x float64) float64`"},
		{"<script", "limit", "variable `limit`: `number`, in Go `float64`"},
	} {
		h := result[hover](t, r.must("textDocument/hover", r.at(test.before, test.name)))
		if !strings.Contains(h.Contents.Value, test.want) {
			t.Errorf("%s %s: the hover is %q, want %q", test.before, test.name, h.Contents.Value, test.want)
		}
	}
}

// TestHoverWithoutTypes: without types, a hover says the rest.
func TestHoverWithoutTypes(t *testing.T) {
	for name, source := range map[string]string{
		"not a chart": `<scxml version="1.0"><datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition target="none"/></state></scxml>`,
		"too large":   `<scxml version="1.0"><datamodel><data id="n" expr="0"/></datamodel><state id="a"/></scxml>` + strings.Repeat(" ", maxTyped),
	} {
		h, ok := analysed(source).Hover(strings.Index(source, `n" expr`))
		if want := "data item `n`, at first `0`"; !ok || h.Text != want {
			t.Errorf("%s: %q, want %q", name, h.Text, want)
		}
	}
	source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="n" expr="0"/></datamodel><state id="a"/></scxml>`
	if h, _ := analysed(source).Hover(strings.Index(source, `n" expr`)); !strings.HasSuffix(h.Text, "float64`") {
		t.Errorf("a chart without a folder: %q", h.Text)
	}
}

func analysed(source string) *editor.Document {
	return editor.Analyse("t.scxml", source, editor.Options{Types: typesOf("t.scxml", nil)})
}
