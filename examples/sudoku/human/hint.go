package human

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Stage says how much a hint gives away.
type Stage int

// The stages of a hint.
const (
	Vague Stage = iota // what to look for, and its idea
	Where              // and where to look
	Full               // what follows, and why
)

// Hint returns a hint to a step, which gives away as much as the stage says.
func (s *Step) Hint(stage Stage) string { return s.Explain(stage, english) }

// Explain returns a hint in a language.
func (s *Step) Explain(stage Stage, say Say) string {
	var what string
	if name := s.Technique.Name(say); strings.ContainsRune("AEIOX", rune(s.Technique.String()[0])) { // as in "an X-Wing"
		what = say("look for an %s", name)
	} else {
		what = say("look for a %s", name)
	}
	aim := say("it eliminates candidates")
	if len(s.Place) > 0 {
		aim = say("it places a digit")
	}
	switch stage {
	case Vague:
		about := s.Technique.About(say)
		first, size := utf8.DecodeRuneInString(about)
		return fmt.Sprintf("%s: %s. %c%s", what, aim, unicode.ToUpper(first), about[size:])
	case Where:
		return fmt.Sprintf("%s %s: %s", what, s.where(say), aim)
	}
	return fmt.Sprintf("%s: %s", catalogue[s.Technique].reason(s, say), s.effect(say))
}

// where says in which houses or cells a step is found.
func (s *Step) where(say Say) string {
	switch {
	case len(s.Houses) > 0 && len(s.Houses) <= 4:
		return say("in %s", houseWords(s.Houses, say))
	case len(s.Cells) > 0:
		return say("at %v", Cells(s.Cells...))
	case len(s.Chains) > 0:
		return say("that begins at %v", s.Chains[0][0].From.Cells)
	}
	return say("on %s", s.Digits.words("and", say))
}
