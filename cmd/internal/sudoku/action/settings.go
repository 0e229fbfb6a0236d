package action

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// shows are the names of the switches in the settings.
var shows = []struct {
	show game.Show
	name string
}{
	{game.ShowValid, "valid"}, {game.ShowSolvable, "solvable"}, {game.ShowStatistics, "statistics"},
	{game.ShowLeft, "left"}, {game.ShowPeers, "peers"}, {game.ShowEqual, "equal"}, {game.ShowWrong, "wrong"},
}

// switchShow turns a part of the feedback on or off, and remembers it.
func (h *Hand) switchShow(s game.Show) {
	h.Front.Input(game.Switch(s))
	h.Settings.Show = []string{}
	for _, of := range shows {
		if (h.View.Show^s)&of.show != 0 {
			h.Settings.Show = append(h.Settings.Show, of.name)
		}
	}
	h.KeepSettings()
}

func (h *Hand) switchCleanUp() {
	h.Settings.CleanUp = !h.Settings.CleanUp
	h.Front.Input(game.Options{CleanUp: h.Settings.CleanUp})
	h.KeepSettings()
}

// KeepSettings remembers the settings, or says why it cannot.
func (h *Hand) KeepSettings() {
	if err := h.Front.SaveSettings(); err != nil {
		h.Fail(err)
	}
}

// ApplySettings makes the game as the settings say.
func (h *Hand) ApplySettings() {
	v := h.Game.View()
	if h.Settings.Show != nil {
		for _, s := range shows {
			if wanted := slices.Contains(h.Settings.Show, s.name); wanted != (v.Show&s.show != 0) {
				h.Front.Input(game.Switch(s.show))
			}
		}
	}
	if v.Has.Has(game.CanClock) {
		h.Front.Input(game.SetClock(true))
	}
	if v.Has.Has(game.CanCleanUp) {
		h.Front.Input(game.Options{CleanUp: h.Settings.CleanUp})
	}
}

// filter waits for the digit to highlight.
func (h *Hand) filter() {
	h.prefix = "F"
	h.Answer("highlight which digit? 1 to 9; F: that of the cell")
}

func (h *Hand) filterBy(key string) {
	digit := 0
	if len(key) == 1 && '1' <= key[0] && key[0] <= '9' {
		digit = int(key[0] - '0')
	}
	if (key == "F" || key == "Shift+F") && h.View.Filter == 0 {
		row, col := h.View.Selected()
		digit = h.View.Cells[row][col].Digit
	}
	h.Front.Input(game.SetFilter(digit))
}

// A Switch is a setting that is on or off.
type Switch struct {
	Label words.Key
	On    *bool
	Then  func() // may be nil
}

// OpenSettings opens the settings. Each takes effect at once. looks are the controls of what only the
// front end has; their language is that of the dialog.
func (h *Hand) OpenSettings(looks func() []*Control, switches ...Switch) {
	lang := &Control{Kind: Choice, Label: h.Words.T("Language:"), Options: []string{"English", "Nederlands"}}
	lang.At = slices.Index(words.Languages(), h.Words.Lang())
	controls := append(looks(), lang)
	for _, s := range append(switches,
		Switch{"Clean up notes when a digit is set", &h.Settings.CleanUp, h.ApplySettings},
		Switch{"Keys of vi: h j k l move", &h.Settings.Vi, h.SetKeys}) {
		c := &Control{Kind: Check, Label: h.Words.T(s.Label), On: *s.On}
		c.Changed = func() {
			if *s.On = c.On; s.Then != nil {
				s.Then()
			}
			h.KeepSettings()
		}
		controls = append(controls, c)
	}
	d := &Dialog{Title: h.Words.T("Settings"), Controls: append(controls, h.ok())}
	lang.Changed = func() {
		w, err := words.New(words.Languages()[lang.At])
		if err != nil {
			h.Fail(err)
			return
		}
		h.Words, h.Settings.Lang = w, w.Lang()
		h.KeepSettings()
		h.Front.Close(d)
		h.OpenSettings(looks, switches...)
	}
	h.Front.Open(d)
}

// Setting makes a control change the settings: set takes its value.
func (h *Hand) Setting(c *Control, set func()) *Control {
	c.Changed = func() {
		set()
		h.KeepSettings()
	}
	return c
}
