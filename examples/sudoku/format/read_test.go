package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

const (
	puzzle  = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	further = "534.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	solved  = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

	// These links were made with lz-string 1.5.0.
	fLink   = "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCALhNAbO8QDkB7AOgAIBGUwZAJTAHU0BunEVAQwFc0ALQgJwRAFs4qbqxxgYaPkW79mWUiLHEmIAObcIAEwQBtHaABuc1rgCsqVRAMwAdgjQiYAX2SHjuAMwWrt+45duWCYIACwBIADGtmgw3AAKthEQWACyzNwA1mC6AEzIAGwAuqgRPDaxCTZJqelZuiA5IIXhRkG4AOze1nbwDiYBA64DxfogrcHw+V2+vf5D84ET5NM9fc6uY+4IKGo+q3OLZit+/QvDyPotW0jHs6eHCAAct2uDwG9XbQhTu90n6+8Rg94M9fjNXmcFpsvpMXgcPhtxp44f0gdCJiEUQC3ujcKDLH87tjEdcvGD9vccUiEMtyf8nGjqfBOnSiQj3iSYXlWRCOXzPhMfgTwf4gQLcEK9vTIfzORNucKKQDcU8sedLjKVfBMTyDlraYrpcCdoa2ZqmeZdaiLrLbVr8VKzXamSzTbytSbHa9CsUQBlkjhuBFmKpcDpfWBCEEMIQeuGnEA==="
	fKiller = "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbQF1UBrCAGzJgwGMBDNOePUamCsfEAJQEYBhHiCIgAbrTIBXRiADMIAL4F5QA==="
	fSix    = "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcA2ANCA5gJwgEwQbTwF1CBfIA=="
)

const table = `5,3,0,0,7,0,0,0,0
6,0,0,1,9,5,0,0,0
0,9,8,0,0,0,0,6,0
8,0,0,0,6,0,0,0,3
4,0,0,8,0,3,0,0,1
7,0,0,0,2,0,0,0,6
0,6,0,0,0,0,2,8,0
0,0,0,4,1,9,0,0,5
0,0,0,0,8,0,0,7,9
`

// grid reads 81 characters.
func grid(text string) (g sudoku.Grid) {
	if problem := ""; len(text) == 81 {
		if g, problem = gridOf(text); problem == "" {
			return g
		}
	}
	panic(text)
}

// padURL returns a link to SudokuPad with a packed puzzle.
func padURL(form, text string) string {
	return "https://sudokupad.app/" + form + strings.ReplaceAll(compress(text), "/", "%2F") + "\n"
}

// padZipped returns a puzzle as SudokuPad shortens it.
func padZipped(metadata bool) string {
	rows, regions := make([]string, 9), make([]string, 9)
	for i := range 81 {
		cell := ","
		if puzzle[i] != '.' {
			cell = fmt.Sprintf("{v:%c},", puzzle[i])
		}
		rows[i/9] += cell
		regions[i/27*3+i%9/3] += fmt.Sprintf("[%d,%d],", i/9, i%9)
	}
	for i := range 9 {
		rows[i], regions[i] = "["+strings.TrimSuffix(rows[i], ",")+"]", "["+strings.TrimSuffix(regions[i], ",")+"]"
	}
	about := `ca:[{v:'title: A \'title\''},{v:'author: me'}]`
	if metadata {
		about = `metadata:{t:'A \u0027title\'',author:'me',solution:12},settings:{conflictchecker:f}`
	}
	return "{cs:50,ce:[" + strings.Join(rows, ",") + "],re:[" + strings.Join(regions, ",") + "]," + about + "}"
}

// padJSON returns a game as SudokuPad has it.
func padJSON() string {
	rows := make([]string, 9)
	for i := range 81 {
		switch {
		case i == 3:
			rows[0] += `{"pencilMarks":["2"],"centremarks":[2,6]},`
		case further[i] == '.':
			rows[i/9] += "{},"
		default:
			rows[i/9] += fmt.Sprintf(`{"value":"%c","given":%v},`, further[i], puzzle[i] != '.')
		}
	}
	for i := range 9 {
		rows[i] = "[" + strings.TrimSuffix(rows[i], ",") + "]"
	}
	return `{"id":"x", "cellSize":50,"cells":[` + strings.Join(rows, ",") + `],"lines":[],"cages":[],"regions":[]}`
}

// padCodes returns the codes of the givens.
func padCodes(text string) (out string) {
	for i := 0; i < 81; {
		code := int(grid(text)[i/9][i%9])
		for i++; i < 81 && text[i] == '.' && code < 50; i++ {
			code += 10
		}
		out += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"[code:][:1]
	}
	return out
}

