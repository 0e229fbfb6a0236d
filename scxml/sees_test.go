package scxml_test

import (
	"fmt"
	"strings"
	"testing"
)

// A chart tells where its code reads the clock, and leaves other uses of Date alone.
func TestClockReads(t *testing.T) {
	chart := parse(t, `<datamodel>
	<data id="a" expr="Date.now()"/>
	<data id="b" expr="+new Date()"/>
	<data id="c" expr="[new Date, 1]"/>
	<data id="d" expr="new Date(2000, 1) instanceof Date ? Date.parse('2000') : Date.UTC(2000)"/>
	<data id="e" expr="myDate() + o.Date() + 'Date'"/>
</datamodel>
<state id="s">
	<transition event="e" cond="Date . now ( ) &gt; 5"><script>
		let f = Date()
	</script></transition>
	<invoke><content><scxml version="1.0"><datamodel><data id="x" expr="new Date"/></datamodel><state/></scxml></content></invoke>
</state>`)
	var lines []string
	for _, pos := range chart.ClockReads() {
		lines = append(lines, fmt.Sprint(pos.Line))
	}
	if got := strings.Join(lines, " "); got != "2 3 4 9 10 12" {
		t.Errorf("the clock is read in lines %s", got)
	}
	null := parse(t, `<state id="s"><transition event="e" cond="In('s')"/></state>`, `datamodel="null"`)
	if got := null.ClockReads(); got != nil {
		t.Errorf("the null data model reads the clock at %v", got)
	}
}
