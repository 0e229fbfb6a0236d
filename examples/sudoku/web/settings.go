package web

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// newGame opens the dialog for a new puzzle, with the last choice.
func (p *player) newGame() {
	w, last := p.words, &p.settings.NewGame
	kind := &control{Kind: "choice", Label: w.T("Puzzle:")}
	for level := 1; level <= 5; level++ {
		kind.Options = append(kind.Options, w.Level(level))
	}
	kind.Options = append(kind.Options, w.T("by empty cells"), w.T("of the Flash tutorial"), w.T("of the day"))
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
	missing := &control{Kind: "field", Label: w.T("Empty cells:"), Text: strconv.Itoa(last.Missing), Number: true}
	missing.changed = func() { kind.At = byMissing }
	symmetry := &control{Kind: "choice", Label: w.T("Symmetry:"), Options: []string{w.T("any")}}
	symmetries := generate.Symmetries()
	for i, s := range symmetries {
		symmetry.Options = append(symmetry.Options, w.Name(s.Name))
		if s.Name == last.Symmetry {
			symmetry.At = i + 1
		}
	}
	about := &control{Kind: "text", now: func() string {
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
		p.kept.saveSettings(p.settings)
		p.leaveFor(in)
	}
	p.open(w.T("New game"), kind, about, missing, symmetry, mainButton(w.T("Play"), play), p.cancelButton())
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
func (p *player) watch() {
	w, methods, speeds := p.words, service.Methods(), action.Speeds()
	method := &control{Kind: "choice", Label: w.T("Solver:")}
	for _, m := range methods {
		method.Options = append(method.Options, m.Name)
	}
	speed := &control{Kind: "choice", Label: w.T("Steps:"), At: 3}
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
	about := &control{Kind: "text", now: func() string { return w.Name(methods[method.At].Explanation) }}
	p.open(w.T("Watch a solver"), method, about, speed, &control{Kind: "text", Text: w.T("The game then counts as given up.")},
		mainButton(w.T("Solve"), func() { p.input(game.Solve{Method: methods[method.At].Name, Delay: speeds[speed.At]}) }), p.cancelButton())
}

// savePoints opens the list of save points, with a new one.
func (p *player) savePoints() {
	w := p.words
	name := &control{Kind: "field", Label: w.T("New:"), Text: w.T("%d digits", p.view.Given+p.view.Filled)}
	list := &control{Kind: "list", At: -1, Text: w.T("There are no save points yet.")}
	for _, s := range p.view.SavePoints {
		list.Rows = append(list.Rows, row{Texts: []string{s}})
	}
	list.At = len(list.Rows) - 1
	list.do = func() { p.input(game.Restore(list.At)) }
	save := &control{Kind: "button", Text: w.T("Save"), do: func() { p.input(game.SavePoint(name.Text)) }}
	controls := []*control{name, save, list}
	if len(list.Rows) > 0 {
		controls = append(controls, mainButton(w.T("Restore"), list.do),
			&control{Kind: "button", Text: w.T("Forget"), do: func() { p.input(game.Forget(list.At)) }})
	} else {
		save.Main = true
	}
	p.open(w.T("Save points"), append(controls, p.cancelButton())...)
}

// A look is a theme of the page. The page has its colours, see package page.
type look struct {
	name  string    // in the settings; "" follows the system
	label words.Key // "": the name
}

// looks are the themes, in the order in which they are offered.
var looks = []look{
	{"", "as the system"}, {"light", "light"}, {"dark", "dark"},
	{"space", ""}, {"paper", ""}, {"matrix", ""}, {"contrast", "High contrast"},
}

func (p *player) lookIndex() int {
	return max(slices.IndexFunc(looks, func(l look) bool { return l.name == strings.ToLower(p.settings.Theme) }), 0)
}

func (p *player) lookText(l look) string {
	if l.label == "" {
		return capital(l.name)
	}
	return p.words.T(l.label)
}

func (p *player) nextTheme() {
	next := looks[(p.lookIndex()+1)%len(looks)]
	p.settings.Theme = next.name
	p.answer("theme %s", p.lookText(next))
	p.kept.saveSettings(p.settings)
}

// openSettings opens the settings. Each takes effect at once.
func (p *player) openSettings() {
	w, s := p.words, &p.settings
	save := func() { p.kept.saveSettings(*s) }
	theme := &control{Kind: "choice", Label: w.T("Theme:"), At: p.lookIndex()}
	for _, l := range looks {
		theme.Options = append(theme.Options, p.lookText(l))
	}
	theme.changed = func() {
		s.Theme = looks[theme.At].name
		save()
	}
	lang := &control{Kind: "choice", Label: w.T("Language:"), Options: []string{"English", "Nederlands"}}
	lang.At = slices.Index(words.Languages(), w.Lang())
	var d *dialog
	lang.changed = func() {
		s.Lang = words.Languages()[lang.At]
		p.setLang("")
		p.sent = sent{view: p.sent.view} // all texts are others
		save()
		p.closeDialog(d)
		p.openSettings() // in the new language
	}
	check := func(on *bool, label words.Key, then func()) *control {
		c := &control{Kind: "check", Label: w.T(label), On: *on}
		c.changed = func() {
			if *on = c.On; then != nil {
				then()
			}
			save()
		}
		return c
	}
	d = p.open(w.T("Settings"), theme, lang,
		check(&s.PauseOnFocusLoss, "Pause when the page is hidden", nil),
		check(&s.CleanUp, "Clean up notes when a digit is set", p.applySettings),
		check(&s.Glow, "Gentle motion", nil),
		check(&s.Vi, "Keys of vi: h j k l move", func() { p.keymap = newKeymap(p.actions, s.Vi) }),
		mainButton(w.T("OK"), nil))
}
