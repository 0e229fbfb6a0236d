package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
)

// This file makes charts with a difference smaller: it takes out parts of the document and of scripts, several in one program.

// A part is an element, or some lines of a script.
type part struct {
	of       *randomchart.Element
	from, to int // children, or lines
}

// parts returns those of an element, in the order of the document.
func parts(e *randomchart.Element) (all []part) {
	for i, c := range e.Children {
		if len(c.Children) == 0 || c.Name == "transition" || c.Name == "foreach" || c.Name == "if" {
			all = append(all, part{e, i, i + 1})
		}
		all = append(all, parts(c)...)
	}
	lines := strings.Split(e.Text, "\n")
	for i, line := range lines {
		depth := 0
		for j := i; j < len(lines); j++ {
			depth += strings.Count(lines[j], "{") - strings.Count(lines[j], "}")
			if depth <= 0 {
				if e.Name == "script" && strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "}") {
					all = append(all, part{e, i, j + 1})
					if j > i+1 { // its braces alone
						all = append(all, part{e, i, -(j + 1)})
					}
				}
				break
			}
		}
	}
	return all
}

// without returns a copy of an element without some parts.
func without(e *randomchart.Element, gone []part) *randomchart.Element {
	c := *e
	c.Children = nil
	lines := strings.Split(e.Text, "\n")
	drop := map[int]bool{}
	for _, p := range gone {
		switch {
		case p.of != e:
		case p.to < 0:
			drop[p.from], drop[-p.to-1] = true, true
		default:
			for i := p.from; i < p.to; i++ {
				drop[i] = true
			}
		}
	}
	if e.Name == "script" {
		var kept []string
		for i, line := range lines {
			if !drop[i] {
				kept = append(kept, line)
			}
		}
		c.Text = strings.Join(kept, "\n")
	}
	for i, child := range e.Children {
		if !drop[i] || e.Name == "script" {
			c.Children = append(c.Children, without(child, gone))
		}
	}
	return &c
}

// shrinkScripts returns a smaller trial with a difference, and what that is. It builds at most n programs.
func shrinkScripts(t *testing.T, trial *randomchart.Trial, d difference, n int) (*randomchart.Trial, string) {
	text, chunks := d.text, 8
	kind := func(text string) string {
		_, words, _ := strings.Cut(text, "compiled ")
		return strings.Join(strings.Fields(words + " x x")[:2], " ")
	}
	for range n {
		all := parts(trial.Chart)
		stimuli := len(trial.Stimuli)
		var candidates []*randomchart.Trial
		var subjects []*subject
		try := func(c *randomchart.Trial) {
			s := trialSubject("", c)
			s.typed, s.high, s.texts = true, true, true
			candidates, subjects = append(candidates, c), append(subjects, s)
		}
		size := max(len(all)/chunks, 1)
		var removed [][]part
		for chunk := range slices.Chunk(all, size) {
			removed = append(removed, chunk)
			try(&randomchart.Trial{Chart: without(trial.Chart, chunk), Files: trial.Files, Stimuli: trial.Stimuli})
		}
		for i := range stimuli {
			if chunks <= 16 || size == 1 {
				try(&randomchart.Trial{Chart: trial.Chart, Files: trial.Files, Stimuli: slices.Delete(slices.Clone(trial.Stimuli), i, i+1)})
			}
		}
		_, differences := compareAll(t, subjects)
		var gone []part
		best := -1
		for i, s := range subjects {
			at := slices.IndexFunc(differences, func(other difference) bool { return other.subject == s && kind(other.text) == kind(d.text) })
			if at < 0 {
				continue
			}
			if i < len(removed) {
				gone = append(gone, removed[i]...)
			}
			best, text = i, differences[at].text
		}
		switch {
		case best < 0 && size == 1:
			return trial, text
		case best < 0:
			chunks *= 3
		default:
			next := candidates[best]
			if len(gone) > 0 { // all that can be missing alone, if it can be missing together
				both := &randomchart.Trial{Chart: without(trial.Chart, gone), Files: trial.Files, Stimuli: trial.Stimuli}
				s := trialSubject("", both)
				s.typed, s.high, s.texts = true, true, true
				if _, found := compareAll(t, []*subject{s}); len(found) > 0 && kind(found[0].text) == kind(d.text) {
					next, text = both, found[0].text
				}
			}
			trial = next
		}
	}
	return trial, text
}
