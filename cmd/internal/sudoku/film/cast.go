package film

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
)

// A recording is an asciicast of version 2: a line of JSON about the terminal, and one for
// each change, with what a terminal has to write.
//
// https://docs.asciinema.org/manual/asciicast/v2/
type recording struct {
	out   *durable.Replacement
	w     *bufio.Writer
	shown *Frame
}

func newCast(name string) (form, error) {
	out, err := durable.Replace(name, 0o666)
	if err != nil {
		return nil, err
	}
	return &recording{out: out, w: bufio.NewWriter(out)}, nil
}

func (r *recording) add(at time.Duration, f *Frame, area image.Rectangle) error {
	var text strings.Builder
	switch {
	case r.shown == nil:
		if err := r.line(map[string]any{"version": 2, "width": f.Width, "height": f.Height, "title": "Sudoku"}); err != nil {
			return err
		}
		text.WriteString("\x1b[?25l")
	case r.shown.Width != f.Width || r.shown.Height != f.Height:
		if err := r.event(at, "r", fmt.Sprintf("%dx%d", f.Width, f.Height)); err != nil {
			return err
		}
		r.shown = nil
	}
	if r.shown == nil {
		text.WriteString("\x1b[0m\x1b[2J")
	}
	var style Cell // of the last text; that of the zero value occurs nowhere
	for y := area.Min.Y; y < area.Max.Y; y++ {
		next := -1 // the column after the last text
		for x := area.Min.X; x < area.Max.X; x++ {
			c := f.Cells[y*f.Width+x]
			if r.shown != nil && same(&r.shown.Cells[y*f.Width+x], &c) || c.Text == "" && next == x+1 {
				continue
			}
			if next != x {
				fmt.Fprintf(&text, "\x1b[%d;%dH", y+1, x+1)
			}
			symbol := cmp.Or(c.Text, " ")
			next = x + 1
			if x+1 < f.Width && f.Cells[y*f.Width+x+1].Text == "" {
				next++
			}
			blank := c.empty() && c.Paper == style.Paper // in any ink
			if c.Text = ""; c != style && !blank {
				style = c
				text.WriteString("\x1b[0" + attribute(c.Bold, 1) + attribute(c.Underline, 4) + attribute(c.Strike, 9))
				fmt.Fprintf(&text, ";38;2;%d;%d;%d;48;2;%d;%d;%dm", c.Ink.R, c.Ink.G, c.Ink.B, c.Paper.R, c.Paper.G, c.Paper.B)
			}
			text.WriteString(symbol)
		}
	}
	r.shown = f
	return r.event(at, "o", text.String())
}

func attribute(on bool, code int) string {
	if on {
		return fmt.Sprint(";", code)
	}
	return ""
}

func (r *recording) event(at time.Duration, code, data string) error {
	return r.line([]any{json.Number(fmt.Sprintf("%.3f", at.Seconds())), code, data})
}

func (r *recording) line(value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = r.w.Write(append(line, '\n'))
	return err
}

func (r *recording) close(end time.Duration) error {
	if err := cmp.Or(r.event(end, "o", "\x1b[0m\x1b[?25h"), r.w.Flush()); err != nil {
		r.out.Discard()
		return err
	}
	return r.out.Commit()
}

func (r *recording) discard() { r.out.Discard() }
