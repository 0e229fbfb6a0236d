package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// put adds a label of at most width columns and returns the column after it.
func (l *layout) put(x, y, width int, text string, style tcell.Style, at spot) int {
	text = l.cut(words.Printable(text), width)
	l.labels = append(l.labels, label{x, y, text, style, at})
	return x + widget.Width(text)
}

// cut shortens a text.
func (s *scene) cut(text string, width int) string {
	end := "…"
	if s.styles.ASCII {
		end = "~"
	}
	return widget.Cut(text, width, end)
}

func (l *layout) layTitle() {
	if l.title < 0 {
		return
	}
	title := l.view.Title
	if name := l.words.Puzzle(&l.view); name != "" {
		if title += ": " + name; widget.Width(title) > l.width {
			title = name
		}
	}
	title = l.cut(words.Printable(title), l.width)
	l.put((l.width-widget.Width(title))/2, l.title, l.width, title, l.styles.Of(theme.Title), spot{part: onPuzzle})
}

// The roles of the badges of states and of pens.
var (
	stateRoles = [...]theme.Role{
		game.Idle: theme.Idle, game.Playing: theme.Playing, game.Paused: theme.Paused, game.Editing: theme.Editing,
		game.Solving: theme.Solving, game.Solved: theme.Solved, game.GivenUp: theme.GivenUp,
	}
	penRoles = [...]theme.Role{game.Digits: theme.Selected, game.Notes: theme.PenNotes, game.Corner: theme.PenCorner, game.Colours: theme.PenColours}
)

// A piece is a part of a line with a look of its own.
type piece struct {
	text  string
	style tcell.Style
	spot  spot
}

// hasBar reports whether the status line is a bar in the color of the state: the usual rules
// do not hold.
func (s *scene) hasBar() bool {
	return s.view.State != game.Idle && s.view.State != game.Playing && s.view.State != game.Paused
}

// layStatus lays out the status line: the badges of the state and the pen, and then as many of
// the other parts as fit, the important ones first. It is centred.
func (l *layout) layStatus() {
	v, w := &l.view, l.words
	style := l.styles.Of(theme.Text)
	if l.hasBar() {
		style = l.styles.Of(stateRoles[v.State])
	}
	state := w.State(v.State)
	if v.State == game.Solved {
		state = "*** " + strings.ToUpper(state) + " ***"
	}
	badges := []piece{{" " + state + " ", l.styles.Of(stateRoles[v.State]), spot{}}}
	if v.Pen != game.Digits && (v.State == game.Playing || v.State == game.Editing) {
		badges = append(badges, piece{" " + w.Pen(v.Pen) + " ", l.styles.On(penRoles[v.Pen], theme.Text), spot{part: onPen}})
	}
	var parts []piece
	part := func(text string, at spot) { parts = append(parts, piece{text, style, at}) }
	message := l.scene.note
	if message == "" {
		message = w.Message(v.Message)
	}
	if message != "" {
		part(message, spot{})
	}
	if v.Generating {
		part(l.generating(), spot{part: onGenerating})
	}
	switch v.State {
	case game.Playing:
		if !l.hasNotes() {
			if notes := l.cursorNotes(); notes != "" {
				part(notes, spot{})
			}
		}
		part(w.T("%d empty", v.Empty), spot{part: onStatistics})
		if v.Conflicts > 0 {
			part(w.T("%d in conflict", v.Conflicts), spot{part: onValid})
		}
	case game.Paused:
		part(w.T("P: continue"), spot{part: onPaused})
	case game.Editing:
		part(l.solutions(), spot{part: onSolvable})
	case game.Solving:
		step, speed := l.progress()
		part(step, spot{part: onSolver})
		part(speed, spot{part: onSolver})
	case game.Solved:
		if v.Clock || v.Time > 0 {
			part(w.T("in %s", words.Clock(v.Time)), spot{part: onTime})
		}
	case game.GivenUp:
		if message == "" && v.Can.Has(game.CanResume) {
			part(w.T("S: continue"), spot{})
		}
	default:
		if message == "" {
			part(w.T("press S to start"), spot{})
		}
	}
	if l.side.w == 0 {
		if (v.Clock || v.Time > 0) && v.State != game.Solved {
			part(words.Clock(v.Time), spot{part: onTime})
		}
		if v.State == game.Playing && v.Show&game.ShowSolvable != 0 && v.Solvable == game.No {
			part(w.T("not solvable since %s", w.Cell(v.BrokenRow+1, v.BrokenCol+1)), spot{part: onSolvable})
		}
		if l.title < 0 && v.State != game.Solved && l.words.Puzzle(&l.view) != "" {
			part(l.words.Puzzle(&l.view), spot{part: onPuzzle})
		}
	}
	l.putParts(badges, parts, message != "", style)
}

