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
	fixed := false
	x := s.ownProperties(o, func(p *property) bool {
		fixed = fixed || p.key == "length" && !p.has("w")
		return p.key == "length"
	})
	if fixed && !strings.HasSuffix(x.marks, `"$frozen":true`) {
		x.marks += `,"$length":true`
	}
	n := 0 // of the keys that are indexes: these come first
	for n < len(x.keys) && isIndex(x.keys[n], length) {
		n++
	}
	if int64(n) < length/2 {
		s.text(`{"$sparse":`).int(length).end(o, x)
		return
	}
	items := s.arrayItems(o, length, x, n)
	if x.keys = x.keys[n:]; x.values != nil {
		x.values = x.values[n:]
	}
	if len(x.keys) == 0 && x.marks == "" {
		s.items(items, ofArray)
		return
	}
	s.text(`{"$array":`).items(items, ofArray).end(o, x)
}

// arrayItems returns the items of an array, whose indexes are the first n keys of x, with
// nil for those that are not there.
func (s *saver) arrayItems(o *goja.Object, length int64, x *own, n int) []goja.Value {
	values := x.values
	if values == nil {
		if values = s.in.items(o); int64(n) == length {
			return values
		}
	}
	items := make([]goja.Value, length)
	for i, key := range x.keys[:n] {
		at, _ := strconv.Atoi(key)
		if x.values == nil {
			i = at
		}
		items[at] = values[i]
	}
	return items
}

// isIndex reports whether key is the index of an item in an array.
func isIndex(key string, length int64) bool {
	if key == "" || key[0] < '0' || key[0] > '9' {
		return false
	}
	n, err := strconv.ParseInt(key, 10, 64)
	return err == nil && n < length && (key == "0" || key[0] != '0')
}
