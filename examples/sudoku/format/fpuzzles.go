package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxPuzzleText is the maximum size of a puzzle in a link, in UTF-16 units.
const maxPuzzleText = 1 << 20

// IsLink reports whether a text begins like a link to a puzzle.
func IsLink(text string) bool {
	lower := strings.ToLower(text[:min(len(text), 20)])
	return slices.ContainsFunc([]string{"http://", "https://", "f-puzzles.com", "www.f-puzzles.com", "sudokupad.app", "app.cracking"}, func(start string) bool {
		return strings.HasPrefix(lower, start)
	})
}

// link reads the line's link to f-puzzles or SudokuPad.
func link(l *lines) (game Game, err error) {
	text := string(l.text)
	form, data, start, pad := padLink(text)
	i := strings.Index(text, "load=")
	switch {
	case pad && form.read == nil:
		return game, l.errorf(0, "the link names a puzzle that only the site has: want one with the puzzle in it, such as %q", "https://sudokupad.app/scl…")
	case pad:
	case i < 0 || !strings.Contains(strings.ToLower(text[:i]), "f-puzzles.com"):
		return game, l.errorf(0, `expected a link such as "https://www.f-puzzles.com/?load=…" or "https://sudokupad.app/scl…", found %q`, label(text))
	default:
		form, start = padForms[0], i+len("load=")
		data, _, _ = strings.Cut(text[start:], "&")
	}
	if plain, err := url.PathUnescape(data); err == nil { // it leaves "+" as it is
		data = plain
	}
	if form.packed && !strings.HasPrefix(data, "{") {
		data, err = decompress(strings.ReplaceAll(data, " ", "+"), maxPuzzleText)
	}
	switch {
	case errors.Is(err, errTooLong):
		return game, l.errorf(start, "the puzzle in the link has more than %d characters", maxPuzzleText)
	case err != nil:
		return game, l.errorf(start, "the link is damaged or incomplete: %v", err)
	}
	if problem := form.read(data, &game); problem != "" {
		return game, l.errorf(start, "the puzzle in the link: %s", problem)
	}
	return game, nil
}

// An fpuzzle has the parts of f-puzzles's JSON that belong to Sudoku.
type fpuzzle struct {
	Size    int        `json:"size"`
	Title   string     `json:"title,omitempty"`
	Author  string     `json:"author,omitempty"`
	Ruleset string     `json:"ruleset,omitempty"`
	Grid    [][]fpCell `json:"grid"`
}

type fpCell struct {
	Value  *fpNumber  `json:"value,omitempty"`
	Given  bool       `json:"given,omitempty"`
	Centre []fpNumber `json:"centerPencilMarks,omitempty"`
	Corner []fpNumber `json:"cornerPencilMarks,omitempty"`
	Region *fpNumber  `json:"region,omitempty"`
}

// An fpNumber is written as a number, and read as a number or a string.
type fpNumber int

func (n *fpNumber) UnmarshalJSON(text []byte) error {
	number, err := strconv.Atoi(string(bytes.Trim(text, `"`)))
	if err != nil || number < 0 || number > 9 {
		return fmt.Errorf("expected a number from 0 to 9, found %s", label(string(text)))
	}
	*n = fpNumber(number)
	return nil
}

// notRules are the parts of the JSON that do not add rules to those of Sudoku.
var notRules = []string{
	"size", "title", "author", "ruleset", "grid", "solution", "successmessage", "highlightconflicts",
	"disabledlogic", "truecandidatesoptions", "text", "circle", "rectangle", "line", "cage", "negative",
}

// puzzleOf reads the JSON, or says what is wrong with it.
func puzzleOf(source string, game *Game) (problem string) {
	var all map[string]json.RawMessage
	var p fpuzzle
	if err := json.Unmarshal([]byte(source), &all); err != nil {
		return "bad JSON: " + label(err.Error())
	}
	if err := json.Unmarshal([]byte(source), &p); err != nil {
		return "bad JSON: " + label(err.Error())
	}
	var rules []string
	for key, value := range all {
		empty := slices.Contains([]string{"[]", "{}", "false", "null", `""`, "0"}, string(value))
		if !empty && !slices.Contains(notRules, strings.ToLower(key)) {
			rules = append(rules, label(key))
		}
	}
	if len(rules) > 0 {
		return fmt.Sprintf("%q is not a rule of Sudoku", slices.Min(rules))
	}
	if p.Size != 0 && p.Size != 9 {
		return fmt.Sprintf("expected a size of 9, found %d", p.Size)
	}
	if len(p.Grid) != 9 {
		return fmt.Sprintf("expected 9 rows, found %d", len(p.Grid))
	}
	progress := Progress{}
	for row, cells := range p.Grid {
		if len(cells) != 9 {
			return fmt.Sprintf("row %d: expected 9 cells, found %d", row+1, len(cells))
		}
		for col, c := range cells {
			if c.Region != nil && int(*c.Region) != row/3*3+col/3 {
				return fmt.Sprintf("row %d, column %d: the region of this cell is not its box, so this is not a Sudoku", row+1, col+1)
			}
			if c.Value != nil {
				progress.Board[row][col] = int(*c.Value)
				if c.Given {
					game.Givens[row][col] = int(*c.Value)
				}
			}
			progress.Notes[row][col], progress.Corner[row][col] = setOf(c.Centre), setOf(c.Corner)
		}
	}
	game.begun(&progress)
	game.Name, game.Info.Author, game.Info.Comment = label(p.Title), label(p.Author), label(p.Ruleset)
	return ""
}

// setOf returns the set of some digits, without 0.
func setOf(digits []fpNumber) (set uint16) {
	for _, digit := range digits {
		set |= 1 << digit &^ 1
	}
	return set
}

// numbers returns the digits of a set.
func numbers(set uint16) (digits []fpNumber) {
	for ; set != 0; set &= set - 1 {
		digits = append(digits, fpNumber(bits.TrailingZeros16(set)))
	}
	return digits
}

// packedPuzzle returns the game in the form of f-puzzles, compressed.
func packedPuzzle(g *Game) string {
	p := fpuzzle{Size: 9, Title: g.Name, Author: g.Info.Author, Ruleset: g.Info.Comment, Grid: make([][]fpCell, 9)}
	board := g.Board()
	for row := range 9 {
		p.Grid[row] = make([]fpCell, 9)
		for col := range 9 {
			c := &p.Grid[row][col]
			if digit := fpNumber(board[row][col]); digit != 0 {
				c.Value, c.Given = &digit, g.Givens[row][col] != 0
			}
			if g.Progress != nil {
				c.Centre, c.Corner = numbers(g.Progress.Notes[row][col]), numbers(g.Progress.Corner[row][col])
			}
		}
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // all fields can be marshaled
	}
	return compress(string(text))
}
