package suite

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// Changes describes in lines how a value differs from what it was. The lines begin with the id.
type Changes func(id string, was, now datamodel.Value) []string

// Counterexample returns a scenario that fails as long as the chart has a violation that a search with the
// options has found. Comments in its events say which states are active after each, and which data has
// changed, which changes describes. The scenario has no chart yet, see
// [scxmltest.Scenario]. It is an error if the violation is of a property that a scenario cannot check, or
// does not repeat.
func Counterexample(ctx context.Context, chart *scxml.Chart, opts explore.Options, v explore.Violation, changes Changes) (*scxmltest.Scenario, error) {
	s := &scxmltest.Scenario{Comment: title(v), Snapshot: opts.From}
	if err := expect(s, opts, v); err != nil {
		return nil, fmt.Errorf("suite: %w", err)
	}
	s.Events = lines(v.Path) + lines(v.Cycle)
	story := &story{changes: changes, data: map[string]datamodel.Value{}}
	got, err := s.Steps(ctx, chart, func(line string, session *scxml.Session) { story.step(ctx, line, session) }, opts.Session...)
	if err != nil {
		return nil, fmt.Errorf("suite: %w", err)
	}
	if len(got.Failures) == 0 {
		return nil, fmt.Errorf("suite: cannot repeat the violation: %s", v)
	}
	s.Events = story.tell(v)
	return s, nil
}

// title returns the first line of a scenario.
func title(v explore.Violation) string {
	text := "violated: " + string(v.Kind)
	for _, part := range []string{v.Property, v.Message} {
		if part != "" {
			text += ": " + oneLine(part)
		}
	}
	return text
}

// expect sets what the scenario checks.
func expect(s *scxmltest.Scenario, opts explore.Options, v explore.Violation) error {
	switch v.Kind {
	case explore.Deadlock:
		s.Check = "no deadlock"
		if len(opts.Data) > 0 {
			data, err := datamodel.From(opts.Data)
			if err != nil {
				return err
			}
			s.Files = map[string]string{"data.json": string(datamodel.AppendJSON(nil, data))}
		}
	case explore.Limit, explore.Endless:
		s.Check = "no limit"
	case explore.Error:
		s.Check = "no error"
	case explore.Missing:
		s.Check = "reach " + v.Property
	case explore.Unanswered:
		s.Check = "leads-to " + v.Property
	case explore.Broken:
		s.Check = v.Property
		if strings.HasPrefix(v.Property, "never ") || strings.HasPrefix(v.Property, "always ") {
			break
		}
		at := slices.IndexFunc(opts.Observers, func(c *scxml.Chart) bool { return strings.HasPrefix(v.Property, c.File()+": ") })
		if at < 0 {
			return fmt.Errorf("a scenario cannot check the property %q: want one of Never or Always, or a property chart", v.Property)
		}
		name := path.Base(opts.Observers[at].File())
		s.Files = map[string]string{name: opts.Observers[at].Source()}
		s.Check = "property " + name
	default:
		return fmt.Errorf("a scenario cannot check %q", v.Kind)
	}
	if strings.ContainsAny(s.Check, "\r\n") {
		return errors.New("a property in a scenario is one line: " + s.Check)
	}
	return nil
}

// A story is what a session does at each step.
type story struct {
	changes  Changes
	data     map[string]datamodel.Value
	comments [][]string // of the start and of each line
}

// step notes what a step has done.
func (t *story) step(ctx context.Context, line string, s *scxml.Session) {
	comments := []string{"in " + strings.Join(s.Configuration(), " ")}
	if s.Status() != scxml.Running {
		comments[0] = "ended in " + s.FinalState()
	}
	for _, session := range s.Sessions() {
		for _, id := range session.Chart().Data() {
			now, err := session.Eval(ctx, id)
			if err != nil {
				continue // it has ended, or a script has removed the item
			}
			name := id
			if session.InvokeID() != "" {
				name = "[" + session.InvokeID() + "] " + id
			}
			was, known := t.data[name]
			t.data[name] = now
			if !known {
				comments = append(comments, name+" = "+text(now))
			} else if !datamodel.Equal(was, now) {
				comments = append(comments, t.changes(name, was, now)...)
			}
		}
	}
	t.comments = append(t.comments, comments)
}

// tell returns the events of the scenario with comments.
func (t *story) tell(v explore.Violation) string {
	var b strings.Builder
	inputs := append(append([]explore.Input{}, v.Path...), v.Cycle...)
	for i := range len(inputs) + 1 {
		if i > 0 {
			b.WriteString(inputs[i-1].String() + "\n")
		}
		if i < len(t.comments) {
			for _, comment := range t.comments[i] {
				b.WriteString("# " + oneLine(comment) + "\n")
			}
		}
		if i == len(v.Path) && v.Cycle != nil {
			b.WriteString("\n# and then again and again\n")
		}
	}
	if v.Kind == explore.Missing {
		b.WriteString("# no events lead there: write those that should\n")
	}
	return b.String()
}

// maxText is how much of a value a comment shows, in bytes.
const maxText = 200

// text writes a value on one line.
func text(v datamodel.Value) string {
	if v == nil {
		return "undefined"
	}
	s := string(datamodel.AppendJSON(nil, v))
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return s
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
