package document

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteMarkdown writes the page as Markdown, with tables as GitHub has them. The picture is the name of a
// file; without one, the page has the tree of the chart.
func (p *Page) WriteMarkdown(w io.Writer, picture string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s: %s. Data model: %s.\n\n", plain(p.Title), code(p.File), p.Counts, plain(p.Datamodel))
	writeBlocks(&b, p.Intro)
	if picture != "" {
		fmt.Fprintf(&b, "![Picture of the chart](<%s>)\n\n", strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "%0A").Replace(picture))
	} else {
		b.WriteString(fenced(p.Tree) + "\n")
	}
	if len(p.Received) > 0 {
		b.WriteString("## Events in\n\n")
	}
	for _, g := range p.Received {
		fmt.Fprintf(&b, "### %s\n\n", g.From)
		writeEvents(&b, g.Events)
	}
	if len(p.Sent) > 0 {
		b.WriteString("## Events out\n\n")
		writeEvents(&b, p.Sent)
	}
	if len(p.Services) > 0 {
		b.WriteString("## Invocations\n\n")
		rows := [][]string{{"Id", "Type", "Data", "In", "Notes"}}
		for _, s := range p.Services {
			rows = append(rows, []string{code(s.Name), plain(s.Text), fields(s.Fields), ofState(s.State), plain(s.Note)})
		}
		writeTable(&b, rows)
	}
	if len(p.Data) > 0 {
		b.WriteString("## Data\n\n")
		rows := [][]string{{"Name", "Initial value", "Type", "In Go", "Of", "Notes"}}
		for _, d := range p.Data {
			rows = append(rows, []string{code(d.Name), code(d.Text), code(d.Types), code(d.Go), ofState(d.State), plain(d.Note)})
		}
		writeTable(&b, rows)
	}
	if len(p.Scripts)+len(p.Declared) > 0 {
		b.WriteString("## Scripts\n\n")
	}
	for _, s := range p.Scripts {
		if s.Note != "" {
			b.WriteString(plain(s.Note) + "\n\n")
		}
		if s.Text != "" {
			b.WriteString(fenced(s.Text+"\n") + "\n")
		} else {
			b.WriteString(code(s.Name) + "\n\n")
		}
	}
	if len(p.Declared) > 0 {
		rows := [][]string{{"Name", "Type", "In Go"}}
		for _, d := range p.Declared {
			rows = append(rows, []string{code(d.Name), code(d.Types), code(d.Go)})
		}
		writeTable(&b, rows)
	}
	b.WriteString("## States\n\n")
	for i := range p.States {
		p.States[i].markdown(&b)
	}
	b.WriteString("## Limits\n\n")
	rows := [][]string{{"Limit", "This document", "Allowed"}}
	for _, l := range append(p.Used, p.Allowed...) {
		rows = append(rows, []string{l.Name, l.Used, l.Allowed})
	}
	writeTable(&b, rows)
	b.WriteString("## Diagnostics\n\n")
	for _, d := range p.Problems {
		fmt.Fprintf(&b, "- %s %s: %s (%s)\n", code(d.Pos.String()), d.Severity, plain(d.Message), d.Code)
	}
	if len(p.Problems) == 0 {
		b.WriteString("None.\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

func writeEvents(b *bytes.Buffer, events []Event) {
	rows := [][]string{{"Event", "Data", "In", "Notes"}}
	for _, ev := range events {
		name := code(ev.Name)
		for _, to := range ev.To {
			name += " to " + code(to)
		}
		if len(ev.Delays) > 0 {
			name += " after " + code(strings.Join(ev.Delays, ", "))
		}
		rows = append(rows, []string{name, fields(ev.Data), states(ev.States), plain(strings.Join(ev.Notes, " "))})
	}
	writeTable(b, rows)
}

func (s *State) markdown(b *bytes.Buffer) {
	notes := ""
	if s.Kind != "state" {
		notes += ", " + s.Kind
	}
	if s.Initial {
		notes += ", initial"
	}
	fmt.Fprintf(b, "### <a id=\"%s\"></a>%s%s\n\n", s.Anchor, plain(s.Name), notes)
	if len(s.Within) > 0 {
		fmt.Fprintf(b, "In %s.\n\n", states(s.Within))
	}
	writeBlocks(b, s.About)
	for _, l := range s.Lines {
		writeItem(b, l.When, l.Text, "")
	}
	for _, t := range s.Transitions {
		text := t.Kind
		if t.Event != "" {
			text += " **" + code(t.Event) + "**"
		}
		if t.Cond != "" {
			text += " [" + code(t.Cond) + "]"
		}
		if len(t.Targets) > 0 {
			text += " → " + states(t.Targets)
		}
		if t.Internal {
			text += " (internal)"
		}
		writeItem(b, strings.TrimSpace(text), t.Actions, t.Note)
	}
	if len(s.Lines)+len(s.Transitions) > 0 {
		b.WriteString("\n")
	}
	if len(s.Children) > 0 {
		fmt.Fprintf(b, "States in it: %s.\n\n", states(s.Children))
	}
}

// writeItem writes an item of a list: when something happens, what is done, and a note.
func writeItem(b *bytes.Buffer, when, actions, note string) {
	if note != "" {
		note = ": " + plain(note)
	}
	switch {
	case strings.Contains(actions, "\n"):
		fmt.Fprintf(b, "- %s%s\n  %s\n", when, note, strings.ReplaceAll(strings.TrimSuffix(fenced(actions+"\n"), "\n"), "\n", "\n  "))
	case actions != "":
		fmt.Fprintf(b, "- %s / %s%s\n", when, code(actions), note)
	default:
		fmt.Fprintf(b, "- %s%s\n", when, note)
	}
}

func writeBlocks(b *bytes.Buffer, all []Block) {
	for _, block := range all {
		if block.Pre {
			b.WriteString(fenced(block.Text+"\n") + "\n")
		} else {
			b.WriteString(plain(block.Text) + "\n\n")
		}
	}
}

// writeTable writes a table, its head first, without columns that have nothing below it. A character | is
// escaped, even in code.
func writeTable(b *bytes.Buffer, rows [][]string) {
	shown := make([]bool, len(rows[0]))
	for j := range shown {
		shown[j] = slices.ContainsFunc(rows[1:], func(r []string) bool { return r[j] != "" })
	}
	for i, row := range rows {
		rule := ""
		for j, cell := range row {
			if !shown[j] {
				continue
			}
			b.WriteString("| ")
			for k, r := range cell {
				if r == '|' && !strings.HasSuffix(cell[:k], `\`) {
					b.WriteByte('\\')
				}
				b.WriteRune(r)
			}
			b.WriteByte(' ')
			rule += "|---"
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(rule + "|\n")
		}
	}
	b.WriteByte('\n')
}

func fields(all []Field) string {
	var texts []string
	for _, f := range all {
		text := code(f.Name)
		if f.What != "" {
			text = strings.TrimSpace(text + " " + plain(inline(f.What)))
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "<br>")
}

func states(all []Ref) string {
	var texts []string
	for _, s := range all {
		texts = append(texts, fmt.Sprintf("[%s](#%s)", plain(s.Name), s.Anchor))
	}
	return strings.Join(texts, ", ")
}

func ofState(s *Ref) string {
	if s == nil {
		return ""
	}
	return states([]Ref{*s})
}

// special are the characters that mean something in Markdown, in the middle of a line or at its
// beginning.
const special = "\\`*_{}[]<>()#+!|~&$"

// plain returns text as Markdown that shows it as it is.
func plain(text string) string {
	var b strings.Builder
	for i, r := range text {
		if strings.ContainsRune(special, r) || i == 0 && strings.ContainsRune("-=.:", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code returns text on one line in a code span.
func code(text string) string {
	text = inline(text)
	if text == "" {
		return ""
	}
	ticks := strings.Repeat("`", longest(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// fenced returns lines as a block of code.
func fenced(text string) string {
	ticks := strings.Repeat("`", max(longest(text, '`')+1, 3))
	return ticks + "\n" + text + ticks + "\n"
}

// longest returns the length of the longest run of a character.
func longest(text string, of rune) (most int) {
	run := 0
	for _, r := range text {
		if r != of {
			run = -1
		}
		run++
		most = max(most, run)
	}
	return most
}
