package randomchart

import (
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// This file makes charts whose data are scalars, with expressions of all their types.

// A kind is what the expressions yield that are assigned to a data item, nearly always: its number tells.
type kind int

const (
	number kind = iota
	text
	truth
	mixed
	kinds
)

// scalars changes the elements of a document.
type scalars struct {
	*chartMaker
	ids [kinds][]string // of data items
}

// Scalars changes a trial with ECMAScript so that its data are scalars: numbers, strings, booleans, null and undefined.
// The data of an event can be an object of them.
func Scalars(rng *rand.Rand, t *Trial) {
	s := &scalars{chartMaker: &chartMaker{Rand: rng}}
	s.change(t.Chart)
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		s.change(t.Files[name])
	}
	for i, st := range t.Stimuli {
		if st.Data != nil {
			t.Stimuli[i].Data = s.data()
		}
	}
}

func (s *scalars) data() datamodel.Value {
	scalar := func() datamodel.Value {
		return []datamodel.Value{nil, datamodel.Null, true, false, int64(0), int64(1), int64(2), 0.5, int64(-1), "", "a", "text", "1"}[s.IntN(13)]
	}
	switch s.IntN(6) {
	case 0, 1:
		return datamodel.NewObject("x", scalar(), "p", scalar())
	case 2:
		return datamodel.NewObject("x", scalar())
	}
	return scalar()
}

func kindOf(id string) kind {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "v"))
	if err != nil {
		return mixed
	}
	return kind(n % int(kinds))
}

// declare notes the data items of a document.
func (s *scalars) declare(e *Element) {
	if e.Name == "data" {
		if id := e.attr("id"); id != "_event" {
			s.ids[kindOf(id)] = append(s.ids[kindOf(id)], id)
		}
	}
	for _, c := range e.Children {
		if c.Name != "scxml" {
			s.declare(c)
		}
	}
}

func (e *Element) attr(name string) string {
	for i := 0; i < len(e.Attrs); i += 2 {
		if e.Attrs[i] == name {
			return e.Attrs[i+1]
		}
	}
	return ""
}

