package scxmltest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A check is a line of what a scenario expects besides the trace. Its functions may be nil. They
// return what is wrong, or "".
type check struct {
	line    string
	failure string // the first one
	trace   *scxml.Trace

	rest    func(ctx context.Context, s *scxml.Session) (string, error)            // whenever the session rests
	onError func(err *scxml.ExecutionError) string                                 // at each error event
	end     func(ctx context.Context, s *scxml.Session, err error) (string, error) // at the end, with the error of the session
}

// checks reads the lines of a scenario's check.
func (s *Scenario) checks(chart *scxml.Chart) ([]*check, error) {
	var all []*check
	for i, line := range strings.Split(s.Check, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		c, err := s.check(chart, line)
		if err != nil {
			return nil, fmt.Errorf("check line %d: %w", i+1, err)
		}
		all = append(all, c)
	}
	return all, nil
}

func (s *Scenario) check(chart *scxml.Chart, line string) (*check, error) {
	c := &check{line: line}
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	var err error
	switch word {
	case "never":
		err = c.holds(chart, explore.Never(rest), "it is true")
	case "always":
		err = c.holds(chart, explore.Always(rest), "it is false")
	case "leads-to":
		err = c.leadsTo(chart, rest)
	case "reach":
		err = c.reach(chart, rest)
	case "data":
		err = c.data(rest)
	case "no":
		err = c.no(s, rest)
	case "property":
		err = c.property(s, rest)
	default:
		err = fmt.Errorf("%q is not a check: want always, data, leads-to, never, no, property or reach", word)
	}
	return c, err
}

// holds checks a property.
func (c *check) holds(chart *scxml.Chart, p explore.Property, why string) error {
	c.rest = func(ctx context.Context, s *scxml.Session) (string, error) {
		if ok, err := p.Holds(ctx, &explore.Session{Session: s}); ok || err != nil {
			return "", err
		}
		return why, nil
	}
	return p.Check(chart)
}

// in returns the names of the active states, or of the final one that the session has ended in.
func in(s *scxml.Session) string {
	return strings.Join((&explore.Session{Session: s}).Configuration(), " ")
}

// leadsTo checks that after A, B comes before the end.
func (c *check) leadsTo(chart *scxml.Chart, rule string) error {
	r, err := explore.LeadsTo(rule)
	if err == nil {
		err = r.Check(chart)
	}
	if err != nil {
		return err
	}
	waits := false
	c.rest = func(ctx context.Context, s *scxml.Session) (string, error) {
		system := &explore.Session{Session: s}
		began, err := r.When(ctx, system)
		if err != nil {
			return "", err
		}
		came, err := r.Then(ctx, system)
		waits = (waits || began) && !came
		return "", err
	}
	c.end = func(_ context.Context, s *scxml.Session, _ error) (string, error) {
		if waits {
			return "at the end it is not true: in " + in(s), nil
		}
		return "", nil
	}
	return nil
}

// reach checks that a state is active at some time, or that the session ends in it.
func (c *check) reach(chart *scxml.Chart, state string) error {
	if _, ok := chart.State(state); !ok {
		return fmt.Errorf("%q is not a state of %s", state, chart.File())
	}
	reached := false
	c.rest = func(_ context.Context, s *scxml.Session) (string, error) {
		reached = reached || s.In(state) || s.FinalState() == state
		return "", nil
	}
	c.end = func(_ context.Context, s *scxml.Session, _ error) (string, error) {
		if reached {
			return "", nil
		}
		return "it is not: at the end in " + in(s), nil
	}
	return nil
}

// data checks the value of a data item at the end.
func (c *check) data(rest string) error {
	id, text, ok := strings.Cut(rest, " ")
	if !ok {
		return fmt.Errorf("%q does not have a value: want data NAME JSON", rest)
	}
	want, err := datamodel.ParseStrictJSON([]byte(text))
	if err != nil {
		return err
	}
	c.end = func(ctx context.Context, s *scxml.Session, _ error) (string, error) {
		got, err := s.Eval(ctx, id)
		if err != nil || datamodel.Equal(got, want) {
			return "", err
		}
		return "it is " + datamodel.Text(got), nil
	}
	return nil
}

// property checks that a property chart in the scenario does not reach a final state.
func (c *check) property(s *Scenario, file string) error {
	chart, err := scxml.Load(s.fsys(), file)
	if err != nil {
		return err
	}
	observer, err := explore.NewObserver(chart)
	if err != nil {
		return err
	}
	c.trace = observer.Trace()
	restored := s.Snapshot != nil
	if !restored {
		if err := observer.Start(context.Background()); err != nil {
			return err
		}
	}
	c.rest = func(ctx context.Context, session *scxml.Session) (string, error) {
		if restored {
			restored = false
			if err := observer.Start(ctx, session.Configuration()...); err != nil {
				return "", err
			}
		}
		final, err := observer.Find(ctx)
		if final == "" {
			return "", err
		}
		return "it reaches " + final, err
	}
	return nil
}

// no checks that nothing goes wrong of itself.
func (c *check) no(s *Scenario, what string) error {
	switch what {
	case "error":
		c.onError = func(err *scxml.ExecutionError) string { return err.Event + ": " + err.Pos.String() + ": " + err.Msg }
	case "limit":
		c.end = func(_ context.Context, _ *scxml.Session, err error) (string, error) {
			if err != nil && (errors.Is(err, explore.ErrEndless) || errors.As(err, new(*scxml.LimitError))) {
				return err.Error(), nil
			}
			return "", nil
		}
	case "deadlock":
		data, err := s.eventData()
		if err != nil {
			return err
		}
		c.end = func(ctx context.Context, session *scxml.Session, _ error) (string, error) {
			return deadlock(ctx, session, data)
		}
	default:
		return fmt.Errorf("%q cannot be checked: want no deadlock, no error or no limit", "no "+what)
	}
	return nil
}

// eventData returns the data that events may carry, from the file data.json.
func (s *Scenario) eventData() (map[string][]any, error) {
	text, ok := s.Files["data.json"]
	if !ok {
		return nil, nil
	}
	data, err := explore.ParseData([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("data.json: %w", err)
	}
	return data, nil
}

// deadlock reports whether no event changes a session.
func deadlock(ctx context.Context, s *scxml.Session, data map[string][]any) (string, error) {
	if s.Status() != scxml.Running {
		return "", nil
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		return "", explore.CannotKeep(s.Chart(), err)
	}
	report, err := explore.Run(ctx, s.Chart(), explore.Options{From: snapshot, Data: data, MaxDepth: 1, Workers: 1})
	if err != nil || report.Transitions > 0 {
		return "", explore.CannotKeep(s.Chart(), err)
	}
	if report.Deadlocks == 0 {
		return "", nil
	}
	return "no event changes anything in " + in(s), nil
}
