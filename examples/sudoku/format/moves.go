package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A Move is what one undo takes back: one or more changes, in their order.
type Move []Change

// A Change replaces the digit, the marks or the colours of a cell. It has the old
// value too, so that moves can be undone from the present board on.
type Change struct {
	Row, Col int  // 0 to 8
	Of       Kind // what changes
	Old, New int  // digits from 0 to 9, or sets as in [Notes]
}

// A Kind says what a [Change] changes.
type Kind byte

// The kinds of changes. Their values are the characters in the text of a change.
const (
	OfDigit   Kind = '='
	OfNotes   Kind = '~'
	OfCorner  Kind = '^'
	OfColours Kind = '#'
)

// maxChanges is the maximum number of changes of all moves of a game. The oldest moves
// beyond it are not written.
const maxChanges = 1 << 16

// String returns the changes with blanks between them, see [Change.String].
func (m Move) String() string {
	texts := make([]string, len(m))
	for i, c := range m {
		texts[i] = c.String()
	}
	return strings.Join(texts, " ")
}

// String returns the cell, the kind, and the old and the new digits: "r1c3=>4" enters a
// 4, "r1c3=4>" removes it, and "r1c4~2>26" adds a note. Rows and columns are counted
// from 1.
func (c Change) String() string {
	text := func(value int) string {
		switch {
		case c.Of != OfDigit:
			return digits(uint16(value))
		case value == 0:
			return ""
		}
		return string(rune('0' + value))
	}
	return fmt.Sprintf("r%dc%d%c%s>%s", c.Row+1, c.Col+1, c.Of, text(c.Old), text(c.New))
}

// moveOf reads the text of a move, or says what is wrong with it.
func moveOf(text string) (m Move, problem string) {
	for field := range strings.FieldsSeq(text) {
		c, problem := changeOf(field)
		if problem != "" {
			return nil, fmt.Sprintf("%q: %s", label(field), problem)
		}
		m = append(m, c)
	}
	if m == nil {
		return nil, `want at least one change such as "r1c3=>4"`
	}
	return m, ""
}

// changeOf reads the text of a change, or says what is wrong with it.
func changeOf(text string) (c Change, problem string) {
	before, after, ok := strings.Cut(text, ">")
	if !ok || len(before) < 5 || before[0] != 'r' || before[2] != 'c' {
		return c, `want a change such as "r1c3=>4", or "r1c4~2>26" for notes`
	}
	c = Change{Row: int(before[1]) - '1', Col: int(before[3]) - '1', Of: Kind(before[4])}
	switch {
	case c.Row < 0 || c.Row > 8:
		return c, fmt.Sprintf("the row is %q: want 1 to 9", before[1])
	case c.Col < 0 || c.Col > 8:
		return c, fmt.Sprintf("the column is %q: want 1 to 9", before[3])
	case !strings.ContainsRune("=~^#", rune(c.Of)):
		return c, fmt.Sprintf(`the kind is %q: want "=" for a digit, "~" for notes, "^" for corner marks, or "#" for colours`, before[4])
	}
	for _, part := range []struct {
		text  string
		value *int
	}{{before[5:], &c.Old}, {after, &c.New}} {
		set, ok := group([]byte(part.text))
		switch {
		case c.Of == OfDigit && (!ok || len(part.text) > 1):
			return c, fmt.Sprintf("%q is not a digit from 1 to 9, or nothing", label(part.text))
		case !ok:
			return c, fmt.Sprintf("%q is not a list of different digits from 1 to 9", label(part.text))
		case c.Of != OfDigit:
			*part.value = int(set)
		case part.text != "":
			*part.value = int(part.text[0] - '0')
		}
	}
	return c, ""
}

