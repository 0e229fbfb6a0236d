package words

import (
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// Technique returns the name of a technique, as in "X-Wing".
func (w *Words) Technique(t human.Technique) string { return t.Name(w.say) }

// About returns the idea of a technique in one sentence, without a full stop.
func (w *Words) About(t human.Technique) string { return t.About(w.say) }

// say is the [human.Say] of the language.
func (w *Words) say(p human.Phrase, args ...any) string {
	for i, arg := range args {
		switch arg := arg.(type) {
		case human.House:
			args[i] = w.T(houses[int(arg)/9], int(arg)%9+1)
		case human.Cell, human.Set, human.Candidate:
			args[i] = w.cells(fmt.Sprint(arg))
		}
	}
	return w.T(Key(p), args...)
}

var houses = [...]Key{"row %d", "column %d", "box %d"}

// cells translates the names of cells, as in "r1c25, r4c7".
func (w *Words) cells(names string) string {
	return strings.NewReplacer("r", w.T("r"), "c", w.T("c")).Replace(names)
}
