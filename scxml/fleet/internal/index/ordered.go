package index

import (
	"slices"
	"sort"
	"strings"
)

// An Ordered has items in the order of their keys. They are in chunks, none of which is empty, so that to
// add, to remove and to list some costs little, however many there are. It is not safe for concurrent use.
type Ordered[T interface{ Key() string }] struct{ chunks [][]T }

const maxChunk = 512

// find returns the chunk in which a key is or belongs, and its place there. There must be a chunk.
func (o *Ordered[T]) find(key string) (chunk, at int) {
	chunk = max(0, sort.Search(len(o.chunks), func(i int) bool { return o.chunks[i][0].Key() > key })-1)
	at, _ = slices.BinarySearchFunc(o.chunks[chunk], key, func(e T, key string) int { return strings.Compare(e.Key(), key) })
	return chunk, at
}

// Add adds an item that is not there.
func (o *Ordered[T]) Add(e T) {
	if len(o.chunks) == 0 {
		o.chunks = [][]T{{e}}
		return
	}
	i, at := o.find(e.Key())
	c := o.chunks[i]
	if len(c) == maxChunk {
		half := maxChunk / 2
		if i == len(o.chunks)-1 && at == maxChunk {
			half = maxChunk // items that come in order fill their chunks
		}
		o.chunks = slices.Insert(o.chunks, i+1, slices.Clone(c[half:]))
		o.chunks[i] = slices.Delete(c, half, maxChunk)
		if at >= half {
			i, at = i+1, at-half
		}
		c = o.chunks[i]
	}
	o.chunks[i] = slices.Insert(c, at, e)
}

// Remove removes an item that is there.
func (o *Ordered[T]) Remove(e T) {
	i, at := o.find(e.Key())
	if o.chunks[i] = slices.Delete(o.chunks[i], at, at+1); len(o.chunks[i]) == 0 {
		o.chunks = slices.Delete(o.chunks, i, i+1)
	}
}

// List returns at most n items after a key (all if n is 0 or less).
func (o *Ordered[T]) List(after string, n int) (items []T) {
	if len(o.chunks) == 0 {
		return nil
	}
	i, at := o.find(after)
	if at < len(o.chunks[i]) && o.chunks[i][at].Key() == after {
		at++
	}
	for ; i < len(o.chunks); i, at = i+1, 0 {
		part := o.chunks[i][at:]
		if n > 0 && len(part) >= n-len(items) {
			return append(items, part[:n-len(items)]...)
		}
		items = append(items, part...)
	}
	return items
}
