package console

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A Vocabulary is what can be completed.
type Vocabulary struct {
	Commands, Events, States, Data []string
}

// candidates returns the possible completions, in order, of the end of text, which is
// the line before the cursor, and where in text they begin.
func (v *Vocabulary) candidates(text string) (start int, words []string) {
	start = strings.LastIndexByte(text, ' ') + 1
	switch before := strings.Fields(text[:start]); {
	case len(before) == 0:
		words = slices.Concat(v.Commands, v.Events)
	case slices.Contains(evaluating, before[0]):
		start = strings.LastIndexFunc(text, notOfName) + 1
		words = v.Data
	case len(before) > 1:
	case before[0] == "send":
		words = v.Events
	case before[0] == "in":
		words = v.States
	case before[0] == "data":
		words = v.Data
	case before[0] == "trace":
		words = []string{"on", "off"}
	}
	var all []string
	for _, w := range words {
		if strings.HasPrefix(w, text[start:]) && cli.Visible(w, cli.EscapeNewlines) == w && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return start, all
}

// evaluating are the commands with an expression.
var evaluating = []string{"eval", "print", "p", "set", "watch"}

// notOfName reports whether r is not part of the name of a data item.
func notOfName(r rune) bool {
	return !(r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf)
}

// complete completes the word before the cursor as far as all candidates agree. If
// they agree on nothing more, it returns them.
func (v *Vocabulary) complete(line string, pos int) (newLine string, newPos int, choices []string) {
	start, words := v.candidates(line[:pos])
	if len(words) == 0 {
		return line, pos, nil
	}
	word := words[0]
	for _, w := range words[1:] {
		n := 0
		for n < min(len(word), len(w)) && word[n] == w[n] {
			n++
		}
		for n > 0 && n < len(word) && !utf8.RuneStart(word[n]) {
			n--
		}
		word = word[:n]
	}
	if len(words) == 1 && !strings.HasSuffix(word, ".") && !strings.HasPrefix(line[pos:], " ") && !slices.Contains(evaluating, strings.SplitN(line, " ", 2)[0]) {
		word += " "
	}
	if word == line[start:pos] && len(words) > 1 {
		return line, pos, words
	}
	return line[:start] + word + line[pos:], start + len(word), nil
}

// Completable returns the beginnings of event names that descriptors match.
func Completable(descriptors []string) (names []string) {
	for _, d := range descriptors {
		if d = strings.TrimSuffix(d, "*"); d != "" {
			names = append(names, d)
		}
	}
	return names
}

// columns writes words in columns, as many in a row as fit.
func columns(words []string, width int) string {
	widest := 0
	for _, w := range words {
		widest = max(widest, utf8.RuneCountInString(w))
	}
	perRow := max(1, width/(widest+2))
	var b strings.Builder
	for i, w := range words {
		b.WriteString(w)
		if (i+1)%perRow == 0 || i == len(words)-1 {
			b.WriteByte('\n')
		} else {
			b.WriteString(strings.Repeat(" ", widest+2-utf8.RuneCountInString(w)))
		}
	}
	return b.String()
}
