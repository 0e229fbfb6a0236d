package plain

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// maxTold is how many changed cells are told one by one.
const maxTold = 3

// show tells what has changed since the last view, and asks for a line.
func (p *Player) show(v game.View) {
	was, asked := p.view, p.asked
	var changed []place
	for at := range places {
		if v.Cells[at.row][at.col].Digit != was.Cells[at.row][at.col].Digit || asked != nil && at == *asked {
			changed = append(changed, at)
		}
	}
	message := ""
	if p.answers {
		message = messageText(v)
	}
	p.view, p.asked, p.answers = v, nil, false
	switch {
	case !p.began:
		p.say(board(v) + "\n" + stateText(v) + "\nType help for the commands.")
	case v.Puzzle != was.Puzzle || v.Number != was.Number || len(changed) > maxTold:
		p.say(board(v) + "\n" + stateText(v))
	case message != "":
		p.say(message)
	case v.State != was.State && v.State != game.Playing && len(changed) == 0:
		p.say(stateText(v))
	case v.State != was.State || len(changed) > 0:
		var told []string
		if v.State == game.Playing && was.State != game.Playing {
			told = append(told, "Playing.")
		}
		for _, at := range changed {
			told = append(told, sentence(cellText(v, at)))
		}
		p.say(strings.Join(append(told, stateText(v)), " "))
	}
	p.began = true
	p.ask()
}

// places calls yield with all cells, row by row.
func places(yield func(place) bool) {
	for i := range 81 {
		if !yield(place{i / 9, i % 9}) {
			return
		}
	}
}

// board draws the board, with its rows and columns named.
func board(v game.View) string {
	var b strings.Builder
	b.WriteString(printable(v.Title))
	if v.Number > 0 {
		fmt.Fprintf(&b, ": %s (%d of %d)", printable(v.Puzzle), v.Number, v.Puzzles)
	}
	b.WriteString("\n\n  ")
	for col := range 9 {
		fmt.Fprintf(&b, "%s c%d", gap(col), col+1)
	}
	for row := range 9 {
		if row%3 == 0 {
			b.WriteByte('\n')
		}
		line := fmt.Sprintf("r%d", row+1)
		for col, c := range v.Cells[row] {
			mark := " "
			if c.Conflict {
				mark = "!"
			}
			line += gap(col) + " " + digit(c, ".") + mark
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// gap is the space between the boxes.
func gap(col int) string {
	if col%3 == 0 {
		return "  "
	}
	return ""
}

func digit(c game.Cell, empty string) string {
	switch {
	case c.Digit == 0:
		return empty
	case c.Digit < 0 || c.Digit > 9: // a chart may send any number
		return "?"
	}
	return fmt.Sprint(c.Digit)
}

// cellText describes a cell, to be read aloud.
func cellText(v game.View, at place) string {
	c := v.Cells[at.row][at.col]
	text := fmt.Sprintf("row %d, column %d: %s", at.row+1, at.col+1, digit(c, "empty"))
	if c.Given {
		text += ", given"
	}
	return text
}

// units maps the words for groups of nine cells to the cells of a group.
var units = map[string]func(number int) []place{
	"row":    func(n int) []place { return nine(func(i int) place { return place{n, i} }) },
	"column": func(n int) []place { return nine(func(i int) place { return place{i, n} }) },
	"box":    func(n int) []place { return nine(func(i int) place { return place{n/3*3 + i/3, n%3*3 + i%3} }) },
}

func nine(f func(i int) place) (all []place) {
	for i := range 9 {
		all = append(all, f(i))
	}
	return all
}

// unit reads a row, a column or a box.
func unit(v game.View, word string, number int) string {
	var words []string
	for _, at := range units[word](number - 1) {
		words = append(words, digit(v.Cells[at.row][at.col], "empty"))
	}
	return sentence(fmt.Sprintf("%s %d: %s", word, number, strings.Join(words, ", ")))
}

// stateText describes the state of the game.
func stateText(v game.View) string {
	switch v.State {
	case game.Solved:
		return "Solved! Type next for the next puzzle, or start to play this one again."
	case game.Playing:
	default:
		return "The game is not running. Type start."
	}
	text := fmt.Sprintf("%d cells are empty.", v.Empty)
	if v.Empty == 1 {
		text = "1 cell is empty."
	}
	var conflicts []string
	for at := range places {
		if v.Cells[at.row][at.col].Conflict {
			conflicts = append(conflicts, fmt.Sprintf("r%dc%d", at.row+1, at.col+1))
		}
	}
	switch n := len(conflicts); {
	case n > 6:
		text += fmt.Sprintf(" %d cells are in conflict.", n)
	case n > 0:
		text += " In conflict: " + strings.Join(conflicts, ", ") + "."
	}
	return text
}

// messageText returns the message of the view in words.
func messageText(v game.View) string {
	switch v.Message.Code {
	case game.NotPlaying:
		return "The game is not running. Type start."
	case game.GivenDigit:
		return "This digit is part of the puzzle and stays."
	case game.NothingToUndo:
		return "There is nothing to undo."
	case game.BadUpdate:
		return "The chart sent a board that cannot be shown: " + printable(v.Message.Detail)
	case game.NoBoard:
		return "The board of the saved game cannot be read; it shows with the first move: " + printable(v.Message.Detail)
	case game.NotLoaded:
		return "The chart does not continue the saved game."
	case game.NotSaved:
		return "The game was not saved: " + printable(v.Message.Detail)
	}
	return ""
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// printable replaces characters that a terminal would execute.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}
