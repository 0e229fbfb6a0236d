package format

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A gnomeGame is the JSON of a game that GNOME Sudoku 3.12 and later have saved
// (lib/board.vala). Cells without a value and without earmarks are left out.
type gnomeGame struct {
	Difficulty string      `json:"difficulty_category"`
	Time       float64     `json:"time_elapsed"` // seconds, or -1
	Cells      []gnomeCell `json:"cells"`
}

type gnomeCell struct {
	Position []int `json:"position"` // row and column, from 0
	Value    int   `json:"value"`
	Fixed    bool  `json:"fixed"`
	Earmarks []int `json:"earmarks"`
}

// gnomeLevel ends the names of most difficulties.
const gnomeLevel = " Difficulty"

// game converts the JSON, or says which field is wrong and how.
func (s *gnomeGame) game(game *Game) (field, problem string) {
	var p Progress
	var seen [9][9]bool
	for i, c := range s.Cells {
		where := fmt.Sprintf("cells[%d]", i)
		if len(c.Position) != 2 || min(c.Position[0], c.Position[1]) < 0 || max(c.Position[0], c.Position[1]) > 8 {
			return "cells", fmt.Sprintf("%s.position is %v: want a row and a column from 0 to 8", where, c.Position)
		}
		row, col := c.Position[0], c.Position[1]
		switch {
		case seen[row][col]:
			return "cells", fmt.Sprintf("%s.position is %v: this cell has been listed before", where, c.Position)
		case c.Value < 0 || c.Value > 9:
			return "cells", fmt.Sprintf("%s.value is %d: want 0 to 9", where, c.Value)
		}
		seen[row][col] = true
		p.Board[row][col] = c.Value
		if c.Fixed {
			game.Givens[row][col] = c.Value
		}
		for _, digit := range c.Earmarks {
			if digit < 1 || digit > 9 {
				return "cells", fmt.Sprintf("%s.earmarks has %d: want 1 to 9", where, digit)
			}
			p.Notes[row][col] |= 1 << digit
		}
	}
	if s.Time != -1 && (s.Time < 0 || s.Time > maxTime/1000) {
		return "time_elapsed", fmt.Sprintf("expected a number of seconds from 0 to %d, or -1, found %v", maxTime/1000, s.Time)
	}
	p.Time = time.Duration(math.Round(max(s.Time, 0)*1000)) * time.Millisecond
	game.begun(&p)
	if level, ok := strings.CutSuffix(s.Difficulty, gnomeLevel); ok && level != "Unknown" {
		game.Info.Level = label(level)
	}
	return "", ""
}

// writeGnome writes a game as a line of JSON.
func writeGnome(out io.StringWriter, g *Game) {
	// The program refuses names that it does not know.
	s := gnomeGame{Difficulty: "Custom Puzzle", Cells: []gnomeCell{}}
	for _, level := range []string{"Easy", "Medium", "Hard", "Very Hard"} {
		if strings.EqualFold(level, g.Info.Level) {
			s.Difficulty = level + gnomeLevel
		}
	}
	if g.Progress != nil {
		s.Time = g.Progress.Time.Seconds()
	}
	board, notes := g.Board(), g.Notes()
	for row, col := range sudoku.Cells {
		c := gnomeCell{Position: []int{row, col}, Value: board[row][col], Fixed: g.Givens[row][col] != 0, Earmarks: []int{}}
		for _, digit := range digits(notes[row][col]) {
			c.Earmarks = append(c.Earmarks, int(digit-'0'))
		}
		if c.Value != 0 || len(c.Earmarks) > 0 {
			s.Cells = append(s.Cells, c)
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // all fields can be marshaled
	}
	out.WriteString(string(text) + "\n")
}
