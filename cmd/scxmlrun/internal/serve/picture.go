package serve

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// maxPictures is how many pictures are kept.
const maxPictures = 100

// pictures are those that were drawn, by the name and hash of their versions.
type pictures struct {
	mu    sync.Mutex // one is drawn at a time
	drawn map[string][]byte
}

// picture implements [rest.Config].Picture. Charts behind the wall are not drawn: to read their
// documents is what the wall is for.
func (c *charts) picture(ctx context.Context, name, hash string) ([]byte, error) {
	c.pictures.mu.Lock()
	defer c.pictures.mu.Unlock()
	id := name + "/" + hash
	if svg := c.pictures.drawn[id]; svg != nil {
		return svg, nil
	}
	all, _, err := stored(ctx, c.store)
	if err != nil {
		return nil, err
	}
	for _, v := range all {
		if v.Chart != name || v.Hash != hash {
			continue
		}
		if v.Uploaded || c.options.Isolate != wall.None {
			return nil, fmt.Errorf("charts that run in child processes are not drawn: %w", fleet.ErrNotFound)
		}
		chart, err := scxml.Parse(v.Document, v.Source, scxml.WithLoader(v), scxml.WithLimits(c.limits))
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := diagram.New(chart).Layout().WriteSVG(&b, diagram.SVGOptions{}); err != nil {
			return nil, err
		}
		if len(c.pictures.drawn) >= maxPictures {
			clear(c.pictures.drawn)
		}
		if c.pictures.drawn == nil {
			c.pictures.drawn = map[string][]byte{}
		}
		c.pictures.drawn[id] = b.Bytes()
		return b.Bytes(), nil
	}
	return nil, fleet.ErrNotFound
}
