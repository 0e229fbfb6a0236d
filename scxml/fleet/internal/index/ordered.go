package index

import (
	"slices"
	"sort"
	"strings"
)

// An ordered has entries in the order of their keys. They are in chunks, none of which is empty, so that to
// add, to remove and to list some costs little, however many there are.
type ordered [][]*Entry

const maxChunk = 512

// find returns the chunk in which a key is or belongs, and its place there. There must be a chunk.
func (o ordered) find(key string) (chunk, at int) {
	chunk = max(0, sort.Search(len(o), func(i int) bool { return o[i][0].key > key })-1)
	at, _ = slices.BinarySearchFunc(o[chunk], key, func(e *Entry, key string) int { return strings.Compare(e.key, key) })
	return chunk, at
}

// add adds an entry that is not there.
func (o *ordered) add(e *Entry) {
	if len(*o) == 0 {
		*o = ordered{{e}}
		return
	}
	i, at := o.find(e.key)
	c := (*o)[i]
	if len(c) == maxChunk {
		half := maxChunk / 2
		if i == len(*o)-1 && at == maxChunk {
			half = maxChunk // entries that come in order fill their chunks
		}
		*o = slices.Insert(*o, i+1, slices.Clone(c[half:]))
		(*o)[i] = slices.Delete(c, half, maxChunk)
		if at >= half {
			i, at = i+1, at-half
		}
		c = (*o)[i]
	}
	(*o)[i] = slices.Insert(c, at, e)
}

// remove removes an entry that is there.
func (o *ordered) remove(e *Entry) {
	i, at := o.find(e.key)
	if (*o)[i] = slices.Delete((*o)[i], at, at+1); len((*o)[i]) == 0 {
		*o = slices.Delete(*o, i, i+1)
	}
}

// list returns at most n keys after one (all if n is 0 or less).
func (o ordered) list(after string, n int) (keys []string) {
	if len(o) == 0 {
		return nil
	}
	i, at := o.find(after)
	if at < len(o[i]) && o[i][at].key == after {
		at++
	}
	for ; i < len(o); i, at = i+1, 0 {
		for _, e := range o[i][at:] {
			if n > 0 && len(keys) == n {
				return keys
			}
			keys = append(keys, e.key)
		}
	}
	return keys
}
