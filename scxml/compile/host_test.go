package compile_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin"
)

// wantEqual compares charts, all of which can be.
func wantEqual(t *testing.T, subjects ...*subject) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go tool")
	}
	sum, differences := compareAll(t, subjects)
	for _, d := range differences {
		t.Errorf("%s: %s", d.name, d.text)
	}
	if sum.equal != len(subjects) {
		t.Error(sum)
	}
}

// Inline XML is data, with the prefixes that are declared outside of it.
func TestInlineXML(t *testing.T) {
	const source = `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:p="urn:p" version="1.0" datamodel="ecmascript" initial="s">
  <datamodel>
    <data id="books"><books xmlns=""><book title="one"/><p:book p:title="a&amp;&quot;b"><!-- c -->text &lt;</p:book></books></data>
    <data id="mixed">some <b xmlns="urn:b">mixed</b> <i xmlns="">content</i></data>
    <data id="seen"/>
  </datamodel>
  <state id="s">
    <onentry><send event="doc"><content><p:doc xmlns:q="urn:q"><q:item p:n="1"/></p:doc></content></send></onentry>
    <transition event="doc"><assign location="seen" expr="_event.data.getElementsByTagName('q:item').length"/></transition>
    <transition event="set"><assign location="books"><list xmlns=""><x a="1"/><x a="2"/></list></assign></transition>
    <transition event="change"><script>books.getElementsByTagName('*')[0].getAttribute('a')</script><assign location="seen" expr="books.getElementsByTagName('x').length"/></transition>
    <transition event="end" target="f"/>
  </state>
  <final id="f"><donedata><content><p:end/></content></donedata></final>
</scxml>`
	s := &subject{name: "xml", fsys: fstest.MapFS{"xml.scxml": {Data: []byte(source)}}, file: "xml.scxml", stimuli: []twin.Stimulus{{Event: "change"}, {Event: "set"}, {Event: "change"}, {Event: "set"}, {Event: "end"}}}
	wantEqual(t, s)
}

