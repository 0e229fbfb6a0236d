package human

import "fmt"

// A Rating says how hard a step is, in tenths of the scale of SukakuExplainer, which
// begins at 1.0 and ends above 11.
type Rating int

// String returns a rating as in "4.2".
func (r Rating) String() string { return fmt.Sprintf("%d.%d", r/10, r%10) }

// A Class is the coarse scale of HoDoKu.
type Class int

// The classes.
const (
	Easy Class = iota
	Medium
	Hard
	Unfair
	Extreme
)

// String returns the name of a class, as in "unfair".
func (c Class) String() string {
	return [...]string{"easy", "medium", "hard", "unfair", "extreme"}[c]
}

// A Technique is a way of reasoning.
type Technique int

// The techniques, in the order in which a player tries them.
const (
	FullHouse Technique = iota
	HiddenSingle
	NakedSingle
	LockedPair
	LockedTriple
	Pointing
	Claiming
	NakedPair
	HiddenPair
	NakedTriple
	HiddenTriple
	NakedQuad
	HiddenQuad
	XWing
	Swordfish
	Jellyfish
	RemotePair
	BUG1
	Skyscraper
	TwoStringKite
	TurbotFish
	EmptyRectangle
	WWing
	XYWing
	XYZWing
	UniqueRectangle1
	UniqueRectangle2
	UniqueRectangle3
	UniqueRectangle4
	UniqueRectangle5
	UniqueRectangle6
	HiddenRectangle
	AvoidableRectangle1
	AvoidableRectangle2
	FinnedXWing
	SashimiXWing
	FinnedSwordfish
	SashimiSwordfish
	FinnedJellyfish
	SashimiJellyfish
	SimpleColors
	MultiColors
	UniqueLoop
	BUG
	WXYZWing
	SueDeCoq
	XChain
	XYChain
	NiceLoop
	AIC
	DiscontinuousNiceLoop
	ALSXZ
	ALSXYWing
	ALSXYChain
	GroupedNiceLoop
	GroupedAIC
	GroupedDiscontinuousNiceLoop
	DeathBlossom
	FrankenXWing
	FrankenSwordfish
	FrankenJellyfish
	FinnedFrankenXWing
	FinnedFrankenSwordfish
	FinnedFrankenJellyfish
	MutantXWing
	MutantSwordfish
	MutantJellyfish
	FinnedMutantXWing
	FinnedMutantSwordfish
	FinnedMutantJellyfish
	NishioForcingChains
	MultipleForcingChains
	TemplateSet
	TemplateDelete
	DynamicForcingChains
	DynamicForcingChainsPlus
	NestedForcingChains

	// These are found by others, too: they are steps of SukakuExplainer's scale, two
	// steps in one, short for many, or fish for which there is a smaller one.
	DirectPointing
	DirectClaiming
	DirectHiddenPair
	DirectHiddenTriple
	TwoStrongLinks
	ThreeStrongLinks
	FourStrongLinks
	VWXYZWing
	UVWXYZWing
	TUVWXYZWing
	AlignedPair
	BidirectionalCycle
	ForcingChain
	Trial
	Squirmbag
	FinnedSquirmbag
	SashimiSquirmbag
	Whale
	FinnedWhale
	SashimiWhale
	Leviathan
	FinnedLeviathan
	SashimiLeviathan

	techniques // how many there are
)

// An entry of the catalogue.
type entry struct {
	name   Phrase
	rating Rating // of its easiest steps
	score  int    // HoDoKu's
	class  Class
	find   finder
	reason func(s *Step, say Say) string
}

