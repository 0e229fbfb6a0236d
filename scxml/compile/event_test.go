package compile

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"testing/fstest"
)

// A typed chart compiles whatever it reads of an event, and wherever, if that is all that it reads.
func TestSingleUseOfEvent(t *testing.T) {
	expressions := []string{"_event", "typeof _event", "!_event", "_event === undefined", "_event.other", "_event.sendid?.x", "_event.data.x.y", "(_event.name || 1).length"}
	for _, field := range []string{"data", "data.x", "data?.x"} {
		expressions = append(expressions, "typeof _event."+field, "_event."+field+" === 'a'", "void _event."+field, "'' + _event."+field)
	}
	for _, field := range []string{"data", "data.x", "data?.x", "name", "type", "sendid", "origin", "origintype", "invokeid"} {
		expressions = append(expressions, "_event."+field, "_event?."+field)
	}
	state := func(format string) string {
		return `<state id="a">` + format + `<transition event="e" target="b"/></state><final id="b"/>`
	}
	places := map[string]string{
		"transition":  `<state id="a"><transition event="e" cond="%s" target="b"/></state><final id="b"/>`,
		"eventless":   state(`<transition cond="%s" target="b"/>`),
		"content":     `<state id="a"><transition event="e"><log expr="%s"/></transition></state>`,
		"initial":     `<state id="a"><initial><transition target="b"><log expr="%s"/></transition></initial><state id="b"/></state>`,
		"history":     `<state id="a"><history id="h"><transition target="b"><log expr="%s"/></transition></history><state id="b"/><transition event="e" target="h"/></state>`,
		"log":         state(`<onentry><log expr="%s"/></onentry>`),
		"onexit":      state(`<onexit><log expr="%s"/></onexit>`),
		"if":          state(`<onentry><if cond="%s"><raise event="e"/></if></onentry>`),
		"assign":      `<datamodel><data id="d"/></datamodel>` + state(`<onentry><assign location="d" expr="%s"/></onentry>`),
		"script":      `<datamodel><data id="d"/></datamodel>` + state(`<onentry><script>d = %s</script></onentry>`),
		"eventexpr":   state(`<onentry><send eventexpr="%s"/></onentry>`),
		"targetexpr":  state(`<onentry><send event="s" targetexpr="%s"/></onentry>`),
		"typeexpr":    state(`<onentry><send event="s" typeexpr="%s"/></onentry>`),
		"delayexpr":   state(`<onentry><send event="s" delayexpr="%s"/></onentry>`),
		"param":       state(`<onentry><send event="s"><param name="p" expr="%s"/></send></onentry>`),
		"sent":        state(`<onentry><send event="s"><content expr="%s"/></send></onentry>`),
		"cancel":      state(`<onentry><cancel sendidexpr="%s"/></onentry>`),
		"invoke type": state(`<invoke typeexpr="%s"/>`),
		"invoke src":  state(`<invoke type="t" srcexpr="%s"/>`),
		"invoked":     state(`<invoke type="t"><param name="p" expr="%s"/></invoke>`),
		"finalize":    state(`<invoke type="t"><finalize><log expr="%s"/></finalize></invoke>`),
		"donedata":    `<final id="a"><donedata><param name="p" expr="%s"/></donedata></final>`,
		"done":        `<final id="a"><donedata><content expr="%s"/></donedata></final>`,
		"data":        `<datamodel><data id="d" expr="%s"/></datamodel><state id="a"/>`,
		"main script": `<datamodel><data id="d"/></datamodel><script>d = %s</script><state id="a"/>`,
		"late data":   `<state id="a"><datamodel><data id="d" expr="%s"/></datamodel><transition event="e" target="a"/></state>`,
	}
	compiled := 0
	for place, format := range places {
		for _, x := range expressions {
			source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" binding="late">` + fmt.Sprintf(format, x) + `</scxml>`
			code, err := Source(fstest.MapFS{}, "x.scxml", []byte(source), Options{Package: "p"})
			if errors.As(err, new(*UnsupportedError)) {
				continue
			}
			if err == nil {
				compiled++
				err = typeCheck(code)
			}
			if err != nil {
				t.Errorf("%s in %s: %v", x, place, err)
			}
			if bytes.Contains(code, []byte("m.ev.")) && bytes.Contains(code, []byte("Plain: true")) {
				t.Errorf("%s in %s: the chart is said to notice only the name of an event", x, place)
			}
		}
	}
	if want := len(places) * len(expressions); compiled < want*9/10 {
		t.Errorf("%d of %d charts were compiled", compiled, want)
	}
}
