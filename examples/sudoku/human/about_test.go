package human_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// Every technique has a sentence, and a section on the page that explains it.
func TestAbout(t *testing.T) {
	page, err := os.ReadFile("TECHNIQUES.md")
	if err != nil {
		t.Fatal(err)
	}
	english := func(p human.Phrase, args ...any) string { return fmt.Sprintf(string(p), args...) }
	for _, technique := range human.Techniques() {
		if about := technique.About(english); about == "" || strings.HasSuffix(about, ".") {
			t.Errorf("%v: got %q, want a sentence without a full stop", technique, about)
		}
		heading := "### " + technique.String() + "\n"
		if n := strings.Count(string(page), heading); n != 1 {
			t.Errorf("%v has %d sections", technique, n)
		}
		anchor := strings.NewReplacer("### ", "", "\n", "", " ", "-", "+", "").Replace(strings.ToLower(heading)) // as GitHub makes it
		if got := technique.Anchor(); got != anchor {
			t.Errorf("%v: the anchor is %q, want %q", technique, got, anchor)
		}
	}
}
