package plain_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/plain"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// dialogue plays lines and returns what is shown after each.
func dialogue(t *testing.T, puzzles []sudoku.Puzzle, cfg drive.Config, lines ...string) []string {
	t.Helper()
	var out strings.Builder
	player := newPlayer(t, puzzles, cfg, strings.Join(lines, "\n"), &out)
	if _, err := player.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return strings.Split(out.String(), "\n> ")
}

func newPlayer(t *testing.T, puzzles []sudoku.Puzzle, cfg drive.Config, input string, out *strings.Builder) *plain.Player {
	t.Helper()
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	if err != nil {
		t.Fatal(err)
	}
	if puzzles == nil {
		puzzles = sudoku.Puzzles()
	}
	g, err := game.New(chart, puzzles)
	if err != nil {
		t.Fatal(err)
	}
	player, err := plain.New(g, cfg, strings.NewReader(input), out)
	if err != nil {
		t.Fatal(err)
	}
	return player
}

// check compares what is shown with the line and its answer, in pairs.
func check(t *testing.T, shown []string, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if got, want := shown[1+i/2], pairs[i]+"\n"+pairs[i+1]; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func lines(pairs ...string) (typed []string) {
	for i := 0; i < len(pairs); i += 2 {
		typed = append(typed, pairs[i])
	}
	return typed
}

const emptyBoard = `Sudoku: mine (1 of 2)

     c1 c2 c3   c4 c5 c6   c7 c8 c9
r1   5  .  .    .  .  .    .  .  .
r2   .  .  .    .  .  .    .  .  .
r3   .  .  .    .  .  .    .  .  .

r4   .  .  .    .  .  .    .  .  .
r5   .  .  .    .  .  .    .  .  .
r6   .  .  .    .  .  .    .  .  .

r7   .  .  .    .  .  .    .  .  .
r8   .  .  .    .  .  .    .  .  .
r9   .  .  .    .  .  .    .  .  .
`

var (
	mine  = sudoku.Puzzle{Name: "mine", Grid: sudoku.Grid{{5}}}
	other = sudoku.Puzzle{Name: "other", Grid: sudoku.Grid{{0, 7}}}
)

// Every line has one answer, which says what has changed.
func TestDialogue(t *testing.T) {
	withConflict := strings.Replace(strings.Replace(emptyBoard, "r1   5  .", "r1   5! .", 1), "r3   .  .  . ", "r3   .  .  5!", 1)
	pairs := []string{
		"Start", "The game is running already.",
		"undo", "Nothing to undo.",
		"r1c1 4", "This digit is given.",
		"r1c1", "Row 1, column 1: 5, given.",
		"r3c3 5", "Row 3, column 3: 5. 79 cells are empty. In conflict: r1c1, r3c3.",
		"row 3, column 3", "Row 3, column 3: 5, in conflict.",
		"", strings.TrimSuffix(withConflict, "\n"),
		"r3c3 = 5", "Row 3, column 3: 5. 79 cells are empty. In conflict: r1c1, r3c3.",
		"R3 C3 0", "Row 3, column 3: empty. 80 cells are empty.",
		"undo", "Row 3, column 3: 5. 79 cells are empty. In conflict: r1c1, r3c3.",
		"row 1", "Row 1: 5, empty, empty, empty, empty, empty, empty, empty, empty.",
		"column 3", "Column 3: empty, empty, 5, empty, empty, empty, empty, empty, empty.",
		"box 1", "Box 1: 5, empty, empty, empty, empty, empty, empty, empty, 5.",
		"box 10", "Write box and a number from 1 to 9.",
		"r3c3 x", `"x" is not a digit from 1 to 9, or 0 for an empty cell.`,
		"fly", `"fly" is not a command; help lists them.`,
		"setup", "Which puzzle? Write setup and a number from 1 to 2, a name, or the 81 characters of a puzzle.",
		"setup 2", "This clears the digit that you have entered. Type yes to do it.",
		"yes", strings.NewReplacer("mine (1", "other (2", "r1   5  .", "r1   .  7").Replace(emptyBoard) + "\n80 cells are empty.",
		"previous", emptyBoard + "\n80 cells are empty.",
	}
	shown := dialogue(t, []sudoku.Puzzle{mine, other}, drive.Config{}, append(lines(pairs...), "q", "not reached")...)
	if want := emptyBoard + "\n80 cells are empty.\nType help for the commands."; shown[0] != want {
		t.Errorf("got\n%s\nwant\n%s", shown[0], want)
	}
	check(t, shown, pairs...)
	if n := len(pairs)/2 + 2; len(shown) != n {
		t.Errorf("%d prompts, want %d: %q", len(shown), n, shown[n:])
	}
}

// A new player gets an easy puzzle that has begun.
func TestNewPlayer(t *testing.T) {
	pairs := []string{
		"hint", "Look for a Hidden Single: it places a digit. A digit that has only one place left in a row, column or box goes there.",
		"r3c5 3", "Row 3, column 5: 3. 52 cells are empty.",
		"r3c4 3", "This digit is given.",
	}
	shown := dialogue(t, []sudoku.Puzzle{}, services(), lines(pairs...)...)
	if !strings.HasPrefix(shown[0], "Sudoku: 11-easy-1 (11 of 24)\n") || !strings.HasSuffix(shown[0], "\n53 cells are empty.\nType help for the commands.") {
		t.Errorf("got\n%s", shown[0])
	}
	check(t, shown, pairs...)
}

// A game can be won, and the end of input ends it.
func TestSolved(t *testing.T) {
	pairs := []string{
		"r3c7 4", "Row 3, column 7: 4. 1 cell is empty.",
		"r7c3 8", "Row 7, column 3: 8. Solved! Type next for the next puzzle, or start to play this one again.",
	}
	check(t, dialogue(t, nil, drive.Config{}, lines(pairs...)...), pairs...)
}

func TestSavedGame(t *testing.T) {
	var snapshot []byte
	save := drive.Config{Save: func(s []byte) error { snapshot = s; return nil }}
	dialogue(t, []sudoku.Puzzle{mine}, save, "start", "r2c2 9")
	shown := dialogue(t, nil, drive.Config{Saved: snapshot}, "r2c2")
	if !strings.Contains(shown[0], "own puzzle (1 of 25)") || !strings.Contains(shown[0], "r2   .  9") || !strings.Contains(shown[0], "79 cells are empty.") {
		t.Errorf("got\n%s", shown[0])
	}
	check(t, shown, "r2c2", "Row 2, column 2: 9.")
}

func TestCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	var out strings.Builder
	if _, err := newPlayer(t, nil, drive.Config{}, "start", &out).Run(ctx); !errors.Is(err, cause) {
		t.Errorf("got %v, want %v", err, cause)
	}
}