// gnomeText is a game of GNOME Sudoku.
var gnomeText = func() string {
	cells := []string{`{"position":[0,3],"value":0,"fixed":false,"earmarks":[2,6]}`}
	for i := range 81 {
		if further[i] != '.' {
			cells = append(cells, fmt.Sprintf(`{ "position" : [ %d, %d ], "value" : %c, "fixed" : %v, "earmarks" : [] }`, i/9, i%9, further[i], puzzle[i] != '.'))
		}
	}
	return "{\n  \"difficulty_category\" : \"Very Hard Difficulty\",\n  \"time_elapsed\" : 61.5,\n  \"cells\" : [\n" + strings.Join(cells, ",\n") + "]\n}\n"
}()

// topless has empty rows at the top, and gap after a full row.
const (
	topless = "..................1.2.3.4.53.5.7.9.1...............8............................1"
	gap     = "534678912..................1.2.3.4.53.5.7.9.1..........8........................1"
)

// starred puts stars before the digits of all rows except the first.
func starred(table string) string {
	_, rows, _ := strings.Cut(strings.NewReplacer(",", " ", "0", ".").Replace(table), "\n")
	for digit := range strings.SplitSeq("123456789", "") {
		rows = strings.ReplaceAll(rows, digit, "*"+digit)
	}
	return rows
}

// starredBoxes returns the same with frames and without blanks.
func starredBoxes() (out string) {
	for _, row := range strings.Split(strings.TrimSuffix(starred(table), "\n"), "\n") {
		cells := strings.Fields(row)
		out += "|" + strings.Join(cells[:3], "") + "|" + strings.Join(cells[3:6], "") + "|" + strings.Join(cells[6:], "") + "|\n"
	}
	return out
}

// nineRows writes 81 characters as 9 lines.
func nineRows(text string) string {
	g := grid(text)
	return plainRows(&g)
}

func readAll(name, source string) (games []Game, err error) {
	for game, err := range Read(name, strings.NewReader(source)) {
		if err != nil {
			return games, err
		}
		games = append(games, game)
	}
	return games, nil
}

func show(g Game) string {
	return written(Saved, g)
}