// checkMoves checks that the moves lead to the present state, and those that are undone
// on from there. It returns what is wrong.
func (p *Progress) checkMoves(givens *sudoku.Grid) (problem string) {
	done := len(p.Moves) - p.Undone
	past, future := *p, *p
	for i := done - 1; i >= 0; i-- {
		for _, c := range slices.Backward(p.Moves[i]) {
			if problem := past.change(c, c.New, c.Old, givens); problem != "" {
				return fmt.Sprintf("moves[%d]: %q: %s", i, c, problem)
			}
		}
	}
	for i := done; i < len(p.Moves); i++ {
		for _, c := range p.Moves[i] {
			if problem := future.change(c, c.Old, c.New, givens); problem != "" {
				return fmt.Sprintf("moves[%d]: %q: %s", i, c, problem)
			}
		}
	}
	return ""
}

// change makes a change from one value to another, or says why it does not fit.
func (p *Progress) change(c Change, from, to int, givens *sudoku.Grid) (problem string) {
	if c.Of == OfDigit {
		now := &p.Board[c.Row][c.Col]
		switch {
		case givens[c.Row][c.Col] != 0:
			return "the digit of this cell is given"
		case *now != from:
			return fmt.Sprintf("the other moves and the board want %d instead of %d", *now, from)
		}
		*now = to
		return ""
	}
	set := map[Kind]*Notes{OfNotes: &p.Notes, OfCorner: &p.Corner, OfColours: &p.Colours}[c.Of]
	now := &set[c.Row][c.Col]
	if int(*now) != from {
		return fmt.Sprintf("the other moves and the board want %q instead of %q", digits(*now), digits(uint16(from)))
	}
	*now = uint16(to)
	return ""
}

// writtenMoves returns the texts of the last moves with at most maxChanges changes, and
// how many of them are undone.
func (p *Progress) writtenMoves() (texts []string, undone int) {
	changes := 0
	first := len(p.Moves)
	for ; first > 0 && changes+len(p.Moves[first-1]) <= maxChanges; first-- {
		changes += len(p.Moves[first-1])
	}
	for _, m := range p.Moves[first:] {
		texts = append(texts, m.String())
	}
	return texts, min(p.Undone, len(texts))
}

// moves reads the moves, or says what is wrong with them.
func (s *saved) moves(game *Game) (problem string) {
	p, changes := game.progress(), 0
	for i, text := range s.Moves {
		m, problem := moveOf(text)
		if problem != "" {
			return fmt.Sprintf("moves[%d]: %s", i, problem)
		}
		if changes += len(m); changes > maxChanges {
			return fmt.Sprintf("moves[%d]: expected at most %d changes", i, maxChanges)
		}
		p.Moves = append(p.Moves, m)
	}
	return ""
}

// oldMoves reads moves of version 1, which do not have the old values: "r1c2=5" enters a
// digit, 0 removes it, and "r1c2~5" adds or removes a note. Moves that do not lead from
// the givens to the present board cannot be undone, and are left out.
func oldMoves(texts []string, game *Game) (moves []Move, problem string) {
	now := Progress{Board: game.Givens}
	if len(texts) > maxChanges {
		return nil, fmt.Sprintf("expected at most %d, found %d", maxChanges, len(texts))
	}
	for i, text := range texts {
		wrong := func() ([]Move, string) {
			return nil, fmt.Sprintf(`move %d: expected for example "r1c2=5", or "r1c2~5" for a note, found %q`, i+1, label(text))
		}
		if len(text) != 6 || text[4] == '~' && text[5] == '0' || text[5] < '0' || '9' < text[5] {
			return wrong()
		}
		c, problem := changeOf(text[:5] + ">" + strings.Trim(text[5:], "0"))
		if problem != "" || c.Of != OfDigit && c.Of != OfNotes {
			return wrong()
		}
		if c.Of == OfDigit {
			c.Old = now.Board[c.Row][c.Col]
		} else {
			c.Old = int(now.Notes[c.Row][c.Col])
			c.New ^= c.Old
		}
		if now.change(c, c.Old, c.New, &game.Givens) != "" {
			return nil, "" // it changes a given
		}
		moves = append(moves, Move{c})
	}
	if p := game.Progress; now.Board != p.Board || now.Notes != p.Notes {
		return nil, ""
	}
	return moves, ""
}
