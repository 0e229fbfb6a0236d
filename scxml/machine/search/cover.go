package search

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

const (
	// lastSize is how many bytes a state has for the transition that was taken last, with Followed.
	lastSize = 2
	// maxFollowed bounds the transitions of a chart with Followed: each worker keeps a byte for each two of them.
	maxFollowed = 4096
)

// Pair returns the two transitions of a [Finding] that is Followed, by its number.
func Pair(number int) (first, second int) { return number / maxFollowed, number % maxFollowed }

func (s *search) covers(k Kind) bool { return slices.Contains(s.task.Cover, k) }

// cover lets a worker note what its machine does for the first time. The node is that of the machine, or tells in its place
// which conditions hold.
func (w *worker) cover(hooks *machine.Hooks) (machine.Node, error) {
	_, chart, _ := w.m.Node.Machine()
	transitions := len(chart.Transitions)
	// tell returns what notes a kind, of so many that there are, or nothing.
	tell := func(kind Kind, most int) func(number int) {
		if !w.covers(kind) {
			return func(int) {}
		}
		told := make([]bool, most)
		return func(number int) {
			if !told[number] {
				told[number] = true
				w.notes = append(w.notes, note{kind: kind, number: number})
			}
		}
	}
	if len(w.task.Cover) == 0 {
		return w.m.Node, nil
	}
	entered := tell(Entered, len(chart.IDs))
	hooks.EnteredState = func(st uint16) { entered(int(st)) } // also so that the machine uses no shortcuts
	switch {
	case w.covers(Followed):
		if transitions > maxFollowed {
			return nil, errors.New("the chart has too many transitions")
		}
		taken, followed := tell(Taken, transitions), tell(Followed, maxFollowed*transitions)
		hooks.Took = func(t int) {
			taken(t)
			if w.last > 0 {
				followed((w.last-1)*maxFollowed + t)
			}
			w.last = t + 1
		}
	case w.covers(Taken):
		hooks.Took = tell(Taken, transitions)
	}
	if w.covers(True) || w.covers(False) {
		return &asking{w.m.Node, tell(True, transitions), tell(False, transitions)}, nil
	}
	return w.m.Node, nil
}

// An asking node tells which conditions hold.
type asking struct {
	machine.Node
	holds, fails func(transition int)
}

func (a *asking) Condition(transition uint16) bool {
	is := a.Node.Condition(transition)
	if is {
		a.holds(int(transition))
	} else {
		a.fails(int(transition))
	}
	return is
}

// setDeeds counts what can be covered.
func (s *search) setDeeds(c *machine.Chart) {
	for _, kind := range s.task.Cover {
		if kind == Followed {
			s.deeds = math.MaxInt
			return
		}
		for st, own := range c.Of {
			switch {
			case c.Kinds[st] == machine.Shallow || c.Kinds[st] == machine.Deep:
			case kind != Entered:
				for _, t := range own {
					if kind == Taken || c.Transitions[t].Cond {
						s.deeds++
					}
				}
			case st > 0:
				s.deeds++
			}
		}
	}
}

// covered notes that something is done for the first time. When all is, machines take their shortcuts again.
func (s *search) covered() {
	if s.deeds--; s.deeds == 0 {
		for _, w := range s.workers {
			w.core.Flags &^= machine.Watched
		}
	}
}

// A note is a finding without its path.
type note struct {
	kind   Kind
	number int
	event  string
}

// note adds a finding, unless there is one like it.
func (s *search) note(what note, n *news) {
	if s.noted[what] {
		return
	}
	s.noted[what] = true
	s.result.Findings = append(s.result.Findings, Finding{Kind: what.kind, Number: what.number, Event: what.event, Path: s.path(n)})
	if s.covers(what.kind) {
		s.covered()
	} else {
		s.first = true
	}
}

// stateSize returns how many bytes a state has.
func (w *worker) stateSize() int {
	if w.covers(Followed) {
		return w.codec.Size() + lastSize
	}
	return w.codec.Size()
}

// load loads a state.
func (w *worker) load(state []byte) (last int, ended bool, err error) {
	if rest := state[w.codec.Size():]; len(rest) > 0 {
		w.last = int(binary.LittleEndian.Uint16(rest))
	}
	ended, err = w.codec.Load(state[:w.codec.Size()])
	return w.last, ended, err
}

// append appends the present state.
func (w *worker) append(dst []byte) ([]byte, error) {
	dst, err := w.codec.Append(dst)
	if w.size > w.codec.Size() {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(w.last))
	}
	return dst, err
}
