package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// A Session is the [System] of one session of a chart. With the timing [Zero] it takes the waits of a path
// with times, see [Session.Schedule]. It belongs to one goroutine at a time.
type Session struct {
	*scxml.Session
	chart      *scxml.Chart
	opts       Options
	data       map[string][]datamodel.Value
	given      []string    // names of events that the options give
	violations []Violation // of the present input
	view       *view
	clocks     *clocks              // nil with Zero
	entered    map[scxml.State]bool // with Options.Unused
	taken      map[scxml.Transition]bool
	local      map[scxml.State]bool // with Options.Reduce, see LocalStates
	caveats    caveats
	refused    error // see LibraryError
}

// epoch is the time when all sessions start.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// maxMacrosteps is how many macrosteps may follow from one input.
const maxMacrosteps = 10_000

// NewSession returns a session of the chart that has not started. It uses Session, Data, From and Errors of
// the options. The error is that of [scxml.New], or says which data cannot be sent.
func NewSession(chart *scxml.Chart, opts Options) (*Session, error) {
	data, err := values(opts.Data)
	if err != nil {
		return nil, err
	}
	return newSession(chart, opts, data)
}

// values returns the data of events as values of a session.
func values(data map[string][]any) (map[string][]datamodel.Value, error) {
	all := make(map[string][]datamodel.Value)
	for _, name := range slices.Sorted(maps.Keys(data)) {
		for _, item := range data[name] {
			v, err := datamodel.From(item)
			if err != nil {
				return nil, fmt.Errorf("data of event %q: %w", name, err)
			}
			all[name] = append(all[name], v)
		}
	}
	return all, nil
}

func newSession(chart *scxml.Chart, opts Options, data map[string][]datamodel.Value) (*Session, error) {
	given := slices.Concat(opts.Names, slices.Sorted(maps.Keys(data)))
	s := &Session{chart: chart, opts: opts, data: data, given: given, entered: map[scxml.State]bool{}, taken: map[scxml.Transition]bool{}}
	var err error
	if s.view, err = newView(chart, opts.View); err != nil {
		return s, err
	}
	for _, p := range opts.Properties {
		if err := p.Check(chart); err != nil {
			return s, err
		}
	}
	for _, r := range opts.LeadsTo {
		if err := r.Check(chart); err != nil {
			return s, err
		}
	}
	s.Session, err = scxml.New(chart, append([]scxml.Option{scxml.WithSeed(1), scxml.WithSessionID("session"), scxml.WithMissing()}, s.options()...)...)
	if err == nil {
		scxml.ForSearch(s.Session).Watch(false)
	}
	s.clocks = newClocks(opts, s.Session)
	if opts.Reduce && err == nil {
		var local []bool
		local, err = LocalStates(chart, opts)
		s.local = map[scxml.State]bool{}
		for i, is := range local {
			s.local[chart.States()[i]] = is
		}
	}
	return s, err
}

func (s *Session) options() []scxml.Option {
	return append([]scxml.Option{
		scxml.WithClock(func() time.Time { return epoch }), scxml.WithAccept(s.chart.IsUserEvent), scxml.WithTrace(s.trace()),
	}, s.opts.Session...)
}

func (s *Session) trace() *scxml.Trace {
	trace := &scxml.Trace{Error: func(_ *scxml.Session, err *scxml.ExecutionError) {
		v := Violation{Kind: Error, Property: err.Event, Message: err.Pos.String() + ": " + err.Msg}
		interrupted := errors.Is(err, datamodel.ErrScriptTime)
		if interrupted { // depends on the machine, and so does what follows
			v.Kind, v.Property = Limit, ""
		}
		if interrupted || s.opts.Errors {
			s.violations = append(s.violations, v)
		}
	}}
	if s.opts.Unused {
		trace.Enter = func(_ *scxml.Session, st scxml.State) { s.entered[st] = true }
		trace.Transition = func(_ *scxml.Session, t scxml.Transition) { s.taken[t] = true }
	}
	return trace
}

// Eval is as that of a session. It notes what the expression looks at, see [Session.LeftOut].
func (s *Session) Eval(ctx context.Context, expr string) (datamodel.Value, error) {
	v, err := s.Session.Eval(ctx, expr)
	s.note(Input{}, true)
	return v, cmp.Or(s.refused, err)
}

// Start starts the session, or restores the one of Options.From, and brings it to rest. The errors are those of
// [System] and of [scxml.Restore], and a [*LibraryError].
func (s *Session) Start(ctx context.Context) (err error) {
	defer func() {
		s.note(Input{}, false)
		err = cmp.Or(s.refused, err)
	}()
	s.violations = nil
	if s.opts.From == nil {
		return s.rest(ctx, s.Session.Start(ctx))
	}
	saved, err := scxml.Restore(s.chart, s.opts.From, scxml.Options(s.options()))
	if err != nil {
		return err
	}
	state, err := scxml.ForSearch(saved).AppendState(nil)
	if err == nil {
		err = scxml.ForSearch(s.Session).LoadState(state)
	}
	for _, name := range s.Configuration() {
		st, _ := s.chart.State(name)
		s.entered[st] = true
	}
	return s.rest(ctx, err)
}

