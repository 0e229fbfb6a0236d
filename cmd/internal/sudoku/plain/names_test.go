package plain

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
)

// A word begins one command only, in every language that the player may type it in.
func TestNamesAreUnique(t *testing.T) {
	for _, lang := range words.Languages() {
		w, err := words.New(lang)
		if err != nil {
			t.Fatal(err)
		}
		p := &Player{words: w}
		for _, c := range commands() {
			for _, name := range c.names {
				for _, typed := range []string{string(name), w.T(name)} {
					if got := p.command(typed); got.names[0] != c.names[0] {
						t.Errorf("%s: %q is %q and %q", lang, typed, got.names[0], c.names[0])
					}
				}
			}
		}
	}
}
