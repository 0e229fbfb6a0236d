package explore

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// Partial-order reduction: where a region of the outermost <parallel> is in a state that takes only events, uses only
// data and enters only states of its own, the order in which its events and those of the other regions come makes no
// difference. So a search tries only its events there, and those of the others later. That what is put off is tried at
// last, each such state must lead to one that is found later, which is known of states that no level before has.
//
// See D. Peled, "All from one, one for all: on model checking using representatives" (1993) for ample sets, and
// D. Bošnački and G. J. Holzmann, "Improving SPIN's partial-order reduction for breadth-first search" (2005) for the
// condition on levels.

// LocalStates returns, by the order of [scxml.Chart.States], in which atomic states a region takes part in nothing that
// others can notice, nor a property of the options. The error says why there are none.
func LocalStates(chart *scxml.Chart, opts Options) ([]bool, error) {
	if opts.Bits > 0 || opts.Simulate != nil || opts.From != nil || opts.View != nil || opts.LeadsTo != nil || opts.Observers != nil || opts.Times || opts.Unused || opts.Graph {
		return nil, errors.New("nothing can be reduced with another of these options")
	}
	l := &locality{
		chart: chart, region: map[scxml.State]int{}, of: map[*scxml.Element]scxml.State{},
		joined: map[string]string{}, uses: map[string]int{}, watched: map[int]bool{}, outer: map[int]bool{},
		asks: regexp.MustCompile(`\bIn\s*\(\s*(?:'([^'\\]*)'|"([^"\\]*)"|([\w.-]+))\s*\)`),
		word: regexp.MustCompile(`[\pL_$][\pL\pN_$]*`),
	}
	if err := l.read(opts); err != nil {
		return nil, fmt.Errorf("nothing can be reduced: %w", err)
	}
	var local []bool
	for _, st := range chart.States() {
		local = append(local, st.IsAtomic() && l.isLocal(st))
	}
	if !slices.Contains(local, true) {
		return nil, errors.New("nothing can be reduced: in no state is a region by itself")
	}
	return local, nil
}

// groups sorts inputs: first come those that a region in a local state takes, region by region. It returns where the inputs
// of each such region end.
func (s *Session) groups(inputs []Input) (ends []int) {
	from := 0
	for _, name := range s.Configuration() {
		st, _ := s.chart.State(name)
		if !s.local[st] {
			continue
		}
		own := slices.Clone(inputs[from:])
		left := slices.DeleteFunc(slices.Clone(own), func(in Input) bool { return s.takes(st, in.Event) })
		own = slices.DeleteFunc(own, func(in Input) bool { return !s.takes(st, in.Event) })
		copy(inputs[from:], append(own, left...))
		if len(own) > 0 {
			from += len(own)
			ends = append(ends, from)
		}
	}
	return ends
}

// takes reports whether a state, or one around it, has a transition for an event.
func (s *Session) takes(st scxml.State, event string) bool {
	for ok := true; ok; st, ok = st.Parent() {
		for _, t := range st.Transitions() {
			if slices.ContainsFunc(t.Events(), func(d string) bool { return table.Matches(d, event) }) {
				return true
			}
		}
	}
	return false
}

// In a locality are the words of a chart's code: names of data, and of states that In asks for, as "In state". A word
// belongs to a region, or to several.
type locality struct {
	chart   *scxml.Chart
	top     scxml.State // the outermost <parallel>
	region  map[scxml.State]int
	of      map[*scxml.Element]scxml.State
	joined  map[string]string // union-find of words that one element has: their values can share objects
	uses    map[string]int    // by the root of joined: the region that uses it, or shared
	dones   bool              // something waits for done.state events
	errors  bool              // something waits for error events, which any code can bring about
	own     []string          // descriptors of events that the chart itself may bring about
	watched map[int]bool      // regions whose states others ask for
	outer   map[int]bool      // regions with eventless transitions that are not local

	asks, word *regexp.Regexp // In of a state, and words
}

const (
	nowhere = -2 // the region of what is outside of all
	shared  = -1 // the use of a word by several
)

var errOutside = errors.New("a transition leaves a region, or is outside of the regions of an outermost <parallel>")

