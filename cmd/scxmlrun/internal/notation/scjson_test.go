package notation

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// scjsonSchema has the keys of each element in the schema of scjson, version 0.3. "[]" marks lists of
// elements, "'[]" lists of texts, and "{}" an element.
var scjsonSchema = map[string]string{
	"scxml":      "state[] parallel[] final[] datamodel[] script[] initial'[] name version datamodel_attribute binding exmode",
	"state":      "onentry[] onexit[] transition[] initial[] state[] parallel[] final[] history[] datamodel[] invoke[] id initial_attribute'[]",
	"parallel":   "onentry[] onexit[] transition[] state[] parallel[] history[] datamodel[] invoke[] id",
	"final":      "onentry[] onexit[] donedata[] id",
	"initial":    "transition{}",
	"history":    "transition{} id type_value",
	"transition": "raise_value[] if_value[] foreach[] send[] script[] assign[] log[] cancel[] event cond target'[] type_value",
	"onentry":    "raise_value[] if_value[] foreach[] send[] script[] assign[] log[] cancel[]",
	"onexit":     "raise_value[] if_value[] foreach[] send[] script[] assign[] log[] cancel[]",
	"finalize":   "raise_value[] if_value[] foreach[] send[] script[] assign[] log[] cancel[]",
	"foreach":    "raise_value[] if_value[] foreach[] send[] script[] assign[] log[] cancel[] array item index",
	"if_value":   "raise_value[] if_value[] foreach[] send[] script[] assign[] log[] cancel[] elseif{} else_value{} cond",
	"elseif":     "cond", "else_value": "",
	"datamodel": "data[]", "data": "id src expr content", "assign": "location expr type_value attr content",
	"script": "src content", "log": "label expr", "raise_value": "event", "cancel": "sendid sendidexpr", "param": "name expr location",
	"send":     "content[] param[] event eventexpr target targetexpr type_value typeexpr id idlocation delay delayexpr namelist",
	"invoke":   "content[] param[] finalize[] type_value typeexpr src srcexpr id idlocation namelist autoforward",
	"donedata": "content{} param[]", "content": "expr content",
}

// checkSCJSON checks an element against the schema and counts it.
func checkSCJSON(t *testing.T, where, name string, v any, count map[string]int) {
	o, ok := v.(map[string]any)
	if !ok {
		t.Errorf("%s: %s is not an object: %v", where, name, v)
		return
	}
	count[name]++
	texts := func(list any) {
		for _, x := range list.([]any) {
			if _, ok := x.(string); !ok {
				t.Errorf("%s: %s has %v, want texts", where, name, x)
			}
		}
	}
	for key, v := range o {
		known := strings.Fields(scjsonSchema[name])
		switch {
		case key == "other_element" || key == "other_attributes":
		case key == "help_text" || slices.Contains(known, key+"'[]"):
			texts(v)
		case slices.Contains(known, key+"[]"):
			for _, x := range v.([]any) {
				checkSCJSON(t, where, key, x, count)
			}
		case slices.Contains(known, key+"{}"):
			checkSCJSON(t, where, key, v, count)
		case key == "content" && slices.Contains(known, key):
			for _, x := range v.([]any) {
				if o, ok := x.(map[string]any); ok && o["qname"] == nil {
					checkSCJSON(t, where, "scxml", o, count)
				}
			}
		case key == "version":
			if v != 1.0 {
				t.Errorf("%s: version %v", where, v)
			}
		case slices.Contains(known, key):
			if _, ok := v.(string); !ok {
				t.Errorf("%s: %s of %s is %v, want a text", where, key, name, v)
			}
		default:
			t.Errorf("%s: %s has no %q", where, name, key)
		}
	}
}

// What is written obeys the schema, and has all elements.
func TestSCJSON(t *testing.T) {
	for _, s := range corpus(t) {
		text, lost := SCJSON(s.d)
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		got, want := make(map[string]int), make(map[string]int)
		checkSCJSON(t, s.name, "scxml", v, got)
		var count func(e *scxml.Element)
		count = func(e *scxml.Element) {
			key := scjsonKey(e.Name)
			want[key]++
			mixed := slices.Contains([]string{"data", "assign", "content", "script"}, e.Name)
			for _, c := range e.Children {
				if c.Space == e.Space && (!mixed || c.Name == "scxml") {
					count(c)
				}
			}
		}
		count(s.d.Chart.Element())
		for name, n := range want {
			if got[name] != n && name != "elseif" && !slices.ContainsFunc(lost, func(l string) bool { return strings.Contains(l, "other") }) {
				t.Errorf("%s: %d elements %s, want %d (lost: %v)", s.name, got[name], name, n, lost)
			}
		}
	}
}
