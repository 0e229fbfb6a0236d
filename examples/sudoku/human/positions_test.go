package human

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// exampleLine is a position in which a technique helps.
type exampleLine struct {
	technique Technique
	line      LibraryLine
}

// examples returns the positions of testdata/positions.txt: lines as in HoDoKu's
// library, with the name of the technique.
func examples(t *testing.T) (all []exampleLine) {
	t.Helper()
	source, err := os.ReadFile("testdata/positions.txt")
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(string(source)) {
		line, err := ParseLibraryLine(text)
		if err != nil {
			t.Fatal(err)
		}
		technique := techniques
		for k := range techniques {
			if k.String() == line.Technique {
				technique = k
			}
		}
		if technique == techniques {
			t.Fatalf("%q is not a technique", line.Technique)
		}
		all = append(all, exampleLine{technique, line})
	}
	return all
}

// easier returns techniques that do not help in the examples of a technique.
func easier(t Technique) []Technique {
	switch t {
	case FullHouse, HiddenSingle, NakedSingle:
		return Order()[:t]
	case DirectPointing, DirectClaiming, DirectHiddenPair, DirectHiddenTriple:
		return Order()[:NakedSingle]
	case UniqueRectangle5, AvoidableRectangle2, FrankenXWing, MutantXWing: // Whose positions mostly allow something easier, too.
		return Order()[:LockedPair]
	case Squirmbag, Whale, Leviathan: // The other lines make a smaller fish.
		return Order()[:XWing]
	case DiscontinuousNiceLoop, GroupedDiscontinuousNiceLoop, SashimiJellyfish, // Others find the same.
		FrankenSwordfish, FrankenJellyfish, FinnedFrankenXWing, MutantSwordfish, MutantJellyfish, FinnedMutantXWing, FinnedMutantSwordfish, TemplateSet:
		return Order()[:RemotePair]
	}
	if t >= DirectPointing {
		return Order()[:RemotePair]
	}
	return Order()[:t]
}

// TestEachTechniqueHelpsWhereNoEasierOneDoes finds in each example exactly what its
// line says, and no step of easier techniques.
func TestEachTechniqueHelpsWhereNoEasierOneDoes(t *testing.T) {
	count := map[Technique]int{}
	var f Finder
	for _, e := range examples(t) {
		count[e.technique]++
		p := e.line.Position
		if s, ok := f.Next(p, easier(e.technique)...); ok {
			t.Errorf("%v: %s\nthere is an easier step: %v", e.technique, p.LibraryLine(), &s)
		}
		s, ok := f.Next(p, e.technique)
		if !ok || !sameCandidates(s.Place, e.line.Place) || !sameCandidates(s.Eliminate, e.line.Eliminate) {
			t.Errorf("%v: %s\ngot %v\nwant %v %v", e.technique, p.LibraryLine(), &s, e.line.Place, e.line.Eliminate)
			continue
		}
		all := f.Find(p, 0, e.technique)
		if e.technique != NestedForcingChains && !slices.ContainsFunc(all, func(other Step) bool { return effectOf(&other) == effectOf(&s) }) {
			t.Errorf("%v: %s\nthe first step is not among all steps", e.technique, p.LibraryLine())
		}
		q := *p
		if err := q.Apply(&s); err != nil {
			t.Error(err)
		}
		if wrong, err := q.Wrong(); err != nil || !wrong.Empty() {
			t.Errorf("%v: %s\n%v\nleads away from the solution: %v %v", e.technique, p.LibraryLine(), &s, wrong, err)
		}
		for _, found := range f.Find(&q, 0, e.technique) {
			if effectOf(&found) == effectOf(&s) {
				t.Errorf("%v: %s\nthe step is found again after it was done", e.technique, p.LibraryLine())
			}
		}
	}
	for technique := range techniques {
		if count[technique] == 0 {
			t.Errorf("there is no example of %v", technique)
		}
	}
}

// TestReasonNamesWhatTheStepIsAbout looks at the words of each step and its hints.
func TestReasonNamesWhatTheStepIsAbout(t *testing.T) {
	var f Finder
	for _, e := range examples(t) {
		s, _ := f.Next(e.line.Position, e.technique)
		reason := s.Reason()
		if !strings.ContainsAny(reason, s.Digits.String()) {
			t.Errorf("%v: the reason does not name a digit of %v: %s", e.technique, s.Digits, reason)
		}
		for _, bad := range []string{"%!", "  ", "<nil>", " ,", "[]"} {
			if strings.Contains(reason, bad) {
				t.Errorf("%v: the reason has %q: %s", e.technique, bad, reason)
			}
		}
		for _, stage := range []Stage{Vague, Where} {
			if hint := s.Hint(stage); strings.Contains(hint, "<>") || strings.Contains(hint, "=") {
				t.Errorf("%v: an early hint gives the effect away: %s", e.technique, hint)
			}
		}
		if hint := s.Hint(Full); !strings.HasSuffix(hint, s.Effect()) {
			t.Errorf("%v: the full hint lacks the effect %s: %s", e.technique, s.Effect(), hint)
		}
	}
}

// TestLibraryLineRoundTrip writes and reads positions.
func TestLibraryLineRoundTrip(t *testing.T) {
	for _, e := range examples(t) {
		line, err := ParseLibraryLine(e.line.Position.LibraryLine())
		if err != nil || *line.Position != *e.line.Position {
			t.Errorf("%s: read as %s, %v", e.line.Position.LibraryLine(), line.Position.LibraryLine(), err)
		}
	}
}