// putParts writes badges and as many parts as fit into the status line. If not even the first
// part fits after the badges, it is more important than they are if it must be seen.
func (l *layout) putParts(badges, parts []piece, must bool, style tcell.Style) {
	dot := " " + string(l.styles.Glyph(theme.Dot)) + " "
	used := len(badges) - 1
	for _, b := range badges {
		used += widget.Width(b.text)
	}
	line := badges
	between := " "
	for i, p := range parts {
		p.text = words.Printable(p.text)
		w := widget.Width(between) + widget.Width(p.text)
		switch {
		case used+w <= l.width:
			line, used = append(line, piece{between, style, spot{}}, p), used+w
			between = dot
		case i == 0 && must:
			line, used = []piece{p}, min(widget.Width(p.text), l.width)
		}
	}
	x := (l.width - used) / 2
	for i, p := range line {
		if i > 0 && i < len(badges) {
			x++
		}
		x = l.put(x, l.status, l.width-x, p.text, p.style, p.spot)
	}
}

// layKeys lays out the key line: as many buttons as fit.
func (l *layout) layKeys() {
	keys, gap := l.keys, 2
	width := func() int {
		n := -gap
		for _, b := range keys {
			n += b.width() + gap
		}
		return n
	}
	for len(keys) > 1 && width() > l.width {
		if gap == 2 {
			gap = 1
		} else {
			keys, gap = keys[:len(keys)-1], 2
		}
	}
	x := max((l.width-width())/2, 0)
	for _, b := range keys {
		l.putButton(x, l.line, b, theme.Text)
		x += b.width() + gap
	}
}

func (b button) width() int {
	if b.key == "" {
		return widget.Width(b.label)
	}
	return widget.Width(b.key) + 1 + widget.Width(b.label)
}

// putButton writes a button: its key, and its label in a role.
func (l *layout) putButton(x, y int, b button, role theme.Role) {
	key, text := l.styles.Of(theme.Key), l.styles.Of(role)
	if b.dim {
		key, text = l.styles.Off(role), l.styles.Off(role)
	}
	if b.on {
		text = l.styles.Of(theme.Chosen)
	}
	at := spot{part: onButton, button: b.name}
	if b.key != "" {
		x = l.put(x, y, l.width-x, b.key, key, at)
		x = l.put(x, y, l.width-x, " ", text, at)
	}
	l.put(x, y, l.width-x, b.label, text, at)
}

// cursorNotes returns the notes of the selected cell in words, or "".
func (s *scene) cursorNotes() string {
	row, col := s.view.Selected()
	cell := &s.view.Cells[row][col]
	if notes := words.Digits(cell.Notes | cell.Corner); cell.Digit == 0 && notes != "" {
		return s.words.T("notes %s", notes)
	}
	return ""
}

// solutions says how many solutions the puzzle has that the player enters.
func (s *scene) solutions() string {
	if s.view.Solutions >= 0 {
		return s.words.Solutions(s.view.Solutions)
	}
	return s.words.T("%d given", s.view.Given+s.view.Filled)
}

// generating says how far the search for a puzzle is, with something that moves.
func (s *scene) generating() string {
	return string(`-\|/`[s.view.Tried%4]) + " " + s.words.T("making a puzzle, %d tried, Esc stops", s.view.Tried)
}

// progress says how far the solver is and how fast.
func (s *scene) progress() (step, speed string) {
	v := &s.view.Solver
	step = s.words.T("step %d", v.Done)
	if v.Total > 0 {
		step = s.words.T("step %d of %d", v.Done, v.Total)
	}
	if v.Paused {
		return step, s.words.State(game.Paused)
	}
	return step, s.words.T("%d ms each", v.Delay.Milliseconds())
}
