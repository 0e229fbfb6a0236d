package format

import (
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// check reads games with one reader and checks that they are valid. Each can be
// saved and read back.
func check(t *testing.T, source string, read func(*lines, func(Game, error) bool)) {
	games := 0
	read(newLines("f", strings.NewReader(source)), func(g Game, err error) bool {
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("error without a position: %v", err)
			}
			return true // it ends the sequence
		}
		if games++; games > len(source)/81+1 {
			t.Fatalf("%d games in %d bytes", games, len(source))
		}
		board := g.Board()
		for row := range 9 {
			for col := range 9 {
				given, digit := g.Givens[row][col], board[row][col]
				if given < 0 || given > 9 || digit < 0 || digit > 9 || given != 0 && given != digit || g.Notes()[row][col]&^allDigits != 0 {
					t.Fatalf("row %d, column %d: given %d, digit %d, notes %b", row, col, given, digit, g.Notes()[row][col])
				}
			}
		}
		again, err := readAll("f", written(Saved, g))
		if err != nil || len(again) != 1 || !reflect.DeepEqual(again[0], g) {
			t.Fatalf("got %v, %v\nwant %v", again, err, g)
		}
		for _, f := range Formats() {
			if again, err := readAll("f", written(f, g)); err != nil || len(again) != 1 {
				t.Fatalf("%s: got %v, %v from %s", f, again, err, written(f, g))
			}
		}
		return true
	})
}

// seeds adds games written in each format.
func seeds(f *testing.F, formats ...Format) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, format := range formats {
		game := randomGame(random)
		f.Add(written(format, game))
		f.Add(written(format, Game{Givens: game.Givens}, game))
	}
}

func FuzzCells(f *testing.F) {
	seeds(f, Line, SDM)
	f.Add("000028fc0c1d " + puzzle + "  2.5\n" + strings.ReplaceAll(puzzle, ".", " ") + "\n")
	f.Add("puzzle,solution\n" + puzzle + "," + solved + ",name\n")
	f.Fuzz(func(t *testing.T, source string) { check(t, source, readCells) })
}

func FuzzLibrary(f *testing.F) {
	seeds(f, HoDoKu)
	f.Fuzz(func(t *testing.T, source string) { check(t, source, readLibrary) })
}

func FuzzRows(f *testing.F) {
	seeds(f, CSV, SDK, SS, Candidates, Text)
	f.Add("5 3 u4 26 7 . . . .\n")
	f.Add("5 3 4 26 *7 . . . .\n" + starred(table))
	f.Add(strings.ReplaceAll(nineRows(topless), ".", " "))
	f.Add(strings.ReplaceAll(written(SS, Game{Givens: grid(puzzle)}), ".", " "))
	f.Fuzz(func(t *testing.T, source string) {
		check(t, source, func(l *lines, yield func(Game, error) bool) { readRows(l, Game{}, yield) })
	})
}

func FuzzOpenSudoku(f *testing.F) {
	seeds(f, OpenSudoku)
	f.Add("<opensudoku2 version='3'><folder name='f'><game time='1' cells_data='" + openCells("4", "0|34") + "' user_note='n'/></folder></opensudoku2>")
	for _, cells := range []string{openCells("1", "2,6,"), openCells("2", "34"), openCells("4", "32|2"), openCells("5", "34|0|3")} {
		f.Add("<opensudoku><author>me</author><game data='" + cells + "' time='1'/></opensudoku>")
	}
	f.Fuzz(func(t *testing.T, source string) { check(t, source, readOpenSudoku) })
}

func FuzzFPuzzles(f *testing.F) {
	for _, link := range []string{fLink, fKiller, fSix} {
		text, err := decompress(link[32:], maxPuzzleText)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	// This fuzzes the JSON, because nearly every change to a link destroys it.
	f.Fuzz(func(t *testing.T, source string) {
		check(t, "https://f-puzzles.com/?load="+compress(source), readLinks)
	})
}

func FuzzLZString(f *testing.F) {
	f.Add(fLink[32:])
	f.Add("IYR8p6aDTmxkA===")
	f.Fuzz(func(t *testing.T, source string) {
		if text, err := decompress(source, 1<<16); err == nil {
			if again, err := decompress(compress(text), 1<<16); err != nil || again != text {
				t.Fatalf("got %q, %v, want %q", again, err, text)
			}
		}
	})
}

func FuzzSaved(f *testing.F) {
	seeds(f, Saved, GNOME)
	f.Add(`{"sudoku":1,"givens":"` + puzzle + `","board":"` + further + `","moves":["r1c3=4","r1c4~2","r1c4~2"],"settings":{}}`)
	f.Fuzz(func(t *testing.T, source string) { check(t, source, readSaved) })
}

// FuzzPad fuzzes a puzzle of SudokuPad before it is packed.
func FuzzPad(f *testing.F) {
	f.Add(padZipped(true))
	f.Add(padJSON())
	f.Fuzz(func(t *testing.T, source string) {
		check(t, "https://sudokupad.app/scl"+strings.ReplaceAll(compress(source), "/", "%2F"), readLinks)
	})
}

// FuzzRead fuzzes the detection of formats in [Read].
func FuzzRead(f *testing.F) {
	seeds(f, Formats()...)
	f.Add(inUTF16(nineRows(puzzle), binary.LittleEndian))
	f.Add(strings.ReplaceAll(nineRows(puzzle), "\n", "\r"))
	f.Add(zipped(javaXML(sudoku2XML("", puzzle, further, nil))))
	f.Fuzz(func(t *testing.T, source string) {
		check(t, source, func(l *lines, yield func(Game, error) bool) {
			read, err := detect(l)
			if err != nil {
				yield(Game{}, err)
				return
			}
			read(l, yield)
		})
	})
}
