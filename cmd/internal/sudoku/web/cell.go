package web

import (
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A cell is what there is to see of a cell. Sets of digits have bit d set for the digit d. In the
// JSON what is 0, false or empty is missing.
type cell struct {
	Digit    int    `json:"digit,omitempty"`
	Given    bool   `json:"given,omitempty"`
	Paper    string `json:"paper,omitempty"` // the name of a role of package theme; or pen, the cursor's
	Conflict bool   `json:"conflict,omitempty"`
	Sign     string `json:"sign,omitempty"` // says what the paper says without its colour
	Wrong    bool   `json:"-"`              // that is why the sign is broken

	Notes   uint16 `json:"notes,omitempty"`
	Corner  uint16 `json:"corner,omitempty"`
	Colours uint16 `json:"colours,omitempty"`

	// Of the notes.
	Equal    uint16 `json:"equal,omitempty"`
	Cause    uint16 `json:"cause,omitempty"`
	Target   uint16 `json:"target,omitempty"`
	Excluded uint16 `json:"excluded,omitempty"`

	Marked bool   `json:"marked,omitempty"` // selected besides the cursor's cell
	Label  string `json:"label,omitempty"`  // for a screen reader; missing: as before
}

const broken = "×" // the sign of a wrong entry, and of the one after which the puzzle could not be solved

// showCells shows the cells that have changed. It returns the labels of those with other digits
// or notes. A paused game hides its board.
func (p *player) showCells(u *update) (said []string) {
	v := &p.View
	changed := map[int]cell{}
	at := 0
	first := p.sent.fields["cells"] == nil
	paused := v.State == game.Paused
	for i := range 81 {
		row, col := i/9, i%9
		seen := &v.Cells[row][col]
		if seen.Selected {
			at = i
		}
		c := cell{}
		if !paused {
			c = p.cellOf(seen)
		}
		p.hinted(&c, row, col)
		before := p.sent.cells[i]
		if c == before && !first && paused == p.sent.paused {
			continue
		}
		p.sent.cells[i] = c
		written := c.Digit != before.Digit || c.Notes != before.Notes || c.Corner != before.Corner || c.Colours != before.Colours
		if first || written || paused != p.sent.paused || c.Given != before.Given || c.Conflict != before.Conflict || (c.Sign == broken) != (before.Sign == broken) || c.Wrong != before.Wrong {
			c.Label = p.label(&c, row, col)
		}
		if written && !first {
			said = append(said, c.Label)
		}
		changed[i] = c
	}
	p.sent.paused = paused
	u.set("at", at)
	delete(u.known, "cells")
	if len(changed) > 0 {
		u.set("cells", changed)
	}
	u.known["cells"] = []byte("known")
	return said
}

// cellOf returns what there is to see of a cell.
func (p *player) cellOf(seen *game.Cell) cell {
	c := cell{
		Digit: seen.Digit, Given: seen.Given, Wrong: seen.Wrong, Conflict: seen.Conflict, Marked: seen.Marked && !seen.Selected,
		Paper: p.paper(seen), Colours: seen.Colours,
	}
	if seen.Digit == 0 {
		c.Notes, c.Corner = seen.Notes, seen.Corner
		if d := p.View.Highlighted(); d > 0 {
			c.Equal = (c.Notes | c.Corner) & (1 << d)
		}
	}
	switch {
	case seen.Broken || seen.Wrong:
		c.Sign = broken
	case seen.Conflict:
		c.Sign = "!"
	case seen.Hint == game.Target:
		c.Sign = "*"
	case seen.Hint == game.Excluded:
		c.Sign = "−"
	case seen.Hint == game.Cause:
		c.Sign = "+"
	}
	return c
}

// paper returns the most important role of a cell.
func (p *player) paper(c *game.Cell) string {
	switch {
	case c.Selected:
		return "pen"
	case c.Broken || c.Wrong:
		return "broken"
	case c.Hint == game.Target:
		return "target"
	case c.Hint == game.Excluded:
		return "excluded"
	case c.Hint == game.Cause:
		return "cause"
	case c.Conflict:
		return "conflict"
	case c.Marked:
		return "marked"
	case c.Colours != 0:
		return "coloured"
	case c.Equal:
		return "equal"
	case c.Peer:
		return "peer"
	}
	return ""
}

// hinted adds what a hint says about the candidates of a cell.
func (p *player) hinted(c *cell, row, col int) {
	h := p.View.Hint
	if h == nil || p.View.State == game.Paused {
		return
	}
	of := func(all []game.Candidate) (set uint16) {
		for _, candidate := range all {
			if candidate.Row == row && candidate.Col == col {
				set |= 1 << candidate.Digit
			}
		}
		return set
	}
	c.Cause, c.Target, c.Excluded = of(h.Causes), of(h.Place), of(h.Exclude)
}

// label describes a cell, to be read aloud.
func (p *player) label(c *cell, row, col int) string {
	w := p.Words
	digit := strconv.Itoa(c.Digit)
	switch {
	case c.Digit == 0:
		digit = w.T("empty")
	case c.Digit < 0 || c.Digit > 9: // a chart may send any number
		digit = "?"
	}
	if p.View.State == game.Paused {
		digit = w.State(game.Paused)
	}
	parts := []string{w.T("row %d, column %d: %s", row+1, col+1, digit)}
	if c.Given {
		parts = append(parts, w.T("given"))
	}
	if c.Conflict {
		parts = append(parts, w.T("in conflict"))
	}
	switch {
	case c.Wrong:
		parts = append(parts, w.T("wrong"))
	case c.Sign == broken:
		parts = append(parts, w.T("no solution since this entry"))
	}
	for _, of := range []struct {
		name string
		set  uint16
	}{{w.Pen(game.Notes), c.Notes}, {w.Pen(game.Corner), c.Corner}, {w.Pen(game.Colours), c.Colours}} {
		if of.set != 0 {
			parts = append(parts, of.name+" "+strings.Join(strings.Split(words.Digits(of.set), ""), " "))
		}
	}
	return strings.Join(parts, ", ")
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(text string) string {
	text = words.Capital(text)
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}
