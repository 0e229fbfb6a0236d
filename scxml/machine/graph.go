package machine

import (
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// maxSavedDepth is how deep objects that are saved may be. Package ecmascript writes deeper ones in another way.
const maxSavedDepth = 100

// A graphWriter writes data as package ecmascript saves them: an object that it has written before is a reference.
type graphWriter struct {
	dst   []byte
	seen  map[*js.Object]int
	depth int
}

func (g *graphWriter) value(v js.Value) {
	if v.Type() != js.TypeObject {
		g.dst = appendValue(g.dst, v.Any())
		return
	}
	o := v.Object()
	if n, ok := g.seen[o]; ok {
		g.dst = append(strconv.AppendInt(append(g.dst, `{"$ref":`...), int64(n), 10), '}')
		return
	}
	g.seen[o] = len(g.seen)
	if g.depth++; g.depth > maxSavedDepth {
		throw("it is nested deeper than %d levels, which a compiled chart does not save", maxSavedDepth)
	}
	open, end, holes := "{", "}", 0
	switch o.Form() {
	case "array":
		if length, items := int(js.Len(v)), 0; length > 1 {
			if o.Parts(func(_ string, _ js.Value, hole bool) {
				if !hole {
					items++
				}
			}); items < length/2 {
				g.sparse(o, length, items)
				return
			}
		}
		open, end = "[", "]"
	case "":
		what := "an array with properties besides its items"
		if js.IsError(v) {
			what = "an error"
		} else if js.IsFunction(v) {
			what = "a function"
		}
		throw("it has %s, which a compiled chart does not save", what)
	}
	separator := open
	part := func(write func()) {
		g.dst = append(g.dst, separator...)
		separator = ","
		write()
	}
	fill := func() {
		if n := holes; n > 0 {
			holes = 0
			part(func() { g.dst = append(strconv.AppendInt(append(g.dst, `{"$hole":`...), int64(n), 10), '}') })
		}
	}
	o.Parts(func(name string, v js.Value, hole bool) {
		if hole {
			holes++
			return
		}
		fill()
		part(func() {
			if open == "{" {
				if strings.HasPrefix(name, "$") {
					name = "$" + name
				}
				g.dst = append(appendString(g.dst, name), ':')
			}
			g.value(v)
		})
	})
	fill()
	if separator == open {
		g.dst = append(g.dst, open...)
	}
	g.dst = append(g.dst, end...)
	g.depth--
}

// sparse writes an array with few items.
func (g *graphWriter) sparse(o *js.Object, length, items int) {
	g.dst = strconv.AppendInt(append(g.dst, `{"$sparse":`...), int64(length), 10)
	i, separator := -1, `,"$props":{`
	o.Parts(func(_ string, v js.Value, hole bool) {
		if i++; hole {
			return
		}
		g.dst = append(g.dst, separator...)
		g.dst = append(strconv.AppendInt(append(g.dst, '"'), int64(i), 10), `":`...)
		g.value(v)
		separator = ","
	})
	if items > 0 {
		g.dst = append(g.dst, '}')
	}
	g.dst = append(g.dst, '}')
	g.depth--
}

// A graph has the objects that were read, in the order of the text.
type graph struct{ objects []js.Value }

// value is the inverse of graphWriter.value.
func (g *graph) value(r *reader) js.Value {
	switch r.peek() {
	case '[':
		list := js.Array()
		g.objects = append(g.objects, list)
		r.each("[", "]", func() { g.item(r, list.Object()) })
		return list
	case '{':
		return g.object(r)
	}
	v, _ := js.ValueOf(r.value())
	return v
}

// item reads an item of an array, or holes.
func (g *graph) item(r *reader, list *js.Object) {
	at := r.at
	if r.peek() == '{' {
		n := -1
		whole := r.skip()
		if text, ok := strings.CutPrefix(whole, `{"$hole":`); ok {
			n, _ = strconv.Atoi(strings.TrimSuffix(text, "}"))
			if n < 1 || n > 1<<24 {
				throw("%s is not a number of holes", whole)
			}
		}
		for range n {
			list.Append(js.Hole())
		}
		if n > 0 {
			return
		}
		r.at = at
	}
	list.Append(g.value(r))
}

// object reads an object, a reference, or a value that JSON lacks.
func (g *graph) object(r *reader) js.Value {
	var out js.Value
	o, special := js.Value{}, false
	r.members(func(name string) {
		switch {
		case special && name == "$props" && js.IsArray(out):
			g.items(r, out)
			return
		case special:
			throw("it is a value that a compiled chart cannot hold, with the key %q in the snapshot", name)
		case strings.HasPrefix(name, "$$"):
			name = name[1:]
		case strings.HasPrefix(name, "$"):
			if !o.IsUndefined() {
				throw("it is a value that a compiled chart cannot hold, with the key %q in the snapshot", name)
			}
			special, out = true, g.special(r, name)
			return
		}
		if o.IsUndefined() {
			o = js.NewObject().Value()
			g.objects = append(g.objects, o)
		}
		if !js.Allows(name) {
			throw("it has a property %q, which a compiled chart cannot hold", name)
		}
		js.Set(o, name, g.value(r))
	})
	switch {
	case special:
		return out
	case o.IsUndefined():
		o = js.NewObject().Value()
		g.objects = append(g.objects, o)
	}
	return o
}

// maxSparse is how long an array may be of which most items are missing.
const maxSparse = 10_000_000

// items reads the items of such an array.
func (g *graph) items(r *reader, list js.Value) {
	r.members(func(name string) {
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || float64(i) >= js.Len(list) || strconv.Itoa(i) != name {
			throw("it has a property %q besides its items, which a compiled chart cannot hold", name)
		}
		js.SetAt(list, float64(i), g.value(r))
	})
}

func (g *graph) special(r *reader, key string) js.Value {
	value := r.value()
	v, _ := js.ValueOf(value)
	switch {
	case key == "$ref":
		if n := v.Number(); v.Type() == js.TypeNumber && n >= 0 && int(n) < len(g.objects) && float64(int(n)) == n {
			return g.objects[int(n)]
		}
		throw("there is no object %v for a reference", value)
	case key == "$sparse" && v.Type() == js.TypeNumber && v.Number() >= 0 && v.Number() <= maxSparse && v.Number() == float64(int(v.Number())):
		list := js.Array()
		for range int(v.Number()) {
			list.Object().Append(js.Hole())
		}
		g.objects = append(g.objects, list)
		return list
	case key == "$undefined" && value == true:
		return js.Value{}
	case key == "$number" && v.Type() == js.TypeString:
		for _, name := range special {
			if v.Text() == name {
				return js.Number(js.ParseNumber(name))
			}
		}
	}
	throw("it is a value that a compiled chart cannot hold, with the key %q in the snapshot", key)
	return js.Value{}
}
