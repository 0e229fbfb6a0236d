package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// An Aspect is something in which two charts can differ.
type Aspect string

// The aspects.
const (
	Sends  Aspect = "send"  // events that are sent, with their data, delayed ones when they are due
	Logs   Aspect = "log"   // what <log> writes
	Errors Aspect = "error" // names of error events
	States Aspect = "state" // which of the states that both charts have are active at rest
	Ends   Aspect = "end"   // whether the session has ended, where, and with which data
	Limits Aspect = "limit" // whether a limit is exceeded, or the session does not come to rest
)

// Aspects are all aspects.
var Aspects = []Aspect{Sends, Logs, Errors, States, Ends, Limits}

// Compare searches for inputs after which two charts differ. It runs a session of each side by side and
// gives both the same inputs: those that may come in one of them, and that neither chart sends itself.
// Violations has a shortest way to a difference, and the verdict Holds means that no sequence of inputs
// tells the charts apart. Without aspects all of them count.
//
// What a chart sends to its own sessions, to "#_internal", "#_parent" and the like, does not count;
// an event that is sent without a target does, because the host hears it.
//
// The search ends with the first difference. It refuses From, Observers, Properties, LeadsTo and Reach of
// the options.
func Compare(ctx context.Context, old, new *scxml.Chart, opts Options, aspects ...Aspect) (*Report, error) {
	newPair, opts, err := comparison(old, new, opts, aspects)
	if err != nil {
		return nil, err
	}
	return Search(ctx, func() (System, error) { return newPair() }, opts)
}

// comparison returns what makes pairs of two charts, and the options of their search.
func comparison(old, new *scxml.Chart, opts Options, aspects []Aspect) (newPair func() (*pair, error), with Options, err error) {
	if opts.From != nil || opts.Observers != nil || opts.Properties != nil || opts.LeadsTo != nil || opts.Reach != nil || opts.Reduce {
		return nil, opts, errors.New("explore: cannot compare charts from a snapshot, or with properties")
	}
	if len(aspects) == 0 {
		aspects = Aspects
	}
	var shared []string
	for _, st := range old.States() {
		if other, ok := new.State(st.ID()); ok && st.ID() != "" && st.Kind() != scxml.KindHistory && other.Kind() != scxml.KindHistory {
			shared = append(shared, st.ID())
		}
	}
	opts.Errors, opts.Unused = false, false
	opts.First, opts.NoDeadlocks = true, true
	newPair = func() (*pair, error) {
		p := &pair{again: newPair, aspects: aspects, shared: shared}
		for i, chart := range []*scxml.Chart{old, new} {
			var err error
			if p.sides[i], err = newSide(chart, opts, aspects); err != nil {
				return nil, err
			}
		}
		p.clocks = newClocks(opts, p.sides[0].Session.Session, p.sides[1].Session.Session)
		return p, nil
	}
	return newPair, opts, nil
}

// A pair is the System of two sessions that get the same inputs.
type pair struct {
	again   func() (*pair, error)
	sides   [2]*side // old and new
	clocks  *clocks  // of both, nil with Zero
	aspects []Aspect
	shared  []string // states that both have

	violations []Violation
	over       bool // both have failed in the same way, and the search ends here
	buf        []byte
}

// A side is one session of a pair.
type side struct {
	*Session
	seen []observation // since the last input
	err  error         // of the last input
}

// An observation is something that a session does.
type observation struct {
	aspect Aspect
	text   string
}

