package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// sent is what the page knows already.
type sent struct {
	fields map[string][]byte // of the view, as JSON
	cells  [81]cell          // without their labels
	paused bool
	menu   menuKey
	view   game.View
	note   string
}

// update collects the fields of a view that the page does not know.
type update struct {
	known   map[string][]byte
	changed map[string]json.RawMessage
}

func (u *update) set(name string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // the values are texts and numbers
	}
	if before, ok := u.known[name]; !ok || !bytes.Equal(before, text) {
		u.known[name], u.changed[name] = text, visible(text)
	}
}

// visible returns JSON in whose texts everything can be seen. Names of files and of games may have any
// characters.
func visible(text []byte) []byte {
	escaped := escapes().ReplaceAllFunc(text, func(escape []byte) []byte {
		var raw string
		_ = json.Unmarshal(fmt.Appendf(nil, `"%s"`, escape), &raw) // json.Marshal has written it
		if shown := datamodel.Visible(raw, nil); shown != raw && raw != "\n" && raw != "\t" {
			return []byte(`\` + shown)
		}
		return escape
	})
	return []byte(datamodel.Visible(string(escaped), func(_ rune, raw string) string { return `\` + datamodel.Visible(raw, nil) }))
}

// escapes are the escapes of JSON.
var escapes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\(?:u[0-9a-f]{4}|.)`) })

// labels are names for screen readers, and the text of the link to the chart in the playground.
type labels struct {
	Menu    string `json:"menu"`
	Buttons string `json:"buttons"`
	Pad     string `json:"pad"`
	Clear   string `json:"clear"`
	Cell    string `json:"cell"`
	Chart   string `json:"chart"`
}

// A fact is a line of the panel.
type fact struct {
	Part  string `json:"part,omitempty"` // what a click on it says
	Name  string `json:"name"`
	Value string `json:"value"`
	Bad   bool   `json:"bad,omitempty"`
}

// show tells the page what is to see now, unless it knows. The fields of the view are
//
//	lang, theme, motion, typeface   of the settings; an empty theme is that of the system
//	labels         {menu, buttons, pad, clear, cell, chart}: texts that no action has
//	title, puzzle, level
//	state, status  such as "given-up", and the same for people
//	pen            what digits write: digits, notes, corner or colours
//	time           played, or ""
//	cells          {number: cell}, see cell.go
//	at             the number of the selected cell, 9 times the row plus the column
//	left           how many of each digit are left, from digit 1; null: not shown
//	facts          [{part, name, value, bad}], what the panel says
//	hint           the text; "" without a hint
//	about          the text of the button that explains its technique; "" without one
//	busy           what is under way, such as making a puzzle; or ""
//	note           answers what the player did
//	say            what a screen reader reads aloud
//	draw           a finger draws digits, as a pen does always
//	sound          what there is to hear: conflict, unit or end
//	menu, cell, buttons, can, on, keys   see menu.go
//	dialog         see dialog.go
func (p *player) show() {
	p.View = p.Game.View()
	v, w := &p.View, p.Words
	if lang := w.Lang(); lang != p.lang { // all texts are others
		p.lang, p.sent = lang, sent{view: p.sent.view}
	}
	if p.sent.fields == nil {
		p.sent.fields = map[string][]byte{}
	}
	u := update{p.sent.fields, map[string]json.RawMessage{}}
	u.set("lang", w.Lang())
	u.set("theme", p.Settings.Theme)
	u.set("motion", p.Settings.Glow)
	u.set("typeface", p.Settings.Typeface)
	u.set("draw", p.Settings.Draw)
	u.set("labels", labels{w.T("Menu"), w.T("Game"), words.Capital(w.T("digits")), w.T("Clear the cell"), words.Capital(w.T("menu of the cell")), w.T("The rules as a chart")})
	u.set("title", v.Title)
	u.set("puzzle", w.Puzzle(v))
	u.set("level", w.Rated(v))
	u.set("state", stateNames[v.State])
	u.set("status", p.status())
	u.set("pen", penNames[v.Pen])
	played := ""
	if v.Clock || v.Time > 0 {
		played = words.Clock(v.Time)
	}
	u.set("time", played)
	if v.Show&game.ShowLeft != 0 && v.State != game.Paused {
		u.set("left", v.Left[1:])
	} else {
		u.set("left", nil)
	}
	u.set("facts", p.facts())
	hint := ""
	if v.Hint != nil && v.State != game.Paused {
		hint = sentence(w.Hint(v.Hint))
	}
	u.set("hint", hint)
	u.set("amiss", hint != "" && (v.Hint.Found == game.FoundWrong || v.Hint.Found == game.FoundUnsolvable))
	about := ""
	if hint != "" && v.Hint.Found == game.FoundStep {
		about = w.T("Technique and lesson…")
	}
	u.set("about", about)
	u.set("busy", p.busy())
	note := p.Note
	if note == "" {
		note = w.Message(v.Message)
	}
	u.set("note", note)
	said := p.said(note, p.showCells(&u))
	p.showActions(&u)
	u.set("dialog", p.topDialog())
	delete(u.known, "say") // what is said again is read again
	if said != "" {
		u.set("say", said)
	}
	delete(u.known, "sound") // the same again is heard again
	if sound := action.SoundOf(&p.sent.view, v); p.Settings.Sound && sound != action.Silence {
		u.set("sound", sound)
	}
	p.sent.view, p.sent.note = *v, note
	if len(u.changed) == 0 {
		return
	}
	u.changed["type"] = json.RawMessage(`"view"`)
	p.say(u.changed)
}

var (
	stateNames = [...]string{
		game.Idle: "idle", game.Playing: "playing", game.Paused: "paused", game.Editing: "editing",
		game.Solving: "solving", game.Solved: "solved", game.GivenUp: "given-up",
	}
	penNames = [...]string{game.Digits: "digits", game.Notes: "notes", game.Corner: "corner", game.Colours: "colours"}
)

// status says in which state the game is.
func (p *player) status() string {
	state := p.Words.State(p.View.State)
	if p.View.State == game.Solved && (p.View.Clock || p.View.Time > 0) {
		state += " " + p.Words.T("in %s", words.Clock(p.View.Time))
	}
	return state
}

// facts returns the lines of the panel.
func (p *player) facts() []fact {
	v, w := &p.View, p.Words
	facts := []fact{}
	playing := v.State == game.Playing || v.State == game.Solving
	if playing && v.Show&game.ShowValid != 0 {
		value, bad := w.Valid(v)
		facts = append(facts, fact{"valid", w.T("Valid"), value, bad})
	}
	if playing && v.Show&game.ShowSolvable != 0 {
		value, bad := w.Solvable(v)
		facts = append(facts, fact{"solvable", w.T("Solvable"), value, bad})
	}
	if v.State == game.Editing {
		facts = append(facts, fact{Name: w.T("Solvable"), Value: w.Solutions(v.Solutions), Bad: v.Solutions == 0})
	}
	if v.Show&game.ShowStatistics != 0 && v.State != game.Paused {
		facts = append(facts,
			fact{Part: "counts", Name: words.Capital(w.T("given")), Value: strconv.Itoa(v.Given)},
			fact{Part: "counts", Name: words.Capital(w.T("filled")), Value: strconv.Itoa(v.Filled)},
			fact{Part: "counts", Name: words.Capital(w.T("empty")), Value: strconv.Itoa(v.Empty)})
	}
	if v.Filter > 0 {
		facts = append(facts, fact{Part: "highlight", Name: words.Capital(w.T("highlight")), Value: strconv.Itoa(v.Filter)})
	}
	if n := len(v.SavePoints); n > 0 {
		facts = append(facts, fact{Part: "savepoints", Name: w.T("Save points"), Value: strconv.Itoa(n)})
	}
	return facts
}

// busy says what is under way.
func (p *player) busy() string {
	v, w := &p.View, p.Words
	switch {
	case v.Generating:
		return w.T("making a puzzle, %d tried, Esc stops", v.Tried)
	case v.State == game.Solving:
		text := v.Solver.Method
		if v.Solver.Total > 0 {
			text += ", " + w.T("step %d of %d", v.Solver.Done, v.Solver.Total)
		}
		if reason := w.Reason(&v.Solver); reason != "" {
			text += ": " + reason
		}
		return text
	}
	return ""
}

// said returns what a screen reader reads aloud, given the labels of the cells that have changed.
func (p *player) said(note string, changed []string) string {
	v, was := &p.View, &p.sent.view
	var all []string
	if note != "" && note != p.sent.note {
		all = append(all, sentence(note))
	}
	if len(changed) <= maxSaid {
		for _, label := range changed {
			all = append(all, sentence(label))
		}
	}
	if v.Hint != nil && (was.Hint == nil || v.Hint.Stage != was.Hint.Stage || v.Hint.Text != was.Hint.Text) {
		all = append(all, sentence(p.Words.Hint(v.Hint)))
	}
	if v.State != was.State || v.Puzzle != was.Puzzle || v.Number != was.Number {
		all = append(all, sentence(p.Words.Puzzle(v)+": "+p.status()))
	}
	return strings.Join(all, " ")
}

// maxSaid is how many changed cells are read aloud one by one.
const maxSaid = 3
