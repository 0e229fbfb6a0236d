package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// An exploreReport is what --json writes.
type exploreReport struct {
	Verdict     string             `json:"verdict"`
	Bound       string             `json:"bound,omitempty"`
	States      int                `json:"states"`
	Transitions int                `json:"transitions"`
	Depth       int                `json:"depth"`
	Runs        int                `json:"runs,omitempty"`
	Deadlocks   int                `json:"deadlocks"`
	Missed      float64            `json:"missed,omitempty"`
	Violations  []exploreViolation `json:"violations"`
	Reached     []exploreReached   `json:"reached,omitempty"`
	Unentered   []string           `json:"unentered,omitempty"`
	Untaken     []exploreUntaken   `json:"untaken,omitempty"`
	LeftOut     []exploreReason    `json:"left_out,omitempty"` // with "holds as far as searched", why
	Assumed     []exploreReason    `json:"assumed,omitempty"`  // by --assume and --no-services
	Given       []string           `json:"given,omitempty"`    // flags that say what comes
	Grows       []exploreGrowth    `json:"grows,omitempty"`    // with "inconclusive"
	Try         []string           `json:"try,omitempty"`      // what to do about it
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

// waysOut say what to do about a reason, by its name. Whatever it is, it can be assumed.
var waysOut = map[string]string{
	"data":     "give data with --data, which --suggest writes",
	"names":    "give more names with --data, or all there are with --names",
	"services": "leave services out with --no-services",
	"view":     "leave out --view",
	"bits":     "leave out --bits",
}

// writeReasons writes what was left out, and what to do about it.
func writeReasons(b *strings.Builder, r *explore.Report) {
	if len(r.LeftOut) > 0 {
		b.WriteString("\nnot tried:\n")
	}
	var names, ways []string
	for _, reason := range r.LeftOut {
		fmt.Fprintf(b, "  %s (%s)\n", reason, reason.Name)
		if !slices.Contains(names, reason.Name) {
			names = append(names, reason.Name)
			if way := waysOut[reason.Name]; way != "" {
				ways = append(ways, way)
			}
		}
	}
	if names != nil && r.Verdict == explore.Searched {
		ways = append(ways, "accept it with --assume "+strings.Join(names, ","))
		fmt.Fprintf(b, "%s\n", strings.Join(ways, "; or "))
	}
	for i, reason := range r.Assumed {
		if i == 0 {
			b.WriteString("\nassumed:\n")
		}
		fmt.Fprintf(b, "  %s (%s)\n", reason, reason.Name)
	}
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
	if !o.json {
		verdict := r.Verdict.String()
		if r.Verdict == explore.Inconclusive {
			verdict += " (" + r.Bound + ")"
		}
		var b strings.Builder
		if o.simulate {
			verdict += ": " + text.Count(r.Runs, "run")
		}
		fmt.Fprintf(&b, "%s: %s, %s, depth %d, %s", verdict, text.Count(r.States, "state"), text.Count(r.Transitions, "transition"), r.Depth, text.Count(r.Deadlocks, "deadlock"))
		if o.opts.Bits > 0 {
			fmt.Fprintf(&b, ", about %.1g states missed", r.Missed)
		}
		b.WriteString("\n")
		for i, v := range r.Violations {
			fmt.Fprintf(&b, "\n%s\n", v)
			if ends := v.Kind == explore.Deadlock || v.Kind == explore.Unanswered && v.Cycle == nil; ends && len(r.LeftOut) > 0 {
				b.WriteString("as far as searched: nothing that was tried leads out\n")
			}
			if files[i] != "" {
				fmt.Fprintf(&b, "written: %s\n", files[i])
			}
		}
		for _, reached := range r.Reached {
			fmt.Fprintf(&b, "\n%s\n", reached)
		}
		not := func(what string) string {
			switch {
			case r.Bound != "":
				return "not " + what + " so far"
			case len(r.LeftOut) > 0:
				return "not " + what + " as far as searched"
			}
			return "never " + what
		}
		for _, name := range o.unreached(r) {
			fmt.Fprintf(&b, "\n%s: %s\n", not("reached"), name)
		}
		for _, st := range r.Unentered {
			fmt.Fprintf(&b, "%s: %s: %s\n", st.Pos(), not("entered"), st)
		}
		for _, t := range r.Untaken {
			fmt.Fprintf(&b, "%s: %s: %s\n", t.Pos(), not("taken"), t)
		}
		writeReasons(&b, r)
		if r.Grows != nil {
			b.WriteString("\n" + o.growing(r.Grows))
		}
		if given := o.given(); given != nil && (r.Verdict == explore.Holds || r.Verdict == explore.Searched) {
			fmt.Fprintf(&b, "\nwithin what is given: %s\n", strings.Join(given, ", "))
		}
		return cli.Printed(fmt.Print(cli.Visible(b.String(), cli.KeepNewlines)))
	}
	out := exploreReport{
		Verdict: r.Verdict.String(), Bound: r.Bound, States: r.States, Transitions: r.Transitions,
		Depth: r.Depth, Runs: r.Runs, Missed: r.Missed, Deadlocks: r.Deadlocks, Violations: []exploreViolation{},
		LeftOut: reasons(r.LeftOut), Assumed: reasons(r.Assumed), Given: o.given(), Grows: growths(r.Grows),
	}
	if r.Grows != nil {
		out.Try = o.waysToEnd(r.Grows)
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

// unreached returns the states of --reach that were not found, because not all states were visited or something
// was left out.
func (o *exploreOptions) unreached(r *explore.Report) []string {
	if r.Bound == "" && len(r.LeftOut) == 0 {
		return nil // what is missing is a violation
	}
	return slices.DeleteFunc(slices.Clone(o.opts.Reach), func(name string) bool {
		return slices.ContainsFunc(r.Reached, func(reached explore.Reached) bool { return reached.State == name })
	})
}

// scenario returns the inputs as lines of a scenario of package scxmltest.
func scenario(path []explore.Input) []string {
	lines := []string{}
	for _, in := range path {
		lines = append(lines, in.String())
	}
	return lines
}
