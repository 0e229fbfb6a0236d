package graph

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// array writes an array.
func (s *saver) array(o *goja.Object) {
	if o.Prototype() != s.arrayProto {
		if !s.library(o) { // Array.prototype is an array
			s.instance(o)
		}
		return
	}
	s.number(o)
	length := o.Get("length").ToInteger()
	if !s.usual(o) {
		s.oddArray(o, length)
		return
	}
	if s.chart.symbols && len(o.Symbols()) > 0 {
		s.refuse("a property whose key is a symbol")
	}
	from := len(s.in.names)
	s.in.names = s.in.appendKeys(s.in.names, o)
	x := own{keys: s.in.names[from:]}
	n := countItems(x.keys, length)
	if int64(n) < length/2 {
		s.sparse(o, length, &x)
		return
	}
	list := s.in.items(o)
	if int64(n) < length {
		list = s.holes(list, x.keys[:n])
	}
	x.keys = x.keys[n:]
	s.list(o, list, &x)
}

// list writes an array of items, with what it has besides.
func (s *saver) list(o *goja.Object, items []goja.Value, x *own) {
	if len(x.keys) == 0 && x.marks == "" {
		s.items(items, ofArray)
		return
	}
	s.text(`{"$array":`).items(items, ofArray)
	s.end(o, x)
}

// countItems returns how many keys are indexes; these come first.
func countItems(keys []string, length int64) (n int) {
	for n < len(keys) && isIndex(keys[n], length) {
		n++
	}
	return n
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
func (s *saver) sparse(o *goja.Object, length int64, x *own) {
	s.text(`{"$sparse":`).int(length).end(o, x)
}

// oddArray writes an array whose properties may have any attributes.
func (s *saver) oddArray(o *goja.Object, length int64) {
	fixedLength := false
	x := s.ownProperties(o, func(p *property) bool {
		if p.key == "length" {
			fixedLength = !strings.Contains(p.flags, "w")
			return true
		}
		return false
	})
	if fixedLength && !strings.HasSuffix(x.marks, `"$frozen":true`) {
		x.marks += `,"$length":true`
	}
	n := countItems(x.keys, length)
	if int64(n) < length/2 {
		s.sparse(o, length, &x)
		return
	}
	items := make([]goja.Value, length)
	for i, key := range x.keys[:n] {
		at, _ := strconv.Atoi(key)
		items[at] = x.values[i]
	}
	x.keys, x.values = x.keys[n:], x.values[n:]
	s.list(o, items, &x)
}

// isIndex reports whether key is the index of an item in an array.
func isIndex(key string, length int64) bool {
	if key == "" || key[0] < '0' || key[0] > '9' {
		return false
	}
	n, err := strconv.ParseInt(key, 10, 64)
	return err == nil && n < length && (key == "0" || key[0] != '0')
}