// wholeData is the data of an event as a value, which in a typed chart is a scalar.
var wholeData = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_event\.data\b([^.]|$)`) })

// change replaces what a typed chart does not have in an element, and in those inside of it, and some expressions.
func (s *scalars) change(e *Element) {
	if e.Name == "scxml" {
		s = &scalars{chartMaker: s.chartMaker}
		for _, c := range e.Children {
			for n := range 2 * int(kinds) { // some of each kind
				if c.Name == "datamodel" {
					c.add(elem("data", "id", "v"+strconv.Itoa(100+n), "expr", "0"))
				}
			}
		}
		s.declare(e)
	}
	switch id := s.id(s.kind()); {
	case e.Name == "foreach", e.Name == "raise" && s.maybe(40):
		*e = *elem("log", "expr", "0")
	case e.Name == "raise" && id != "" && s.maybe(70):
		*e = *elem("assign", "location", id, "expr", "0")
	case e.Name == "onentry", e.Name == "onexit", e.Name == "transition":
		for range 1 + s.IntN(3) {
			if id := s.id(s.kind()); id != "" && s.maybe(60) {
				e.add(elem("assign", "location", id, "expr", s.assigned(id)))
			} else {
				e.add(elem("log", "expr", s.expr(mixed, 2)))
			}
		}
	}
	for i := 1; i < len(e.Attrs); i += 2 {
		name, value := e.Attrs[i-1], wholeData().ReplaceAllString(e.Attrs[i], "_event.data.x$1")
		switch {
		case name == "location":
			if value = strings.TrimSuffix(value, ".x"); value == "_event" && s.maybe(80) { // which is refused
				value = "v0"
			}
		case strings.ContainsAny(value, "[{") && !strings.Contains(value, "<"):
			value = "7"
		}
		switch {
		case !s.maybe(70):
		case name == "cond" && (e.Name != "transition" || e.attr("event") != ""): // without an event it might not come to rest
			value = s.expr(truth, 2)
		case name == "expr" && e.Name == "data":
			value = s.expr(kindOf(e.attr("id")), 0)
		case name == "expr" && e.Name == "assign" && value != "v0 + 1":
			value = s.assigned(e.attr("location"))
		case name == "expr" && e.Name != "assign" && !strings.Contains(value, "<"):
			value = s.expr(mixed, 2)
		}
		e.Attrs[i] = value
	}
	switch {
	case e.Name == "script":
		e.Text = s.script(1)
	case strings.ContainsAny(e.Text, "[{"):
		e.Text = "3"
	}
	for _, child := range e.Children {
		s.change(child)
	}
}

// assigned returns an expression whose value goes into a data item.
func (s *scalars) assigned(id string) string {
	if s.maybe(5) {
		return s.expr(mixed, 2)
	}
	return s.expr(kindOf(id), 2)
}

func (s *scalars) script(depth int) string {
	var b strings.Builder
	for range 1 + s.IntN(2) {
		id := s.id(s.kind())
		switch {
		case id == "":
		case s.maybe(20) && depth > 0:
			b.WriteString("if (" + s.expr(truth, 1) + ") { " + s.script(depth-1) + "} else { " + s.script(depth-1) + "} ")
		case s.maybe(20) && kindOf(id) == number:
			b.WriteString(id + s.pick("++; ", "--; ", " += 2; ", " -= 1; "))
		default:
			b.WriteString(id + " = " + s.assigned(id) + "; ")
		}
	}
	return b.String()
}

func (s *scalars) kind() kind { return kind(s.IntN(int(kinds))) }

// id returns a data item of a kind, or "".
func (s *scalars) id(k kind) string {
	if len(s.ids[k]) == 0 {
		return ""
	}
	return choose(s.chartMaker, s.ids[k])
}

// expr returns an expression that goja has no faults with. Values of a kind do not grow without end.
func (s *scalars) expr(k kind, depth int) string {
	sub := func(k kind) string { return "(" + s.expr(k, depth-1) + ")" }
	n := s.IntN(10)
	switch id := s.id(k); {
	case depth == 0 && n < 5, n < 3:
		if id != "" {
			return id
		}
		fallthrough
	case depth == 0:
		switch k {
		case number:
			return s.pick("0", "1", "2", "3", "0.5", "-1")
		case text:
			return s.pick("''", "'a'", "'b'", "'1'", "_event.name", "_name")
		case truth:
			return s.pick("true", "false", "In('s1')")
		}
		return s.pick("null", "undefined", "0", "1", "'a'", "true", "_event.data.x", "_event.data.x", "_event.data.p", "_event.data?.x", "_event.data", "_event.sendid", "nowhere", "typeof nowhere")
	case n < 4:
		return sub(truth) + " ? " + sub(k) + " : " + sub(k)
	}
	switch k {
	case number:
		return choose(s.chartMaker, []func() string{
			func() string { return "(" + sub(number) + " + 1) % 3" },
			func() string { return sub(number) + " % 5 - " + sub(number) + " % 4" },
			func() string { return "Number" + sub(mixed) },
			func() string { return "Math.floor(" + sub(number) + " / 2)" },
			func() string { return sub(text) + ".length" },
			func() string { return "Math.max(" + sub(number) + ", " + sub(number) + ")" },
			func() string { return sub(number) + " & 3 | 1" },
		})()
	case text:
		return choose(s.chartMaker, []func() string{
			func() string { return "(" + sub(text) + " + 'b').slice(0, 6)" },
			func() string { return "String" + sub(mixed) },
			func() string { return "`x${" + s.expr(mixed, depth-1) + "}`" },
			func() string { return "typeof " + sub(mixed) },
			func() string { return sub(text) + " && 'c'" },
		})()
	case truth:
		return choose(s.chartMaker, []func() string{
			func() string { return "!" + sub(mixed) },
			func() string { return sub(number) + s.pick(" < ", " <= ", " > ", " >= ") + sub(number) },
			func() string { return sub(s.kind()) + s.pick(" === ", " !== ") + sub(s.kind()) },
			func() string { return sub(mixed) + s.pick(" == ", " != ") + s.pick("null", "undefined") },
			func() string { return sub(truth) + s.pick(" && ", " || ") + sub(truth) },
			func() string { return sub(text) + " < " + sub(text) },
		})()
	}
	return choose(s.chartMaker, []func() string{
		func() string { return s.expr(s.kind(), depth-1) },
		func() string { return sub(mixed) + s.pick(" ?? ", " || ", " && ") + sub(s.kind()) },
		func() string { return sub(mixed) + " + 1" },
		func() string { return sub(mixed) + " - " + sub(number) },
	})()
}
