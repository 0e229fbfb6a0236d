package tui

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/export"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// open opens a dialog. It may have more controls than fit.
func (p *Player) open(title string, controls ...widget.Control) {
	p.windows.Open(&widget.Dialog{Title: title, Controls: controls})
}

// ask asks whether to do something. All texts are translated.
func (p *Player) ask(title, about, yes string, do func()) {
	p.open(title, &widget.Label{Text: about}, &widget.Button{Text: yes, Do: do}, p.cancelButton())
}

// confirm asks in words of the table of translations.
func (p *Player) confirm(do func(), title, about, yes words.Key) {
	p.ask(p.words.T(title), p.words.T(about), p.words.T(yes), do)
}

func (p *Player) cancelButton() *widget.Button { return &widget.Button{Text: p.words.T("Cancel")} }

// message opens a dialog that has only a text to read.
func (p *Player) message(text string, title words.Key) {
	p.open(p.words.T(title), &widget.Label{Text: text}, &widget.Button{Text: p.words.T("OK")})
}

// newGame opens the dialog for a new puzzle, with the last choice.
func (p *Player) newGame() {
	last := &p.settings.NewGame
	kind := &widget.Choice{Label: p.words.T("Puzzle:")}
	for level := 1; level <= 5; level++ {
		kind.Options = append(kind.Options, p.words.Level(level))
	}
	kind.Options = append(kind.Options, p.words.T("by empty cells"), p.words.T("of the Flash tutorial"), p.words.T("of the day"))
	const byMissing, flash, daily = 5, 6, 7
	switch last.Kind {
	case "missing":
		kind.At = byMissing
	case "flash":
		kind.At = flash
	case "daily":
		kind.At = daily
	default:
		kind.At = max(min(last.Level, 5), 1) - 1
	}
	missing := &widget.Field{Label: p.words.T("Empty cells:"), Text: strconv.Itoa(last.Missing), Max: 2, Accepts: isDigit}
	symmetry := &widget.Choice{Label: p.words.T("Symmetry:"), Options: []string{p.words.T("any")}}
	symmetries := generate.Symmetries()
	for i, s := range symmetries {
		symmetry.Options = append(symmetry.Options, p.words.Name(s.Name))
		if s.Name == last.Symmetry {
			symmetry.At = i + 1
		}
	}
	about := &widget.Label{Dim: true, Now: func() string {
		switch kind.At {
		case byMissing:
			return p.words.T("So many cells are empty; 40 are easy to play.")
		case flash:
			return p.words.T("28 digits are given.")
		case daily:
			return p.words.T("The same for everybody, each day another.")
		}
		return p.words.T(levelTexts[kind.At])
	}}
	missing.Changed = func() { kind.At = byMissing }
	play := func() {
		in := game.Generate{}
		*last = shelf.NewGame{Kind: "level", Level: kind.At + 1, Missing: last.Missing}
		if n, err := strconv.Atoi(missing.Text); err == nil && 1 <= n && n <= 64 {
			last.Missing = n
		}
		if last.Symmetry = ""; symmetry.At > 0 {
			last.Symmetry = symmetries[symmetry.At-1].Name
		}
		switch kind.At {
		case byMissing:
			last.Kind, last.Level = "missing", 0
			in.Missing, in.Symmetry = last.Missing, last.Symmetry
		case flash:
			last.Kind, last.Level = "flash", 0
			in.Flash = true
		case daily:
			last.Kind, last.Level = "daily", 0
			in.Daily = time.Now().Format(time.DateOnly)
		default:
			in.Level, in.Symmetry = last.Level, last.Symmetry
		}
		p.saveSettings()
		p.leaveFor(in)
	}
	p.open(p.words.T("New game"), kind, about, missing, symmetry,
		&widget.Button{Text: p.words.T("Play"), Do: play}, p.cancelButton())
}

