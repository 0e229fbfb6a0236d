package document

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// mostStates is the number of states up to which a page has a picture. One of more is slow to make, and
// nobody can read it.
const mostStates = 1000

// WriteHTML writes the page as one file of HTML that loads nothing.
func (p *Page) WriteHTML(w io.Writer) error {
	var picture strings.Builder
	if len(p.States) <= mostStates {
		if err := p.WritePicture(&picture); err != nil {
			return err
		}
	}
	return pageTemplate.Execute(w, struct {
		*Page
		Picture template.HTML
		Style   template.CSS
	}{p, template.HTML(picture.String()), template.CSS(pageCSS)})
}

// WritePicture writes the picture of the chart as SVG.
func (p *Page) WritePicture(w io.Writer) error {
	return p.diagram.Layout().WriteSVG(w, diagram.SVGOptions{})
}
