package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

func search(t *testing.T, computer string, without ...string) *explore.Report {
	t.Helper()
	p, err := newGame(computer, without)
	if err != nil {
		t.Fatal(err)
	}
	report, err := explore.Search(t.Context(), p.System, explore.Options{
		Properties: []explore.Property{explore.Never("In('over/" + opponent(computer) + "Wins')")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestComputerNeverLoses(t *testing.T) {
	for _, computer := range []string{"x", "o"} {
		if r := search(t, computer); r.Verdict != explore.Holds || r.Depth != 10 {
			t.Errorf("%s: %v at depth %d: %v", computer, r.Verdict, r.Depth, r.Violations)
		}
	}
}

// No part of the strategy of o can be left out.
func TestEveryStrategyIsNeeded(t *testing.T) {
	for _, s := range strategies {
		if r := search(t, "o", s.name); r.Verdict != explore.Violated {
			t.Errorf("without %s: %v", s.name, r.Verdict)
		}
	}
	all := forks
	defer func() { forks = all }()
	for i := range all {
		forks = slices.Delete(slices.Clone(all), i, i+1)
		if r := search(t, "o"); r.Verdict != explore.Violated {
			t.Errorf("without the fork of %v: %v", all[i].pair, r.Verdict)
		}
	}
}

// A referee that knows nothing of b-threads watches all games.
func TestAllGamesObeyTheRules(t *testing.T) {
	for _, computer := range []string{"x", "o"} {
		games, results := 0, map[string]int{}
		p, err := newGame(computer, nil)
		if err != nil {
			t.Fatal(err)
		}
		var play func(moves []int)
		play = func(moves []int) {
			err := p.Start(t.Context())
			var b board
			turn := "x"
			watch := func(s behavioral.Selection) {
				mark, square, ok := moveOf(s.Event.Name, s.Event.Data)
				if !ok {
					return
				}
				if mark != turn || b[square] != "" || winner(b) != "" {
					t.Fatalf("after %v, %s takes %d", moves, mark, square)
				}
				b[square], turn = mark, opponent(mark)
			}
			for i := 0; err == nil && i <= len(moves); i++ {
				if err = p.Run(t.Context(), watch); err == nil && i < len(moves) {
					err = p.Send(move(opponent(computer), moves[i]))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			free := make([]bool, 10)
			for square := range free {
				free[square] = square > 0 && p.Admits(move(opponent(computer), square))
			}
			g := game{p: p, computer: computer}
			want := map[string]string{computer: "The computer wins.", opponent(computer): "You win.", "nobody": "A draw."}[winner(b)]
			if got := g.result(); got != want {
				t.Fatalf("after %v: %q, want %q", moves, got, want)
			}
			if want != "" {
				games++
				results[want]++
			}
			for square := 1; square <= 9; square++ {
				if free[square] != (want == "" && b[square] == "") {
					t.Fatalf("after %v: square %d is free: %v", moves, square, free[square])
				}
				if free[square] {
					play(append(slices.Clip(moves), square))
				}
			}
		}
		play(nil)
		if games < 50 || results["You win."] > 0 || results["The computer wins."] == 0 || results["A draw."] == 0 {
			t.Errorf("%s: %d games, %v", computer, games, results)
		}
	}
}

// winner returns a mark, "nobody", or "" if the game is not over.
func winner(b board) string {
	for _, l := range lines {
		if mark := b[l[0]]; mark != "" && b[l[1]] == mark && b[l[2]] == mark {
			return mark
		}
	}
	if slices.Contains(b[1:], "") {
		return ""
	}
	return "nobody"
}

func TestPlay(t *testing.T) {
	for _, test := range []struct{ args, typed, want string }{
		{"", "5\n5\nten\n0\nwhy\n2\n7\n6\n9\n", `> O takes 1
 O | 2 | 3 
---+---+---
 4 | X | 6 
---+---+---
 7 | 8 | 9 
> 5 is taken (b-thread "square 5" blocks it): choose another square
> "ten" is not a square: type a number from 1 to 9, or "quit"
> "0" is not a square: type a number from 1 to 9, or "quit"
> O took 1 at priority 10: corners asked for it
  center wanted 5 at priority 20, which square 5 blocks
> O takes 8
 O | X | 3 
---+---+---
 4 | X | 6 
---+---+---
 7 | O | 9 
> O takes 3
 O | X | O 
---+---+---
 4 | X | 6 
---+---+---
 X | O | 9 
> O takes 4
 O | X | O 
---+---+---
 O | X | X 
---+---+---
 X | O | 9 
> 
 O | X | O 
---+---+---
 O | X | X 
---+---+---
 X | O | X 
A draw.`},
		{"", "why\nquit\n", "> The computer has not moved yet.\n> "},
		{"-computer x", "2\n4\n", `X takes 5
 1 | 2 | 3 
---+---+---
 4 | X | 6 
---+---+---
 7 | 8 | 9 
> X takes 1
 X | O | 3 
---+---+---
 4 | X | 6 
---+---+---
 7 | 8 | 9 
> X takes 9
 X | O | 3 
---+---+---
 O | X | 6 
---+---+---
 7 | 8 | X 
The computer wins.`},
		{"-without sides", "5\n2\n7\n9\n", "The computer does not know what to do: nobody asks for a move that is allowed."},
		{"-check", "", "the computer (o) never loses"},
		{"-check -computer x", "", "the computer (x) never loses"},
		{"-check -without forks", "", `computer loses: x1 o5 x6 o7 x3 o2 x9
 X | O | X 
---+---+---
 4 | O | X 
---+---+---
 O | 8 | X 
error: the computer (o) can lose`},
		{"-check -without sides", "", `nobody moves:   x5 o1 x2 o8 x7 o3 x9
 O | X | O 
---+---+---
 4 | X | 6 
---+---+---
 X | O | X 
error: the computer (o) can lose`},
		{"-computer z", "", `error: -computer: "z" is not a mark: want x or o`},
		{"-without win,luck", "", `error: -without: "luck" is not a strategy: want win, defend, forks, center, corners or sides`},
		{"now", "", `error: "now" is not expected: try -help`},
		{"-help", "", "Play tic-tac-toe against b-threads"},
	} {
		var out bytes.Buffer
		if err := run(t.Context(), strings.Fields(test.args), strings.NewReader(test.typed), &out); err != nil {
			fmt.Fprintln(&out, "error:", err)
		}
		got := strings.ReplaceAll(out.String(), "\n\n", "\n")
		if !strings.Contains(got, test.want) {
			t.Errorf("tictactoe %s: got\n%s\nwant\n%s", test.args, got, test.want)
		}
	}
}
