package action

import (
	"slices"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
)

// newGame opens the dialog for a new puzzle, with the last choice.
func (h *Hand) newGame() {
	w, last := h.Words, &h.Settings.NewGame
	kind := &Control{Kind: Choice, Label: w.T("Puzzle:")}
	for level := 1; level <= 5; level++ {
		kind.Options = append(kind.Options, w.Level(level))
	}
	kind.Options = append(kind.Options, w.T("by empty cells"), w.T("of the Flash tutorial"), w.T("of the day"))
	const byMissing, flash, daily = 5, 6, 7
	kinds := [...]string{byMissing: "missing", flash: "flash", daily: "daily"}
	if kind.At = slices.Index(kinds[:], last.Kind); kind.At < byMissing {
		kind.At = max(min(last.Level, 5), 1) - 1
	}
	missing := &Control{Kind: Field, Label: w.T("Empty cells:"), Text: strconv.Itoa(last.Missing), Max: 2, Number: true}
	missing.Live = func() bool { return kind.At == byMissing }
	symmetry := &Control{Kind: Choice, Label: w.T("Symmetry:"), Options: []string{w.T("any")}}
	symmetry.Live = func() bool { return kind.At <= byMissing }
	symmetries := generate.Symmetries()
	for i, s := range symmetries {
		symmetry.Options = append(symmetry.Options, w.Name(s.Name))
		if s.Name == last.Symmetry {
			symmetry.At = i + 1
		}
	}
	about := &Control{Kind: Text, Dim: true, Now: func() string {
		switch kind.At {
		case byMissing:
			return w.T("So many cells are empty; 40 are easy to play.")
		case flash:
			return w.T("28 digits are given.")
		case daily:
			return w.T("The same for everybody, each day another.")
		}
		return w.T(levelTexts[kind.At])
	}}
	play := func() {
		in := game.Generate{}
		*last = shelf.NewGame{Kind: "level", Level: kind.At + 1, Missing: last.Missing}
		if n, err := strconv.Atoi(missing.Text); err == nil && 1 <= n && n <= 64 {
			last.Missing = n
		}
		if symmetry.At > 0 {
			last.Symmetry = symmetries[symmetry.At-1].Name
		}
		if kind.At >= byMissing {
			last.Kind, last.Level = kinds[kind.At], 0
		}
		switch kind.At {
		case byMissing:
			in.Missing, in.Symmetry = last.Missing, last.Symmetry
		case flash:
			in.Flash = true
		case daily:
			in.Daily = time.Now().Format(time.DateOnly)
		default:
			in.Level, in.Symmetry = last.Level, last.Symmetry
		}
		h.KeepSettings()
		h.LeaveFor(in)
	}
	h.OpenWith(w.T("New game"), kind, about, missing, symmetry, MainButton(w.T("Play"), play), h.Cancel())
}

// levelTexts say what the puzzles of a level need.
var levelTexts = [5]words.Key{
	"Look where a digit can still go in a box.",
	"Look along rows and columns, too.",
	"Notes help: pairs and blocked digits.",
	"Fish, wings and rectangles.",
	"Chains. Be patient.",
}

// watch opens the dialog for the machine.
func (h *Hand) watch() {
	w, methods, speeds := h.Words, service.Methods(), Speeds()
	method := &Control{Kind: Choice, Label: w.T("Solver:")}
	for _, m := range methods {
		method.Options = append(method.Options, m.Name)
	}
	speed := &Control{Kind: Choice, Label: w.T("Steps:"), At: 3}
	for _, d := range speeds {
		switch {
		case d == 0:
			speed.Options = append(speed.Options, w.T("at once"))
		case d <= time.Second:
			speed.Options = append(speed.Options, w.T("%d a second", int(time.Second/d)))
		default:
			speed.Options = append(speed.Options, w.T("one in %d seconds", int(d/time.Second)))
		}
	}
	about := &Control{Kind: Text, Dim: true, Now: func() string { return w.Name(methods[method.At].Explanation) }}
	solve := func() { h.Front.Input(game.Solve{Method: methods[method.At].Name, Delay: speeds[speed.At]}) }
	h.OpenWith(w.T("Watch a solver"), method, about, speed, &Control{Kind: Text, Text: w.T("The game then counts as given up.")},
		MainButton(w.T("Solve"), solve), h.Cancel())
}

// savePoints opens the list of save points, with a new one.
func (h *Hand) savePoints() {
	w := h.Words
	name := &Control{Kind: Field, Label: w.T("New:"), Text: w.T("%d digits", h.View.Given+h.View.Filled), Max: 40}
	list := &Control{Kind: List, Label: w.T("Find:"), Text: w.T("There are no save points yet.")}
	for _, s := range h.View.SavePoints {
		list.Rows = append(list.Rows, Row{Texts: []string{s}})
	}
	list.At = len(list.Rows) - 1
	chosen := func(in func(int) game.Input) func() {
		return func() {
			if list.At >= 0 {
				h.Front.Input(in(list.At))
			}
		}
	}
	list.Do = chosen(func(at int) game.Input { return game.Restore(at) })
	save := &Control{Kind: Button, Text: w.T("Save"), Main: true, Do: func() { h.Front.Input(game.SavePoint(name.Text)) }}
	controls := []*Control{name, save}
	if len(list.Rows) > 0 {
		controls = append(controls, list, &Control{Kind: Button, Text: w.T("Restore"), Do: list.Do},
			&Control{Kind: Button, Text: w.T("Forget"), Do: chosen(func(at int) game.Input { return game.Forget(at) })})
	}
	h.OpenWith(w.T("Save points"), append(controls, h.Cancel())...)
}
