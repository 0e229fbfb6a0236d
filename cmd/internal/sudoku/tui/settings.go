package tui

import (
	"slices"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
)

// themeIndex returns the index of the theme of the settings.
func (p *Player) themeIndex() int {
	for i, t := range p.themes {
		if t.Name == p.Settings.Theme {
			return i
		}
	}
	return 0
}

// setTheme makes the screen look as the settings say.
func (p *Player) setTheme() {
	screen := p.Screen
	p.styles = p.themes[p.themeIndex()].For(terminal.Colors(screen), screen.CharacterSet() == "UTF-8")
}

func (p *Player) nextTheme() {
	at := (p.themeIndex() + 1) % len(p.themes)
	p.Settings.Theme = p.themes[at].Name
	p.setTheme()
	p.Answer("theme %s", p.Settings.Theme)
	p.KeepSettings()
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

// typefaces are how digits of one character look, as Unicode has them, and their digit 0. Large digits
// are made of blocks.
var typefaces = []struct {
	name  string
	label words.Key
	zero  rune
}{{"", "of the terminal", '0'}, {"bold", "bold 𝟓", '𝟎'}, {"sans", "sans serif 𝟱", '𝟬'}, {"double", "double 𝟝", '𝟘'}, {"mono", "monospaced 𝟻", '𝟶'}}

// digitZero returns the digit 0 of the typeface of the settings.
func (p *Player) digitZero() rune {
	for _, t := range typefaces {
		if t.name == p.Settings.Typeface && !p.styles.ASCII {
			return t.zero
		}
	}
	return '0'
}

// settingsDialog opens the settings.
func (p *Player) settingsDialog() {
	s := &p.Settings
	looks := func() []*action.Control {
		look := &action.Control{Kind: action.Choice, Label: p.Words.T("Theme:"), At: p.themeIndex()}
		for _, t := range p.themes {
			look.Options = append(look.Options, t.Name)
		}
		cells := &action.Control{Kind: action.Choice, Label: p.Words.T("Cells:"), Options: append([]string{p.Words.T("as large as possible")}, cellNames...)}
		cells.At = slices.Index(cellNames, s.Cells) + 1
		face := &action.Control{Kind: action.Choice, Label: p.Words.T("Digits:")}
		for i, t := range typefaces {
			face.Options = append(face.Options, p.Words.T(t.label))
			if t.name == s.Typeface {
				face.At = i
			}
		}
		return []*action.Control{
			p.Setting(look, func() {
				s.Theme = look.Options[look.At]
				p.setTheme()
			}),
			p.Setting(cells, func() {
				if s.Cells = ""; cells.At > 0 {
					s.Cells = cellNames[cells.At-1]
				}
			}),
			p.Setting(face, func() { s.Typeface = typefaces[face.At].name }),
		}
	}
	p.OpenSettings(looks,
		action.Switch{Label: "Pause when the window loses the focus", On: &s.PauseOnFocusLoss},
		action.Switch{Label: "Side panel", On: &s.Panel},
		action.Switch{Label: "Bell: a conflict, a full row, column or box, the end", On: &s.Sound},
		action.Switch{Label: "A soft glow", On: &s.Glow})
}

// glowAge returns how long the screen has been there, or -1 if nothing is to move.
func (p *Player) glowAge() time.Duration {
	if !p.glows() {
		return -1
	}
	return time.Since(p.began)
}

func (p *Player) glows() bool { return p.Settings.Glow && p.styles.Glows }
