package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// Run searches. It calls newMachine once for each worker. A context that is done ends the search with what it has found
// until then; progress, which may be nil, is called a few times a second.
func Run(ctx context.Context, newMachine func() Machine, t Task, progress func(Progress)) Result {
	for bits := 8; ; bits *= 2 { // most charts have few values
		s := &search{task: t, progress: progress, seed: maphash.MakeSeed(), reached: make([]bool, len(t.Reach)), noted: map[note]bool{}}
		err := s.prepare(newMachine, machine.NewAtoms(bits))
		if err == nil {
			err = s.run(ctx)
		}
		if errors.Is(err, machine.ErrAtoms) && bits < 32 {
			continue
		}
		if bound := bound(""); errors.As(err, &bound) {
			s.result.Bound, err = string(bound), nil
		}
		if err != nil {
			return Result{Unable: err.Error()}
		}
		s.result.States, s.result.Kept = int(s.count)+s.result.Pruned, s.memory
		if s.bits != nil {
			s.result.Missed = s.bits.missed
		}
		if s.count > 0 {
			s.result.Last = s.path(&news{from: s.count - 1, deadlock: true})
		}
		s.nameWaits()
		return s.result
	}
}

// A bound is why a search has ended early.
type bound string

func (b bound) Error() string { return string(b) }

const (
	// maxTurns is how many macrosteps an input may lead to before a search gives up: package explore says what that means.
	maxTurns = 1000
	// A chunk has so many states, which are never copied.
	chunkStates = 1 << 14
	// The workers visit a batch of states, each a block at a time, before what is new is entered in order.
	blockStates = 128
	batchStates = 4096
)

type search struct {
	task     Task
	progress func(Progress)
	result   Result
	workers  []*worker
	delayed  *schedules // nil if the chart delays nothing

	size    int // of a state
	count   uint32
	level   uint32     // how many states the levels before have, and the present one
	states  [][]byte   // chunks
	origins [][]origin // by chunk
	seed    maphash.Seed
	slots   []uint64  // states by the upper half of their hash, which is also here, above their number plus one; 0 where there is none
	shift   int       // of that half, for the index
	bits    *bitTable // in place of slots; nil without Task.Bits
	visited uint32    // states whose bytes are not kept any more, with bits
	memory  int64
	taken   [][]uint32 // inputs, by the state that a register has
	given   [][]uint32 // likewise, of Task.Given
	reached []bool     // by Task.Reach
	noted   map[note]bool
	deeds   int  // that are left of those that Task.Cover asks for, as far as they are known before
	first   bool // there is a finding that ends a search with Task.First
	over    bool // of a comparison: both charts, or one of them, have failed
}

// An origin is the state from which an input has led to another for the first time.
type origin struct{ from, input uint32 }

// noInput is the input of the first state.
const noInput = math.MaxUint32

// A worker visits states with a machine of its own.
type worker struct {
	*search
	m      Machine
	core   *machine.Core
	chart  *machine.Chart
	regs   []uint16
	codec  *machine.Codec
	delays *delays // nil if the chart delays nothing
	quiet  bool    // an event that takes no transition does nothing
	inputs []input
	chosen []uint32
	seen   []bool // of inputs
	key    []byte
	again  []byte
	errors int    // error events since the last input
	notes  []note // likewise: those, and what was done for the first time
	last   int    // with Followed: the transition that was taken last, plus one, or 0
	pair   *pair  // of a comparison, which has another machine, codec and so on; otherwise nil
	later  bool   // an input has led to a state that no level before has
}

// A block is what a worker has found in some states.
type block struct {
	transitions int
	news        []news
	bytes       []byte // the states of news
	err         error
}

// A news is what an input has done, unless it has only led to a known state; or a deadlock.
type news struct {
	from, input uint32
	deadlock    bool
	changes     bool // the input has changed the state
	transitions int  // of the block up to this one
	limit       bool
	differs     bool // of a comparison; so is over
	over        bool
	notes       []note
	hash        uint64
	entry       uint64 // of the table, where the hash leads to
	byte        byte   // of the state of the entry
	state       int    // where the state is in block.bytes; -1 if it is known, or the machine does not rest
	broken      []int
	reached     []int
}

