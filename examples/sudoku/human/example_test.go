package human_test

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A position after some steps: "+" is before digits that are not given, and after the
// colon are candidates that have been eliminated.
const line = ":::..4.+8...69..7+6.8.+4.86..4.5+2..9.+23.7+8...8..2..2.8..6.4..1...8.....5.....9.+9.2.....:777 787 797:::"

func ExampleFinder_Next() {
	library, err := human.ParseLibraryLine(line)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := library.Position
	var f human.Finder
	step, ok := f.Next(p, human.Order()...)
	if !ok {
		return
	}
	fmt.Println(step.Technique, step.Rating)
	fmt.Println(step.Reason())
	fmt.Println(step.Effect())
	fmt.Println(p.Apply(&step))
	// Output:
	// X-Wing 3.2
	// in columns 6 and 8 all places for 9 are in rows 1 and 5: each of these has its 9 there, and nowhere else
	// r1c47, r5c5<>9
	// <nil>
}

func ExampleStep_Hint() {
	library, err := human.ParseLibraryLine(line)
	if err != nil {
		fmt.Println(err)
		return
	}
	var f human.Finder
	step, _ := f.Next(library.Position, human.Order()...)
	for _, stage := range []human.Stage{human.Vague, human.Where, human.Full} {
		fmt.Println(step.Hint(stage))
	}
	// Output:
	// look for an X-Wing: it eliminates candidates. In two rows a digit has places in the same two columns only, so the rest of these columns loses it; likewise with rows and columns exchanged
	// look for an X-Wing in columns 6 and 8: it eliminates candidates
	// in columns 6 and 8 all places for 9 are in rows 1 and 5: each of these has its 9 there, and nowhere else: r1c47, r5c5<>9
}

func ExampleFinder_Solve() {
	library, err := human.ParseLibraryLine(line)
	if err != nil {
		fmt.Println(err)
		return
	}
	var f human.Finder
	path, solved := f.Solve(library.Position, human.Order()...)
	hardest := path[0]
	for _, step := range path {
		if step.Rating > hardest.Rating {
			hardest = step
		}
	}
	fmt.Println(len(path), "steps, solved:", solved)
	fmt.Println("hardest:", hardest.Technique, hardest.Rating)
	// Output:
	// 112 steps, solved: true
	// hardest: Dynamic Forcing Chains 9.1
}
