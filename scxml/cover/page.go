package cover

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

//go:embed page.css
var style string

// page returns a page that shows the documents, and that has data in it.
func (p *Profile) page(data []byte) []byte {
	documents := p.Documents()
	hash := sha256.Sum256([]byte("\n" + style)) // of what is between the tags
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'">
<title>Coverage %s</title>
<style>
%s</style>
</head>
<body>
<h1>Coverage %[2]s</h1>
<table>
<tr><th>chart</th><th>states</th><th>transitions</th><th>conditions</th><th>total</th></tr>
`, base64.StdEncoding.EncodeToString(hash[:]), format(tallyOf(documents...).percent()), style)
	for i, d := range documents {
		fmt.Fprintf(&b, "<tr><td><a href=\"#d%d\">%s</a></td><td>%v</td><td>%v</td><td>%v</td><td>%v</td></tr>\n",
			append([]any{i, shown(d.File)}, tallyOf(d).cells()...)...)
	}
	fmt.Fprintf(&b, `</table>
<p>Sum of %s. The margin says how often each state was entered and each transition taken.
<span class="all">reached</span> <span class="some">+ reached in part, or a condition had one outcome
only</span> <span class="none">! never reached</span></p>
`, plural(p.runs, "test run"))
	for i := range documents {
		documents[i].page(&b, i)
	}
	b.WriteString(dataBegin)
	b.Write(data)
	b.WriteString(dataEnd + "\n</body>\n</html>\n")
	return []byte(b.String())
}

// page writes the lines of a document, or without its text the elements that were not reached.
func (d *Document) page(b *strings.Builder, number int) {
	fmt.Fprintf(b, "<h2 id=\"d%d\">%s</h2>\n<div class=\"source\">\n", number, shown(d.File))
	elements := d.Elements
	for i, text := range strings.Split(strings.TrimSuffix(d.Source, "\n"), "\n") {
		n := 0
		for n < len(elements) && elements[n].Line <= i+1 && d.Source != "" {
			n++
		}
		class, times := sumUp(elements[:n])
		fmt.Fprintf(b, "<div%s><i>%s</i><i>%d</i><code>%s</code></div>\n", class, times, i+1, shown(strings.TrimSuffix(text, "\r")))
		notes(b, elements[:n])
		elements = elements[n:]
	}
	notes(b, elements)
	b.WriteString("</div>\n")
}

// sumUp returns the class of a line with some elements, and what its margin says.
func sumUp(elements []Element) (class, times string) {
	if len(elements) == 0 {
		return "", ""
	}
	all, none := true, true
	for i, e := range elements {
		all = all && len(e.missing()) == 0
		none = none && e.Count == 0
		if i > 0 {
			times += " "
		}
		times += strconv.Itoa(e.Count)
	}
	switch {
	case all:
		return ` class="all"`, times
	case none:
		return ` class="none"`, times + "!"
	}
	return ` class="some"`, times + "+"
}

// mostInLine is the greatest number of characters that the page shows of a line.
const mostInLine = 2000

// shown returns a text as HTML in which everything can be seen.
func shown(text string) string {
	return html.EscapeString(datamodel.Visible(short.Text(text, mostInLine), func(r rune, raw string) string {
		if r == '\t' {
			return raw
		}
		return datamodel.Visible(raw, nil)
	}))
}

func notes(b *strings.Builder, elements []Element) {
	for _, e := range elements {
		for _, what := range e.missing() {
			fmt.Fprintf(b, "<p>%s</p>\n", shown(what))
		}
	}
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
