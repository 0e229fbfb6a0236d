package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A worker visits one state after the other, on one goroutine.
type worker struct {
	*search
	system System
	inputs []Input
	key    []byte
	state  []byte

	watched  watchedSystem // system, or nil
	reasons  map[Reason]bool
	eventful bool // as in search, since the batch began
	judged   bool // since the last input, in a known state
	later    bool // an input has led to a state that no level before has

	// fresh has the states that were not known before the batch and that the worker has come to. The first
	// successor that leads to a state has its news: a worker visits the states of a batch in order.
	fresh map[hash]struct{}
}

// A visit is what a worker has found in a state.
type visit struct {
	successors []successor
	deadlock   []string // its configuration; nil if it is not one
	delays     bool
	dropped    [][]string // with a graph: the delayed events that are not pending in a successor
	pending    []string   // with a graph: the delayed events that none of renewing drops
	renewing   []Input    // inputs that drop delayed events and lead to the same state
	err        error
	size       int64 // of the successors, about

	interrupted *Input // the input during which the context was done
}

// A successor is the state after an input. Most are known, so the news are apart.
type successor struct {
	input Input
	hash  hash
	rests bool // the system came to rest
	same  bool // it is the state before the input
	*news
}

// news are what an input has led to for the first time, or did wrong.
type news struct {
	events     []Violation // what happened on the way
	err        error
	state      []byte // this and what follows is empty if the state was known before
	prune      bool
	violations []Violation
	reached    []string
	node       Node
	marks      marks
}

// successorSize is what a successor takes, besides its state.
const successorSize = 80

// noNews are the news of a known state. They are not modified.
var noNews news

// own makes the news those of the successor alone.
func (next *successor) own() *news {
	if next.news == &noNews {
		next.news = new(news)
	}
	return next.news
}

// visit tries all inputs in a state. It uses the successors of an earlier visit again.
func (w *worker) visit(ctx context.Context, state []byte, v *visit) {
	s := w.system
	*v = visit{successors: v.successors[:0]}
	if v.err = s.LoadState(state); v.err != nil || s.Final() {
		return
	}
	if w.key, v.err = s.AppendKey(w.key[:0]); v.err != nil {
		return
	}
	own := hashOf(w.key)
	w.inputs = s.AppendInputs(w.inputs[:0])
	pending, timed := false, false
	for _, in := range w.inputs {
		pending = pending || in.Event == ""
		timed = timed || in.Event == "" && in.due == nil
	}
	var ends []int
	if session, ok := s.(*Session); ok && w.opts.Reduce {
		ends = session.groups(w.inputs)
	}
	w.later = false
	timer, _ := s.(timedSystem)
	if timer != nil && w.graph {
		v.pending = timer.Pending()
	}
	fresh, stuck := true, !pending
	most := visitIn(w.opts.MaxMemory)
	for i, in := range w.inputs {
		if len(ends) > 0 && i == ends[0] {
			if w.later {
				return // the others are tried there
			}
			ends = ends[1:]
		}
		if v.size > most {
			v.successors = append(v.successors, successor{input: in, news: &news{err: boundError("memory")}})
			return
		}
		if ctx.Err() != nil {
			return
		}
		if in.untried() {
			v.delays = true
			continue
		}
		if !fresh {
			if v.err = s.LoadState(state); v.err != nil {
				return
			}
		}
		w.judged = false
		next := w.after(ctx, in, s.Apply(ctx, in))
		if ctx.Err() != nil {
			at := in // so that in stays on the stack
			v.interrupted = &at
			return
		}
		if next.err != nil { // the system may not load a state any more
			v.successors = append(v.successors, next)
			return
		}
		next.same = next.rests && next.hash == own
		var dropped []string
		if timer != nil && w.graph {
			dropped = timer.Dropped()
		}
		if next.same && dropped != nil {
			v.renewing = append(v.renewing, in)
			v.pending = slices.DeleteFunc(v.pending, func(name string) bool { return slices.Contains(dropped, name) })
		}
		fresh = next.same && !w.judged
		if !next.same {
			stuck = false
			v.delays = v.delays || timed && in.Event != ""
		}
		if !next.same || next.events != nil {
			v.successors = append(v.successors, next)
			v.size += successorSize + int64(len(next.state)+16*len(dropped)) + in.size()
			if w.graph {
				v.dropped = append(v.dropped, dropped)
			}
		}
	}
	if stuck {
		v.deadlock = s.Configuration() // nothing has changed it
	}
}

