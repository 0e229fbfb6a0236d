package document

import (
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A page about a document on one line, with comments, takes memory like its length.
func TestPageGrowsLikeItsDocument(t *testing.T) {
	bytes := func(states int) float64 {
		source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">` + strings.Repeat(`<state/><!-- a state -->`, states) + `</scxml>`
		chart, err := scxml.Parse("line.scxml", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := New(chart, fstest.MapFS{}).WriteMarkdown(io.Discard, ""); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	bytes(100) // what is made once
	if few, many := bytes(500), bytes(2000); many > 6*few {
		t.Errorf("2000 states take %.1f times what 500 take, want about 4", many/few)
	}
}
