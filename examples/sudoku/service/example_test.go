package service_test

import (
	"context"
	"fmt"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A chart asks for a hint and logs its three stages.
func ExampleOptions() {
	chart, err := scxml.Parse("hint.scxml", []byte(`
		<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		  <datamodel><data id="board"/></datamodel>
		  <state id="asking">
		    <invoke type="sudoku-hint" id="hint">
		      <param name="initState" expr="board"/>
		      <param name="currentState" expr="board"/>
		    </invoke>
		    <transition event="done.invoke.hint" target="done"/>
		  </state>
		  <final id="done"><donedata><content expr="_event.data.text.join('\n')"/></donedata></final>
		</scxml>`))
	if err != nil {
		panic(err)
	}
	puzzle := sudoku.Puzzles()[13].Grid
	s, err := scxml.New(chart, append(service.Options(), scxml.WithData("board", puzzle))...)
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Run(context.Background()))
	fmt.Println(s.DoneData())
	// Output:
	// <nil>
	// look for a Hidden Single: it places a digit. A digit that has only one place left in a row, column or box goes there
	// look for a Hidden Single in box 1: it places a digit
	// 2 has no other place in box 1 than r1c3: r1c3=2
}

// A solver is watched step by step.
func ExampleMethods() {
	for _, m := range service.Methods()[:3] {
		fmt.Println(m.Name)
	}
	// Output:
	// human
	// scan
	// scan+guess
}
