package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/internal/zone"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

const (
	maxPending = 64   // delayed events that may be pending in a state
	maxWaits   = 4096 // sets of them that may be due next
)

// schedules number what can be pending in a state, and the inputs that are waits. The workers share them.
type schedules struct {
	mu     sync.RWMutex
	number map[string]uint32
	all    []string // by number: the delayed events and the bounds of their zone, by their numbers; 0 is without events

	message  map[string]uint32
	messages []*machine.Message
	bound    map[zone.Bound]uint32
	bounds   []zone.Bound
	wait     map[string]uint32
	waits    [][]int // the events of a schedule that are due at the same time
}

func newSchedules() *schedules {
	return &schedules{
		number: map[string]uint32{"": 0}, all: []string{""},
		message: map[string]uint32{}, bound: map[zone.Bound]uint32{}, wait: map[string]uint32{},
	}
}

// of returns the delayed events of the machine of a worker.
func (a *schedules) of(node machine.Node, any bool) *delays {
	return &delays{schedules: a, node: node, any: any, zone: zone.Start(false), at: zone.Start(false), bound: map[zone.Bound]uint32{}, wait: map[string]uint32{}}
}

// numbered returns the number of what has a key, after all that has numbers already if it is new.
func numbered[K comparable, V any](mu *sync.RWMutex, numbers map[K]uint32, all *[]V, key K, v func() V) uint32 {
	mu.Lock()
	defer mu.Unlock()
	n, ok := numbers[key]
	if !ok {
		n = uint32(len(*all))
		*all = append(*all, v())
		numbers[key] = n
	}
	return n
}

// nameWaits gives the result the waits that it has.
func (s *search) nameWaits() {
	number := map[int]int{}
	paths := [][]int{s.result.Last}
	for _, f := range s.result.Findings {
		paths = append(paths, f.Path)
	}
	for _, path := range paths {
		for i, n := range path {
			wait := n - len(s.task.Inputs)
			if wait < 0 {
				continue
			}
			if _, known := number[wait]; !known {
				number[wait] = len(s.result.Waits)
				s.result.Waits = append(s.result.Waits, s.delayed.waits[wait])
			}
			path[i] = len(s.task.Inputs) + number[wait]
		}
	}
}

// delays are the delayed events of the machine of a worker. The machine's time stands still, as that of a session in
// package explore: what is due next is made due at once, and all others later.
type delays struct {
	*schedules
	node machine.Node
	any  bool // delays are ignored

	// Of the state that was loaded.
	pending  []uint32 // the numbers of messages
	messages []*machine.Message
	zone     zone.Zone

	at     zone.Zone // when the present input comes
	next   zone.Zone
	sorted zone.Zone
	sent   []uint32
	from   []time.Duration // see [zone.Zone.Next]
	text   []byte

	// What was known of schedules when they were asked last.
	seen   []string
	known  []*machine.Message
	bound  map[zone.Bound]uint32
	bounds []zone.Bound
	wait   map[string]uint32
}

// load makes what has a number the delayed events of the machine.
func (d *delays) load(number uint32) {
	if int(number) >= len(d.seen) {
		d.mu.RLock()
		d.seen, d.known, d.bounds = d.all, d.schedules.messages, d.schedules.bounds
		d.mu.RUnlock()
	}
	d.pending, d.messages = d.pending[:0], d.messages[:0]
	text := d.seen[number]
	if text == "" {
		d.zone.Reset(0)
		d.zone.Bounds()[0] = zone.AtMost0
		d.reload()
		return
	}
	d.text = append(d.text[:0], text...)
	rest := d.text
	read := func() uint32 {
		v, n := binary.Uvarint(rest)
		rest = rest[n:]
		return uint32(v)
	}
	for range read() {
		n := read()
		d.pending = append(d.pending, n)
		d.messages = append(d.messages, d.known[n])
	}
	d.zone.Reset(len(d.pending))
	for i := range d.zone.Bounds() {
		d.zone.Bounds()[i] = d.bounds[read()]
	}
	d.reload()
}

func (d *delays) reload() { machine.SetDelayed(d.node, d.messages) }

