// Package zone computes with the times until delayed events are due, for searches that try all times at which events can
// come.
package zone

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"time"
)

// A Zone is a set of times that remain until the delayed events of a session are due: all those with
// x[i] - x[j] within a bound for each i and j. x[0] is 0, and x[1], x[2], … belong to the delayed
// events in the order in which they were sent. The bounds are as tight as they can be, so that equal
// zones have equal bounds, and no zone is empty.
//
// A zone with a watch has one more time, the last one. It was 0 when the watch was started and
// decreases with the others, so the time that has passed is -x.
//
// For zones see D. L. Dill, "Timing assumptions and verification of finite-state concurrent systems"
// (1989). There clocks run forward from 0; here they run backward from the delay, so that all bounds are
// at most the greatest delay, and the zones of a chart are finitely many.
type Zone struct {
	size   int     // of x
	bounds []Bound // of x[i] - x[j] at i*size + j
	watch  bool
}

// A Bound is twice an integer of nanoseconds, plus one if the difference may be equal to it.
type Bound int64

const (
	Unbounded Bound = math.MaxInt64
	AtMost0   Bound = 1
	below0    Bound = 0
)

// Duration returns the integer of a bound.
func (b Bound) Duration() time.Duration { return time.Duration(b >> 1) }

// plus returns the bound of a sum.
func (b Bound) plus(c Bound) Bound {
	if b == Unbounded || c == Unbounded {
		return Unbounded
	}
	return b + c - (b|c)&1
}

// Start returns the zone without delayed events, with a watch that starts now if watch is set.
func Start(watch bool) Zone {
	if !watch {
		return Zone{size: 1, bounds: []Bound{AtMost0}}
	}
	return Zone{size: 2, bounds: []Bound{AtMost0, AtMost0, AtMost0, AtMost0}, watch: true}
}

// Events returns how many delayed events there are.
func (z *Zone) Events() int {
	if z.watch {
		return z.size - 2
	}
	return z.size - 1
}

// at returns the bound of x[i] - x[j].
func (z *Zone) at(i, j int) *Bound { return &z.bounds[i*z.size+j] }

// Bounds returns the bounds of the differences between all times, row by row. They may be changed.
func (z *Zone) Bounds() []Bound { return z.bounds }

// Reset makes the zone one of so many events, whose bounds must be set, and takes its watch away.
func (z *Zone) Reset(events int) {
	z.size, z.watch = events+1, false
	z.bounds = slices.Grow(z.bounds[:0], z.size*z.size)[:z.size*z.size]
}

// Wait adds the times after any wait during which nothing falls due.
func (z *Zone) Wait() {
	events := z.Events()
	for j := 1; j < z.size; j++ {
		least := Unbounded
		for i := 1; i <= events; i++ {
			least = min(least, *z.at(i, j)) // x[i] >= 0
		}
		*z.at(0, j) = least
	}
}

// Moment makes at the times when the given events, in ascending order, are due and no others. It reports false if there
// are none. No events are due some time after any wait.
//
// What it adds are bounds of single times, so a path that makes a bound tighter has one of them.
func (z *Zone) Moment(due []int, at *Zone) bool {
	var own [32]Bound
	both := own[:]
	if 2*z.size > len(own) {
		both = make([]Bound, 2*z.size)
	}
	most, least := both[:z.size], both[z.size:2*z.size] // of x[p], and of -x[q]
	for p := range z.size {
		most[p], least[p] = *z.at(p, 0), *z.at(0, p)
	}
	for i := range z.Events() {
		if len(due) > 0 && due[0] == i {
			due = due[1:]
			for p := range z.size {
				most[p] = min(most[p], *z.at(p, i+1)) // x[i+1] <= 0
			}
		} else {
			for q := range z.size {
				least[q] = min(least[q], below0.plus(*z.at(i+1, q))) // x[i+1] > 0
			}
		}
	}
	for p := range z.size {
		if most[p].plus(least[p]) < AtMost0 {
			return false
		}
	}
	at.Reset(z.size - 1)
	at.watch = z.watch
	for p := range z.size {
		for q := range z.size {
			*at.at(p, q) = min(*z.at(p, q), most[p].plus(least[q]))
		}
	}
	return true
}

// Due calls f with each set of events that may be the next to be due, all at the same time, until f
// returns false. The order is fixed. A set is possible if each two events agree: the bounds are tight.
func (z *Zone) Due(f func(events []int) bool) {
	var choose func(i int, chosen, others []int) bool
	choose = func(i int, chosen, others []int) bool {
		if i == z.Events() {
			return len(chosen) == 0 || f(chosen)
		}
		before := func(other int) bool { return *z.at(other+1, i+1) <= AtMost0 }
		if *z.at(0, i+1) >= AtMost0 && !slices.ContainsFunc(others, before) && !choose(i+1, append(chosen, i), others) {
			return false
		}
		with := func(other int) bool { return *z.at(i+1, other+1) <= AtMost0 }
		return *z.at(i+1, 0) <= AtMost0 || slices.ContainsFunc(chosen, with) || choose(i+1, chosen, append(others, i))
	}
	choose(0, nil, nil)
}