func (s *search) prepare(newMachine func() Machine, atoms *machine.Atoms) error {
	if s.task.New != nil {
		return s.preparePairs(newMachine, atoms)
	}
	if s.task.Delays {
		s.delayed = newSchedules()
	}
	for range max(1, s.task.Workers) {
		w := &worker{search: s, m: newMachine(), seen: make([]bool, len(s.task.Inputs))}
		o := machine.Options{SessionID: "session", Limits: s.task.Limits}
		o.Limits.Macrosteps = maxTurns
		if s.task.Errors {
			o.Hooks.Error = func(e *machine.Error) {
				w.errors++
				w.notes = append(w.notes, note{kind: Error, event: e.Event})
			}
		}
		node, err := w.cover(&o.Hooks)
		if err != nil {
			return err
		}
		machine.SetUp(node, o)
		w.core, w.chart, w.regs = w.m.Node.Machine()
		w.quiet = s.task.Pure && !w.chart.Eventless && node == w.m.Node
		for _, in := range s.task.Inputs {
			made, err := w.input(in)
			if err != nil {
				return err
			}
			w.inputs = append(w.inputs, made)
		}
		if w.codec, err = machine.NewCodec(w.m.Node, atoms, s.task.Delays); err != nil {
			return err
		}
		if s.delayed != nil {
			w.delays = s.delayed.of(s.task.AnyDelays, w.m.Node)
		}
		s.workers = append(s.workers, w)
	}
	s.chains(s.workers[0].chart)
	s.setDeeds(s.workers[0].chart)
	s.makeTable(s.workers[0].stateSize())
	return nil
}

// makeTable makes what states of so many bytes are kept in.
func (s *search) makeTable(size int) {
	s.size, s.result.Bytes = size, size
	if s.task.Bits > 0 {
		s.bits = newBitTable(s.task.Bits)
		s.memory = s.task.Bits
	} else {
		s.slots, s.shift = make([]uint64, 1<<12), 64-12
		s.memory = int64(8 * len(s.slots))
	}
}

// run visits the states, level by level.
func (s *search) run(ctx context.Context) error {
	for i, w := range s.workers {
		b := new(block)
		if w.pair != nil {
			b.err = w.startPair(b)
		} else {
			w.start()
			if _, b.err = w.after(b, news{input: noInput}, nil); b.err == nil {
				b.err = w.sift(b, 0)
			}
		}
		if i > 0 && b.err == nil {
			continue
		}
		if err := s.enter(b); err != nil {
			return err
		}
	}
	last, blocks := time.Now(), make([]block, batchStates/blockStates)
	for from := uint32(0); from < s.count; {
		if most := s.task.MaxDepth; most > 0 && s.result.Depth == most {
			return bound("depth")
		}
		level := s.count
		s.level = level
		for from < level {
			end := min(level, from+batchStates)
			used := blocks[:(end-from+blockStates-1)/blockStates]
			s.visit(ctx, from, end, used)
			if ctx.Err() != nil {
				if cause, ok := context.Cause(ctx).(bound); ok {
					return cause
				}
				return bound("time")
			}
			for i := range used {
				if err := s.enter(&used[i]); err != nil {
					return err
				}
			}
			from = end
			s.forget(from)
			if s.progress != nil && time.Since(last) > 200*time.Millisecond {
				last = time.Now()
				s.progress(Progress{int(s.count), s.result.Transitions, s.result.Depth, int(s.count - from)})
			}
		}
		if s.count > level {
			s.result.Depth++
		}
	}
	return nil
}

// start starts the machine. Others look at its error.
func (w *worker) start() { machine.Start(w.m.Node, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) }

// visit lets the workers visit the states of a batch. The table is not modified meanwhile.
func (s *search) visit(ctx context.Context, from, end uint32, blocks []block) {
	var next atomic.Int64
	work := func(w *worker) {
		for ctx.Err() == nil {
			i := uint32(next.Add(1)) - 1
			if int(i) >= len(blocks) {
				return
			}
			begin := from + i*blockStates
			w.visit(begin, min(end, begin+blockStates), &blocks[i])
		}
	}
	var others sync.WaitGroup
	for _, w := range s.workers[1:min(len(s.workers), len(blocks))] {
		others.Go(func() { work(w) })
	}
	work(s.workers[0])
	others.Wait()
}

