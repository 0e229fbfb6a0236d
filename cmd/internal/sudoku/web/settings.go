package web

import (
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
)

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
	return max(slices.IndexFunc(looks, func(l look) bool { return l.name == strings.ToLower(p.Settings.Theme) }), 0)
}

func (p *player) lookText(l look) string {
	if l.label == "" {
		return words.Capital(l.name)
	}
	return p.Words.T(l.label)
}

func (p *player) nextTheme() {
	next := looks[(p.lookIndex()+1)%len(looks)]
	p.Settings.Theme = next.name
	p.Answer("theme %s", p.lookText(next))
	p.kept.saveSettings(p.Settings)
}

// typefaces are those of the digits, in the order in which they are offered. The page has their fonts.
var typefaces = []look{{"", "of the system"}, {"serif", "serif"}, {"rounded", "rounded"}, {"hand", "handwritten"}, {"mono", "monospaced"}}

// openSettings opens the settings.
func (p *player) openSettings() {
	s := &p.Settings
	theme := func() []*action.Control {
		theme := &action.Control{Kind: action.Choice, Label: p.Words.T("Theme:"), At: p.lookIndex()}
		for _, l := range looks {
			theme.Options = append(theme.Options, p.lookText(l))
		}
		face := &action.Control{Kind: action.Choice, Label: p.Words.T("Digits:")}
		for i, t := range typefaces {
			face.Options = append(face.Options, p.lookText(t))
			if t.name == s.Typeface {
				face.At = i
			}
		}
		return []*action.Control{
			p.Setting(theme, func() { s.Theme = looks[theme.At].name }),
			p.Setting(face, func() { s.Typeface = typefaces[face.At].name }),
		}
	}
	p.OpenSettings(theme,
		action.Switch{Label: "Pause when the page is hidden", On: &s.PauseOnFocusLoss},
		action.Switch{Label: "Gentle motion", On: &s.Glow},
		action.Switch{Label: "Sound: a conflict, a full row, column or box, the end", On: &s.Sound})
}
