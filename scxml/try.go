package scxml

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// A Trial is what [Session.Try] found out about an event.
type Trial struct {
	// Handled reports that the event would enable a transition.
	Handled bool
	// Certain reports that no condition which Try could not evaluate decides which transitions
	// the event would enable.
	Certain bool
	// Candidates are the transitions with events of the active states in document order, and then
	// those of the invoked sessions that the event would be forwarded to.
	Candidates []Candidate
}

// A Candidate is a transition that an event might enable.
type Candidate struct {
	Session    *Session
	Transition Transition
	Verdict    Verdict
	By         Transition // the one that is taken instead, if the verdict is Preempted or NotReached
	Err        error      // why the condition failed or was not evaluated, or nil
}

// A Verdict says what [Session.Try] found out about a transition.
type Verdict uint8

const (
	NoMatch      Verdict = iota // the event does not match
	Taken                       // it would be taken
	CondFalse                   // its condition is false
	CondFailed                  // its condition fails, and counts as false
	Preempted                   // a transition that would be taken conflicts with it
	NotReached                  // an earlier one of its state, or one of a descendant, is taken
	NotEvaluated                // its condition has an effect, or might have one
)

var verdictNames = [...]string{"no match", "taken", "cond false", "cond failed", "preempted", "not reached", "not evaluated"}

// String returns the verdict in a word or two: "taken", "cond false".
func (v Verdict) String() string {
	if int(v) >= len(verdictNames) {
		return fmt.Sprintf("Verdict(%d)", uint8(v))
	}
	return verdictNames[v]
}

// String returns a line for each candidate: its place, its state and events, the verdict and the
// condition.
func (t Trial) String() string {
	var b strings.Builder
	for _, c := range t.Candidates {
		b.WriteString(c.String() + "\n")
	}
	return b.String()
}

// String returns the place, the state, the events, the verdict and the condition in one line.
func (c Candidate) String() string {
	t := c.Transition
	text := fmt.Sprintf("%s: %s: %s: %s", t.Pos(), t.Source().Name(), strings.Join(t.Events(), " "), c.Verdict)
	if cond := t.Cond(); cond != "" && c.Verdict != NoMatch {
		text += fmt.Sprintf(" (%s)", cond)
	}
	if c.Err != nil {
		text += ": " + c.Err.Error()
	}
	return text
}

// Try reports which transitions the session would select if ev were its next external event. It
// does not consider what is queued or due, and no <finalize> runs.
//
// Try changes nothing. What a condition of the ECMAScript data model changes is found by comparing the
// data before and after, and undone: the verdict is NotEvaluated, since Try does not know what the
// conditions after it would see, and Err says what was changed. A condition that calls a function
// given by [WithFunc] is stopped before it does. If the data cannot be saved (see [Session.Snapshot]),
// only simple conditions are evaluated, which cannot have an effect: comparisons, arithmetic,
// properties, In.
//
// The error is [ErrNotStarted], [ErrEnded], [ErrDriven] during a macrostep, says that the last
// macrostep was interrupted, or says what is wrong with the event. Only the owner may call Try.
func (s *Session) Try(ctx context.Context, ev Event) (Trial, error) {
	if err := s.admit(&ev); err != nil {
		return Trial{}, failed("Try", err)
	}
	switch {
	case s.status == Unstarted:
		return Trial{}, ErrNotStarted
	case s.status != Running:
		return Trial{}, ErrEnded
	case s.tree.inStep():
		return Trial{}, ErrDriven
	case s.unstable || s.internal.len() > 0:
		return Trial{}, errors.New("scxml: Try: the last macrostep was interrupted: call Step or Do to complete it")
	}
	defer s.tree.keepRandom()()
	trial := s.try(ctx, &ev)
	for _, inv := range s.running {
		if child := inv.child; inv.autoforward && child != nil && child.status == Running && !child.unstable {
			trial.Candidates = append(trial.Candidates, child.try(ctx, &ev).Candidates...)
		}
	}
	return trial, nil
}

