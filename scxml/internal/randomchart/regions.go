package randomchart

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Regions returns the text of a random chart of parallel regions that sometimes take the same events, use the same data, or look at each
// other.
func Regions(rng *rand.Rand) string {
	var b strings.Builder
	maybe := func(percent int) bool { return rng.IntN(100) < percent }
	regions, states := 2+rng.IntN(2), 2+rng.IntN(3)
	touch := []int{0, 10, 30}[rng.IntN(3)] // percent of what touches other regions
	variable := func(r int) string {
		if maybe(touch) {
			r = rng.IntN(regions)
		}
		return fmt.Sprintf("v%d", r)
	}
	state := func(r int) string { return fmt.Sprintf("s%d_%d", r, rng.IntN(states)) }
	action := func(r int) {
		switch v := variable(r); {
		case maybe(touch):
			fmt.Fprintf(&b, `<raise event="%s"/>`, []string{"i", fmt.Sprintf("e%d.%d", rng.IntN(regions), rng.IntN(3))}[rng.IntN(2)])
		case maybe(touch):
			b.WriteString(`<assign location="nowhere" expr="1"/>`) // fails
		case maybe(10):
			fmt.Fprintf(&b, `<script>%s = (%s + 2) %% 3</script>`, v, variable(r))
		default:
			fmt.Fprintf(&b, `<assign location="%s" expr="(%s + 1) %% 3"/>`, v, variable(r))
		}
	}
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel>`)
	for r := range regions {
		fmt.Fprintf(&b, `<data id="v%d" expr="0"/>`, r)
	}
	b.WriteString("</datamodel><parallel id=\"all\">\n")
	for r := range regions {
		final := maybe(15)
		fmt.Fprintf(&b, "<state id=\"r%d\">\n", r)
		for s := range states {
			fmt.Fprintf(&b, ` <state id="s%d_%d">`, r, s)
			if maybe(15) {
				b.WriteString("<onentry>")
				action(r)
				b.WriteString("</onentry>")
			}
			for range 1 + rng.IntN(3) {
				event := fmt.Sprintf("e%d.%d", r, rng.IntN(3))
				switch {
				case maybe(touch):
					event = []string{"i", "error", fmt.Sprintf("done.state.r%d", rng.IntN(regions)), fmt.Sprintf("e%d", rng.IntN(regions))}[rng.IntN(4)]
				case maybe(8):
					event = ""
				}
				b.WriteString("<transition")
				if event != "" {
					fmt.Fprintf(&b, ` event="%s"`, event)
				}
				switch {
				case maybe(touch):
					fmt.Fprintf(&b, ` cond="In('%s')"`, state(rng.IntN(regions)))
				case maybe(40) || event == "":
					fmt.Fprintf(&b, ` cond="%s == %d"`, variable(r), rng.IntN(3))
				}
				switch {
				case final && maybe(20):
					fmt.Fprintf(&b, ` target="f%d"`, r)
				case event == "" || maybe(80): // an eventless one without a target could be taken for ever
					fmt.Fprintf(&b, ` target="%s"`, state(r))
				}
				b.WriteString(">")
				if maybe(40) {
					action(r)
				}
				b.WriteString("</transition>")
			}
			b.WriteString("</state>\n")
		}
		if final {
			fmt.Fprintf(&b, " <final id=\"f%d\"/>\n", r)
		}
		b.WriteString("</state>\n")
	}
	return b.String() + "</parallel></scxml>"
}
