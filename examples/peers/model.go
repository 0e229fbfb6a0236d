package main

import (
	"fmt"
	"strings"
)

// A fork is how a chart writes the forks. The verbs %d stand for the number of a fork.
type fork struct {
	data            string // the data model
	free, take, put string // is it free; take it; put it down
	region          string // a region for each
}

var forks = map[string]fork{
	"null": {
		free: "In(free%d)", take: `<raise event="take.%d"/>`, put: `<raise event="put.%d"/>`,
		region: `<state id="f%[1]d"><state id="free%[1]d"><transition event="take.%[1]d" target="taken%[1]d"/></state>` +
			`<state id="taken%[1]d"><transition event="put.%[1]d" target="free%[1]d"/></state></state>`,
	},
	"numbers": {
		data: `<data id="fork%d" expr="0"/>`,
		free: "fork%d == 0", take: `<assign location="fork%d" expr="1"/>`, put: `<assign location="fork%d" expr="0"/>`,
	},
	"objects": {
		free: "forks[%d].taken == 0", take: `<assign location="forks[%d].taken" expr="1"/>`, put: `<assign location="forks[%d].taken" expr="0"/>`,
	},
}

// chartOf returns n dining philosophers: each takes the left fork, then the right one, eats and puts
// both down.
func chartOf(name string, n int) string {
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"`)
	f := forks[name]
	switch name {
	case "null":
		b.WriteString(` datamodel="null">`)
	case "objects":
		fmt.Fprintf(&b, `><datamodel><data id="forks" expr="[%s]"/></datamodel>`, strings.Repeat("{taken: 0},", n))
	default:
		b.WriteString(`><datamodel>`)
		for i := range n {
			fmt.Fprintf(&b, f.data, i)
		}
		b.WriteString(`</datamodel>`)
	}
	b.WriteString(`<parallel id="table">`)
	for i := range n {
		of := func(form string, fork int) string { return fmt.Sprintf(form, fork) }
		left, right := i, (i+1)%n
		fmt.Fprintf(&b, `<state id="p%[1]d">`+
			`<state id="thinks%[1]d"><transition event="left.%[1]d" cond="%[2]s" target="waits%[1]d">%[3]s</transition></state>`+
			`<state id="waits%[1]d"><transition event="right.%[1]d" cond="%[4]s" target="eats%[1]d">%[5]s</transition></state>`+
			`<state id="eats%[1]d"><transition event="back.%[1]d" target="thinks%[1]d">%[6]s%[7]s</transition></state></state>`,
			i, of(f.free, left), of(f.take, left), of(f.free, right), of(f.take, right), of(f.put, left), of(f.put, right))
		if f.region != "" {
			fmt.Fprintf(&b, f.region, i)
		}
	}
	b.WriteString("</parallel></scxml>")
	return b.String()
}

// promelaOf returns the same for SPIN. The philosophers are one process, since they do nothing but
// wait for each other.
func promelaOf(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "byte st[%d]; bool fork[%d];\nactive proctype table() { do\n", n, n)
	for i := range n {
		right := (i + 1) % n
		fmt.Fprintf(&b, ":: atomic { st[%[1]d] == 0 && !fork[%[1]d] -> st[%[1]d] = 1; fork[%[1]d] = 1 }\n", i)
		fmt.Fprintf(&b, ":: atomic { st[%[1]d] == 1 && !fork[%[2]d] -> st[%[1]d] = 2; fork[%[2]d] = 1 }\n", i, right)
		fmt.Fprintf(&b, ":: atomic { st[%[1]d] == 2 -> st[%[1]d] = 0; fork[%[1]d] = 0; fork[%[2]d] = 0 }\n", i, right)
	}
	return b.String() + "od }\n"
}
