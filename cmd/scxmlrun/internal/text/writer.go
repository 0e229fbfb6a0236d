// Package text writes lines for people, in colour if possible: what a session does, and
// what a command has found.
package text

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
)

// A Writer writes lines. After a failed write it writes nothing more.
type Writer struct {
	W      io.Writer
	Colour bool
	Width  int   // to which data is shortened; 0: lines may be long
	Err    error // of the first write that failed
}

// NewWriter returns a writer that uses colour if w is a suitable terminal and NO_COLOR is
// not set (no-color.org).
func NewWriter(w io.Writer) *Writer {
	return &Writer{W: w, Colour: cli.CanMoveCursor(w) && os.Getenv("NO_COLOR") == ""}
}

// The looks of text are parameters of the terminal's SGR sequence.
const (
	Bold   = "1"
	Dim    = "2"
	Red    = "31"
	Green  = "32"
	Yellow = "33"
	Cyan   = "36"
)

// Paint returns text in a look, made safe to show. Line breaks are escaped.
func (t *Writer) Paint(look, text string) string {
	text = cli.Visible(text, cli.EscapeNewlines)
	if !t.Colour || look == "" {
		return text
	}
	return "\x1b[" + look + "m" + text + "\x1b[0m"
}

// Print writes text unchanged.
func (t *Writer) Print(text string) {
	if t.Err == nil {
		_, t.Err = io.WriteString(t.W, text)
	}
}

// Margin is the width of the column before the text of an item.
const Margin = 8

// Item writes a line with a word in the margin. Further lines of the text are indented like the first.
func (t *Writer) Item(look, word, text string) {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i == 0 {
			b.WriteString(t.Paint(look, fmt.Sprintf("%-*s", Margin-1, word)) + " ")
		} else {
			b.WriteString(strings.Repeat(" ", Margin))
		}
		b.WriteString(cli.Visible(line, cli.EscapeNewlines) + "\n")
	}
	t.Print(b.String())
}

// Shorten cuts a text to n characters, and says so.
func Shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return fmt.Sprintf("%s… (%d characters)", string(runes[:n]), len(runes))
}

// Fill breaks a text into lines of at most width characters, with an indent before all but
// the first.
func Fill(text string, width int, indent string) string {
	if width < 10 {
		return text
	}
	return strings.Join(widget.Wrap(strings.Join(strings.Fields(text), " "), width), "\n"+indent)
}
