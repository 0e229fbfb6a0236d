package theme

// lineRunes are the characters of lines and their crossings, by the kinds of the lines
// before a row and before a column of the board.
type lineRunes [5][5]rune

var lineStyles = map[string]*lineRunes{
	"double": {
		{'╔', '╤', '╦', '╗', '═'}, // the first row's line
		{'╟', '┼', '╫', '╢', '─'}, // one within a box
		{'╠', '╪', '╬', '╣', '═'}, // one between boxes
		{'╚', '╧', '╩', '╝', '═'}, // the line after the last row
		{'║', '│', '║', '║', ' '}, // none: a column's line only
	},
	"heavy": {
		{'┏', '┯', '┳', '┓', '━'},
		{'┠', '┼', '╂', '┨', '─'},
		{'┣', '┿', '╋', '┫', '━'},
		{'┗', '┷', '┻', '┛', '━'},
		{'┃', '│', '┃', '┃', ' '},
	},
	"single": {
		{'┌', '┬', '┬', '┐', '─'},
		{'├', '┼', '┼', '┤', '─'},
		{'├', '┼', '┼', '┤', '─'},
		{'└', '┴', '┴', '┘', '─'},
		{'│', '│', '│', '│', ' '},
	},
	"rounded": {
		{'╭', '┬', '┬', '╮', '─'},
		{'├', '┼', '┼', '┤', '─'},
		{'├', '┼', '┼', '┤', '─'},
		{'╰', '┴', '┴', '╯', '─'},
		{'│', '│', '│', '│', ' '},
	},
	"ascii": {
		{'#', '=', '#', '#', '='},
		{'#', '+', '#', '#', '-'},
		{'#', '=', '#', '#', '='},
		{'#', '=', '#', '#', '='},
		{'#', '|', '#', '#', ' '},
	},
}

// NoLine is the place of a line that is not there.
const NoLine = -1

// Line returns the crossing of the lines before a row and a column of the board, where 9
// means the line after the last, or a piece of one line if the other is [NoLine].
func (s *Styles) Line(row, col int) rune {
	kind := func(i int) int {
		switch {
		case i == NoLine:
			return 4
		case i == 0:
			return 0
		case i == 9:
			return 3
		case i%3 == 0:
			return 2
		}
		return 1
	}
	return s.lines[kind(row)][kind(col)]
}
