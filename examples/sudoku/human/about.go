package human

import "strings"

// About returns the idea of a technique in one sentence, for somebody who meets it for the first
// time. It has no full stop.
func (t Technique) About(say Say) string { return say(abouts[t]) }

// Pages is the address of the page that explains the techniques; see [Technique.Anchor].
const Pages = "https://github.com/scxmlrun/scxmlrun/blob/main/examples/sudoku/human/TECHNIQUES.md"

// Anchor returns the fragment of a technique on [Pages], as in "two-string-kite".
func (t Technique) Anchor() string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '+':
			return -1
		}
		return r
	}, strings.ToLower(t.String()))
}

var abouts = [techniques]Phrase{
	FullHouse:    "a row, column or box with one empty cell gets the digit that it lacks",
	HiddenSingle: "a digit that has only one place left in a row, column or box goes there",
	NakedSingle:  "a cell whose row, column and box have eight different digits gets the ninth",

	Pointing:           "all places for a digit in a box are in one line, so the rest of the line loses it",
	Claiming:           "all places for a digit in a line are in one box, so the rest of the box loses it",
	DirectPointing:     "all places for a digit in a box are in one line, which leaves it one place in another box or line",
	DirectClaiming:     "all places for a digit in a line are in one box, which leaves it one place in another box or line",
	LockedPair:         "two cells of a box and a line have the same two candidates only, so the rest of both loses them",
	LockedTriple:       "three cells of a box and a line have three candidates together, so the rest of both loses them",
	NakedPair:          "two cells of a row, column or box have the same two candidates only, so its other cells lose them",
	NakedTriple:        "three cells of a row, column or box have three candidates together, so its other cells lose them",
	NakedQuad:          "four cells of a row, column or box have four candidates together, so its other cells lose them",
	HiddenPair:         "two digits have only the same two places in a row, column or box, so these cells lose all other candidates",
	HiddenTriple:       "three digits have only three places in a row, column or box together, so these cells lose all other candidates",
	HiddenQuad:         "four digits have only four places in a row, column or box together, so these cells lose all other candidates",
	DirectHiddenPair:   "two digits take the same two places of a row, column or box, which leaves one place for another digit",
	DirectHiddenTriple: "three digits take three places of a row, column or box, which leaves one place for another digit",

	XWing:            "in two rows a digit has places in the same two columns only, so the rest of these columns loses it; likewise with rows and columns exchanged",
	Swordfish:        "in three rows a digit has places in the same three columns only, so the rest of these columns loses it; likewise with rows and columns exchanged",
	Jellyfish:        "in four rows a digit has places in the same four columns only, so the rest of these columns loses it; likewise with rows and columns exchanged",
	FinnedXWing:      "an X-Wing but for more places in one box, the fins: what both the X-Wing and all fins exclude is wrong",
	SashimiXWing:     "a finned X-Wing one of whose rows would have a single place without the fins",
	FinnedSwordfish:  "a swordfish but for more places in one box, the fins: what both the swordfish and all fins exclude is wrong",
	SashimiSwordfish: "a finned swordfish that would fall apart without its fins",
	FinnedJellyfish:  "a jellyfish but for more places in one box, the fins: what both the jellyfish and all fins exclude is wrong",
	SashimiJellyfish: "a finned jellyfish that would fall apart without its fins",
	Squirmbag:        "in five rows a digit has places in the same five columns only, so the rest of these columns loses it; likewise with rows and columns exchanged",
	FinnedSquirmbag:  "a squirmbag but for more places in one box, the fins: what both the squirmbag and all fins exclude is wrong",
	SashimiSquirmbag: "a finned squirmbag that would fall apart without its fins",
	Whale:            "in six rows a digit has places in the same six columns only, so the rest of these columns loses it; likewise with rows and columns exchanged",
	FinnedWhale:      "a whale but for more places in one box, the fins: what both the whale and all fins exclude is wrong",
	SashimiWhale:     "a finned whale that would fall apart without its fins",
	Leviathan:        "in seven rows a digit has places in the same seven columns only, so the rest of these columns loses it; likewise with rows and columns exchanged",
	FinnedLeviathan:  "a leviathan but for more places in one box, the fins: what both the leviathan and all fins exclude is wrong",
	SashimiLeviathan: "a finned leviathan that would fall apart without its fins",

	FrankenXWing:           "an X-Wing with boxes among its houses: all places for a digit in two houses are in two others, so the rest of these loses it",
	FrankenSwordfish:       "a swordfish with boxes among its houses: all places for a digit in three houses are in three others, so the rest of these loses it",
	FrankenJellyfish:       "a jellyfish with boxes among its houses: all places for a digit in four houses are in four others, so the rest of these loses it",
	FinnedFrankenXWing:     "a Franken X-Wing but for more places, the fins: what both this fish and all fins exclude is wrong",
	FinnedFrankenSwordfish: "a Franken Swordfish but for more places, the fins: what both this fish and all fins exclude is wrong",
	FinnedFrankenJellyfish: "a Franken Jellyfish but for more places, the fins: what both this fish and all fins exclude is wrong",
	MutantXWing:            "an X-Wing whose houses are rows, columns and boxes in any mixture: all places for a digit in two houses are in two others, so the rest of these loses it",
	MutantSwordfish:        "a swordfish whose houses are rows, columns and boxes in any mixture: all places for a digit in three houses are in three others, so the rest of these loses it",
	MutantJellyfish:        "a jellyfish whose houses are rows, columns and boxes in any mixture: all places for a digit in four houses are in four others, so the rest of these loses it",
	FinnedMutantXWing:      "a Mutant X-Wing but for more places, the fins: what both this fish and all fins exclude is wrong",
	FinnedMutantSwordfish:  "a Mutant Swordfish but for more places, the fins: what both this fish and all fins exclude is wrong",
	FinnedMutantJellyfish:  "a Mutant Jellyfish but for more places, the fins: what both this fish and all fins exclude is wrong",

	Skyscraper:       "two lines have two places each for a digit, of which one each share a line: one of the other two is right",
	TwoStringKite:    "a row and a column have two places each for a digit, of which one each share a box: one of the other two is right",
	TurbotFish:       "two houses have two places each for a digit, of which one each see each other: one of the other two is right",
	EmptyRectangle:   "all places for a digit in a box are in one row and one column of it, and a house with two places turns one into the other",
	TwoStrongLinks:   "two houses have two places each for a digit, of which one each see each other: one of the other two is right",
	ThreeStrongLinks: "three houses with two places each for a digit make a chain: one of its two ends is right",
	FourStrongLinks:  "four houses with two places each for a digit make a chain: one of its two ends is right",
	SimpleColors:     "places of a digit that exclude each other two by two get two colours by turns: one colour is right and the other wrong",
	MultiColors:      "two groups of places of a digit get two colours each: if two colours see each other, one of the opposite colours is right",
	XChain:           "places of one digit make a chain whose links are by turns strong and weak: one of its ends is right",

	XYWing:     "a cell with two candidates sees two others that share one each with it and a third digit: one of these two takes the third",
	XYZWing:    "a cell with three candidates sees two others with two of them each: one of the three takes the digit that all have",
	WWing:      "two cells have the same two candidates, and a house in which one of these has two places sees both: one of the cells takes the other digit",
	WXYZWing:   "three cells of a house with four digits see a cell with two of them: one of the four takes the digit that they share",
	VWXYZWing:  "four cells of a house with five digits see a cell with two of them: one of the five takes the digit that they share",
	UVWXYZWing: "five cells of a house with six digits see a cell with two of them: one of the six takes the digit that they share",

	TUVWXYZWing:         "six cells of a house with seven digits see a cell with two of them: one of the seven takes the digit that they share",
	UniqueRectangle1:    "three corners of a rectangle in two boxes have the same two candidates only: the fourth can have neither, or there were two solutions",
	UniqueRectangle2:    "two corners of such a rectangle have the same third candidate: one of them takes it, or there were two solutions",
	UniqueRectangle3:    "two corners of such a rectangle have more candidates: together they act as one cell of a naked pair, triple or quad",
	UniqueRectangle4:    "two corners of such a rectangle must have one of its digits, so neither can have the other, or there were two solutions",
	UniqueRectangle5:    "opposite corners of such a rectangle have the same third candidate: one of them takes it, or there were two solutions",
	UniqueRectangle6:    "one digit of such a rectangle is an X-Wing: it cannot be in the two opposite corners that would complete the rectangle",
	HiddenRectangle:     "one corner of a rectangle has two candidates only, and the opposite one would force the others: there it cannot have the digit that does",
	AvoidableRectangle1: "a rectangle of two digits that you have placed would give two solutions, so its last corner cannot complete it",
	AvoidableRectangle2: "two open corners of a rectangle of placed digits have the same third candidate: one of them takes it",
	UniqueLoop:          "a loop of cells with the same two candidates, two in each of its houses, would give two solutions, so something prevents it",
	BUG1:                "all empty cells but one have two candidates: the third of that cell is right, or there were two solutions",
	BUG:                 "nearly all empty cells have two candidates: one of the candidates too many is right, or there were two solutions",

	RemotePair:                   "cells with the same two candidates each see the next: the first and the last have different digits",
	XYChain:                      "cells with two candidates make a chain: the first or the last takes the digit that both have",
	AIC:                          "a chain of candidates, of which by turns at least one and at most one is right: one of its ends is right",
	NiceLoop:                     "such a chain closes: of each two candidates that are linked exactly one is right",
	DiscontinuousNiceLoop:        "a chain leads from a candidate back to itself, and so says whether it is right or wrong",
	GroupedAIC:                   "a chain of candidates, some of which are groups of cells that share a box and a line: one of its ends is right",
	GroupedNiceLoop:              "a closed chain, some of whose links join groups of cells that share a box and a line",
	GroupedDiscontinuousNiceLoop: "a chain with groups of cells leads from a candidate back to itself, and so says whether it is right or wrong",
	BidirectionalCycle:           "a closed chain: of each two candidates that are linked exactly one is right",
	ForcingChain:                 "a chain leads from a candidate to its opposite, so the candidate is wrong",

	ALSXZ:        "two sets of cells each have one digit more than cells, and only one can keep a digit that both have: another one that both have is in one of the sets",
	ALSXYWing:    "a third set between two sets of cells with one digit more than cells loses a digit to one of them: so a digit that those two have is in one of them",
	ALSXYChain:   "sets of cells with one digit more than cells make a chain, in which each loses a digit to the one before: so a digit that the first and the last have is in one of them",
	SueDeCoq:     "cells where a box and a line cross share their digits with a set in the rest of each, so that every digit is placed once",
	DeathBlossom: "each candidate of a cell takes a digit from a set with one digit more than cells: one of these sets is locked, whichever it is",
	AlignedPair:  "of all pairs of digits for two cells, those that repeat a digit or leave another cell without one are impossible",

	NishioForcingChains:      "if a candidate were right, its digit would have no place in some row, column or box, or two: so it is wrong",
	MultipleForcingChains:    "all candidates of a cell, or all places of a digit in a row, column or box, lead to the same conclusion",
	DynamicForcingChains:     "an assumption leads to a contradiction, by links of which one may need several others before it",
	DynamicForcingChainsPlus: "an assumption leads to a contradiction, by links and by the patterns that appear on the way",
	NestedForcingChains:      "an assumption leads to a contradiction, by links and by the chains that appear on the way",
	Trial:                    "an assumption leads to a contradiction with singles alone",

	TemplateSet:    "all ways to place a digit once in every row, column and box have it in the same cell, so it goes there",
	TemplateDelete: "no way to place a digit once in every row, column and box has it in a certain cell, so it is wrong there",
}