func TestReadFormats(t *testing.T) {
	plain := Game{Givens: grid(puzzle)}
	named := Game{Givens: grid(puzzle), Name: "No. 1"}
	begun := Game{Givens: grid(puzzle), Progress: &Progress{Board: grid(further)}}
	noted := Game{Givens: grid(puzzle), Progress: &Progress{Board: grid(further), Notes: Notes{0: {3: 1<<2 | 1<<6}}}}
	cornered := Game{Givens: grid(puzzle), Progress: &Progress{Board: grid(further), Notes: noted.Progress.Notes, Corner: Notes{0: {3: 1 << 2}}}}
	about := Game{Name: "A 'title'", Givens: grid(puzzle), Info: Info{Author: "me"}}
	dots := strings.NewReplacer("0", ".", ",", "").Replace(table)
	for _, test := range []struct {
		name, source string
		want         []Game
	}{
		{"a table", table, []Game{plain}},
		{"ends of lines as on Windows", "\uFEFF" + strings.ReplaceAll(table, "\n", "\r\n"), []Game{plain}},
		{"blanks, comments and empty lines", "# mine\n\n" + strings.ReplaceAll(table, ",", " , ") + "\n\n", []Game{plain}},
		{"no end of the last line", strings.TrimSuffix(table, "\n"), []Game{plain}},
		{"a spreadsheet", strings.ReplaceAll(table, "0", ""), []Game{plain}},
		{"semicolons", strings.ReplaceAll(table, ",", ";"), []Game{plain}},
		{"tabs", strings.ReplaceAll(strings.ReplaceAll(table, "0", "."), ",", "\t"), []Game{plain}},
		{"two tables", table + table, []Game{plain, plain}},
		{"two tables with an empty line", table + "\n" + table, []Game{plain, plain}},

		{"81 characters", puzzle, []Game{plain}},
		{"81 characters with 0", strings.ReplaceAll(puzzle, ".", "0") + "\n", []Game{plain}},
		{"81 characters with *", strings.ReplaceAll(puzzle, ".", "*") + "\n", []Game{plain}},
		{"81 characters with _", "# mine\n" + strings.ReplaceAll(puzzle, ".", "_") + " \r\n", []Game{plain}},
		{"blanks before", "  " + puzzle, []Game{plain}},
		{"a name after the cells", puzzle + " # No. 1\n" + puzzle + ",No. 1\n" + puzzle + "\tNo.  1 ", []Game{named, named, named}},
		{"a table of solutions", "puzzle,solution\n" + puzzle + "," + solved + "\n" + puzzle + "," + solved + ",No. 1\n", []Game{plain, named}},

		{"9 lines", dots, []Game{plain}},
		{"9 lines with blanks", strings.ReplaceAll(strings.ReplaceAll(table, "0", "."), ",", " "), []Game{plain}},
		{"lines to look at", Rows(&plain.Givens), []Game{plain}},
		{"a frame of boxes", "+---+---+---+\n|53.|.7.|...|\n|6..|195|...|\n|.98|...|.6.|\n+---+---+---+\n|8..|.6.|..3|\n|4..|8.3|..1|\n|7..|.2.|..6|\n" +
			"+---+---+---+\n|.6.|...|28.|\n|...|419|..5|\n|...|.8.|.79|\n+---+---+---+\n", []Game{plain}},

		{"81 characters with blanks", strings.ReplaceAll(puzzle, ".", " ") + "\n" + strings.ReplaceAll(puzzle, ".", " ") + " # No. 1\n" +
			strings.ReplaceAll(topless, ".", " ") + "\n", []Game{plain, named, {Givens: grid(topless)}}},
		{"9 lines with blanks for empty cells", strings.ReplaceAll(dots, ".", " "), []Game{plain}},
		{"the same without blanks at the end", strings.ReplaceAll(strings.ReplaceAll(dots, ".", " "), " \n", "\n"), []Game{plain}},
		{"two with blanks", strings.ReplaceAll(dots, ".", " ") + "\n" + strings.ReplaceAll(nineRows(topless), ".", " "), []Game{plain, {Givens: grid(topless)}}},
		{"empty rows at the top", strings.ReplaceAll(nineRows(topless), ".", " "), []Game{{Givens: grid(topless)}}},
		{"empty rows after a full one", strings.ReplaceAll(nineRows(gap), ".", " "), []Game{{Givens: grid(gap)}}},
		{"lines of blanks between others", "         \n" + strings.ReplaceAll(dots, "\n", "\n         \n") + dots, []Game{plain, plain}},
		{"blanks in lines to look at", strings.ReplaceAll(Rows(&plain.Givens), ".", " "), []Game{plain}},
		{"blanks in a frame of boxes", strings.ReplaceAll(written(SS, plain), ".", " "), []Game{plain}},
		{"blanks in a frame with blanks", "+-------+-------+-------+\n| " + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSuffix(strings.ReplaceAll(Rows(&plain.Givens), ".", " "), "\n"), "\n------+-------+------\n", "\n"), "\n", " |\n| ") +
			" |\n+-------+-------+-------+\n", []Game{plain}},
		{"blanks in a frame of cells", strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll("|"+strings.TrimSuffix(table, "\n"), ",", " | "), "\n", "|\n|"), "0", " ") + "|\n", []Game{plain}},

		{"stars before givens", strings.NewReplacer("5 3 4", "*5 *3 4").Replace("5 3 4 26 *7 . . . .\n") + starred(table), []Game{noted}},
		{"stars before givens in a frame", "*-----------*\n|*5*34|.*7.|...|\n" + starredBoxes() + "*-----------*\n", []Game{begun}},

		{"the Sudoku Exchange Puzzle Bank", "000028fc0c1d " + zeros(grid(puzzle)) + "  2.5\n123456789012 " + zeros(grid(puzzle)) + " 11.0\n", []Game{
			{Givens: grid(puzzle), Info: Info{Rating: "2.5"}}, {Givens: grid(puzzle), Info: Info{Rating: "11.0"}}}},

		{"SadMan, short", "#AAda\n#DNo. 1\n#CA comment\n#B2026-01-02\n#SA book\n#LEasy\n#R4.2\n#Uhttp://example.com/\n#XX\n" + dots, []Game{
			{Name: "No. 1", Givens: grid(puzzle), Info: Info{"Ada", "A comment", "2026-01-02", "A book", "Easy", "4.2", "http://example.com/"}}}},
		{"SadMan", "#DNo. 1\n[Puzzle]\n" + dots, []Game{named}},
		{"SadMan, begun", "[Puzzle]\n" + dots + "[State]\n" + nineRows(further) + "[Colors]\nsomething else\n", []Game{begun}},
		{"SadMan, notes", "[Puzzle]\n" + dots + "[State]\n" + nineRows(further) + "[PencilMarks]\n,,,26,,,,,\n" + strings.Repeat(",,,,,,,,\n", 8), []Game{noted}},
		{"SadMan, two", "[Puzzle]\n" + dots + "[State]\n" + nineRows(further) + "\n#DNo. 1\n[Puzzle]\n" + dots, []Game{begun, named}},

		{"Simple Sudoku", " *-----------*\n |53.|.7.|...|\n |6..|195|...|\n |.98|...|.6.|\n |---+---+---|\n |8..|.6.|..3|\n |4..|8.3|..1|\n |7..|.2.|..6|\n" +
			" |---+---+---|\n |.6.|...|28.|\n |...|419|..5|\n |...|.8.|.79|\n *-----------*\n Simple Sudoku\n  Version 4.2n\n", []Game{plain}},
		{"Simple Sudoku, begun", written(SS, begun), []Game{begun}},
		{"Simple Sudoku, notes", written(SS, noted), []Game{noted}},
		{"Simple Sudoku, two", written(SS, plain, plain), []Game{plain, plain}},

		{"candidates of HoDoKu", ".--------.-------.-------.\n| 5 3 4  | 26 7 . | . . . |\n| 6 . .  | 1 9 5 | . . . |\n| . 9 8  | . . . | . 6 . |\n:--------+-------+-------:\n" +
			"| 8 . .  | . 6 . | . . 3 |\n| 4 . .  | 8 . 3 | . . 1 |\n| 7 . .  | . 2 . | . . 6 |\n:--------+-------+-------:\n" +
			"| . 6 .  | . . . | 2 8 . |\n| . . .  | 4 1 9 | . . 5 |\n| . . .  | . 8 . | . 7 9 |\n'--------'-------'-------'\n", []Game{
			{Givens: grid(further), Progress: &Progress{Board: grid(further), Notes: noted.Progress.Notes}}}},
		{"candidates of SudoCue", strings.Replace("5 3 u4 26 7 . . . .\n"+strings.SplitAfterN(strings.NewReplacer(",", " ", "0", ".").Replace(table), "\n", 2)[1], "\r", "", 1), []Game{noted}},

		{"HoDoKu", ":0000:x:" + puzzle + ":::\n", []Game{plain}},
		{"HoDoKu, begun", ":0000:x:53+4" + puzzle[3:] + ":::No. 1:\n", []Game{{Name: "No. 1", Givens: grid(puzzle), Progress: &Progress{Board: grid(further)}}}},
		{"HoDoKu, a step", ":0803:14:53+4" + puzzle[3:] + "::417 427::", []Game{begun}},

		{"OpenSudoku 1", `<?xml version="1.0" encoding="UTF-8"?><opensudoku><name>Mine</name><author>Ada</author><description></description><comment/><created>2009</created>` +
			`<level>easy</level><sourceURL>http://example.com/</sourceURL><game data="` + zeros(grid(puzzle)) + `" /></opensudoku>`, []Game{
			{Givens: grid(puzzle), Info: Info{Author: "Ada", Date: "2009", Source: "Mine", Level: "easy", URL: "http://example.com/"}}}},
		{"OpenSudoku 2", "<opensudoku version='2'><folder name='f'>\n<game data='" + puzzle + "' note='No. 1' time='0'/><game data='" + openCells("1", "2,6,") + "'/>" +
			"<game data='" + openCells("2", "34") + "'/><game data='" + openCells("3", "34") + "'/><game data='" + openCells("4", "32|2") + "'/>" +
			"<game data='" + openCells("5", "34|0|3") + "' time='61000'/></folder></opensudoku>", []Game{named, noted, noted, noted,
			{Givens: grid(puzzle), Progress: &Progress{Board: grid(further), Corner: Notes{{3: 1 << 6}}, Notes: Notes{{3: 1 << 2}}}},
			{Givens: grid(puzzle), Progress: &Progress{Board: grid(further), Corner: noted.Progress.Notes, Colours: Notes{{3: 1 << 3}}, Time: 61 * time.Second}}}},
		{"OpenSudoku 3", `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><opensudoku version="3"><folder name="f" created="1700000000000">` +
			`<game created="1700000000000" state="0" time="61000" last_played="0" cells_data="` + openCells("5", "0|34|0") + `" user_note="No. 1" command_stack="0" />` +
			`<game created="1" state="1" time="0" last_played="0" cells_data="` + puzzle + `" user_note="" command_stack="" /></folder></opensudoku>`, []Game{
			{Name: "No. 1", Givens: grid(puzzle), Progress: &Progress{Board: grid(further), Notes: noted.Progress.Notes, Time: 61 * time.Second}}, plain}},
		{"OpenSudoku2", `<opensudoku2 version="3"><folder name="f" created="1"><game created="1" state="0" time="0" last_played="0" cells_data="` +
			strings.Replace(openCells("4", "0|34"), "&#10;", "\n", 1) + `" user_note="" command_stack="" /></folder></opensudoku2>`, []Game{noted}},

		{"f-puzzles", fLink + "\n\n" + strings.NewReplacer("https://www.", "", "+", "%2B", "===", "%3D%3D%3D").Replace(fLink) + "&x=1", []Game{
			{"No. 1 – 数独", grid(puzzle), Info{Author: "me", Comment: "Normal rules."}, cornered.Progress, nil},
			{"No. 1 – 数独", grid(puzzle), Info{Author: "me", Comment: "Normal rules."}, cornered.Progress, nil}}},

		{"SudokuPad, scl", padURL("scl", padZipped(false)) + padURL("ctc", padZipped(true)), []Game{about, about}},
		{"SudokuPad, JSON", "https://app.crackingthecryptic.com/sudoku/scl" + url.PathEscape(padJSON()) + "\n" + "https://sudokupad.app/scf?puzzleid=scl" + url.QueryEscape(compress(padJSON())) + "&x=1\n",
			[]Game{{Givens: grid(puzzle), Progress: cornered.Progress}, {Givens: grid(puzzle), Progress: cornered.Progress}}},
		{"SudokuPad, fpuzzles", strings.Replace(fLink, "www.f-puzzles.com/?load=", "sudokupad.app/fpuzzles", 1) + "\n" + strings.Replace(fLink, "https://www.f-puzzles.com/?load=", "beta.sudokupad.app/fpuz", 1)[5:], []Game{
			{"No. 1 – 数独", grid(puzzle), Info{Author: "me", Comment: "Normal rules."}, cornered.Progress, nil},
			{"No. 1 – 数独", grid(puzzle), Info{Author: "me", Comment: "Normal rules."}, cornered.Progress, nil}}},
		{"SudokuPad, scf", "https://sudokupad.app/scf" + padCodes(puzzle) + "*tA 'title'*ame\n" + "https://sudokupad.app/scf" + padCodes(puzzle) + "ame*tA 'title'\n" +
			"https://sudokupad.app/sudoku/classic" + padCodes(puzzle) + "\nhttps://sudokupad.app/scfoooooooooooooK", []Game{about, about, plain, {}}},

		{"GNOME Sudoku", gnomeText, []Game{{Givens: grid(puzzle), Info: Info{Level: "Very Hard"}, Progress: &Progress{Board: grid(further), Notes: noted.Progress.Notes, Time: 61500 * time.Millisecond}}}},
		{"GNOME Sudoku, finished", strings.NewReplacer("61.5", "-1", "Very Hard", "Unknown").Replace(gnomeText) + gnomeText[:0], []Game{noted}},

		{"saved", "\n" + `{"sudoku":1,"givens":"` + puzzle + `","more":[{ }]} {"sudoku":2,` + "\n" + `"name":"No. 1","givens":"` + puzzle + `"}`, []Game{
			{Givens: grid(puzzle), Other: map[string]json.RawMessage{"more": json.RawMessage(`[{}]`)}}, named}},
	} {
		games, err := readAll("f", test.source)
		if err != nil || !reflect.DeepEqual(games, test.want) {
			t.Errorf("%s: got %d games, %v\n%s", test.name, len(games), err, test.source)
			for i := range min(len(games), len(test.want)) {
				t.Logf("\n got %s\nwant %s", show(games[i]), show(test.want[i]))
			}
		}
	}
}

