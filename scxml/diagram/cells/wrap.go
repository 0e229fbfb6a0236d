package cells

import "strings"

// indented is the space before the second line of a text and the following ones.
const indented = 2

// wrap divides a text into lines of at most n columns, between words where it can.
func wrap(text []Span, n int) [][]Span {
	n = max(n, indented+2) // a wide character has room in each line
	var all [][]Span
	var line []Span
	used := 0
	put := func(s Span, text string) {
		if text == "" {
			return
		}
		s.Text, s.Width = text, columns(text)
		used += s.Width
		if last := len(line) - 1; last >= 0 && line[last].Kind == s.Kind {
			line[last].Text += s.Text
			line[last].Width += s.Width
			return
		}
		line = append(line, s)
	}
	feed := func(s Span) {
		all = append(all, line)
		line, used = nil, 0
		s.Kind = Blank
		put(s, strings.Repeat(" ", indented))
	}
	for _, word := range words(text, n-indented) {
		space := widthOf(word)
		if last := word[len(word)-1].Text; strings.HasSuffix(last, " ") {
			space--
		}
		if used > indented && used+space > n {
			feed(word[0])
		}
		for _, s := range word {
			for used+columns(strings.TrimRight(s.Text, " ")) > n {
				head, rest := cut(s.Text, n-used)
				put(s, head)
				feed(s)
				s.Text = rest
			}
			if used+columns(s.Text) > n { // only its space does not fit
				s.Text = strings.TrimRight(s.Text, " ")
			}
			put(s, s.Text)
		}
	}
	return append(all, line)
}

// words divides a text where a line may end: after a space, but not after an arrow or a slash, and in a
// condition or an action only if it has more than n columns.
func words(text []Span, n int) [][]Span {
	var all [][]Span
	open := false
	for _, s := range text {
		parts := strings.SplitAfter(s.Text, " ")
		if (s.Kind == Cond || s.Kind == Action) && columns(strings.TrimRight(s.Text, " ")) <= n {
			parts = []string{s.Text}
		}
		for _, part := range parts {
			if part == "" {
				continue
			}
			piece := s
			piece.Text, piece.Width = part, columns(part)
			if open {
				all[len(all)-1] = append(all[len(all)-1], piece)
			} else {
				all = append(all, []Span{piece})
			}
			open = !strings.HasSuffix(part, " ") || s.Kind == Arrow || part == slash
		}
	}
	return all
}

func widthOf(line []Span) int {
	w := 0
	for _, s := range line {
		w += s.Width
	}
	return w
}
