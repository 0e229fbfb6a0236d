package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// An item is a part of the panel. Items are in their order on the screen.
type item struct {
	rank  int // smaller is more important
	tail  int // the rank of its lines after the third; 0: that of the item
	lines [][]piece
	group int // between groups is an empty line where there is room
}

// layPanel lays out the panel: as many items as fit, the important ones first.
func (l *layout) layPanel() {
	if l.side.w == 0 {
		return
	}
	items := l.items()
	if l.side.y > l.board.y { // below the board, rows are scarce and wide
		items = l.pack(items)
	}
	height := func() (n int) {
		for _, it := range items {
			n += len(it.lines)
		}
		return n
	}
	for over := height() - l.side.h; over > 0; over = height() - l.side.h {
		worst, tail := 0, false
		rank := -1
		for i, it := range items {
			long := it.tail > 0 && len(it.lines) > 3
			if long && it.tail >= rank {
				worst, tail, rank = i, true, it.tail
			} else if !long && it.rank >= rank {
				worst, tail, rank = i, false, it.rank
			}
		}
		if !tail {
			items = append(items[:worst:worst], items[worst+1:]...)
			continue
		}
		lines := items[worst].lines[:max(len(items[worst].lines)-over, 3)]
		last := &lines[len(lines)-1][0]
		last.text = l.cut(last.text+" ", l.side.w) // says that there is more
		items[worst].lines = lines
	}
	spare := l.side.h - height()
	y := l.side.y
	for i, it := range items {
		if i > 0 && it.group != items[i-1].group && spare > 0 {
			spare--
			y++
		}
		for _, line := range it.lines {
			x := l.side.x
			for _, p := range line {
				x = l.put(x, y, l.side.x+l.side.w-x, p.text, p.style, p.spot)
			}
			y++
		}
	}
}

// pack puts items of one line side by side.
func (l *layout) pack(items []item) (packed []item) {
	used := 0
	for _, it := range items {
		w := 0
		for _, p := range it.lines[0] {
			w += widget.Width(p.text)
		}
		if n := len(packed) - 1; n >= 0 && len(it.lines) == 1 && len(packed[n].lines) == 1 && used+2+w <= l.side.w {
			line := append(packed[n].lines[0], piece{text: "  ", style: l.styles.Of(theme.Panel)})
			packed[n].lines[0] = append(line, it.lines[0]...)
			packed[n].rank = min(packed[n].rank, it.rank)
			used += 2 + w
			continue
		}
		packed, used = append(packed, it), w
	}
	return packed
}

// items returns everything that the panel has to say.
func (l *layout) items() []item {
	v, w, st := &l.view, l.words, l.styles
	text, dim, title := st.Of(theme.Panel), st.Of(theme.Dim), st.Of(theme.Title)
	var items []item
	add := func(group, rank int, lines ...[]piece) {
		items = append(items, item{rank: rank, lines: lines, group: group})
	}
	fact := func(group, rank int, name, value string, style tcell.Style, at spot) {
		add(group, rank, []piece{{name + " ", dim, at}, {value, style, at}})
	}
	hidden := v.State == game.Paused

	if l.title < 0 {
		add(0, 5, []piece{{v.Title, title, spot{}}})
		if name := w.Puzzle(v); name != "" {
			if at := (spot{part: onPuzzle}); v.Number > 0 && widget.Width(name) > l.side.w {
				add(0, 4, append(l.wrap(w.Name(v.Puzzle), text, at), l.wrap(w.T("%d of %d", v.Number, v.Puzzles), text, at)...)...)
			} else {
				add(0, 4, l.wrap(name, text, at)...)
			}
		}
	}
	if level := w.Rated(v); level != "" {
		fact(0, 6, w.T("Level"), level, text, spot{part: onPuzzle})
	}
	if v.Clock || v.Time > 0 {
		style := text
		if v.State == game.Solved {
			style = title
		}
		fact(0, 1, w.T("Time"), words.Clock(v.Time), style, spot{part: onTime})
	}

	playing := v.State == game.Playing || v.State == game.Solving
	judged := func(bad bool, paper theme.Role) tcell.Style {
		if bad {
			return st.On(paper, theme.Panel)
		}
		return text
	}
	if playing && v.Show&game.ShowValid != 0 {
		value, bad := w.Valid(v)
		fact(1, 3, w.T("Valid"), value, judged(bad, theme.Conflict), spot{part: onValid})
	}
	if playing && v.Show&game.ShowSolvable != 0 {
		value, bad := w.Solvable(v)
		fact(1, 2, w.T("Solvable"), value, judged(bad, theme.Broken), spot{part: onSolvable})
	}
	if v.State == game.Editing {
		add(1, 1, l.wrap(l.solutions(), text, spot{part: onSolvable})...)
	}
	if v.Show&game.ShowStatistics != 0 && !hidden {
		at := spot{part: onStatistics}
		add(1, 7, l.flow([]piece{
			{w.T("given %d", v.Given), text, at}, {w.T("filled %d", v.Filled), text, at}, {w.T("left %d", v.Empty), text, at},
		})...)
	}
	if v.Show&game.ShowLeft != 0 && !hidden {
		add(2, 8, l.bars()...)
	}

	var state []piece
	if v.Has&game.CanMark != 0 && (v.State == game.Playing || v.State == game.Editing) {
		state = append(state, piece{" " + w.Pen(v.Pen) + " ", st.On(penRoles[v.Pen], theme.Text), spot{part: onPen}})
	}
	if v.Filter > 0 {
		state = append(state, piece{" " + w.T("only %d", v.Filter) + " ", st.On(theme.Equal, theme.Given), spot{part: onFilter}})
	}
	if len(state) > 0 {
		add(3, 3, l.flow(state)...)
	}
	if v.Undo > 0 || v.Redo > 0 || len(v.SavePoints) > 0 {
		at := spot{part: onMoves}
		moves := []piece{{w.T("undo %d", max(v.Undo, 0)), text, at}, {w.T("redo %d", max(v.Redo, 0)), text, at}}
		if n := len(v.SavePoints); n > 0 {
			moves = append(moves, piece{w.T("save points %d", n), text, at})
		}
		add(3, 9, l.flow(moves)...)
	}
	if v.State == game.Solving {
		at := spot{part: onSolver}
		step, speed := l.progress()
		add(4, 1, l.flow([]piece{{v.Solver.Method, text, at}, {step, text, at}, {speed, text, at}})...)
	}
	if v.Generating {
		add(4, 0, l.wrap(l.generating(), st.Of(theme.Solving), spot{part: onGenerating})...)
	}
	if v.Hint != nil && !hidden {
		add(4, 1, l.wrap(w.Hint(v.Hint), text, spot{part: onHint})...)
		items[len(items)-1].tail = 6
	}
	if len(l.buttons) > 0 {
		items = append(items, item{rank: 10, lines: l.flowButtons(), group: 5})
	}
	return items
}

