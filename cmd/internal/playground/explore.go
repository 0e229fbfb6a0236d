package playground

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// Bounds of a search. The page waits for it.
const (
	searchTime   = 10 * time.Second
	searchMemory = 256 << 20
	breathe      = 100 * time.Millisecond // how often others get their turn where there is one thread
	maxTaken     = 1000                   // transitions of a step
)

// A question is a request for a search. Without properties it is for deadlocks and the like.
type question struct {
	Source  string `json:"source"`
	Never   string `json:"never"`
	Always  string `json:"always"`
	LeadsTo string `json:"leads_to"`
}

// A found is the answer to a question.
type found struct {
	Verdict    string      `json:"verdict"`
	Bound      string      `json:"bound,omitempty"`    // why it is inconclusive
	States     int         `json:"states"`             // that were visited
	LeftOut    []string    `json:"left_out,omitempty"` // what was not tried
	Violations []violation `json:"violations"`
}

// A violation is a way through the chart to what must not be.
type violation struct {
	Text  string     `json:"text"`
	Steps []stepInto `json:"steps"`           // the first one is the start
	Cycle int        `json:"cycle,omitempty"` // the number of the first step that comes again and again
}

// A stepInto is an input, with the names of what it leads to and of what it takes.
type stepInto struct {
	Input  string   `json:"input"`
	Active []string `json:"active"`
	Taken  []string `json:"taken"`
}

// serveExplore looks for what is wrong with the chart whatever events come.
func (p *Playground) serveExplore(w http.ResponseWriter, r *http.Request) {
	var q question
	if !readJSON(w, r, &q) {
		return
	}
	out, err := p.explore(r.Context(), q, searchTime)
	if err != nil {
		http.Error(w, strings.TrimPrefix(err.Error(), "explore: "), http.StatusUnprocessableEntity)
		return
	}
	answer(w, out)
}

// explore searches for some time. Then it takes the ways that were found again.
func (p *Playground) explore(ctx context.Context, q question, most time.Duration) (*found, error) {
	opts := explore.Options{Workers: 1, MaxMemory: searchMemory, Properties: []explore.Property{breathing()}}
	if q.Never != "" {
		opts.Properties = append(opts.Properties, explore.Never(q.Never))
	}
	if q.Always != "" {
		opts.Properties = append(opts.Properties, explore.Always(q.Always))
	}
	if q.LeadsTo != "" {
		rule, err := explore.LeadsTo(q.LeadsTo)
		if err != nil {
			return nil, err
		}
		opts.LeadsTo = append(opts.LeadsTo, rule)
	}
	chart, err := scxml.Parse(fileName, []byte(q.Source), options(p.files)...)
	if err != nil {
		return nil, errors.New("the document has errors: mend them first")
	}
	searching, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	report, err := explore.Run(searching, chart, opts)
	if err != nil {
		return nil, err
	}
	out := &found{Verdict: report.Verdict.String(), Bound: report.Bound, States: report.States, Violations: []violation{}}
	for _, reason := range report.LeftOut {
		out.LeftOut = append(out.LeftOut, reason.String())
	}
	for _, v := range report.Violations {
		steps, err := replay(ctx, chart, slices.Concat(v.Path, v.Cycle))
		if err != nil {
			return nil, err
		}
		shown := violation{Text: textOf(v), Steps: steps}
		if v.Cycle != nil {
			shown.Cycle = len(v.Path) + 1
		}
		out.Violations = append(out.Violations, shown)
	}
	return out, nil
}

// breathing is a property that holds. A search in a browser has one thread, which must see that its time
// is over and tell the page that it is alive.
func breathing() explore.Property {
	last := time.Now()
	return explore.Property{Name: "breathing", Holds: func(context.Context, explore.System) (bool, error) {
		if time.Since(last) > breathe {
			time.Sleep(time.Millisecond)
			last = time.Now()
		}
		return true, nil
	}}
}

// textOf says in a line what is wrong.
func textOf(v explore.Violation) string {
	switch v.Kind {
	case explore.Deadlock:
		return "deadlock: nothing that may come changes anything"
	case explore.Endless:
		return "the chart never comes to rest"
	case explore.Unanswered:
		return "not always: " + v.Property
	case explore.Broken:
		return "violated: " + v.Property
	}
	parts := []string{string(v.Kind), v.Property, v.Message}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ": ")
}

// replay takes a path, and returns what happens at each step.
func replay(ctx context.Context, chart *scxml.Chart, path []explore.Input) ([]stepInto, error) {
	d := diagram.New(chart)
	taken := []string{}
	trace := &scxml.Trace{Transition: func(s *scxml.Session, t scxml.Transition) {
		if e := d.Edge(t.Pos()); s.Chart() == chart && e != nil && len(taken) < maxTaken && !slices.Contains(taken, e.ID) {
			taken = append(taken, e.ID)
		}
	}}
	s, err := explore.NewSession(chart, explore.Options{Time: explore.Zero, Session: []scxml.Option{scxml.WithTrace(trace)}})
	if err != nil {
		return nil, err
	}
	var steps []stepInto
	done := func(input string) {
		steps = append(steps, stepInto{input, s.Configuration(), taken})
		taken = []string{}
	}
	err = s.Start(ctx)
	done("the start")
	for i, in := range path {
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
		err = s.Apply(ctx, in) // the last one may be what is wrong
		done(in.String())
	}
	return steps, ctx.Err()
}
