package words

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// Hints to steps of every technique are Dutch from end to end.
func TestStepsAreDutch(t *testing.T) {
	w, err := New("nl")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile("../../../../examples/sudoku/human/testdata/positions.txt")
	if err != nil {
		t.Fatal(err)
	}
	english := regexp.MustCompile(`\b(the|and|of which|if|so|has|cells?|rows?|columns?|box(es)?|digits?|look|are|not|r\d+c\d+)\b|%!`)
	var finder human.Finder
	seen := map[human.Technique]bool{}
	for line := range strings.Lines(string(lines)) {
		example, err := human.ParseLibraryLine(line)
		if err != nil {
			t.Fatal(err)
		}
		technique, err := human.ParseTechnique(example.Technique)
		if err != nil {
			t.Fatal(err)
		}
		step, ok := finder.Next(example.Position, technique)
		if !ok {
			t.Fatalf("%v is not found in %s", technique, line)
		}
		seen[technique] = true
		for stage := human.Vague; stage <= human.Full; stage++ {
			text := w.Hint(&game.Hint{Stage: int(stage) + 1, Step: step.Encode()})
			if found := english.FindString(text); found != "" {
				t.Errorf("%v: %q in %s", technique, found, text)
			}
		}
	}
	if len(seen) != len(human.Techniques()) {
		t.Errorf("only %d techniques of %d", len(seen), len(human.Techniques()))
	}
}

func TestHintInEnglish(t *testing.T) {
	w, err := New("en")
	if err != nil {
		t.Fatal(err)
	}
	step := human.Step{Technique: human.HiddenSingle, Place: []human.Candidate{{Cell: human.At(4, 7), Digit: 5}}, Cells: []human.Cell{human.At(4, 7)}, Houses: []human.House{3}}
	for stage := human.Vague; stage <= human.Full; stage++ {
		if got := w.Hint(&game.Hint{Stage: int(stage) + 1, Step: step.Encode()}); got != step.Hint(stage) {
			t.Errorf("%q, want %q", got, step.Hint(stage))
		}
	}
	if got := w.Hint(&game.Hint{Stage: 1, Text: "look up", Step: "{}"}); got != "look up" {
		t.Errorf("a hint without a step is %q", got)
	}
}

func TestHintToWrongEntriesNamesThem(t *testing.T) {
	w, err := New("nl")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		hint game.Hint
		want string
	}{
		{game.Hint{Stage: 1, Found: game.FoundWrong}, "iets dat is ingevuld, is fout"},
		{game.Hint{Stage: 2, Found: game.FoundWrong, Causes: []game.Candidate{{Row: 3, Col: 6}, {Row: 8, Col: 0}}}, "deze zijn fout: r4k7, r9k1"},
		{game.Hint{Stage: 1, Found: game.FoundNothing}, "alleen gokken helpt nog"},
	} {
		if got := w.Hint(&c.hint); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
