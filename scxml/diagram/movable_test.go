package diagram_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// What is only elsewhere in another picture differs in nothing but its transform, which leads to where it is
// without Movable.
func TestMovable(t *testing.T) {
	draw := func(name string, movable bool) (head string, groups []string) {
		chart, err := scxml.Parse("a.scxml", []byte(fmt.Sprintf(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
			<state id="top"><state id="%s"><transition event="e" target="b"/></state></state>
			<state id="b"><transition event="f" target="c"/></state><parallel id="c"><state id="d"/><state id="h"/></parallel></scxml>`, name)))
		if err != nil {
			t.Fatal(err)
		}
		l, err := diagram.New(chart).Layout(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := l.WriteSVG(&b, diagram.SVGOptions{NoStyle: true, Movable: movable}); err != nil {
			t.Fatal(err)
		}
		all := strings.Split(b.String(), "\n<g")
		return all[0], all[1:]
	}
	place := regexp.MustCompile(` transform="translate\((-?\d+) (-?\d+)\)"`)
	_, plain := draw("a", false)
	_, before := draw("a", true)
	_, after := draw("a-state-with-a-name-that-is-long", true)
	if len(plain) != len(before) || len(before) != len(after) {
		t.Fatalf("%d, %d and %d groups", len(plain), len(before), len(after))
	}
	same, moved := 0, 0
	for i, g := range before {
		at := place.FindStringSubmatch(g)
		if at == nil {
			t.Errorf("without a transform: %s", g)
			continue
		}
		if box := regexp.MustCompile(`<rect [^>]*x="(\d+)" y="(\d+)"`).FindStringSubmatch(plain[i]); box != nil && (box[1] != at[1] || box[2] != at[2] || !strings.Contains(g, `x="0" y="0"`)) {
			t.Errorf("a box is at %s, not at %s %s", at[0], box[1], box[2])
		}
		if place.ReplaceAllString(g, "") == place.ReplaceAllString(after[i], "") {
			same++
			if g != after[i] {
				moved++
			}
		}
	}
	if same < len(before)/2 || moved < 3 {
		t.Errorf("of %d groups %d are the same, of which %d were moved", len(before), same, moved)
	}
}
