package human

import (
	"fmt"
	"strings"
)

// A Stage says how much a hint gives away.
type Stage int

// The stages of a hint.
const (
	Vague Stage = iota // what to look for
	Where              // and where to look
	Full               // what follows, and why
)

// Hint returns a hint to a step, which gives away as much as the stage says.
func (s *Step) Hint(stage Stage) string {
	name := s.Technique.String()
	what := "look for a " + name
	if strings.ContainsRune("AEIOX", rune(name[0])) { // as in "an X-Wing"
		what = "look for an " + name
	}
	aim := "it eliminates candidates"
	if len(s.Place) > 0 {
		aim = "it places a digit"
	}
	switch stage {
	case Vague:
		return fmt.Sprintf("%s: %s", what, aim)
	case Where:
		return fmt.Sprintf("%s %s: %s", what, s.where(), aim)
	}
	return fmt.Sprintf("%s: %s", s.Reason(), s.Effect())
}

// where says in which houses or cells a step is found.
func (s *Step) where() string {
	switch {
	case len(s.Houses) > 0 && len(s.Houses) <= 4:
		return "in " + houseWords(s.Houses)
	case len(s.Cells) > 0:
		return "at " + Cells(s.Cells...).String()
	case len(s.Chains) > 0:
		return "that begins at " + s.Chains[0][0].From.Cells.String()
	}
	return "on " + s.Digits.words("and")
}
