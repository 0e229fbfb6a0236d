package rate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A Level is how hard a puzzle is, as a player chooses it: 1 to 5. See "Levels" in the
// documentation of the package.
type Level int

// The levels.
const (
	Beginner Level = 1 + iota
	Easy
	Medium
	Hard
	Expert
)

// bands has the highest ER of each level. The next band begins a tenth above.
var bands = [...]struct {
	name, needs string
	most        human.Rating
}{
	Beginner: {"beginner", "hidden singles in boxes", 12},
	Easy:     {"easy", "hidden singles in lines, naked singles, and singles right after a locked or hidden set; no notes", 25},
	Medium:   {"medium", "notes, for locked candidates, pairs, triples, X-wings and swordfish", 39},
	Hard:     {"hard", "turbot fish, wings, unique rectangles, quads and other patterns", 64},
	Expert:   {"expert", "chains, or rarely wings of six cells", math.MaxInt},
}

// Levels returns the levels, the easiest first.
func Levels() []Level { return []Level{Beginner, Easy, Medium, Hard, Expert} }

// ParseLevel returns the level with a number or a name, such as "3" or "medium".
func ParseLevel(text string) (Level, error) {
	for _, l := range Levels() {
		if strings.EqualFold(text, l.String()) || text == strconv.Itoa(int(l)) {
			return l, nil
		}
	}
	return 0, fmt.Errorf("%q is not a level: want 1 to 5, or beginner, easy, medium, hard or expert", text)
}

// String returns the name of a level, as in "medium".
func (l Level) String() string { return bands[l].name }

// Needs says what the puzzles of a level need that those of the lower ones do not, as in
// "notes, for locked candidates, pairs, triples, X-wings and swordfish".
func (l Level) Needs() string { return bands[l].needs }

// Band returns the lowest and the highest ER of a level. That of the last one does not
// have an upper end, which is [math.MaxInt].
func (l Level) Band() (least, most human.Rating) {
	if l > Beginner {
		least = bands[l-1].most + 1
	}
	return least, bands[l].most
}

// Level returns the level whose band has the ER. A filled grid, which does not need any
// step, is of the first.
func (r Rating) Level() Level {
	for _, l := range Levels() {
		if r.ER <= bands[l].most {
			return l
		}
	}
	panic("the last band does not end")
}
