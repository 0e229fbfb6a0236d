package editor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A model is a chart as the test knows it: operations change the model and the text, and then both must be
// the same chart.
type model struct {
	tag, id, initial string
	entry, exit      string // actions
	moves            []modelMove
	in               []*model
}

type modelMove struct{ event, cond, to, actions string }

// writing is how a model is written as a document.
type writing struct {
	eol, unit, prefix string
	loose             bool // with comments and blank lines
}

func (m *model) write(b *strings.Builder, w writing, depth int) {
	line := func(depth int, text string) {
		if w.eol != "" {
			b.WriteString(strings.Repeat(w.unit, depth))
		}
		b.WriteString(strings.NewReplacer("</", "</"+w.prefix, "<!", "<!", "<", "<"+w.prefix).Replace(text) + w.eol)
	}
	attr := func(name, value string) string {
		if value == "" {
			return ""
		}
		return " " + name + `="` + escapeValue(value, `"`) + `"`
	}
	if w.loose && depth > 0 {
		line(depth, "<!-- "+m.id+" -->")
	}
	head := "<" + m.tag + attr("id", m.id) + attr("initial", m.initial)
	if depth == 0 {
		space := "xmlns"
		if w.prefix != "" {
			space += ":" + strings.TrimSuffix(w.prefix, ":")
		}
		head += attr("version", "1.0") + attr(space, namespace)
	} else if m.entry+m.exit == "" && len(m.moves)+len(m.in) == 0 {
		line(depth, head+"/>")
		return
	}
	line(depth, head+">")
	for _, handler := range [][2]string{{"onentry", m.entry}, {"onexit", m.exit}} {
		if handler[1] != "" {
			line(depth+1, "<"+handler[0]+">")
			line(depth+2, handler[1])
			line(depth+1, "</"+handler[0]+">")
		}
	}
	for _, t := range m.moves {
		head := "<transition" + attr("event", t.event) + attr("cond", t.cond) + attr("target", t.to)
		if t.actions == "" {
			line(depth+1, head+"/>")
		} else {
			line(depth+1, head+">"+t.actions+"</transition>")
		}
	}
	if w.loose {
		b.WriteString(w.eol)
	}
	for _, c := range m.in {
		c.write(b, w, depth+1)
	}
	line(depth, "</"+m.tag+">")
}

func (m *model) text(w writing) string {
	var b strings.Builder
	m.write(&b, w, 0)
	return b.String()
}

func (m *model) clone() *model {
	c := *m
	c.moves = slices.Clone(m.moves)
	c.in = nil
	for _, child := range m.in {
		c.in = append(c.in, child.clone())
	}
	return &c
}

// all returns a state and those in it.
func (m *model) all() []*model {
	all := []*model{m}
	for _, c := range m.in {
		all = append(all, c.all()...)
	}
	return all
}

func (m *model) find(id string) *model {
	for _, s := range m.all() {
		if s.id == id && s != m {
			return s
		}
	}
	return nil
}

// parent returns the parent of a state, and its place there.
func (m *model) parent(s *model) (*model, int) {
	for _, p := range m.all() {
		if i := slices.Index(p.in, s); i >= 0 {
			return p, i
		}
	}
	return nil, -1
}

func (m *model) take(s *model) {
	p, i := m.parent(s)
	p.in = slices.Delete(p.in, i, i+1)
}

// randomModel returns a chart of n states.
func randomModel(rng *rand.Rand, n int) *model {
	root := &model{tag: "scxml"}
	for i := range n {
		holders := slices.DeleteFunc(root.all(), func(s *model) bool { return s.tag == "final" })
		in := holders[rng.IntN(len(holders))]
		s := &model{tag: "state", id: "s" + strconv.Itoa(i)}
		switch r := rng.IntN(8); {
		case r == 0:
			s.tag = "parallel"
		case r == 1 && in.tag != "parallel":
			s.tag = "final"
		}
		if rng.IntN(4) == 0 {
			s.entry = fmt.Sprintf("<log expr=\"%d\"/>", i)
		}
		in.in = append(in.in, s)
	}
	for _, s := range root.all() {
		if s.tag == "state" || s.tag == "parallel" {
			for range rng.IntN(3) {
				s.moves = append(s.moves, modelMove{event: "e" + strconv.Itoa(rng.IntN(3)), to: "s" + strconv.Itoa(rng.IntN(n))})
			}
		}
		if len(s.in) > 0 && s.tag != "parallel" && rng.IntN(3) == 0 {
			below := s.all()[1:]
			s.initial = below[rng.IntN(len(below))].id
		}
	}
	return root
}

