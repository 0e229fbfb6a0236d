package photo

import (
	"math"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
)

// A digit that may be either is printed if it is as high, as dark and of the same color as those that
// are, and else it is handwritten.
func TestTraitsOfPrintedDigits(t *testing.T) {
	printed := traits{0.25, 0.75, 1, 0, 0, 0.07}
	tests := map[string]struct {
		traits traits
		want   bool
	}{
		"the same":      {printed, true},
		"nearly":        {traits{0.26, 0.74, 0.97, 0.01, -0.01, 0.072}, true},
		"higher":        {traits{0.12, 0.88, 1, 0, 0, 0.07}, false},
		"lower down":    {traits{0.4, 0.9, 1, 0, 0, 0.07}, false},
		"blue and pale": {traits{0.25, 0.75, 0.6, -0.3, -0.1, 0.07}, false},
	}
	for name, test := range tests {
		var all [81]beliefs
		found := new([81]traits)
		for c := range all {
			for d := range all[c] {
				all[c][d] = floor
			}
			found[c] = printed
			found[c][0] += 0.01 * float64(c%3)
			switch {
			case c < 4:
				all[c][9+digit.Handwritten] = 0
				found[c][1] = 0.95
			case c == 40:
				all[c][7], all[c][7+digit.Handwritten] = math.Log(0.5), math.Log(0.5)
				found[c] = test.traits
			case c%2 == 0:
				all[c][1+c%9] = 0
			default:
				all[c][0] = 0
			}
		}
		compareHands(&all, func() *[81]traits { return found })
		if p := all[40].printed(); p > 0.5 != test.want || math.Abs(p-0.5) < 0.2 {
			t.Errorf("%s: the probability that it is printed is %.3f", name, p)
		}
		if all[5][0] < -0.01 || all[6][7] < -0.01 {
			t.Errorf("%s: it changed what is certain: %.3f and %.3f", name, all[5][0], all[6][7])
		}
	}
}

// A handwritten digit that is taken for a given agrees with the solution, so that the repair cannot
// find it. It is in doubt, or it is an entry.
func TestHandwrittenDigitsDoNotBecomeGivensUnnoticed(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	solution := puzzle.Solutions(1)[0]
	for _, p := range []float64{0.02, 0.3, 0.6, 0.9, 0.97} {
		all := certain(&puzzle)
		var written [][2]int
		for c := range all {
			if row, column := c/9, c%9; puzzle[row][column] == 0 {
				d := solution[row][column]
				all[c][0], all[c][d], all[c][d+digit.Handwritten] = floor, floor, 0
				if written = append(written, [2]int{row, column}); len(written)%7 == 0 {
					all[c][d], all[c][d+digit.Handwritten] = math.Log(p), math.Log(1-p)
				}
			}
		}
		r := decide(t.Context(), all)
		for _, at := range written {
			if row, column := at[0], at[1]; r.Grid[row][column] > 0 && !r.Doubt[row][column] {
				t.Errorf("%.2f: r%dc%d is a given, and not in doubt", p, row+1, column+1)
			} else if r.Board()[row][column] != solution[row][column] {
				t.Errorf("%.2f: r%dc%d is %d", p, row+1, column+1, r.Board()[row][column])
			}
		}
		for c := range 81 {
			if row, column := c/9, c%9; puzzle[row][column] > 0 && (r.Grid[row][column] != puzzle[row][column] || r.Doubt[row][column]) {
				t.Errorf("%.2f: the given r%dc%d is %d, in doubt: %v", p, row+1, column+1, r.Grid[row][column], r.Doubt[row][column])
			}
		}
	}
}

// The solution decides between two handwritten digits that look alike. What a player wrote clearly
// stays, also if it is wrong.
func TestSolutionDecidesWhatIsHandwritten(t *testing.T) {
	for _, test := range []struct {
		looks    float64 // the probability of 5
		solution int
		want     int
		doubt    bool
	}{
		{0.99, 5, 5, false}, {0.7, 5, 5, false}, {0.7, 6, 6, true}, {0.9999, 6, 5, false}, {0.99, 6, 5, true}, {0.7, 0, 5, true},
	} {
		var b beliefs
		for d := range b {
			b[d] = floor
		}
		b[5+digit.Handwritten], b[6+digit.Handwritten] = math.Log(test.looks), math.Log(1-test.looks)
		if entry, doubt := b.entry(test.solution); entry != test.want || doubt != test.doubt {
			t.Errorf("5 with %.4f, and the solution %d: read %d, in doubt: %v", test.looks, test.solution, entry, doubt)
		}
	}
}

