// Package widget has menus and dialogs for the screen of a terminal. They work with the
// keyboard and with the mouse, and are as large as their words, up to the size of the
// screen; what does not fit scrolls.
//
//	var stack widget.Stack
//	stack.Open(&widget.Dialog{Title: "Restart", Controls: []widget.Control{
//		&widget.Label{Text: "Everything that you entered is lost."},
//		&widget.Button{Text: "Restart", Do: restart},
//		&widget.Button{Text: "Cancel"},
//	}})
//	…
//	if !stack.Key(ev) { … } // no window is open: the key is the program's
//	…
//	stack.Draw(screen, look) // over everything else
//
// The package has no words and no colours of its own: a [Look] has the styles. Nothing
// here is safe for concurrent use.
package widget
