package compile

import (
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// write writes all but the package clause and the imports.
func (g *generator) write() []byte {
	if n := len(g.doc.States); n > 60_000 {
		g.problem(g.doc.Root.Pos, "%d states are more than a compiled chart can have: 60,000", n)
		return nil
	}
	g.data = g.model()
	g.use(machinePath)
	g.use("time")
	g.constants()
	g.transitions() // numbers the default transitions
	g.sends = g.findSends()
	g.asksIn = strings.Contains(g.doc.Source, "In(") || g.doc.Source == ""
	g.node()
	g.shortcuts()
	g.hooks()
	g.inputs()
	g.methods()
	g.holds()
	g.enabled()
	g.tables()
	g.data.declarations()
	g.data.saved()
	g.machine() // what fields it needs is known now
	for _, code := range g.later {
		g.p("%s", code)
	}
	if g.typ != g.Type {
		g.declares()
	}
	return g.out.Bytes()
}

// model finds out what the states, the events and the data of the chart are.
func (g *generator) model() model {
	g.structure()
	g.events = newEvents(g.doc)
	g.names = g.makeNames()
	return g.newModel()
}

// holds writes the method for Options.Conditions.
func (g *generator) holds() {
	if g.asked == nil {
		return
	}
	g.p("\n// Holds evaluates a condition that the code was written with.\nfunc (m *%s) Holds(condition int) (bool, error) {", g.names.typ)
	g.p("return (*%s)(m).condition(condition)\n}\n\nfunc (m *%s) condition(condition int) (holds bool, err error) {", g.nodeType(), g.nodeType())
	fails := false
	g.p("switch condition {")
	for i, src := range g.asked {
		c := g.data.cond(src)
		fails = fails || c.fails
		g.p("case %d:\nholds = %s", i, c.text)
	}
	g.p("}")
	if fails {
		g.failed = true
		g.p("if m.err != \"\" {\nholds, err = false, errors.New(m.err)\nm.err = \"\"\n}")
		g.use("errors")
	}
	g.p("return holds, err\n}")
}

func (g *generator) constants() {
	n, file := &g.names, printable(path.Base(g.doc.File))
	g.p("\n// A %sState is a state of %s.\ntype %sState uint16\n\nconst (", n.prefix, file, n.prefix)
	for i, s := range g.doc.States {
		if i > 0 {
			g.p("\t%s %sState = %d // %s", n.states[i], n.prefix, i, g.describe(s))
		}
	}
	g.p(")\n\n// String returns the id of the state.\nfunc (s %sState) String() string { return %s.ID(uint16(s)) }", n.prefix, g.chartVar())
	article := "A"
	if n.prefix == "" {
		article = "An"
	}
	g.p("\n// %s %sEvent is an event that %s names, or %s: any other.\ntype %sEvent uint16\n\nconst (", article, n.prefix, file, n.events[0], n.prefix)
	g.p("\t%s %sEvent = 0", n.events[0], n.prefix)
	for _, platform := range []bool{false, true} {
		if platform {
			g.p("") // long names, with which gofmt does not align the others
		}
		for i, name := range g.events.names {
			if i > 0 && isPlatform(name) == platform {
				g.p("\t%s %sEvent = %d // %s", n.events[i], n.prefix, i, printable(name))
			}
		}
	}
	g.p(")\n\n// String returns the name of the event.\nfunc (e %sEvent) String() string { return %s.EventName(uint16(e)) }", n.prefix, g.chartVar())
}

// describe says what a state is, for a comment.
func (g *generator) describe(s *doc.State) string {
	id := strconv.Quote(s.ID)
	if s.ID == "" {
		id = "without id"
	}
	return fmt.Sprintf("<%s> %s, %s", s.Kind, printable(strings.Trim(id, `"`)), at(s.Pos))
}

func (g *generator) chartVar() string { return lower(g.names.typ) + "Chart" }

// lower makes a name one that is not exported.
func lower(name string) string {
	first, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[n:]
}

// nodeType is the name of the type that implements machine.Node.
func (g *generator) nodeType() string { return lower(g.names.typ) + "Node" }

// tables writes what is known of the structure.
func (g *generator) tables() {
	d := g.doc
	var ids, places, kinds, flags, parent, last, part, initial, done []string
	num := func(list *[]string, i int) { *list = append(*list, strconv.Itoa(i)) }
	const no = "machine.No"
	for i, s := range d.States {
		ids, places = append(ids, strconv.Quote(s.ID)), append(places, strconv.Quote(at(s.Pos)))
		kind := [...]string{"Root", "Atomic", "Compound", "Parallel", "Final", "Shallow"}[s.Kind]
		if s.Kind == doc.History && s.Deep {
			kind = "Deep"
		}
		kinds = append(kinds, "machine."+kind)
		flags = append(flags, g.flags(s))
		if s.Parent == nil {
			parent = append(parent, no)
		} else {
			num(&parent, s.Parent.Index)
		}
		num(&last, g.last[i])
		num(&part, g.part[i])
		switch {
		case s.Kind == doc.History:
			num(&initial, g.number(s.Transitions[0]))
		case s.Initial != nil:
			num(&initial, g.number(s.Initial))
		default:
			initial = append(initial, no)
		}
		num(&done, g.events.number[doneName(d, i)])
	}
	g.p("\nvar %s = machine.Chart{", g.chartVar())
	g.p("File: %s, Name: %s,", strconv.Quote(path.Base(d.File)), strconv.Quote(d.Name))
	list := func(name, typ string, items []string) {
		g.p("%s: []%s{%s},", name, typ, strings.Join(items, ", "))
	}
	sparse := func(name, typ, zero string, items []string) { // most are zero, and are left out
		var others []string
		for i, item := range items {
			if item != zero || i == len(items)-1 {
				others = append(others, fmt.Sprintf("%d: %s", i, item))
			}
		}
		list(name, typ, others)
	}
	list("IDs", "string", ids)
	list("At", "string", places)
	sparse("Kinds", "machine.Kind", "machine.Atomic", kinds)
	list("Flags", "machine.Flags", flags)
	list("Parent", "uint16", parent)
	list("Last", "uint16", last)
	if len(g.parts) > 1 {
		list("Part", "uint16", part)
		var parts []string
		for _, p := range g.parts {
			num(&parts, p.Index)
		}
		list("Parts", "uint16", parts)
	}
	for len(initial) > 0 && initial[len(initial)-1] == no { // nothing asks these
		initial = initial[:len(initial)-1]
	}
	list("Initial", "uint16", initial)
	g.p("Of: [][]uint16{")
	for _, s := range d.States {
		var own []string
		if s.Kind != doc.History {
			for _, t := range s.Transitions {
				num(&own, g.number(t))
			}
		}
		if len(own) == 0 {
			g.p("nil,")
		} else {
			g.p("{%s},", strings.Join(own, ", "))
		}
	}
	g.p("},")
	g.p("Transitions: []machine.Transition{")
	eventless := false
	for _, t := range g.all {
		g.p("%s,", g.tableRow(t))
		eventless = eventless || g.selectable(t) && len(t.Events) == 0
	}
	g.p("},")
	var recorded []string
	for _, s := range d.States {
		if s.Kind == doc.History {
			recorded = append(recorded, fmt.Sprintf("{State: %d, Slot: %d, Len: %d}", s.Index, g.slots[s], g.lens[s]))
		}
	}
	if len(recorded) > 0 {
		list("Histories", "machine.Recorded", recorded)
	}
	sparse("Done", "uint16", "0", done)
	var names []string
	for _, name := range g.events.names {
		names = append(names, strconv.Quote(name))
	}
	list("Events", "string", names)
	g.p("Match: %sMatch,", lower(g.names.typ))
	g.p("ExecutionError: %d, CommunicationError: %d,", g.events.number[executionError], g.events.number[communicationError])
	invokes := len(g.invoked) > 0
	if invokes {
		g.p("Invokes: map[uint16][]machine.Invocation{\n%s\n},", strings.Join(g.invoked, "\n"))
	}
	forwards := slices.ContainsFunc(d.States, func(s *doc.State) bool {
		return slices.ContainsFunc(s.Invokes, func(inv *doc.Invoke) bool { return inv.Autoforward })
	})
	if d.Hash != nil {
		g.p("Hash: %q,", hex.EncodeToString(d.Hash))
	}
	g.p("Late: %t, Plain: %t, HasInvokes: %t, Autoforward: %t, Eventless: %t,\n}", d.Late, !invokes && !g.data.readsEvent(), invokes, forwards, eventless)

	g.p("\n// %sMatch returns the number of an event: of the longest name that its own begins with.", lower(g.names.typ))
	g.p("func %sMatch(name string) uint16 {\nfor {\nswitch name {", lower(g.names.typ))
	for i, name := range g.events.names {
		if i > 0 {
			g.p("case %s:\nreturn %d", strconv.Quote(name), i)
		}
	}
	g.p("}\nif name = machine.Shorten(name); name == \"\" {\nreturn 0\n}\n}\n}")
}

func (g *generator) flags(s *doc.State) string {
	var all []string
	add := func(name string, has bool) {
		if has {
			all = append(all, "machine."+name)
		}
	}
	add("OnEntry", hasContent(s.OnEntry))
	add("LateData", g.lateBound(s))
	add("OnExit", hasContent(s.OnExit))
	if s.Kind != doc.History {
		add("Evented", slices.ContainsFunc(s.Transitions, func(t *doc.Transition) bool { return len(t.Events) > 0 }))
		add("Eventless", slices.ContainsFunc(s.Transitions, func(t *doc.Transition) bool { return len(t.Events) == 0 }))
	}
	add("Histories", slices.ContainsFunc(s.Children, func(c *doc.State) bool { return c.Kind == doc.History }))
	add("Invokes", len(s.Invokes) > 0)
	if len(all) == 0 {
		return "0"
	}
	return strings.Join(all, " | ")
}

func hasContent(blocks []*doc.Block) bool {
	return slices.ContainsFunc(blocks, func(b *doc.Block) bool { return len(b.Body) > 0 })
}

// hasEntry reports whether something is to be done when a state is entered.
func (g *generator) hasEntry(s *doc.State) bool { return hasContent(s.OnEntry) || g.lateBound(s) }

// lateBound reports whether the data of a state are bound when it is first entered.
func (g *generator) lateBound(s *doc.State) bool { return g.doc.Late && len(s.Data) > 0 && s.Index > 0 }

// selectable reports whether a transition is not that of an <initial> or a <history>.
func (g *generator) selectable(t *doc.Transition) bool {
	return t != t.Source.Initial && t.Source.Kind != doc.History
}

// transitions collects the transitions: those that are not elements come after the others, as in the engine.
func (g *generator) transitions() {
	g.numbers = map[*doc.Transition]int{}
	var defaults []*doc.Transition
	add := func(t *doc.Transition) {
		if t.Index >= 0 {
			g.all = append(g.all, t)
		} else {
			defaults = append(defaults, t)
		}
	}
	for _, s := range g.doc.States {
		if s.Initial != nil {
			add(s.Initial)
		}
		for _, t := range s.Transitions {
			add(t)
		}
	}
	slices.SortFunc(g.all, func(a, b *doc.Transition) int { return a.Index - b.Index })
	g.all = append(g.all, defaults...)
	for i, t := range g.all {
		g.numbers[t] = i
	}
}

func (g *generator) number(t *doc.Transition) int {
	if t.Index >= 0 {
		return t.Index
	}
	return g.numbers[t]
}

func (g *generator) tableRow(t *doc.Transition) string {
	row := fmt.Sprintf("{Source: %d", t.Source.Index)
	history := slices.ContainsFunc(t.Targets, func(s *doc.State) bool { return s.Kind == doc.History })
	if d := g.domain(t); d == nil {
		row += ", Domain: machine.No"
	} else if d.Index > 0 {
		row += ", Domain: " + strconv.Itoa(d.Index)
	}
	if len(t.Targets) > 0 {
		var targets []string
		for _, target := range t.Targets {
			targets = append(targets, strconv.Itoa(target.Index))
		}
		row += ", Targets: []uint16{" + strings.Join(targets, ", ") + "}"
	}
	if len(t.Events) > 0 {
		row += ", Events: []uint16{" + g.spans(t) + "}"
	}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"Internal", t.Internal}, {"History", history}, {"Content", len(t.Body) > 0}, {"Cond", t.Cond != nil}} {
		if flag.set {
			row += ", " + flag.name + ": true"
		}
	}
	return row + "}"
}

