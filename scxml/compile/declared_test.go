package compile_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml/compile"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin"
)

// declared is a chart with the data items n, s and b of declared types, and content of the events e and f.
func declared(items, e, f string) string {
	return `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="https://github.com/scxmlrun/scxmlrun/scxml" version="1.0" datamodel="ecmascript">
<datamodel>` + items + `</datamodel>
<state><transition event="e">` + e + `</transition><transition event="f">` + f + `</transition>
<transition event="error"><log expr="_event.data.message"/></transition></state></scxml>`
}

const typedItems = `<data id="n" expr="0" x:type="number"/><data id="s" expr="'a'" x:type="string"/><data id="b" expr="false" x:type="boolean"/>`

// A data item of a declared type is what it is in a session, until it would get a value of another type.
func TestDeclaredTypes(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go tool")
	}
	const (
		assigned = `<assign location="n" expr="_event.data.n"/><assign location="s" expr="_event.data.s"/><assign location="b" expr="_event.data.b"/><log expr="n + s + b"/>`
		scripted = `<script>n = _event.data.n; n++; n += _event.data.n; s += _event.data.s; b = b || _event.data.b; for (s in {x: 1}) n = s.length</script><log expr="n + s + b"/>`
	)
	var subjects []*subject
	wants := map[string]string{}
	add := func(name, want, items, e, f, events string) {
		s := &subject{name: name, fsys: fstest.MapFS{"chart.scxml": {Data: []byte(declared(items, e, f))}}, file: "chart.scxml", typed: true}
		for text := range strings.SplitSeq(events, "; ") {
			event, data, _ := strings.Cut(text, " ")
			s.stimuli = append(s.stimuli, twin.Stimulus{Event: event, Data: json.RawMessage(data)})
		}
		subjects = append(subjects, s)
		wants[name] = want
	}
	const right = `{"n":1.5,"s":"x","b":true}`
	add("right", "", typedItems, assigned, scripted, "e "+right+"; f "+right+"; e "+right)
	add("null", "", typedItems, assigned, scripted, "e; f; e "+right) // to read a member fails in both
	add("assigned", `error "error.execution" "assign"`, typedItems, assigned, "", `e `+right+`; e {"n":"1"}`)
	add("missing", `error "error.execution" "assign"`, typedItems, assigned, "", `e {"n":1}`)
	add("script", `error "error.execution" "script"`, typedItems, "", scripted, `f {"n":1,"s":2,"b":null}`)
	add("expression", `error "error.execution" "script"`, typedItems, `<script>s = 'x' + (n = _event.data)</script><log expr="n + s"/>`, "", "e 3; e true")
	add("loop", `error "error.execution" "script"`, typedItems, `<script>for (s of _event.data) n++;</script><log expr="n + s"/>`, "", `e ["a"]; e ["b",1]`)
	sum, differences := compareAll(t, subjects)
	if sum.equal+sum.different != len(subjects) {
		t.Errorf("%d charts are compared, want %d: %v", sum.equal+sum.different, len(subjects), sum)
	}
	for _, d := range differences {
		if want := wants[d.name]; want == "" || !holds(d.text, "compiled", want) {
			t.Errorf("%s: want %s\n%s", d.name, want, d.text)
		}
		delete(wants, d.name)
	}
	for name, want := range wants {
		if want != "" {
			t.Errorf("%s: no difference, want %s", name, want)
		}
	}
}

// What a declared type cannot be kept for is a problem with its place.
func TestDeclaredProblems(t *testing.T) {
	for _, test := range []struct{ items, e, want string }{
		{`<data id="n" expr="Date.now()" x:type="number"/><data id="b" expr="Math.random() &lt; 2" x:type="boolean"/>`, "", ""},
		{`<data id="n" x:type="number"/>`, "", "2:12: n is declared as a number: give it a value that certainly is one"},
		{`<data id="n" x:type="number" expr="'a'"/>`, "", "2:12: n is declared as a number: give it a value that certainly is one"},
		{`<data id="n" x:type="number" expr="m.x"/>`, "", "2:12: n is declared as a number: give it a value that certainly is one"},
		{`<data id="n" x:type="int" expr="1"/>`, "", `2:33: type="int": want boolean, number or string`},
		{`<data id="m" expr="n"/><data id="n" x:type="number" expr="1"/>`, "", "2:31: n is declared as a number, and read before it has a value: declare it further up"},
		{`<data id="n" expr="1" x:type="number"/><data id="n" expr="'a'"/>`, "", "2:51: n is declared as a number: give it a value that certainly is one"},
		{`<data id="n" expr="1" x:type="number"/><data id="n" expr="'a'" x:type="string"/>`, "", "2:51: n is declared as a number and as a string: change one of them"},
		{typedItems, `<foreach array="[1]" item="n"/>`, "3:46: n is declared as a number, and is a variable of a <foreach>: use another variable"},
		{typedItems, `<assign location="n" expr="'a'"/>`, "3:57: n is declared as a number, and gets a string: change one of them"},
		{typedItems, `<send event="x" idlocation="n"/>`, "3:58: n is declared as a number, and gets a string: change one of them"},
		{typedItems, `<script>s++</script>`, "3:38: s is declared as a string, and gets a number: change one of them"},
		{typedItems, `<script>for (n in {}) ;</script>`, "3:38: n is declared as a number, and gets a string: change one of them"},
	} {
		_, err := compile.Source(fstest.MapFS{}, "c.scxml", []byte(declared(test.items, test.e, "")), compile.Options{Package: "p"})
		if test.want == "" && err == nil {
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), "c.scxml:"+test.want) {
			t.Errorf("%s %s:\n%v\nwant\n%s", test.items, test.e, err, test.want)
		}
	}
}
