package game_test

import "testing"

// useCompiled says that games are played with the compiled chart.
var useCompiled bool

// What is said of games with sudoku.scxml is true when it is compiled.
func TestCompiled(t *testing.T) {
	useCompiled = true
	defer func() { useCompiled = false }()
	for name, test := range map[string]func(*testing.T){
		"Begin": TestBegin, "FirstMove": TestFirstMove, "LookAtPuzzles": TestLookAtPuzzles,
		"BeginAgain": TestBeginAgain, "Clock": TestClock, "Gap": TestGap, "Tick": TestTick, "TimeAtTheEnd": TestTimeAtTheEnd, "Solvable": TestSolvable,
		"SolutionsWhileEditing": TestSolutionsWhileEditing, "Switches": TestSwitches, "WrongAtOnce": TestWrongAtOnce,
		"SavedGame": TestSavedGame, "GameByDigits": TestGameByDigits, "GameByPointing": TestGameByPointing,
		"Editing": TestEditing, "Selection": TestSelection, "PuzzlesGoRound": TestPuzzlesGoRound, "Marks": TestMarks,
		"Pen": TestPen, "SeveralCells": TestSeveralCells, "CleanUp": TestCleanUp, "SavePoints": TestSavePoints,
		"Can": TestCan, "LoadAndSaveLoseNothing": TestLoadAndSaveLoseNothing,
		"SavedWhenChanged": TestSavedWhenChanged, "GameThatWasNotResumed": TestGameThatWasNotResumed,
		"OpenPuzzle": TestOpenPuzzle, "OpenSolvedGame": TestOpenSolvedGame, "NotSaved": TestNotSaved,
		"FaultyStore": TestFaultyStore, "GivenUpGameOfAnOlderVersion": TestGivenUpGameOfAnOlderVersion,
		"Hint": TestHint, "HintToWrongEntry": TestHintToWrongEntry, "Reveal": TestReveal, "Solver": TestSolver,
		"SolveFromAnywhere": TestSolveFromAnywhere, "Generate": TestGenerate, "WithoutServices": TestWithoutServices,
		"ServiceThatFails": TestServiceThatFails, "PuzzleThatWasLeft": TestPuzzleThatWasLeft,
		"StoreThatFails": TestStoreThatFails, "FoundGameThatDoesNotFit": TestFoundGameThatDoesNotFit,
		"SolvedOnce": TestSolvedOnce, "Cells": TestCells, "EmptyCellsAreNotEqual": TestEmptyCellsAreNotEqual,
		"ViewsThatLookTheSameAreEqual": TestViewsThatLookTheSameAreEqual, "UserData": TestUserData,
	} {
		t.Run(name, test)
	}
}
