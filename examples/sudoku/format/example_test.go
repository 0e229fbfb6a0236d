package format_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

const text = `
53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 # Monday
.32..5.7......1.....4....61.213..7.9..32..6..69..7.3............78...14....4...5.
`

// Read yields games one after the other, in any format.
func ExampleRead() {
	for game, err := range format.Read("week.txt", strings.NewReader(text)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%q has %d givens\n", game.Name, 81-game.Givens.Empty())
	}
	// Output:
	// "Monday" has 30 givens
	// "" has 26 givens
}

// Errors have positions.
func ExampleRead_error() {
	for _, err := range format.Read("week.csv", strings.NewReader("5,3,0,0,7,0,0,0,0\n6,0,0,1,9,5,0,0,x\n")) {
		fmt.Println(err)
	}
	// Output:
	// week.csv:2:17: expected a number from 0 to 9, found "x"
}

// To convert games, read and write them.
func ExampleWriter() {
	w := format.NewWriter(os.Stdout, format.SDK)
	for game, err := range format.Read("week.txt", strings.NewReader(text[:92])) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := w.Write(&game); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// #DMonday
	// [Puzzle]
	// 53..7....
	// 6..195...
	// .98....6.
	// 8...6...3
	// 4..8.3..1
	// 7...2...6
	// .6....28.
	// ...419..5
	// ....8..79
}
