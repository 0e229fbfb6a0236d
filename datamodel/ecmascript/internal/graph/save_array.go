package graph

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// array writes an array.
func (s *saver) array(o *goja.Object) error {
	if o.Prototype() != s.arrayProto {
		if s.library(o) { // Array.prototype is an array
			return nil
		}
		return s.instance(o)
	}
	s.number(o)
	length := o.Get("length").ToInteger()
	if !s.usual(o) {
		return s.oddArray(o, length)
	}
	if s.chart.symbols && len(o.Symbols()) > 0 {
		return s.refuse("a property whose key is a symbol")
	}
	from := len(s.in.names)
	s.in.names = s.in.appendKeys(s.in.names, o)
	keys := s.in.names[from:]
	items := 0 // how many keys are indexes; these come first
	for items < len(keys) && isIndex(keys[items], length) {
		items++
	}
	extra := keys[items:]
	if int64(items) < length/2 {
		return s.sparse(o, length, keys, nil, "")
	}
	list := s.in.items(o)
	if int64(items) < length {
		list = s.holes(list, keys[:items])
	}
	if len(extra) == 0 {
		return s.list(o, ofArray, "[", list, "]")
	}
	s.buf = append(s.buf, `{"$array":[`...)
	s.push(frame{object: o, notion: ofArray, items: nonNil(list), keys: extra, close: "}}"})
	return nil
}

// list writes an array of items.
func (s *saver) list(o *goja.Object, n notion, open string, items []goja.Value, close string) error {
	s.buf = append(s.buf, open...)
	s.push(frame{object: o, notion: n, items: nonNil(items), close: close})
	return nil
}

func nonNil(items []goja.Value) []goja.Value {
	if items == nil {
		return []goja.Value{}
	}
	return items
}

// holes returns items with nil for those that are not there.
func (s *saver) holes(items []goja.Value, keys []string) []goja.Value {
	out := make([]goja.Value, len(items))
	for _, key := range keys {
		i, _ := strconv.Atoi(key)
		out[i] = items[i]
	}
	return out
}

// sparse writes an array with few items as an object.
func (s *saver) sparse(o *goja.Object, length int64, keys []string, values []goja.Value, marks string) error {
	s.buf = append(s.buf, `{"$sparse":`...)
	s.buf = strconv.AppendInt(s.buf, length, 10)
	s.props(o, keys, values, marks)
	return nil
}

// oddArray writes an array whose properties may have any attributes.
func (s *saver) oddArray(o *goja.Object, length int64) error {
	fixedLength := false
	keys, values, marks, err := s.ownProperties(o, func(p *property) bool {
		if p.key == "length" {
			fixedLength = !strings.Contains(p.flags, "w")
			return true
		}
		return false
	})
	if err != nil {
		return err
	}
	if fixedLength && !strings.HasSuffix(marks, `"$frozen":true`) {
		marks += `,"$length":true`
	}
	items := 0
	for items < len(keys) && isIndex(keys[items], length) {
		items++
	}
	if int64(items) < length/2 {
		return s.sparse(o, length, keys, values, marks)
	}
	list := make([]goja.Value, length)
	for i, key := range keys[:items] {
		at, _ := strconv.Atoi(key)
		list[at] = values[i]
	}
	switch {
	case len(keys) == items && marks == "":
		return s.list(o, ofArray, "[", list, "]")
	case len(keys) == items:
		return s.list(o, ofArray, `{"$array":[`, list, marks+"}")
	}
	s.buf = append(s.buf, `{"$array":[`...)
	s.push(frame{object: o, notion: ofArray, items: list, keys: keys[items:], values: values[items:], close: "}" + marks + "}"})
	return nil
}

// isIndex reports whether key is the index of an item in an array.
func isIndex(key string, length int64) bool {
	if key == "" || key[0] < '0' || key[0] > '9' {
		return false
	}
	n, err := strconv.ParseInt(key, 10, 64)
	return err == nil && n < length && (key == "0" || key[0] != '0')
}