// timed reports whether delayed events are pending in the state that was loaded.
func (d *delays) timed() bool { return d != nil && len(d.pending) > 0 }

// appendWaits appends the waits that are possible in that state, whose numbers begin at first.
func (d *delays) appendWaits(dst []uint32, first int) (all []uint32, err error) {
	before := len(dst)
	d.zone.Due(func(events []int) bool {
		d.text = d.text[:0]
		for _, i := range events {
			d.text = append(d.text, byte(i))
		}
		n, ok := d.wait[string(d.text)]
		if !ok {
			key := string(d.text)
			n = numbered(&d.mu, d.schedules.wait, &d.waits, key, func() []int { return slices.Clone(events) })
			d.wait[key] = n
		}
		dst = append(dst, uint32(first)+n)
		if len(dst)-before > maxWaits {
			err = errors.New("too many sets of delayed events may be due next")
		}
		return err == nil
	})
	return dst, err
}

// happen moves the machine to the times when an event can come, before a wait is over.
func (d *delays) happen() error { return d.move(nil) }

// pass lets time pass until a wait is over.
func (d *delays) pass(wait uint32) error {
	d.mu.RLock()
	due := d.waits[wait]
	d.mu.RUnlock()
	if err := d.move(due); err != nil {
		return err
	}
	machine.Advance(d.node, machine.Now(d.node))
	return nil
}

func (d *delays) move(due []int) error {
	if !d.zone.Moment(due, &d.at) {
		return errors.New("an input can come at no time")
	}
	if len(d.pending) == 0 {
		return nil
	}
	machine.Reschedule(d.node, func(one machine.Delayed) time.Duration {
		if slices.Contains(due, int(one.Seq)-1) {
			return 0
		}
		return 1
	})
	return nil
}

// settle returns the number of what is pending after an input.
func (d *delays) settle() (number uint32, err error) {
	if _, timed := machine.NextDue(d.node); !timed {
		return 0, nil
	}
	d.sent, d.from = d.sent[:0], d.from[:0]
	machine.Reschedule(d.node, func(one machine.Delayed) time.Duration {
		switch {
		case one.Seq <= uint64(len(d.pending)):
			d.sent = append(d.sent, d.pending[one.Seq-1])
			d.from = append(d.from, time.Duration(one.Seq-1))
		case err == nil:
			var n uint32
			n, err = d.numberOf(one.Message)
			d.sent = append(d.sent, n)
			d.from = append(d.from, -1-max(0, one.Left))
		}
		return one.Left
	})
	if err == nil && len(d.sent) > maxPending {
		err = fmt.Errorf("more than %d delayed events are pending", maxPending)
	}
	if err != nil {
		return 0, err
	}
	d.at.Next(d.from, &d.next)
	d.next.Wait()
	if d.any {
		d.next.Forget()
	}
	order := d.next.Order(func(int) int { return 0 })
	d.next.Next(order, &d.sorted)
	d.text = binary.AppendUvarint(d.text[:0], uint64(len(order)))
	for _, i := range order {
		d.text = binary.AppendUvarint(d.text, uint64(d.sent[i]))
	}
	for _, b := range d.sorted.Bounds() {
		n, ok := d.bound[b]
		if !ok {
			n = numbered(&d.mu, d.schedules.bound, &d.schedules.bounds, b, func() zone.Bound { return b })
			d.bound[b] = n
		}
		d.text = binary.AppendUvarint(d.text, uint64(n))
	}
	d.mu.RLock()
	number, ok := d.number[string(d.text)]
	d.mu.RUnlock()
	if !ok {
		text := string(d.text)
		number = numbered(&d.mu, d.number, &d.all, text, func() string { return text })
	}
	return number, nil
}

// numberOf returns the number of a message.
func (d *delays) numberOf(m *machine.Message) (uint32, error) {
	text, err := machine.AppendMessage(d.text[:0], d.node, m)
	if err != nil {
		return 0, err
	}
	d.text = text
	return numbered(&d.mu, d.message, &d.schedules.messages, string(text), func() *machine.Message { c := *m; return &c }), nil
}