// domain is getTransitionDomain of Appendix D: nil without a target, and where what a history remembers
// decides.
func (g *generator) domain(t *doc.Transition) *doc.State {
	if len(t.Targets) == 0 || slices.ContainsFunc(t.Targets, func(s *doc.State) bool { return s.Kind == doc.History }) {
		return nil
	}
	return g.lcca(t, func(s *doc.State) bool {
		return !slices.ContainsFunc(t.Targets, func(target *doc.State) bool { return !g.below(target, s) })
	})
}

// lcca returns the source of an internal transition, or its closest ancestor, that has all targets inside.
func (g *generator) lcca(t *doc.Transition, inside func(*doc.State) bool) *doc.State {
	if t.Internal && t.Source.Kind == doc.Compound && inside(t.Source) {
		return t.Source
	}
	for s := t.Source.Parent; s != nil; s = s.Parent {
		if (s.Kind == doc.Compound || s.Kind == doc.Scxml) && inside(s) {
			return s
		}
	}
	return g.doc.Root
}

// declares writes a function that reports whether an invoked chart has a top-level data item.
func (g *generator) declares() {
	var ids []string
	for _, d := range g.doc.Root.Data {
		ids = append(ids, strconv.Quote(d.ID))
	}
	result := "false"
	if len(ids) > 0 {
		result = "slices.Contains([]string{" + strings.Join(ids, ", ") + "}, id)"
		g.use("slices")
	}
	g.p("\nfunc %sDeclares(id string) bool { return %s }", lower(g.names.typ), result)
}