// random returns an operation, and makes it in the model. It reports false if the model cannot tell.
func (m *model) random(rng *rand.Rand) (Operation, bool) {
	states := m.all()[1:]
	some := func() *model { return states[rng.IntN(len(states))] }
	op := func(name string, args ...string) Operation {
		o := Operation{Op: name, Args: map[string]string{}}
		for i := 0; i < len(args); i += 2 {
			o.Args[args[i]] = args[i+1]
		}
		return o
	}
	s := some()
	p, at := m.parent(s)
	id := "n" + strconv.Itoa(rng.IntN(1e9))
	moves := slices.DeleteFunc(m.all(), func(s *model) bool { return len(s.moves) == 0 })
	var from *model
	number := 0
	if len(moves) > 0 {
		from = moves[rng.IntN(len(moves))]
		number = rng.IntN(len(from.moves))
	}
	switch kind := rng.IntN(22); {
	case kind == 0:
		tag := []string{"state", "parallel", "final"}[rng.IntN(3)]
		if s.tag == "final" {
			return Operation{}, false
		}
		s.in = append(s.in, &model{tag: tag, id: id})
		return op("add-state", "in", s.id, "id", id, "kind", tag), true
	case kind == 1:
		p.in = slices.Insert(p.in, at+1, &model{tag: "state", id: id})
		return op("add-state-beside", "state", s.id, "id", id), true
	case kind == 2:
		m.remove(s)
		return op("delete-state", "state", s.id, "uses", "delete"), true
	case kind == 3:
		in := some()
		if s.find(in.id) != nil || in == s || in.tag == "final" {
			return Operation{}, false
		}
		for q := p; q != nil; q, _ = m.parent(q) {
			if q == in || q.find(in.id) != nil {
				break
			}
			if s.id == q.initial || s.find(q.initial) != nil {
				q.initial = ""
			}
		}
		m.take(s)
		in.in = append(in.in, s)
		return op("move-state", "state", s.id, "in", in.id), true
	case kind == 4:
		next := p.in[rng.IntN(len(p.in))]
		if next != s {
			m.take(s)
			_, i := m.parent(next)
			p.in = slices.Insert(p.in, i, s)
		}
		return op("order-state", "state", s.id, "before", next.id), true
	case kind == 5:
		for _, x := range m.all() {
			if x.initial == s.id {
				x.initial = id
			}
			for i := range x.moves {
				if x.moves[i].to == s.id {
					x.moves[i].to = id
				}
			}
		}
		old := s.id
		s.id = id
		return op("rename-state", "state", old, "to", id), true
	case kind == 6:
		tag := []string{"state", "parallel", "final"}[rng.IntN(3)]
		s.tag = tag
		if tag != "state" {
			s.initial = ""
		}
		return op("set-kind", "state", s.id, "kind", tag), true
	case kind == 7:
		if p.tag == "parallel" {
			return Operation{}, false
		}
		if p.initial != "" || at > 0 {
			p.initial = s.id
		}
		return op("make-initial", "state", s.id), true
	case kind == 8:
		to := some()
		if s.tag != "state" && s.tag != "parallel" {
			return Operation{}, false
		}
		s.moves = append(s.moves, modelMove{event: id, cond: `1 < 2 && "` + id + `"`, to: to.id, actions: `<log expr="1"/>`})
		return op("add-transition", "from", s.id, "to", to.id, "event", id, "cond", `1 < 2 && "`+id+`"`, "actions", `<log expr="1"/>`), true
	case kind == 9:
		if s.tag == "scxml" {
			return Operation{}, false
		}
		s.entry = `<raise event="` + id + `"/>`
		return op("set-onentry", "state", s.id, "actions", s.entry), true
	case kind == 10:
		s.exit = ""
		return op("set-onexit", "state", s.id, "actions", ""), true
	case kind == 11:
		m.take(s)
		g := &model{tag: "state", id: id, in: []*model{s}}
		p.in = slices.Insert(p.in, at, g)
		if at+1 < len(p.in) && rng.IntN(2) == 0 {
			next := p.in[at+1]
			m.take(next)
			g.in = append(g.in, next)
			return op("group-states", "states", next.id+" "+s.id, "id", id), true
		}
		return op("group-states", "states", s.id, "id", id), true
	case kind == 12:
		m.take(s)
		m.in = append(m.in, s)
		for q := p; q != m; q, _ = m.parent(q) {
			if s.id == q.initial || s.find(q.initial) != nil {
				q.initial = ""
			}
		}
		return op("move-state", "state", s.id), true
	case from == nil:
		return Operation{}, false
	}
	t := &from.moves[number]
	name := from.id + "/" + strconv.Itoa(number+1)
	switch rng.IntN(8) {
	case 0:
		t.event = id + " x.*"
		return op("set-event", "transition", name, "event", t.event), true
	case 1:
		t.cond = "'" + id + `' < "x"`
		return op("set-cond", "transition", name, "cond", t.cond), true
	case 2:
		t.to = some().id
		return op("set-target", "transition", name, "to", t.to), true
	case 3:
		t.actions = `<assign location="a" expr="` + strconv.Itoa(number) + `"/>`
		return op("set-actions", "transition", name, "actions", t.actions), true
	case 4:
		from.moves = slices.Delete(from.moves, number, number+1)
		return op("delete-transition", "transition", name), true
	case 5:
		from.moves = slices.Insert(from.moves, number+1, *t)
		return op("duplicate-transition", "transition", name), true
	case 6:
		moved := *t
		from.moves = append(slices.Delete(from.moves, number, number+1), moved)
		return op("order-transition", "transition", name), true
	default:
		if s.tag != "state" && s.tag != "parallel" {
			return Operation{}, false
		}
		if s != from {
			moved := *t
			from.moves = slices.Delete(from.moves, number, number+1)
			s.moves = append(s.moves, moved)
		}
		return op("move-transition", "transition", name, "from", s.id), true
	}
}

