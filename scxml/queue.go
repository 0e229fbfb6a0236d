package scxml

// queue is a first-in first-out ring of events. The zero queue is empty.
type queue struct {
	ring []Event // its length is a power of two, or 0
	head uint32
	n    uint32
}

func (q *queue) len() int { return int(q.n) }

// add appends an empty event and returns it to be filled in.
func (q *queue) add() *Event {
	if q.len() == len(q.ring) {
		q.grow()
	}
	i := q.head + q.n
	q.n++
	return &q.ring[i&uint32(len(q.ring)-1)]
}

// insert adds an empty event before the last n ones and returns it.
func (q *queue) insert(n int) *Event {
	q.add()
	i := q.len() - 1
	for ; n > 0; n-- {
		*q.at(i) = *q.at(i - 1)
		i--
	}
	return q.at(i)
}

// take moves the first event to ev.
func (q *queue) take(ev *Event) {
	slot := &q.ring[q.head]
	*ev = *slot
	*slot = Event{} // release the data
	q.head = (q.head + 1) & uint32(len(q.ring)-1)
	q.n--
}

// at returns the event after the first i.
func (q *queue) at(i int) *Event { return &q.ring[(int(q.head)+i)&(len(q.ring)-1)] }

// clear empties the queue.
func (q *queue) clear() {
	for q.len() > 0 {
		q.n--
		*q.at(q.len()) = Event{} // release the data
	}
}

// drop empties the queue and releases its memory.
func (q *queue) drop() { *q = queue{} }

func (q *queue) grow() {
	ring := make([]Event, max(1, 2*len(q.ring)))
	n := copy(ring, q.ring[q.head:])
	copy(ring[n:], q.ring[:q.head])
	q.ring, q.head = ring, 0
}