// On a page with handwriting that is not a proper puzzle, nothing says that an empty cell does not lack a given.
func TestHandwritingOnWhatIsNotAProperPuzzleIsInDoubt(t *testing.T) {
	puzzle := sudoku.Puzzles()[20].Grid
	row, column, _ := given(&puzzle, 4)
	entries := puzzle.Solutions(1)[0]
	for c := range 81 {
		if puzzle[c/9][c%9] != 0 || c%2 == 0 {
			entries[c/9][c%9] = 0
		}
	}
	puzzle[row][column] = 0 // it is overlooked
	all := certain(&puzzle)
	write(all, &entries)
	if r := decide(t.Context(), all); r.Solutions == 1 || !r.Doubt[row][column] {
		t.Errorf("read %s, %d solutions, doubt %v", &r.Grid, r.Solutions, r.Doubt)
	}
}

// Handwriting that contradicts the solution says that the puzzle is another one.
func TestHandwritingAgainstTheSolutionIsInDoubt(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	for _, wrong := range []int{5, 1} { // every fifth, or all
		entries := puzzle.Solutions(1)[0]
		for c := range 81 {
			entry := &entries[c/9][c%9]
			if puzzle[c/9][c%9] != 0 {
				*entry = 0
			} else if c%wrong == 0 {
				*entry = *entry%9 + 1
			}
		}
		all := certain(&puzzle)
		write(all, &entries)
		r := decide(t.Context(), all)
		if row, column, _ := given(&puzzle, 4); r.Entries != entries || r.Doubt[row][column] != (wrong == 1) {
			t.Errorf("wrong are those of %d: read %s, doubt %v", wrong, &r.Entries, r.Doubt)
		}
	}
}

// A digit that looks handwritten where the others are printed may be a fold in the paper.
func TestAnOddDigitIsInDoubt(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	row, column, _ := given(&puzzle, 4)
	var odd sudoku.Grid
	odd[row][column] = puzzle[row][column]
	all := certain(&puzzle)
	all[9*row+column][odd[row][column]] = floor
	write(all, &odd)
	if r := decide(t.Context(), all); r.Grid != puzzle || !onlyDoubt(r, [2]int{row, column}) {
		t.Errorf("read %s, doubt %v", &r.Grid, r.Doubt)
	}
}

// What looks like a few handwritten digits may be a shadow.
func TestFewHandwrittenDigitsAreInDoubt(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	entries := puzzle.Solutions(1)[0]
	count := 0
	for c := range 81 {
		if puzzle[c/9][c%9] != 0 || count == 5 {
			entries[c/9][c%9] = 0
		} else {
			count++
		}
	}
	all := certain(&puzzle)
	write(all, &entries)
	r := decide(t.Context(), all)
	for c := range 81 {
		if row, column := c/9, c%9; r.Entries != entries || r.Doubt[row][column] != (entries[row][column] > 0) {
			t.Errorf("r%dc%d is %d by hand, in doubt: %v", row+1, column+1, r.Entries[row][column], r.Doubt[row][column])
		}
	}
}

// A clear page has few doubts; one with many has more, also where a digit is likely.
func TestDoubtsBringMoreOfThem(t *testing.T) {
	puzzle := sudoku.Puzzles()[20].Grid
	for _, unclear := range []int{2, few + 1} {
		all := certain(&puzzle)
		for k := range unclear {
			row, column, wrong := given(&puzzle, k)
			looksLike(all, row, column, wrong, puzzle[row][column], -2)
		}
		row, column, other := given(&puzzle, 15)
		looksLike(all, row, column, puzzle[row][column], other, -2) // 0.88
		r := decide(t.Context(), all)
		if r.Grid != puzzle || r.Doubt[row][column] != (unclear > few) {
			t.Errorf("%d cells look like others: read %s, a likely one is in doubt: %v", unclear, &r.Grid, r.Doubt[row][column])
		}
	}
}
