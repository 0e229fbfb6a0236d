package format

import (
	"archive/zip"
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// zipped returns a zip file with one member.
func zipped(text string) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	member, err := w.Create("SudokuData")
	if err == nil {
		_, err = member.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return out.String()
}

// javaXML returns what java.beans.XMLEncoder writes for an object.
func javaXML(object string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<java version="17.0.15" class="java.beans.XMLDecoder">` + "\n" + object + "</java>\n"
}

// sudoku2XML returns the XML of a Sudoku2.
func sudoku2XML(id, givens, board string, properties map[string]string) string {
	var values, fixed, cells strings.Builder
	possible := candidates(new(grid(board)))
	for i := range 81 {
		if board[i] != '.' {
			fmt.Fprintf(&values, "<void index=\"%d\">\n <int>%c</int>\n</void>\n", i, board[i])
		}
		if givens[i] != '.' {
			fmt.Fprintf(&fixed, "<void index=\"%d\">\n <boolean>true</boolean>\n</void>\n", i)
		}
		if set := possible[i/9][i%9] >> 1; set != 0x1ff {
			fmt.Fprintf(&cells, "<void index=\"%d\">\n <short>%d</short>\n</void>\n", i, set)
		}
	}
	out := "<object class=\"sudoku.Sudoku2\"" + id + ">\n"
	for _, p := range [][2]string{{"cells", cells.String()}, {"fixed", fixed.String()}, {"userCells", ""}, {"values", values.String()}, {"score", ""}} {
		if more := p[1] + properties[p[0]]; more != "" {
			out += "<void property=\"" + p[0] + "\">\n" + more + "</void>\n"
		}
	}
	return out + "<void property=\"nsQueue\"><object class=\"sudoku.SudokuSinglesQueue\"><void property=\"values\"><void index=\"0\"><int>7</int></void></void></object></void></object>\n"
}

// A file that HoDoKu has saved is read: the puzzle that is played, and not those of undo or
// the solution.
func TestReadHsol(t *testing.T) {
	begun := Game{Givens: grid(puzzle), Progress: &Progress{Board: grid(further)}}
	noted := Game{Givens: grid(puzzle), Info: Info{Rating: "HoDoKu 1234"}, Progress: &Progress{Board: grid(further), Notes: Notes{{3: 1<<2 | 1<<6}}}}
	deleted := Game{Givens: grid(puzzle), Progress: &Progress{Board: grid(puzzle), Notes: candidates(new(grid(puzzle)))}}
	deleted.Progress.Notes[0][2] &^= 1 << 4
	solution := "<void property=\"solvedSudoku\">" + sudoku2XML("", solved, solved, nil) + "</void>"
	for name, test := range map[string]struct {
		xml  string
		want Game
	}{
		"the state of the program": {`<object class="sudoku.GuiState">` + solution + `<void property="sudoku">` + sudoku2XML("", puzzle, further, nil) + `</void></object>`, begun},
		"a puzzle that is in the undo stack": {`<object class="sudoku.GuiState"><void property="redoStack"><object class="java.util.Stack"><void method="add">` +
			sudoku2XML(` id="Sudoku20"`, puzzle, further, nil) + `</void></object></void>` + solution + `<void property="sudoku"><object idref="Sudoku20"/></void></object>`, begun},
		"only puzzles": {sudoku2XML("", puzzle, puzzle, nil) + sudoku2XML("", solved, solved, nil), Game{Givens: grid(puzzle)}},
		"as arrays": {strings.ReplaceAll(strings.ReplaceAll(sudoku2XML("", puzzle, further, nil), "<void property=\"fixed\">\n", "<void property=\"fixed\"><array class=\"boolean\" length=\"81\">"),
			"</void>\n</void>\n<void property=\"values\">", "</void>\n</array></void>\n<void property=\"values\">"), begun},
		"noted candidates and a score": {sudoku2XML("", puzzle, further, map[string]string{
			"userCells": "<void index=\"3\"><short>34</short></void>", "score": "<int>1234</int>"}), noted},
		"a deleted candidate": {sudoku2XML("", puzzle, puzzle, map[string]string{"cells": fmt.Sprintf("<void index=\"2\"><short>%d</short></void>", deleted.Progress.Notes[0][2]>>1)}), deleted},
	} {
		games, err := readAll("f", zipped(javaXML(test.xml)))
		if err != nil || len(games) != 1 || !reflect.DeepEqual(games[0], test.want) {
			t.Errorf("%s: %v", name, err)
			if len(games) > 0 {
				t.Logf("\n got %s\nwant %s", show(games[0]), show(test.want))
			}
		}
	}
}

func TestReadHsolErrors(t *testing.T) {
	for source, want := range map[string]string{
		"PK\x03\x04 nothing": "f:1:1: HoDoKu: zip: not a valid zip file",
		zipped("x"):          "f:1:1: HoDoKu: it does not have a puzzle of HoDoKu 2",
		zipped("<java><object class='sudoku.Sudoku'/></java>"): "f:1:1: HoDoKu: it does not have a puzzle of HoDoKu 2",
		zipped("<java>"): "f:1:1: HoDoKu: XML syntax error on line 1: unexpected EOF",
		zipped("<java><object class='sudoku.Sudoku2'><void property='values'><void index='81'><int>1</int></void></void></object></java>"):       `f:1:1: HoDoKu: expected a number from 0 to 9 for values of a cell from 0 to 80, found "1" for cell 81`,
		zipped("<java><object class='sudoku.Sudoku2'><void property='fixed'><void index='8'><boolean>2</boolean></void></void></object></java>"): `f:1:1: HoDoKu: expected a number from 0 to 1 for fixed of a cell from 0 to 80, found "2" for cell 8`,
		zipped(strings.Repeat("<a>", 1001)):            "f:1:1: HoDoKu: the elements are nested more than 1000 deep",
		zipped("<a>" + strings.Repeat(" ", maxHsol+1)): "f:1:1: HoDoKu: too long",
		"PK\x03\x04" + strings.Repeat(" ", maxHsol):    "f:1:1: HoDoKu: expected at most 16 MiB",
	} {
		if _, err := readAll("f", source); err == nil || err.Error() != want {
			t.Errorf("%.100q:\n got %v\nwant %s", source, err, want)
		}
	}
}

// FuzzHsol fuzzes the XML, because nearly every change to a zip file destroys it.
func FuzzHsol(f *testing.F) {
	f.Add(javaXML(`<object class="sudoku.GuiState"><void property="sudoku">` + sudoku2XML("", puzzle, further, map[string]string{
		"userCells": "<void index=\"3\"><short>34</short></void>"}) + `</void></object>`))
	f.Add(`<java><object class="sudoku.Sudoku2" id="s"/><object class="sudoku.GuiState"><void property="sudoku"><object idref="s"/></void></object></java>`)
	f.Fuzz(func(t *testing.T, source string) { check(t, zipped(source), readHsol) })
}
