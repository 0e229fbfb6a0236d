package diagram

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// A row is a line of text in a picture.
type row struct {
	spans []Span
	clock bool // a delayed send
	whole string
}

// The classes of texts.
const (
	nameClass   = "name"   // of a state
	eventClass  = "event"  // of a transition
	condClass   = "cond"   // a guard
	actionClass = "action" // what is done
	wordClass   = "word"   // when it is done
)

func newSpan(class, text string) Span { return Span{class, visible(text), class == eventClass} }

const clockSize = 13 // the width of a clock and the space before it

func (r row) width() int {
	w := 0
	for _, s := range r.spans {
		w += textWidth(s.Text, textSize, s.Bold)
	}
	if r.clock {
		w += clockSize
	}
	return w
}

func widest(rows []row) int {
	w := 0
	for _, r := range rows {
		w = max(w, r.width())
	}
	return w
}

// maxRows is how many actions a picture shows of one state, maxWhole of the state that a [Diagram.Part] is
// for, and maxActions of one transition.
const (
	maxRows    = 8
	maxWhole   = 200
	maxActions = 3
)

// maxLabel is about how many characters a line of a label has.
const maxLabel = 26

// stateRows returns what a state shows below its name.
func stateRows(n *Node) []row {
	words := map[LineKind]string{Entry: "entry", Exit: "exit", Invoke: "", Done: "", More: "", Problem: ""}
	var rows []row
	for _, l := range n.Lines {
		if word, shown := words[l.Kind]; shown {
			rows = append(rows, actionRow(word, l))
		}
	}
	for _, e := range n.Edges {
		if len(e.Targets) == 0 {
			rows = append(rows, labelRows(e)...)
		}
	}
	if n.whole {
		return bounded(rows, maxWhole)
	}
	return bounded(rows, maxRows)
}

// labelRows returns what the label of an edge shows.
func labelRows(e *Edge) []row {
	var rows []row
	add := func(class, text string) {
		last := len(rows) - 1
		if last >= 0 && length(rows[last])+1+utf8.RuneCountInString(text) <= maxLabel {
			rows[last].spans = append(rows[last].spans, newSpan(class, " "+text))
			return
		}
		rows = append(rows, row{spans: []Span{newSpan(class, text)}, whole: e.Whole()})
	}
	for _, word := range strings.Fields(e.Event) {
		add(eventClass, short.Line(word, maxShort))
	}
	if e.Cond.Short != "" {
		add(condClass, "["+e.Cond.Short+"]")
	}
	if e.StaysInside() {
		add(wordClass, "(internal)")
	}
	for _, n := range e.Beyond {
		add(wordClass, "→ "+short.Line(n.ID, maxShort))
	}
	var actions []row
	for _, l := range e.Actions {
		actions = append(actions, actionRow("", l))
	}
	return append(rows, bounded(actions, maxActions)...)
}

func length(r row) int {
	n := 0
	for _, s := range r.spans {
		n += utf8.RuneCountInString(s.Text)
	}
	return n
}

func actionRow(word string, l Line) row {
	r := row{clock: l.Delay != "", whole: l.Whole}
	if word != "" {
		r.spans = append(r.spans, newSpan(wordClass, word+" "))
	}
	if l.Kind != Invoke && l.Kind != Done && l.Kind != More && l.Kind != Problem {
		r.spans = append(r.spans, newSpan(wordClass, "/ "))
	}
	r.spans = append(r.spans, newSpan(actionClass, l.Short))
	return r
}

// bounded returns the first n rows. If there are more, the last of them says how many.
func bounded(rows []row, n int) []row {
	if len(rows) <= n {
		return rows
	}
	rest := rows[n-1:]
	more := row{spans: []Span{newSpan(wordClass, "… "+strconv.Itoa(len(rest))+" more")}}
	var whole []string
	for _, r := range rest {
		whole = append(whole, r.whole)
	}
	more.whole = strings.Join(whole, "\n")
	return append(rows[:n-1:n-1], more)
}
