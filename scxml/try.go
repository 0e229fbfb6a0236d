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
	NotEvaluated                // its condition is not shown to have no effect
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
// Try changes nothing. It evaluates a condition only as far as that has no effect. In the
// ECMAScript data model these are operators, reads of data without accessors, In, functions of the
// library that are known to have none, and functions of the chart's scripts that do no more than
// this and change nothing but their own variables and objects. Each step is checked when it is
// taken, so only the present definition of a function counts, and code that a condition does not
// reach does not matter. Functions that capture variables, classes, asynchronous functions and
// functions given by [WithFunc] are not called. A condition that would do anything else is stopped
// before it does: the verdict is NotEvaluated, and Err says what the condition would do, and where.
//
// The error is [ErrNotStarted], [ErrEnded], [ErrDriven] during a macrostep, says that the last
// macrostep was interrupted, or says what is wrong with the event. Only the owner may call Try.
func (s *Session) Try(ctx context.Context, ev Event) (Trial, error) {
	if err := s.admit(&ev); err != nil {
		return Trial{}, fmt.Errorf("scxml: Try: %w", err)
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

// inStep reports whether a driver is at work. A function given to Call runs between its steps.
func (t *tree) inStep() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.busy && !t.serving
}

func (s *Session) try(ctx context.Context, ev *Event) Trial {
	s.enterTurn(ctx)
	defer s.leaveTurn()
	trial := Trial{Certain: true}
	verdicts := make(map[transID]*Candidate)
	s.enabled = s.enabled[:0]
	for _, atomic := range s.atoms {
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
	prober, ok := s.data().(datamodel.Prober)
	if !ok {
		return NotEvaluated, fmt.Errorf("data model %q: %w", s.chart.Datamodel(), datamodel.ErrNotPure)
	}
	holds, err := prober.Probe(cond, ev)
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