// Next makes n the zone of those events that are left and of new ones. An item of events is the number of one that is
// left, or -1-d for a new one with the delay d.
func (z *Zone) Next(events []time.Duration, n *Zone) {
	watch := 0
	if z.watch {
		watch = 1
	}
	n.Reset(len(events) + watch)
	n.watch = z.watch
	// x[i] is the old time from[i], plus the delay plus[i].
	var ownFrom [32]int
	var ownPlus [32]time.Duration
	from, plus := ownFrom[:], ownPlus[:]
	if n.size > len(from) {
		from, plus = make([]int, n.size), make([]time.Duration, n.size)
	}
	for i, e := range events {
		if e >= 0 {
			from[i+1] = int(e) + 1
		} else {
			plus[i+1] = -1 - e
		}
	}
	if z.watch {
		from[n.size-1] = z.size - 1
	}
	for i := range n.size {
		for j := range n.size {
			b := *z.at(from[i], from[j])
			if b != Unbounded {
				b += 2 * Bound(plus[i]-plus[j])
			}
			*n.at(i, j) = b
		}
	}
}

// Order returns an order of the events that depends less on the order in which they were sent: first by
// session, and then events that never fall due at the same time by when they do.
func (z *Zone) Order(session func(event int) int) []time.Duration {
	order := make([]time.Duration, z.Events())
	before := func(i, j int) bool {
		if a, b := session(i), session(j); a != b {
			return a < b
		}
		return *z.at(i+1, j+1) < AtMost0
	}
	for i := range order {
		order[i] = time.Duration(i)
		for j := i; j > 0 && before(int(order[j]), int(order[j-1])); j-- {
			order[j-1], order[j] = order[j], order[j-1]
		}
	}
	return order
}

// Keep drops the bounds on one side of the watch: those of how early it was started if late is set, and
// otherwise those of how late. It returns the bounds that are left, the one of the watch itself first: of the
// greatest time that has passed, or of the negative of the least.
func (z *Zone) Keep(late bool) []Bound {
	watch := z.size - 1
	left := make([]Bound, watch)
	for j := range watch {
		if late {
			left[j], *z.at(watch, j) = *z.at(j, watch), Unbounded
		} else {
			left[j], *z.at(j, watch) = *z.at(watch, j), Unbounded
		}
	}
	return left
}

// Watched reports whether the zone has a watch.
func (z *Zone) Watched() bool { return z.watch }

// Earliest returns the bound of the negative of the time that has passed since the watch was started.
func (z *Zone) Earliest() Bound { return *z.at(z.size-1, 0) }

// Latest returns the bound of the time that has passed since the watch was started, if there is one.
func (z *Zone) Latest() Bound {
	if !z.watch {
		return Unbounded
	}
	return *z.at(0, z.size-1)
}

// WithoutWatch returns the zone without its watch.
func (z *Zone) WithoutWatch() Zone {
	n := Zone{size: z.size - 1}
	for i := range n.size {
		n.bounds = append(n.bounds, z.bounds[i*z.size:][:n.size]...)
	}
	return n
}

// Forget makes the zone that of all times.
func (z *Zone) Forget() {
	for i := range z.bounds {
		z.bounds[i] = Unbounded
	}
	for i := range z.size {
		*z.at(i, i) = AtMost0
		*z.at(0, i) = AtMost0
	}
}

// Append appends the zone to dst.
func (z *Zone) Append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(z.size))
	if z.size == 1 { // which most are
		return dst
	}
	for _, b := range z.bounds {
		dst = binary.AppendVarint(dst, int64(b))
	}
	return dst
}

// Read reads a zone that [Zone.Append] has written, and returns what follows.
func (z *Zone) Read(data []byte) ([]byte, error) {
	size, n := binary.Uvarint(data)
	if n <= 0 || size == 0 || size > uint64(len(data)) || size > 1 && size*size > uint64(len(data)) {
		return nil, ErrDamaged
	}
	data = data[n:]
	z.size = int(size)
	z.bounds = slices.Grow(z.bounds[:0], z.size*z.size)[:z.size*z.size]
	if z.size == 1 {
		z.bounds[0] = AtMost0
		return data, nil
	}
	for i := range z.bounds {
		b, n := binary.Varint(data)
		if n <= 0 {
			return nil, ErrDamaged
		}
		z.bounds[i], data = Bound(b), data[n:]
	}
	return data, nil
}

// ErrDamaged is the error for times that [Zone.Append] has not written.
var ErrDamaged = errors.New("the times of a state are damaged")
