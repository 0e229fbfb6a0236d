package search

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// This file compares two charts. Each worker has a machine of both, and gives them the same inputs. A state is that of the
// old chart and that of the new one.

// A pair is what a worker has of the two charts.
type pair struct {
	old, new *side
	shared   [][2]uint16 // states that both have, by id
	states   bool        // these are compared; likewise ends and limits
	ends     bool
	limits   bool
}

// A side is one of the machines. Of the worker it has what belongs to the machine.
type side struct {
	*worker
	seen   []byte // what it has done since the last input
	raised int    // how many error events, likewise
	err    error  // what it has done that is too much
	ended  bool   // in the state that was loaded
}

// maxSeen is how many bytes a machine may note before a search gives up: sessions have a limit for what they log.
const maxSeen = 256 << 10

func (s *search) preparePairs(newMachine func() Machine, atoms *machine.Atoms) error {
	old, new := &search{task: s.task}, &search{task: *s.task.New}
	old.task.New, old.task.Bits, new.task.Bits = nil, 0, 0
	new.task.Workers = s.task.Workers
	delays := old.task.Delays || new.task.Delays
	old.task.Delays, new.task.Delays = delays, delays
	if delays {
		s.delayed = newSchedules()
	}
	if err := old.prepare(newMachine, atoms); err != nil {
		return err
	}
	if err := new.prepare(func() Machine { return *newMachine().New }, atoms); err != nil {
		return err
	}
	has := func(aspect string) bool { return slices.Contains(s.task.Aspects, aspect) }
	var shared [][2]uint16
	a, b := old.workers[0].chart, new.workers[0].chart
	for st, id := range a.IDs {
		if other := slices.Index(b.IDs, id); id != "" && other >= 0 && a.Kinds[st] < machine.Shallow && b.Kinds[other] < machine.Shallow {
			shared = append(shared, [2]uint16{uint16(st), uint16(other)})
		}
	}
	for i := range old.workers {
		w := &worker{search: s, seen: make([]bool, len(s.task.Inputs)), pair: &pair{
			old: newSide(old.workers[i], has), new: newSide(new.workers[i], has),
			shared: shared, states: has("state"), ends: has("end"), limits: has("limit"),
		}}
		if delays { // those of both have one number, that of the old machine
			w.delays = s.delayed.of(old.task.AnyDelays || new.task.AnyDelays, w.pair.old.m.Node, w.pair.new.m.Node)
		}
		s.workers = append(s.workers, w)
	}
	s.makeTable(old.size + new.size)
	return nil
}

func newSide(w *worker, has func(aspect string) bool) *side {
	s := &side{worker: w}
	w.delays = nil
	o := machine.OptionsOf(w.m.Node)
	if has("send") {
		o.Hooks.Sent = func(m machine.Message) {
			if !strings.HasPrefix(m.Target, "#_") {
				s.note('s', m.Event.Name, m.Event.Data)
			}
		}
	}
	if has("log") {
		o.Hooks.Log = func(label string, data any) { s.note('l', label, data) }
	}
	if has("error") {
		o.Hooks.Error = func(e *machine.Error) {
			s.note('e', e.Event, nil)
			if s.raised++; s.raised > s.task.ErrorReports {
				s.err = fmt.Errorf("one input leads to more than %d errors", s.task.ErrorReports)
			}
		}
	}
	machine.SetUp(w.m.Node, o)
	w.core.Flags &^= machine.Listening // so that it uses shortcuts: the code sends each event in any case, see Task.New
	return s
}

// note notes something that the machine does.
func (s *side) note(what byte, name string, data any) {
	if s.err != nil {
		return
	}
	s.seen = append(append(append(s.seen, what), name...), 0)
	if data != nil {
		s.seen, s.err = machine.AppendData(s.seen, data)
	}
	s.seen = append(s.seen, 0)
	if len(s.seen) > maxSeen {
		s.err = errors.New("one input leads to too much that is sent and logged")
	}
}

// load loads a state.
func (s *side) load(state []byte) (err error) {
	s.ended, err = s.codec.Load(state)
	return err
}

func (s *side) in(state uint16) bool {
	return s.chart.Active(s.regs, state) || s.codec.Final() == state
}

func (w *worker) startPair(b *block) error {
	w.pair.old.start()
	w.pair.new.start()
	_, err := w.afterPair(b, news{input: noInput}, nil)
	return err
}

