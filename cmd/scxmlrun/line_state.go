package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A shownState is what of a session was shown last.
type shownState struct {
	configuration []string
	entered       map[string]bool // since then
}

// entered remembers which states were entered since they were shown: one that
// was left and entered again is still where it was, but something has happened.
func (f *lineFront) entered(s *scxml.Session, state scxml.State) {
	last := f.shown[s]
	if last.entered == nil {
		last.entered = map[string]bool{}
	}
	last.entered[state.Name()] = true
	f.shown[s] = last
}

// Marks of a state.
const (
	markSame    = ' '
	markEntered = '+'
	markLeft    = '-'
	markAgain   = '*' // left and entered again
)

// A treeLine is a state with its place in the tree.
type treeLine struct {
	state scxml.State
	depth int
	mark  byte
}

// configurationTree returns the active states, and those that were left since
// they were shown last, as a tree in document order.
func configurationTree(chart *scxml.Chart, configuration []string, last shownState) []treeLine {
	now, before, all := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, name := range configuration {
		now[name], all[name] = true, true
	}
	for _, name := range last.configuration {
		before[name], all[name] = true, true
	}
	var lines []treeLine
	var walk func(parent scxml.State, depth int)
	walk = func(parent scxml.State, depth int) {
		for _, child := range parent.Children() {
			name := child.Name()
			if !all[name] {
				continue
			}
			mark := byte(markSame)
			switch {
			case len(before) == 0:
			case !before[name]:
				mark = markEntered
			case !now[name]:
				mark = markLeft
			case last.entered[name]:
				mark = markAgain
			}
			lines = append(lines, treeLine{child, depth, mark})
			walk(child, depth+1)
		}
	}
	walk(chart.Root(), 0)
	return lines
}

// maxTree is how many lines a tree may have before it is condensed.
const maxTree = 24

// condense leaves out of a large tree what has not changed, and says how much.
func condense(lines []treeLine) (short []treeLine, left int) {
	if len(lines) <= maxTree {
		return lines, 0
	}
	if !slices.ContainsFunc(lines, func(l treeLine) bool { return l.mark != markSame }) { // it is new
		return lines[:maxTree], len(lines) - maxTree
	}
	keep := make([]bool, len(lines))
	depth := 0 // of the line whose ancestors are wanted
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].mark != markSame {
			keep[i], depth = true, max(depth, lines[i].depth)
		}
		if lines[i].depth < depth {
			keep[i], depth = true, lines[i].depth
		}
	}
	for i, line := range lines {
		if keep[i] && len(short) < 4*maxTree {
			short = append(short, line)
		} else {
			left++
		}
	}
	return short, left
}

// tree writes the configuration of a session; "" if it is the one that was shown last.
func (f *lineFront) tree(s *scxml.Session, asked bool) string {
	last := f.shown[s]
	configuration := s.Configuration()
	if !asked && len(last.entered) == 0 && slices.Equal(configuration, last.configuration) {
		return ""
	}
	lines, left := configurationTree(s.Chart(), configuration, last), 0
	if !asked {
		lines, left = condense(lines)
	}
	f.shown[s] = shownState{configuration: configuration}
	var b strings.Builder
	for i, line := range lines {
		word, label := "", ""
		if i == 0 {
			word, label = "state", who(s)
		}
		look := ""
		switch {
		case line.mark == markEntered:
			look = green
		case line.mark == markLeft:
			look = dim
		case line.mark == markAgain:
			look = yellow
		}
		name := look
		if line.mark != markLeft && line.state.IsAtomic() {
			name = strings.TrimPrefix(look+";"+bold, ";")
		}
		b.WriteString(f.out.paint(dim, fmt.Sprintf("%-5s", word)) + " " + f.out.paint(look, string(line.mark)) + " " +
			f.out.paint("", label) + strings.Repeat("  ", line.depth) + f.out.paint(name, line.state.Name()) + "\n")
	}
	if left > 0 {
		b.WriteString(strings.Repeat(" ", margin) + f.out.paint(dim, fmt.Sprintf("… and %d more; an empty line shows all", left)) + "\n")
	}
	return b.String()
}

// state describes where the session is and what it reacts to: everything if
// asked, else what has changed. If nothing has, and somebody waits for an
// answer, it says that.
func (f *lineFront) state(asked, waiting bool) string {
	d := f.driver
	var b strings.Builder
	w := &textWriter{w: &b, colour: f.out.colour}
	for _, s := range d.session.Sessions() {
		w.print(f.tree(s, asked))
	}
	if waiting && b.Len() == 0 {
		leaves := atomic(d.chart, d.session.Configuration())
		w.item(dim, "still", shorten(strings.Join(leaves, " "), 200))
	}
	takes := strings.Join(d.session.Enabled(), " ")
	if takes == "" {
		takes = "no event"
	}
	if takes != f.takes || asked {
		f.takes = takes
		w.item(dim, "takes", fill(takes, f.width()-margin, ""))
	}
	next := ""
	if due, ok := d.session.NextDue(); ok && d.virtual {
		next = fmt.Sprintf("a delayed event in %v", due.Sub(d.present))
	}
	if next != f.next || asked {
		f.next = next
		if next != "" {
			w.item(dim, "next", next)
		}
	}
	return b.String()
}
