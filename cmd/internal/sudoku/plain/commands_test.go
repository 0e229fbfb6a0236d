package plain_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/plain"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// services is a configuration with the services and a clock that stands still.
func services() drive.Config {
	seed := uint64(1)
	return drive.Config{Options: service.Options(), Virtual: true, Seed: &seed}
}

// Notes, corner notes and colours are told with their cell.
func TestMarks(t *testing.T) {
	pairs := []string{
		"note r3c3 521", "Row 3, column 3: empty, notes 1 2 5.",
		"note r3c3 5", "Row 3, column 3: empty, notes 1 2.",
		"corner r3c34 9", "Row 3, column 3: empty, notes 1 2, in the corner 9. Row 3, column 4: empty, in the corner 9.",
		"colour r1c1 3", "Row 1, column 1: 5, given, colour 3.",
		"note r3c9", "Which digits? Write them after the cell, such as 125.",
		"note 5", "Which cell? Write it as r4c7.",
		"row 3", "Row 3: empty, empty, notes 1 2, empty, empty, empty, empty, empty, empty.",
		"candidates r2c2", "Row 2, column 2: empty, notes 1 2 3 4 6 7 8 9.",
		"candidates", "The notes of 79 cells have changed.",
		"undo", "The notes of 79 cells have changed.",
		"redo", "The notes of 79 cells have changed.",
		"redo", "Nothing to redo.",
		"cleanup", "A digit that you write is removed from the notes of its row, column and box.",
		"r3c3 1", "Row 3, column 3: 1. The notes of 19 cells have changed. 79 cells are empty.",
	}
	shown := dialogue(t, []sudoku.Puzzle{mine}, services(), lines(pairs...)...)
	check(t, shown, pairs...)
}

func TestSavePoints(t *testing.T) {
	pairs := []string{
		"save", "There are no save points.",
		"r2c2 3", "Row 2, column 2: 3. 79 cells are empty.",
		"save Before the Guess", "Save point 1: Before the Guess.",
		"r2c3 4", "Row 2, column 3: 4. 78 cells are empty.",
		"save two", "Save point 2: two.",
		"save", "Save point 1: Before the Guess.\nSave point 2: two.",
		"restore 3", "Which save point? Write a number from 1 to 2, or its name.",
		"restore before the guess", "Row 2, column 3: empty. 79 cells are empty.",
		"undo", "Row 2, column 3: 4. 78 cells are empty.",
		"forget 1", "1 save point.",
		"reset", "Row 2, column 2: empty. Row 2, column 3: empty. 80 cells are empty.",
		"statistics", "1 given, 0 entered and 80 empty cells.\n" +
			"Left: 9 of digit 1, 9 of digit 2, 9 of digit 3, 9 of digit 4, 8 of digit 5, 9 of digit 6, 9 of digit 7, 9 of digit 8, 9 of digit 9.\n" +
			"Time: 0:00.\n3 moves can be undone, and 0 made again.",
	}
	check(t, dialogue(t, []sudoku.Puzzle{mine}, services(), lines(pairs...)...), pairs...)
}

func TestHelpInTheGame(t *testing.T) {
	pairs := []string{
		"hint", "Look for a Full House: it places a digit. A row, column or box with one empty cell gets the digit that it lacks.",
		"lesson", "Full House. A row, column or box with one empty cell gets the digit that it lacks.\nhttps://github.com/scxmlrun/scxmlrun/blob/main/examples/sudoku/human/TECHNIQUES.md#full-house\n3 lessons: in each this is the next step.",
		"lesson trick", `"trick" is not a technique, such as X-Wing.`,
		"hint", "Look for a Full House in row 3: it places a digit.",
		"hint", "R3c7 is the last empty cell of row 3, which lacks 4: r3c7=4.",
		"r3c7 8", "Row 3, column 7: 8. 1 cell is empty. In conflict: r2c9, r3c4, r3c7, r5c7.",
		"hint", "Something that was entered is wrong.",
		"hint", "R3c7 is wrong.",
		"check", "There has not been a solution since the entry in row 3, column 7.",
		"undo", "Row 3, column 7: empty. 2 cells are empty.",
		"reveal", "Row 3, column 7: 4. 1 cell is empty.",
		"check", "The entries lead to a solution.",
	}
	check(t, dialogue(t, nil, services(), lines(pairs...)...), pairs...)
}

