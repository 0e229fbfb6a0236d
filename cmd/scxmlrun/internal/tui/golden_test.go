package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
)

var update = flag.Bool("update", false, "rewrite the screens in testdata; look at them before you commit")

// TestScreens compares screens with those in testdata: texts, and below them what is lit, underlined and
// struck through.
func TestScreens(t *testing.T) {
	for _, test := range []struct {
		name string
		setting
		keys []string // a screen after each; keys are separated by spaces
	}{
		{"traffic", setting{chart: "testdata/traffic.scxml"}, []string{"", ". .", "Down", "a", "Left Left", "f", "B", "Esc Esc f s"}},
		{"microwave", setting{chart: "testdata/microwave.scxml", colors: -1}, []string{"", "c 5", "Enter", "o", "V"}},
		{"morse", setting{chart: "testdata/morse.scxml", width: 120, height: 40, colors: 256}, []string{"r . e", "E"}},
		{"grid", setting{chart: "testdata/grid.scxml", charset: "US-ASCII"}, []string{"p Right Down", "Enter"}},
		{"help", setting{chart: "testdata/grid.scxml"}, []string{"?"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.config.Virtual = true
			watch(t, test.setting, func(d *desk) {
				var got strings.Builder
				for _, keys := range test.keys {
					d.keys(strings.Fields(keys)...)
					fmt.Fprintf(&got, "-- after %q --\n%s", keys, d.text())
					for _, a := range []struct {
						name string
						mask tcell.AttrMask
					}{{"reversed", tcell.AttrReverse}, {"underlined", tcell.AttrUnderline}, {"struck through", tcell.AttrStrikeThrough}} {
						fmt.Fprintf(&got, "%s: %s\n", a.name, strings.Join(d.styled(a.mask), " | "))
					}
				}
				compare(t, filepath.Join("testdata", test.name+".screens"), got.String())
			})
		})
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}
