package sudoku

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

// A Puzzle is a grid with a name.
type Puzzle struct {
	Name string
	Grid Grid
}

//go:embed puzzles/*.csv
var puzzleFiles embed.FS

// Puzzles returns the puzzles that come with the package, the easiest first. Package rate
// has the levels in their names.
func Puzzles() []Puzzle {
	var all []Puzzle
	files, err := fs.Glob(puzzleFiles, "puzzles/*.csv") // sorted by name, which begins with the rank of difficulty
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		source, err := puzzleFiles.ReadFile(file)
		if err != nil {
			panic(err)
		}
		p := Puzzle{Name: strings.TrimSuffix(path.Base(file), ".csv")}
		for row, line := range strings.Split(strings.TrimSpace(string(source)), "\n") {
			for col, number := range strings.Split(line, ",") {
				p.Grid[row][col] = int(number[0] - '0')
			}
		}
		all = append(all, p)
	}
	return all
}
