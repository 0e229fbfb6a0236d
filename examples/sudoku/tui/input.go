package tui

import "github.com/gdamore/tcell/v2"

// input makes commands of what comes from keyboard and mouse.
type input struct {
	pressed bool // the left mouse button
	pasting bool
}

// command returns what an event of the screen means; the verb is nothing if
// it does not mean anything.
func (in *input) command(ev tcell.Event, width, height int, g *game) command {
	switch ev := ev.(type) {
	case *tcell.EventPaste:
		in.pasting = ev.Start()
	case *tcell.EventKey:
		if in.pasting { // pasted text is no game
			break
		}
		c := keyCommand(ev)
		if _, ok := newLayout(width, height); !ok && c.verb != quit && c.verb != suspend && c.verb != redraw {
			break // nobody plays on a board that cannot be seen
		}
		return c
	case *tcell.EventMouse:
		// A click is where the button goes down; it is reported again until it goes up.
		was := in.pressed
		in.pressed = ev.Buttons()&tcell.ButtonPrimary != 0
		if in.pressed && !was {
			x, y := ev.Position()
			return commandAt(x, y, width, height, g)
		}
	}
	return command{}
}
