package compile

import (
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

const (
	maxEnabled = 20_000    // conditions in the method Enabled, with those of the states around each
	maxPairs   = 4_000_000 // of inputs and transitions that are looked at
)

// enabled writes the method Enabled for Options.Inputs, if all that matters for one of them is in one part of the chart, and
// no condition fails.
func (g *generator) enabled() {
	if g.Inputs == nil || g.typ != g.Type || len(g.Inputs)*len(g.all) > maxPairs {
		return
	}
	number := map[string]int{} // of the inputs, by the descriptors that are their names
	in := make([]int, len(g.Inputs))
	for i, name := range g.Inputs {
		event, known := g.events.number[name]
		if !known {
			return
		}
		number[name], in[i] = i, event
	}
	parts := map[int]int{} // by input
	for _, s := range g.doc.States {
		for _, t := range s.Transitions {
			for i, event := range in {
				if !g.events.takes(t, event) {
					continue
				}
				if part, known := parts[i]; known && part != g.part[s.Index] || t.Cond != nil && g.data.cond(t.Cond).fails {
					return
				}
				parts[i] = g.part[s.Index]
			}
		}
	}
	// What is to be asked where a register has a state, in the order of the descriptors.
	type question struct {
		input int
		conds []string
	}
	written := 0
	questions := func(leaf *doc.State) (all []question) {
		var chain []*doc.State
		for s := leaf; s != nil && g.part[s.Index] == g.part[leaf.Index]; s = s.Parent {
			chain = append([]*doc.State{s}, chain...)
		}
		for _, s := range chain {
			for _, t := range s.Transitions {
				for _, d := range t.Events {
					i, known := number[strings.TrimSuffix(strings.TrimSuffix(d, "*"), ".")]
					if !known || slices.ContainsFunc(all, func(q question) bool { return q.input == i }) {
						continue
					}
					q := question{input: i}
					for _, s := range chain {
						for _, t := range s.Transitions {
							if !g.events.takes(t, in[i]) {
								continue
							}
							cond := "true"
							if t.Cond != nil {
								cond = g.data.cond(t.Cond).text
							}
							q.conds = append(q.conds, cond)
						}
					}
					written += len(q.conds)
					all = append(all, q)
				}
			}
		}
		return all
	}
	byPart := make([][]*doc.State, len(g.parts))
	asked := map[*doc.State][]question{}
	for _, s := range g.doc.States {
		if s.Kind == doc.History {
			continue
		}
		if asked[s] = questions(s); asked[s] != nil {
			byPart[g.part[s.Index]] = append(byPart[g.part[s.Index]], s)
		}
		if written > maxEnabled {
			return
		}
	}
	g.p("\n// Enabled appends the inputs, by the numbers that the code was written with, for which a transition is enabled.")
	g.p("func (m *%s) Enabled(dst []uint32) []uint32 {\nreturn (*%s)(m).enabled(dst)\n}", g.names.typ, g.nodeType())
	g.p("\nfunc (m *%s) enabled(dst []uint32) []uint32 {", g.nodeType())
	for part, states := range byPart {
		if states == nil {
			continue
		}
		g.p("switch m.regs[%d] {", part)
		for _, s := range states {
			g.p("case %d:", s.Index)
			for _, q := range asked[s] {
				if slices.Contains(q.conds, "true") {
					g.p("dst = append(dst, %d)", q.input)
				} else {
					g.p("if %s {\ndst = append(dst, %d)\n}", strings.Join(q.conds, " || "), q.input)
				}
			}
		}
		g.p("}")
	}
	g.p("return dst\n}")
}