// A lesson begins with the technique as the next step.
func TestLesson(t *testing.T) {
	said := dialogue(t, nil, services(), "lesson x-wing 2\nhint\n")
	for _, want := range []string{"X-Wing 2 (1 of 25)", "Look for an X-Wing: it eliminates candidates."} {
		if !strings.Contains(strings.Join(said, "\n"), want) {
			t.Errorf("got %q, want %q", said, want)
		}
	}
}

// A solver is watched step by step.
func TestSolver(t *testing.T) {
	pairs := []string{
		"step", "Not possible now.",
		"solve human 60", "A solver is at work. Type pause, step, speed or stop.",
		"pause", "The solver waits. Type step, resume or stop.",
		"step", "Row 3, column 7: 4. Step 1 of 2. R3c7 is the last empty cell of row 3, which lacks 4: r3c7=4.",
		"hint", "The solver waits. Type step, resume or stop.",
		"speed fast", `"fast" is not a number of seconds from 0 to 60.`,
		"stop", "Row 3, column 7: empty. Playing. 2 cells are empty.",
		"r3c7 4", "Row 3, column 7: 4. 1 cell is empty.",
		"solve", "The machine solves the puzzle, and the game is not won. Type yes to do it.",
		"no", "The game continues.",
		"solve magic", "The machine solves the puzzle, and the game is not won. Type yes to do it.",
		"yes", `Failed: "magic" is not a method: want human, scan, scan+guess, csp, csp+ac3, csp+ac3+fc, csp+ac3+fc+mrv, csp+ac3+fc+mrv+lcv, bthreads or bitboard.`,
		"solve", "The machine solves the puzzle, and the game is not won. Type yes to do it.",
		"yes", "Row 7, column 3: 8. The machine has solved the puzzle. Type resume to continue, start to begin again, or next for the next puzzle.",
	}
	check(t, dialogue(t, nil, services(), lines(pairs...)...), pairs...)
}

// A puzzle can be entered cell by cell, and is played when it is complete.
func TestEditor(t *testing.T) {
	empty := strings.NewReplacer(": mine (1 of 2)", "", "r1   5", "r1   .").Replace(emptyBoard)
	pairs := []string{
		"edit", "Enter a puzzle. Type fix to play it, or stop to leave it.\n" + empty + "\n81 cells are empty. The puzzle has several solutions.",
		"r1c1 5", "Row 1, column 1: 5. 80 cells are empty. The puzzle has several solutions.",
		"r1c2 5", "Row 1, column 2: 5. 79 cells are empty. In conflict: r1c1, r1c2. The puzzle has no solution.",
		"r1c2 0", "Row 1, column 2: empty. 80 cells are empty. The puzzle has several solutions.",
		"stop", "This clears the digit that you have entered. Type yes to do it.",
		"no", "The game continues.",
		"fix", "Playing.\n" + strings.Replace(emptyBoard, " of 2", " of 1", 1) + "\n80 cells are empty.",
		"r1c1 6", "This digit is given.",
	}
	check(t, dialogue(t, []sudoku.Puzzle{mine}, services(), lines(pairs...)...), pairs...)
}