// A chart that does not read data takes and passes on data of any type. What cannot take them says so.
func TestDataThatIsNotRead(t *testing.T) {
	chart := func(model, log, child string) fstest.MapFS {
		source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="` + model + `">
  <state id="s">
    <invoke id="child" autoforward="true"><content><scxml version="1.0" datamodel="ecmascript">
      <state id="c"><transition event="list"><send event="got" target="#_parent">` + child + `</send></transition></state>
    </scxml></content></invoke>
    <transition event="list">` + log + `</transition>
    <transition event="got" target="t"/>
  </state>
  <state id="t"/>
</scxml>`
		return fstest.MapFS{"list.scxml": {Data: []byte(source)}}
	}
	const name, data = `<log expr="_event.name"/>`, `<param name="n" expr="_event.data.length"/><param name="list" expr="_event.data"/>`
	stimuli := []twin.Stimulus{{Event: "list", Data: []byte("[1,[2]]")}, {Event: "list", Data: []byte(`{"a":[1]}`)}}
	subjects := []*subject{
		{name: "null", fsys: chart("null", "", data)},
		{name: "names only", fsys: chart("ecmascript", name, `<param name="n" expr="_event.name"/>`), typed: true},
		{name: "data in the child", fsys: chart("ecmascript", name, data), typed: true},
	}
	for _, s := range subjects {
		s.file, s.stimuli = "list.scxml", stimuli
	}
	wantEqual(t, subjects...)
	for _, s := range subjects {
		if s.record.Refused != "" {
			t.Errorf("%s: refused %s", s.name, s.record.Refused)
		}
	}
}

// Invoked machines take their turns after the root, also where a shortcut has taken the event of the root.
func TestTurnsWithShortcuts(t *testing.T) {
	const source = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="s">
    <invoke id="child"><content><scxml version="1.0" datamodel="null">
      <state id="c"><transition event="y"><log label="child"/></transition><transition event="w"/></state>
    </scxml></content></invoke>
    <transition event="both"><send event="x"/><send event="y" target="#_child"/></transition>
    <transition event="later"><send event="x" delay="1s"/><send event="y" target="#_child" delay="1s"/></transition>
    <transition event="x"><log label="root"/></transition>
    <transition event="wake"><send event="w" target="#_child"/></transition>
    <transition event="nothing"/>
  </state>
</scxml>`
	s := &subject{name: "turns", fsys: fstest.MapFS{"turns.scxml": {Data: []byte(source)}}, file: "turns.scxml", stimuli: []twin.Stimulus{
		{Event: "both"}, {Event: "wake"}, {Event: "both"}, {Event: "later"}, {Event: "wake"}, {Event: "nothing"}, {Wait: 2 * time.Second},
	}}
	wantEqual(t, s)
}

// A typed chart passes on data of an event that are an object, also as one of two values, and fails to keep them.
func TestObjectOfEvent(t *testing.T) {
	const source = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="v"/></datamodel>
  <state id="s">
    <transition event="go"><send event="e" target="#_internal"><param name="x" expr="1"/></send></transition>
    <transition event="e">
      <log expr="In('s') ? _event.data : 1"/>
      <log expr="v ?? _event.data"/>
      <log expr="_event.data &amp;&amp; _event.data"/>
      <send event="out"><param name="p" expr="_event.data.x == 2 || _event.data"/></send>
    </transition>
    <transition event="keep" target="t"/>
  </state>
  <state id="t">
    <onentry><raise event="again"/></onentry>
    <transition event="again"><send event="e" target="#_internal"><param name="x" expr="1"/></send></transition>
    <transition event="e"><assign location="v" expr="v || _event.data"/></transition>
  </state>
</scxml>`
	var subjects []*subject
	for _, event := range []string{"go", "keep"} {
		subjects = append(subjects, &subject{name: event, typed: true, fsys: fstest.MapFS{"object.scxml": {Data: []byte(source)}}, file: "object.scxml", stimuli: []twin.Stimulus{{Event: event}}})
	}
	wantEqual(t, subjects...)
	for _, s := range subjects {
		if s.record.Refused != "" {
			t.Errorf("%s: refused %s", s.name, s.record.Refused)
		}
	}
}

// A typed chart reads an object inside of the data of an event, wherever it does it.
func TestObjectInsideOfEvent(t *testing.T) {
	const source = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="v"/></datamodel>
  <state id="s" initial="a">
    <state id="a">
      <transition event="end" target="f"/>
      <transition event="do.*"><send eventexpr="_event.name.slice(3)" target="#_internal"><param name="p" expr="_event.data"/></send></transition>
    </state>
    <final id="f"><donedata><param name="p" expr="_event.data"/></donedata></final>
    <transition event="whole"><log expr="_event.data"/></transition>
    <transition event="log"><log expr="_event.data.p"/></transition>
    <transition event="optional"><log expr="_event.data?.p"/></transition>
    <transition event="keep"><assign location="v" expr="_event.data.p"/></transition>
    <transition event="script"><script>v = _event.data.p</script></transition>
    <transition event="send"><send event="out"><param name="q" expr="_event.data.p"/></send></transition>
    <transition event="name"><send eventexpr="_event.data.p"/></transition>
    <transition event="if"><if cond="_event.data.p === 1"><log/></if></transition>
    <transition event="cond" cond="_event.data.p &lt; 1"/>
    <transition event="deep"><log expr="_event.data.p.x"/></transition>
    <transition event="either"><log expr="(v || _event.data).p"/></transition>
    <transition event="maybe"><log expr="(v || _event.data)?.p"/></transition>
    <transition event="done.state.s"><log expr="_event.data.p"/></transition>
  </state>
</scxml>`
	var subjects []*subject
	for _, event := range []string{"do.whole", "do.log", "do.optional", "do.keep", "do.script", "do.send", "do.name", "do.if", "do.cond", "do.deep", "do.either", "do.maybe", "end"} {
		subjects = append(subjects, &subject{name: event, typed: true, fsys: fstest.MapFS{"inside.scxml": {Data: []byte(source)}}, file: "inside.scxml", stimuli: []twin.Stimulus{{Event: event, Data: []byte(`{"x":1}`)}}})
	}
	wantEqual(t, subjects...)
	for _, s := range subjects {
		if s.record.Refused != "" {
			t.Errorf("%s: refused %s", s.name, s.record.Refused)
		}
	}
}

// A typed chart finds the location of its I/O processor, and none of another one.
func TestProcessors(t *testing.T) {
	var logs strings.Builder
	for _, x := range []string{
		"['http://www.w3.org/TR/scxml/#SCXMLEventProcessor'].location", ".scxml.location", ".scxml['location'].length", ".scxml.type", ".scxml?.location",
		"['http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor']", ".basichttp", ".basichttp.location", ".basichttp?.location", ".scxml.type.length", ".nothing && 1",
	} {
		fmt.Fprintf(&logs, "<onentry><log expr=\"_ioprocessors%s\"/></onentry>", strings.ReplaceAll(x, "&", "&amp;"))
	}
	source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="here" expr="_ioprocessors.scxml.location"/><data id="there" expr="_ioprocessors.basichttp.location"/></datamodel>
  <state id="s">` + logs.String() + `
    <onentry><send event="e" targetexpr="_ioprocessors.scxml.location"/></onentry>
    <onentry><send event="e" targetexpr="_ioprocessors.basichttp.location"/></onentry>
    <transition event="e" cond="_event.origin === here &amp;&amp; there === undefined" target="t"/>
  </state>
  <state id="t"/>
</scxml>`
	s := &subject{name: "processors", typed: true, fsys: fstest.MapFS{"processors.scxml": {Data: []byte(source)}}, file: "processors.scxml"}
	wantEqual(t, s)
}

// Shortcuts record histories, and clear the registers of the regions that they leave.
func TestHistoriesOfShortcuts(t *testing.T) {
	const source = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="flat">
    <history id="h"><transition target="a"/></history>
    <state id="a"><transition event="next" target="b"/></state>
    <state id="b"><transition event="next" target="a"/></state>
    <transition event="off" target="off"/>
  </state>
  <state id="deep">
    <history id="d" type="deep"><transition target="p"/></history>
    <parallel id="p">
      <state id="x"><state id="x1"><transition event="next" target="x2"/></state><state id="x2"/></state>
      <state id="y"><state id="y1"><transition event="other" target="y2"/></state><state id="y2"/></state>
    </parallel>
    <transition event="off" target="off"/>
  </state>
  <state id="off"><transition event="flat" target="h"/><transition event="deep" target="d"/></state>
</scxml>`
	s := &subject{name: "histories", fsys: fstest.MapFS{"histories.scxml": {Data: []byte(source)}}, file: "histories.scxml"}
	for _, event := range []string{"next", "off", "flat", "next", "off", "deep", "next", "off", "flat", "off", "deep", "other", "off", "deep"} {
		s.stimuli = append(s.stimuli, twin.Stimulus{Event: event})
	}
	wantEqual(t, s)
}

// The values of attributes become text in a typed chart, or fail.
func TestTypedAttributes(t *testing.T) {
	var content strings.Builder
	for _, x := range []string{"v", "n", "undefined", "null", "1.5", "true", "'e'", "'#_internal'", "'10ms'", "'scxml'", "nowhere"} {
		for _, format := range []string{
			`<send eventexpr="%s"/>`, `<send event="t" targetexpr="%s"/>`, `<send event="t" typeexpr="%s"/>`, `<send event="d" delayexpr="%s"/>`, `<cancel sendidexpr="%s"/>`,
		} {
			fmt.Fprintf(&content, "<onentry>"+format+"</onentry>\n", x)
		}
	}
	source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="v"/><data id="n" expr="null"/></datamodel>
  <state id="s">` + content.String() + `<transition event="give"><assign location="v" expr="_event.data"/><assign location="n" expr="v"/></transition></state>
</scxml>`
	wantEqual(t, &subject{name: "attributes", typed: true, fsys: fstest.MapFS{"attributes.scxml": {Data: []byte(source)}}, file: "attributes.scxml", high: true, stimuli: []twin.Stimulus{{Wait: time.Second}}})
}
