package lesson_test

import (
	"encoding/json"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/lesson"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// In each lesson the game's hint is the technique.
func TestTheTechniqueIsTheNextStep(t *testing.T) {
	var hints scxml.Invoker
	for _, s := range service.Services() {
		if s.Type == "sudoku-hint" {
			hints = s.Invoker
		}
	}
	seen := map[string]bool{}
	for _, technique := range human.Order() {
		want := 3
		switch technique {
		case human.DiscontinuousNiceLoop, human.GroupedDiscontinuousNiceLoop, // easier ones find them
			human.FrankenXWing, human.FrankenSwordfish, human.FrankenJellyfish, human.FinnedFrankenXWing,
			human.MutantXWing, human.MutantSwordfish, human.MutantJellyfish, human.FinnedMutantXWing, human.FinnedMutantSwordfish,
			human.TemplateSet:
			want = 0
		}
		if got := lesson.Count(technique); got != want {
			t.Errorf("%v has %d lessons, want %d", technique, got, want)
		}
		for n := range lesson.Count(technique) {
			g := lesson.Game(technique, n, "start")
			if key := technique.String() + g.Givens.String(); seen[key] {
				t.Errorf("%v has a puzzle twice", technique)
			} else {
				seen[key] = true
			}
			params, err := datamodel.From(map[string]any{"initState": g.Givens, "currentState": g.Progress.Board, "notes": g.Progress.Notes})
			if err != nil {
				t.Fatal(err)
			}
			result, err := hints.Invoke(t.Context(), &scxml.Invocation{Content: params})
			if err != nil {
				t.Fatal(err)
			}
			text, _ := json.Marshal(result)
			var hint struct {
				Found     string
				Technique struct{ Name string }
			}
			if err := json.Unmarshal(text, &hint); err != nil || hint.Technique.Name != technique.String() {
				t.Errorf("%s: the hint is %s, %v", g.Name, text, err)
			}
		}
	}
}