// written returns games in a format.
func written(f Format, games ...Game) string {
	var out bytes.Buffer
	w := NewWriter(&out, f)
	for i := range games {
		if err := w.Write(&games[i]); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.String()
}

// openCells returns the cells of a game of OpenSudoku, whose fourth cell has notes.
func openCells(version, notes string) string {
	none := map[string]string{"1": "-", "2": "0", "3": "0", "4": "0|0", "5": "0|0|0"}[version]
	text := "version: " + version + "&#10;"
	for i := range 81 {
		cell, editable := none, 1
		if i == 3 {
			cell = notes
		}
		if puzzle[i] != '.' {
			editable = 0
		}
		text += fmt.Sprintf("%d|%s|%d|", grid(further)[i/9][i%9], cell, editable)
	}
	return text
}

func TestPuzzlesHaveNames(t *testing.T) {
	for _, test := range []struct {
		file, source string
		want         []string
	}{
		{"dir/mine.csv", table, []string{"mine"}},
		{`C:\puzzles\two.txt`, puzzle + "\n" + solved + " # a name\n" + puzzle, []string{"two 1", "a name", "two 3"}},
	} {
		puzzles, err := Puzzles(test.file, []byte(test.source))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range puzzles {
			got = append(got, p.Name)
		}
		if !reflect.DeepEqual(got, test.want) || puzzles[0].Grid != grid(puzzle) {
			t.Errorf("%s: got %q, want %q", test.file, got, test.want)
		}
	}
	if _, err := Puzzles("f", nil); err == nil {
		t.Error("an empty file is not an error")
	}
}

func TestReadErrors(t *testing.T) {
	rows := strings.SplitAfter(table, "\n")
	dots := nineRows(puzzle)
	for _, test := range []struct{ source, want string }{
		{"", `f:1:1: the file does not contain a puzzle: expected lines of 81 characters, 9 lines of 9 cells, or another Sudoku format`},
		{"# nothing\n\n", `f:3:1: the file does not contain a puzzle: expected lines of 81 characters, 9 lines of 9 cells, or another Sudoku format`},
		{"x\n" + puzzle, `f:1:1: expected a digit, or "0", ".", "*" or "_" for an empty cell, found 'x'`},
		{"5,3,x,0,7,0,0,0,0\n", `f:1:5: expected a number from 0 to 9, found "x"`},
		{"5,3, 10,0,7,0,0,0,0\n", `f:1:6: expected a number from 0 to 9, found "10"`},
		{rows[0] + "\n6,0,0,1,9,5,0,0\n", `f:3:16: expected 9 numbers in a row, found 8`},
		{rows[0] + "6,0,0,1,9,5,0,0,0,0", `f:2:19: expected 9 numbers in a row, found 10`},
		{rows[0] + rows[1], `f:2:18: expected 9 rows, found 2`},
		{table + rows[0], `f:10:18: expected 9 rows, found 1`},
		{solved + "\n" + solved[:80], `f:2:81: expected 81 characters, found 80`},
		{solved + "7\n", `f:1:82: expected 81 characters, or a blank and a name after them, found 82`},
		{solved[:40] + "é" + solved[41:], `f:1:41: expected a digit, or "0", ".", "*" or "_" for an empty cell, found 'é'`},
		{"Sudoku\n", `f:1:1: expected a digit, or "0", ".", "*" or "_" for an empty cell, found 'S'`},
		{"53..7....\n6..195..\n", `f:2:9: expected 9 cells in a row, found 8`},
		{"5 3 . . 7 . . . .\n6 1 9 5\n", `f:2:8: expected 9 cells in a row, found 4`},
		{"| 12 3 4 | 5 6 7 | 8 9 113 |\n", `f:1:24: expected a cell: a digit, "." or the like, or different digits from 1 to 9 as candidates, found "113"`},
		{dots + "\n" + dots[:25], `f:13:6: expected 9 cells in a row, found 5`},
		{"[Puzzle]\n" + dots[:20] + "[State]\n", `f:4:1: expected 9 rows, found 2`},
		{"[State]\n" + dots, `f:1:1: expected the section "[Puzzle]" first, found "[State]"`},
		{"[Puzzle]\n" + dots + "[State]\n" + nineRows(strings.Repeat(".", 81)), `f:12:1: the given 5 is not in column 1 of this row`},
		{"[Puzzle]\n" + dots + "[PencilMarks]\n,,,1 2,,,,,\n", `f:12:4: expected different digits from 1 to 9, or nothing, found "1 2"`},
		{":0000:x:123", `f:1:12: expected 81 cells, found 3`},
		{":0000:123", `f:1:1: expected a library line such as ":0000:x:" and 81 characters and ":::", found 2 colons`},
		{":0000:x:" + puzzle[:4] + "+." + puzzle[5:] + ":::", `f:1:14: expected a digit after "+", found '.'`},
		{":0000:x:" + puzzle + "1:::", `f:1:90: expected 81 cells, found more`},
		{":0000:x:" + puzzle + ":123 19::", `f:1:95: expected a deleted candidate such as "123" for digit 1 in row 2, column 3, found "19"`},
		{"<html>", `f:1:1: expected <opensudoku>, found <html>`},
		{"<opensudoku>\n<game data='12'/></opensudoku>", `f:2:1: data of <game>: expected 81 digits, or "version:" and cells, found 2 digits and then ""`},
		{"<opensudoku2>\n<game cells_data='12'/></opensudoku2>", `f:2:1: cells_data of <game>: expected 81 digits, or "version:" and cells, found 2 digits and then ""`},
		{"<opensudoku><game data='" + openCells("5", "0|0|x") + "'/></opensudoku>", `f:1:13: data of <game>: cell 4: expected a colour from 0 to 9, found "x"`},
		{"<opensudoku>\n<game data='version: 9&#10;'/></opensudoku>", `f:2:1: data of <game>: expected version 1 to 5, found "9"`},
		{"<opensudoku>\n<game data='version: 3&#10;1|2|'/></opensudoku>", `f:2:1: data of <game>: expected 243 fields in 81 cells, found 2`},
		{"<opensudoku><game data='" + strings.Replace(openCells("3", "34"), "|34|", "|999|", 1) + "'/></opensudoku>", `f:1:13: data of <game>: cell 4: expected notes, found "999"`},
		{"<opensudoku><game data='" + puzzle + "' time='x'/></opensudoku>", `f:1:13: time of <game>: expected a number of milliseconds, found "x"`},
		{"<opensudoku>\n\n</opensudoku>", `f:3:14: the file does not contain a puzzle: expected <game data=…> or <game cells_data=…>`},
		{"<opensudoku>\n<game", `f:2:1: bad XML: unexpected EOF`},
		{"https://example.com/?load=x", `f:1:1: expected a link such as "https://www.f-puzzles.com/?load=…" or "https://sudokupad.app/scl…", found "https://example.com/?load=x"`},
		{fLink[:300], `f:1:33: the link is damaged or incomplete: it is not text compressed by lz-string`},
		{fKiller, `f:1:33: the puzzle in the link: "killercage" is not a rule of Sudoku`},
		{fSix, `f:1:33: the puzzle in the link: expected a size of 9, found 6`},
		{"https://sudokupad.app/abcdef", `f:1:1: the link names a puzzle that only the site has: want one with the puzzle in it, such as "https://sudokupad.app/scl…"`},
		{"sudokupad.app/scl" + compress("{cells:"), `f:1:18: the puzzle in the link: expected a value, found the end`},
		{"sudokupad.app/scl" + compress("[1]"), `f:1:18: the puzzle in the link: expected an object`},
		{"sudokupad.app/scl" + compress("{cells:[]} x"), `f:1:18: the puzzle in the link: expected the end, found "x"`},
		{"sudokupad.app/scl" + compress("{a 1}"), `f:1:18: the puzzle in the link: expected a colon, found "1}"`},
		{"sudokupad.app/scl" + compress("{ce:[],l:[,]}"), `f:1:18: the puzzle in the link: "lines" is not a rule of Sudoku`},
		{"sudokupad.app/scl" + compress("{global:['antiknight'],"+padZipped(true)[1:]), `f:1:18: the puzzle in the link: "global" is not a rule of Sudoku`},
		{"sudokupad.app/scl" + compress(strings.Replace(padZipped(false), "'author: me'", "9,cells:[[0,0]]", 1)), `f:1:18: the puzzle in the link: "cages" is not a rule of Sudoku`},
		{"sudokupad.app/scl" + compress(strings.Replace(padZipped(false), "[8,8]", "[8,5]", 1)), `f:1:18: the puzzle in the link: the regions are not boxes, so this is not a Sudoku`},
		{"sudokupad.app/scl" + compress(strings.Replace(padZipped(false), "[8,8]", "[8,9]", 1)), `f:1:18: the puzzle in the link: regions[8]: expected rows and columns from 0 to 8`},
		{"sudokupad.app/scl" + compress(strings.Repeat("[", 100)), `f:1:18: the puzzle in the link: the values are nested too deep`},
		{"sudokupad.app/scl" + compress("{'a"), `f:1:18: the puzzle in the link: a text has no end`},
		{"sudokupad.app/scf123", `f:1:18: the puzzle in the link: expected 81 cells, found 3`},
		{"sudokupad.app/scf12-", `f:1:18: the puzzle in the link: expected a digit or a letter up to x for cell 3, found '-'`},
		{"sudokupad.app/scf" + padCodes(puzzle) + "*w", `f:1:18: the puzzle in the link: "w" is not a rule of Sudoku`},
		{"sudokupad.app/scfooooooooooooooo", `f:1:18: the puzzle in the link: expected 81 cells, found more`},
		{`{"cells":[{"position":[0,9]}]}`, `f:1:2: cells: cells[0].position is [0 9]: want a row and a column from 0 to 8`},
		{`{"cells":[{"position":[0,1]},{"position":[0,1]}]}`, `f:1:2: cells: cells[1].position is [0 1]: this cell has been listed before`},
		{`{"cells":[{"position":[0,1],"value":10}]}`, `f:1:2: cells: cells[0].value is 10: want 0 to 9`},
		{`{"cells":[{"position":[0,1],"earmarks":[0]}]}`, `f:1:2: cells: cells[0].earmarks has 0: want 1 to 9`},
		{`{"cells":[],"time_elapsed":-2}`, `f:1:13: time_elapsed: expected a number of seconds from 0 to 1099511627, or -1, found -2`},
		{"{}", `f:1:1: sudoku: expected a saved game with the field "sudoku":2`},
		{"\n" + `{"sudoku":3}`, `f:2:2: sudoku: expected version 1 or 2, found 3`},
		{`{"sudoku":1,` + "\n" + `"givens":"12"}`, `f:2:1: givens: expected 81 digits or dots, found 2 and then ""`},
		{`{"sudoku":1,` + "\n" + `"givens":12}`, `f:2:11: expected another kind of value for "givens", found number`},
		{`{"sudoku":1,` + "\n" + `"givens":}`, `f:2:10: bad JSON: invalid character '}' looking for beginning of value`},
		{`{"sudoku":1,` + "\n", `f:2:1: bad JSON: the file ends within a saved game`},
	} {
		_, err := readAll("f", test.source)
		var format *Error
		if !errors.As(err, &format) || err.Error() != test.want {
			t.Errorf("%q:\n got %v\nwant %s", test.source, err, test.want)
		}
	}
}

// In every format, a failure of the input is an error after the games before it.
func TestReadFailure(t *testing.T) {
	failure := errors.New("the disk is gone")
	for _, f := range Formats() {
		game := Game{Givens: grid(puzzle)}
		text := written(f, game, game)
		text = text[:len(text)*3/4]
		games := 0
		var err error
		for _, err = range Read("f", io.MultiReader(strings.NewReader(text), iotest.ErrReader(failure))) {
			if err == nil {
				games++
			}
		}
		if !errors.Is(err, failure) || games != 1 {
			t.Errorf("%s: got %d games and %v", f, games, err)
		}
	}
}

// Input that is too large is rejected before it takes much memory.
func TestReadBounds(t *testing.T) {
	for _, test := range []struct{ name, start, repeat, want string }{
		{"a line", "", ".", "f:1:1: the line is longer than 1048576 bytes"},
		{"a name", puzzle, " x", "f:1:1: the line is longer than 1048576 bytes"},
		{"a tag", "<opensudoku><game data='", "1", "f:1:13: expected a tag or a text of at most 1048576 bytes"},
		{"a text", "<opensudoku>", "1", "f:1:1052673: expected a tag or a text of at most 1048576 bytes"},
		{"nesting", "<opensudoku>", "<a>", "f:1:58: the elements are nested more than 16 deep"},
		{"a saved game", `{"sudoku":1,"x":[`, "1,", "f:1:1: a saved game has more than 4194304 bytes"},
		{"a link", "https://www.f-puzzles.com/?load=", "A", "f:1:1: the line is longer than 1048576 bytes"},
	} {
		endless := &endless{text: test.start, repeat: test.repeat, left: 64 << 20}
		var err error
		for _, err = range Read("f", endless) {
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
		if endless.left < 50<<20 {
			t.Errorf("%s: it continued to read", test.name)
		}
	}
}

// A long file takes the same memory as a short one.
func TestReadStreams(t *testing.T) {
	for _, f := range []Format{Line, SDM, CSV, SS, Text} { // the others keep something of each game
		allocs := func(n int) float64 {
			games := make([]Game, n)
			for i := range games {
				games[i].Givens = grid(puzzle)
			}
			text := written(f, games...)
			return testing.AllocsPerRun(1, func() {
				read := 0
				for _, err := range Read("f", strings.NewReader(text)) {
					if err != nil {
						t.Fatal(err)
					}
					read++
				}
				if read != n {
					t.Errorf("%s: got %d games, want %d", f, read, n)
				}
			})
		}
		if few, many := allocs(100), allocs(2000); many > few+5 {
			t.Errorf("%s: %v allocations for 100 games, %v for 2000", f, few, many)
		}
	}
}

type endless struct {
	text, repeat string
	left         int
}

func (e *endless) Read(p []byte) (n int, err error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	for len(e.text) < len(p) {
		e.text += strings.Repeat(e.repeat, 1000)
	}
	n = copy(p, e.text)
	e.text = e.text[n:]
	e.left -= n
	return n, nil
}

// TestEmptyLines reads empty lines. It takes a fraction of a second; looking ahead
// at all of them from each would take minutes.
func TestEmptyLines(t *testing.T) {
	start := time.Now()
	games, err := readAll("f", strings.Repeat("\n", 5_000_000)+puzzle)
	if err != nil || len(games) != 1 {
		t.Errorf("got %v, %v", games, err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}