// visitPair is visitOne for a comparison.
func (w *worker) visitPair(number uint32, state []byte, b *block) error {
	old, new := w.pair.old, w.pair.new
	size := old.codec.Size()
	if err := errors.Join(old.load(state[:size]), new.load(state[size:])); err != nil || old.ended && new.ended {
		return err
	}
	w.chosen = w.chosen[:0]
	for _, s := range []*side{old, new} {
		if s.ended {
			continue
		}
		inputs, err := s.takes(false)
		if err != nil {
			return err
		}
		for _, in := range inputs {
			if !w.seen[in] {
				w.seen[in] = true
				w.chosen = append(w.chosen, in)
			}
		}
	}
	for _, in := range w.chosen {
		w.seen[in] = false
	}
	timed := false
	if w.delays != nil {
		w.delays.load(old.codec.Delayed)
		if timed = w.delays.timed(); timed {
			var err error
			if w.chosen, err = w.delays.appendWaits(w.chosen, len(w.task.Inputs)); err != nil {
				return err
			}
		}
	}
	first, stuck, loaded := len(b.news), !timed, true
	for _, in := range w.chosen {
		if !loaded || timed {
			if err := errors.Join(old.codec.Reload(), new.codec.Reload()); err != nil {
				return err
			}
			if w.delays != nil {
				w.delays.reload()
			}
			loaded = true
		}
		if does, err := w.givePair(in); err != nil {
			return err
		} else if !does && !timed {
			continue
		}
		changes, err := w.afterPair(b, news{from: number, input: in}, state)
		if err != nil {
			return err
		}
		if changes {
			loaded, stuck = false, false
		}
	}
	if stuck {
		b.news = slices.Insert(b.news, first, news{from: number, input: noInput, deadlock: true, transitions: b.transitions, state: -1})
	}
	return nil
}

// givePair gives both machines an input, unless they have ended, and reports whether that may have done anything.
func (w *worker) givePair(in uint32) (does bool, err error) {
	old, new := w.pair.old, w.pair.new
	old.seen, old.raised, new.seen, new.raised = old.seen[:0], 0, new.seen[:0], 0
	if w.delays != nil {
		if int(in) >= len(w.task.Inputs) {
			return true, w.delays.pass(in - uint32(len(w.task.Inputs)))
		}
		if err := w.delays.happen(); err != nil {
			return true, err
		}
	}
	for _, s := range []*side{old, new} {
		if s.ended {
			continue
		}
		handled, err := s.give(in)
		if err != nil {
			return true, err
		}
		does = does || handled || !s.quiet
	}
	return does, nil
}

// afterPair is after for a comparison.
func (w *worker) afterPair(b *block, n news, before []byte) (changes bool, err error) {
	old, new := w.pair.old, w.pair.new
	if err := errors.Join(old.err, new.err); err != nil {
		return true, err
	}
	var failed [2]bool
	for i, s := range []*side{old, new} {
		if failed[i], err = s.limit(); err != nil {
			return true, err
		}
	}
	n.state, n.changes = -1, true
	n.over = failed[0] || failed[1]
	n.differs = !bytes.Equal(old.seen, new.seen) || w.pair.limits && failed[0] != failed[1]
	if w.delays != nil && !n.over {
		if old.codec.Delayed, err = w.delays.settle(); err != nil {
			return true, err
		}
	}
	w.key = w.key[:0]
	for i, s := range []*side{old, new} {
		if failed[i] {
			continue
		}
		if w.key, err = s.codec.Append(w.key); err != nil {
			return true, err
		}
	}
	if n.over { // all such states are one, which is not that of machines: none ends in a state with this number
		w.key = append(w.key[:0], bytes.Repeat([]byte{0xFF}, w.size)...)
	} else {
		n.changes = !bytes.Equal(w.key, before)
	}
	if before != nil && n.changes {
		b.transitions++
	}
	n.transitions = b.transitions
	if n.changes {
		n.hash = maphash.Bytes(w.seed, w.key)
		if _, known := w.find(w.key, n.hash); !known {
			n.differs = n.differs || !n.over && w.pair.apart()
			n.state = len(b.bytes)
			b.bytes = append(b.bytes, w.key...)
		}
	}
	if n.changes || n.differs {
		b.news = append(b.news, n)
	}
	return n.changes, nil
}

// apart reports whether the states of the machines differ.
func (p *pair) apart() bool {
	old, new := p.old, p.new
	if p.states && slices.ContainsFunc(p.shared, func(st [2]uint16) bool { return old.in(st[0]) != new.in(st[1]) }) {
		return true
	}
	if !p.ends {
		return false
	}
	a, _ := machine.FinalState(old.m.Node)
	b, _ := machine.FinalState(new.m.Node)
	return a != b
}