// Text of a puzzle or a player does not control the terminal.
func TestPrintable(t *testing.T) {
	shown := dialogue(t, []sudoku.Puzzle{{Name: "\x1b[31mred"}}, drive.Config{}, "\x1b[2J")
	if all := strings.Join(shown, "\n"); strings.Contains(all, "\x1b") {
		t.Errorf("%q", all)
	}
}

// A player may write in Dutch or in English, and reads Dutch.
func TestDutch(t *testing.T) {
	w, err := words.New("nl")
	if err != nil {
		t.Fatal(err)
	}
	pairs := []string{
		"start", "Het spel loopt al.",
		"rij 3, kolom 3 5", "Rij 3, kolom 3: 5. 79 cellen zijn leeg. In conflict: r1k1, r3k3.",
		"r3c3 leeg", "Rij 3, kolom 3: leeg. 80 cellen zijn leeg.",
		"terug", "Rij 3, kolom 3: 5. 79 cellen zijn leeg. In conflict: r1k1, r3k3.",
		"undo", "Rij 3, kolom 3: leeg. 80 cellen zijn leeg.",
		"blok 1", "Blok 1: 5, leeg, leeg, leeg, leeg, leeg, leeg, leeg, leeg.",
		"vlieg", `"vlieg" is geen opdracht; typ hulp voor de lijst.`,
	}
	var out strings.Builder
	player := newPlayer(t, []sudoku.Puzzle{mine}, drive.Config{}, strings.Join(lines(pairs...), "\n"), &out)
	player.Use(w, nil)
	if _, err := player.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, strings.Split(out.String(), "\n> "), pairs...)
}

const classic = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

// What the player has entered is lost only after a question.
func TestQuestions(t *testing.T) {
	pairs := []string{
		"r2c2 7", "Row 2, column 2: 7. 79 cells are empty.",
		"restart", "This clears the digit that you have entered. Type yes to do it.",
		"no", "The game continues.",
		"yes", `"yes" is not a command; help lists them.`,
		"restart", "This clears the digit that you have entered. Type yes to do it.",
		"r2c2", "Row 2, column 2: 7.",
		"yes", `"yes" is not a command; help lists them.`,
		"restart", "This clears the digit that you have entered. Type yes to do it.",
		"Yes", "Row 2, column 2: empty. 80 cells are empty.",
		"restart", "",
	}
	shown := dialogue(t, []sudoku.Puzzle{mine}, drive.Config{}, lines(pairs...)...)
	check(t, shown, pairs[:len(pairs)-2]...)
}

