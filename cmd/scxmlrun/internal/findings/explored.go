// Package findings writes what searches have found, as text.
package findings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// An Explored is what a search of package explore has found, and what it was asked.
type Explored struct {
	*explore.Report // nil while the search continues
	Options         explore.Options
	Compiled        bool     // a program has searched
	Files           []string // of the violations: where each was written, or ""; nil if none was
	Given           []string // what said which events come
	Words           Words
}

// Words are how a front end says what a search can be told.
type Words struct {
	Flag func(name string) string // that has this name in the command explore: "--data" for "data"
	// Again says how to search again with a flag that has these values; "" if that is not possible.
	Again func(flag string, values ...string) string
}

// Text writes the report. It has characters of the chart: see [cli.Visible].
func (e *Explored) Text() string {
	r := e.Report
	verdict := r.Verdict.String()
	if r.Verdict == explore.Inconclusive {
		verdict += " (" + r.Bound + ")"
	}
	var b strings.Builder
	if e.Options.Simulate != nil {
		verdict += ": " + text.Count(r.Runs, "run")
	}
	fmt.Fprintf(&b, "%s: %s, %s, depth %d, %s", verdict, text.Count(r.States, "state"), text.Count(r.Transitions, "transition"), r.Depth, text.Count(r.Deadlocks, "deadlock"))
	if e.Options.Bits > 0 {
		fmt.Fprintf(&b, ", about %.1g states missed", r.Missed)
	}
	if e.Options.Reduce {
		b.WriteString(", reduced")
	}
	if e.Compiled {
		b.WriteString(", compiled")
	}
	b.WriteString("\n")
	for i, v := range r.Violations {
		fmt.Fprintf(&b, "\n%s\n", v)
		if ends := v.Kind == explore.Deadlock || v.Kind == explore.Unanswered && v.Cycle == nil; ends && len(r.LeftOut) > 0 {
			b.WriteString("as far as searched: nothing that was tried leads out\n")
		}
		if e.Files != nil && e.Files[i] != "" {
			fmt.Fprintf(&b, "written: %s\n", e.Files[i])
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
	for _, name := range e.unreached() {
		fmt.Fprintf(&b, "\n%s: %s\n", not("reached"), name)
	}
	for _, st := range r.Unentered {
		fmt.Fprintf(&b, "%s: %s: %s\n", st.Pos(), not("entered"), st)
	}
	for _, t := range r.Untaken {
		fmt.Fprintf(&b, "%s: %s: %s\n", t.Pos(), not("taken"), t)
	}
	e.writeReasons(&b)
	if r.Grows != nil {
		b.WriteString("\n" + e.Growing(r.Grows))
	}
	if e.Given != nil && (r.Verdict == explore.Holds || r.Verdict == explore.Searched) {
		fmt.Fprintf(&b, "\nwithin what is given: %s\n", strings.Join(e.Given, ", "))
	}
	return b.String()
}

// unreached returns the states of Reach that were not found, because not all states were visited or something
// was left out.
func (e *Explored) unreached() []string {
	if e.Bound == "" && len(e.LeftOut) == 0 {
		return nil // what is missing is a violation
	}
	return slices.DeleteFunc(slices.Clone(e.Options.Reach), func(name string) bool {
		return slices.ContainsFunc(e.Reached, func(reached explore.Reached) bool { return reached.State == name })
	})
}

// wayOut says what to do about a reason. Whatever it is, it can be assumed.
func (e *Explored) wayOut(reason string) string {
	flag := e.Words.Flag
	switch reason {
	case "data":
		return "give data with " + flag("data") + ", which " + flag("suggest") + " writes"
	case "names":
		return "give more names with " + flag("data") + ", or all there are with " + flag("names")
	case "services":
		return "leave services out with " + flag("no-services")
	case "view", "bits":
		return "leave out " + flag(reason)
	}
	return ""
}

// writeReasons writes what was left out, and what to do about it.
func (e *Explored) writeReasons(b *strings.Builder) {
	if len(e.LeftOut) > 0 {
		b.WriteString("\nnot tried:\n")
	}
	var names, ways []string
	for _, reason := range e.LeftOut {
		fmt.Fprintf(b, "  %s (%s)\n", reason, reason.Name)
		if !slices.Contains(names, reason.Name) {
			names = append(names, reason.Name)
			if way := e.wayOut(reason.Name); way != "" {
				ways = append(ways, way)
			}
		}
	}
	if names != nil && e.Verdict == explore.Searched {
		ways = append(ways, "accept it with "+e.Words.Flag("assume")+" "+strings.Join(names, ","))
		fmt.Fprintf(b, "%s\n", strings.Join(ways, "; or "))
	}
	for i, reason := range e.Assumed {
		if i == 0 {
			b.WriteString("\nassumed:\n")
		}
		fmt.Fprintf(b, "  %s (%s)\n", reason, reason.Name)
	}
}

// boundDepth is the depth of the bounded search that is proposed.
const boundDepth = 20

// Growing says what has grown in a search that did not end, and what to do.
func (e *Explored) Growing(all []explore.Growth) string {
	var b strings.Builder
	b.WriteString("what grows, as far as seen\n")
	for _, g := range all {
		fmt.Fprintf(&b, "  %s\n", g)
	}
	for _, way := range e.WaysToEnd(all) {
		fmt.Fprintf(&b, "%s\n", way)
	}
	return b.String()
}

// WaysToEnd proposes what to do about growth: lines of the chart, and other searches.
func (e *Explored) WaysToEnd(all []explore.Growth) (ways []string) {
	again := func(intro, flag string, values ...string) {
		if way := e.Words.Again(flag, values...); way != "" {
			ways = append(ways, intro+": "+way)
		}
	}
	var views []string
	number, its := "", ""
	for _, g := range all {
		chart := "chart"
		if name, of, ok := strings.Cut(g.Name, " of the "); ok { // of two that are compared
			g.Name, chart = name, of
		}
		if g.Kind == explore.TimersGrow {
			ways = append(ways, fmt.Sprintf(`in the %[2]s: cancel the delayed event, for example <send event=%[1]q id=%[1]q …/> and <onexit><cancel sendid=%[1]q/></onexit>`, g.Name, chart))
			continue
		}
		if g.Kind == explore.InputGrows {
			again("with more memory", "memory", strconv.FormatInt(2*e.Options.MaxMemory>>20, 10))
			continue
		}
		views = append(views, "-"+g.Name)
		if _, err := strconv.ParseFloat(g.Last[0], 64); err == nil && number == "" {
			number, its = g.Name, chart
		}
	}
	if number != "" {
		ways = append(ways, fmt.Sprintf(`in the %s: bound the data, for example cond="%s &lt; 10" where it grows`, its, number))
	}
	if views != nil {
		again("without the data, which is not a proof, and may show deadlocks that are none", "view", views...)
	}
	if deep := e.Options.MaxDepth == 0 || e.Options.MaxDepth > boundDepth; deep && all[0].Inputs > boundDepth {
		again("near the start only", "depth", strconv.Itoa(boundDepth))
	}
	return ways
}
