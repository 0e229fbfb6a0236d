package format

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A Format is a file format for games.
type Format string

// The formats. The package documentation says what each keeps.
const (
	Line       Format = "line"       // 81 characters a line, "." for an empty cell
	SDM        Format = "sdm"        // the same with "0" and without names
	SDK        Format = "sdk"        // SadMan Sudoku
	SS         Format = "ss"         // Simple Sudoku
	CSV        Format = "csv"        // 9 lines of 9 comma-separated numbers
	Text       Format = "text"       // a grid with lines, for people
	Candidates Format = "candidates" // a grid with the candidates of each cell
	OpenSudoku Format = "opensudoku" // XML
	HoDoKu     Format = "hodoku"     // a library line
	GNOME      Format = "gnome"      // a saved game of GNOME Sudoku, JSON
	FPuzzles   Format = "f-puzzles"  // a link
	SudokuPad  Format = "sudokupad"  // a link
	Saved      Format = "json"       // saved games, one JSON object on a line
)

// Formats returns all formats.
func Formats() []Format {
	return []Format{Line, SDM, SDK, SS, CSV, Text, Candidates, OpenSudoku, HoDoKu, GNOME, FPuzzles, SudokuPad, Saved}
}

// extensions maps extensions of file names in lower case to formats.
var extensions = map[string]Format{
	".sdm": SDM, ".sdk": SDK, ".ss": SS, ".csv": CSV, ".opensudoku": OpenSudoku, ".xml": OpenSudoku,
	".hodoku": HoDoKu, ".save": GNOME, ".url": FPuzzles, ".json": Saved, ".txt": Line,
}

// ForFile returns the format to write for the extension of a file name. ok is false
// if the extension does not belong to a format. Read ignores file names.
func ForFile(name string) (f Format, ok bool) {
	f, ok = extensions[strings.ToLower(path.Ext(name))]
	return f, ok
}

// Endings returns the file name endings that [ForFile] knows.
func Endings() []string { return slices.Sorted(maps.Keys(extensions)) }

// Valid reports whether f is one of [Formats].
func (f Format) Valid() bool { return slices.Contains(Formats(), f) }

// An Error says what is wrong in a file, and where.
type Error struct {
	Pos datamodel.Position
	Msg string
}

// Error returns file:line:col: message.
func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

func errorAt(pos datamodel.Position, format string, args ...any) error {
	return &Error{pos, fmt.Sprintf(format, args...)}
}