// visit tries all inputs in some states.
func (w *worker) visit(from, end uint32, b *block) {
	*b = block{news: b.news[:0], bytes: b.bytes[:0]}
	for number := from; number < end && b.err == nil; number++ {
		b.err = w.visitOne(number, b)
	}
}

func (w *worker) visitOne(number uint32, b *block) error {
	state := w.state(number)
	if w.pair != nil {
		return w.visitPair(number, state, b)
	}
	last, ended, err := w.load(state)
	if ended || err != nil {
		return err
	}
	if w.delays != nil {
		w.delays.load(w.codec.Delayed)
	}
	timed := w.delays.timed()
	quiet := w.quiet && !timed
	first, stuck, loaded := len(b.news), !timed, true
	sifted := first
	inputs, err := w.takes(quiet)
	if err != nil {
		return err
	}
	var ends []int
	if w.task.Local != nil {
		ends = w.groups(inputs)
	}
	w.later = false
	for i, in := range inputs {
		if len(ends) > 0 && i == ends[0] {
			if w.later {
				break // the others are tried there
			}
			ends = ends[1:]
		}
		if !loaded || timed {
			if err := w.codec.Reload(); err != nil {
				return err
			}
			if w.delays != nil {
				w.delays.reload()
			}
			w.last, loaded = last, true
		}
		handled, err := w.give(in)
		if err != nil {
			return err
		}
		if !handled && quiet {
			continue
		}
		changes, err := w.after(b, news{from: number, input: in}, state)
		if err != nil {
			return err
		}
		if changes {
			loaded, stuck = false, false
		}
		if w.task.Local != nil {
			if err := w.sift(b, sifted); err != nil {
				return err
			}
			if _, _, err := w.load(state); err != nil {
				return err
			}
			sifted, loaded = len(b.news), true
		}
	}
	if err := w.sift(b, sifted); err != nil {
		return err
	}
	if stuck {
		b.news = slices.Insert(b.news, first, news{from: number, input: noInput, deadlock: true, transitions: b.transitions, state: -1})
	}
	return nil
}

// after notes what an input has led to, and reports whether it has changed the state from before.
func (w *worker) after(b *block, n news, before []byte) (changes bool, err error) {
	n.state, n.changes = -1, true
	if n.notes = w.notes; n.notes != nil {
		if w.errors > w.task.ErrorReports {
			return true, fmt.Errorf("one input leads to more than %d errors", w.task.ErrorReports)
		}
		w.errors, w.notes = 0, nil
	}
	if n.limit, err = w.limit(); err != nil {
		return true, err
	}
	if !n.limit {
		if w.delays != nil {
			if w.codec.Delayed, err = w.delays.settle(); err != nil {
				return true, err
			}
		}
		if w.key, err = w.append(w.key[:0]); err != nil {
			return true, err
		}
		n.changes = !bytes.Equal(w.key, before)
	}
	if before != nil && n.changes {
		b.transitions++
	}
	n.transitions = b.transitions
	if n.changes && !n.limit {
		n.hash = maphash.Bytes(w.seed, w.key)
		n.state = len(b.bytes)
		b.bytes = append(b.bytes, w.key...)
	}
	if n.changes || n.notes != nil {
		b.news = append(b.news, n)
	}
	return n.changes, nil
}

