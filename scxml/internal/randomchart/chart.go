// Package randomchart makes random charts and their stimuli, for the tests that compare two ways to run a
// chart. The same random numbers give the same chart.
package randomchart

import (
	"io/fs"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An Element is an XML element of a random chart. A tree of elements is what the shrinker works on.
type Element struct {
	Name     string
	Attrs    []string // names and values in turn
	Children []*Element
	Text     string
}

func elem(name string, attrs ...string) *Element { return &Element{Name: name, Attrs: attrs} }

func (e *Element) set(name, value string) { e.Attrs = append(e.Attrs, name, value) }

func (e *Element) add(children ...*Element) { e.Children = append(e.Children, children...) }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;")

func (e *Element) write(b *strings.Builder, indent string) {
	b.WriteString(indent + "<" + e.Name)
	for i := 0; i < len(e.Attrs); i += 2 {
		b.WriteString(" " + e.Attrs[i] + `="` + escaper.Replace(e.Attrs[i+1]) + `"`)
	}
	switch {
	case e.Text != "":
		b.WriteString(">" + escaper.Replace(e.Text) + "</" + e.Name + ">\n")
	case len(e.Children) == 0:
		b.WriteString("/>\n")
	default:
		b.WriteString(">\n")
		for _, c := range e.Children {
			c.write(b, indent+"  ")
		}
		b.WriteString(indent + "</" + e.Name + ">\n")
	}
}

func (e *Element) String() string {
	var b strings.Builder
	e.write(&b, "")
	return b.String()
}

// A Stimulus is an event, a time that passes, or a stop.
type Stimulus struct {
	Event string
	Data  datamodel.Value
	Wait  time.Duration
	Stop  bool
}

// String writes a stimulus in the form of scenarios.
func (s Stimulus) String() string {
	switch {
	case s.Stop:
		return "stop"
	case s.Event == "":
		return "advance " + s.Wait.String()
	case s.Data == nil:
		return s.Event
	}
	return s.Event + " " + string(datamodel.AppendJSON(nil, s.Data))
}

// A Trial is a chart with its stimuli.
type Trial struct {
	Chart   *Element
	Files   map[string]*Element // that it invokes
	Stimuli []Stimulus
}

// FS returns the files.
func (t *Trial) FS() fs.FS {
	fsys := fstest.MapFS{}
	for name, chart := range t.Files {
		fsys[name] = &fstest.MapFile{Data: []byte(chart.String())}
	}
	return fsys
}

// A chartMaker makes a random chart.
type chartMaker struct {
	*rand.Rand
	script bool // the data model is ecmascript, otherwise null
	kid    bool // it is invoked by another
	plain  bool // mainly states and transitions
	recall bool // many deep histories and transitions to them
	files  map[string]*Element

	states []*genState // all, in document order
	items  []string    // data items
	kids   []string    // ids of invocations
}

type genState struct {
	kind     string // scxml, state, parallel, final, history
	id       string
	deep     bool
	parent   *genState
	children []*genState
	element  *Element
}

func (s *genState) compound() bool { return s.kind == "state" && len(s.regions()) > 0 }

// regions are the children without histories.
func (s *genState) regions() []*genState {
	var all []*genState
	for _, c := range s.children {
		if c.kind != "history" {
			all = append(all, c)
		}
	}
	return all
}

// below returns all descendants.
func (s *genState) below() []*genState {
	var all []*genState
	for _, c := range s.children {
		all = append(append(all, c), c.below()...)
	}
	return all
}

// New makes a chart and n stimuli.
func New(rng *rand.Rand, script bool, n int) *Trial {
	g := &chartMaker{Rand: rng, script: script, files: map[string]*Element{}}
	g.plain = !script && g.maybe(40)
	g.recall = g.maybe(25)
	t := &Trial{Chart: g.document(), Files: g.files}
	for events := 0; events < n; {
		s := g.stimulus()
		if s.Event != "" {
			events++
		}
		t.Stimuli = append(t.Stimuli, s)
	}
	if g.maybe(10) {
		t.Stimuli = append(t.Stimuli, Stimulus{Stop: true})
	}
	return t
}

func (g *chartMaker) maybe(percent int) bool { return g.IntN(100) < percent }

func (g *chartMaker) pick(list ...string) string { return list[g.IntN(len(list))] }

func choose[T any](g *chartMaker, list []T) T { return list[g.IntN(len(list))] }

func (g *chartMaker) stimulus() Stimulus {
	if g.maybe(15) {
		return Stimulus{Wait: time.Duration(g.IntN(6)) * 10 * time.Millisecond}
	}
	s := Stimulus{Event: g.pick("a", "a", "a", "b", "b", "b", "c", "c", "c", "a.x", "b.y", "d")}
	if g.script && g.maybe(40) {
		s.Data = g.data()
	}
	return s
}

func (g *chartMaker) data() datamodel.Value {
	switch g.IntN(5) {
	case 0:
		return "text"
	case 1:
		return []datamodel.Value{int64(1), "two", datamodel.Null}
	case 2:
		return datamodel.NewObject("x", int64(g.IntN(3)), "p", int64(7))
	}
	return int64(g.IntN(3))
}

func (g *chartMaker) document() *Element {
	e := elem("scxml", "version", "1.0")
	if !g.kid {
		e.Attrs = append([]string{"xmlns", "http://www.w3.org/2005/07/scxml"}, e.Attrs...)
	}
	if g.script {
		e.set("datamodel", "ecmascript")
		if g.maybe(30) {
			e.set("binding", "late")
		}
	} else {
		e.set("datamodel", "null")
	}
	root := &genState{kind: "scxml", element: e}
	room := 3 + g.IntN(12)
	if g.kid {
		room = 1 + g.IntN(4)
	}
	g.grow(root, &room, 0)
	g.dataItems(root) // first what others refer to
	for _, s := range g.states {
		g.dataItems(s)
	}
	g.fill(root)
	for _, s := range g.states {
		g.fill(s)
	}
	if g.kid && g.script && g.maybe(50) { // something for <finalize>
		send := elem("send", "event", "k", "target", "#_parent")
		send.add(elem("param", "name", "v0", "expr", g.expr()), elem("param", "name", "x", "expr", "2"))
		onentry := elem("onentry")
		onentry.add(send)
		if s := choose(g, g.states); s.kind != "history" {
			s.element.add(onentry)
		}
	}
	g.place(root)
	g.removeIDs(e)
	return e
}

// removeIDs removes ids that nothing refers to.
func (g *chartMaker) removeIDs(document *Element) {
	used := map[string]bool{}
	var read func(e *Element)
	read = func(e *Element) {
		for i := 0; i < len(e.Attrs); i += 2 {
			if e.Attrs[i] != "id" {
				for word := range strings.FieldsFuncSeq(e.Attrs[i+1], func(r rune) bool { return strings.ContainsRune(" .()'", r) }) {
					used[word] = true
				}
			}
		}
		for _, c := range e.Children {
			read(c)
		}
	}
	read(document)
	for _, s := range g.states {
		if !used[s.id] && g.maybe(15) {
			s.element.Attrs = s.element.Attrs[2:]
		}
	}
}

// place mixes the elements of the children with the other contents, because document order matters.
func (g *chartMaker) place(s *genState) {
	own := s.element.Children
	var all []*Element
	at := 0
	for _, c := range s.children {
		for at < len(own) && g.maybe(40) {
			all = append(all, own[at])
			at++
		}
		g.place(c)
		all = append(all, c.element)
	}
	s.element.Children = append(all, own[at:]...)
}

// grow adds children to s while there is room.
func (g *chartMaker) grow(s *genState, room *int, depth int) {
	n := 2 + g.IntN(2)
	if g.maybe(15) {
		n = 1
	}
	for i := range n {
		if *room <= 0 && i > 0 {
			break
		}
		*room--
		kind := "state"
		switch {
		case g.maybe(30) && depth < 5:
			kind = "parallel"
		case s.kind != "parallel" && g.maybe(20) && (i > 0 || s.kind != "scxml"):
			kind = "final"
		}
		c := g.newState(s, kind)
		percent := 45 - 5*depth
		if s.kind == "parallel" {
			percent = 65
		}
		if kind == "parallel" || kind == "state" && depth < 5 && *room > 0 && g.maybe(percent) {
			g.grow(c, room, depth+1)
		}
	}
	percent, deep := 35, 50
	if g.recall {
		percent, deep = 60, 85
	}
	for ; s.kind != "scxml" && g.maybe(percent); percent = 20 {
		h := g.newState(s, "history")
		h.deep = g.maybe(deep)
	}
}

func (g *chartMaker) newState(parent *genState, kind string) *genState {
	s := &genState{kind: kind, id: "s" + strconv.Itoa(len(g.states)+1), parent: parent, element: elem(kind)}
	if kind == "history" {
		s.id = "h" + s.id[1:]
	}
	s.element.set("id", s.id)
	g.states = append(g.states, s)
	parent.children = append(parent.children, s)
	return s
}

func (g *chartMaker) dataItems(s *genState) {
	if !g.script || s.kind == "final" || s.kind == "history" || s.kind != "scxml" && !g.maybe(15) {
		return
	}
	dm := elem("datamodel")
	for range 1 + g.IntN(2) {
		id := "v" + strconv.Itoa(len(g.items))
		if g.maybe(2) {
			id = "_event" // not a legal name
		} else {
			g.items = append(g.items, id)
		}
		d := elem("data", "id", id)
		switch g.IntN(6) {
		case 0:
			d.set("expr", "[1, 2, 3]")
		case 1:
			if g.maybe(50) {
				d.set("expr", "nowhere.near")
			}
		case 2:
			d.Text = `{"x": 1}`
		default:
			d.set("expr", strconv.Itoa(g.IntN(3)))
		}
		dm.add(d)
	}
	s.element.add(dm)
}

// fill adds the contents of a state other than its children.
func (g *chartMaker) fill(s *genState) {
	e := s.element
	switch s.kind {
	case "history":
		if s.deep {
			e.set("type", "deep")
		}
		t := elem("transition", "target", g.historyDefault(s))
		if g.maybe(30) {
			t.add(g.body(1)...)
		}
		e.add(t)
		return
	case "scxml":
		if g.maybe(40) {
			e.set("initial", g.initial(s))
		}
		if g.script && g.maybe(10) {
			script := elem("script")
			script.Text = g.pick("var made = 1", "v0 = 2", "nowhere()")
			e.add(script)
		}
		return
	case "final":
		if g.maybe(40) {
			e.add(g.donedata())
		}
	default:
		if s.compound() && g.maybe(50) {
			if g.maybe(50) {
				e.set("initial", g.initial(s))
			} else {
				initial, t := elem("initial"), elem("transition", "target", g.initial(s))
				t.Children = g.body(2)
				initial.add(t)
				e.add(initial)
			}
		}
		for range g.IntN(4) {
			e.add(g.transition(s))
		}
		for percent := 8; !g.plain && g.maybe(percent) && (!g.kid || g.maybe(15)); percent = 20 {
			e.add(g.invoke())
		}
	}
	if !g.script && s.kind != "final" && g.maybe(1) {
		dm := elem("datamodel")
		dm.add(elem("data", "id", "none", "expr", "1"))
		e.add(dm)
	}
	for _, name := range []string{"onentry", "onexit"} {
		for g.maybe(30) {
			b := elem(name)
			b.Children = g.body(3)
			e.add(b)
		}
	}
}

// set chooses states that can be entered together: s, or some below it.
func (g *chartMaker) set(s *genState, histories bool) []string {
	if s.kind == "parallel" && g.maybe(60) {
		if regions := s.regions(); len(regions) > 1 {
			var ids []string
			for _, r := range regions {
				if len(ids) == 0 || g.maybe(70) {
					ids = append(ids, g.set(r, histories)...)
				}
			}
			return ids
		}
	}
	if s.kind != "history" && g.maybe(50) {
		candidates := s.regions()
		if histories {
			candidates = s.children
		}
		if len(candidates) > 0 {
			return g.set(choose(g, candidates), histories)
		}
	}
	return []string{s.id}
}

func (g *chartMaker) initial(s *genState) string {
	c := choose(g, s.children)
	if c.kind == "history" && g.maybe(50) {
		c = choose(g, s.regions())
	}
	return strings.Join(g.set(c, g.maybe(30)), " ")
}

func (g *chartMaker) historyDefault(h *genState) string {
	regions := h.parent.regions()
	var ids []string
	if other := choose(g, h.parent.below()); other.kind == "history" && other != h && g.maybe(30) {
		return other.id // a loop of them refuses the document
	}
	switch {
	case h.parent.kind == "parallel" && g.maybe(50):
		for _, r := range regions {
			if h.deep {
				ids = append(ids, g.set(r, g.maybe(20))...)
			} else {
				ids = append(ids, r.id)
			}
		}
	case h.deep:
		ids = g.set(choose(g, regions), g.maybe(20))
	default:
		return choose(g, regions).id
	}
	return strings.Join(ids, " ")
}

func (g *chartMaker) targets(from *genState) string {
	s := choose(g, g.states)
	if g.recall && g.maybe(40) {
		for range 5 {
			if s = choose(g, g.states); s.kind == "history" {
				return s.id
			}
		}
	}
	if inside := from.below(); len(inside) > 0 && g.maybe(40) {
		s = choose(g, inside)
	} else if g.maybe(30) { // a history above, or in a region next to it
		var histories []*genState
		for p := from.parent; p != nil; p = p.parent {
			for _, c := range p.children {
				if c.kind == "history" {
					histories = append(histories, c)
				}
			}
		}
		if len(histories) > 0 {
			s = choose(g, histories)
		}
	} else if g.maybe(40) { // near by
		s = choose(g, from.parent.children)
	}
	if g.maybe(40) {
		return s.id
	}
	return strings.Join(g.set(s, true), " ")
}

func (g *chartMaker) transition(s *genState) *Element {
	t := elem("transition")
	eventless := g.maybe(12)
	if !eventless {
		t.set("event", g.descriptor())
	}
	if eventless || g.maybe(25) {
		t.set("cond", g.cond())
	}
	if g.maybe(80) {
		t.set("target", g.targets(s))
	}
	if g.maybe(35) {
		t.set("type", g.pick("internal", "internal", "external"))
	}
	if g.maybe(35) {
		t.Children = g.body(2)
	}
	if eventless && g.script && g.maybe(70) { // so that it comes to rest
		t.add(elem("assign", "location", "v0", "expr", "v0 + 1"))
	}
	return t
}

func (g *chartMaker) descriptor() string {
	if g.maybe(50) {
		return g.pick("a", "b", "c")
	}
	return g.pick("d", "i", "i", "i.j", "a.x", "b.*", "a b", "c i", "*", ".*", "i.", "t", "t", "t",
		"error", "error.execution", "error.communication", "done.invoke",
		"done.state", "done.state.*", "done.state."+g.anyState(), "done.state."+g.anyState())
}

// anyState returns the id of a state that is not a history.
func (g *chartMaker) anyState() string {
	for range 5 {
		if s := choose(g, g.states); s.kind != "history" {
			return s.id
		}
	}
	return g.states[0].id
}

func (g *chartMaker) cond() string {
	if !g.script {
		if g.maybe(5) {
			return g.pick("true", "In(", "1 == 1")
		}
		return "In(" + g.anyState() + ")"
	}
	switch g.IntN(10) {
	case 0, 1, 2:
		return "In('" + g.anyState() + "')"
	case 3:
		return "!In('" + g.anyState() + "')"
	case 4:
		return "_event.data == " + strconv.Itoa(g.IntN(3))
	case 5:
		return g.pick("nowhere", "_event.data.x == 1", "_event.name == 'a'", "true", "1 +", "In(7)")
	}
	return g.item() + " < " + strconv.Itoa(1+g.IntN(3))
}

func (g *chartMaker) item() string {
	if len(g.items) == 0 {
		return "1"
	}
	return choose(g, g.items)
}
