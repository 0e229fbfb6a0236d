package cover

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// WriteText writes a table with a line for each document, and what was never entered, taken, true
// or false with its place.
func (p *Profile) WriteText(w io.Writer) error {
	documents := p.Documents()
	var b strings.Builder
	width := len("coverage")
	for _, d := range documents {
		width = max(width, utf8.RuneCountInString(d.File))
	}
	row := func(name string, cells ...any) {
		fmt.Fprintf(&b, "%-*s  %8s  %11s  %10s  %6s\n", append([]any{width, name}, cells...)...)
	}
	row("coverage", "states", "transitions", "conditions", "total")
	for _, d := range documents {
		row(d.File, tallyOf(d).cells()...)
	}
	if len(documents) > 1 {
		row("total", tallyOf(documents...).cells()...)
	}
	for _, d := range documents {
		for _, e := range d.Elements {
			for _, what := range e.missing() {
				fmt.Fprintf(&b, "%s:%d:%d: %s\n", d.File, e.Line, e.Col, what)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// AtLeast returns an error if less than percent of the documents was reached: of all states,
// transitions and outcomes of conditions (two each), how many there were. An empty profile reaches
// nothing.
func (p *Profile) AtLeast(percent float64) error {
	documents := p.Documents()
	if len(documents) == 0 && percent > 0 {
		return fmt.Errorf("the tests did not run a chart whose coverage is counted: want at least %v%%", percent)
	}
	if got := tallyOf(documents...).percent(); got < percent {
		return fmt.Errorf("the tests cover %s of their charts: want at least %v%%", format(got), percent)
	}
	return nil
}

// A tally is what the counts of documents come to.
type tally struct{ states, transitions, outcomes ratio }

// A ratio says how many of all there are were reached.
type ratio struct{ reached, all int }

func (r ratio) String() string { return fmt.Sprintf("%d/%d", r.reached, r.all) }

func (r *ratio) count(reached bool) {
	r.all++
	if reached {
		r.reached++
	}
}

func tallyOf(documents ...Document) (t tally) {
	for _, d := range documents {
		for _, e := range d.Elements {
			if e.State {
				t.states.count(e.Count > 0)
			} else {
				t.transitions.count(e.Count > 0)
			}
			if e.Cond != "" {
				t.outcomes.count(e.True > 0)
				t.outcomes.count(e.False > 0)
			}
		}
	}
	return t
}

func (t tally) percent() float64 {
	all := t.states.all + t.transitions.all + t.outcomes.all
	if all == 0 {
		return 100
	}
	return 100 * float64(t.states.reached+t.transitions.reached+t.outcomes.reached) / float64(all)
}

func (t tally) cells() []any { return []any{t.states, t.transitions, t.outcomes, format(t.percent())} }

// format writes a percentage with one digit after the point. It rounds down, so that only all is
// 100%.
func format(percent float64) string {
	return strconv.FormatFloat(math.Floor(percent*10)/10, 'f', 1, 64) + "%"
}

// quote quotes a text of the document in a message, as one line.
func quote(s string) string { return strconv.Quote(strings.Join(strings.Fields(s), " ")) }
