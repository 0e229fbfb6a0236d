package graph

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// Patch makes want the data of w, which are have and have no names of the library. Both are what Save
// writes for a tame chart. Only what differs is read. Patch returns false if that takes a new runtime;
// then w must not be used.
func Patch(w *World, have, want string, chart *Chart) (ok bool) {
	if have == want {
		return true
	}
	in := inspectors.Get().(*inspector)
	defer inspectors.Put(in)
	defer func() {
		if x := recover(); x != nil {
			if _, isText := x.(*jsontext.Error); !isText && !native.Thrown(x) {
				panic(x)
			}
			ok = false
		}
	}()
	l := &loader{Reader: jsontext.Reader{Text: want}, World: w, in: in, chart: chart, target: -1, holes: len(want)}
	old := newOutline(have, nil)
	return l.patch(old, newOutline(want, old))
}

// Tame reports whether the library, its names and the attributes of properties stay as they are, as
// far as the text of the chart tells.
func (c *Chart) Tame() bool { return !c.odd && !c.library && !c.symbols && len(c.shadows) == 0 }

// An outline is the places of the variables in saved data.
type outline struct {
	jsontext.Reader
	data, vars []place
	loose      bool   // parts may refer to each other
	others     string // what else there is, such as variables of let and const
}

// A place is that of a part in saved data.
type place struct {
	key             string
	begin, from, to int // of the key, or the part if it has none; of the part
}

func (o *outline) text(p place) string { return o.Text[p.from:p.to] }

// newOutline throws an error if parts of the data refer to each other. Where they are the same as the
// old data, which may be nil, they are not looked at again.
func newOutline(text string, old *outline) *outline {
	o := &outline{Reader: jsontext.Reader{Text: text}}
	if old == nil {
		old = &outline{}
	}
	o.must(`{"format":1`)
	if o.Word(`,"data":`) {
		o.data = o.places(old, old.data)
	}
	if o.Word(`,"var":`) {
		o.vars = o.places(old, old.vars)
	}
	o.others = text[o.At:]
	if o.others != "}" {
		if !o.Word(`,"let":`) && !o.Word(`,"const":`) && !o.Word(`,"dead":`) {
			o.Unexpected("")
		}
		o.skip()
	}
	return o
}

func (o *outline) must(word string) {
	if !o.Word(word) {
		o.Unexpected("")
	}
}

// places returns the places of the properties of an object or the items of an array. The old data have
// similar ones.
func (o *outline) places(old *outline, similar []place) []place {
	list := make([]place, 0, max(len(similar)+1, 8))
	open := o.Peek()
	o.Each(open, open+2, func() { // the closing bracket
		var p place
		if n := len(list); n < len(similar) {
			p = similar[n]
			whole := old.Text[p.begin:p.to]
			if end := o.At + len(whole); end < len(o.Text) && o.Text[o.At:end] == whole && (o.Text[end] == ',' || o.Text[end] == open+2) {
				p.begin, p.from, p.to = o.At, end-(p.to-p.from), end
				o.At = end
				list = append(list, p)
				return
			}
		}
		p = place{begin: o.At}
		if open == '{' {
			var wide []uint16
			if o.Peek() != '"' {
				o.Unexpected("")
			}
			if p.key, wide = o.String(); wide != nil {
				o.Unexpected("")
			}
			o.Expect(':')
		}
		p.from = o.At
		o.skip()
		p.to = o.At
		list = append(list, p)
	})
	return list
}

// Difference returns the name of the first variable that is not the same in two texts of Save.
func Difference(before, after []byte) string {
	parts := func(data []byte) (names []string, texts map[string]string) {
		o := &outline{Reader: jsontext.Reader{Text: string(data)}, loose: true}
		texts = map[string]string{}
		o.Each('{', '}', func() {
			section, _ := o.String()
			o.Expect(':')
			if o.Peek() != '{' || section == "event" {
				from := o.At
				o.skip()
				names, texts["_event.data"] = append(names, "_event.data"), texts["_event.data"]+o.Text[from:o.At]
				return
			}
			for _, p := range o.places(o, nil) {
				names = append(names, p.key)
				texts[p.key] += o.text(p)
			}
		})
		return names, texts
	}
	_, old := parts(before)
	names, now := parts(after)
	for _, name := range slices.Concat(names, slices.Sorted(maps.Keys(old))) {
		if old[name] != now[name] {
			return name
		}
	}
	return ""
}

