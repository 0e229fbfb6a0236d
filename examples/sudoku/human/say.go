package human

import (
	"fmt"
	"strings"
)

// A Phrase is a part of an explanation in English, with the verbs of package fmt. It is the
// key of its translations.
type Phrase string

// Say writes a phrase in a language. For English it does as [fmt.Sprintf] does. The
// arguments are numbers, texts that Say has returned, and values of the types [Cell], [Set],
// [Candidate], [House] and [Digits], whose methods String are English.
type Say func(p Phrase, args ...any) string

func english(p Phrase, args ...any) string { return fmt.Sprintf(string(p), args...) }

// list joins the words of things, as in "a, b and c".
func list[T any](things []T, word func(T) string, say Say) string {
	words := make([]string, len(things))
	for i, t := range things {
		words[i] = word(t)
	}
	return join(words, "%s and %s", say)
}

// join joins words with a phrase before the last.
func join(words []string, last Phrase, say Say) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return say(last, strings.Join(words[:n-1], ", "), words[n-1])
}

// words names digits, as in "1, 3 and 7" or, of which one is meant, "1, 3 or 7".
func (s Digits) words(last string, say Say) string {
	var words []string
	for d := range s.All() {
		words = append(words, say("%d", d))
	}
	if last == "or" {
		return join(words, "%s or %s", say)
	}
	return join(words, "%s and %s", say)
}

// houseWords names houses, those of one kind together, as in "rows 1 and 5".
func houseWords(all []House, say Say) string {
	for _, h := range all {
		if h.kind() != all[0].kind() || len(all) == 1 {
			return list(all, func(h House) string { return say("%v", h) }, say)
		}
	}
	kind := [...]Phrase{"rows %s", "columns %s", "boxes %s"}[all[0].kind()]
	return say(kind, list(all, func(h House) string { return say("%d", int(h)%9+1) }, say))
}

// oneOf names cells of which one is meant.
func oneOf(cells Set, say Say) string {
	if cells.Len() == 1 {
		return say("%v", cells)
	}
	return say("one of %v", cells)
}

// chainWords writes a chain of links as a line of inference that begins with an
// assumption, as in "if r1c2<>5, then r1c7=5, so r3c7<>5". Of a long one only what is
// true is told, and the end.
func chainWords(chain []Link, say Say) string {
	text := say("if %s", chain[0].From.text(chain[0].Kind.from(), say))
	next := Phrase(", then %s")
	for i, l := range chain {
		last := i+1 == len(chain)
		if !last && chain[i+1].To == l.To && chain[i+1].Kind.to() == l.Kind.to() {
			continue // one conclusion from several links
		}
		if !last && len(chain) > 24 && !l.Kind.to() {
			continue
		}
		text += say(next, l.To.text(l.Kind.to(), say))
		next = ", so %s"
		if len(chain) > 24 {
			next = ", %s"
		}
	}
	return text
}
