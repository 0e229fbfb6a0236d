package line

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A shownState is the configuration of a session when it was last shown.
type shownState struct {
	active  []drive.State
	entered map[string]bool // since then
}

// entered remembers the states entered since the configuration was shown, to tell a state
// that was left and entered again from one that remained active.
func (f *Front) entered(r *record.Record) {
	last := f.shown[r.Session]
	if last.entered == nil {
		last.entered = map[string]bool{}
	}
	last.entered[r.State] = true
	f.shown[r.Session] = last
}

// Marks of a state.
const (
	markSame    = ' '
	markEntered = '+'
	markLeft    = '-'
	markAgain   = '*' // left and entered again
)

// A treeLine is a state in the tree, with its mark.
type treeLine struct {
	drive.State
	mark byte
}

// configurationTree returns the active states, and those that were left since the
// configuration was last shown, as a tree in document order.
func configurationTree(active []drive.State, last shownState) []treeLine {
	var lines []treeLine
	for _, st := range active {
		mark := byte(markSame)
		switch {
		case len(last.active) == 0:
		case !slices.Contains(last.active, st):
			mark = markEntered
		case last.entered[st.Name]:
			mark = markAgain
		}
		lines = append(lines, treeLine{st, mark})
	}
	for _, st := range last.active {
		if !slices.Contains(active, st) {
			lines = append(lines, treeLine{st, markLeft})
		}
	}
	slices.SortStableFunc(lines, func(a, b treeLine) int { return a.Number - b.Number })
	return lines
}

// maxTree is how many lines a tree may have before it is condensed.
const maxTree = 24

// condense removes unchanged states from a large tree and returns how many.
func condense(lines []treeLine) (short []treeLine, left int) {
	if len(lines) <= maxTree {
		return lines, 0
	}
	if !slices.ContainsFunc(lines, func(l treeLine) bool { return l.mark != markSame }) { // it is new
		return lines[:maxTree], len(lines) - maxTree
	}
	keep := make([]bool, len(lines))
	depth := 0 // of the line whose ancestors are kept
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].mark != markSame {
			keep[i], depth = true, max(depth, lines[i].Depth)
		}
		if lines[i].Depth < depth {
			keep[i], depth = true, lines[i].Depth
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

// tree writes the configuration of a session, or "" if it is unchanged.
func (f *Front) tree(v drive.View, asked bool) string {
	last := f.shown[v.Session]
	if !asked && len(last.entered) == 0 && slices.Equal(v.Active, last.active) {
		return ""
	}
	f.shown[v.Session] = shownState{active: v.Active}
	if from, to := single(last.active), single(v.Active); from != "" && to != "" && !asked {
		return f.move(v, from, to)
	}
	lines, left := configurationTree(v.Active, last), 0
	if !asked {
		lines, left = condense(lines)
	}
	var b strings.Builder
	for i, line := range lines {
		word, label := "", ""
		if i == 0 {
			word, label = "state", who(v)
		}
		look := ""
		switch {
		case line.mark == markEntered:
			look = text.Green
		case line.mark == markLeft:
			look = text.Dim
		case line.mark == markAgain:
			look = text.Yellow
		}
		name := look
		if line.mark != markLeft && line.Atomic {
			name = strings.TrimPrefix(look+";"+text.Bold, ";")
		}
		b.WriteString(f.Paint(text.Dim, fmt.Sprintf("%-5s", word)) + " " + f.Paint(look, string(line.mark)) + " " +
			f.Paint("", label) + strings.Repeat("  ", line.Depth) + f.Paint(name, line.Name) + "\n")
	}
	if left > 0 {
		b.WriteString(strings.Repeat(" ", text.Margin) + f.Paint(text.Dim, fmt.Sprintf("… and %d more; an empty line shows all", left)) + "\n")
	}
	return b.String()
}

// single returns the name of the only active atomic state, or "" if there are several.
func single(active []drive.State) (name string) {
	for _, st := range active {
		switch {
		case !st.Atomic:
		case name != "":
			return ""
		default:
			name = st.Name
		}
	}
	return name
}

// move writes a change from one atomic state to another on one line.
func (f *Front) move(v drive.View, from, to string) string {
	line := f.Paint(text.Dim, "state  ") + " " + f.Paint("", who(v))
	if from == to {
		return line + f.Paint(text.Yellow+";"+text.Bold, to) + f.Paint(text.Dim, " (entered again)") + "\n"
	}
	return line + f.Paint(text.Dim, from) + " → " + f.Paint(text.Green+";"+text.Bold, to) + "\n"
}

// showStates shows all configurations if asked, and otherwise those that have changed.
func (f *Front) showStates(views []drive.View, asked bool) {
	for _, v := range views {
		if tree := f.tree(v, asked); tree != "" {
			f.begin()
			f.Print(tree)
		}
	}
}

// showTakes shows the events that the session takes, if asked or if they have changed.
func (f *Front) showTakes(events []string, asked bool) {
	takes := strings.Join(events, " ")
	if takes == "" {
		takes = "no event"
	}
	if takes != f.takes || asked {
		f.takes = takes
		f.item(text.Dim, "takes", text.Fill(takes, f.Columns()-text.Margin, ""))
	}
}
