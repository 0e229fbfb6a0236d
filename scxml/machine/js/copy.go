package js

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// What enters a machine and leaves it is copied. The interpreter has the same bounds.
const (
	maxDepth = 500        // of arrays and objects inside of each other
	maxParts = 10_000_000 // items and properties
)

// A fault says what of some data cannot be copied, and where it is.
type fault struct {
	steps []string // innermost first
	what  string   // what it is: "a func()"
	msg   string   // what is wrong with it, without what
}

func (f *fault) in(step string) *fault {
	f.steps = append(f.steps, step)
	return f
}

// Error is "a.b[3] is a func(), which a compiled chart cannot hold" or, as the interpreter has it, "at a.b[3]: data contains
// itself".
func (f *fault) Error() string {
	const most = 24 // steps; the outermost ones are enough
	var b strings.Builder
	for i := len(f.steps) - 1; i >= max(len(f.steps)-most, 0); i-- {
		b.WriteString(f.steps[i])
	}
	if len(f.steps) > most {
		b.WriteString("…")
	}
	switch place := strings.TrimPrefix(b.String(), "."); {
	case f.msg != "" && place != "":
		return "at " + place + ": " + f.msg
	case f.msg != "":
		return f.msg
	case place != "":
		return place + " is " + f.what + ", which a compiled chart cannot hold"
	}
	return "the data are " + f.what + ", which a compiled chart cannot hold"
}

// stepTo returns the step to a property.
func stepTo(key string) string {
	isName := key != ""
	for i, r := range key {
		isName = isName && (r == '_' || r == '$' || unicode.IsLetter(r) || i > 0 && unicode.IsDigit(r))
	}
	if isName {
		return "." + key
	}
	return "[" + strconv.Quote(key) + "]"
}

func stepToItem(i int) string { return "[" + strconv.Itoa(i) + "]" }

// A walk goes through an object and all that is in it.
type walk struct {
	near  [8]*Object // the outermost objects that are open, from the first to the present one: a slice would be on the heap
	far   []*Object  // the others
	depth int        // how many are open
	parts int
}

// enter begins with the parts of o.
func (w *walk) enter(o *Object) *fault {
	switch {
	case w.depth >= maxDepth:
		return &fault{msg: "data is nested deeper than 500 levels"}
	case slices.Contains(w.near[:min(w.depth, len(w.near))], o), slices.Contains(w.far, o):
		return &fault{msg: "data contains itself"}
	}
	if w.parts += len(o.values); w.parts > maxParts {
		return &fault{msg: "data has more than 10000000 items"}
	}
	if w.depth < len(w.near) {
		w.near[w.depth] = o
	} else {
		w.far = append(w.far, o)
	}
	w.depth++
	return nil
}

func (w *walk) leave() {
	if w.depth--; w.depth >= len(w.near) {
		w.far = w.far[:w.depth-len(w.near)]
	}
}

// Copy returns a copy of v and of all that is in it, as a message is one: holes become undefined, an error an object with
// name and message, a function undefined. Data that contain themselves, are nested deeper than 500 levels or have more than
// ten million items throw, with the words of the interpreter.
func (v Value) Copy() Value {
	if v.typ() != TypeObject {
		return v
	}
	var w walk
	made, err := w.copy(v)
	if err != nil {
		panic(thrown{text: err.Error()})
	}
	return made
}

func (w *walk) copy(v Value) (Value, *fault) {
	o := v.object()
	switch {
	case v.isHole() || o != nil && o.class == function:
		return Value{}, nil
	case o == nil:
		return v, nil
	case o.class == errorObject:
		return errorData(o), nil
	}
	if err := w.enter(o); err != nil {
		return Value{}, err
	}
	if o.shape != nil && o.shape.dead > 0 {
		o = o.compact()
	}
	made := sized(len(o.values))
	made.class = o.class
	if o.class == plain && o.shape != nil {
		if made.shape = o.shape; o.owned {
			made.shape = o.shape.clone()
			made.owned = true
		}
	}
	order := o.order()
	for n := range o.values {
		i := n
		if order != nil {
			i = order[n]
		}
		item := o.values[i]
		if item.typ() == TypeObject || item.isHole() {
			part, err := w.copy(item)
			if err != nil {
				return Value{}, err.in(o.step(i))
			}
			item = part
		}
		made.values[i] = item
	}
	w.leave()
	return made.Value(), nil
}

// order returns the places of the values of o in the order of loops, in which the first that cannot be copied is found;
// nil if that is their own order.
func (o *Object) order() []int {
	if o.shape == nil || !o.shape.indexes {
		return nil
	}
	places := make([]int, len(o.values))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return compareKeys(o.shape.keys[a], o.shape.keys[b]) })
	return places
}

// step returns the step to the i-th value of o.
func (o *Object) step(i int) string {
	if o.class == array {
		return stepToItem(i)
	}
	return stepTo(o.shape.keys[i])
}

// errorData returns what an error is as data.
func errorData(o *Object) Value {
	return NewObject().With("name", String(o.get("name").ToText())).With("message", String(cleanMessage(o.get("message").ToText()))).Value()
}

// Data returns a copy of v and of all that is in it, for a host: nil for undefined, [Null], a bool, a float64, a string, an
// []any or [Fields], in the order of loops. Holes and functions are nil, an error has the fields name and message. It throws
// as [Value.Copy] does.
func (v Value) Data() any {
	if v.typ() != TypeObject {
		return v.Any()
	}
	var w walk
	made, err := w.data(v)
	if err != nil {
		panic(thrown{text: err.Error()})
	}
	return made
}

func (w *walk) data(v Value) (any, *fault) {
	o := v.object()
	switch {
	case o == nil:
		return v.Any(), nil
	case o.class == function:
		return nil, nil
	case o.class == errorObject:
		o = errorData(o).Object()
	}
	if err := w.enter(o); err != nil {
		return nil, err
	}
	defer w.leave()
	if o.class == array {
		list := make([]any, len(o.values))
		for i, item := range o.values {
			part, err := w.data(item)
			if err != nil {
				return nil, err.in(stepToItem(i))
			}
			list[i] = part
		}
		return list, nil
	}
	names := o.names()
	fields := make(Fields, len(names))
	for i, name := range names {
		part, err := w.data(o.get(name))
		if err != nil {
			return nil, err.in(stepTo(name))
		}
		fields[i] = Field{name, part}
	}
	return fields, nil
}