// A puzzle can be pasted, with or without a command, and copied for other programs.
func TestPaste(t *testing.T) {
	pairs := []string{
		"copy", "5................................................................................",
		"setup 123", "Which puzzle? Write setup and a number from 1 to 1, a name, or the 81 characters of a puzzle.",
		"setup " + strings.Repeat("x", 81), "This is not a puzzle of 81 digits, with a dot for each empty cell.",
	}
	after := []string{
		"r1c3 4", "Row 1, column 3: 4. 50 cells are empty.",
		"copy", classic + "\n534" + classic[3:],
	}
	shown := dialogue(t, []sudoku.Puzzle{mine}, drive.Config{}, slices.Concat(lines(pairs...), []string{classic}, lines(after...))...)
	check(t, shown, pairs...)
	if got := shown[len(pairs)/2+1]; !strings.Contains(got, "Sudoku: own puzzle (1 of 2)") || !strings.Contains(got, "r9   .  .  .    .  8  .    .  7  9") {
		t.Errorf("got\n%s", got)
	}
	check(t, shown[len(pairs)/2+1:], after...)
}

// What a screen shows at a glance can be asked for.
func TestReading(t *testing.T) {
	pairs := []string{
		"digit 5", "The digit 5 is in r1c1. 8 are left.",
		"digit 6", "The digit 6 is not on the board. 9 are left.",
		"digit x", "Write digit and a number from 1 to 9.",
		"statistics", "1 given, 0 entered and 80 empty cells.\n" +
			"Left: 9 of digit 1, 9 of digit 2, 9 of digit 3, 9 of digit 4, 8 of digit 5, 9 of digit 6, 9 of digit 7, 9 of digit 8, 9 of digit 9.\n" +
			"Time: 0:00.\n" +
			"0 moves can be undone, and 0 made again.\n" +
			"All games: 3 solved, 1 given up, 2 in a row, at most 2, best time 3:05, mean time 1:01:32.\n" +
			"Easy: 3 solved, 1 given up, 2 in a row, at most 2, best time 3:05, mean time 1:01:32.",
		"r12c19", "Row 1, column 1: 5, given.\nRow 1, column 9: empty.\nRow 2, column 1: empty.\nRow 2, column 9: empty.",
	}
	var out strings.Builder
	player := newPlayer(t, []sudoku.Puzzle{mine}, drive.Config{}, strings.Join(lines(pairs...), "\n"), &out)
	results, err := shelf.Open(t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer results.Close()
	for _, r := range []shelf.Result{
		{Level: 2, Time: 185 * time.Second}, {Level: 2, GivenUp: true}, {Level: 2, Time: 2 * time.Hour}, {Level: 2, Time: 1, Helps: 1},
	} {
		if err := results.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	player.Use(nil, results)
	if _, err := player.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, strings.Split(out.String(), "\n> "), pairs...)
}

// Puzzles are found by a part of their name, those of the shelf too, with their progress.
func TestChoosing(t *testing.T) {
	begun := sudoku.Grid{{0, 0, 3}}
	board := begun
	board[4][4] = 9
	games, err := shelf.Open(t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer games.Close()
	if err := games.Save(&format.Game{Name: "The Other One", Givens: begun, Progress: &format.Progress{Board: board, Mode: format.Paused}}); err != nil {
		t.Fatal(err)
	}
	pairs := []string{
		"list", "1: mine\n2: other\nThe Other One, 1 entered and 79 empty",
		"list mi", "1: mine",
		"list x", `No puzzle has "x" in its name.`,
		"setup Othe", "2: other\nThe Other One, 1 entered and 79 empty",
		"setup OTHER", strings.NewReplacer("mine (1", "other (2", "r1   5  .", "r1   .  7").Replace(emptyBoard) + "\n80 cells are empty.",
		"setup one", strings.NewReplacer("mine (1 of 2", "The Other One (1 of 3", "r1   5  .  .", "r1   .  .  3").Replace(emptyBoard) + "\n80 cells are empty.",
	}
	var out strings.Builder
	player := newPlayer(t, []sudoku.Puzzle{mine, other}, drive.Config{}, strings.Join(lines(pairs...), "\n"), &out)
	player.Use(nil, games)
	if _, err := player.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, strings.Split(out.String(), "\n> "), pairs...)
}
