// Package rate says how hard a Sudoku is for people.
//
//	var r rate.Rater
//	rating, err := r.Rate(&grid)
//	fmt.Println(rating.ER) // 7.2
//	score, err := r.Score(&grid)
//	fmt.Println(score.Points, score.Class) // 1340 hard
//
// # Rating
//
// A [Rating] is on the scale of SukakuExplainer, a successor of Sudoku Explainer 1.2.1,
// from which it differs between 4.0 and 6.6. The puzzle is solved as that program would:
// techniques are tried in its order, and the hardest step that is needed is the rating.
//
//	1.0      last cell of a house
//	1.2-1.5  hidden single: in a box, in a line
//	1.7-2.5  pairs and locked candidates that lead to a single at once; naked single 2.3
//	2.6-5.4  locked candidates, subsets, fish, wings, strong links, unique rectangles
//	5.4-6.6  three and four strong links, larger wings, bivalue universal grave
//	6.5-7.5  chains and cycles; each 4, 6, 8, 12, 16 … links add a tenth
//	7.5-9.9  forcing chains: of one digit, of cells and houses, dynamic, with patterns
//	10.0-    chains within chains
//
// All 1,049 ratings of a list made with SukakuExplainer are found exactly (ER, EP and
// ED; nothing was tuned with them, as the rules are known). They reach 9.8. Above that
// the rating is an estimate, because the chains are not all compared: the puzzles of
// the list hardest11, which are known to be above 11, get 11.2 to 11.9; Golden Nugget,
// known as 11.9, gets 11.7, and Al Escargot, known as 10.5, 11.6.
//
// # Levels
//
// A [Level] is a band of ER. Each begins where a player has to learn something new:
//
//	   level     ER       what its puzzles need
//	1  beginner  1.0-1.2  hidden singles in boxes: look where a digit can still go in a box
//	2  easy      1.3-2.5  hidden singles in lines, naked singles, and singles right after a
//	                      locked or hidden set; notes are not needed
//	3  medium    2.6-3.9  notes, for locked candidates, pairs, triples, X-wings and swordfish
//	4  hard      4.0-6.4  patterns of a few cells: turbot fish, wings, unique rectangles, quads
//	5  expert    6.5-     chains, or rarely wings of six cells, which are rated like short ones
//
// Every rating is in one band, so no puzzle of one level is rated inside the band of
// another. Of random minimal puzzles without symmetry 2 % are of level 1, 48 % of level 2,
// 9 % of level 3, 23 % of level 4 and 18 % of level 5: random puzzles are easier than their
// 24 givens look, and the number of givens says little about them.
//
// The steps between the levels are those that other programs and newspapers make:
//
//	   qqwing, gnome-sudoku               HoDoKu           newspapers
//	1  simple or easy (easy, medium)      easy             easy
//	2  simple or easy (easy, medium)      easy, medium     easy, medium
//	3  intermediate (hard)                medium           hard, difficult
//	4  expert (very hard)                 hard, unfair     fiendish, diabolical
//	5  expert (very hard)                 unfair, extreme  rarely printed
//
// qqwing's simple puzzles fall to naked singles, which a program sees first. People find a
// digit's place in a box more easily than a cell's only digit, so simple and easy puzzles
// of qqwing may be of level 1 or 2. Its expert puzzles are those for which it has to guess;
// a player can look for wings and other patterns before chains begin.
//
// # Score
//
// A [Score] is on the scale of HoDoKu: every step adds what its technique is worth, and
// the class (easy, medium, hard, unfair, extreme) is that of the hardest technique, or
// the next one when the points exceed its limit. It depends on the order of the
// techniques and on which of several chains is taken, so it is close to HoDoKu's and
// not always the same.
//
// # Speed
//
// By processor time of one core of a busy machine, with samples of 300 puzzles:
//
//	             rated     scored
//	kaggle     33,000/s   42,000/s
//	17 clues    8,500/s   10,000/s
//	top1465        60/s       47/s
//	hardest11      34/s       93/s
package rate
