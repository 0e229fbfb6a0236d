package plain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// The commands that read the game.

func (p *Player) showBoard(drive.Session, string) {
	if p.view.State == game.Paused {
		p.say(p.state(&p.view))
		return
	}
	p.say(strings.TrimSuffix(p.board(&p.view), "\n"))
}

// board draws the board, with its rows and columns named.
func (p *Player) board(v *game.View) string {
	return p.grid(v, 1, func(c *game.Cell) string {
		if c.Conflict {
			return digit(c, ".") + "!"
		}
		return digit(c, ".")
	})
}

// showNotes draws the board with the notes of empty cells.
func (p *Player) showNotes() {
	v := &p.view
	if v.State == game.Paused {
		p.say(p.state(v))
		return
	}
	width := 1
	for at := range places {
		width = max(width, len(words.Digits(at.in(v).Notes)))
	}
	p.say(strings.TrimSuffix(p.grid(v, width, func(c *game.Cell) string {
		if c.Digit == 0 && c.Notes != 0 {
			return words.Digits(c.Notes)
		}
		return digit(c, ".")
	}), "\n"))
}

// title names the puzzle.
func (p *Player) title(v *game.View) string {
	var b strings.Builder
	b.WriteString(words.Printable(v.Title))
	if v.Number > 0 {
		fmt.Fprintf(&b, ": %s", words.Printable(p.words.Puzzle(v)))
	}
	if v.Level > 0 {
		fmt.Fprintf(&b, ", %s, ER %s", p.words.Level(v.Level), p.words.T("%.1f", v.ER))
	}
	return b.String()
}

// grid draws the board with the text of each cell, which has so many characters and one
// more.
func (p *Player) grid(v *game.View, width int, text func(*game.Cell) string) string {
	var b strings.Builder
	b.WriteString(p.title(v))
	b.WriteString("\n\n  ")
	line := ""
	add := func(col int, text string) {
		if col%3 == 0 {
			line += "  "
		}
		line += fmt.Sprintf(" %-*s", width+1, text)
	}
	for col := range 9 {
		add(col, p.words.T("c%d", col+1))
	}
	b.WriteString(strings.TrimRight(line, " "))
	for row := range 9 {
		if row%3 == 0 {
			b.WriteByte('\n')
		}
		line = p.words.T("r%d", row+1)
		for col := range 9 {
			add(col, text(&v.Cells[row][col]))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func digit(c *game.Cell, empty string) string {
	switch {
	case c.Digit == 0:
		return empty
	case c.Digit < 0 || c.Digit > 9: // a chart may send any number
		return "?"
	}
	return strconv.Itoa(c.Digit)
}

// cell describes a cell, to be read aloud.
func (p *Player) cell(v *game.View, at place) string {
	c := at.in(v)
	text := p.words.T("row %d, column %d: %s", at.row+1, at.col+1, digit(c, p.words.T("empty")))
	add := func(key words.Key, args ...any) { text += ", " + p.words.T(key, args...) }
	if c.Given {
		add("given")
	}
	if c.Notes != 0 && c.Digit == 0 {
		add("notes %s", spaced(c.Notes))
	}
	if c.Corner != 0 && c.Digit == 0 {
		add("in the corner %s", spaced(c.Corner))
	}
	if c.Colours != 0 {
		add("colour %s", spaced(c.Colours))
	}
	return text
}

// spaced returns digits that are read one by one, as in "1 2 5".
func spaced(set uint16) string { return strings.Join(strings.Split(words.Digits(set), ""), " ") }

// read returns the run function that reads a unit.
func read(u unit) func(*Player, drive.Session, string) {
	return func(p *Player, _ drive.Session, args string) {
		number, err := strconv.Atoi(args)
		name := p.words.T(units[u])
		switch {
		case err != nil || number < 1 || number > 9:
			p.tell("Write %s and a number from 1 to 9.", name)
			return
		case p.view.State == game.Paused:
			p.say(p.state(&p.view))
			return
		}
		var told []string
		for _, at := range u.cells(number) {
			c := at.in(&p.view)
			text := digit(c, p.words.T("empty"))
			if c.Digit == 0 && c.Notes != 0 {
				text = p.words.T("notes %s", spaced(c.Notes))
			}
			told = append(told, text)
		}
		p.say(sentence(fmt.Sprintf("%s %d: %s", name, number, strings.Join(told, ", "))))
	}
}

var units = [...]words.Key{row: "row", column: "column", box: "box"}

// digit tells where a digit is.
func (p *Player) digit(_ drive.Session, args string) {
	d, err := strconv.Atoi(args)
	switch {
	case err != nil || d < 1 || d > 9:
		p.tell("Write %s and a number from 1 to 9.", p.words.T("digit"))
		return
	case p.view.State == game.Paused:
		p.say(p.state(&p.view))
		return
	}
	var where []string
	for at := range places {
		if at.in(&p.view).Digit == d {
			where = append(where, p.words.Cell(at.row+1, at.col+1))
		}
	}
	text := p.words.T("The digit %d is not on the board.", d)
	if where != nil {
		text = p.words.T("The digit %d is in %s.", d, strings.Join(where, ", "))
	}
	p.say(text + " " + p.words.T("%d are left.", max(0, 9-len(where))))
}

func (p *Player) statistics(drive.Session, string) {
	v := &p.view
	p.tell("%d given, %d entered and %d empty cells.", v.Given, v.Filled, v.Empty)
	var left []string
	var count [10]int
	for at := range places {
		if d := at.in(v).Digit; 1 <= d && d <= 9 {
			count[d]++
		}
	}
	for d := 1; d <= 9; d++ {
		if n := 9 - count[d]; n > 0 {
			left = append(left, p.words.T("%d of digit %d", n, d))
		}
	}
	if left != nil {
		p.tell("Left: %s.", strings.Join(left, ", "))
	}
	if v.Clock {
		p.tell("Time: %s.", words.Clock(v.Time))
	}
	if v.State == game.Playing && v.Undo >= 0 && v.Redo >= 0 {
		p.tell("%d moves can be undone, and %d made again.", v.Undo, v.Redo)
	}
	if p.shelf == nil {
		return
	}
	results, err := p.shelf.Statistics()
	if err != nil {
		p.tell("The results cannot be read: %s.", words.Printable(err.Error()))
	}
	for level, r := range results {
		if r.Solved+r.GivenUp == 0 {
			continue
		}
		name := p.words.T("all games")
		if level > 0 {
			name = p.words.Level(level)
		}
		text := p.words.T("%s: %d solved, %d given up, %d in a row, at most %d", name, r.Solved, r.GivenUp, r.Streak, r.Longest)
		if r.Timed > 0 {
			text += p.words.T(", best time %s, mean time %s", words.Clock(r.Best), words.Clock(r.Mean))
		}
		p.say(sentence(text))
	}
}

// copy writes the puzzle and the board for other programs.
func (p *Player) copy(drive.Session, string) {
	if p.view.State == game.Paused {
		p.say(p.state(&p.view))
		return
	}
	var puzzle, board sudoku.Grid
	for at := range places {
		c := at.in(&p.view)
		board[at.row][at.col] = c.Digit
		if c.Given {
			puzzle[at.row][at.col] = c.Digit
		}
	}
	p.say(puzzle.String())
	if board != puzzle {
		p.say(board.String())
	}
}
