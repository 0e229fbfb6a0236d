package graph

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// refuse returns the error about what is at the present place.
func (s *saver) refuse(what string) error {
	return &datamodel.NotSerializableError{Path: s.path(), What: what}
}

// A step leads from an object to one of its contents.
type step struct {
	notion notion
	index  int
	key    string
}

// steps returns the steps from the bottom of the stack to the present place.
func (s *saver) steps() []step {
	steps := make([]step, 0, len(s.stack))
	for i := range s.stack {
		f := &s.stack[i]
		at := max(f.next-1, 0)
		switch {
		case f.items != nil:
			steps = append(steps, step{notion: f.notion, index: at})
		case len(f.keys) > 0 && f.notion == ofOther:
			steps = append(steps, step{notion: ofOther, key: f.keys[at]})
		case len(f.keys) > 0:
			steps = append(steps, step{notion: ofObject, key: f.keys[at]})
		}
	}
	return steps
}

// maxSteps is how many steps of a path are shown at each of its ends.
const maxSteps = 20

// path returns where in the data the saver is, as a script would write it.
func (s *saver) path() string {
	steps := s.steps()
	for d := s.base; d != nil; d = d.base {
		steps = append(append([]step(nil), d.path...), steps...)
	}
	var b strings.Builder
	b.WriteString(s.root)
	for i, p := range steps {
		if len(steps) > 3*maxSteps && i >= maxSteps && i < len(steps)-maxSteps {
			if i == maxSteps {
				b.WriteString("… " + strconv.Itoa(len(steps)-2*maxSteps) + " more …")
			}
			continue
		}
		p.write(&b)
	}
	return b.String()
}

func (p step) write(b *strings.Builder) {
	switch {
	case p.notion == ofArray:
		b.WriteString("[" + strconv.Itoa(p.index) + "]")
	case p.notion == ofMap && p.index%2 == 0:
		b.WriteString(".<key " + strconv.Itoa(p.index/2) + " of the map>")
	case p.notion == ofMap:
		b.WriteString(".<value " + strconv.Itoa(p.index/2) + " of the map>")
	case p.notion == ofSet:
		b.WriteString(".<item " + strconv.Itoa(p.index) + " of the set>")
	case p.notion == ofOther:
		b.WriteString(".<" + strings.TrimPrefix(p.key, "$") + ">")
	case syntax.IsIdentifier(p.key):
		b.WriteString("." + p.key)
	default:
		b.WriteString("[" + strconv.Quote(p.key) + "]")
	}
}

// descriptor returns an own property of o, or nil.
func (s *saver) descriptor(o *goja.Object, key string) *property {
	v := s.in.descriptor(goja.FunctionCall{This: goja.Undefined(), Arguments: []goja.Value{o, s.VM.ToValue(key)}})
	d, ok := v.(*goja.Object)
	if !ok {
		return nil
	}
	return propertyOf(key, d)
}
