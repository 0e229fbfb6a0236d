// Package human solves Sudoku as people do, a step at a time, and says why each step
// is right.
//
//	p, err := human.New(&grid)
//	var f human.Finder
//	step, ok := f.Next(p, human.Order()...)
//	fmt.Println(step.Technique, step.Effect()) // X-Wing r6c2, r7c6<>4
//	fmt.Println(step.Reason())
//	err = p.Apply(&step)
//
// A [Position] holds the digits that are placed and the candidates of the empty cells.
// It is a plain value: copy it to try something. A [Step] places digits or eliminates
// candidates; it carries its reason as data (cells, digits, houses, links) for pictures,
// and in words. [Position.Apply] replays it on the candidates.
//
// A [Finder] finds steps:
//
//   - [Finder.Next] returns the next step, that of the first technique that finds one;
//   - [Finder.Find] returns all steps that there are now, of the techniques wanted;
//   - [Finder.Solve] returns the path to the solution;
//   - [Finder.Backdoors] returns digits that would make the rest easy.
//
// The same position has the same steps, in the same order, always.
//
// # Techniques
//
// A [Technique] has a name that [ParseTechnique] reads, a rating on the scale of SukakuExplainer, and a score and a
// class on that of HoDoKu. [Order] returns those that a player uses, the easiest to see
// first: singles, locked candidates, subsets, fish with and without fins, patterns of one
// digit, wings, unique rectangles, colors, chains, almost locked sets, fish with boxes,
// templates, and at the end forcing chains of growing depth, with which every proper puzzle
// is solved. The other techniques are those that only SukakuExplainer's scale knows, which
// package rate uses, and fish with more than four lines, instead of which there is a smaller one.
//
// Some techniques, such as unique rectangles, rely on the puzzle having one solution:
// ask [Solution] first if that is not known, and leave out of the order what
// [Technique.AssumesUnique] when it has several.
//
// # Helping a player
//
// [Resume] makes the position of a game: the puzzle and what has been entered. A step's
// [Step.Hint] gives away only as much as its [Stage] says: what to look for, where, or
// the whole step. [Position.Wrong] tells which entries are not on the way to the solution,
// and not what would be; a step is only as right as the position that it is found in.
// [Step.Explain] gives the hint in another language; package words has Dutch. A program that
// shows the hints of another one can send it steps as text, see [Step.Encode].
//
// # Positions as text
//
// [ParseLibraryLine] and [Position.LibraryLine] read and write positions with their
// candidates in the form of HoDoKu's library of techniques.
package human
