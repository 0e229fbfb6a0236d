package compiled

import (
	"context"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// This file is what a fleet asks a session for.

func (l *live) NextDue() (due time.Time, ok bool) {
	if l.node == nil {
		return l.session.NextDue()
	}
	return machine.NextDue(l.node)
}

func (l *live) Outbox() []scxml.Task {
	if l.node == nil {
		return l.session.Outbox()
	}
	return l.tasks.with(l.node)
}

func (l *live) Status() scxml.Status {
	if l.node == nil {
		return l.session.Status()
	}
	core, _, _ := l.node.Machine()
	switch _, final := machine.FinalState(l.node); {
	case core.Flags&machine.Started == 0:
		return scxml.Unstarted
	case machine.Running(l.node):
		return scxml.Running
	case final:
		return scxml.Final
	}
	return scxml.Stopped
}

func (l *live) Err() error {
	if l.node == nil {
		return l.session.Err()
	}
	if err := machine.Err(l.node); err != nil {
		return limited(err)
	}
	if l.Status() == scxml.Stopped {
		return scxml.ErrStopped
	}
	return nil
}

func (l *live) Configuration() []string {
	if l.node == nil {
		return l.session.Configuration()
	}
	return machine.Configuration(l.node)
}

func (l *live) DoneData() datamodel.Value {
	if l.node == nil {
		return l.session.DoneData()
	}
	return toValue(machine.DoneData(l.node))
}

func (l *live) FinalState() string {
	if l.node == nil {
		return l.session.FinalState()
	}
	name, _ := machine.FinalState(l.node)
	return name
}

func (l *live) Enabled(ctx context.Context) ([]string, error) {
	return ask(ctx, l, fleet.Live.Enabled)
}

func (l *live) Data(ctx context.Context) (*datamodel.Object, error) {
	return ask(ctx, l, fleet.Live.Data)
}

func (l *live) Eval(ctx context.Context, expr string) (datamodel.Value, error) {
	return ask(ctx, l, func(s fleet.Live, ctx context.Context) (datamodel.Value, error) { return s.Eval(ctx, expr) })
}

func (l *live) Try(ctx context.Context, ev scxml.Event) (fleet.Trial, error) {
	return ask(ctx, l, func(s fleet.Live, ctx context.Context) (fleet.Trial, error) { return s.Try(ctx, ev) })
}

// ask asks a session in the state of the machine.
func ask[T any](ctx context.Context, l *live, question func(fleet.Live, context.Context) (T, error)) (answer T, err error) {
	s, err := l.interpret(ctx)
	if err != nil {
		return answer, err
	}
	return question(s, ctx)
}
