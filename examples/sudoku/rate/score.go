package rate

import (
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A Score says how hard a puzzle is on the scale of HoDoKu: each step on the way to the
// solution adds what its technique is worth.
type Score struct {
	Points int
	Class  human.Class
}

// limits are the most points of each class but the last. A puzzle with more is of the
// next one, even if its techniques are not.
var limits = [...]int{human.Easy: 800, human.Medium: 1000, human.Hard: 1600, human.Unfair: 1800}

// order is HoDoKu's: it takes naked singles before hidden ones, and does not know all
// of SukakuExplainer's techniques.
var order = []human.Technique{
	human.FullHouse, human.NakedSingle, human.HiddenSingle, human.LockedPair, human.LockedTriple, human.Pointing, human.Claiming,
	human.NakedPair, human.NakedTriple, human.HiddenPair, human.HiddenTriple, human.NakedQuad, human.HiddenQuad,
	human.XWing, human.Swordfish, human.Jellyfish, human.RemotePair, human.BUG1,
	human.Skyscraper, human.TwoStringKite, human.TurbotFish, human.EmptyRectangle, human.WWing, human.XYWing, human.XYZWing,
	human.UniqueRectangle1, human.UniqueRectangle2, human.UniqueRectangle3, human.UniqueRectangle4, human.UniqueRectangle5,
	human.UniqueRectangle6, human.HiddenRectangle, human.AvoidableRectangle1, human.AvoidableRectangle2,
	human.FinnedXWing, human.SashimiXWing, human.FinnedSwordfish, human.SashimiSwordfish, human.FinnedJellyfish, human.SashimiJellyfish,
	human.SueDeCoq, human.SimpleColors, human.MultiColors, human.XChain, human.XYChain,
	human.NiceLoop, human.AIC, human.DiscontinuousNiceLoop, human.GroupedNiceLoop, human.GroupedAIC, human.GroupedDiscontinuousNiceLoop,
	human.ALSXZ, human.ALSXYWing, human.ALSXYChain, human.DeathBlossom,
	human.FrankenXWing, human.FrankenSwordfish, human.FinnedFrankenXWing, human.FinnedFrankenSwordfish,
	human.NishioForcingChains, human.MultipleForcingChains,
}

// nets are what is left after that. Trials find the same as forcing nets, and quicker;
// some puzzles need nested chains besides.
var nets = []human.Technique{human.Trial, human.NestedForcingChains}

// Score scores a puzzle, and fails as [Rater.Rate] does. Once a puzzle has needed a net,
// only techniques up to class hard and nets are looked for: it is extreme in any case.
func (r *Rater) Score(g *sudoku.Grid) (Score, error) {
	p, err := start(g)
	if err != nil {
		return Score{}, err
	}
	return r.ScoreFrom(p)
}

// ScoreFrom scores what is left of a position that has exactly one solution.
func (r *Rater) ScoreFrom(p *human.Position) (Score, error) {
	p = copied(p)
	var s Score
	look := order
	for !p.Solved() {
		step, ok := r.finder.Next(p, look...)
		if !ok {
			if step, ok = r.finder.Next(p, nets...); !ok {
				return s, errStuck(p)
			}
			look = simple
		}
		s.Points += step.Technique.Score()
		s.Class = max(s.Class, step.Technique.Class())
		if err := p.Apply(&step); err != nil {
			return s, err
		}
	}
	for s.Class < human.Extreme && s.Points > limits[s.Class] {
		s.Class++
	}
	return s, nil
}

// simple are the techniques of an order up to class hard.
var simple = simpleOrder()

func simpleOrder() (simple []human.Technique) {
	for _, t := range order {
		if t.Class() <= human.Hard {
			simple = append(simple, t)
		}
	}
	return simple
}
