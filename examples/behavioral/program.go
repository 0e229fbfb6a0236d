package behavioral

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Thread is a b-thread: a session of a chart with data of its own.
type Thread struct {
	Name  string         // unique in the program, and the _sessionid
	Chart *scxml.Chart   // any number of b-threads may share it
	Data  map[string]any // values of top-level data items, as for scxml.WithData
}

// An Option configures a [Program].
type Option func(*definition)

// WithSeed makes Step pick at random among the requests of the highest priority. Programs with equal
// seeds pick the same. Without it Step picks the first one.
func WithSeed(seed uint64) Option {
	return func(d *definition) { d.seed, d.seeded = seed, true }
}

// WithExternal says which events a search is to send from outside: when nothing requested can be
// selected, each of them that is not blocked may come. It does not restrict Send.
func WithExternal(events ...scxml.Event) Option {
	return func(d *definition) { d.external = append(d.external, events...) }
}

// WithFewestFirst lets Step and a search select only from the requests of one b-thread at a time: of
// those that request something of the highest priority, the one with the fewest events left that nobody
// blocks. It is for puzzles and plans, where every request has to be granted at some time and only the
// choice within a b-thread matters. There a search need not try all orders, and finds dead ends early.
func WithFewestFirst() Option { return func(d *definition) { d.fewest = true } }

// A definition is what a program and its forks, the programs of its Systems, share. Apart from records and
// forks it is immutable.
type definition struct {
	threads  []Thread
	index    map[string]int // of threads, by name
	external []scxml.Event
	args     [][]arg // of external
	seed     uint64
	seeded   bool
	fewest   bool
	records  *records
	forks    atomic.Int32 // how many programs there are
}

// A Program runs b-threads. It belongs to one goroutine at a time.
type Program struct {
	*definition
	table     table
	runners   map[*scxml.Chart]*runner
	offers    map[*bidSet]*offer
	locals    [][]*local // by b-thread and number of the record
	state     []*local   // of each b-thread; nil before Start
	next      []*local   // for apply
	initial   []reaction // what Start leads to, by b-thread; nil before the first
	queue     []eventID  // from Send
	random    *rand.Rand
	did       []done     // by the last event
	evaluator *evaluator // nil until it is needed

	// These are computed by sync, and belong to state.
	synced     int // for how many events of the table; -1 for none
	blocked    bits
	selectable []requested
	seen       bits
}

// done is what one b-thread did.
type done struct {
	thread int
	*deeds
}

// New returns a program of the b-threads, which has not started. The order of the b-threads is their
// order of precedence among requests of equal priority. New fails if two b-threads share a name, or if the
// data of one does not fit its chart.
func New(threads []Thread, opts ...Option) (*Program, error) {
	d := &definition{threads: slices.Clone(threads), index: make(map[string]int), records: newRecords(len(threads))}
	for i := range d.threads {
		t := &d.threads[i]
		t.Data = maps.Clone(t.Data)
		if _, twice := d.index[t.Name]; twice || t.Name == "" {
			return nil, fmt.Errorf("behavioral: New: b-thread %d has the name %q: want a name that no other has", i, t.Name)
		}
		d.index[t.Name] = i
		if _, err := newRunner().newSession(t, 0); err != nil {
			return nil, fmt.Errorf("behavioral: New: %w", &ThreadError{t.Name, err})
		}
	}
	for _, opt := range opts {
		opt(d)
	}
	for _, ev := range d.external {
		args, err := checkEvent(ev)
		if err != nil {
			return nil, fmt.Errorf("behavioral: WithExternal: %w", err)
		}
		d.args = append(d.args, args)
	}
	return d.program(), nil
}

// program returns another program of the same b-threads, which has not started. The states that the System
// of one has saved can be loaded by that of the other, on another goroutine too.
func (d *definition) program() *Program {
	d.forks.Add(1)
	p := &Program{
		definition: d, table: newTable(), runners: make(map[*scxml.Chart]*runner),
		offers: make(map[*bidSet]*offer), locals: make([][]*local, len(d.threads)),
	}
	for i := range d.threads {
		if chart := d.threads[i].Chart; p.runners[chart] == nil {
			p.runners[chart] = newRunner()
		}
	}
	return p
}

// Start brings all b-threads to rest for the first time. Called again it starts anew. It fails with a
// [*ThreadError] if one of them makes a mistake, and if ctx is done.
func (p *Program) Start(ctx context.Context) error {
	if err := p.start(ctx); err != nil {
		return err
	}
	return p.mistake()
}

func (p *Program) start(ctx context.Context) error {
	p.did = p.did[:0]
	for i := len(p.initial); i < len(p.threads); i++ {
		t := &p.threads[i]
		r := p.runners[t.Chart]
		rec, err := (*record)(nil), r.start(ctx, t, p.seed+uint64(i)+1)
		if err == nil {
			rec, err = r.record(p.records, i)
		}
		if err != nil {
			p.note(i, r.deeds())
			return &ThreadError{t.Name, err}
		}
		p.initial = append(p.initial, reaction{p.local(i, rec), r.deeds()})
	}
	p.state = p.state[:0]
	for i := range p.initial {
		p.state = append(p.state, p.initial[i].to)
		p.note(i, p.initial[i].did)
	}
	p.queue, p.synced = nil, -1
	if p.seeded {
		p.random = rand.New(rand.NewPCG(p.seed, 0))
	}
	return nil
}