// newSide returns a session that notes what it does.
func newSide(chart *scxml.Chart, opts Options, aspects []Aspect) (*side, error) {
	s := new(side)
	note := func(a Aspect, text string) {
		if slices.Contains(aspects, a) {
			s.seen = append(s.seen, observation{a, text})
		}
	}
	send := func(m scxml.Message) {
		if !strings.HasPrefix(m.Target, "#_") {
			text := Input{Event: m.Event.Name, Data: m.Event.Data}.String()
			if m.Target != "" {
				text += " to " + m.Target
			}
			note(Sends, text)
		}
	}
	trace := &scxml.Trace{
		Send: func(_ *scxml.Session, m scxml.Message) {
			if m.Delay == 0 {
				send(m)
			}
		},
		Timer: func(_ *scxml.Session, m scxml.Message) { send(m) },
		Log: func(_ *scxml.Session, label string, value datamodel.Value) {
			note(Logs, strings.TrimSpace(label+" "+shown(value)))
		},
		Error: func(_ *scxml.Session, err *scxml.ExecutionError) { note(Errors, err.Event) },
	}
	opts.Session = append(slices.Clone(opts.Session), scxml.WithTrace(trace))
	opts.Time = Zero // the pair has the clocks
	var err error
	s.Session, err = NewSession(chart, opts)
	return s, err
}

// shown returns a value as JSON, "" without one.
func shown(v datamodel.Value) string {
	if v == nil {
		return ""
	}
	return string(datamodel.AppendJSON(nil, v))
}

func (p *pair) Start(ctx context.Context) error {
	return p.both(func(s *side) error { return s.Start(ctx) })
}

// Apply gives the input to both sessions, unless they have ended.
func (p *pair) Apply(ctx context.Context, in Input) error {
	if err := p.clocks.happen(in); err != nil {
		return err
	}
	return p.both(func(s *side) error {
		if s.Final() {
			return nil
		}
		return s.Session.Apply(ctx, in)
	})
}

// both lets both sessions do something, and compares what they do. Exceeded limits are differences, or the
// end of this way, but not errors.
func (p *pair) both(do func(*side) error) error {
	p.violations, p.over = nil, false
	for _, s := range p.sides {
		s.seen = s.seen[:0]
		s.err = do(s)
		if s.err != nil && !errors.Is(s.err, ErrEndless) && !errors.As(s.err, new(*scxml.LimitError)) {
			return s.err
		}
		if s.err != nil {
			p.over = true
		}
	}
	if err := p.clocks.settle(); err != nil {
		return err
	}
	p.compare()
	return nil
}

// Schedule gives a path its times.
func (p *pair) Schedule(path []Input) ([]Input, error) {
	if p.clocks == nil {
		return path, nil
	}
	again, err := p.again()
	if err != nil {
		return nil, err
	}
	return scheduled(again, again.clocks, path, false, time.Second)
}

// compare notes the first difference.
func (p *pair) compare() {
	a, b := p.sides[0], p.sides[1]
	const nothing = "nothing"
	for i := range max(len(a.seen), len(b.seen)) {
		x, y := observation{text: nothing}, observation{text: nothing}
		if i < len(a.seen) {
			x = a.seen[i]
		}
		if i < len(b.seen) {
			y = b.seen[i]
		}
		if x != y {
			p.differ(cmp.Or(x.aspect, y.aspect), x.text, y.text)
			return
		}
	}
	if slices.Contains(p.aspects, Limits) && (a.err == nil) != (b.err == nil) {
		p.differ(Limits, failure(a.err), failure(b.err))
		return
	}
	if p.over {
		return
	}
	if slices.Contains(p.aspects, States) {
		var only [2][]string // the states in which only one of them is
		for _, name := range p.shared {
			switch x, y := a.In(name), b.In(name); {
			case x && !y:
				only[0] = append(only[0], name)
			case y && !x:
				only[1] = append(only[1], name)
			}
		}
		if only[0] != nil || only[1] != nil {
			p.differ(States, cmp.Or(strings.Join(only[0], " "), nothing), cmp.Or(strings.Join(only[1], " "), nothing))
			return
		}
	}
	if slices.Contains(p.aspects, Ends) {
		if x, y := a.end(), b.end(); x != y {
			p.differ(Ends, x, y)
		}
	}
}

func (p *pair) differ(a Aspect, old, new string) {
	p.violations = []Violation{{Kind: Difference, Property: string(a), Message: fmt.Sprintf("old: %s; new: %s", old, new)}}
}

