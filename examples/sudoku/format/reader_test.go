package format

import (
	"slices"
	"strings"
	"testing"
)

// Line is the number of the line on which a game begins, in every format.
func TestReaderSaysWhereGamesBegin(t *testing.T) {
	for _, f := range Formats() {
		var text strings.Builder
		var want []int
		w := NewWriter(&text, f)
		for range 3 {
			before := text.String()
			if err := w.Write(&Game{Givens: grid(puzzle)}); err != nil {
				t.Fatal(err)
			}
			w.Flush()
			added := text.String()[len(before):]
			if i := strings.Index(added, "<game "); f == OpenSudoku {
				added = added[i:]
			}
			added = strings.TrimLeft(added, "\n")
			want = append(want, 1+strings.Count(text.String()[:text.Len()-len(added)], "\n"))
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var got []int
		r := NewReader("test", strings.NewReader(text.String()))
		for _, err := range r.Games() {
			if err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			got = append(got, r.Line())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the games begin on lines %v, want %v, of\n%s", f, got, want, text.String())
		}
	}
}
