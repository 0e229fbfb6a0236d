package human

import (
	"slices"
	"testing"
)

// TestWhatFishEliminateIsInNoTemplate compares two ways to reason about one digit: whatever
// a fish eliminates, no template has. Each kind is found.
func TestWhatFishEliminateIsInNoTemplate(t *testing.T) {
	fish := []Technique{XWing, Swordfish, Jellyfish, FinnedXWing, SashimiXWing, FinnedSwordfish, SashimiSwordfish, FinnedJellyfish, SashimiJellyfish}
	for k := Squirmbag; k <= SashimiLeviathan; k++ {
		fish = append(fish, k)
	}
	for k := FrankenXWing; k <= FinnedMutantJellyfish; k++ {
		fish = append(fish, k)
	}
	var f Finder
	seen := map[Technique]int{}
	for _, e := range examples(t) {
		p := e.line.Position
		for _, s := range f.Find(p, 0, fish...) {
			seen[s.Technique]++
			d := s.Digits.first()
			some := p.templates(d).some
			for _, c := range s.Eliminate {
				if c.Digit != d || some.Has(c.Cell) {
					t.Errorf("%s\n%v\n%v is in a template", p.LibraryLine(), &s, c)
				}
			}
			if len(s.Houses) != len(s.Cover) || slices.ContainsFunc(s.Houses, func(h House) bool { return slices.Contains(s.Cover, h) }) {
				t.Errorf("%v: the base is %v and the cover %v", &s, s.Houses, s.Cover)
			}
			if s.Fins.Len() > maxFins && s.Technique >= FrankenXWing && s.Technique <= FinnedMutantJellyfish {
				t.Errorf("%v has more than %d fins", &s, maxFins)
			}
		}
	}
	for _, k := range fish {
		if seen[k] == 0 {
			t.Errorf("%v is not found", k)
		}
	}
	t.Logf("steps: %v", seen)
}
