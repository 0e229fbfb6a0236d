package format

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// randomGame returns a game with all fields. Its notes are candidates, at least two
// in a cell.
func randomGame(random *rand.Rand) Game {
	game := Game{Name: "No. 1: <é> & 数独", Info: Info{"Ada", "A \"comment\"", "2026-01-02", "<book>", "Easy & quick", "4.2", "http://example.com/?a=1&b=2"}}
	p := &Progress{Time: time.Duration(random.IntN(1e6)) * time.Millisecond}
	solution := grid(solved)
	for row := range 9 {
		for col := range 9 {
			switch digit := solution[row][col]; random.IntN(4) {
			case 0:
				game.Givens[row][col] = digit
				p.Board[row][col] = digit
			case 1:
				p.Board[row][col] = digit
				p.Moves = append(p.Moves, Move{{row, col, OfDigit, 0, digit}})
			}
			p.Colours[row][col] = uint16(random.IntN(1<<10)) &^ 1
		}
	}
	possible := candidates(&p.Board)
	for row := range 9 {
		for col := range 9 {
			set := possible[row][col] & uint16(random.IntN(1<<10))
			if len(digits(set)) > 1 {
				p.Notes[row][col] = set & uint16(random.IntN(1<<10))
				p.Corner[row][col] = set &^ p.Notes[row][col]
			}
			if now := int(p.Notes[row][col]); random.IntN(8) == 0 {
				p.Moves = append(p.Moves, Move{{row, col, OfNotes, 0, now}, {row, col, OfCorner, 0, int(p.Corner[row][col])}})
			} else if random.IntN(8) == 0 {
				p.Moves = append(p.Moves, Move{{row, col, OfColours, 1 << 9, int(p.Colours[row][col])}})
			}
		}
	}
	future := *p
	for range random.IntN(3) {
		c := Change{row(random), row(random), OfCorner, 0, 1 << 5}
		c.Old = int(future.Corner[c.Row][c.Col])
		future.Corner[c.Row][c.Col] = 1 << 5
		p.Moves, p.Undone = append(p.Moves, Move{c}), p.Undone+1
	}
	p.SavePoints = []SavePoint{{"a guess", game.Givens, Notes{}, p.Corner, Notes{}}, {"", p.Board, p.Notes, Notes{}, p.Colours}}
	p.Mode, p.Snapshot = Paused, json.RawMessage(`{"format":"scxml-snapshot"}`)
	game.Progress = p
	game.Other = map[string]json.RawMessage{"seed": json.RawMessage("7"), "a<b": json.RawMessage(`[{"x":null}]`)}
	return game
}

func row(random *rand.Rand) int { return random.IntN(9) }

// kept returns what a format keeps of a game according to the package documentation.
func kept(f Format, g Game) Game {
	info := g.Info
	name := g.Name
	g.Info, g.Name = Info{}, ""
	p := &Progress{Board: g.Progress.Board, Notes: g.Notes()} // most know only one kind of notes
	board := Game{Givens: p.Board}
	switch f {
	case Line:
		return Game{Givens: g.Givens, Name: name}
	case SDM, CSV:
		return Game{Givens: g.Givens}
	case Text:
		return board
	case SS, Candidates:
		return Game{Givens: g.Givens, Progress: p}
	case SDK:
		return Game{Givens: g.Givens, Progress: p, Name: name, Info: info}
	case OpenSudoku:
		p.Notes, p.Corner, p.Time = g.Progress.Notes, g.Progress.Corner, g.Progress.Time
		for i := range 81 { // one colour for a cell
			set := g.Progress.Colours[i/9][i%9]
			p.Colours[i/9][i%9] = set & -set
		}
		info.Rating = ""
		return Game{Givens: g.Givens, Progress: p, Name: name, Info: info}
	case HoDoKu:
		return Game{Givens: g.Givens, Progress: p, Name: name}
	case GNOME:
		p.Time = g.Progress.Time
		return Game{Givens: g.Givens, Progress: p}
	case FPuzzles, SudokuPad:
		p.Notes, p.Corner = g.Progress.Notes, g.Progress.Corner
		return Game{Givens: g.Givens, Progress: p, Name: name, Info: Info{Author: info.Author, Comment: info.Comment}}
	}
	g.Name, g.Info = name, info
	return g // Saved
}

func TestRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, f := range Formats() {
		var games, want []Game
		for range 50 {
			g := randomGame(random)
			games, want = append(games, g), append(want, kept(f, g))
			puzzle := Game{Givens: g.Givens}
			games, want = append(games, puzzle), append(want, puzzle)
			if f == OpenSudoku { // the info belongs to the file
				want[len(want)-1].Info = g.Info
				want[len(want)-1].Info.Rating = ""
			}
			if f == Candidates { // the candidates become notes
				want[len(want)-1].Progress = &Progress{Board: g.Givens, Notes: candidates(&g.Givens)}
			}
		}
		text := written(f, games...)
		got, err := readAll("f", text)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: got %d games and %v, want %d\n%s", f, len(got), err, len(want), text[:min(len(text), 2000)])
			continue
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("%s, game %d:\n got %s\nwant %s\n from %s", f, i, show(got[i]), show(want[i]), show(games[i]))
				break
			}
		}
	}
}

// An empty game and a solved one.
func TestRoundTripExtremes(t *testing.T) {
	for _, f := range Formats() {
		for _, game := range []Game{{}, {Givens: grid(solved)}, {Givens: grid(puzzle), Name: strings.Repeat("x", maxName)}} {
			text := written(f, game)
			got, err := readAll("f", text)
			if err != nil || len(got) != 1 || got[0].Givens != game.Givens {
				t.Errorf("%s: got %d games and %v from\n%s", f, len(got), err, text)
			}
		}
		if text := written(f); text != "" {
			t.Errorf("%s: a file without games is %q", f, text)
		}
	}
}

// Read detects each format.
func TestSecondRoundTripChangesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for _, from := range Formats() {
		for _, to := range Formats() {
			first, err := readAll("f", written(from, randomGame(random)))
			if err != nil {
				t.Fatalf("%s: %v", from, err)
			}
			second, err := readAll("f", written(to, first...))
			if err != nil || second[0].Givens != first[0].Givens && to != Text {
				t.Errorf("%s to %s: got %v, %v", from, to, second, err)
			}
		}
	}
}

func TestLabel(t *testing.T) {
	for text, want := range map[string]string{
		" a \t\n b ":               "a b",
		"a\x1b[31mb\u202e\xff":     "a [31mb",
		strings.Repeat("é", 300):   strings.Repeat("é", maxName),
		strings.Repeat("x ", 5000): strings.Repeat("x ", maxName/2-1) + "x",
	} {
		if got := label(text); got != want {
			t.Errorf("%.40q: got %q, want %q", text, got, want)
		}
	}
}
