package datamodel

import (
	"math"
	"math/big"
	"slices"
	"time"
)

// Equal reports whether a and b are the same data. The order of keys does not
// matter; NaN equals NaN, and −0 differs from 0; undefined differs from null
// and from a key that is not there; dates are compared as points in time, XML
// as it is written, but for the order of attributes.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && (math.Float64bits(a) == math.Float64bits(b) || a != a && b != b)
	case []Value:
		b, ok := b.([]Value)
		return ok && slices.EqualFunc(a, b, Equal)
	case *Object:
		b, ok := b.(*Object)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for k, v := range a.All() {
			if w, ok := b.Get(k); !ok || !Equal(v, w) {
				return false
			}
		}
		return true
	case *big.Int:
		b, ok := b.(*big.Int)
		return ok && a.Cmp(b) == 0
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b)
	case *Node:
		b, ok := b.(*Node)
		return ok && equalNodes(a, b)
	case nil, bool, int64, string, NullType, Function:
		switch b.(type) {
		case nil, bool, int64, string, NullType, Function:
			return a == b
		}
	}
	return false // also for what is no Value
}

func equalNodes(a, b *Node) bool {
	if a.Type != b.Type || a.Prefix != b.Prefix || a.Local != b.Local || a.Space != b.Space || a.Text != b.Text {
		return false
	}
	if len(a.Attrs) != len(b.Attrs) || !slices.EqualFunc(a.Children, b.Children, equalNodes) {
		return false
	}
	if slices.Equal(a.Attrs, b.Attrs) {
		return true
	}
	attrs := make(map[Attr]bool, len(b.Attrs))
	for _, attr := range b.Attrs {
		attrs[attr] = true
	}
	return !slices.ContainsFunc(a.Attrs, func(attr Attr) bool { return !attrs[attr] })
}