// sift drops the news, from first on, that are none, and looks at new states. The table and the states in it are far from
// the processor, so it asks for those of all news before it waits for the first.
func (w *worker) sift(b *block, first int) error {
	all := b.news[first:]
	for i := range all {
		if n := &all[i]; n.state >= 0 && w.bits == nil {
			n.entry = w.slots[n.hash>>w.shift]
		}
	}
	for i := range all {
		if n := &all[i]; n.state >= 0 && n.entry != 0 && (n.entry^n.hash)>>32 == 0 {
			n.byte = w.state(uint32(n.entry) - 1)[0]
		}
	}
	kept, end := first, -1
	for i := range all {
		n := &all[i]
		if n.state >= 0 {
			if end < 0 {
				end = n.state
			}
			key := b.bytes[n.state : n.state+w.size]
			if number, known := w.number(key, n); known {
				n.state = -1
				w.later = w.later || number >= w.level
			} else {
				if err := w.look(n, key); err != nil {
					return err
				}
				w.later = true
				n.state = end
				end += copy(b.bytes[end:], key)
			}
		}
		// The first finding ends a search before the next input that changes something.
		if n.state >= 0 || n.limit || n.notes != nil || w.task.First && n.changes {
			b.news[kept] = *n
			kept++
		}
	}
	b.news = b.news[:kept]
	if end >= 0 {
		b.bytes = b.bytes[:end]
	}
	return nil
}

// number returns the number of the state of some news, if it is known.
func (w *worker) number(state []byte, n *news) (number uint32, known bool) {
	if w.bits == nil {
		number = uint32(n.entry) - 1
		if n.entry == 0 || (n.entry^n.hash)>>32 == 0 && bytes.Equal(w.state(number), state) {
			return number, n.entry != 0
		}
	}
	slot, known := w.find(state, n.hash)
	if known && w.bits == nil {
		number = uint32(w.slots[slot]) - 1
	}
	return number, known
}

// limit reports whether the machine has exceeded a limit.
func (w *worker) limit() (exceeded bool, err error) {
	if w.core.Flags&machine.Ended == 0 {
		return false, nil
	}
	var limit *machine.LimitError
	switch exceeded = errors.As(machine.Err(w.m.Node), &limit); {
	case exceeded && limit.Limit == "Macrosteps":
		return true, fmt.Errorf("one input leads to more than %d macrosteps", limit.Value)
	case exceeded && limit.Limit != "Microsteps" && limit.Limit != "InternalQueue":
		return true, limit
	}
	return exceeded, nil
}

// look judges a new state.
func (w *worker) look(n *news, key []byte) error {
	if w.task.Conditions == nil && w.task.Reach == nil {
		return nil
	}
	if _, _, err := w.load(key); err != nil {
		return err
	}
	w.key = append(w.key[:0], key...)
	final := w.codec.Final()
	w.regs[0] += final // which In says is active after the end; otherwise 0
	for i, want := range w.task.Conditions {
		is, err := w.m.Holds(i)
		if err != nil {
			return fmt.Errorf("a property has failed: %w", err)
		}
		if is != want {
			n.broken = append(n.broken, i)
		}
	}
	w.regs[0] -= final
	if w.task.Conditions != nil {
		var err error
		if w.again, err = w.append(w.again[:0]); err != nil || !bytes.Equal(w.again, w.key) {
			return errors.New("a property changes data")
		}
	}
	for i, st := range w.task.Reach {
		if !w.reached[i] && (w.chart.Active(w.regs, st) || final == st) {
			n.reached = append(n.reached, i)
		}
	}
	return nil
}

// enter enters what was found in the states of a block.
func (s *search) enter(b *block) error {
	before := s.result.Transitions
	for i := range b.news {
		n := &b.news[i]
		if s.task.First && s.first && (n.changes || n.differs || n.notes != nil) {
			if n.changes {
				n.transitions--
			}
			s.result.Transitions = before + n.transitions
			return bound("first")
		}
		s.result.Transitions = before + n.transitions
		if n.deadlock {
			s.result.Deadlocks++
			if !s.task.NoDeadlocks {
				s.note(note{kind: Deadlock}, n)
			}
			continue
		}
		for _, what := range n.notes {
			s.note(what, n)
		}
		if n.limit {
			s.note(note{kind: Limit}, n)
		}
		if n.differs {
			s.note(note{kind: Difference}, n)
		}
		if n.state >= 0 {
			if err := s.discover(n, b.bytes[n.state:n.state+s.size]); err != nil {
				return err
			}
		}
	}
	if b.err == nil {
		s.result.Transitions = before + b.transitions
	}
	return b.err
}

