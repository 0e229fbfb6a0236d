package main

import (
	"fmt"
	"strings"
)

// A system has processes that share variables. It is written once, and told to both: each process is a region of a chart,
// and what it does is an event; in Promela it is a number in a byte, and all processes are one, which does one thing at a
// time, as macrosteps do.
type system struct {
	name  string
	vars  []variable
	procs []process
}

type variable struct {
	name string
	init int
}

// A process begins at place 0.
type process struct {
	name  string
	rules []rule
}

// A rule leads from one place to another, where the guard is true. Guards and assignments are in what ECMAScript and
// Promela have in common.
type rule struct {
	from, to int
	guard    string // "" is true
	sets     []set
}

type set struct{ name, value string }

func (m *system) add(name string, init int) { m.vars = append(m.vars, variable{name, init}) }

// on adds a rule. sets are names and values in turn.
func (p *process) on(from, to int, guard string, sets ...string) {
	r := rule{from: from, to: to, guard: guard}
	for i := 0; i < len(sets); i += 2 {
		r.sets = append(r.sets, set{sets[i], sets[i+1]})
	}
	p.rules = append(p.rules, r)
}

// chart returns the system as SCXML.
func (m *system) chart() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name=%q><datamodel>`, m.name)
	for _, v := range m.vars {
		fmt.Fprintf(&b, `<data id=%q expr="%d"/>`, v.name, v.init)
	}
	b.WriteString("</datamodel><parallel>\n")
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;")
	for _, p := range m.procs {
		fmt.Fprintf(&b, "<state id=%q>\n", p.name)
		places := 0
		for _, r := range p.rules {
			places = max(places, r.from+1, r.to+1)
		}
		for place := range places {
			fmt.Fprintf(&b, `<state id="%s.%d">`, p.name, place)
			for i, r := range p.rules {
				if r.from != place {
					continue
				}
				fmt.Fprintf(&b, `<transition event="%s.%d.%d"`, p.name, place, i)
				if r.guard != "" {
					fmt.Fprintf(&b, ` cond="%s"`, escape.Replace(r.guard))
				}
				if r.to != r.from {
					fmt.Fprintf(&b, ` target="%s.%d"`, p.name, r.to)
				}
				b.WriteString(">")
				for _, s := range r.sets {
					fmt.Fprintf(&b, `<assign location=%q expr="%s"/>`, s.name, escape.Replace(s.value))
				}
				b.WriteString("</transition>")
			}
			b.WriteString("</state>\n")
		}
		b.WriteString("</state>\n")
	}
	return b.String() + "</parallel></scxml>\n"
}

// promela returns the system for SPIN.
func (m *system) promela() string {
	var b strings.Builder
	for _, v := range m.vars {
		fmt.Fprintf(&b, "byte %s = %d;\n", v.name, v.init)
	}
	for _, p := range m.procs {
		fmt.Fprintf(&b, "byte at_%s;\n", p.name)
	}
	b.WriteString("active proctype all() { do\n")
	for _, p := range m.procs {
		for _, r := range p.rules {
			fmt.Fprintf(&b, ":: d_step { at_%s == %d", p.name, r.from)
			if r.guard != "" {
				fmt.Fprintf(&b, " && (%s)", r.guard)
			}
			b.WriteString(" -> skip")
			if r.to != r.from {
				fmt.Fprintf(&b, "; at_%s = %d", p.name, r.to)
			}
			for _, s := range r.sets {
				fmt.Fprintf(&b, "; %s = %s", s.name, s.value)
			}
			b.WriteString(" }\n")
		}
	}
	return b.String() + "od }\n"
}
