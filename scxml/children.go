package scxml

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// children compiles the documents that a chart invokes, each file once.
type children struct {
	mu    sync.Mutex
	files map[string]*Chart
}

// load returns the chart in the file that src names.
func (c *children) load(parent *Chart, src string) (*Chart, error) {
	name, err := doc.FileName(src)
	if err != nil {
		return nil, err
	}
	if parent.config.loader == nil {
		return nil, fmt.Errorf("cannot read %q: no loader is given", src)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if chart := c.files[name]; chart != nil {
		return chart, nil
	}
	source, dir, err := parent.config.load(parent.config.loader, name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %q: %w", src, err)
	}
	cfg := parent.config
	cfg.loader = dir
	d, problems := doc.Parse(path.Join(path.Dir(parent.file), name), source, cfg.docOptions())
	chart, err := cfg.chart(d, problems)
	if err != nil {
		return nil, err
	}
	if c.files == nil {
		c.files = make(map[string]*Chart)
	}
	c.files[name] = chart
	return chart, nil
}

// computed returns the chart for the value of <content expr>: XML, or the text of a document.
func (c *children) computed(parent *Chart, v datamodel.Value, pos datamodel.Position) (*Chart, error) {
	switch v := v.(type) {
	case *datamodel.Node:
		return parent.config.chart(doc.ParseNode(parent.file, v, parent.config.docOptions()))
	case string:
		return parent.config.chart(doc.Parse(pos.String()+" (content)", []byte(v), parent.config.docOptions()))
	}
	return nil, fmt.Errorf("the content is %s: want an SCXML document", strings.TrimSpace(short.Text(datamodel.Text(v), 61)))
}