func (l *locality) read(opts Options) error {
	for _, p := range opts.Properties {
		if p.look == nil {
			return fmt.Errorf("the property %q is a function", p.Name)
		}
	}
	at := l.chart.Root()
	for len(at.Children()) == 1 && at.Kind() != scxml.KindParallel {
		at = at.Children()[0]
	}
	if at.Kind() != scxml.KindParallel {
		return errOutside
	}
	l.top = at
	for _, st := range l.chart.States() {
		l.region[st] = nowhere
		if st.Element() != nil {
			l.of[st.Element()] = st
		}
		if parent, ok := st.Parent(); ok && parent == at {
			l.region[st] = int(slices.Index(at.Children(), st))
		} else if ok {
			l.region[st] = l.region[parent]
		}
	}
	for _, t := range l.chart.Transitions() {
		r := l.region[t.Source()]
		if r == nowhere || slices.ContainsFunc(t.Targets(), func(to scxml.State) bool { return l.region[to] != r }) {
			return errOutside
		}
		for _, d := range t.Events() {
			l.dones = l.dones || overlap(d, "done")
			l.errors = l.errors || overlap(d, "error")
		}
	}
	l.own = append(l.own, "done", "error")
	if err := l.walk(l.chart.Element(), nowhere); err != nil {
		return err
	}
	for _, p := range opts.Properties {
		if err := l.use(nowhere, p.look...); err != nil {
			return err
		}
	}
	for _, name := range opts.Reach {
		if st, ok := l.chart.State(name); ok {
			l.watched[l.region[st]] = true
		}
	}
	for _, t := range l.chart.Transitions() {
		if r := l.region[t.Source()]; len(t.Events()) == 0 && !l.isOwn(t, r) {
			l.outer[r] = true
		}
	}
	return nil
}

// overlap reports whether an event can match both descriptors.
func overlap(a, b string) bool {
	return table.Matches(a, table.Normalize(b)) || table.Matches(b, table.Normalize(a))
}

// walk notes what elements use, and refuses what cannot be told.
func (l *locality) walk(e *scxml.Element, region int) error {
	if st, ok := l.of[e]; ok {
		region = l.region[st]
	}
	var code []string
	for _, a := range e.Attrs {
		switch a.Name {
		case "delayexpr", "eventexpr", "targetexpr":
			return fmt.Errorf("%v: the attribute %s", e.Pos, a.Name)
		case "src":
			return fmt.Errorf("%v: a file that it has", e.Pos)
		case "binding":
			if a.Value == "late" {
				return fmt.Errorf("%v: late binding", e.Pos)
			}
		case "delay":
			return fmt.Errorf("%v: a delayed event", e.Pos)
		case "event":
			if e.Name == "send" || e.Name == "raise" {
				l.own = append(l.own, a.Value)
			}
		case "cond", "expr", "location", "namelist", "array", "item", "index", "idlocation", "sendidexpr", "typeexpr", "labelexpr":
			code = append(code, a.Value)
		case "id":
			if e.Name == "data" {
				code = append(code, a.Value)
			}
		}
	}
	if e.Space != "" && e.Space != "http://www.w3.org/2005/07/scxml" {
		return fmt.Errorf("%v: an element of another namespace", e.Pos)
	}
	switch e.Name {
	case "invoke":
		return fmt.Errorf("%v: an <invoke>", e.Pos)
	case "script", "data", "assign", "content", "param":
		code = append(code, e.Text)
	}
	if e.Name == "data" {
		region = noUse // it has its first value before anything happens
	}
	if err := l.use(region, code...); err != nil {
		return fmt.Errorf("%v: %w", e.Pos, err)
	}
	for _, c := range e.Children {
		if err := l.walk(c, region); err != nil {
			return err
		}
	}
	return nil
}

// noUse is the region of code that joins words and does not use them.
const noUse = -3

// use notes that code of a region has words.
func (l *locality) use(region int, code ...string) error {
	words, err := l.words(region, code...)
	if err != nil || len(words) == 0 {
		return err
	}
	first := l.find(words[0])
	for _, w := range words {
		root := l.find(w)
		use, known := l.uses[first]
		other, also := l.uses[root]
		l.joined[root] = first
		switch {
		case !also:
		case !known || use == other:
			l.uses[first] = other
		default:
			l.uses[first] = shared
		}
	}
	if use, known := l.uses[first]; region != noUse {
		if l.uses[first] = region; known && use != region {
			l.uses[first] = shared
		}
	}
	return nil
}

