// Package service has the services that a Sudoku chart invokes: it makes puzzles, gives
// hints and solves.
//
//	s, err := scxml.New(chart, service.Options()...)
//
//	<invoke type="sudoku-hint" id="hint">
//	  <param name="initState" expr="initState"/>
//	  <param name="currentState" expr="currentState"/>
//	</invoke>
//	<transition event="done.invoke.hint" target="…"/>          the result is _event.data
//	<transition event="error.communication" cond="_event.invokeid === 'hint'" …/>
//
// The error is that of params that are not as described here, or that a puzzle cannot be made.
// The params may also be the fields of an object that is the <content>. A param that is
// undefined or null is missing. In params and results x is the row and y the column of a
// cell, from 0 to 8; a grid is an array of 9 rows of 9 numbers, 0 for an empty cell; bit
// d of a set of digits stands for the digit d. A candidate is {x, y, digit}, a house
// {kind, number} with the kind row, column or box and a number from 1 to 9, and a
// technique {number, name} with the number and the name of package human.
//
// A service depends on its params alone, so a session with a seed (see
// [scxml.WithSeed]) is repeatable if the chart gives the seed of a puzzle. A service that
// a snapshot has interrupted starts again. It ends when the chart exits the state that
// invoked it.
//
// # sudoku-generate
//
// makes a puzzle. Its params are
//
//	level     1 to 5, as in package rate
//	missing   the number of empty cells, from 1 to 81; 40 without the other three
//	flash     true: the game with 28 givens, which may have several solutions
//	daily     "2026-11-22": the puzzle of that day, the same for everybody; without a level
//	          it has 1 on Mondays, then 2, 2, 3, 4, 5, and 3 on Sundays
//	symmetry  the name of one of [generate.Symmetries], for level and daily; daily ones
//	          have rotate180 without it
//	seed      an integer from 0 to 2⁵³-1; random without it. It does not change daily puzzles
//
// One of level, missing and flash may be given, or daily with or without level. The
// service sends the event progress {tried} after 1, 2, 4, … 512 grids that it has tried in
// vain, and then after each 512, and returns
//
//	initState, name   the puzzle; its name is the day, or "#" and the seed
//	level, er         as rated, such as 3 and 3.4; 0 with several solutions
//	solutions         1, or 2 for more
//	seed              that was used
//
// # sudoku-hint
//
// finds the next logical step. Its params are
//
//	initState, currentState
//	notes       grid of sets. If the notes show what a step would exclude, the hint is a later step
//
// Its result has the field found, and more fields that depend on it:
//
//	step        technique
//	            er             of this step
//	            set            candidates that follow: digits to be written
//	            exclude        candidates that are impossible
//	            causes         candidates and filled cells that the step follows from
//	            digits         the digits that the step is about
//	            houses         where to look
//	            text           the English of the three stages: what, where, and why
//	            step           the step as text for [human.DecodeStep], which explains it in
//	                           other languages
//	wrong       cells          [{x, y}, …]: entries that do not lead to a solution
//	unsolvable                 the puzzle does not have a solution
//	nothing                    the board is full, or, with several solutions, only guessing helps
//
// # sudoku-solve
//
// solves, and shows how. Its params are
//
//	initState
//	currentState   the digits to begin with; initState without it
//	method         the name of one of [Methods]; without it there are no changes
//	most           the maximum number of changes; 2000 without it
//
// and its result
//
//	solutions      of initState: 0, 1, or 2 for more
//	solution       one of them, which has all entries that can stay; null if there is none
//	wrong          [{x, y}, …]: entries that do not lead to a solution; of several that
//	               contradict each other the first can stay
//	changes        [{set, exclude, technique, step}, …]: what the method does, one after the
//	               other. set has candidates; the digit 0 clears the cell. The first
//	               change clears the wrong entries. Only the method human has the others
//	complete       whether the changes lead to a solution: a method may be too weak,
//	               and most may be too few
package service
