package compile

import (
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// invokes writes Node.Invoke and Node.Finalize.
func (g *generator) invokes() {
	for _, s := range g.doc.States {
		for _, inv := range s.Invokes {
			g.problem(inv.Pos, "<invoke> is not compiled yet")
		}
	}
	_ = doc.IsSCXMLType
	g.p("\nfunc (m *%s) Invoke(uint16, int) (*machine.Invocation, bool) { return nil, false }", g.nodeType())
	g.p("\nfunc (m *%s) Finalize(uint16, int) {}", g.nodeType())
}
