package console

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A Vocabulary has the words of each kind.
type Vocabulary map[Kind][]string

// candidates returns the possible completions, in order, of the end of text, which is
// the line before the cursor, and where in text they begin. An expression can continue after them.
func (v Vocabulary) candidates(commands Commands, text string) (start int, words []string, expression bool) {
	start = strings.LastIndexByte(text, ' ') + 1
	if before := strings.Fields(text[:start]); len(before) == 0 {
		words = slices.Concat(commands.Words(), v[Events])
	} else if c := commands.Find(before[0]); c != nil {
		switch {
		case c.completes == Expression:
			start, words, expression = strings.LastIndexFunc(text, notOfName)+1, v[Data], true
		case len(before) > 1:
		case c.completes == Choices:
			words = strings.Split(c.usage[len(c.Names[0])+1:], "|")
		default:
			words = v[c.completes]
		}
	}
	var all []string
	for _, w := range words {
		if strings.HasPrefix(w, text[start:]) && cli.Visible(w, cli.EscapeNewlines) == w && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return start, all, expression
}

// notOfName reports whether r is not part of the name of a data item.
func notOfName(r rune) bool {
	return !(r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf)
}

// complete completes the word before the cursor as far as all candidates agree. If
// they agree on nothing more, it returns them.
func (v Vocabulary) complete(commands Commands, line string, pos int) (newLine string, newPos int, choices []string) {
	start, words, expression := v.candidates(commands, line[:pos])
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
	if len(words) == 1 && !strings.HasSuffix(word, ".") && !strings.HasPrefix(line[pos:], " ") && !expression {
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
