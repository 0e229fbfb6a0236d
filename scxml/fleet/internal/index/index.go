// Package index keeps what a store looks up without reading records: the revision of each key, and the
// order in which sessions want to wake.
package index

import (
	"container/heap"
	"math"
	"strings"
	"time"
)

// Never is the Wake of a record that does not wake by itself.
const Never = math.MinInt64

// Nanos returns a time as Unix time in nanoseconds, and Never for the zero time.
func Nanos(t time.Time) int64 {
	if t.IsZero() {
		return Never
	}
	return t.UnixNano()
}

// Time is the inverse of Nanos.
func Time(nanos int64) time.Time {
	if nanos == Never {
		return time.Time{}
	}
	return time.Unix(0, nanos).UTC()
}

// An Entry says about a record what can be asked without reading it.
type Entry struct {
	Revision uint64
	Accepted uint64
	Wake     int64 // of Nanos
	Pending  bool

	// For stores that need them: the number of the record's log entries, and its checksum.
	Logs int
	Sum  uint32

	key string
	pos int // in Index.due; -1 is none
}

// Key is the key of an entry that is in an index.
func (e *Entry) Key() string { return e.key }

// An Index has an Entry for each key. The zero value is empty. It is not safe for concurrent use.
type Index struct {
	entries      map[string]*Entry
	due          queue
	all, pending Ordered[*Entry]
}

// Len returns the number of keys.
func (x *Index) Len() int { return len(x.entries) }

// Get returns the entry of a key, and whether there is one.
func (x *Index) Get(key string) (Entry, bool) {
	if e := x.entries[key]; e != nil {
		return *e, true
	}
	return Entry{}, false
}

// Put sets the entry of a key.
func (x *Index) Put(key string, e Entry) {
	if x.entries == nil {
		x.entries = map[string]*Entry{}
	}
	old := x.entries[key]
	if old == nil {
		key = strings.Clone(key)
		old = &Entry{key: key, pos: -1}
		x.entries[key] = old
		x.all.Add(old)
	}
	switch {
	case e.Pending && !old.Pending:
		x.pending.Add(old)
	case !e.Pending && old.Pending:
		x.pending.Remove(old)
	}
	e.key, e.pos = old.key, old.pos
	*old = e
	switch {
	case e.pos < 0 && e.Wake != Never:
		heap.Push(&x.due, old)
	case e.pos >= 0 && e.Wake != Never:
		heap.Fix(&x.due, e.pos)
	case e.pos >= 0:
		heap.Remove(&x.due, e.pos)
	}
}

// Delete removes a key.
func (x *Index) Delete(key string) {
	e := x.entries[key]
	if e == nil {
		return
	}
	if e.pos >= 0 {
		heap.Remove(&x.due, e.pos)
	}
	if e.Pending {
		x.pending.Remove(e)
	}
	x.all.Remove(e)
	delete(x.entries, key)
}

// Due returns the first n keys, by Wake and key, whose Wake is not after now (all if n is 0 or less), and
// the Wake of the first that it does not return, or Never.
func (x *Index) Due(now int64, n int) (keys []string, next int64) {
	// The due entries are the top of the heap x.due. Its nodes whose parent was taken are the front,
	// of which the least is the next in order.
	front := front{due: x.due}
	if len(x.due) > 0 {
		front.nodes = append(front.nodes, 0)
	}
	for len(front.nodes) > 0 {
		node := heap.Pop(&front).(int)
		e := x.due[node]
		if e.Wake > now || n > 0 && len(keys) == n {
			return keys, e.Wake
		}
		keys = append(keys, e.key)
		for child := 2*node + 1; child <= 2*node+2 && child < len(x.due); child++ {
			heap.Push(&front, child)
		}
	}
	return keys, Never
}

// Keys returns at most n keys after one, in ascending order (all if n is 0 or less).
func (x *Index) Keys(after string, n int) []string { return keys(x.all.List(after, n)) }

// Pending returns at most n keys after one, in ascending order, of entries that are Pending (all if n is 0
// or less).
func (x *Index) Pending(after string, n int) []string { return keys(x.pending.List(after, n)) }

func keys(entries []*Entry) []string {
	if len(entries) == 0 {
		return nil
	}
	all := make([]string, len(entries))
	for i, e := range entries {
		all[i] = e.key
	}
	return all
}

func less(a, b *Entry) bool {
	return a.Wake < b.Wake || a.Wake == b.Wake && a.key < b.key
}

// A queue is a heap of entries that knows their positions.
type queue []*Entry

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return less(q[i], q[j]) }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i]; q[i].pos, q[j].pos = i, j }

func (q *queue) Push(e any) {
	e.(*Entry).pos = len(*q)
	*q = append(*q, e.(*Entry))
}

func (q *queue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	e.pos = -1
	return e
}

// A front is a heap of nodes of a queue.
type front struct {
	due   queue
	nodes []int
}

func (f *front) Len() int           { return len(f.nodes) }
func (f *front) Less(i, j int) bool { return less(f.due[f.nodes[i]], f.due[f.nodes[j]]) }
func (f *front) Swap(i, j int)      { f.nodes[i], f.nodes[j] = f.nodes[j], f.nodes[i] }
func (f *front) Push(n any)         { f.nodes = append(f.nodes, n.(int)) }

func (f *front) Pop() any {
	last := len(f.nodes) - 1
	n := f.nodes[last]
	f.nodes = f.nodes[:last]
	return n
}
