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