// skip reads a value, without references unless it is loose.
func (o *outline) skip() {
	for depth := 0; o.At < len(o.Text); o.At++ {
		switch o.Text[o.At] {
		case '"':
			o.skipString()
		case '{':
			if !o.loose && refers(o.Text[o.At:]) {
				o.Fail("a reference")
			}
			depth++
		case '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return
			}
		case ',':
			if depth == 0 {
				return
			}
		}
	}
}

func (o *outline) skipString() {
	for o.At++; o.At < len(o.Text) && o.Text[o.At] != '"'; o.At++ {
		if o.Text[o.At] == '\\' {
			o.At++
		}
	}
	if o.At >= len(o.Text) {
		o.Fail("string without end")
	}
}

// refers reports whether a text begins with a reference, or something else that depends on where it is.
func refers(text string) bool {
	for _, begin := range [...]string{`{"$ref":`, `{"$more":`, `{"$node":`, `{"$event":`, `{"$hole":`} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// patch makes the variables those of next.
func (l *loader) patch(old, next *outline) bool {
	// What has been declared stays declared.
	if old.others != next.others || len(old.vars) > len(next.vars) || common(old.vars, next.vars) < len(old.vars) {
		return false
	}
	global := l.VM.GlobalObject()
	same := common(old.data, next.data)
	for _, p := range old.data[same:] {
		native.Must(global.Delete(p.key))
	}
	for _, list := range [...][]place{next.data[same:], next.vars[len(old.vars):]} {
		if slices.ContainsFunc(list, func(p place) bool { return native.Builtins()[p.key] }) {
			return false
		}
	}
	if same < max(len(old.data), len(next.data)) || len(old.vars) < len(next.vars) {
		*l.Items = fast.Items{}
		for _, list := range [...][]place{next.data, next.vars} {
			for _, p := range list {
				l.Items.Add(p.key)
			}
		}
	}
	l.patchVariables(old, old.data[:same], next.data, goja.FLAG_TRUE)
	l.patchVariables(old, old.vars, next.vars, goja.FLAG_FALSE)
	for _, p := range next.vars[len(old.vars):] {
		l.hasRun(p.key)
	}
	for _, x := range l.classes {
		l.extend(x)
	}
	return true
}

// common returns how many keys are the same in both lists.
func common(a, b []place) (n int) {
	for n < min(len(a), len(b)) && a[n].key == b[n].key {
		n++
	}
	return n
}

func (l *loader) patchVariables(old *outline, have, want []place, configurable goja.Flag) {
	global := l.VM.GlobalObject()
	for i, p := range want {
		if i < len(have) && (old.text(have[i]) == l.Text[p.from:p.to] || l.patchValue(global.Get(p.key), old, have[i], p)) {
			continue
		}
		native.Must(global.DefineDataProperty(p.key, l.valueAt(p), goja.FLAG_TRUE, configurable, goja.FLAG_TRUE))
	}
}

func (l *loader) valueAt(p place) goja.Value {
	l.At = p.from
	return l.value()
}

// patchValue makes v, which the old data have at a place, the value at another place of the new data,
// if both are objects with the same keys, or arrays.
func (l *loader) patchValue(v goja.Value, old *outline, have, want place) bool {
	o, ok := v.(*goja.Object)
	open := l.Text[want.from]
	if !ok || old.Text[have.from] != open || open != '[' && open != '{' {
		return false
	}
	old.At, l.At = have.from, want.from
	if open == '{' && (l.isSpecial() || (&loader{Reader: old.Reader}).isSpecial()) {
		return false
	}
	next := &outline{Reader: l.Reader}
	before := old.places(nil, nil)
	after := next.places(old, before)
	same := common(before, after)
	if open == '{' && same < max(len(before), len(after)) {
		return false
	}
	for i, p := range after[:same] {
		if open == '[' {
			p.key = strconv.Itoa(i)
		}
		p.key = strings.TrimPrefix(p.key, "$")
		if old.text(before[i]) != next.text(p) && !l.patchValue(o.Get(p.key), old, before[i], p) {
			native.Must(o.DefineDataProperty(p.key, l.valueAt(p), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)) // whatever it is
		}
	}
	if len(before) > same {
		native.Must(o.Set("length", same))
	}
	for i, p := range after[same:] {
		l.SetProperty(o, strconv.Itoa(same+i), l.valueAt(p))
	}
	return true
}
