package isolate

import (
	"context"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Work is something that a child does with a chart besides running it, such as drawing it.
type Work struct {
	Name string
	// Do makes something of a chart. It cannot be interrupted: a child that takes longer than
	// [Config].Deadline is ended.
	Do func(*scxml.Chart) ([]byte, error)
}

// Work compiles the document of a spec in the child, and returns what the [Work] of this name, which
// [Child] was given, makes of it. That is the child's word: check it. The error is a
// [*scxml.DocumentError] if the document is refused.
func (t *Tenant) Work(ctx context.Context, name string, spec Spec) ([]byte, error) {
	s, req, err := t.prepare(spec, nil, nil)
	if err != nil {
		return nil, err
	}
	defer t.drop(s)
	req.Op, req.Setup, req.Text = opWork, nil, name
	a, err := t.ask(ctx, req, s)
	if err != nil {
		return nil, err
	}
	return a.Made, nil
}

// doWork is Tenant.Work in the child.
func (c *child) doWork(req *request, a *answer) error {
	i := slices.IndexFunc(c.works, func(w Work) bool { return w.Name == req.Text })
	if i < 0 {
		return fmt.Errorf("Child was not given a Work %q", req.Text)
	}
	chart, err := c.chart(req.Document)
	if err != nil {
		return err
	}
	a.Made, err = c.works[i].Do(chart)
	return err
}
