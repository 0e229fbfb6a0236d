package inspect

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
)

// facts are what is known of a chart.
type facts struct {
	diagram     *diagram.Diagram
	svg         func() []byte
	transitions map[string]string // their names in the picture by their places in the document
	forms       *forms.Forms
}

// factsAbout returns a function that returns the facts about the chart of a session. They are found
// out when they are first needed, and once for all sessions of a chart.
func (in *Inspector) factsAbout(s Session) func() *facts {
	in.mu.Lock()
	defer in.mu.Unlock()
	chart := s.History.Chart()
	for _, m := range in.members {
		if m.History.Chart() == chart {
			return m.facts
		}
	}
	return sync.OnceValue(func() *facts {
		f := &facts{diagram: diagram.New(chart), transitions: map[string]string{}, forms: forms.New(chart, s.Files)}
		for _, e := range f.diagram.Edges {
			if pos := e.Transition.Pos(); pos.IsValid() {
				f.transitions[pos.String()] = e.ID
			}
		}
		f.svg = sync.OnceValue(func() []byte {
			var b bytes.Buffer
			l, err := f.diagram.Layout(context.Background())
			if err != nil {
				const format = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="60"><text x="20" y="36">The chart is too large for a picture: %v.</text></svg>`
				return fmt.Appendf(nil, format, err)
			}
			_ = l.WriteSVG(&b, diagram.SVGOptions{}) // a buffer has no errors
			return b.Bytes()
		})
		return f
	})
}
