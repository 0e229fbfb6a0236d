package randomchart

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// A timedChart is a random chart with delayed events. Its text depends on the seed alone.
type timedChart struct {
	*rand.Rand
	strings.Builder
	unit            time.Duration
	regions, states int // states of each region
}

// Timed returns the text of a chart of up to three parallel regions that start, cancel and wait for delayed events, of one
// to three units, raise events, count, and perhaps invoke a child with delays of its own.
func Timed(seed uint64, unit time.Duration) string {
	c := &timedChart{Rand: rand.New(rand.NewPCG(seed, 1)), unit: unit}
	c.regions, c.states = 1+c.IntN(3), 2+c.IntN(2)
	c.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="n" expr="0"/></datamodel><parallel id="all">` + "\n")
	for r := range c.regions {
		fmt.Fprintf(c, "<state id=\"r%d\">\n", r)
		for s := range c.states {
			c.state(r, s)
		}
		c.WriteString("</state>\n")
	}
	// What the chart sends does not come from outside.
	c.WriteString(`</parallel><final id="end"/><state id="never"><onentry><raise event="i"/><send event="t0"/><send event="t1"/><send event="t2"/></onentry></state></scxml>`)
	return c.String()
}

func (c *timedChart) state(r, s int) {
	fmt.Fprintf(c, ` <state id="s%d%d">`, r, s)
	if s == 0 && r == 0 || c.IntN(3) > 0 {
		c.WriteString("<onentry>")
		c.send()
		if c.IntN(4) == 0 {
			c.send()
		}
		c.WriteString("</onentry>")
	}
	if c.IntN(8) == 0 {
		c.WriteString(`<onexit><cancel sendid="x"/></onexit>`)
	}
	if r == 0 && s == 1 && c.IntN(4) == 0 {
		fmt.Fprintf(c, `<invoke><content><scxml version="1.0" datamodel="null"><state id="i"><onentry><send event="t1" target="#_parent" delay="%v"/><send event="in" delay="%v"/></onentry>`+
			`<transition event="in" target="j"/></state><final id="j"/></scxml></content></invoke>`, c.delay(), c.delay())
	}
	for range 2 + c.IntN(2) {
		c.transition(r)
	}
	c.WriteString("</state>\n")
}

// event returns an event: two come from outside, the others are sent.
func (c *timedChart) event() string {
	return [...]string{"a", "b", "t0", "t1", "t2", "t0", "t1", "t2", "i", "done.invoke"}[c.IntN(10)]
}

func (c *timedChart) target() string {
	return fmt.Sprintf("s%d%d", c.IntN(c.regions), c.IntN(c.states))
}

func (c *timedChart) transition(r int) {
	fmt.Fprintf(c, `<transition event="%s"`, c.event())
	if c.IntN(5) == 0 {
		fmt.Fprintf(c, ` cond="In('%s')"`, c.target())
	} else if c.IntN(6) == 0 {
		fmt.Fprintf(c, ` cond="n == %d"`, c.IntN(3))
	}
	switch c.IntN(12) {
	case 0:
		c.WriteString(` target="end"`)
	case 1, 2, 3:
	default:
		fmt.Fprintf(c, ` target="s%d%d"`, r, c.IntN(c.states))
	}
	c.WriteString(">")
	if c.IntN(3) == 0 {
		c.action()
	}
	c.WriteString("</transition>")
}

func (c *timedChart) action() {
	switch c.IntN(5) {
	case 0:
		c.WriteString(`<raise event="i"/>`)
	case 1:
		c.WriteString(`<cancel sendid="x"/>`)
	case 2:
		c.WriteString(`<assign location="n" expr="(n + 1) % 3"/>`)
	default:
		c.send()
	}
}

func (c *timedChart) send() {
	fmt.Fprintf(c, `<send event="t%d" delay="%v"`, c.IntN(3), c.delay())
	if c.IntN(3) == 0 {
		c.WriteString(` id="x"`)
	}
	c.WriteString("/>")
}

func (c *timedChart) delay() time.Duration { return time.Duration(1+c.IntN(3)) * c.unit }
