package graph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// refuse throws the error about what is at the present place.
func (s *saver) refuse(what string) {
	panic(&datamodel.NotSerializableError{Path: s.place(), What: what})
}

// refuseAt does so about a property of what is at the present place.
func (s *saver) refuseAt(key, what string) {
	s.path = append(s.path, step{notion: ofObject, key: key})
	s.refuse(what)
}

// A step leads from an object to one of its contents.
type step struct {
	notion notion
	index  int
	key    string
}

// A notion says how a step is written.
type notion uint8

const (
	ofArray notion = iota
	ofObject
	ofMap
	ofSet
	ofOther // what leads to the contents has a name
)

// maxSteps is how many steps of a path are shown at each of its ends.
const maxSteps = 20

// place returns where in the data the saver is, as a script would write it.
func (s *saver) place() string {
	steps := s.path
	for d := s.base; d != nil; d = d.base {
		steps = slices.Concat(d.path, steps)
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
