package game

import (
	"os"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func TestSpeaks(t *testing.T) {
	for _, chart := range []struct {
		load func() (*scxml.Chart, error)
		sets bool
	}{
		{func() (*scxml.Chart, error) { return scxml.Load(charts.FS, "sudoku.scxml") }, true},
		{func() (*scxml.Chart, error) { return scxml.Load(os.DirFS("testdata"), "taponly.scxml") }, false},
	} {
		c, err := chart.load()
		if err != nil {
			t.Fatal(err)
		}
		if !Speaks(c) {
			t.Errorf("%s: got false", c.File())
		}
		if got := reactsTo(c, "set"); got != chart.sets {
			t.Errorf("%s: reacts to set: got %v", c.File(), got)
		}
	}

	const speaking = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"><state id="s">
		<transition event="tap.* undo."/><transition event="setup"/><transition event="start stop">
		<send event="updateGUI" namelist="initState"><param name="currentState"/></send></transition></state></scxml>`
	for _, test := range []struct {
		old, new string
		want     bool
	}{
		{"", "", true},
		{"tap.*", "*", false}, // every event is not this event
		{"tap.*", "tapping", false},
		{"undo.", "undo.all", false},
		{"start stop", "start", false},
		{"updateGUI", "update", false},
		{`namelist="initState"`, "", false},
		{`name="currentState"`, `name="state"`, false},
	} {
		chart, err := scxml.Parse("sudoku.scxml", []byte(strings.Replace(speaking, test.old, test.new, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got := Speaks(chart); got != test.want {
			t.Errorf("%q instead of %q: got %v, want %v", test.new, test.old, got, test.want)
		}
	}
}