// names returns the names of the events that may come in the present state.
func (s *Session) names() []string {
	enabled := s.Enabled()
	matches := func(name string) bool {
		return slices.ContainsFunc(enabled, func(d string) bool { return table.Matches(d, name) }) && s.chart.IsUserEvent(name)
	}
	var all []string
	if s.opts.Names == nil {
		for _, descriptor := range enabled {
			name := cmp.Or(strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), "."), Other)
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	for _, name := range s.given {
		if !slices.Contains(all, name) && matches(name) {
			all = append(all, name)
		}
	}
	return all
}

// AppendInputs appends the events that may come in the present state, and the waits for delayed events.
func (s *Session) AppendInputs(dst []Input) []Input {
	for _, name := range s.names() {
		if list := s.data[name]; len(list) > 0 {
			for _, data := range list {
				dst = append(dst, Input{Event: name, Data: data})
			}
		} else {
			dst = append(dst, Input{Event: name})
		}
	}
	if s.clocks != nil {
		return s.clocks.appendWaits(dst)
	}
	if due, ok := s.NextDue(); ok {
		dst = append(dst, Input{Wait: due.Sub(s.Now())})
	}
	return dst
}

// Apply gives the session an input and completes what follows from it. The errors are those of [System], and a
// [*LibraryError]; after one the state is not to be used, except to load another.
func (s *Session) Apply(ctx context.Context, in Input) (err error) {
	defer func() {
		s.note(in, false)
		err = cmp.Or(s.refused, err)
	}()
	s.violations = nil
	err = s.clocks.happen(in)
	switch {
	case err != nil:
		return err
	case in.Event != "":
		err = s.Send(scxml.Event{Name: in.Event, Data: in.Data})
	default:
		_, err = s.Step(ctx, s.Now().Add(in.Wait))
	}
	return s.rest(ctx, err)
}

// rest takes macrosteps until the session is at rest. err is the error so far.
func (s *Session) rest(ctx context.Context, err error) error {
	for steps, more := 0, true; more && err == nil; steps++ {
		if steps == maxMacrosteps {
			return ErrEndless
		}
		if more, err = s.Step(ctx, s.Now()); err == nil {
			err = s.deliver()
		}
	}
	if err == nil {
		err = s.clocks.settle()
	}
	return err
}

// deliver reports what the chart has sent as delivered.
func (s *Session) deliver() error {
	for _, task := range scxml.ForServer(s.Session).Outbox() {
		if task.Kind != scxml.TaskSend {
			continue // AppendState refuses services
		}
		if _, err := scxml.ForServer(s.Session).Report(scxml.Outcome{Task: task.ID}); err != nil {
			return err
		}
	}
	return nil
}

// Pending returns the names of the delayed events that are pending, and Dropped of those that were due or
// cancelled at the last input. With the timing [Zero] there are none.
func (s *Session) Pending() []string { return s.clocks.names() }

// Dropped is described at Pending.
func (s *Session) Dropped() []string {
	if s.clocks == nil {
		return nil
	}
	return s.clocks.dropped
}

// AppendState is as [scxml.SearchView.AppendState].
func (s *Session) AppendState(dst []byte) ([]byte, error) {
	dst, err := scxml.ForSearch(s.Session).AppendState(s.clocks.append(dst))
	return dst, CannotKeep(s.chart, err)
}

// LoadState is as [scxml.SearchView.LoadState].
func (s *Session) LoadState(state []byte) error {
	state, err := s.clocks.read(state)
	if err == nil {
		err = scxml.ForSearch(s.Session).LoadState(state)
	}
	if err != nil {
		return CannotKeep(s.chart, err)
	}
	return s.clocks.loaded()
}

// Schedule returns the path with the earliest times at which its inputs can come: waits in place of those
// that are open, and before events. The path begins at the start of the session. Schedule does not
// change s. It fails with [ErrUntimed] if the inputs cannot come at any times.
func (s *Session) Schedule(path []Input) ([]Input, error) {
	return s.schedule(path, false, time.Second)
}

func (s *Session) schedule(path []Input, latest bool, small time.Duration) ([]Input, error) {
	if s.clocks == nil || len(path) == 0 {
		return path, nil
	}
	again, err := newSession(s.chart, s.opts, s.data)
	if err != nil {
		return nil, err
	}
	return scheduled(again, again.clocks, path, latest, small)
}

// Final reports whether the session has ended.
func (s *Session) Final() bool { return s.Status() != scxml.Running }

// In reports whether a state is active, or is the final one that the session ended in.
func (s *Session) In(state string) bool { return s.Session.In(state) || s.FinalState() == state }

// Configuration returns the active states, or the final one that the session ended in.
func (s *Session) Configuration() []string {
	if final := s.FinalState(); final != "" {
		return []string{final}
	}
	return s.Session.Configuration()
}

// Violations returns the error events since the last input, if Options.Errors is set.
func (s *Session) Violations() []Violation { return s.violations }

// unused reports what none of the sessions has entered or taken.
func (r *Report) unused(chart *scxml.Chart, sessions []*Session) {
	for _, st := range chart.States() {
		_, inside := st.Parent()
		if inside && st.Kind() != scxml.KindHistory && !slices.ContainsFunc(sessions, func(s *Session) bool { return s.entered[st] }) {
			r.Unentered = append(r.Unentered, st)
		}
	}
	for _, t := range chart.Transitions() {
		if !slices.ContainsFunc(sessions, func(s *Session) bool { return s.taken[t] }) {
			r.Untaken = append(r.Untaken, t)
		}
	}
}
