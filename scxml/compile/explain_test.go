package compile

import (
	"testing"
	"testing/fstest"
)

// TestExplainWhy: a data item with several types has the places of the values that it has them from.
func TestExplainWhy(t *testing.T) {
	const source = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<datamodel><data id="n" expr="0"/><data id="total" expr="0"/><data id="order"/><data id="given" expr="''"/></datamodel>
<script src="more.js"/>
<state id="a"><transition event="e"><assign location="total" expr="'none'"/><assign location="order" expr="[n]"/>
<assign location="given" expr="_event.data.m"/><script>n = n + 1;
  total = null</script></transition></state></scxml>`
	all, err := Explain(fstest.MapFS{"more.js": {Data: []byte("var v = 0;\nv = true;")}}, "c.scxml", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"n": "", "total": "a number at 2:58, a string at 4:68, null at 6:3", "order": "undefined at 2:62, an array at 4:108",
		"given": "a string at 2:103, anything at 5:32", "v": "a number at more.js:1:5, a boolean at more.js:2:1", "m": "",
	}
	for _, in := range all {
		if why, known := want[in.Name]; !known || in.Why != why {
			t.Errorf("%s %s: %q, want %q", in.Kind, in.Name, in.Why, why)
		}
		delete(want, in.Name)
	}
	if len(want) > 0 {
		t.Errorf("there is nothing about %v", want)
	}
}
