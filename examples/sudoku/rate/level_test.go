package rate

import (
	"math"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// TestEveryRatingHasOneLevel goes through the ratings: the bands follow each other without
// gap or overlap, and Level agrees with them.
func TestEveryRatingHasOneLevel(t *testing.T) {
	for er := range human.Rating(130) {
		var in []Level
		for _, l := range Levels() {
			if least, most := l.Band(); er >= least && er <= most {
				in = append(in, l)
			}
		}
		if got := (Rating{ER: er}).Level(); len(in) != 1 || in[0] != got {
			t.Errorf("ER %v: got level %v, and it is in the bands of %v", er, got, in)
		}
	}
	if _, most := Expert.Band(); most != math.MaxInt {
		t.Errorf("the last band ends at %v", most)
	}
}

// TestLevelsBeginWithTheirTechniques looks at the ratings of the easiest steps.
func TestLevelsBeginWithTheirTechniques(t *testing.T) {
	for want, techniques := range map[Level][]human.Technique{
		Beginner: {human.FullHouse, human.HiddenSingle},
		Easy:     {human.DirectPointing, human.DirectClaiming, human.DirectHiddenPair, human.NakedSingle, human.DirectHiddenTriple},
		Medium: {human.Pointing, human.Claiming, human.NakedPair, human.HiddenPair, human.NakedTriple, human.LockedPair,
			human.LockedTriple, human.XWing, human.Swordfish},
		Hard: {human.HiddenTriple, human.TwoStrongLinks, human.Skyscraper, human.XYWing, human.XYZWing, human.UniqueRectangle1,
			human.UniqueLoop, human.NakedQuad, human.HiddenQuad, human.Jellyfish, human.WXYZWing, human.BUG1},
		Expert: {human.BidirectionalCycle, human.ForcingChain, human.XChain, human.XYChain, human.NiceLoop, human.AIC,
			human.NishioForcingChains, human.DynamicForcingChains, human.NestedForcingChains},
	} {
		for _, technique := range techniques {
			if got := (Rating{ER: technique.Rating()}).Level(); got != want {
				t.Errorf("%v, rated %v: got level %v, want %v", technique, technique.Rating(), got, want)
			}
		}
	}
}

func TestLevelsAreReadAsTheyAreWritten(t *testing.T) {
	for i, l := range Levels() {
		for _, text := range []string{l.String(), string(rune('1' + i))} {
			if got, err := ParseLevel(text); got != l || err != nil {
				t.Errorf("%q: got %v, %v, want %v", text, got, err, l)
			}
		}
	}
	for _, text := range []string{"", "0", "6", "01", "simple"} {
		if got, err := ParseLevel(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, got)
		}
	}
}

// TestPuzzlesOfTheGameAreNamedAfterTheirLevel rates the puzzles that come with the game. They
// begin with the easiest.
func TestPuzzlesOfTheGameAreNamedAfterTheirLevel(t *testing.T) {
	var r Rater
	last := human.Rating(0)
	for _, p := range sudoku.Puzzles() {
		rating, err := r.Rate(&p.Grid)
		if err != nil {
			t.Fatal(err)
		}
		level := strings.Split(p.Name, "-")[1]
		if level == "nearly" || level == "almost" || level == "warm" { // the first three
			level = Beginner.String()
		}
		if rating.ER < last || rating.Level().String() != level {
			t.Errorf("%s is rated %v, which is %v, and comes after one rated %v", p.Name, rating.ER, rating.Level(), last)
		}
		last = rating.ER
	}
}
