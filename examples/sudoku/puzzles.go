package sudoku

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// A Puzzle is a grid with a name to show.
type Puzzle struct {
	Name string
	Grid Grid
}

//go:embed puzzles/*.csv
var puzzleFiles embed.FS

// Puzzles returns the puzzles that come with the package, the easiest first.
func Puzzles() []Puzzle {
	var all []Puzzle
	files, err := fs.Glob(puzzleFiles, "puzzles/*.csv") // sorted by name, which begins with the rank
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		source, err := puzzleFiles.ReadFile(file)
		if err != nil {
			panic(err)
		}
		puzzles, err := Read(file, source)
		if err != nil {
			panic(err)
		}
		all = append(all, puzzles...)
	}
	return all
}

// names gives each of the puzzles of a file a name.
func names(file string, grids []Grid) []Puzzle {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	base = strings.TrimSuffix(base, path.Ext(base))
	puzzles := make([]Puzzle, len(grids))
	for i, g := range grids {
		puzzles[i] = Puzzle{Name: base, Grid: g}
		if len(grids) > 1 {
			puzzles[i].Name = fmt.Sprintf("%s %d", base, i+1)
		}
	}
	return puzzles
}
