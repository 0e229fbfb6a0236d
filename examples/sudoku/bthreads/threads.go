package bthreads

import (
	"embed"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
)

//go:embed *.scxml
var charts embed.FS

// A kind is a kind of b-thread: a chart, and the members of a [Move] that its b-threads have as data. There
// is a b-thread for each combination of values that these members have in the 729 moves.
type kind struct{ chart, data string }

// kinds are the b-threads of the game. A new strategy is a chart and a line here.
var kinds = []kind{
	{"MakeGivenMoves", ""},
	{"OncePerRow", "number row"},
	{"OncePerColumn", "number column"},
	{"OncePerBox", "number boxrow boxcol"},
	{"DetectWin", ""},
	{"PruneWhenNoSolution", ""},
	{"EliminateEight", "row column boxrow boxcol"},
	{"PlaceANumberInARow", "number row boxrow"},
	{"PlaceANumberInAColumn", "number column boxcol"},
	{"PlaceANumberInABox", "number boxrow boxcol"},
	{"EliminateTwoInABox", "number column boxrow boxcol"},
	{"DefaultMove", "row column boxrow boxcol"},
}

// A Move writes a number from 1 to 9 into a cell. Rows and columns count from 0.
type Move struct{ Number, Row, Column int }

// String returns a text such as "r1c2=3", in which rows and columns count from 1.
func (m Move) String() string { return fmt.Sprintf("r%dc%d=%d", m.Row+1, m.Column+1, m.Number) }

// members are what the data of a Move has.
var members = []string{"number", "row", "column", "boxrow", "boxcol"}

func (m Move) member(name string) int64 {
	switch name {
	case "number":
		return int64(m.Number)
	case "row":
		return int64(m.Row)
	case "column":
		return int64(m.Column)
	case "boxrow":
		return int64(m.Row / 3)
	case "boxcol":
		return int64(m.Column / 3)
	}
	panic("a Move does not have a member " + name)
}

// data returns the data of the events Move and Given.
func (m Move) data() *datamodel.Object {
	o := new(datamodel.Object)
	for _, name := range members {
		o.Set(name, m.member(name))
	}
	return o
}

// moveOf returns the Move that an event is.
func moveOf(event string, data datamodel.Value) (m Move, ok bool) {
	o, ok := data.(*datamodel.Object)
	if !ok || event != "Move" {
		return m, false
	}
	for name, into := range map[string]*int{"number": &m.Number, "row": &m.Row, "column": &m.Column} {
		v, _ := o.Get(name)
		n, _ := v.(int64)
		*into = int(n)
	}
	return m, true
}

// allMoves returns the 729 moves.
func allMoves() []Move {
	all := make([]Move, 0, 729)
	for row, column := range sudoku.Cells {
		for number := range 9 {
			all = append(all, Move{number + 1, row, column})
		}
	}
	return all
}

// threads returns the b-threads of a kind.
func (k kind) threads() ([]behavioral.Thread, error) {
	chart, err := scxml.Load(charts, k.chart+".scxml")
	if err != nil {
		return nil, err
	}
	var all []behavioral.Thread
	seen := make(map[string]bool)
	for _, m := range allMoves() {
		name := k.name(m)
		if seen[name] {
			continue
		}
		seen[name] = true
		data := make(map[string]any)
		for _, member := range strings.Fields(k.data) {
			data[member] = m.member(member)
		}
		all = append(all, behavioral.Thread{Name: name, Chart: chart, Data: data})
	}
	return all, nil
}

// name returns the name of the b-thread of a kind that is concerned with a Move: "EliminateEight r1c2" is
// for a cell, and "OncePerBox 5 b3" for the number 5 in the third box.
func (k kind) name(m Move) string {
	has := func(member string) bool {
		return strings.Contains(" "+k.data+" ", " "+member+" ")
	}
	name := k.chart
	if has("number") {
		name += fmt.Sprint(" ", m.Number)
	}
	switch {
	case has("row") && has("column"):
		return name + fmt.Sprintf(" r%dc%d", m.Row+1, m.Column+1)
	case has("row"):
		return name + fmt.Sprint(" r", m.Row+1)
	case has("boxrow") && has("boxcol"):
		name += fmt.Sprint(" b", m.Row/3*3+m.Column/3+1)
	}
	if has("column") {
		name += fmt.Sprint(" c", m.Column+1)
	}
	return name
}

// newProgram returns the b-program of the game.
func newProgram() (*behavioral.Program, error) {
	var all []behavioral.Thread
	for _, k := range kinds {
		threads, err := k.threads()
		if err != nil {
			return nil, err
		}
		all = append(all, threads...)
	}
	return behavioral.New(all, behavioral.WithFewestFirst())
}
