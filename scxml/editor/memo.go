package editor

import (
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// A memo is the language ECMAScript for the checks. It remembers what was found in the code of the
// last version of a document: nearly all of it is in the next one as well. It is safe for concurrent
// use.
type memo struct {
	datamodel.Language
	datamodel.Checker

	mu         sync.Mutex
	last, next map[piece]checked
}

// A piece is a piece of code.
type piece struct {
	kind      datamodel.Kind
	text, raw string
}

// checked is what was found in a piece of code.
type checked struct {
	datamodel.Expr
	found []datamodel.Finding
	pos   datamodel.Position // of the code for which it was found
}

func newMemo() *memo {
	l := ecmascript.New()
	return &memo{Language: l, Checker: l.(datamodel.Checker), next: map[piece]checked{}}
}

// turn forgets the code that was not in the version before this one.
func (m *memo) turn() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last, m.next = m.next, make(map[piece]checked, len(m.next))
}

// keep keeps the code of the version before this one, of which not all was looked at.
func (m *memo) keep() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, c := range m.last {
		if _, known := m.next[key]; !known {
			m.next[key] = c
		}
	}
}

// Compile implements [datamodel.Language]. What it returns is for Findings only.
func (m *memo) Compile(kind datamodel.Kind, src datamodel.Source) (datamodel.Expr, error) {
	key := piece{kind, src.Text, src.Raw}
	m.mu.Lock()
	c, known := m.next[key]
	if !known {
		if c, known = m.last[key]; known {
			m.next[key] = c
		}
	}
	m.mu.Unlock()
	if known && src.Nodes == nil {
		return c.at(src.Pos), nil
	}
	e, err := m.Language.Compile(kind, src)
	found, ok := e.(datamodel.Checked)
	if err != nil || !ok || src.Nodes != nil {
		return e, err
	}
	c = checked{e, found.Findings(), src.Pos}
	m.mu.Lock()
	m.next[key] = c
	m.mu.Unlock()
	return c, nil
}

// at returns what is found in the same code at another place.
func (c checked) at(pos datamodel.Position) checked {
	if pos == c.pos || len(c.found) == 0 {
		return c
	}
	found := make([]datamodel.Finding, len(c.found))
	for i, f := range c.found {
		if f.Pos.Line == c.pos.Line {
			f.Pos.Col += pos.Col - c.pos.Col
		}
		f.Pos.Line += pos.Line - c.pos.Line
		f.Pos.File = pos.File
		found[i] = f
	}
	return checked{c.Expr, found, pos}
}

// Findings implements [datamodel.Checked].
func (c checked) Findings() []datamodel.Finding { return c.found }
