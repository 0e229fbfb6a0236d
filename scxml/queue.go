package scxml

// queue is a first-in first-out queue of events in a ring. The zero queue is
// empty.
type queue struct {
	ring []Event // its length is a power of two, or 0
	head int
	n    int
}

func (q *queue) len() int { return q.n }

func (q *queue) push(ev Event) {
	if q.n == len(q.ring) {
		q.grow()
	}
	q.ring[(q.head+q.n)&(len(q.ring)-1)] = ev
	q.n++
}

func (q *queue) pop() Event {
	slot := &q.ring[q.head]
	ev := *slot
	*slot = Event{} // let go of the data
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
	return ev
}

// at returns the event that i pops come before.
func (q *queue) at(i int) *Event { return &q.ring[(q.head+i)&(len(q.ring)-1)] }

// drop empties the queue and lets its memory go.
func (q *queue) drop() { *q = queue{} }

func (q *queue) grow() {
	ring := make([]Event, max(2, 2*len(q.ring)))
	n := copy(ring, q.ring[q.head:])
	copy(ring[n:], q.ring[:q.head])
	q.ring, q.head = ring, 0
}
