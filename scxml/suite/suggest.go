package suite

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/uses"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// Suggest returns data for the events of a chart that makes a difference, as JSON that
// [explore.ParseData] reads: values on both sides of what its code compares _event.data with, also after
// the data has become that of variables, properties and parameters of functions. What it is compared with
// may be any expression of the chart's data: it is evaluated in the states that some searches find, of
// which opts.MaxStates bounds each (0 is 1,000). Events that have data in opts.Data keep it in these
// searches.
//
// The files of <script src> are read from files, which is the folder of the chart, and may be nil. A part
// of the data of which nothing is known is 1, and what Suggest does not understand is missing: edit the
// result before you rely on it.
func Suggest(ctx context.Context, chart *scxml.Chart, files fs.FS, opts explore.Options) (*datamodel.Object, error) {
	m := mine(chart, files)
	opts.Reach, opts.Stop, opts.Graph, opts.Errors, opts.Unused = nil, false, false, false, false
	opts.Workers = 1 // the questions share their answers
	if opts.MaxStates == 0 {
		opts.MaxStates = 1000
	}
	opts.Properties = []explore.Property{{Name: "questions", Holds: func(ctx context.Context, s explore.System) (bool, error) {
		m.ask(ctx, s)
		return true, nil
	}}}
	given := opts.Data
	var last *datamodel.Object
	for range maxRounds {
		now := m.suggestion()
		if last != nil && datamodel.Equal(now, last) {
			break
		}
		last = now
		data, err := explore.ParseData(datamodel.AppendJSON(nil, now))
		if err != nil {
			return nil, fmt.Errorf("suite: %w", err)
		}
		maps.Copy(data, given)
		opts.Data = data
		if _, err := explore.Run(ctx, chart, opts); err != nil {
			return nil, fmt.Errorf("suite: %w", err)
		}
	}
	return m.suggestion(), nil
}

// How much is suggested.
const (
	maxRounds   = 4    // of searches, each with the data that the one before has led to
	maxAnswers  = 12   // values of one expression
	maxValues   = 24   // of one part of the data of an event
	maxCombined = 2000 // of one event
)

// A part is a part of the data of an event: "order", "price" is _event.data.order.price.
type part struct{ event, path string }

// A question is what the values of a part are compared with.
type question struct {
	of     part
	kind   uses.Kind
	code   string
	paths  [][]string        // in the data, if code is not to be evaluated
	values []datamodel.Value // the answers so far
}

// A mined chart is what its code does with the data of events.
type mined struct {
	parts     []part
	questions []*question
	pieces    []*piece
	flows     map[string][]part     // which parts of events a variable may have, by its path
	aliases   map[string][][]string // which data a local variable may have
}

// A piece is code of a chart, and the events during which it runs.
type piece struct {
	events []string
	kind   datamodel.Kind
	code   string
	uses   []uses.Use
}

// pathSeparator is between the names of a path, none of which has it.
const pathSeparator = "\x00"

func key(path []string) string { return strings.Join(path, pathSeparator) }

// mine reads the code of a chart.
func mine(chart *scxml.Chart, files fs.FS) *mined {
	m := &mined{flows: map[string][]part{}, aliases: map[string][][]string{}, pieces: pieces(chart, files)}
	for _, p := range m.pieces {
		p.uses = uses.Of(p.kind, p.code)
		for _, u := range p.uses {
			if u.Kind == uses.Flow && u.With.Path != nil && strings.Contains(u.With.Path[0], "/") {
				to := key(u.With.Path)
				m.aliases[to] = append(m.aliases[to], u.Value.Path)
			}
		}
	}
	// What a function does, it does for those that call it.
	calls := map[string][]string{} // the events of the code that calls a function
	for changed := true; changed; {
		changed = false
		for _, p := range m.pieces {
			for _, u := range p.uses {
				if u.Kind != uses.Call {
					continue
				}
				for _, event := range append(slices.Clone(p.events), calls[u.Function]...) {
					if name := u.Value.Path[0]; !slices.Contains(calls[name], event) {
						calls[name] = append(calls[name], event)
						changed = true
					}
				}
			}
		}
	}
	// Where the data of events goes.
	for changed := true; changed; {
		changed = false
		for _, p := range m.pieces {
			for _, u := range p.uses {
				if u.Kind != uses.Flow || u.With.Path == nil {
					continue
				}
				to := key(u.With.Path)
				for _, from := range m.resolve(u.Value.Path, append(slices.Clone(p.events), calls[u.Function]...)) {
					if !slices.Contains(m.flows[to], from) && strings.Count(from.path, pathSeparator) < 8 {
						m.flows[to] = append(m.flows[to], from)
						changed = true
					}
				}
			}
		}
	}
	for _, p := range m.pieces {
		for _, u := range p.uses {
			for _, of := range m.resolve(u.Value.Path, append(slices.Clone(p.events), calls[u.Function]...)) {
				m.note(of, u)
			}
		}
	}
	return m
}

