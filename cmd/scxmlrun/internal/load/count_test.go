package load

import (
	"strings"
	"testing"
)

// TestCountStates: states of the chart count, and nothing that is data or an inner document.
func TestCountStates(t *testing.T) {
	large := strings.Repeat(" ", largeDocument)
	for _, test := range []struct {
		document string
		want     int
	}{
		{`<scxml><state id="a"/><parallel><final/><history/></parallel><statement/></scxml>`, 4},
		{`<scxml><datamodel><data id="d" expr="1"/><data id="x"><state/><state/></data></datamodel><state/></scxml>`, 1},
		{`<scxml><datamodel><data id="d" expr="1"/></datamodel><state/><state/></scxml>`, 2},
		{`<scxml><!-- <state/> --><state><invoke><content><scxml><state/></scxml></content></invoke></state></scxml>`, 1},
		{`<scxml><script><![CDATA[ "<state/>" ]]></script><state/></scxml>`, 1},
	} {
		if got := CountStates([]byte(test.document + large)); got != test.want {
			t.Errorf("%s: %d states, want %d", test.document, got, test.want)
		}
	}
}
