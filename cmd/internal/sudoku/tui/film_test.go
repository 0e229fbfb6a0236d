package tui

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/film"
)

func TestSnapshotHasColoursAndWideCharacters(t *testing.T) {
	s := tcell.NewSimulationScreen("UTF-8")
	if err := s.Init(); err != nil {
		t.Fatal(err)
	}
	defer s.Fini()
	s.SetSize(6, 1)
	red, yellow := tcell.NewRGBColor(200, 0, 0), tcell.PaletteColor(11)
	s.PutStrStyled(0, 0, "a", tcell.StyleDefault.Foreground(red).Bold(true))
	s.PutStrStyled(1, 0, "b", tcell.StyleDefault.Background(yellow).Reverse(true).Underline(true))
	s.PutStrStyled(2, 0, "数", tcell.StyleDefault.StrikeThrough(true))
	s.PutStrStyled(4, 0, "c", tcell.StyleDefault.Foreground(red).Background(tcell.NewRGBColor(0, 100, 0)).Dim(true))
	got := snapshot(s)
	bright := color.RGBA{255, 255, 0, 255}
	want := []film.Cell{
		{Text: "a", Ink: color.RGBA{200, 0, 0, 255}, Paper: filmPaper, Bold: true},
		{Text: "b", Ink: bright, Paper: filmInk, Underline: true},
		{Text: "数", Ink: filmInk, Paper: filmPaper, Strike: true},
		{Text: "", Ink: filmInk, Paper: filmPaper, Strike: true},
		{Text: "c", Ink: color.RGBA{100, 50, 0, 255}, Paper: color.RGBA{0, 100, 0, 255}},
		{Text: " ", Ink: filmInk, Paper: filmPaper},
	}
	if got.Width != 6 || got.Height != 1 || len(got.Cells) != len(want) {
		t.Fatalf("%d x %d with %d cells", got.Width, got.Height, len(got.Cells))
	}
	for i := range want {
		if got.Cells[i] != want[i] {
			t.Errorf("cell %d is %+v, want %+v", i, got.Cells[i], want[i])
		}
	}
}

// A film has what the screen showed.
func TestFilmOfAGame(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.cast")
	f, err := film.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	play(t, setting{film: f}, func(t *testing.T, d *desk) { d.keys("f1", "enter", "q") })
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"playing", "Keys and rules"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q is not in the film", want)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	s := tcell.NewSimulationScreen("UTF-8")
	if err := s.Init(); err != nil {
		b.Fatal(err)
	}
	defer s.Fini()
	b.ReportAllocs()
	for b.Loop() {
		snapshot(s)
	}
}
