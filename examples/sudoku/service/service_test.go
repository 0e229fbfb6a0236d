package service_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// document invokes a service: the event of its name has the params.
const document = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel>
    <data id="type"/> <data id="params"/> <data id="result"/> <data id="progress" expr="[]"/> <data id="enough" expr="Infinity"/>
  </datamodel>
  <state id="idle">
    <transition event="sudoku-generate sudoku-hint sudoku-solve" target="busy">
      <assign location="type" expr="_event.name"/>
      <assign location="params" expr="_event.data"/>
    </transition>
  </state>
  <state id="busy">
    <invoke typeexpr="type" id="it"><content expr="params"/></invoke>
    <transition event="progress" cond="progress.push(_event.data.tried) === enough" target="idle"/>
    <transition event="done.invoke.it" target="idle"><assign location="result" expr="_event.data"/></transition>
    <transition event="error.communication" cond="_event.invokeid === 'it'" target="idle"/>
  </state>
</scxml>`

func parse(t testing.TB) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("service.scxml", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func start(t testing.TB) *scxmltest.Session {
	t.Helper()
	return scxmltest.Start(t, parse(t), service.Options()...)
}

type object = map[string]any

// ask invokes a service and stores its result.
func ask(t testing.TB, s *scxmltest.Session, service string, params, result any) {
	t.Helper()
	if effect := s.Do(service, params); len(effect.Errors) > 0 {
		t.Fatalf("%s: %v", service, effect.Errors[0])
	}
	eval(t, s.Session, "result", result)
}

func eval(t testing.TB, s *scxml.Session, item string, into any) {
	t.Helper()
	v, err := s.Eval(t.Context(), item)
	if err == nil {
		err = datamodel.Decode(v, into)
	}
	if err != nil {
		t.Fatalf("%s: %v in %s", item, err, datamodel.Text(v))
	}
}

type (
	place     struct{ X, Y int }
	candidate struct{ X, Y, Digit int }
)

// grid reads a grid of 81 characters.
func grid(t testing.TB, text string) (g sudoku.Grid) {
	t.Helper()
	if len(text) != 81 {
		t.Fatalf("%q has %d characters", text, len(text))
	}
	for i, c := range []byte(text) {
		if c != '.' {
			g[i/9][i%9] = int(c - '0')
		}
	}
	return g
}

// Params that a service does not understand become an error event of the chart, which says
// what to write instead.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		service string
		params  any
		want    string
	}{
		{"sudoku-generate", object{"level": 6}, "6 is not a level: want 1 to 5"},
		{"sudoku-generate", object{"level": "hard"}, `at level: cannot put "hard" into int`},
		{"sudoku-generate", object{"level": 1, "missing": 30}, "cannot use level, missing and flash together: want one of them"},
		{"sudoku-generate", object{"level": 1, "flash": true}, "cannot use level, missing and flash together: want one of them"},
		{"sudoku-generate", object{"missing": 82}, "cannot leave out 82 cells: want 1 to 81"},
		{"sudoku-generate", object{"daily": "today"}, `"today" is not a day: want one such as 2026-11-22`},
		{"sudoku-generate", object{"daily": "2026-11-22", "missing": 30}, "cannot make a daily puzzle with missing or flash: want level or nothing"},
		{"sudoku-generate", object{"level": 1, "symmetry": "round"}, `"round" is not a symmetry: want none, rotate180, rotate90, mirror, flip, diagonal, antidiagonal or random`},
		{"sudoku-generate", object{"seed": int64(1 << 53)}, "9007199254740992 is not a seed: want at most 9007199254740991"},
		{"sudoku-hint", object{"initState": "53"}, `at initState: cannot put "53" into sudoku.Grid`},
		{"sudoku-solve", object{"method": "magic"}, `"magic" is not a method: want human, scan, scan+guess, csp, csp+ac3, csp+ac3+fc, csp+ac3+fc+mrv, csp+ac3+fc+mrv+lcv, bthreads or bitboard`},
		{"sudoku-solve", object{"most": -1}, "-1 is not a number of changes: want at least 1"},
	} {
		effect := start(t).Do(test.service, test.params)
		if len(effect.Errors) != 1 || effect.Errors[0].Event != "error.communication" || effect.Errors[0].Msg != `service "it": `+test.want {
			t.Errorf("%s %v: got %v, want %s", test.service, test.params, effect.Errors, test.want)
		}
	}
}
