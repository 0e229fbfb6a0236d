package main

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/scxml"
)

//go:embed *.scxml
var files embed.FS

// The squares are numbered like this:
//
//	1 2 3
//	4 5 6
//	7 8 9
var lines = [8][3]int{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7}}

// forks are pairs of squares with which x prepares two lines at once, and squares that prevent it. The
// computer loses a game without any of them.
var forks = []struct{ pair, answers []int }{
	// opposite corners
	{[]int{1, 9}, []int{2, 4, 6, 8}},
	{[]int{3, 7}, []int{2, 4, 6, 8}},
	// two sides
	{[]int{2, 4}, []int{1}},
	{[]int{2, 6}, []int{3}},
	{[]int{8, 4}, []int{7}},
	{[]int{8, 6}, []int{9}},
	// a corner and a side
	{[]int{1, 6}, []int{3}},
	{[]int{1, 8}, []int{7}},
	{[]int{3, 4}, []int{1}},
	{[]int{3, 8}, []int{9}},
	{[]int{7, 2}, []int{1}},
	{[]int{7, 6}, []int{9}},
	{[]int{9, 2}, []int{3}},
	{[]int{9, 4}, []int{7}},
}

// A strategy is a part of the computer's strategy: b-threads that request its moves.
type strategy struct {
	name    string
	threads func(c charts, mark string) []behavioral.Thread
}

// strategies are in the order of their priorities.
var strategies = []strategy{
	{"win", func(c charts, mark string) []behavioral.Thread { return c.thirds("win", mark, mark, 50) }},
	{"defend", func(c charts, mark string) []behavioral.Thread { return c.thirds("defend", opponent(mark), mark, 40) }},
	{"forks", func(c charts, mark string) (threads []behavioral.Thread) {
		for _, f := range forks {
			threads = append(threads, c.pair("forks", opponent(mark), f.pair, mark, f.answers, 30))
		}
		return threads
	}},
	{"center", func(c charts, mark string) []behavioral.Thread { return c.prefer("center", mark, 20, 5) }},
	{"corners", func(c charts, mark string) []behavioral.Thread { return c.prefer("corners", mark, 10, 1, 3, 7, 9) }},
	{"sides", func(c charts, mark string) []behavioral.Thread { return c.prefer("sides", mark, 0, 2, 4, 6, 8) }},
}

// charts are those of the folder, by name.
type charts map[string]*scxml.Chart

var loadCharts = sync.OnceValues(func() (charts, error) {
	all := make(charts)
	for _, name := range []string{"turns", "square", "line", "draw", "over", "pair", "prefer"} {
		chart, err := scxml.Load(files, name+".scxml")
		if err != nil {
			return nil, err
		}
		all[name] = chart
	}
	return all, nil
})

// rules returns the b-threads that make a game for two players.
func (c charts) rules() []behavioral.Thread {
	threads := []behavioral.Thread{{Name: "over", Chart: c["over"]}, {Name: "turns", Chart: c["turns"]}, {Name: "draw", Chart: c["draw"]}}
	for square := 1; square <= 9; square++ {
		threads = append(threads, behavioral.Thread{Name: fmt.Sprint("square ", square), Chart: c["square"], Data: map[string]any{"square": square}})
	}
	for _, mark := range []string{"x", "o"} {
		for _, line := range lines {
			threads = append(threads, behavioral.Thread{Name: fmt.Sprint(mark, " in ", line), Chart: c["line"], Data: map[string]any{"mark": mark, "left": line[:]}})
		}
	}
	return threads
}

// thirds returns b-threads that complete the lines that the player of a mark has begun.
func (c charts) thirds(name, watched, mark string, priority int) (threads []behavioral.Thread) {
	for _, line := range lines {
		for i, third := range line {
			pair := []int{line[(i+1)%3], line[(i+2)%3]}
			threads = append(threads, c.pair(name, watched, pair, mark, []int{third}, priority))
		}
	}
	return threads
}

func (c charts) pair(name, watched string, pair []int, mark string, answers []int, priority int) behavioral.Thread {
	return behavioral.Thread{Name: fmt.Sprint(name, " ", pair), Chart: c["pair"], Data: map[string]any{
		"watched": watched, "left": pair, "mark": mark, "answers": answers, "priority": priority,
	}}
}

func (c charts) prefer(name, mark string, priority int, squares ...int) []behavioral.Thread {
	return []behavioral.Thread{{Name: name, Chart: c["prefer"], Data: map[string]any{"mark": mark, "answers": squares, "priority": priority}}}
}

// newGame returns a program in which the computer plays a mark, without the strategies of the given names.
// Its opponent's moves come from outside.
func newGame(mark string, without []string, opts ...behavioral.Option) (*behavioral.Program, error) {
	c, err := loadCharts()
	if err != nil {
		return nil, err
	}
	threads := c.rules()
	for _, s := range strategies {
		if !slices.Contains(without, s.name) {
			threads = append(threads, s.threads(c, mark)...)
		}
	}
	for square := 1; square <= 9; square++ {
		opts = append(opts, behavioral.WithExternal(move(opponent(mark), square)))
	}
	return behavioral.New(threads, opts...)
}

func opponent(mark string) string {
	if mark == "x" {
		return "o"
	}
	return "x"
}

// move is the event of a move.
func move(mark string, square int) scxml.Event {
	return scxml.Event{Name: mark, Data: map[string]any{"square": square}}
}
