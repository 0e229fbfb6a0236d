package rate

import (
	"fmt"
	"math"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A Rating says how hard a puzzle is on the scale of SukakuExplainer.
type Rating struct {
	ER human.Rating // of the hardest step
	EP human.Rating // of the hardest step up to the first that places a digit
	ED human.Rating // of the first step
}

// String returns a rating as in "7.2/1.5/1.5".
func (r Rating) String() string { return fmt.Sprintf("%v/%v/%v", r.ER, r.EP, r.ED) }

// A Rater rates puzzles. The zero value is ready. It has some megabytes of working
// memory, and is used by one goroutine at a time.
type Rater struct {
	finder human.Finder
}

// stages are the techniques in SukakuExplainer's order: the first stage that finds
// something counts, and in it the easiest step.
var stages = [...][]human.Technique{
	{human.FullHouse},
	{human.HiddenSingle},
	{human.DirectPointing, human.DirectClaiming},
	{human.DirectHiddenPair},
	{human.NakedSingle},
	{human.DirectHiddenTriple},
	{human.Pointing, human.Claiming},
	{human.LockedPair, human.NakedPair},
	{human.XWing},
	{human.HiddenPair},
	{human.LockedTriple, human.NakedTriple},
	{human.Swordfish},
	{human.HiddenTriple},
	{human.TwoStrongLinks},
	{human.XYWing},
	{human.XYZWing},
	{human.UniqueLoop},
	{human.NakedQuad},
	{human.Jellyfish},
	{human.HiddenQuad},
	{human.ThreeStrongLinks},
	{human.WXYZWing},
	{human.BUG1, human.BUG},
	{human.FourStrongLinks},
	{human.VWXYZWing},
	{human.AlignedPair},
	{human.UVWXYZWing},
	{human.BidirectionalCycle, human.ForcingChain},
	{human.TUVWXYZWing},
	{human.NishioForcingChains},
	{human.MultipleForcingChains},
	{human.DynamicForcingChains},
	{human.DynamicForcingChainsPlus},
	{human.NestedForcingChains},
}

// singles place digits; trial eliminates what they contradict, as dynamic forcing
// chains do, without saying how.
var (
	singles = []human.Technique{human.FullHouse, human.HiddenSingle, human.NakedSingle}
	trial   = []human.Technique{human.Trial}
)

// floors are the ratings of the easiest steps of each stage and those after it.
var floors = floorsOf()

func floorsOf() (floors [len(stages)]human.Rating) {
	floor := human.Rating(math.MaxInt)
	for i := len(stages) - 1; i >= 0; i-- {
		for _, t := range stages[i] {
			floor = min(floor, t.Rating())
		}
		floors[i] = floor
	}
	return floors
}

// Rate rates a puzzle. It fails with [human.ErrNoSolution] or [human.ErrNotUnique] for a
// puzzle that is not proper.
func (r *Rater) Rate(g *sudoku.Grid) (Rating, error) {
	rating, _, err := r.RateUpTo(g, math.MaxInt)
	return rating, err
}

// RateUpTo rates a puzzle, but gives up as soon as a step above a rating is needed: then
// ok is false. For puzzles that are too hard that is quicker than [Rater.Rate].
func (r *Rater) RateUpTo(g *sudoku.Grid, most human.Rating) (rating Rating, ok bool, err error) {
	p, err := start(g)
	if err != nil {
		return Rating{}, false, err
	}
	return r.rateFrom(p, most)
}

// rateFrom rates what is left of a position, which it solves.
func (r *Rater) rateFrom(p *human.Position, most human.Rating) (rating Rating, ok bool, err error) {
	for !p.Solved() {
		if rating.ER >= human.NestedForcingChains.Rating() && r.easy(p, &rating) {
			continue
		}
		step, found := r.next(p, most)
		if !found || step.Rating > most {
			if most < math.MaxInt {
				return Rating{}, false, nil
			}
			return rating, false, errStuck(p)
		}
		rating.ER = max(rating.ER, step.Rating)
		if rating.ED == 0 {
			rating.ED = step.Rating
		}
		if rating.EP == 0 && len(step.Place) > 0 {
			rating.EP = rating.ER
		}
		if err := p.Apply(&step); err != nil {
			return rating, false, err
		}
	}
	return rating, true, nil
}

// Path returns the steps as SukakuExplainer takes them, each the easiest there is. It
// takes longer than a rating for puzzles with nested chains, and fails as Rate does.
func (r *Rater) Path(g *sudoku.Grid) (path []human.Step, err error) {
	p, err := start(g)
	if err != nil {
		return nil, err
	}
	return r.PathFrom(p)
}

// PathFrom is [Rater.Path] from a position that has exactly one solution.
func (r *Rater) PathFrom(p *human.Position) (path []human.Step, err error) {
	p = copied(p)
	for err == nil && !p.Solved() {
		step, found := r.next(p, math.MaxInt)
		if !found {
			return path, errStuck(p)
		}
		path = append(path, step)
		err = p.Apply(&step)
	}
	return path, err
}

// RateFrom is [Rater.RateUpTo] from a position that has exactly one solution, such as one
// with entries, or without candidates that somebody has eliminated.
func (r *Rater) RateFrom(p *human.Position, most human.Rating) (rating Rating, ok bool, err error) {
	return r.rateFrom(copied(p), most)
}

func copied(p *human.Position) *human.Position {
	q := *p
	return &q
}

// start returns the position of a proper puzzle.
func start(g *sudoku.Grid) (*human.Position, error) {
	if _, err := human.Solution(g); err != nil {
		return nil, err
	}
	return human.New(g)
}

// next returns the step that SukakuExplainer would take, unless all stages that may have
// it are above a rating.
func (r *Rater) next(p *human.Position, most human.Rating) (best human.Step, found bool) {
	for i, stage := range stages {
		if floors[i] > most {
			break
		}
		for _, t := range stage {
			if s, ok := r.finder.Next(p, t); ok && (!found || s.Rating < best.Rating) {
				best, found = s, true
			}
		}
		if found {
			return best, true
		}
	}
	return best, false
}

// easy takes all steps that are surely easier than nested chains, and tells whether
// there are any. They do not change the rating of a puzzle that has needed such chains.
func (r *Rater) easy(p *human.Position, rating *Rating) bool {
	for _, order := range [...][]human.Technique{singles, trial} {
		taken := false
		for _, step := range r.finder.Find(p, 0, order...) {
			if p.Apply(&step) != nil {
				continue // done by one before
			}
			taken = true
			if rating.EP == 0 && len(step.Place) > 0 {
				rating.EP = rating.ER
			}
		}
		if taken {
			return true
		}
	}
	return false
}

func errStuck(p *human.Position) error {
	return fmt.Errorf("cannot rate the puzzle: no technique helps at %s", p.LibraryLine())
}