// A puzzle that has one solution says so.
func TestEditorCountsSolutions(t *testing.T) {
	typed := []string{"edit"}
	for i, digit := range classic {
		if digit != '.' {
			typed = append(typed, fmt.Sprintf("r%dc%d %c", i/9+1, i%9+1, digit))
		}
	}
	shown := dialogue(t, []sudoku.Puzzle{mine}, services(), typed...)
	if got, want := shown[len(typed)], typed[len(typed)-1]+"\nRow 9, column 9: 9. 51 cells are empty. The puzzle has one solution. Type fix to play it."; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A new puzzle is started when it is made.
func TestNewPuzzle(t *testing.T) {
	pairs := []string{
		"new nonsense", `"nonsense" is not a kind of puzzle: write beginner, easy, medium, hard or expert, a number of empty cells from 6 to 81, daily or flash.`,
		"new daily 2026-11-22", `Making a puzzle; cancel ends that.
Sudoku: 2026-11-22 (1 of 2), medium, ER 2.6

     c1 c2 c3   c4 c5 c6   c7 c8 c9
r1   .  .  .    .  5  .    1  .  .
r2   .  4  1    .  .  .    .  .  9
r3   .  .  2    .  .  3    .  6  .

r4   .  .  .    2  .  4    .  5  8
r5   .  .  .    .  .  .    .  .  .
r6   2  3  .    5  .  9    .  .  .

r7   .  7  .    6  .  .    3  .  .
r8   4  .  .    .  .  .    6  1  .
r9   .  .  5    .  1  .    .  .  .

57 cells are empty.
Made in 0 ms.`,
		"new daily someday", "Making a puzzle; cancel ends that.\n" + `Failed: "someday" is not a day: want one such as 2026-11-22.`,
		"r1c1 7", "Row 1, column 1: 7. 56 cells are empty.",
		"new 2", "This clears the digit that you have entered. Type yes to do it.",
		"cancel", "No puzzle is being made.",
		"r1c1", "Row 1, column 1: 7.",
	}
	check(t, dialogue(t, []sudoku.Puzzle{mine}, services(), lines(pairs...)...), pairs...)
}

// Every line has an answer, even if it changes nothing.
func TestNothingChanges(t *testing.T) {
	pairs := []string{
		"resume", "Nothing has changed.",
		"reset", "Nothing has changed.",
		"pause", "The game is paused. Type resume.",
		"pause", "The game is paused. Type resume.",
		"board", "The game is paused. Type resume.",
		"r1c1", "The game is paused. Type resume.",
		"notes", "The game is paused. Type resume.",
		"copy", "The game is paused. Type resume.",
	}
	check(t, dialogue(t, []sudoku.Puzzle{mine}, services(), lines(pairs...)...), pairs...)
}

// Without the services the chart says so once, and help does not list them any more.
func TestWithoutServices(t *testing.T) {
	pairs := []string{
		"hint", "Not available here: hints.",
		"hint", "This chart does not have hint.",
		"new easy", "Not available here: new puzzles.",
		"r2c2 3", "Row 2, column 2: 3. 79 cells are empty.",
	}
	shown := dialogue(t, []sudoku.Puzzle{mine}, drive.Config{Virtual: true}, append(lines(pairs...), "help")...)
	check(t, shown, pairs...)
	if help := shown[len(pairs)/2+1]; !strings.Contains(help, "\nreveal") || strings.Contains(help, "\nhint") {
		t.Errorf("got\n%s", help)
	}
}

// The end of a pipe waits for a solver.
func TestSolverInPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shown := dialogue(t, nil, drive.Config{Options: service.Options()}, "solve human 2")
		want := "Row 3, column 7: 4. Step 1 of 2. R3c7 is the last empty cell of row 3, which lacks 4: r3c7=4."
		if all := strings.Join(shown, "\n"); !strings.Contains(all, want) || !strings.Contains(all, "The machine has solved the puzzle.") {
			t.Errorf("got\n%s", all)
		}
	})
}

// A game that continues is paused: its puzzle is named, and its board is not shown.
func TestPausedGameIsNamed(t *testing.T) {
	home := t.TempDir()
	for _, typed := range [][]string{{"r2c2 3"}, {"resume"}} {
		games, err := shelf.Open(home, home)
		if err != nil {
			t.Fatal(err)
		}
		chart, err := scxml.Load(charts.FS, "sudoku.scxml")
		if err != nil {
			t.Fatal(err)
		}
		g, err := game.New(chart, []sudoku.Puzzle{mine})
		if err != nil {
			t.Fatal(err)
		}
		g.Keep(games)
		last, err := games.Last()
		if err != nil {
			t.Fatal(err)
		}
		if last != nil {
			if err := g.Open(last); err != nil {
				t.Fatal(err)
			}
		}
		var out strings.Builder
		player, err := plain.New(g, services(), strings.NewReader(strings.Join(typed, "\n")), &out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := player.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := games.Close(); err != nil {
			t.Fatal(err)
		}
		shown, _, _ := strings.Cut(out.String(), "\n> ")
		if want := "Sudoku: mine (1 of 1)\nThe game is paused. Type resume.\nType help for the commands."; last != nil && shown != want {
			t.Errorf("got\n%s\nwant\n%s", shown, want)
		}
	}
}