// resolve returns the parts of events that a path may be.
func (m *mined) resolve(path, events []string) (parts []part) {
	if len(path) > 1 && path[0] == "_event" && path[1] == "data" {
		for _, event := range events {
			parts = append(parts, part{event, key(path[2:])})
		}
		return parts
	}
	for n := len(path); n > 0; n-- {
		for _, from := range m.flows[key(path[:n])] {
			rest := path[n:]
			if from.path != "" {
				rest = append(strings.Split(from.path, pathSeparator), rest...)
			}
			parts = append(parts, part{from.event, key(rest)})
		}
		if parts != nil {
			break
		}
	}
	return parts
}

// note notes a use of a part.
func (m *mined) note(of part, u uses.Use) {
	if !slices.Contains(m.parts, of) {
		m.parts = append(m.parts, of)
	}
	q := &question{of: of, kind: u.Kind, code: u.With.Text}
	switch u.Kind {
	case uses.Truth:
		q.values = []datamodel.Value{true, false}
	case uses.Comparison, uses.Order, uses.Membership, uses.Lookup, uses.Type:
		q.paths = m.inData(u.With.Path, 0)
		if strings.Contains(q.code, "_event") || q.code == "" {
			if q.code = ""; q.paths == nil {
				return
			}
		}
	default:
		return
	}
	if !slices.ContainsFunc(m.questions, func(have *question) bool {
		return have.of == q.of && have.kind == q.kind && have.code == q.code && reflect.DeepEqual(have.paths, q.paths)
	}) {
		m.questions = append(m.questions, q)
	}
}

// inData returns the paths in the data that a path with computed parts, or of a local variable, may be.
func (m *mined) inData(path []string, depth int) (all [][]string) {
	const most = 6
	if len(path) == 0 || depth > most || path[0] == "_event" {
		return nil
	}
	if !strings.Contains(path[0], "/") {
		return [][]string{path}
	}
	for n := len(path); n > 0; n-- {
		for _, from := range m.aliases[key(path[:n])] {
			all = append(all, m.inData(append(slices.Clip(from), path[n:]...), depth+1)...)
		}
	}
	return all
}

// ask answers the questions in the present state of a session.
func (m *mined) ask(ctx context.Context, s explore.System) {
	for _, q := range m.questions {
		if q.kind == uses.Truth || len(q.values) >= maxAnswers {
			continue
		}
		q.answer(evaluate(ctx, s, q.code))
		for _, path := range q.paths {
			for _, v := range descend(evaluate(ctx, s, path[0]), path[1:]) {
				q.answer(v)
			}
		}
	}
}

// evaluate returns the value of an expression, or undefined if it cannot be evaluated, such as one with a
// variable of a function.
func evaluate(ctx context.Context, s explore.System, code string) datamodel.Value {
	if code == "" {
		return nil
	}
	v, _ := s.Eval(ctx, code)
	return v
}

// descend returns the values that a path leads to.
func descend(v datamodel.Value, path []string) []datamodel.Value {
	if len(path) == 0 {
		return []datamodel.Value{v}
	}
	var all []datamodel.Value
	switch v := v.(type) {
	case *datamodel.Object:
		for name, member := range v.All() {
			if name == path[0] || path[0] == "[]" {
				all = append(all, descend(member, path[1:])...)
			}
		}
	case []datamodel.Value:
		for _, element := range v {
			if path[0] == "[]" {
				all = append(all, descend(element, path[1:])...)
			}
		}
	}
	return all
}