func (p *Program) note(thread int, did *deeds) {
	if did != nil {
		p.did = append(p.did, done{thread, did})
	}
}

// mistake returns the first failure or error event of the last step.
func (p *Program) mistake() error {
	for _, d := range p.did {
		name := p.threads[d.thread].Name
		switch {
		case d.errors != nil:
			return &ThreadError{name, d.errors[0]}
		case d.failures != nil:
			return &ThreadError{name, &FailError{d.failures[0]}}
		}
	}
	return nil
}

// checkEvent checks an event from outside and returns its args.
func checkEvent(ev scxml.Event) ([]arg, error) {
	if err := datamodel.CheckEventName(ev.Name); err != nil {
		return nil, err
	}
	args, err := argsOf(ev.Data)
	if err != nil {
		return nil, fmt.Errorf("event %q: %w", ev.Name, err)
	}
	return args, nil
}

// A Selection is an event that was selected.
type Selection struct {
	Event     scxml.Event
	Priority  int
	Requested []string // the b-threads that requested it; none for an event from outside
	Waited    []string // those that waited for it
}

// Send queues an event from outside. Step takes it when nothing that is requested can be selected and
// nobody blocks the event. The data of the event must be nil or an object of strings, numbers, booleans
// and null; any Go data that datamodel.From converts to that will do.
func (p *Program) Send(ev scxml.Event) error {
	if p.state == nil {
		return errors.New("behavioral: Send: the program has not started")
	}
	args, err := checkEvent(ev)
	if err != nil {
		return fmt.Errorf("behavioral: Send: %w", err)
	}
	p.queue = append(p.queue, p.table.event(ev.Name, args))
	return nil
}

// Step selects an event and gives it to all b-threads that request it or wait for it. It returns false if
// nothing can be selected: the program has ended, is stuck, was pruned, or waits for an event from outside.
// If a b-thread makes a mistake the error is a [*ThreadError], and Selection says in answer to what.
func (p *Program) Step(ctx context.Context) (Selection, bool, error) {
	if p.state == nil {
		return Selection{}, false, errors.New("behavioral: Step: the program has not started")
	}
	p.forget()
	c, ok := p.pick()
	if !ok {
		return Selection{}, false, nil
	}
	sel := p.selection(c)
	if err := p.apply(ctx, c.event); err != nil {
		return sel, false, err
	}
	return sel, true, p.mistake()
}

// A Message is an event that a b-thread has sent with <send>.
type Message struct {
	Thread string
	Event  scxml.Event
	Target string // as in the chart
}

// Sent returns what the b-threads have sent during the last Start or Step, in their order. This is how a
// host hears from them.
func (p *Program) Sent() (all []Message) {
	for _, d := range p.did {
		for _, m := range d.sent {
			m.Thread = p.threads[d.thread].Name
			all = append(all, m)
		}
	}
	return all
}

// A Log is what a b-thread has logged with <log>.
type Log struct {
	Thread, Label string
	Value         datamodel.Value
}

// Logged returns what the b-threads have logged during the last Start or Step, in their order.
func (p *Program) Logged() (all []Log) {
	for _, d := range p.did {
		for _, l := range d.logged {
			l.Thread = p.threads[d.thread].Name
			all = append(all, l)
		}
	}
	return all
}

// Run takes steps until nothing can be selected, or ctx is done. It passes each selection to f, unless f
// is nil.
func (p *Program) Run(ctx context.Context, f func(Selection)) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		sel, ok, err := p.Step(ctx)
		if err != nil || !ok {
			return err
		}
		if f != nil {
			f(sel)
		}
	}
}

// apply gives an event to the b-threads. If it fails, the program stays in its state.
func (p *Program) apply(ctx context.Context, id eventID) error {
	p.sync()
	p.did, p.synced = p.did[:0], -1
	p.next = append(p.next[:0], p.state...)
	ev := p.table.events[id].public()
	for i, l := range p.state {
		if !l.reacts.has(id) {
			continue
		}
		re, known := l.reactions[id]
		if !known {
			r := p.runners[p.threads[i].Chart]
			rec, err := (*record)(nil), r.react(ctx, &p.threads[i], l.record, ev)
			if err == nil {
				rec, err = r.record(p.records, i)
			}
			if err != nil {
				p.note(i, r.deeds())
				return &ThreadError{p.threads[i].Name, err}
			}
			re = reaction{p.local(i, rec), r.deeds()}
			if l.reactions == nil {
				l.reactions = make(map[eventID]reaction)
			}
			l.reactions[id] = re
		}
		p.next[i] = re.to
		p.note(i, re.did)
	}
	p.state, p.next = p.next, p.state
	return nil
}
