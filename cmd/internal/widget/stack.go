package widget

import (
	"slices"

	"github.com/gdamore/tcell/v2"
)

// A Window is a [*Dialog] or a [*Menu].
type Window interface {
	draw(canvas) // on the whole screen
	key(*tcell.EventKey) outcome
	mouse(Mouse) outcome
	paste(text string)
}

// An outcome is what a window wants after an event: to be closed, and then that
// something is done.
type outcome struct {
	close bool
	do    func()
}

// A Mouse is something that the player did with the mouse.
type Mouse struct {
	X, Y  int
	Press bool // of a button, instead of a movement
	Wheel int  // -1: up, +1: down
}

// A Stack has the windows that are open. The last one gets all events.
type Stack struct{ windows []Window }

// Open opens a window over the others.
func (s *Stack) Open(w Window) { s.windows = append(s.windows, w) }

// Close closes a window if it is open.
func (s *Stack) Close(w Window) {
	s.windows = slices.DeleteFunc(s.windows, func(other Window) bool { return other == w })
}

// Has reports whether a window is open.
func (s *Stack) Has(w Window) bool { return slices.Contains(s.windows, w) }

// Top returns the window that gets the events, or nil.
func (s *Stack) Top() Window {
	if len(s.windows) == 0 {
		return nil
	}
	return s.windows[len(s.windows)-1]
}

// Draw draws all windows.
func (s *Stack) Draw(screen tcell.Screen, look *Look) {
	screen.HideCursor()
	for _, w := range s.windows {
		w.draw(newCanvas(screen, look))
	}
}

// Key gives a key to the last window. It reports whether there is one.
func (s *Stack) Key(ev *tcell.EventKey) bool {
	return s.handle(func(w Window) outcome { return w.key(ev) })
}

// Mouse gives the last window an action of the mouse. It reports whether there is one.
func (s *Stack) Mouse(m Mouse) bool {
	return s.handle(func(w Window) outcome { return w.mouse(m) })
}

// Paste gives the last window a text. It reports whether there is one.
func (s *Stack) Paste(text string) bool {
	return s.handle(func(w Window) outcome { w.paste(text); return outcome{} })
}

func (s *Stack) handle(event func(Window) outcome) bool {
	w := s.Top()
	if w == nil {
		return false
	}
	out := event(w)
	if out.close {
		s.Close(w)
	}
	if out.do != nil {
		out.do()
	}
	return true
}