func failure(err error) string {
	if err == nil {
		return "comes to rest"
	}
	return strings.TrimPrefix(err.Error(), "scxml: ")
}

// end says how the session has ended.
func (s *side) end() string {
	if !s.Final() {
		return "running"
	}
	return strings.TrimSpace("ended in " + s.FinalState() + " " + shown(s.DoneData()))
}

// Violations returns the difference that the last input has made.
func (p *pair) Violations() []Violation { return p.violations }

// LeftOut returns what the sessions have left out.
func (p *pair) LeftOut() (reasons []Reason, event bool) {
	for _, s := range p.sides {
		r, _ := s.LeftOut()
		reasons = append(reasons, r...)
	}
	return reasons, false
}

// KeepIDs and KeepsIDs are those of both sessions.
func (p *pair) KeepIDs() {
	for _, s := range p.sides {
		s.KeepIDs()
	}
}

func (p *pair) KeepsIDs() bool { return p.sides[0].KeepsIDs() || p.sides[1].KeepsIDs() }

// Prune reports whether the sessions differ, or both have failed.
func (p *pair) Prune() bool { return p.over || p.violations != nil }

// AppendInputs appends what may come in one of the sessions.
func (p *pair) AppendInputs(dst []Input) []Input {
	known := map[string]bool{}
	var wait Input
	for _, s := range p.sides {
		if s.Final() {
			continue
		}
		for _, in := range s.Session.AppendInputs(nil) {
			switch text := in.String(); {
			case in.Event == "" && p.clocks != nil:
			case in.Event == "":
				if wait.Wait == 0 || in.Wait < wait.Wait {
					wait = in
				}
			case !known[text] && p.sides[0].chart.IsUserEvent(in.Event) && p.sides[1].chart.IsUserEvent(in.Event):
				known[text] = true
				dst = append(dst, in)
			}
		}
	}
	if wait.Wait > 0 {
		dst = append(dst, wait)
	}
	if p.clocks != nil {
		dst = p.clocks.appendWaits(dst)
	}
	return dst
}

// AppendState appends the state of both sessions, each after its length.
func (p *pair) AppendState(dst []byte) ([]byte, error) {
	return p.append(dst, func(s *side, dst []byte) ([]byte, error) { return s.AppendState(dst) })
}

// AppendKey appends the keys of both sessions, each after its length.
func (p *pair) AppendKey(dst []byte) ([]byte, error) {
	if p.over {
		return append(dst, "over"...), nil
	}
	return p.append(dst, func(s *side, dst []byte) ([]byte, error) { return s.AppendKey(dst) })
}

func (p *pair) append(dst []byte, from func(s *side, dst []byte) ([]byte, error)) ([]byte, error) {
	if p.over {
		return dst, nil // such a state is pruned, never loaded
	}
	dst = p.clocks.append(dst)
	for i, s := range p.sides {
		var err error
		if p.buf, err = from(s, p.buf[:0]); err != nil {
			return dst, fmt.Errorf("the %s chart: %w", [...]string{"old", "new"}[i], err)
		}
		dst = appendPart(dst, p.buf)
	}
	return dst, nil
}

// LoadState loads both sessions.
func (p *pair) LoadState(state []byte) error {
	p.violations, p.over = nil, false
	state, err := p.clocks.read(state)
	if err != nil {
		return err
	}
	for _, s := range p.sides {
		var part []byte
		part, state = cutPart(state)
		if err := s.LoadState(part); err != nil {
			return err
		}
	}
	return p.clocks.loaded()
}

// Final reports whether both sessions have ended.
func (p *pair) Final() bool { return p.sides[0].Final() && p.sides[1].Final() }

// Configuration, In and Eval are those of the old chart.
func (p *pair) Configuration() []string { return p.sides[0].Configuration() }

func (p *pair) In(state string) bool { return p.sides[0].In(state) }

func (p *pair) Eval(ctx context.Context, expr string) (datamodel.Value, error) {
	return p.sides[0].Eval(ctx, expr)
}