// after returns the state that the system is in after an input. err is the error of the input.
func (w *worker) after(ctx context.Context, in Input, err error) (next successor) {
	s := w.system
	next.input, next.news = in, &noNews
	if events := violations(s); events != nil {
		next.own().events = events
	}
	if err == nil {
		w.key, err = s.AppendKey(w.key[:0])
	}
	if err == nil && int64(len(w.key)) > visitIn(w.opts.MaxMemory) {
		err = boundError("memory")
	}
	if err != nil {
		next.own().fail(err)
		return next
	}
	next.rests, next.hash = true, hashOf(w.key)
	w.leftOut()
	number, known := w.seen.number(next.hash)
	w.later = w.later || !known || number >= w.level
	if !known {
		_, known = w.fresh[next.hash]
	}
	if known {
		if w.eventful = w.eventful || w.search.eventful; w.eventful {
			w.judge(ctx, &next)
		}
		return next
	}
	if w.fresh != nil {
		w.fresh[next.hash] = struct{}{}
	}
	next.own()
	if w.state, next.err = s.AppendState(w.state[:0]); next.err != nil {
		return next
	}
	next.state = bytes.Clone(w.state)
	next.prune = prunes(s)
	if w.graph {
		next.node = Node{Configuration: s.Configuration(), Final: s.Final()}
	}
	next.err = w.look(ctx, next.news, next.hash)
	if event := w.leftOut(); event {
		w.eventful = true
	}
	return next
}

// judge judges the properties in a state that is known, but to which another event has led.
func (w *worker) judge(ctx context.Context, next *successor) {
	w.judged = true
	var found news
	if err := w.properties(ctx, &found, next.hash); err != nil {
		next.own().err = err
		return
	}
	if found.violations != nil {
		own := next.own()
		own.events = append(slices.Clip(own.events), found.violations...)
	}
}

// fail notes the error of an input, which may be a violation.
func (next *news) fail(err error) {
	var limit *scxml.LimitError
	switch {
	case errors.As(err, &limit):
		next.events = append(next.events, Violation{Kind: Limit, Message: limit.Error()})
	case errors.Is(err, ErrEndless):
		next.events = append(next.events, Violation{Kind: Endless})
	default:
		next.err = err
	}
}

// look looks for what the options ask for in the present state, which has the hash is.
func (w *worker) look(ctx context.Context, next *news, is hash) (err error) {
	for _, name := range w.opts.Reach {
		if w.system.In(name) {
			next.reached = append(next.reached, name)
		}
	}
	if err := w.properties(ctx, next, is); err != nil {
		return err
	}
	if len(w.opts.LeadsTo) == 0 {
		return nil
	}
	w.eventful = w.leftOut() || w.eventful
	next.marks, err = markWith(ctx, w.system, w.opts.LeadsTo)
	if w.leftOut() {
		return errors.New("a response cannot look at _event: another event may have led to the same state")
	}
	for _, r := range w.opts.LeadsTo {
		if err == nil && r.look != nil {
			err = w.unchanged(r.Name, is)
		}
	}
	return err
}

// properties judges the properties in the present state, which has the hash is. Expressions come first,
// because functions of Go may change the state.
func (w *worker) properties(ctx context.Context, next *news, is hash) error {
	for _, expressions := range []bool{true, false} {
		for _, p := range w.opts.Properties {
			if (p.look != nil) != expressions {
				continue
			}
			holds, err := p.Holds(ctx, w.system)
			if err == nil && expressions {
				err = w.unchanged(p.Name, is)
			}
			if err != nil {
				return err
			}
			if !holds {
				next.violations = append(next.violations, Violation{Kind: Broken, Property: p.Name, Configuration: w.system.Configuration()})
			}
		}
	}
	return nil
}

// unchanged returns an error if an expression of the search has changed the state.
func (w *worker) unchanged(name string, is hash) (err error) {
	if w.key, err = w.system.AppendKey(w.key[:0]); err == nil && hashOf(w.key) != is {
		err = fmt.Errorf("property %q changes the data of the chart: it may only look at them", name)
	}
	return err
}
