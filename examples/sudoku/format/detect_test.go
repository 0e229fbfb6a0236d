package format

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// samples has a file in each format, with the game that Read makes of it.
func samples() map[string]struct {
	text string
	want Game
} {
	all := map[string]struct {
		text string
		want Game
	}{
		"Puzzle Bank":             {"123456789012 " + zeros(grid(puzzle)) + "  2.5\n", Game{Givens: grid(puzzle), Info: Info{Rating: "2.5"}}},
		"HoDoKu's saved game":     {zipped(javaXML(sudoku2XML("", puzzle, puzzle, nil))), Game{Givens: grid(puzzle)}},
		"OpenSudoku2":             {"<opensudoku2 version='3'><folder><game cells_data='" + puzzle + "'/></folder></opensudoku2>", Game{Givens: grid(puzzle)}},
		"SudokuPad, scl":          {padURL("scl", padZipped(false)), Game{Givens: grid(puzzle), Name: "A 'title'", Info: Info{Author: "me"}}},
		"SudokuPad, scf":          {"sudokupad.app/scf" + padCodes(puzzle), Game{Givens: grid(puzzle)}},
		"81 blanks":               {strings.ReplaceAll(puzzle, ".", " ") + "\n", Game{Givens: grid(puzzle)}},
		"9 lines with blanks":     {strings.ReplaceAll(nineRows(puzzle), ".", " "), Game{Givens: grid(puzzle)}},
		"9 lines":                 {nineRows(puzzle), Game{Givens: grid(puzzle)}},
		"stars before givens":     {starred("0\n" + table), Game{Givens: grid(puzzle)}},
		"a frame without blanks":  {written(SS, Game{Givens: grid(puzzle)}), Game{Givens: grid(puzzle)}},
		"a solution with hash":    {"abcdef012345 " + solved + " 1.2\n", Game{Givens: grid(solved), Info: Info{Rating: "1.2"}}},
		"a solution with a title": {solved + " 1.2\n", Game{Givens: grid(solved), Name: "1.2"}},
	}
	random := rand.New(rand.NewPCG(9, 9))
	for _, f := range Formats() {
		game := randomGame(random)
		all[string(f)] = struct {
			text string
			want Game
		}{written(f, game), kept(f, game)}
	}
	return all
}

// No format is taken for another, whatever precedes it.
func TestDetection(t *testing.T) {
	for name, sample := range samples() {
		before := []string{"", "\uFEFF", "\n\n", "\r\n \n"}
		if strings.HasPrefix(sample.text, string(zipStart)) {
			before = []string{""}
		}
		for _, before := range before {
			games, err := readAll("f", before+sample.text)
			if err != nil || len(games) != 1 || !reflect.DeepEqual(games[0], sample.want) {
				t.Errorf("%q and %s: got %d games, %v from\n%.300q", before, name, len(games), err, sample.text)
			}
		}
	}
}
