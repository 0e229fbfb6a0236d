package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/findings"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/searchprogram"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// An exploreReport is what --json writes.
type exploreReport struct {
	Verdict     string                 `json:"verdict"`
	Bound       string                 `json:"bound,omitempty"`
	States      int                    `json:"states"`
	Transitions int                    `json:"transitions"`
	Depth       int                    `json:"depth"`
	Runs        int                    `json:"runs,omitempty"`
	Deadlocks   int                    `json:"deadlocks"`
	Missed      float64                `json:"missed,omitempty"`
	Violations  []exploreViolation     `json:"violations"`
	Reached     []exploreReached       `json:"reached,omitempty"`
	Unentered   []string               `json:"unentered,omitempty"`
	Untaken     []exploreUntaken       `json:"untaken,omitempty"`
	LeftOut     []exploreReason        `json:"left_out,omitempty"` // with "holds as far as searched", why
	Assumed     []exploreReason        `json:"assumed,omitempty"`  // by --assume and --no-services
	Given       []string               `json:"given,omitempty"`    // flags that say what comes
	Reduced     bool                   `json:"reduced,omitempty"`
	Compiled    *searchprogram.Program `json:"compiled,omitempty"` // that has searched
	Grows       []exploreGrowth        `json:"grows,omitempty"`    // with "inconclusive"
	Try         []string               `json:"try,omitempty"`      // what to do about it
}

type exploreGrowth struct {
	Kind   string   `json:"kind"` // "data", "timer" or "input"
	Name   string   `json:"name"`
	Count  int      `json:"count"`  // values that it had, or how many were pending
	Inputs int      `json:"inputs"` // of the path
	Last   []string `json:"last,omitempty"`
	At     string   `json:"at,omitempty"`
}

func growths(list []explore.Growth) (all []exploreGrowth) {
	for _, g := range list {
		out := exploreGrowth{Kind: string(g.Kind), Name: g.Name, Count: g.Count, Inputs: g.Inputs, Last: g.Last}
		if g.Pos.IsValid() {
			out.At = g.Pos.String()
		}
		all = append(all, out)
	}
	return all
}

type exploreReason struct {
	Name  string `json:"name"` // for --assume
	Event string `json:"event,omitempty"`
	Text  string `json:"text"`
	At    string `json:"at,omitempty"`
}

func reasons(list []explore.Reason) (all []exploreReason) {
	for _, r := range list {
		out := exploreReason{Name: r.Name, Event: r.Event, Text: r.Text}
		if r.Pos.IsValid() {
			out.At = r.Pos.String()
		}
		all = append(all, out)
	}
	return all
}

// explored returns what the report is made of. It is without one while the search continues.
func (o *exploreOptions) explored(r *explore.Report) *findings.Explored {
	opts := o.opts
	opts.MaxMemory <<= 20
	if o.simulate {
		opts.Simulate = &explore.Simulation{}
	}
	return &findings.Explored{Report: r, Options: opts, Compiled: o.program != nil, Given: o.given(), Words: findings.Words{
		Flag: func(name string) string { return "--" + name },
		Again: func(flag string, values ...string) string {
			if flag == "view" && !o.canView {
				return ""
			}
			return again(flag, values)
		},
	}}
}

// given returns the flags that say what comes from outside.
func (o *exploreOptions) given() (flags []string) {
	if o.data != "" {
		flags = append(flags, "--data")
	}
	if o.opts.Names != nil {
		flags = append(flags, "--names "+strings.Join(o.opts.Names, ","))
	}
	if o.noServices {
		flags = append(flags, "--no-services")
	}
	return flags
}

type exploreReached struct {
	State    string          `json:"state"`
	Scenario []string        `json:"scenario"`
	Fastest  *explorePassage `json:"fastest,omitempty"`
	Slowest  *explorePassage `json:"slowest,omitempty"`
}

type explorePassage struct {
	TimeMS   *float64 `json:"time_ms"`        // null if it never comes to that
	Open     bool     `json:"open,omitempty"` // more than that, or less
	Scenario []string `json:"scenario"`
}

func passage(p explore.Passage) *explorePassage {
	out := &explorePassage{Open: p.Open, Scenario: scenario(p.Path)}
	if !p.Never {
		ms := float64(p.Time) / float64(time.Millisecond)
		out.TimeMS = &ms
	}
	return out
}

type exploreUntaken struct {
	At         string `json:"at"`
	Transition string `json:"transition"`
}

type exploreViolation struct {
	Kind          string   `json:"kind"`
	Property      string   `json:"property,omitempty"`
	Message       string   `json:"message,omitempty"`
	Scenario      []string `json:"scenario"`        // the lines of the inputs
	Cycle         []string `json:"cycle,omitempty"` // of the inputs that then come again and again
	Configuration []string `json:"configuration,omitempty"`
	File          string   `json:"file,omitempty"` // of the scenario, with --write
}

// print prints the report. files are those of the violations, if they were written.
func (o *exploreOptions) print(r *explore.Report, files []string) error {
	found := o.explored(r)
	if !o.json {
		found.Files = files
		return cli.Printed(fmt.Print(cli.Visible(found.Text(), cli.KeepNewlines)))
	}
	out := exploreReport{
		Verdict: r.Verdict.String(), Bound: r.Bound, States: r.States, Transitions: r.Transitions,
		Depth: r.Depth, Runs: r.Runs, Missed: r.Missed, Deadlocks: r.Deadlocks, Violations: []exploreViolation{}, Reduced: o.opts.Reduce, Compiled: o.program,
		LeftOut: reasons(r.LeftOut), Assumed: reasons(r.Assumed), Given: found.Given, Grows: growths(r.Grows),
	}
	if r.Grows != nil {
		out.Try = found.WaysToEnd(r.Grows)
	}
	for i, v := range r.Violations {
		out.Violations = append(out.Violations, exploreViolation{string(v.Kind), v.Property, v.Message, scenario(v.Path), scenario(v.Cycle), v.Configuration, files[i]})
	}
	for _, reached := range r.Reached {
		to := exploreReached{State: reached.State, Scenario: scenario(reached.Path)}
		if reached.Times != nil {
			to.Fastest, to.Slowest = passage(reached.Times.Fastest), passage(reached.Times.Slowest)
		}
		out.Reached = append(out.Reached, to)
	}
	for _, st := range r.Unentered {
		out.Unentered = append(out.Unentered, st.Name())
	}
	for _, t := range r.Untaken {
		out.Untaken = append(out.Untaken, exploreUntaken{t.Pos().String(), t.String()})
	}
	return cli.PrintJSON(out)
}

// scenario returns the inputs as lines of a scenario of package scxmltest.
func scenario(path []explore.Input) []string {
	lines := []string{}
	for _, in := range path {
		lines = append(lines, in.String())
	}
	return lines
}
