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
	s, p, err := t.prepare(spec, nil, nil)
	if err != nil {
		return nil, err
	}
	defer t.drop(s)
	return ask(ctx, s, doWork, working{p.Document, name})
}

type working struct {
	Document document
	Name     string
}

var doWork = method[*hosted, working, []byte]{"work", func(_ context.Context, h *hosted, in working) ([]byte, error) {
	works := h.child.works
	i := slices.IndexFunc(works, func(w Work) bool { return w.Name == in.Name })
	if i < 0 {
		return nil, fmt.Errorf("Child was not given a Work %q", in.Name)
	}
	chart, err := h.child.chart(&in.Document)
	if err != nil {
		return nil, err
	}
	return works[i].Do(chart)
}}