var catalogue = [techniques]entry{
	FullHouse:    {"Full House", 10, 4, Easy, findFullHouse, fullHouseReason},
	HiddenSingle: {"Hidden Single", 12, 14, Easy, findHiddenSingle, hiddenSingleReason},
	NakedSingle:  {"Naked Single", 23, 4, Easy, findNakedSingle, nakedSingleReason},

	LockedPair:   {"Locked Pair", 30, 40, Medium, with(findNaked, nakedKind{2, true}), nakedReason},
	LockedTriple: {"Locked Triple", 36, 60, Medium, with(findNaked, nakedKind{3, true}), nakedReason},
	Pointing:     {"Pointing", 26, 50, Medium, with(findConfined, boxes), lockedReason},
	Claiming:     {"Claiming", 28, 50, Medium, with(findConfined, lines), lockedReason},
	NakedPair:    {"Naked Pair", 30, 60, Medium, with(findNaked, nakedKind{2, false}), nakedReason},
	HiddenPair:   {"Hidden Pair", 34, 70, Medium, with(findHidden, 2), hiddenReason},
	NakedTriple:  {"Naked Triple", 36, 80, Medium, with(findNaked, nakedKind{3, false}), nakedReason},
	HiddenTriple: {"Hidden Triple", 40, 100, Medium, with(findHidden, 3), hiddenReason},
	NakedQuad:    {"Naked Quad", 50, 120, Hard, with(findNaked, nakedKind{4, false}), nakedReason},
	HiddenQuad:   {"Hidden Quad", 54, 150, Hard, with(findHidden, 4), hiddenReason},

	XWing:            {"X-Wing", 32, 140, Hard, with(findFish, fishKind{size: 2}), fishReason},
	Swordfish:        {"Swordfish", 38, 150, Hard, with(findFish, fishKind{size: 3}), fishReason},
	Jellyfish:        {"Jellyfish", 52, 160, Hard, with(findFish, fishKind{size: 4}), fishReason},
	FinnedXWing:      {"Finned X-Wing", 43, 130, Hard, with(findFish, fishKind{size: 2, finned: true}), fishReason},
	SashimiXWing:     {"Sashimi X-Wing", 43, 150, Hard, with(findFish, fishKind{size: 2, finned: true, sashimi: true}), fishReason},
	FinnedSwordfish:  {"Finned Swordfish", 57, 200, Unfair, with(findFish, fishKind{size: 3, finned: true}), fishReason},
	SashimiSwordfish: {"Sashimi Swordfish", 57, 240, Unfair, with(findFish, fishKind{size: 3, finned: true, sashimi: true}), fishReason},
	FinnedJellyfish:  {"Finned Jellyfish", 61, 250, Unfair, with(findFish, fishKind{size: 4, finned: true}), fishReason},
	SashimiJellyfish: {"Sashimi Jellyfish", 61, 260, Unfair, with(findFish, fishKind{size: 4, finned: true, sashimi: true}), fishReason},

	Squirmbag:        {"Squirmbag", 52, 470, Unfair, with(findFish, fishKind{size: 5}), fishReason},
	FinnedSquirmbag:  {"Finned Squirmbag", 61, 470, Unfair, with(findFish, fishKind{size: 5, finned: true}), fishReason},
	SashimiSquirmbag: {"Sashimi Squirmbag", 61, 470, Unfair, with(findFish, fishKind{size: 5, finned: true, sashimi: true}), fishReason},
	Whale:            {"Whale", 52, 470, Unfair, with(findFish, fishKind{size: 6}), fishReason},
	FinnedWhale:      {"Finned Whale", 61, 470, Unfair, with(findFish, fishKind{size: 6, finned: true}), fishReason},
	SashimiWhale:     {"Sashimi Whale", 61, 470, Unfair, with(findFish, fishKind{size: 6, finned: true, sashimi: true}), fishReason},
	Leviathan:        {"Leviathan", 52, 470, Unfair, with(findFish, fishKind{size: 7}), fishReason},
	FinnedLeviathan:  {"Finned Leviathan", 61, 470, Unfair, with(findFish, fishKind{size: 7, finned: true}), fishReason},
	SashimiLeviathan: {"Sashimi Leviathan", 61, 470, Unfair, with(findFish, fishKind{size: 7, finned: true, sashimi: true}), fishReason},

	FrankenXWing:           {"Franken X-Wing", 75, 300, Unfair, with(findComplexFish, fishKind{size: 2, shape: franken}), complexFishReason},
	FrankenSwordfish:       {"Franken Swordfish", 75, 350, Unfair, with(findComplexFish, fishKind{size: 3, shape: franken}), complexFishReason},
	FrankenJellyfish:       {"Franken Jellyfish", 75, 370, Unfair, with(findComplexFish, fishKind{size: 4, shape: franken}), complexFishReason},
	FinnedFrankenXWing:     {"Finned Franken X-Wing", 76, 390, Unfair, with(findComplexFish, fishKind{size: 2, finned: true, shape: franken}), complexFishReason},
	FinnedFrankenSwordfish: {"Finned Franken Swordfish", 77, 410, Unfair, with(findComplexFish, fishKind{size: 3, finned: true, shape: franken}), complexFishReason},
	FinnedFrankenJellyfish: {"Finned Franken Jellyfish", 78, 430, Unfair, with(findComplexFish, fishKind{size: 4, finned: true, shape: franken}), complexFishReason},
	MutantXWing:            {"Mutant X-Wing", 75, 450, Extreme, with(findComplexFish, fishKind{size: 2, shape: mutant}), complexFishReason},
	MutantSwordfish:        {"Mutant Swordfish", 75, 450, Extreme, with(findComplexFish, fishKind{size: 3, shape: mutant}), complexFishReason},
	MutantJellyfish:        {"Mutant Jellyfish", 75, 450, Extreme, with(findComplexFish, fishKind{size: 4, shape: mutant}), complexFishReason},
	FinnedMutantXWing:      {"Finned Mutant X-Wing", 76, 470, Extreme, with(findComplexFish, fishKind{size: 2, finned: true, shape: mutant}), complexFishReason},
	FinnedMutantSwordfish:  {"Finned Mutant Swordfish", 77, 470, Extreme, with(findComplexFish, fishKind{size: 3, finned: true, shape: mutant}), complexFishReason},
	FinnedMutantJellyfish:  {"Finned Mutant Jellyfish", 78, 470, Extreme, with(findComplexFish, fishKind{size: 4, finned: true, shape: mutant}), complexFishReason},

	Skyscraper:     {"Skyscraper", 40, 130, Hard, with(findTurbot, isSkyscraper), turbotReason},
	TwoStringKite:  {"Two-String Kite", 41, 150, Hard, with(findTurbot, isKite), turbotReason},
	TurbotFish:     {"Turbot Fish", 41, 120, Hard, with(findTurbot, isTurbotFish), turbotReason},
	EmptyRectangle: {"Empty Rectangle", 43, 120, Hard, findEmptyRectangle, emptyRectangleReason},

	XYWing:  {"XY-Wing", 42, 160, Hard, with(findPivot, 2), wingReason},
	XYZWing: {"XYZ-Wing", 44, 180, Hard, with(findPivot, 3), wingReason},
	WWing:   {"W-Wing", 44, 150, Hard, findWWing, wWingReason},

	UniqueRectangle1:    {"Unique Rectangle 1", 45, 100, Hard, with(findUnique, unique1), unique1Reason},
	UniqueRectangle2:    {"Unique Rectangle 2", 45, 100, Hard, with(findUnique, unique2), unique2Reason},
	UniqueRectangle3:    {"Unique Rectangle 3", 46, 100, Hard, with(findUnique, unique3), unique3Reason},
	UniqueRectangle4:    {"Unique Rectangle 4", 45, 100, Hard, with(findUnique, unique4), unique4Reason},
	UniqueRectangle5:    {"Unique Rectangle 5", 45, 100, Hard, with(findUnique, unique5), unique2Reason},
	UniqueRectangle6:    {"Unique Rectangle 6", 46, 100, Hard, with(findUnique, unique6), unique6Reason},
	HiddenRectangle:     {"Hidden Rectangle", 47, 100, Hard, with(findUnique, hiddenRectangle), hiddenRectangleReason},
	AvoidableRectangle1: {"Avoidable Rectangle 1", 47, 100, Hard, findAvoidable1, avoidable1Reason},
	AvoidableRectangle2: {"Avoidable Rectangle 2", 47, 100, Hard, findAvoidable2, avoidable2Reason},
	BUG1:                {"BUG+1", 56, 100, Hard, findBUG1, bug1Reason},
	BUG:                 {"Bivalue Universal Grave", 57, 100, Hard, findBUGs, bugReason},

	TwoStrongLinks:   {"Two Strong Links", 40, 130, Hard, with(findStrongLinks, 2), strongLinksReason},
	ThreeStrongLinks: {"Three Strong Links", 54, 260, Unfair, with(findStrongLinks, 3), strongLinksReason},
	FourStrongLinks:  {"Four Strong Links", 58, 260, Unfair, with(findStrongLinks, 4), strongLinksReason},
	UniqueLoop:       {"Unique Loop", 45, 100, Hard, findUniqueLoop, uniqueLoopReason},
	WXYZWing:         {"WXYZ-Wing", 55, 300, Unfair, with(findWings, 4), wingsReason},
	VWXYZWing:        {"VWXYZ-Wing", 62, 300, Unfair, with(findWings, 5), wingsReason},
	UVWXYZWing:       {"UVWXYZ-Wing", 66, 300, Unfair, with(findWings, 6), wingsReason},
	TUVWXYZWing:      {"TUVWXYZ-Wing", 75, 300, Unfair, with(findWings, 7), wingsReason},
	AlignedPair:      {"Aligned Pair Exclusion", 62, 300, Unfair, findAlignedPair, alignedPairReason},

	BidirectionalCycle: {"Bidirectional Cycle", 65, 280, Unfair, findCycle, cycleReason},
	ForcingChain:       {"Forcing Chain", 66, 280, Unfair, findForcingChain, forcingChainReason},

	NishioForcingChains:      {"Nishio Forcing Chains", 75, 500, Extreme, with(findForced, forcing{digitOnly: true, dynamic: true}), forcedReason},
	MultipleForcingChains:    {"Multiple Forcing Chains", 80, 500, Extreme, with(findForced, forcing{}), forcedReason},
	DynamicForcingChains:     {"Dynamic Forcing Chains", 85, 700, Extreme, with(findForced, forcing{dynamic: true}), forcedReason},
	DynamicForcingChainsPlus: {"Dynamic Forcing Chains +", 90, 700, Extreme, with(findForced, forcing{dynamic: true, patterns: true}), forcedReason},
	NestedForcingChains:      {"Nested Forcing Chains", 100, 10000, Extreme, findNested, nestedReason},
	Trial:                    {"Trial", 85, 700, Extreme, findTrial, trialReason},
	SimpleColors:             {"Simple Colors", 42, 150, Hard, findSimpleColors, simpleColorsReason},
	MultiColors:              {"Multi Colors", 55, 200, Hard, findMultiColors, multiColorsReason},
	SueDeCoq:                 {"Sue de Coq", 62, 250, Unfair, findSueDeCoq, sueDeCoqReason},
	ALSXZ:                    {"ALS-XZ", 64, 300, Unfair, findALSXZ, alsXZReason},
	ALSXYWing:                {"ALS-XY-Wing", 72, 320, Unfair, findALSXYWing, alsXYWingReason},
	ALSXYChain:               {"ALS-XY-Chain", 74, 340, Unfair, findALSChain, alsChainReason},
	TemplateSet:              {"Template Set", 85, 10000, Extreme, findTemplateSet, templateReason},
	TemplateDelete:           {"Template Delete", 85, 10000, Extreme, findTemplateDelete, templateReason},
	DeathBlossom:             {"Death Blossom", 76, 360, Unfair, findDeathBlossom, deathBlossomReason},
	RemotePair:               {"Remote Pair", 70, 110, Hard, findRemotePair, remotePairReason},
	XChain:                   {"X-Chain", 66, 260, Unfair, with(findAIC, aicFinder{aicKind{oneDigit: true}, fromEnds}), aicReason},
	XYChain:                  {"XY-Chain", 70, 260, Unfair, with(findAIC, aicFinder{aicKind{cells: true}, fromEnds}), aicReason},
	NiceLoop:                 {"Nice Loop", 70, 280, Unfair, with(findAIC, aicFinder{aicKind{}, fromLoop}), loopReason},
	AIC:                      {"AIC", 70, 280, Unfair, with(findAIC, aicFinder{aicKind{}, fromEnds}), aicReason},
	GroupedAIC:               {"Grouped AIC", 75, 300, Unfair, with(findAIC, aicFinder{aicKind{groups: true}, fromEnds}), aicReason},

	DiscontinuousNiceLoop:        {"Discontinuous Nice Loop", 70, 280, Unfair, with(findAIC, aicFinder{aicKind{}, fromItself}), aicReason},
	GroupedNiceLoop:              {"Grouped Nice Loop", 75, 300, Unfair, with(findAIC, aicFinder{aicKind{groups: true}, fromLoop}), loopReason},
	GroupedDiscontinuousNiceLoop: {"Grouped Discontinuous Nice Loop", 75, 300, Unfair, with(findAIC, aicFinder{aicKind{groups: true}, fromItself}), aicReason},

	DirectPointing:     {"Direct Pointing", 17, 50, Medium, with(findDirectLocked, boxes), directLockedReason},
	DirectClaiming:     {"Direct Claiming", 19, 50, Medium, with(findDirectLocked, lines), directLockedReason},
	DirectHiddenPair:   {"Direct Hidden Pair", 20, 70, Medium, with(findDirectHidden, 2), directHiddenReason},
	DirectHiddenTriple: {"Direct Hidden Triple", 25, 100, Medium, with(findDirectHidden, 3), directHiddenReason},
}

// String returns the name of a technique, as in "X-Wing".
func (t Technique) String() string { return string(catalogue[t].name) }

// Name returns the name of a technique in a language.
func (t Technique) Name(say Say) string { return say(catalogue[t].name) }

// Rating returns the rating of the easiest steps of a technique.
func (t Technique) Rating() Rating { return catalogue[t].rating }

// Score returns what HoDoKu adds to the score of a puzzle for a step.
func (t Technique) Score() int { return catalogue[t].score }

// Class returns HoDoKu's class of a technique.
func (t Technique) Class() Class { return catalogue[t].class }

// AssumesUnique tells whether a technique relies on the puzzle having one solution.
func (t Technique) AssumesUnique() bool {
	return t >= UniqueRectangle1 && t <= AvoidableRectangle2 || t == BUG1 || t == BUG || t == UniqueLoop
}