// discover enters a state, unless it is known now.
func (s *search) discover(n *news, state []byte) error {
	slot, known := s.find(state, n.hash)
	if known || n.over && s.over {
		return nil
	}
	if most := s.task.MaxStates; most > 0 && int(s.count)+s.result.Pruned == most || s.count == math.MaxUint32-1 {
		return bound("states")
	}
	if n.over || n.differs { // nobody visits it
		s.over = s.over || n.over
		s.result.Pruned++
		return nil
	}
	if s.count&(chunkStates-1) == 0 {
		if err := s.keep(chunkStates * int64(s.size+8)); err != nil {
			return err
		}
		s.states = append(s.states, make([]byte, 0, chunkStates*s.size))
		s.origins = append(s.origins, make([]origin, 0, chunkStates))
	}
	if s.bits == nil && uint64(s.count) >= uint64(len(s.slots))*3/4 {
		if err := s.grow(); err != nil {
			return err
		}
		slot, _ = s.find(state, n.hash)
	}
	at := s.count / chunkStates
	s.states[at] = append(s.states[at], state...)
	s.origins[at] = append(s.origins[at], origin{n.from, n.input})
	s.count++
	if s.bits != nil {
		s.bits.add(n.hash)
	} else {
		s.slots[slot] = n.hash&^math.MaxUint32 | uint64(s.count)
	}
	for _, i := range n.broken {
		s.note(note{kind: Broken, number: i}, n)
	}
	for _, i := range n.reached {
		if !s.reached[i] {
			s.reached[i] = true
			s.result.Findings = append(s.result.Findings, Finding{Kind: Reached, Number: int(s.task.Reach[i]), Path: s.path(n)})
		}
	}
	if s.task.Stop && n.reached != nil && !slices.Contains(s.reached, false) {
		return bound("reached")
	}
	return nil
}

// keep notes that the search takes more memory, if it may.
func (s *search) keep(more int64) error {
	if most := s.task.MaxMemory; most > 0 && s.memory+more > most {
		return bound("memory")
	}
	s.memory += more
	return nil
}

func (s *search) grow() error {
	old := s.slots
	if err := s.keep(8 * int64(len(old))); err != nil {
		return err
	}
	s.slots, s.shift = make([]uint64, 2*len(old)), s.shift-1
	mask := len(s.slots) - 1
	for _, entry := range old {
		if entry == 0 {
			continue
		}
		slot := int(entry >> s.shift)
		for s.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		s.slots[slot] = entry
	}
	return nil
}

// state returns the bytes of a state.
func (s *search) state(number uint32) []byte {
	at := int(number%chunkStates) * s.size
	return s.states[number/chunkStates][at : at+s.size : at+s.size]
}

// forget drops the bytes of states that were visited, where they are not compared.
func (s *search) forget(from uint32) {
	for ; s.bits != nil && s.visited+chunkStates <= from; s.visited += chunkStates {
		s.states[s.visited/chunkStates] = nil
		s.memory -= chunkStates * int64(s.size)
	}
}

// find returns the slot of a state, and whether it is there.
func (s *search) find(state []byte, hash uint64) (slot int, known bool) {
	if s.bits != nil {
		return 0, s.bits.has(hash)
	}
	mask := len(s.slots) - 1
	for slot = int(hash >> s.shift); ; slot = (slot + 1) & mask {
		entry := s.slots[slot]
		if entry == 0 {
			return slot, false
		}
		if (entry^hash)>>32 == 0 && bytes.Equal(s.state(uint32(entry)-1), state) {
			return slot, true
		}
	}
}

// path returns the inputs that lead to what is new.
func (s *search) path(n *news) (path []int) {
	at := origin{n.from, n.input}
	if n.deadlock {
		at = s.origin(n.from)
	}
	for at.input != noInput {
		path = append(path, int(at.input))
		at = s.origin(at.from)
	}
	slices.Reverse(path)
	return path
}

func (s *search) origin(number uint32) origin {
	return s.origins[number/chunkStates][number%chunkStates]
}
