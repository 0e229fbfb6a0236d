package datamodel

import (
	"math/big"
)

// Size returns about how many bytes v takes, and how deeply it is nested: a
// number counts 8, a text its length, an element of an array, object or piece of XML 8 more,
// and a value without parts has depth 0. It stops counting when it finds more
// than maxSize bytes or a depth beyond maxDepth.
func Size(v Value, maxSize, maxDepth int) (size, depth int) {
	c := counter{maxSize: maxSize, maxDepth: maxDepth}
	c.count(v, 0)
	return c.size, c.depth
}

type counter struct{ size, depth, maxSize, maxDepth int }

func (c *counter) count(v Value, depth int) {
	c.depth = max(c.depth, depth)
	if c.full() {
		return
	}
	c.size += 8
	switch v := v.(type) {
	case string:
		c.size += len(v)
	case Function:
		c.size += len(v)
	case *big.Int:
		c.size += v.BitLen() / 8
	case []Value:
		c.depth = max(c.depth, min(depth+1, depth+len(v)))
		for _, item := range v {
			if c.full() {
				return
			}
			switch item.(type) {
			case int64, float64, bool: // most of what there is; without a call
				c.size += 8
			default:
				c.count(item, depth+1)
			}
		}
	case *Object:
		for i, key := range v.keys {
			if c.full() {
				return
			}
			c.size += len(key)
			c.count(v.vals[i], depth+1)
		}
	case *Node:
		c.size += len(v.Local) + len(v.Text)
		for _, a := range v.Attrs {
			c.size += 8 + len(a.Local) + len(a.Value)
		}
		for _, child := range v.Children {
			if c.full() {
				return
			}
			c.count(child, depth+1)
		}
	}
}

func (c *counter) full() bool { return c.size > c.maxSize || c.depth > c.maxDepth }
