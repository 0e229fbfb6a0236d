package tui

import (
	"unicode"

	"github.com/gdamore/tcell/v2"
)

// A command is what the player asks for.
type command struct {
	verb verb
	a, b int // arguments, see the verbs
}

type verb uint8

const (
	nothing    verb = iota
	move            // the selection, by a rows and b columns
	click           // on the cell in row a and column b: select it, or tap it if it is selected
	put             // the digit a into the selected cell, 0 to clear it
	tap             // the selected cell: one more
	undo            //
	toggle          // start or stop
	next            // puzzle: the one a places further on
	quit            //
	suspend         // the program, as Ctrl+Z does elsewhere
	redraw          // everything
	unknownKey      // a key without a meaning
)

var keyCommands = map[tcell.Key]command{
	tcell.KeyUp:        {move, -1, 0},
	tcell.KeyDown:      {move, +1, 0},
	tcell.KeyLeft:      {move, 0, -1},
	tcell.KeyRight:     {move, 0, +1},
	tcell.KeyHome:      {move, 0, -9},
	tcell.KeyEnd:       {move, 0, +9},
	tcell.KeyPgUp:      {move, -9, 0},
	tcell.KeyPgDn:      {move, +9, 0},
	tcell.KeyEnter:     {verb: tap},
	tcell.KeyCtrlJ:     {verb: tap},
	tcell.KeyBackspace: {put, 0, 0},
	tcell.KeyDelete:    {put, 0, 0},
	tcell.KeyTab:       {next, +1, 0},
	tcell.KeyBacktab:   {next, -1, 0},
	tcell.KeyCtrlC:     {verb: quit},
	tcell.KeyCtrlZ:     {verb: suspend},
	tcell.KeyCtrlL:     {verb: redraw},
}

var runeCommands = map[rune]command{
	'h': {move, 0, -1},
	'j': {move, +1, 0},
	'k': {move, -1, 0},
	'l': {move, 0, +1},
	' ': {verb: tap},
	'.': {put, 0, 0},
	'u': {verb: undo},
	's': {verb: toggle},
	'n': {next, +1, 0},
	'p': {next, -1, 0},
	'q': {verb: quit},
}

// keyCommand returns what a key means.
func keyCommand(ev *tcell.EventKey) command {
	if c, ok := keyCommands[ev.Key()]; ok {
		return c
	}
	if ev.Key() != tcell.KeyRune || ev.Modifiers()&^tcell.ModShift != 0 {
		return command{verb: unknownKey}
	}
	r := unicode.ToLower(ev.Rune())
	if '0' <= r && r <= '9' {
		return command{put, int(r - '0'), 0}
	}
	if c, ok := runeCommands[r]; ok {
		return c
	}
	return command{verb: unknownKey}
}

// A keyHint is an entry of the key line.
type keyHint struct {
	x       int
	key     string
	label   string
	command command // carried out when it is clicked
}

// width returns the room that the hint takes: "key label".
func (h keyHint) width() int { return len(h.key) + 1 + len(h.label) }

// keyLine returns the hints that fit into a line, the important ones.
func keyLine(playing bool, width int) []keyHint {
	startStop := "start"
	if playing {
		startStop = "stop " // as long, so that nothing moves under the mouse
	}
	hints := []struct {
		rank int
		keyHint
	}{
		{4, keyHint{key: "arrows", label: "move"}},
		{3, keyHint{key: "1-9", label: "set"}},
		{6, keyHint{key: "Del", label: "clear", command: command{put, 0, 0}}},
		{5, keyHint{key: "Space", label: "+1", command: command{verb: tap}}},
		{2, keyHint{key: "U", label: "undo", command: command{verb: undo}}},
		{0, keyHint{key: "S", label: startStop, command: command{verb: toggle}}},
		{1, keyHint{key: "N", label: "next", command: command{next, +1, 0}}},
		{7, keyHint{key: "P", label: "previous", command: command{next, -1, 0}}},
		{0, keyHint{key: "Q", label: "quit", command: command{verb: quit}}},
	}
	for worst := 7; ; worst-- {
		var line []keyHint
		used := 0
		for _, h := range hints {
			if h.rank <= worst {
				line = append(line, h.keyHint)
				used += h.width()
			}
		}
		gap := 1
		if used+2*(len(line)-1) <= width {
			gap = 2
		}
		used += gap * (len(line) - 1)
		if used > width && worst > 0 {
			continue
		}
		x := (width - used) / 2
		for i := range line {
			line[i].x = x
			x += line[i].width() + gap
		}
		return line
	}
}
