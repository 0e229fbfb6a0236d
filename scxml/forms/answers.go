package forms

import (
	"context"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// How many values are remembered.
const (
	maxAnswers = 12 // of one expression
	maxValues  = 24 // of one part of the data of an event
)

// Answers are values of the data of events that make a difference in the states of sessions in which
// [Answers.Ask] was called.
type Answers struct {
	of     *Forms
	values [][]datamodel.Value // for each question
}

// Answers returns no answers yet.
func (f *Forms) Answers() *Answers {
	return &Answers{f, make([][]datamodel.Value, len(f.questions))}
}

// Ask evaluates what the data of events is compared with. An expression can be that of a script: eval
// should be that of a copy of a session if the code of the chart may change data there.
func (a *Answers) Ask(ctx context.Context, eval func(ctx context.Context, expr string) (datamodel.Value, error)) {
	evaluate := func(code string) datamodel.Value {
		if code == "" {
			return nil
		}
		v, _ := eval(ctx, code) // undefined if it cannot be evaluated, such as one with a variable of a function
		return v
	}
	for i, q := range a.of.questions {
		if len(a.values[i]) >= maxAnswers {
			continue
		}
		if q.kind == datamodel.UseTruth {
			a.values[i] = []datamodel.Value{true, false}
			continue
		}
		a.add(i, evaluate(q.code))
		for _, path := range q.paths {
			for _, v := range descend(evaluate(path[0]), path[1:]) {
				a.add(i, v)
			}
		}
	}
}

// add adds what makes a difference if the part of a question is compared with v.
func (a *Answers) add(question int, v datamodel.Value) {
	for _, answer := range answers(a.of.questions[question].kind, v) {
		if values := a.values[question]; !has(values, answer) && len(values) < maxAnswers {
			a.values[question] = append(values, answer)
		}
	}
}

// A Field is a part of the data of an event, which has no parts itself.
type Field struct {
	// Path is the names of the properties that lead to it: order, price for _event.data.order.price. It
	// is empty if the field is all of the data.
	Path []string
	Kind Kind
	// Values make a difference, as those on both sides of what the field is compared with. There are
	// none if nothing is known.
	Values []datamodel.Value
	// Default is a value to begin with. It is undefined (nil) if nothing is known.
	Default datamodel.Value
}

// Name returns the path with dots: "order.price".
func (f Field) Name() string { return strings.Join(f.Path, ".") }

// A Kind is what values a field has.
type Kind uint8

const (
	Any     Kind = iota // nothing is known, or values of several kinds
	Number              // numbers
	Text                // strings
	Boolean             // true and false
	Choice              // one of the values of the field
)

// String returns the kind in lower case.
func (k Kind) String() string {
	return [...]string{"any", "number", "text", "boolean", "choice"}[k]
}

// Events returns the names of events whose data is used, in the order of the chart. A name is that in an
// event descriptor, without ".*", and "" for "*".
func (f *Forms) Events() (names []string) {
	for _, p := range f.parts {
		if !slices.Contains(names, p.event) {
			names = append(names, p.event)
		}
	}
	return names
}

// Fields returns the fields of the data of an event, which is named as in [Forms.Events], in the order of
// the chart. Elements of lists are missing, since nothing tells how many there are.
func (a *Answers) Fields(event string) (fields []Field) {
	for _, p := range a.of.parts {
		names := strings.Split(p.path, pathSeparator)
		if p.path == "" {
			names = nil
		}
		hasMembers := slices.ContainsFunc(a.of.parts, func(q part) bool {
			rest, inside := strings.CutPrefix(q.path, p.path)
			return q.event == event && inside && (strings.HasPrefix(rest, pathSeparator) || p.path == "" && rest != "")
		})
		if p.event == event && !hasMembers && !slices.Contains(names, "[]") {
			fields = append(fields, a.field(p, names))
		}
	}
	return fields
}

func (a *Answers) field(of part, names []string) Field {
	f := Field{Path: names}
	chosen := false
	for i, q := range a.of.questions {
		switch {
		case q.of != of:
		case q.kind == datamodel.UseFlow:
			if len(a.values[i]) > 0 && f.Default == nil {
				f.Default = a.values[i][0]
			}
		default:
			chosen = chosen || (q.kind == datamodel.UseLookup || q.kind == datamodel.UseMembership) && len(a.values[i]) > 0
			for _, v := range a.values[i] {
				if !has(f.Values, v) && len(f.Values) < maxValues {
					f.Values = append(f.Values, v)
				}
			}
		}
	}
	slices.SortStableFunc(f.Values, func(a, b datamodel.Value) int {
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
	kinds := f.Values
	if len(f.Values) == 0 && f.Default != nil {
		kinds = []datamodel.Value{f.Default}
	}
	if f.Kind = kindOf(kinds); chosen {
		f.Kind = Choice
	}
	if len(f.Values) > 0 && !has(f.Values, f.Default) {
		f.Default = f.Values[0]
	}
	return f
}

// kindOf returns the kind of some values.
func kindOf(values []datamodel.Value) Kind {
	kind := Any
	for i, v := range values {
		this := Any
		switch v.(type) {
		case int64, float64:
			this = Number
		case string:
			this = Text
		case bool:
			this = Boolean
		}
		if i > 0 && this != kind {
			return Any
		}
		kind = this
	}
	return kind
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

func has(values []datamodel.Value, v datamodel.Value) bool {
	return slices.ContainsFunc(values, func(have datamodel.Value) bool { return datamodel.Equal(have, v) })
}

// answers returns values that make a difference to a use whose other operand is v.
func answers(kind datamodel.UseKind, v datamodel.Value) (all []datamodel.Value) {
	switch kind {
	case datamodel.UseFlow: // which is only the kind of value that is expected there
		switch v.(type) {
		case string, int64, float64, bool:
			return []datamodel.Value{v}
		}
		return nil
	case datamodel.UseType:
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
			if kind == datamodel.UseMembership {
				all = append(all, element)
			} else if kind == datamodel.UseLookup {
				all = append(all, int64(i))
			}
		}
	case *datamodel.Object:
		for name := range v.All() {
			if kind == datamodel.UseLookup {
				all = append(all, name)
			}
		}
	case int64:
		if kind == datamodel.UseOrder {
			all = append(all, v-1)
		}
		if kind == datamodel.UseOrder || kind == datamodel.UseComparison {
			all = append(all, v, v+1)
		}
	case float64:
		if kind == datamodel.UseOrder || kind == datamodel.UseComparison {
			for _, near := range []float64{v - 1, v, v + 1} {
				if near-near == 0 && (near != v-1 || kind == datamodel.UseOrder) { // not infinite, and not NaN
					all = append(all, datamodel.Number(near))
				}
			}
		}
	case string:
		if kind == datamodel.UseComparison || kind == datamodel.UseOrder {
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

func number(v datamodel.Value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