// layHint lays out a hint that has no panel, over the half of the board that it says less about.
func (l *layout) layHint() {
	v := &l.view
	if v.Hint == nil || l.side.w > 0 || v.State == game.Paused {
		return
	}
	lines := widget.Wrap(words.Printable(l.words.Hint(v.Hint)), l.board.w-4)
	lines = lines[:min(len(lines), l.board.h-2)]
	balance := 0 // positive: it is about the lower half
	for row := range 9 {
		for _, cell := range v.Cells[row] {
			if cell.Hint != game.NoRole || cell.Wrong {
				balance += row - 4
			}
		}
	}
	l.hint = rect{l.board.x + 1, l.board.y + 1, l.board.w - 2, len(lines)}
	if balance <= 0 {
		l.hint.y = l.board.y + l.board.h - 1 - len(lines)
	}
	for i, line := range lines {
		l.put(l.hint.x+1, l.hint.y+i, l.hint.w-1, line, l.hintStyle(), spot{part: onHint})
	}
}

// hintStyle returns the style of the box of a hint.
func (s *scene) hintStyle() tcell.Style {
	return s.styles.Of(theme.Dialog).Reverse(!s.styles.Colours)
}

// wrap breaks a text into lines of the panel.
func (l *layout) wrap(text string, style tcell.Style, at spot) (lines [][]piece) {
	for _, line := range widget.Wrap(words.Printable(text), l.side.w) {
		line += strings.Repeat(" ", max(l.side.w-widget.Width(line), 0))
		lines = append(lines, []piece{{line, style, at}})
	}
	return lines
}

// flow puts pieces into as few lines as they need, with spaces between them.
func (l *layout) flow(pieces []piece) (lines [][]piece) {
	used := 0
	for _, p := range pieces {
		w := widget.Width(p.text)
		if len(lines) == 0 || used+2+w > l.side.w {
			lines, used = append(lines, nil), 0
		}
		line := &lines[len(lines)-1]
		if used > 0 {
			*line, used = append(*line, piece{text: "  ", style: l.styles.Of(theme.Panel)}), used+2
		}
		*line, used = append(*line, p), used+w
	}
	return lines
}

// flowButtons puts the buttons into as few lines as they need.
func (l *layout) flowButtons() [][]piece {
	var buttons []piece
	for _, b := range l.buttons {
		style := l.styles.Of(theme.Button)
		switch {
		case b.dim:
			style = l.styles.Off(theme.Text) // the paper of buttons is not for it
		case b.on:
			style = l.styles.Of(theme.Chosen)
		}
		text := " " + b.label + " "
		if b.key != "" {
			text = " " + b.key + " " + b.label + " "
		}
		buttons = append(buttons, piece{text, style, spot{part: onButton, button: b.name}})
	}
	return l.flow(buttons)
}

// bars shows how many of each digit are left, as bars in two columns.
func (l *layout) bars() (lines [][]piece) {
	style := l.styles.Of(theme.Panel)
	bar := func(d int) piece {
		n := min(max(l.view.Left[d], 0), 9)
		text := string(rune('0'+d)) + strings.Repeat(string(l.styles.Glyph(theme.Bar)), n) + strings.Repeat(" ", 9-n)
		if n == 0 {
			return piece{text, l.styles.Of(theme.Dim), spot{part: onLeft, digit: d}}
		}
		return piece{text, style, spot{part: onLeft, digit: d}}
	}
	columns := max(min((l.side.w+1)/11, 5), 1)
	rows := (9 + columns - 1) / columns
	for row := range rows {
		var line []piece
		for d := row + 1; d <= 9; d += rows {
			if line != nil {
				line = append(line, piece{text: " ", style: style})
			}
			line = append(line, bar(d))
		}
		lines = append(lines, line)
	}
	return lines
}