// answer adds what makes a difference if the part is compared with v.
func (q *question) answer(v datamodel.Value) {
	for _, answer := range answers(q.kind, v) {
		if !has(q.values, answer) && len(q.values) < maxAnswers {
			q.values = append(q.values, answer)
		}
	}
}

func has(values []datamodel.Value, v datamodel.Value) bool {
	return slices.ContainsFunc(values, func(have datamodel.Value) bool { return datamodel.Equal(have, v) })
}

// answers returns values that make a difference to a use whose other operand is v.
func answers(kind uses.Kind, v datamodel.Value) (all []datamodel.Value) {
	if kind == uses.Type {
		switch v {
		case "string":
			return []datamodel.Value{"text"}
		case "number":
			return []datamodel.Value{int64(1)}
		case "boolean":
			return []datamodel.Value{true, false}
		}
		return nil
	}
	switch v := v.(type) {
	case []datamodel.Value:
		for i, element := range v {
			if kind == uses.Membership {
				all = append(all, element)
			} else if kind == uses.Lookup {
				all = append(all, int64(i))
			}
		}
	case *datamodel.Object:
		for name := range v.All() {
			if kind == uses.Lookup {
				all = append(all, name)
			}
		}
	case int64:
		if kind == uses.Order {
			all = append(all, v-1)
		}
		if kind == uses.Order || kind == uses.Comparison {
			all = append(all, v, v+1)
		}
	case float64:
		if kind == uses.Order || kind == uses.Comparison {
			for _, near := range []float64{v - 1, v, v + 1} {
				if near-near == 0 && (near != v-1 || kind == uses.Order) { // not infinite, and not NaN
					all = append(all, datamodel.Number(near))
				}
			}
		}
	case string:
		if kind == uses.Comparison || kind == uses.Order {
			all = append(all, v)
			if v != "" {
				all = append(all, "")
			}
		}
	case bool:
		all = append(all, true, false)
	case datamodel.NullType:
		all = append(all, v, int64(1))
	}
	return all
}

// A leaf is a part without members, and its values.
type leaf struct {
	names  []string // which lead to it; nil for all of the data
	values []datamodel.Value
}

// suggestion returns what is suggested so far, in the form that [explore.ParseData] reads.
func (m *mined) suggestion() *datamodel.Object {
	all := new(datamodel.Object)
	for _, of := range m.parts {
		if _, done := all.Get(of.event); done {
			continue
		}
		if leaves := m.leaves(of.event); len(leaves) > 0 {
			all.Set(of.event, specification(leaves))
		}
	}
	return all
}

// leaves returns the parts of the data of an event, with so few values that their combinations can be
// tried.
func (m *mined) leaves(event string) (leaves []*leaf) {
	for _, p := range m.parts {
		names := strings.Split(p.path, pathSeparator)
		if p.path == "" {
			names = nil
		}
		hasMembers := slices.ContainsFunc(m.parts, func(q part) bool {
			rest, inside := strings.CutPrefix(q.path, p.path)
			return q.event == event && inside && (strings.HasPrefix(rest, pathSeparator) || p.path == "" && rest != "")
		})
		if p.event == event && !hasMembers && !slices.Contains(names, "[]") && !slices.Contains(names, "length") {
			leaves = append(leaves, &leaf{names, m.values(p)})
		}
	}
	for {
		combined := 1
		var longest *leaf
		for _, l := range leaves {
			combined *= len(l.values)
			if longest == nil || len(l.values) > len(longest.values) {
				longest = l
			}
		}
		if combined <= maxCombined {
			return leaves
		}
		longest.values = longest.values[:len(longest.values)-1]
	}
}

