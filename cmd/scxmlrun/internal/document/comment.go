package document

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Block is a paragraph, or lines that stay as they are.
type Block struct {
	Text string
	Pre  bool
}

// comment returns the comment about an element: the one before it, and the one after it on its line.
func (w *writer) comment(e *scxml.Element) string {
	if e == nil {
		return ""
	}
	before, after := e.Comment, w.after(e)
	if sibling := w.previous[e]; sibling != nil {
		before = strings.TrimPrefix(before, w.after(sibling))
	}
	return strings.Trim(before+"\n\n"+after, "\n")
}

// after returns the comment after an element on the same line, or "".
func (w *writer) after(e *scxml.Element) string {
	if w.line != e.End.Line { // a document on one line has many ends there
		w.line, w.runes = e.End.Line, []rune(w.lines[e.End.Line-1])
	}
	rest := w.runes[min(e.End.Col-1, len(w.runes)):]
	for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
		rest = rest[1:]
	}
	const begin, end = "<!--", "-->"
	if !startsWith(rest, begin) {
		return ""
	}
	rest = rest[len(begin):]
	for i := range rest {
		if startsWith(rest[i:], end) {
			return string(rest[:i])
		}
	}
	return ""
}

func startsWith(runes []rune, text string) bool {
	return len(runes) >= len(text) && string(runes[:len(text)]) == text
}

// notes returns the comments about an element and those in it, on one line.
func (w *writer) notes(e *scxml.Element) string {
	if e == nil {
		return ""
	}
	all := inline(w.comment(e))
	for _, child := range e.Children {
		all = strings.TrimSpace(all + " " + w.notes(child))
	}
	return strings.TrimSpace(all + " " + inline(e.Last))
}

func inline(comment string) string { return strings.Join(strings.Fields(comment), " ") }

// blocks divides a comment into paragraphs, and tables and lists whose lines stay as they are: those
// that are indented, or have wide gaps.
func blocks(comment string) []Block {
	var all []Block
	open := false
	for line := range strings.Lines(undent(comment) + "\n") {
		line = strings.TrimRight(line, " \t\r\n")
		text := strings.TrimLeft(line, " \t")
		pre := len(line)-len(text) > 1 || strings.Contains(text, "   ")
		switch last := len(all) - 1; {
		case text == "":
			open = false
		case open && pre && all[last].Pre:
			all[last].Text += "\n" + line
		case open && !pre && !all[last].Pre:
			all[last].Text += " " + text
		default:
			all = append(all, Block{line, pre})
			open = true
		}
	}
	for i := range all {
		if all[i].Pre {
			all[i].Text = undent(all[i].Text)
		}
	}
	return all
}

// undent removes the space that all lines begin with, and empty lines at both ends. The first line
// may begin later, as that of a comment does.
func undent(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\t", "    "), "\n")
	least := -1
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if strings.TrimSpace(line) != "" && (i > 0 || indent > 1) && (least < 0 || indent < least) {
			least = indent
		}
	}
	for i, line := range lines {
		if i == 0 {
			lines[0] = strings.TrimLeft(line, " ")
		} else {
			lines[i] = strings.TrimRight(line[min(max(least, 0), len(line)):], " \r")
		}
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
