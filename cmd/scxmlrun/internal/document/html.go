package document

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"hasNotes": hasNotes}).Parse(pageHTML))
})

func hasNotes(events []Event) bool {
	return slices.ContainsFunc(events, func(ev Event) bool { return len(ev.Notes) > 0 })
}

// columnWidth is the width in pixels from which a picture may have to be made smaller.
const columnWidth = 980

// mostStates is the number of states up to which a page has a picture. Nobody can read one of more.
const mostStates = 1000

// MaxStates is the number of states up to which there is a page.
const MaxStates = 20_000

// WriteHTML writes the page as one file of HTML that loads nothing.
func (p *Page) WriteHTML(w io.Writer) error {
	var picture strings.Builder
	wide := false
	if len(p.States) <= mostStates {
		link := func(n *diagram.Node) string {
			if n.Parent == nil {
				return ""
			}
			return "#" + ref(n).Anchor
		}
		layout, err := p.diagram.Layout(context.Background())
		switch {
		case err == nil:
			wide = layout.Width > columnWidth
			err = layout.WriteSVG(&picture, diagram.SVGOptions{Link: link, Marks: p.diagram.Marks()})
		case errors.As(err, new(*diagram.TooLargeError)):
			err = nil
		}
		if err != nil {
			return err
		}
	}
	policy := "default-src 'none'; style-src"
	for _, part := range append(strings.Split(picture.String(), "<style>")[1:], "\n"+pageCSS) {
		style, _, _ := strings.Cut(part, "</style>")
		hash := sha256.Sum256([]byte(style))
		policy += " 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
	}
	return pageTemplate().Execute(w, struct {
		*Page
		Policy  string
		Picture template.HTML
		Wide    bool
		Style   template.CSS
	}{p, policy + "; base-uri 'none'; form-action 'none'", template.HTML(picture.String()), wide, template.CSS(pageCSS)})
}

// WritePicture writes the picture of the chart as SVG. The error is that of [diagram.Diagram.Layout].
func (p *Page) WritePicture(w io.Writer) error {
	layout, err := p.diagram.Layout(context.Background())
	if err != nil {
		return err
	}
	return layout.WriteSVG(w, diagram.SVGOptions{Marks: p.diagram.Marks()})
}
