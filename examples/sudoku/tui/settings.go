package tui

import (
	"slices"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/terminal"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// themeIndex returns the index of the theme of the settings.
func (p *Player) themeIndex() int {
	for i, t := range p.themes {
		if t.Name == p.settings.Theme {
			return i
		}
	}
	return 0
}

// setTheme makes the screen look as the settings say.
func (p *Player) setTheme() {
	screen := p.terminal.Screen
	p.styles = p.themes[p.themeIndex()].For(terminal.Colors(screen), screen.CharacterSet() == "UTF-8")
}

func (p *Player) nextTheme() {
	at := (p.themeIndex() + 1) % len(p.themes)
	p.settings.Theme = p.themes[at].Name
	p.setTheme()
	p.say("theme %s", p.settings.Theme)
	p.saveSettings()
}

// look returns the look of menus and dialogs.
func (p *Player) look() *widget.Look {
	s := p.styles
	paper := s.Of(theme.Dialog)
	ink := func(r theme.Role) tcell.Style { // of a role, on the paper of dialogs
		_, background, _ := paper.Decompose()
		return s.Of(r).Background(background)
	}
	return &widget.Look{
		Text: paper, Dim: ink(theme.Dim), Frame: ink(theme.BoxLine), Title: paper.Bold(true), Key: ink(theme.Title),
		Field: s.Of(theme.Field), Button: s.Of(theme.Button), Selected: s.Of(theme.Chosen), Disabled: s.Off(theme.Dialog),
		Doubt: s.On(theme.Conflict, theme.Entry), ASCII: s.ASCII,
	}
}

// cellNames are the sizes of cells that the settings offer.
var cellNames = []string{"2x1", "3x1", "5x2", "7x3", "11x5"}

// settingsDialog opens the settings. Each takes effect at once.
func (p *Player) settingsDialog() {
	s := &p.settings
	look := &widget.Choice{Label: p.words.T("Theme:"), At: p.themeIndex()}
	for _, t := range p.themes {
		look.Options = append(look.Options, t.Name)
	}
	look.Changed = func() {
		s.Theme = look.Options[look.At]
		p.setTheme()
		p.saveSettings()
	}
	cells := &widget.Choice{Label: p.words.T("Cells:"), Options: append([]string{p.words.T("as large as possible")}, cellNames...)}
	cells.At = slices.Index(cellNames, s.Cells) + 1
	cells.Changed = func() {
		s.Cells = ""
		if cells.At > 0 {
			s.Cells = cellNames[cells.At-1]
		}
		p.saveSettings()
	}
	lang := &widget.Choice{Label: p.words.T("Language:"), Options: []string{"English", "Nederlands"}}
	for i, l := range words.Languages() {
		if l == p.words.Lang() {
			lang.At = i
		}
	}
	d := &widget.Dialog{Title: p.words.T("Settings")}
	lang.Changed = func() {
		name := words.Languages()[lang.At]
		w, err := words.New(name)
		if err != nil {
			p.fail(err)
			return
		}
		p.words, s.Lang = w, name
		p.saveSettings()
		p.windows.Close(d)
		p.settingsDialog() // in the new language
	}
	check := func(on *bool, label words.Key, then func()) *widget.Check {
		c := &widget.Check{Label: p.words.T(label), On: *on}
		c.Changed = func() {
			*on = c.On
			if then != nil {
				then()
			}
			p.saveSettings()
		}
		return c
	}
	d.Controls = []widget.Control{look, cells, lang,
		check(&s.PauseOnFocusLoss, "Pause when the window loses the focus", nil),
		check(&s.CleanUp, "Clean up notes when a digit is set", func() { p.applySettings() }),
		check(&s.Panel, "Side panel", nil),
		check(&s.Glow, "A soft glow", nil),
		check(&s.Vi, "Keys of vi: h j k l move", func() { p.keymap = action.NewKeymap(p.actions, s.Vi) }),
		&widget.Button{Text: p.words.T("OK")},
	}
	p.windows.Open(d)
}

// glowAge returns how long the screen has been there, or -1 if nothing is to move.
func (p *Player) glowAge() time.Duration {
	if !p.glows() {
		return -1
	}
	return time.Since(p.began)
}

func (p *Player) glows() bool { return p.settings.Glow && p.styles.Glows }
