package js

import (
	"strconv"
	"strings"
)

// Stringify is JSON.stringify with three arguments.
func Stringify(v, replacer, space Value) Value {
	w := jsonWriter{}
	if o := replacer.object(); o != nil && o.class == function {
		w.replacer = o.more.call
	} else if o != nil && o.class == array {
		w.names = listed(o)
	}
	switch space.typ() {
	case TypeNumber:
		w.gap = strings.Repeat(" ", int(min(max(integer(space.Number()), 0), 10)))
	case TypeString:
		w.gap = Slice(space.Text(), 0, 10)
	}
	if !w.write("", v) {
		return Value{}
	}
	return String(string(w.out))
}

// listed returns the names of a list for JSON.stringify, each once.
func listed(o *Object) []string {
	names, seen := []string{}, map[string]bool{}
	for i := range o.values {
		if v := o.at(i); v.typ() == TypeNumber || v.typ() == TypeString {
			if name := v.ToText(); !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// MarshalJSON returns what JSON.stringify returns, and null for undefined.
func (v Value) MarshalJSON() ([]byte, error) {
	w := jsonWriter{}
	written := false
	if thrown, failed := Try(func() { written = w.write("", v) }); failed {
		return nil, &fault{msg: thrown.ToText()}
	}
	if !written {
		return []byte("null"), nil
	}
	return w.out, nil
}

// A jsonWriter writes values as JSON.stringify does.
type jsonWriter struct {
	replacer    Func
	names       []string // of the properties that are written, unless it is nil
	gap, indent string
	open        []*Object
	out         []byte
}

// write writes a value, and reports whether there is one.
func (w *jsonWriter) write(name string, v Value) bool {
	if w.replacer != nil {
		v = w.replacer([]Value{String(name), v})
	}
	switch {
	case len(w.open) >= maxNested:
		throwText("RangeError: the data is nested deeper than 1000 levels")
	}
	checkText(float64(len(w.out)))
	switch v.typ() {
	case TypeNull:
		w.out = append(w.out, "null"...)
	case TypeBool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case TypeNumber:
		n := v.Number()
		switch i := int64(n); {
		case float64(i) == n && i > -1e15 && i < 1e15:
			w.out = strconv.AppendInt(w.out, i, 10)
		case n-n != 0:
			w.out = append(w.out, "null"...)
		default:
			w.out = append(w.out, NumberText(n)...)
		}
	case TypeString:
		w.out = appendQuoted(w.out, v.Text())
	case TypeObject:
		return w.object(v.Object())
	default:
		return false
	}
	return true
}

func (w *jsonWriter) object(o *Object) bool {
	switch {
	case o == nil:
		w.out = append(w.out, "{}"...)
		return true
	case o.class == function:
		return false
	}
	for _, outer := range w.open {
		if outer == o {
			throwText("TypeError: Converting circular structure to JSON")
		}
	}
	w.open = append(w.open, o)
	outer := w.indent
	w.indent += w.gap
	if o.class == array {
		w.list(o, outer)
	} else {
		w.members(o, outer)
	}
	w.indent = outer
	w.open = w.open[:len(w.open)-1]
	return true
}

// line begins a new line, if there is a gap.
func (w *jsonWriter) line(indent string) {
	if w.gap != "" {
		w.out = append(append(w.out, '\n'), indent...)
	}
}

func (w *jsonWriter) list(o *Object, outer string) {
	w.out = append(w.out, '[')
	n := len(o.values)
	for i := range n {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.line(w.indent)
		name := ""
		if w.replacer != nil {
			name = strconv.Itoa(i)
		}
		if !w.write(name, o.at(i)) {
			w.out = append(w.out, "null"...)
		}
	}
	if n > 0 {
		w.line(outer)
	}
	w.out = append(w.out, ']')
}

func (w *jsonWriter) members(o *Object, outer string) {
	names := w.names
	if names == nil {
		names = o.names()
	}
	straight := w.names == nil && w.replacer == nil && len(names) > 0 && len(names) == len(o.values) && !o.shape.indexes // the names are those of values
	w.out = append(w.out, '{')
	empty := true
	for i, name := range names {
		var v Value
		if straight {
			v = o.values[i]
		} else if v, _ = o.lookUp(name); v.IsUndefined() && w.replacer == nil {
			continue
		}
		before := len(w.out)
		if !empty {
			w.out = append(w.out, ',')
		}
		w.line(w.indent)
		w.out = append(appendQuoted(w.out, name), ':')
		if w.gap != "" {
			w.out = append(w.out, ' ')
		}
		if w.write(name, v) {
			empty = false
		} else {
			w.out = w.out[:before]
		}
	}
	if !empty {
		w.line(outer)
	}
	w.out = append(w.out, '}')
}