func (l *locality) find(word string) string {
	for l.joined[word] != "" && l.joined[word] != word {
		word = l.joined[word]
	}
	return word
}

// words returns the words of code, and notes which regions it watches.
func (l *locality) words(region int, code ...string) ([]string, error) {
	found := map[string]bool{}
	for _, text := range code {
		for _, m := range l.asks.FindAllStringSubmatch(text, -1) {
			st, ok := l.chart.State(m[1] + m[2] + m[3])
			if !ok || m[3] != "" && l.chart.Datamodel() != "null" {
				return nil, errors.New("In of something that is not the name of a state")
			}
			if r := l.region[st]; r != region {
				l.watched[r] = true
				found["In "+st.Name()] = true
				l.uses[l.find("In "+st.Name())] = shared
			}
		}
		for _, w := range l.word.FindAllString(l.asks.ReplaceAllString(text, " "), -1) {
			switch w {
			case "In", "eval", "Function", "this", "globalThis", "Date", "random", "_x", "constructor", "__proto__", "prototype":
				return nil, fmt.Errorf("the code has the word %s", w)
			case "true", "false", "null", "undefined", "typeof", "_event", "Math", "if", "else", "for", "while", "return", "var", "let", "const":
			default:
				found[w] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// isLocal reports whether all that an atomic state and those around it can do is local.
func (l *locality) isLocal(st scxml.State) bool {
	r := l.region[st]
	if r == nowhere || l.watched[r] || l.outer[r] || slices.ContainsFunc(l.chart.States(), func(other scxml.State) bool {
		return l.region[other] == r && other.Kind() == scxml.KindParallel
	}) {
		return false
	}
	some := false
	for at := st; at != l.top; at, _ = at.Parent() {
		for _, t := range at.Transitions() {
			some = some || len(t.Events()) > 0
			if !l.isOwn(t, r) {
				return false
			}
		}
	}
	return some
}

// isOwn reports whether a transition of a region takes only events, uses only words and enters only states of its own.
func (l *locality) isOwn(t scxml.Transition, region int) bool {
	for _, d := range t.Events() {
		if slices.ContainsFunc(l.own, func(own string) bool { return overlap(d, own) }) {
			return false
		}
		for _, other := range l.chart.Transitions() {
			if l.region[other.Source()] != region && slices.ContainsFunc(other.Events(), func(e string) bool { return overlap(d, e) }) {
				return false
			}
		}
	}
	if len(t.Events()) == 0 && strings.Contains(t.Cond(), "_event") || !l.quiet(t.Element(), region) {
		return false
	}
	if t.Targets() == nil {
		return true
	}
	for _, st := range l.chart.States() { // any that it may leave or enter
		if l.region[st] != region {
			continue
		}
		if st.Kind() == scxml.KindHistory || st.Kind() == scxml.KindFinal && l.dones {
			return false
		}
		for _, c := range st.Element().Children {
			if slices.Contains([]string{"onentry", "onexit", "initial", "donedata"}, c.Name) && !l.quiet(c, region) {
				return false
			}
		}
	}
	return true
}

// quiet reports whether an element has only code with words of the region, and brings about no events.
func (l *locality) quiet(e *scxml.Element, region int) bool {
	if e == nil {
		return true
	}
	if slices.Contains([]string{"send", "raise", "cancel"}, e.Name) {
		return false
	}
	for _, a := range e.Attrs {
		if slices.Contains([]string{"cond", "expr", "location", "namelist", "array", "item", "index"}, a.Name) && !l.private(region, a.Value) {
			return false
		}
	}
	if e.Name != "transition" && !l.private(region, e.Text) {
		return false
	}
	return !slices.ContainsFunc(e.Children, func(c *scxml.Element) bool { return !l.quiet(c, region) })
}

func (l *locality) private(region int, code string) bool {
	if l.errors && strings.TrimSpace(code) != "" {
		return false
	}
	words, err := l.words(region, code)
	return err == nil && !slices.ContainsFunc(words, func(w string) bool {
		use, used := l.uses[l.find(w)]
		return used && use != region
	})
}
