package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// The steps of --json, read back, lead to the solution.
func TestStepsInJSONLeadToTheSolution(t *testing.T) {
	for _, flags := range [][]string{nil, {"--order", "rating"}} {
		cmd := exec.Command(binary, append([]string{"steps", "--json"}, flags...)...)
		var input strings.Builder
		puzzles := sudoku.Puzzles()
		for _, p := range puzzles {
			fmt.Fprintln(&input, &p.Grid)
		}
		cmd.Stdin = strings.NewReader(input.String())
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if len(lines) != len(puzzles) {
			t.Fatalf("%d lines for %d puzzles", len(lines), len(puzzles))
		}
		for i, line := range lines {
			var record struct {
				Puzzle string
				Steps  []struct {
					Technique        string
					Place, Eliminate []string
				}
			}
			if err := json.Unmarshal([]byte(line), &record); err != nil {
				t.Fatal(err)
			}
			if record.Puzzle != puzzles[i].Grid.String() {
				t.Errorf("line %d is about %s", i+1, record.Puzzle)
			}
			p, err := human.New(&puzzles[i].Grid)
			if err != nil {
				t.Fatal(err)
			}
			for n, step := range record.Steps {
				var row, column, digit int
				for _, text := range step.Place {
					if _, err := fmt.Sscanf(text, "r%1dc%1d=%1d", &row, &column, &digit); err != nil || !p.Place(human.At(row, column), digit) {
						t.Fatalf("line %d, step %d: cannot place %s: %v", i+1, n+1, text, err)
					}
				}
				for _, text := range step.Eliminate {
					if _, err := fmt.Sscanf(text, "r%1dc%1d<>%1d", &row, &column, &digit); err != nil || !p.Eliminate(human.At(row, column), digit) {
						t.Fatalf("line %d, step %d: cannot eliminate %s: %v", i+1, n+1, text, err)
					}
				}
			}
			if !p.Solved() {
				t.Errorf("line %d: the steps do not lead to the solution", i+1)
			}
		}
	}
}

// A position decides whether its puzzle has one solution: givens that leave several may
// have entries or candidates that leave one.
func TestPositionsDecideAboutTheSolution(t *testing.T) {
	const solved = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
	entered := ""
	for i, c := range solved { // all but the first row are entries
		if i < 9 {
			entered += "."
		} else {
			entered += "+" + string(c)
		}
	}
	for line, want := range map[string]error{
		":0000:x:" + entered + "::::":                     nil,
		":0000:x:" + strings.Repeat(".", 81) + "::::":     human.ErrNotUnique,
		":0000:x:" + strings.Repeat(".", 81) + ":111:::":  human.ErrNotUnique,
		":0000:x:11" + strings.Repeat(".", 79) + "::::":   human.ErrNoSolution,
		":0000:x:+1+1" + strings.Repeat(".", 79) + "::::": errWrongEntry,
	} {
		in, err := newInput(t.Context(), []string{line})
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range in.entries() {
			if err != nil {
				t.Fatal(err)
			}
			if _, err := (&thinker{}).position(&e.Game); err != want {
				t.Errorf("%s: got %v, want %v", line, err, want)
			}
		}
	}
}
