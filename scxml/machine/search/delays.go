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

// of returns the delayed events of the machine of a worker, or of both.
func (a *schedules) of(any bool, nodes ...machine.Node) *delays {
	return &delays{
		schedules: a, nodes: nodes, any: any, own: make([]int, len(nodes)), zone: zone.Start(false), at: zone.Start(false),
		bound: map[zone.Bound]uint32{}, wait: map[string]uint32{},
	}
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

// delays are the delayed events of the machine of a worker, or of both in a comparison. The time of machines stands still,
// as that of sessions in package explore: what is due next is made due at once, and all others later.
type delays struct {
	*schedules
	nodes []machine.Node
	any   bool // delays are ignored

	// Of the state that was loaded.
	own      []int    // how many are pending, by machine
	pending  []uint32 // the numbers of messages: those of the first machine, then those of the other
	messages []*machine.Message
	zone     zone.Zone

	at     zone.Zone // when the present input comes
	next   zone.Zone
	sorted zone.Zone
	sent   []one
	after  []one // what was sent after that
	from   []time.Duration
	text   []byte

	// What was known of schedules when they were asked last.
	seen   []string
	known  []*machine.Message
	bound  map[zone.Bound]uint32
	bounds []zone.Bound
	wait   map[string]uint32
}

// A one is a delayed event after an input.
type one struct {
	machine int
	number  uint32        // of its message
	from    time.Duration // see [zone.Zone.Next]
}

// load makes what has a number the delayed events of the machines.
func (d *delays) load(number uint32) {
	if int(number) >= len(d.seen) {
		d.mu.RLock()
		d.seen, d.known, d.bounds = d.all, d.schedules.messages, d.schedules.bounds
		d.mu.RUnlock()
	}
	d.pending, d.messages = d.pending[:0], d.messages[:0]
	text := d.seen[number]
	clear(d.own)
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
	for i := range d.own {
		d.own[i] = int(read())
		for range d.own[i] {
			n := read()
			d.pending = append(d.pending, n)
			d.messages = append(d.messages, d.known[n])
		}
	}
	d.zone.Reset(len(d.pending))
	for i := range d.zone.Bounds() {
		d.zone.Bounds()[i] = d.bounds[read()]
	}
	d.reload()
}

func (d *delays) reload() {
	rest := d.messages
	for i, node := range d.nodes {
		machine.SetDelayed(node, rest[:d.own[i]])
		rest = rest[d.own[i]:]
	}
}

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

// happen moves the machines to the times when an event can come, before a wait is over.
func (d *delays) happen() error { return d.move(nil) }

// pass lets time pass until a wait is over.
func (d *delays) pass(wait uint32) error {
	d.mu.RLock()
	due := d.waits[wait]
	d.mu.RUnlock()
	if err := d.move(due); err != nil {
		return err
	}
	for _, node := range d.nodes {
		machine.Advance(node, machine.Now(node))
	}
	return nil
}

func (d *delays) move(due []int) error {
	if !d.zone.Moment(due, &d.at) {
		return errors.New("an input can come at no time")
	}
	if len(d.pending) == 0 {
		return nil
	}
	first := 0
	for i, node := range d.nodes {
		machine.Reschedule(node, func(e machine.Delayed) time.Duration {
			if slices.Contains(due, first+int(e.Seq)-1) {
				return 0
			}
			return 1
		})
		first += d.own[i]
	}
	return nil
}

// settle returns the number of what is pending after an input.
func (d *delays) settle() (number uint32, err error) {
	if !slices.ContainsFunc(d.nodes, waits) {
		return 0, nil
	}
	d.sent, d.after, d.from = d.sent[:0], d.after[:0], d.from[:0]
	first := 0
	for i, node := range d.nodes {
		machine.Reschedule(node, func(e machine.Delayed) time.Duration {
			if at := first + int(e.Seq) - 1; e.Seq <= uint64(d.own[i]) {
				d.sent = append(d.sent, one{i, d.pending[at], time.Duration(at)})
			} else if err == nil {
				var n uint32
				n, err = d.numberOf(node, e.Message)
				d.after = append(d.after, one{i, n, -1 - max(0, e.Left)})
			}
			return e.Left
		})
		first += d.own[i]
	}
	d.sent = append(d.sent, d.after...)
	if err == nil && len(d.sent) > maxPending {
		err = fmt.Errorf("more than %d delayed events are pending", maxPending)
	}
	if err != nil {
		return 0, err
	}
	for _, e := range d.sent {
		d.from = append(d.from, e.from)
	}
	d.at.Next(d.from, &d.next)
	d.next.Wait()
	if d.any {
		d.next.Forget()
	}
	order := d.next.Order(func(i int) int { return d.sent[i].machine })
	d.next.Next(order, &d.sorted)
	d.text = d.text[:0]
	rest := order
	for i := range d.nodes {
		n := 0
		for n < len(rest) && d.sent[rest[n]].machine == i {
			n++
		}
		d.text = binary.AppendUvarint(d.text, uint64(n))
		for _, at := range rest[:n] {
			d.text = binary.AppendUvarint(d.text, uint64(d.sent[at].number))
		}
		rest = rest[n:]
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

func waits(node machine.Node) bool {
	_, timed := machine.NextDue(node)
	return timed
}

// numberOf returns the number of a message.
func (d *delays) numberOf(node machine.Node, m *machine.Message) (uint32, error) {
	text, err := machine.AppendMessage(d.text[:0], node, m)
	if err != nil {
		return 0, err
	}
	d.text = text
	return numbered(&d.mu, d.message, &d.schedules.messages, string(text), func() *machine.Message { c := *m; return &c }), nil
}
