package format

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// padHosts are the sites of SudokuPad. In their links a path, or the parameter puzzleid, is
// a form of puzzle with its data.
var padHosts = []string{"sudokupad.app/", "crackingthecryptic.com/", "sudokupad.svencodes.com/"}

// A padForm is a form in which links to SudokuPad have puzzles
// (puzzletools.js, puzzleloader.js and puzzlezipper.js of sudokupad.app).
type padForm struct {
	prefix string
	packed bool // by lz-string
	read   func(data string, game *Game) (problem string)
}

var padForms = []padForm{
	{"fpuzzles", true, puzzleOf}, {"fpuz", true, puzzleOf}, {"scl", true, padPuzzle}, {"ctc", true, padPuzzle},
	{"scf", false, padClassic}, {"classic", false, padClassic},
}

// padLink returns the form and the data of a link to SudokuPad, with the offset of the data.
func padLink(text string) (form padForm, data string, start int, ok bool) {
	lower := strings.ToLower(text)
	for _, host := range padHosts {
		if i := strings.Index(lower, host); i >= 0 {
			start, ok = i+len(host), true
			break
		}
	}
	if i := strings.Index(lower, "puzzleid="); ok && i > start {
		start = i + len("puzzleid=")
	}
	data = strings.TrimPrefix(text[start:], "sudoku/")
	start = len(text) - len(data)
	if end := strings.IndexAny(data, "?#&"); end >= 0 {
		data = data[:end]
	}
	for _, form := range padForms {
		if strings.HasPrefix(data, form.prefix) && len(data) > len(form.prefix) {
			return form, data[len(form.prefix):], start + len(form.prefix), ok
		}
	}
	return padForm{}, data, start, ok
}

// padClassic reads the givens, each with the number of empty cells after it: a character
// stands for a digit plus ten times that number. After them, usually with a star before,
// may be the letters of rules, and the author and the title after a and t, up to the next
// star that is not doubled.
func padClassic(data string, game *Game) (problem string) {
	n, more := 0, data
	for n < 81 && more != "" {
		char, size := utf8.DecodeRuneInString(more)
		code := strings.IndexRune("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx", char)
		switch {
		case code < 0:
			return fmt.Sprintf("expected a digit or a letter up to x for cell %d, found %q", n+1, char)
		case n+code/10 >= 81:
			return "expected 81 cells, found more"
		}
		game.Givens[n/9][n%9] = code % 10
		n, more = n+1+code/10, more[size:]
	}
	if n != 81 {
		return fmt.Sprintf("expected 81 cells, found %d", n)
	}
	for more != "" {
		letter, text := more[0], more[1:]
		switch letter {
		case '*':
			more = text
			continue
		case 'a', 't':
		default:
			return fmt.Sprintf("%q is not a rule of Sudoku", more[:1])
		}
		end := 0
		for end < len(text) && (text[end] != '*' || strings.HasPrefix(text[end:], "**")) {
			if text[end] == '*' {
				end++
			}
			end++
		}
		value := label(strings.ReplaceAll(text[:end], "**", "*"))
		if more = text[end:]; letter == 'a' {
			game.Info.Author = value
		} else {
			game.Name = value
		}
	}
	return ""
}

// padNames are the short names of fields of a puzzle.
var padNames = map[string]string{
	"ce": "cells", "cs": "cellSize", "re": "regions", "ca": "cages", "v": "value", "t": "title", "l": "lines", "a": "arrows", "o": "overlays", "u": "underlays",
}

// padNotRules are the fields of a puzzle that do not add rules to those of Sudoku.
var padNotRules = []string{"id", "cellSize", "cells", "regions", "cages", "metadata", "settings", "solution"}

