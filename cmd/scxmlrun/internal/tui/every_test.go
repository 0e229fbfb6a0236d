package tui

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// raced reports that the race detector is on, which takes ten times as long.
var raced bool

// Every chart of the project, and of the W3C's suite where there is one, can be played: each position can be
// shown, in the past and on a branch too.
func TestEveryChart(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("plays hundreds of charts; with -race those of the other tests are enough")
	}
	count := 0
	for _, root := range []string{"../../../..", os.Getenv("SCXML_W3C_SUITE")} {
		if root == "" {
			continue
		}
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".scxml" {
				return err
			}
			chart, err := scxml.Load(os.DirFS(filepath.Dir(name)), filepath.Base(name))
			if err != nil || !rests(t, chart) {
				return nil // a test of diagnostics, or of limits
			}
			count++
			t.Run(filepath.Base(name), func(t *testing.T) { playThrough(t, name) })
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if count < 200 {
		t.Errorf("found %d charts only", count)
	}
}

// rests reports whether a chart comes to rest.
func rests(t *testing.T, chart *scxml.Chart) bool {
	s, err := scxml.New(chart, scxml.WithSeed(1))
	if err != nil || s.Start(t.Context()) != nil {
		return false
	}
	more := true
	for i := 0; i < 1000 && more; i++ {
		more, _ = s.Step(t.Context(), s.Now()) // an error ends it
	}
	return !more && scxml.ForServer(s).Abandon() == nil
}

func playThrough(t *testing.T, chart string) {
	s := setting{chart: chart, width: 100, height: 30}
	s.config.Virtual = true
	watch(t, s, func(d *desk) {
		check := func() {
			t.Helper()
			if k := d.front.look; k.err != nil || k.session == nil {
				t.Errorf("position %d of %s cannot be shown: %v", k.n, k.line.name, k.err)
			}
		}
		keys := []string{"V", "D", ".", "Down", "Enter", "Enter", "Esc", "Left", "Left", ".", "Enter", "Enter", "Esc", "Esc", "Home", "End", "B", "Esc"}
		for _, key := range keys {
			d.keys(key)
			check()
		}
	})
}
