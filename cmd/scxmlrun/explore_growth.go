package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// boundDepth is the depth of the bounded search that is proposed.
const boundDepth = 20

// growing says what has grown in a search that did not end, and what to do.
func (o *exploreOptions) growing(all []explore.Growth) string {
	var b strings.Builder
	b.WriteString("what grows, as far as seen\n")
	for _, g := range all {
		fmt.Fprintf(&b, "  %s\n", g)
	}
	for _, way := range o.waysToEnd(all) {
		fmt.Fprintf(&b, "%s\n", way)
	}
	return b.String()
}

// waysToEnd proposes what to do about growth: lines of the chart, and commands that can be pasted.
func (o *exploreOptions) waysToEnd(all []explore.Growth) (ways []string) {
	var views []string
	number := ""
	for _, g := range all {
		if g.Kind == explore.TimersGrow {
			ways = append(ways, fmt.Sprintf(`in the chart: cancel the delayed event, for example <send event=%[1]q id=%[1]q …/> and <onexit><cancel sendid=%[1]q/></onexit>`, g.Name))
			continue
		}
		if g.Kind == explore.InputGrows {
			ways = append(ways, "with more memory: "+again("--memory", strconv.FormatInt(2*o.opts.MaxMemory, 10)))
			continue
		}
		views = append(views, "--view", "-"+g.Name)
		if _, err := strconv.ParseFloat(g.Last[0], 64); err == nil && number == "" {
			number = g.Name
		}
	}
	if number != "" {
		ways = append(ways, fmt.Sprintf(`in the chart: bound the data, for example cond="%s &lt; 10" where it grows`, number))
	}
	if views != nil && o.canView {
		ways = append(ways, "without the data, which is not a proof, and may show deadlocks that are none: "+again(views...))
	}
	if deep := o.opts.MaxDepth == 0 || o.opts.MaxDepth > boundDepth; deep && all[0].Inputs > boundDepth {
		ways = append(ways, "near the start only: "+again("--depth", strconv.Itoa(boundDepth)))
	}
	return ways
}

// again returns the command of this process with more arguments, as a shell reads it.
func again(more ...string) string {
	words := []string{"scxmlrun"}
	for _, arg := range append(os.Args[1:len(os.Args):len(os.Args)], more...) {
		if arg == "" || strings.ContainsFunc(arg, func(r rune) bool { return !strings.ContainsRune(plainRunes, r) }) {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}

// plainRunes mean themselves in a shell.
const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%"
