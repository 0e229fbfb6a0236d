package graph

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/path"
)

// refuse throws the error about the value at the present place.
func (s *saver) refuse(what string) {
	panic(&datamodel.NotSerializableError{Path: s.place(), What: what})
}

// refuseAt does so about a property of that value.
func (s *saver) refuseAt(key, what string) {
	s.path = append(s.path, step{kind: ofObject, key: key})
	s.refuse(what)
}

// A step leads from an object to one of its contents.
type step struct {
	kind  stepKind
	index int
	key   string
}

// A stepKind says how a step is written.
type stepKind uint8

const (
	ofArray stepKind = iota
	ofObject
	ofMap
	ofSet
	ofOther // the step has a name
)

// maxSteps is how many steps of a path are shown at each end.
const maxSteps = 20

// place returns the path of the present place, as a script would write it.
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
	case p.kind == ofArray:
		b.WriteString("[" + strconv.Itoa(p.index) + "]")
	case p.kind == ofMap && p.index%2 == 0:
		b.WriteString(".<key " + strconv.Itoa(p.index/2) + " of the map>")
	case p.kind == ofMap:
		b.WriteString(".<value " + strconv.Itoa(p.index/2) + " of the map>")
	case p.kind == ofSet:
		b.WriteString(".<item " + strconv.Itoa(p.index) + " of the set>")
	case p.kind == ofOther:
		b.WriteString(".<" + strings.TrimPrefix(p.key, "$") + ">")
	default:
		b.WriteString(path.Key(p.key))
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

// Values that JSON lacks are written as objects whose first key begins with a dollar sign. Keys of
// the data that begin so get one more.
const textUndefined = `{"$undefined":true}`

const hexDigits = "0123456789abcdef"

// appendString appends a string of the runtime, which is UTF-16 and may have halves of surrogate
// pairs.
func appendString(b []byte, s goja.String) []byte {
	text := s.String()
	if !strings.ContainsRune(text, utf8.RuneError) {
		return jsontext.AppendString(b, text)
	}
	b = append(b, '"')
	for i := 0; i < s.Length(); i++ {
		c := s.CharAt(i)
		if utf16.IsSurrogate(rune(c)) {
			if i+1 < s.Length() {
				if r := utf16.DecodeRune(rune(c), rune(s.CharAt(i+1))); r != utf8.RuneError {
					b = utf8.AppendRune(b, r)
					i++
					continue
				}
			}
			b = append(b, '\\', 'u', hexDigits[c>>12], hexDigits[c>>8&15], hexDigits[c>>4&15], hexDigits[c&15])
			continue
		}
		one := jsontext.AppendString(nil, string(rune(c)))
		b = append(b, one[1:len(one)-1]...)
	}
	return append(b, '"')
}

// appendKey appends the key of a property, with the colon.
func appendKey(b []byte, key string) []byte {
	if strings.HasPrefix(key, "$") {
		b = append(b, `"$`...)
		rest := jsontext.AppendString(b, key)
		// Drop its opening quotation mark.
		copy(rest[len(b):], rest[len(b)+1:])
		return append(rest[:len(rest)-1], ':')
	}
	return append(jsontext.AppendString(b, key), ':')
}

func appendNumber(b []byte, f float64) []byte {
	if name := jsontext.NumberName(f); name != "" {
		return append(append(append(b, `{"$number":"`...), name...), `"}`...)
	}
	if f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
		return strconv.AppendInt(b, int64(f), 10)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}