// specification writes the values of leaves as JSON: members of objects, a list of values for each, and a
// range for integers in a row.
func specification(leaves []*leaf) datamodel.Value {
	if len(leaves) == 1 && len(leaves[0].names) == 0 {
		return span(leaves[0].values)
	}
	o := new(datamodel.Object)
	for _, l := range leaves {
		name := l.names[0]
		if _, done := o.Get(name); done {
			continue
		}
		var below []*leaf
		for _, other := range leaves {
			if other.names[0] == name {
				below = append(below, &leaf{other.names[1:], other.values})
			}
		}
		o.Set(name, specification(below))
	}
	return o
}

// span returns a list of values, or a range.
func span(values []datamodel.Value) datamodel.Value {
	const few = 3
	first, ok := values[0].(int64)
	for i, v := range values {
		n, isInt := v.(int64)
		ok = ok && isInt && n == first+int64(i)
	}
	if ok && len(values) >= few {
		return fmt.Sprintf("%d..%d", first, first+int64(len(values))-1)
	}
	return values
}

// values returns the values of a part without members, in order.
func (m *mined) values(of part) (values []datamodel.Value) {
	for _, q := range m.questions {
		if q.of != of {
			continue
		}
		for _, v := range q.values {
			if !has(values, v) && len(values) < maxValues {
				values = append(values, v)
			}
		}
	}
	slices.SortStableFunc(values, func(a, b datamodel.Value) int {
		x, isX := number(a)
		y, isY := number(b)
		switch {
		case isX && isY && x < y:
			return -1
		case isX && isY && x > y:
			return 1
		}
		return 0
	})
	if len(values) == 0 {
		values = append(values, int64(1)) // it is used, and nothing is known
	}
	return values
}

func number(v datamodel.Value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// pieces returns the code of a chart: of its transitions, and what runs at other times.
func pieces(chart *scxml.Chart, files fs.FS) (all []*piece) {
	decoder := xml.NewDecoder(strings.NewReader(chart.Source()))
	decoder.CharsetReader = func(_ string, source io.Reader) (io.Reader, error) { return source, nil } // it is text already
	var events [][]string                                                                              // of the elements around
	var script *piece
	attribute := func(t xml.StartElement, name string) string {
		for _, a := range t.Attr {
			if a.Name.Local == name && a.Name.Space == "" {
				return a.Value
			}
		}
		return ""
	}
	for {
		token, err := decoder.Token()
		if err != nil {
			return all
		}
		switch t := token.(type) {
		case xml.StartElement:
			var around []string
			if len(events) > 0 {
				around = events[len(events)-1]
			}
			if t.Name.Local == "transition" {
				around = userEvents(chart, attribute(t, "event"))
			}
			events = append(events, around)
			add := func(kind datamodel.Kind, code string) {
				if strings.TrimSpace(code) != "" {
					all = append(all, &piece{events: around, kind: kind, code: code})
				}
			}
			for _, name := range []string{"cond", "expr", "array", "eventexpr", "targetexpr", "delayexpr"} {
				add(datamodel.ValueExpr, attribute(t, name))
			}
			switch expr := attribute(t, "expr"); t.Name.Local {
			case "assign":
				if expr != "" {
					add(datamodel.Script, attribute(t, "location")+" = ("+expr+"\n)")
				}
			case "data":
				if id := attribute(t, "id"); id != "" && expr != "" {
					add(datamodel.Script, id+" = ("+expr+"\n)")
				}
			case "script":
				script = &piece{events: around, kind: datamodel.Script}
				all = append(all, script)
				if src := attribute(t, "src"); src != "" && files != nil {
					source, _ := fs.ReadFile(files, path.Clean(strings.TrimPrefix(src, "file:")))
					script.code = string(source)
				}
			}
		case xml.CharData:
			if script != nil {
				script.code += string(t)
			}
		case xml.EndElement:
			events, script = events[:len(events)-1], nil
		}
	}
}

// userEvents returns the events of a transition that come from outside, as a search sends them.
func userEvents(chart *scxml.Chart, descriptors string) (names []string) {
	for _, descriptor := range strings.Fields(descriptors) {
		name := strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".")
		if name == "" {
			name = explore.Other
		}
		if chart.IsUserEvent(name) {
			names = append(names, name)
		}
	}
	return names
}
