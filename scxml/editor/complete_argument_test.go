package editor

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// An argument is completed as it would be in the document. The sign | is the cursor.
func TestCompleteArgument(t *testing.T) {
	plain := Analyse("lamp.scxml", plainDocument, Options{})
	prefixed := Analyse("lamp.scxml", `<s:scxml xmlns:s="http://www.w3.org/2005/07/scxml" version="1.0"><s:datamodel><s:data id="text"/></s:datamodel><s:state id="on"/></s:scxml>`, Options{})
	for _, test := range []struct {
		d                       *Document
		op, of, argument, value string
		want                    string
	}{
		{plain, "set-event", "off/1", "event", "wa|", "warm|"},
		{plain, "set-event", "off/1", "event", "press wa|", "press warm|"},
		{plain, "set-event", "off/1", "event", "wa| press", "warm| press"},
		{plain, "set-target", "off/3", "to", "di|", "dimmed|"},
		{plain, "set-target", "off/3", "to", "|", "broken|"},
		{plain, "set-cond", "off/2", "cond", "n < 3 && te|", "n < 3 && text|"},
		{plain, "set-cond", "off/2", "cond", "te| && n < 3", "text| && n < 3"},
		{plain, "set-actions", "off/2", "actions", "<rai|", `<raise event="|"/>`},
		{plain, "set-actions", "off/3", "actions", "<lo|", `<log expr="|"/>`},
		{plain, "set-actions", "off/3", "actions", "<log expr=\"te|\"/>\n<log/>", "<log expr=\"text|\"/>\n<log/>"},
		{plain, "set-actions", "off/3", "actions", "<raise event=\"wa|\"/>", `<raise event="warm|"/>`},
		{plain, "set-onentry", "on", "actions", "<lo|\n<raise event='warm'/>", "<log expr=\"|\"/>\n<raise event='warm'/>"},
		{plain, "set-onentry", "dark", "actions", "<log expr=\"te|\"/>", `<log expr="text|"/>`},
		{plain, "set-onexit", "off", "actions", "<assign location=\"te|\"/>", `<assign location="text|"/>`},
		{plain, "add-onexit", "off", "actions", "<assign location=\"te|\"/>", `<assign location="text|"/>`},
		{prefixed, "set-onexit", "on", "actions", "<lo|", `<log expr="|"/>`},
		{prefixed, "set-onexit", "on", "actions", "<if cond=\"text\">\n  <ra|\n</if>", "<if cond=\"text\">\n  <raise event=\"|\"/>\n</if>"},
	} {
		offset := strings.Index(test.value, "|")
		value := test.value[:offset] + test.value[offset+1:]
		op := Operation{test.op, map[string]string{"transition": test.of, test.argument: value}}
		if !strings.Contains(test.of, "/") {
			op.Args = map[string]string{"state": test.of, test.argument: value}
		}
		c := test.d.CompleteArgument(op, test.argument, offset)
		var got []string
		for _, it := range c.Items {
			got = append(got, value[:c.Replace.Start]+it.Insert[:it.Cursor]+"|"+it.Insert[it.Cursor:]+value[c.Replace.End:])
		}
		if !slices.Contains(got, test.want) {
			t.Errorf("%s %s: %s: got %q, want %q", test.op, test.of, test.value, got, test.want)
		}
	}
	for _, op := range []Operation{
		{"set-actions", map[string]string{"transition": "off/9", "actions": "<"}},
		{"set-onentry", map[string]string{"state": "none", "actions": "<"}},
		{"set-onentry", map[string]string{"state": "on", "actions": "<", "number": "7"}},
		{"set-type", map[string]string{"transition": "off/1", "type": ""}},
	} {
		if c := plain.CompleteArgument(op, slices.Sorted(maps.Keys(op.Args))[0], 1); len(c.Items) > 0 {
			t.Errorf("%v: got %v", op, c)
		}
	}
}
