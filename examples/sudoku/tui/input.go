package tui

import (
	"unicode"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A command is a [game.Input] or a screenCommand, which concerns only the screen. nil
// means no command.
type command any

type screenCommand uint8

const (
	quit      screenCommand = iota
	interrupt               // as Ctrl+C does in other programs
	suspend                 // the program, as Ctrl+Z does in others
	redraw                  // the whole screen
)

var keyCommands = map[tcell.Key]command{
	tcell.KeyUp:        game.Move{Rows: -1},
	tcell.KeyDown:      game.Move{Rows: +1},
	tcell.KeyLeft:      game.Move{Cols: -1},
	tcell.KeyRight:     game.Move{Cols: +1},
	tcell.KeyHome:      game.Move{Cols: -9},
	tcell.KeyEnd:       game.Move{Cols: +9},
	tcell.KeyPgUp:      game.Move{Rows: -9},
	tcell.KeyPgDn:      game.Move{Rows: +9},
	tcell.KeyEnter:     game.Tap{},
	tcell.KeyCtrlJ:     game.Tap{},
	tcell.KeyBackspace: game.Put(0),
	tcell.KeyDelete:    game.Put(0),
	tcell.KeyTab:       game.Next(+1),
	tcell.KeyBacktab:   game.Next(-1),
	tcell.KeyCtrlC:     interrupt,
	tcell.KeyCtrlZ:     suspend,
	tcell.KeyCtrlL:     redraw,
}

var runeCommands = map[rune]command{
	'h': game.Move{Cols: -1},
	'j': game.Move{Rows: +1},
	'k': game.Move{Rows: -1},
	'l': game.Move{Cols: +1},
	' ': game.Tap{},
	'.': game.Put(0),
	'u': game.Undo{},
	's': game.Toggle{},
	'n': game.Next(+1),
	'p': game.Next(-1),
	'q': quit,
}

// keyCommand returns the command of a key.
func keyCommand(ev *tcell.EventKey) command {
	if c, ok := keyCommands[ev.Key()]; ok {
		return c
	}
	if ev.Key() != tcell.KeyRune || ev.Modifiers()&^tcell.ModShift != 0 {
		return game.Unknown{}
	}
	r := unicode.ToLower(ev.Rune())
	if '0' <= r && r <= '9' {
		return game.Put(r - '0')
	}
	if c, ok := runeCommands[r]; ok {
		return c
	}
	return game.Unknown{}
}

// An input turns events of the keyboard and the mouse into commands.
type input struct {
	pressed bool // the left mouse button is down
	pasting bool
}

// command returns the command of an event, on a screen with that layout.
func (in *input) command(ev tcell.Event, l *layout) command {
	fits := l != nil
	switch ev := ev.(type) {
	case *tcell.EventResize:
		return redraw
	case *tcell.EventPaste:
		in.pasting = ev.Start()
	case *tcell.EventKey:
		c := keyCommand(ev)
		_, plays := c.(game.Input)
		if in.pasting || plays && !fits { // ignore pasted text, and moves on a board that is not visible
			return nil
		}
		return c
	case *tcell.EventMouse:
		// A click is where the button goes down. It is reported repeatedly until it goes up.
		was := in.pressed
		in.pressed = ev.Buttons()&tcell.ButtonPrimary != 0
		if in.pressed && !was && fits {
			return commandAt(l, ev)
		}
	}
	return nil
}

// commandAt returns the command of a click.
func commandAt(l *layout, ev *tcell.EventMouse) command {
	switch at := l.at(ev.Position()); at.part {
	case onCell:
		return game.Point{Row: at.row, Col: at.col}
	case onButton:
		return buttonCommands[at.button]
	}
	return nil
}

var buttonCommands = map[string]command{
	"start": game.Toggle{}, "quit": quit, "next": game.Next(+1), "undo": game.Undo{}, "tap": game.Tap{}, "clear": game.Put(0),
	"previous": game.Next(-1),
}

// keys are the buttons of the key line, the most important first.
func keys(v *game.View) []button {
	start := "start"
	if v.State == game.Playing {
		start = "stop"
	}
	return []button{
		{name: "start", key: "S", label: start}, {name: "quit", key: "Q", label: "quit"},
		{name: "next", key: "N", label: "next"}, {name: "undo", key: "U", label: "undo"},
		{key: "1-9", label: "set"}, {key: "arrows", label: "move"},
		{name: "tap", key: "Space", label: "+1"}, {name: "clear", key: "Del", label: "clear"},
		{name: "previous", key: "P", label: "previous"},
	}
}