// levelTexts say what the puzzles of a level need.
var levelTexts = [5]words.Key{
	"Look where a digit can still go in a box.",
	"Look along rows and columns, too.",
	"Notes help: pairs and blocked digits.",
	"Fish, wings and rectangles.",
	"Chains. Be patient.",
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// watch opens the dialog for the machine.
func (p *Player) watch() {
	methods := service.Methods()
	method := &widget.Choice{Label: p.words.T("Solver:")}
	for _, m := range methods {
		method.Options = append(method.Options, m.Name)
	}
	speeds := action.Speeds()
	speed := &widget.Choice{Label: p.words.T("Steps:"), At: 3}
	for _, d := range speeds {
		switch {
		case d == 0:
			speed.Options = append(speed.Options, p.words.T("at once"))
		case d <= time.Second:
			speed.Options = append(speed.Options, p.words.T("%d a second", int(time.Second/d)))
		default:
			speed.Options = append(speed.Options, p.words.T("one in %d seconds", int(d/time.Second)))
		}
	}
	about := &widget.Label{Dim: true, Now: func() string { return p.words.Name(methods[method.At].Explanation) }}
	p.open(p.words.T("Watch a solver"), method, about, speed, &widget.Label{Text: p.words.T("The game then counts as given up.")},
		&widget.Button{Text: p.words.T("Solve"), Do: func() {
			p.input(game.Solve{Method: methods[method.At].Name, Delay: speeds[speed.At]})
		}}, p.cancelButton())
}

// savePoints opens the list of save points, with a new one.
func (p *Player) savePoints() {
	name := &widget.Field{Label: p.words.T("New:"), Max: 40, Text: p.words.T("%d digits", p.view.Given+p.view.Filled)}
	list := &widget.List{At: -1, Empty: p.words.T("There are no save points yet."), Find: p.words.T("Find:")}
	for _, s := range p.view.SavePoints {
		list.Rows = append(list.Rows, widget.Row{s})
	}
	list.Do = func() { p.input(game.Restore(list.At)) }
	forget := func() {
		if list.At >= 0 {
			p.input(game.Forget(list.At))
		}
	}
	d := &widget.Dialog{Title: p.words.T("Save points")}
	make := &widget.Button{Text: p.words.T("Save"), Do: func() { p.input(game.SavePoint(name.Text)) }}
	d.Controls = []widget.Control{name, make}
	if len(list.Rows) > 0 {
		list.At = len(list.Rows) - 1
		d.Controls = append(d.Controls, list, &widget.Button{Text: p.words.T("Restore"), Do: list.Do}, &widget.Button{Text: p.words.T("Forget"), Do: forget}, p.cancelButton())
	} else {
		d.Controls = append(d.Controls, p.cancelButton())
	}
	p.windows.Open(d)
}

// present returns the game as it is saved, or says why there is none.
func (p *Player) present() *format.Game {
	g, err := p.game.Saved()
	if err != nil {
		p.fail(err)
		return nil
	}
	return g
}

// saveFile asks for the name of a file and saves the game to it.
func (p *Player) saveFile() {
	if g := p.present(); g != nil {
		p.fileDialog(func(name string) { p.write(name, g, false) }, export.Name(g, ".json"), "Save to a file", "The ending .json keeps everything.", "Save")
	}
}

// export asks for the name of a file and writes the game as it is shown.
func (p *Player) export() {
	if g := p.present(); g != nil {
		p.fileDialog(func(name string) { p.write(name, g, false) }, export.Name(g, ".pdf"),
			"Export", "The ending says what the file becomes: .csv .txt .png .svg .pdf .sdk …", "Export")
	}
}

// fileDialog asks for the name of a file.
func (p *Player) fileDialog(do func(name string), name string, title, about, yes words.Key) {
	field := &widget.Field{Label: p.words.T("File:"), Text: name}
	p.open(p.words.T(title), field, &widget.Label{Text: p.words.T(about), Dim: true},
		&widget.Button{Text: p.words.T(yes), Do: func() { do(field.Text) }}, p.cancelButton())
}

// write writes a file, and asks before it replaces another.
func (p *Player) write(name string, g *format.Game, replace bool) {
	err := export.File(name, g, replace)
	switch {
	case errors.Is(err, fs.ErrExist) && !replace:
		p.ask(p.words.T("Replace"), p.words.T("The file %q exists.", name), p.words.T("Replace"), func() { p.write(name, g, true) })
	case err != nil:
		p.message(err.Error(), "Not written")
	default:
		p.say("written: %s", name)
	}
}

// print prints the game.
func (p *Player) print() {
	g := p.present()
	if g == nil {
		return
	}
	p.confirm(func() {
		p.say("printing…")
		go func() { // a printer may take its time
			err := export.Print(p.ctx, g)
			p.post(p.ctx, func() {
				if err != nil {
					p.message(err.Error(), "Not printed")
					return
				}
				p.say("printed")
			})
		}()
	}, "Print", "The puzzle is printed on the default printer.", "Print")
}

// loadFile asks for the name of a file and opens it. It lists the pictures in the folder of that file.
func (p *Player) loadFile() {
	field := &widget.Field{Label: p.words.T("File:")}
	list := &widget.List{Find: p.words.T("Find:"), Empty: p.words.T("There are no pictures in this folder.")}
	var folder string
	field.Changed = func() {
		written, _ := filepath.Split(field.Text)
		if now := cmp.Or(written, "."); now != folder {
			folder, list.Rows, list.At = now, nil, -1
			for _, name := range pictures(folder) {
				list.Rows = append(list.Rows, widget.Row{name})
			}
		}
	}
	field.Changed()
	list.Do = func() { p.openFile(filepath.Join(folder, list.Rows[list.At][0])) }
	p.open(p.words.T("Open a file"), field,
		&widget.Label{Text: p.words.T("A saved game, puzzles in any format, or a picture of a puzzle."), Dim: true}, list,
		&widget.Button{Text: p.words.T("Open"), Do: func() { p.openFile(field.Text) }}, p.cancelButton())
}

// openFile opens the only game of a file or a picture, or lets the player choose one of its puzzles.
func (p *Player) openFile(name string) {
	file, err := export.Open(name)
	if err != nil {
		p.message(err.Error(), "Not opened")
		return
	}
	header := make([]byte, photo.SignatureSize)
	n, _ := file.ReadAt(header, 0) // a shorter file is not a picture
	if photo.IsPicture(header[:n]) {
		p.openPicture(name, file)
		return
	}
	file.Close()
	games, err := export.Load(name)
	switch {
	case err != nil:
		p.message(err.Error(), "Not opened")
	case len(games) == 0:
		p.message(p.words.T("There is no puzzle in %q.", name), "Not opened")
	case len(games) == 1:
		p.playAnother(game.Open{Game: &games[0]})
	default:
		var all []puzzle
		for i := range games {
			all = append(all, puzzle{name: games[i].Name, game: &games[i], rating: games[i].Info.Rating, number: i + 1})
		}
		p.chooseFrom(all)
	}
}

// statistics shows times, counts and streaks.
func (p *Player) statistics() {
	if p.shelf == nil {
		p.say("nothing is kept")
		return
	}
	all, err := p.shelf.Statistics()
	if err != nil {
		p.fail(err)
	}
	page := &widget.Page{}
	for level := range all {
		r := &all[level]
		title := p.words.T("All puzzles")
		if level > 0 {
			title = p.words.Level(level)
		}
		if level > 0 && r.Solved+r.GivenUp == 0 {
			continue
		}
		page.Lines = append(page.Lines, widget.Line{Text: title, Head: true},
			widget.Line{Key: p.words.T("solved"), Text: fmt.Sprint(r.Solved)})
		if r.GivenUp > 0 {
			page.Lines = append(page.Lines, widget.Line{Key: p.words.T("given up"), Text: fmt.Sprint(r.GivenUp)})
		}
		if r.Timed > 0 {
			page.Lines = append(page.Lines,
				widget.Line{Key: p.words.T("best time"), Text: clock(r.Best)},
				widget.Line{Key: p.words.T("mean time"), Text: clock(r.Mean)})
		}
		page.Lines = append(page.Lines,
			widget.Line{Key: p.words.T("streak"), Text: fmt.Sprint(r.Streak)},
			widget.Line{Key: p.words.T("longest streak"), Text: fmt.Sprint(r.Longest)},
			widget.Line{})
	}
	p.open(p.words.T("Times and counts"), page, &widget.Button{Text: p.words.T("OK")})
}
