package serve

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

const (
	maxPicture  = 4 << 20  // bytes
	maxPictures = 32 << 20 // bytes of those that are kept
)

// pictures are those that were drawn, by the name and hash of their versions.
type pictures struct {
	mu    sync.Mutex // one is drawn at a time
	drawn map[string][]byte
	size  int
}

// picture implements [rest.Config].Picture.
func (c *charts) picture(ctx context.Context, name, hash string) ([]byte, error) {
	c.pictures.mu.Lock()
	defer c.pictures.mu.Unlock()
	id := name + "/" + hash
	if svg := c.pictures.drawn[id]; svg != nil {
		return svg, nil
	}
	names, err := c.store.Files(ctx, versionFiles)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, versionFiles+id) {
		return nil, fleet.ErrNotFound
	}
	v, err := storedVersion(ctx, c.store, versionFiles+id)
	if err != nil {
		return nil, err
	}
	svg, err := c.draw(ctx, v)
	if err == nil && len(svg) > maxPicture {
		err = fmt.Errorf("it has more than %d bytes", maxPicture)
	}
	if err != nil {
		return nil, fmt.Errorf("the chart cannot be drawn: %w: %w", err, fleet.ErrNotFound)
	}
	if c.pictures.size += len(svg); c.pictures.size > maxPictures || c.pictures.drawn == nil {
		c.pictures.drawn, c.pictures.size = map[string][]byte{}, len(svg)
	}
	c.pictures.drawn[id] = svg
	return svg, nil
}

// draw draws a version: in a child if its sessions run there, since only a child reads its document.
func (c *charts) draw(ctx context.Context, v *version) ([]byte, error) {
	if v.Uploaded || c.options.Isolate != wall.None {
		tenant, err := c.tenant(ctx)
		if err != nil {
			return nil, err
		}
		defer tenant.Close()
		svg, err := tenant.Work(ctx, Drawing.Name, (&walled{charts: c, v: v}).spec(), nil)
		if err != nil {
			return nil, err
		}
		return clean(svg)
	}
	chart, err := scxml.Parse(v.Document, v.Source, scxml.WithLoader(v), scxml.WithLimits(c.limits))
	if err != nil {
		return nil, err
	}
	return drawing(ctx, chart, diagram.SVGOptions{})
}

// tenant returns a child of its own.
func (c *charts) tenant(ctx context.Context) (*isolate.Tenant, error) {
	c.mu.Lock()
	err := c.open()
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return c.pool.Tenant(ctx)
}

// Drawing is how children draw charts, for [isolate.Child].
var Drawing = isolate.Work{Name: "picture", Do: func(ctx context.Context, job *isolate.Job) ([]byte, error) {
	chart, err := job.Chart()
	if err != nil {
		return nil, err
	}
	return drawing(ctx, chart, diagram.SVGOptions{NoStyle: true})
}}

func drawing(ctx context.Context, chart *scxml.Chart, o diagram.SVGOptions) ([]byte, error) {
	l, err := diagram.New(chart).Layout(ctx)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = l.WriteSVG(&b, o)
	return b.Bytes(), err
}

// What package diagram writes without a style.
var (
	elements   = []string{"svg", "rect", "g", "title", "circle", "path", "text", "tspan"}
	attributes = []string{
		"class", "width", "height", "viewBox", "role", "aria-label", "data-state", "data-transition",
		"x", "y", "rx", "cx", "cy", "r", "d", "font-size", "text-anchor",
	}
)

// clean writes a picture anew, with our style, from what a child says is one. It takes nothing that could
// do more in a page than be looked at, even if an attacker has written it.
func clean(svg []byte) ([]byte, error) {
	const namespace = "http://www.w3.org/2000/svg"
	if len(svg) > maxPicture {
		return nil, fmt.Errorf("it has more than %d bytes", maxPicture)
	}
	var b bytes.Buffer
	open := false // the element svg
	depth := 0
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF && open {
			return b.Bytes(), nil
		} else if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Space != namespace || !slices.Contains(elements, t.Name.Local) || open == (t.Name.Local == "svg") || open && depth == 0 {
				return nil, fmt.Errorf("it has an element %.40q", t.Name.Local)
			}
			depth++
			fmt.Fprintf(&b, "<%s", t.Name.Local)
			for _, a := range t.Attr {
				switch {
				case a.Name.Local == "xmlns" && !open && a.Value == namespace, a.Name.Space == "" && slices.Contains(attributes, a.Name.Local):
					fmt.Fprintf(&b, ` %s="`, a.Name.Local)
					_ = xml.EscapeText(&b, []byte(a.Value)) // a buffer takes everything
					b.WriteByte('"')
				default:
					return nil, fmt.Errorf("it has an attribute %.40q", a.Name.Local)
				}
			}
			b.WriteByte('>')
			if !open {
				fmt.Fprintf(&b, "<style>%s</style>", diagram.Auto.CSS())
				open = true
			}
		case xml.EndElement:
			depth--
			fmt.Fprintf(&b, "</%s>", t.Name.Local)
		case xml.CharData:
			if depth > 0 { // an escaped line break after the end would be an error
				_ = xml.EscapeText(&b, t)
			}
		default:
			return nil, errors.New("it has more than elements and text")
		}
	}
}