// padPuzzle reads a puzzle of SudokuPad, or says what is wrong with it.
func padPuzzle(source string, game *Game) (problem string) {
	value, err := parseZipped(source)
	if err != nil {
		return err.Error()
	}
	puzzle, ok := value.(map[string]any)
	if !ok {
		return "expected an object"
	}
	for _, name := range slices.Sorted(maps.Keys(puzzle)) {
		if !slices.Contains(padNotRules, name) && !isNothing(puzzle[name]) {
			return fmt.Sprintf("%q is not a rule of Sudoku", label(name))
		}
	}
	if problem := padCells(puzzle["cells"], game); problem != "" {
		return problem
	}
	if problem := padRegions(puzzle["regions"]); problem != "" {
		return problem
	}
	about := map[string]any{}
	if metadata, ok := puzzle["metadata"].(map[string]any); ok {
		about = metadata
	}
	cages, _ := puzzle["cages"].([]any)
	for _, item := range cages {
		cage, _ := item.(map[string]any)
		name, value, ok := strings.Cut(textOf(cage["value"]), ": ")
		if !isNothing(cage["cells"]) || !ok {
			return `"cages" is not a rule of Sudoku`
		}
		about[name] = value
	}
	game.Name, game.Info.Author, game.Info.Comment = label(textOf(about["title"])), label(textOf(about["author"])), label(textOf(about["rules"]))
	return ""
}

// isNothing reports whether a value is empty.
func isNothing(v any) bool {
	switch v := v.(type) {
	case nil, bool:
		return v != true
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return v == "" || v == 0.0
}

// textOf returns the text of a text, a number, or several of them.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		texts := make([]string, len(v))
		for i, item := range v {
			texts[i] = textOf(item)
		}
		return strings.Join(texts, " ")
	}
	return ""
}

// padCells reads the cells. pencilMarks are those in the corners.
func padCells(value any, game *Game) (problem string) {
	rows, _ := value.([]any)
	if len(rows) != 9 {
		return fmt.Sprintf("expected 9 rows, found %d", len(rows))
	}
	var p Progress
	for row, value := range rows {
		cells, _ := value.([]any)
		if len(cells) != 9 {
			return fmt.Sprintf("row %d: expected 9 cells, found %d", row+1, len(cells))
		}
		for col, value := range cells {
			cell, _ := value.(map[string]any)
			digit, ok := digitsOf(cell["value"])
			corner, ok1 := digitsOf(cell["pencilMarks"])
			centre, ok2 := digitsOf(cell["centremarks"])
			if !ok || !ok1 || !ok2 || digit&(digit-1) != 0 {
				return fmt.Sprintf("row %d, column %d: expected a digit from 1 to 9, and such digits as marks", row+1, col+1)
			}
			p.Corner[row][col], p.Notes[row][col] = corner, centre
			if text := digits(digit); text != "" {
				p.Board[row][col] = int(text[0] - '0')
			}
			if cell["given"] != false {
				game.Givens[row][col] = p.Board[row][col]
			}
		}
	}
	if p.Board != game.Givens || p.Notes != (Notes{}) || p.Corner != (Notes{}) {
		game.Progress = &p
	}
	return ""
}

// digitsOf returns the digits of a text, a number, or several of them. 0 is none.
func digitsOf(v any) (set uint16, ok bool) {
	return group([]byte(strings.NewReplacer(" ", "", "0", "").Replace(textOf(v))))
}

// padRegions checks that the regions, if there are any, are the boxes of a Sudoku.
func padRegions(value any) (problem string) {
	regions, _ := value.([]any)
	var listed [9][9]bool
	for i, region := range regions {
		cells, _ := region.([]any)
		boxes := map[int]bool{}
		for _, cell := range cells {
			var row, col float64 = -1, -1
			if at, _ := cell.([]any); len(at) == 2 {
				row, _ = at[0].(float64)
				col, _ = at[1].(float64)
			}
			r, c := int(row), int(col)
			if r < 0 || r > 8 || c < 0 || c > 8 || float64(r) != row || float64(c) != col {
				return fmt.Sprintf("regions[%d]: expected rows and columns from 0 to 8", i)
			}
			if boxes[r/3*3+c/3] = true; listed[r][c] {
				boxes[-1] = true
			}
			listed[r][c] = true
		}
		if len(regions) != 9 || len(cells) != 9 || len(boxes) != 1 {
			return "the regions are not boxes, so this is not a Sudoku"
		}
	}
	return ""
}
