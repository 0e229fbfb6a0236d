// Package theme has the looks of a Sudoku on a terminal: colours, characters and the size
// of a cell.
//
//	t, err := theme.Read("mine.theme", file) // or theme.Named("paper")
//	…
//	styles := t.For(screen.Colors(), true)
//	screen.PutStrStyled(0, 0, "Sudoku", styles.Of(theme.Text))
//	digit := styles.On(theme.Peer, theme.Given) // a given in a cell that is a peer of the cursor
//
// [Theme.For] adapts a theme to a terminal: it chooses the nearest of 256 colours, uses a
// table of 16 colours made by hand, or does without colours.
//
// A theme is a text file. Each line has a word and its value; # begins a comment. Only
// what differs from another theme, its base, needs a line:
//
//	name  Night
//	base  space
//	size  7x3                      # preferred size of a cell, in columns and rows
//	lines heavy                    # double, heavy, single, rounded or ascii
//	digits blocks                  # the large ones: blocks or ascii
//	glyph empty ·                  # or bar, dot: one character each
//	given #ffffff bold             # a role: ink, "on" paper, attributes
//	peer  on #222a44/236           # the number after the slash is for terminals with 256 colours
//	conflict white on red underline
//
// A colour is #rrggbb, one of the 16 of a terminal (black, red, green, yellow, blue,
// magenta, cyan, white, and each with "bright-" before it), or "default". A role without
// ink or paper leaves the one below as it is. The attributes are bold, underline,
// reverse, italic and strike. [Roles] lists the roles.
package theme