// keepRandom returns a function that undoes what is drawn until it is called: a condition may look
// at the id of the session, which is drawn on first use.
func (t *tree) keepRandom() (undo func()) {
	random, seed, pcg := t.random, t.seed, rand.PCG{}
	if random != nil {
		pcg = random.pcg
	}
	type name struct{ id, addr string }
	names := make([]name, len(t.sessions))
	for i, s := range t.sessions {
		names[i] = name{s.id, s.addr}
	}
	return func() {
		t.random, t.seed = random, seed
		if random != nil {
			random.pcg = pcg
		}
		for i, s := range t.sessions {
			s.id, s.addr = names[i].id, names[i].addr
		}
	}
}

func (s *Session) try(ctx context.Context, ev *Event) Trial {
	s.enterTurn(ctx)
	defer s.leaveTurn()
	trial := Trial{Certain: true}
	verdicts := make(map[transID]*Candidate)
	s.enabled = s.enabled[:0]
	for _, atomic := range s.atomic {
		taken := noTransition // by this atomic state
		for st := atomic; st != table.None; st = s.chart.rows[st].parent {
			for _, id := range s.chart.states[st].evented {
				c := verdicts[id]
				switch {
				case c == nil:
					c = &Candidate{Session: s, Transition: Transition{s.chart, id}}
					verdicts[id] = c
					s.judge(c, ev, taken)
				case c.Verdict == NotReached && taken == noTransition:
					s.judge(c, ev, noTransition) // from here it is reached
				}
				switch c.Verdict {
				case Taken:
					if taken == noTransition {
						taken = id
						if !slices.Contains(s.enabled, id) {
							s.enabled = append(s.enabled, id)
						}
					}
				case NotEvaluated:
					trial.Certain = trial.Certain && taken != noTransition
				}
			}
		}
	}
	trial.Handled = len(s.enabled) > 0
	if len(s.enabled) > 1 {
		enabled := slices.Clone(s.enabled)
		s.removeConflictingTransitions()
		for _, id := range enabled {
			if !slices.Contains(s.enabled, id) {
				verdicts[id].Verdict, verdicts[id].By = Preempted, s.preempts(id)
			}
		}
	}
	s.enabled = s.enabled[:0]
	for _, id := range slices.Sorted(maps.Keys(verdicts)) {
		trial.Candidates = append(trial.Candidates, *verdicts[id])
	}
	return trial
}

// preempts returns which of the enabled transitions conflicts with another one.
func (s *Session) preempts(id transID) Transition {
	enabled := slices.Clone(s.enabled)
	s.enabled = append(enabled, id)
	s.findDomains()
	at := slices.IndexFunc(s.domains[:len(enabled)], func(d table.State) bool { return s.chart.conflict(s.domains[len(enabled)], d) })
	s.enabled = enabled
	if at < 0 {
		return Transition{} // that one was preempted too
	}
	return Transition{s.chart, enabled[at]}
}

// judge finds the verdict of a candidate but for preemption. taken is the transition that the active
// atomic state takes.
func (s *Session) judge(c *Candidate, ev *Event, taken transID) {
	t := &s.chart.transitions[c.Transition.id]
	c.By = Transition{}
	matches := slices.ContainsFunc(t.events, func(d string) bool { return table.Matches(d, ev.Name) })
	switch {
	case !matches:
		c.Verdict = NoMatch
	case taken != noTransition:
		c.Verdict, c.By = NotReached, Transition{s.chart, taken}
	case t.cond == nil:
		c.Verdict = Taken
	default:
		c.Verdict, c.Err = s.probe(t.cond, ev)
	}
}

func (s *Session) probe(cond datamodel.Expr, ev *Event) (Verdict, error) {
	prober, ok := s.store.(datamodel.Prober)
	if !ok {
		return NotEvaluated, fmt.Errorf("data model %q: %w", s.chart.Datamodel(), datamodel.ErrNotPure)
	}
	holds, err := prober.Probe(cond, ev, s.chart.exprs)
	switch {
	case errors.Is(err, datamodel.ErrNotPure):
		return NotEvaluated, err
	case err != nil:
		return CondFailed, err
	case holds:
		return Taken, nil
	}
	return CondFalse, nil
}