// remove takes a state and what leads to it or into it out of the model.
func (m *model) remove(s *model) {
	m.take(s)
	gone := func(id string) bool { return id == s.id || s.find(id) != nil }
	for _, x := range m.all() {
		if gone(x.initial) {
			x.initial = ""
		}
		x.moves = slices.DeleteFunc(x.moves, func(t modelMove) bool { return gone(t.to) })
	}
}

// Operations on a random chart, in any writing, make the chart that they say, and can be undone. They
// are refused only if the result would not be a chart.
func TestOperationsMakeWhatTheySay(t *testing.T) {
	done, tried := map[string]int{}, 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 1))
		m := randomModel(rng, 2+rng.IntN(12))
		w := writing{eol: []string{"\n", "\r\n", ""}[rng.IntN(3)], unit: []string{"  ", "\t", "", "    "}[rng.IntN(4)], prefix: []string{"", "sc:"}[rng.IntN(2)], loose: rng.IntN(2) == 0}
		text := m.text(w)
		if _, err := scxml.Parse("x.scxml", []byte(text)); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		d := Analyse("x.scxml", text, Options{})
		for range 8 {
			next := m.clone()
			op, ok := next.random(rng)
			if !ok {
				continue
			}
			tried++
			if len(next.in) == 0 {
				continue
			}
			want, wrong := chartText("model", []byte(next.text(writing{eol: "\n", unit: "  "})))
			after, edits, err := d.Operate(op)
			if err != nil {
				if wrong == nil {
					t.Fatalf("seed %d: %v %v: %v\n%s", seed, op.Op, op.Args, err, d.Text())
				}
				continue
			}
			got, err := chartText("text", []byte(after.Text()))
			if err != nil || wrong != nil || got != want {
				t.Fatalf("seed %d: %v %v on\n%s\nmakes\n%s\n%v\n%s\nwant %v\n%s", seed, op.Op, op.Args, d.Text(), after.Text(), err, got, wrong, want)
			}
			if back := ApplyEdits(after.Text(), UndoEdits(d.Text(), edits)); back != d.Text() {
				t.Fatalf("seed %d: %v %v: undone, the document is\n%s\nnot\n%s", seed, op.Op, op.Args, back, d.Text())
			}
			if strings.Count(after.Text(), "\r\n") != strings.Count(after.Text(), "\n") && w.eol == "\r\n" {
				t.Fatalf("seed %d: %v %v: other line ends:\n%q", seed, op.Op, op.Args, after.Text())
			}
			done[op.Op]++
			d, m = after, next
		}
	}
	t.Logf("%d of %d: %v", total(done), tried, done)
	if len(done) < 20 || total(done) < tried/2 {
		t.Errorf("few operations were done: %v of %d", done, tried)
	}
}

func total(all map[string]int) (n int) {
	for _, k := range all {
		n += k
	}
	return n
}
