package graph

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// saveFormat is the version of what Save writes.
const saveFormat = 1

// maxInline is how deep objects are written inside each other. Those that are
// deeper are written in a list of their own, so that no reader of JSON has to
// go down as deep as the data.
const maxInline = 100

// errLooking is the interrupt that stands while a store is saved: a getter of
// the chart that is called nevertheless is broken off before its first step.
var errLooking = errors.New("no code of the chart may run now")

// Save returns what w holds. SNAPSHOT.md tells what it keeps, and how.
func Save(w *World, chart *Chart) (data []byte, err error) {
	in := inspectors.Get().(*inspector)
	s := &saver{World: w, in: in, chart: chart, seen: in.seen, stack: in.frames, buf: in.out}
	defer func() {
		in.frames, in.out = s.stack, s.buf
		in.reset()
		inspectors.Put(in)
	}()
	defer func() {
		w.VM.ClearInterrupt()
		if x := recover(); x != nil {
			data, err = nil, s.panicked(x)
		}
	}()
	w.Lib.Keep()
	w.VM.Interrupt(errLooking)
	if err := s.save(); err != nil {
		return nil, err
	}
	return bytes.Clone(s.buf), nil
}

// SaveItems is Save for a session that has no runtime yet.
func SaveItems(items *fast.Items) ([]byte, error) {
	s := &saver{buf: []byte(`{"format":1`)}
	for i, name := range items.Names {
		head := `,"data":{`
		if i > 0 {
			head = ","
		}
		s.buf = append(appendText(append(s.buf, head...), name), ':')
		if err := s.primitive(items.Value(i).Script()); err != nil {
			return nil, err
		}
	}
	if len(items.Names) > 0 {
		s.buf = append(s.buf, '}')
	}
	return append(s.buf, '}'), nil
}

// A saver writes what a store holds. It goes through the data with a stack of
// its own.
type saver struct {
	*World
	in    *inspector
	chart *Chart

	buf  []byte
	seen map[*goja.Object]int32 // number of an object that is written, or -1 - its place in later
	n    int32                  // how many have a number

	stack []frame
	mark  int        // how many names of the inspector were in use before the present object
	root  string     // what the path of the data at the bottom of the stack begins with
	base  *deferred  // what is being written, if that is not a root
	later []deferred // what is too deep to be written where it was found

	objectProto, arrayProto, functionProto *goja.Object

	prototypes map[*goja.Object]bool // of functions
	trees      map[*dom.Tree]int     // of XML, by their order
}

// A frame is an object of which the contents are being written: first items,
// then properties.
type frame struct {
	object *goja.Object
	notion notion
	items  []goja.Value // nil is a hole
	keys   []string
	values []goja.Value // of keys; nil: they have not been looked at
	next   int
	names  int    // how many names were in use before those of the object
	close  string // ends the object
	then   *frame // the properties that are written next
}

// A notion says how the path into an object is written.
type notion uint8

const (
	ofArray notion = iota
	ofObject
	ofMap
	ofSet
	ofOther // what leads to the contents has a name, which is keys[0]
)

// A deferred is an object that is written later.
type deferred struct {
	object *goja.Object
	kind   byte
	path   []step // from base
	base   *deferred
	root   string
}

func (s *saver) save() error {
	vm := s.VM
	s.objectProto, s.arrayProto, s.functionProto = vm.NewObject().Prototype(), vm.NewArray().Prototype(), s.Lib.FunctionPrototype()
	if s.chart.library {
		if err := s.checkLibrary(); err != nil {
			return err
		}
	}
	s.buf = append(s.buf, `{"format":1`...)
	mark := len(s.buf)
	sections, err := s.sections()
	if err != nil {
		return err
	}
	for _, section := range sections {
		if len(section.names) == 0 {
			continue
		}
		s.buf = append(s.buf, `,"`...)
		s.buf = append(s.buf, section.name...)
		s.buf = append(s.buf, `":{`...)
		for i, name := range section.names {
			if i > 0 {
				s.buf = append(s.buf, ',')
			}
			s.buf = append(appendText(s.buf, name), ':')
			s.root = name
			if err := s.write(section.values[i]); err != nil {
				return err
			}
		}
		s.buf = append(s.buf, '}')
	}
	if data := s.Data; data != nil {
		s.buf = append(s.buf, `,"event":`...)
		s.root = "_event.data"
		if err := s.write(data); err != nil {
			return err
		}
	}
	if len(s.later) > 0 {
		if err := s.writeLater(mark); err != nil {
			return err
		}
	}
	s.buf = append(s.buf, '}')
	return nil
}

// writeLater writes the objects that were too deep, those that come up then
// included, and which kinds they are of before all else.
func (s *saver) writeLater(mark int) error {
	s.buf = append(s.buf, `,"more":[`...)
	for i := 0; i < len(s.later); i++ {
		if i > 0 {
			s.buf = append(s.buf, ',')
		}
		d := s.later[i] // a copy: later grows
		s.base, s.root = &d, d.root
		if err := s.contents(d.object); err != nil {
			return err
		}
		if err := s.run(); err != nil {
			return err
		}
	}
	s.buf = append(s.buf, ']')
	head := make([]byte, 0, len(`,"deep":""`)+len(s.later))
	head = append(head, `,"deep":"`...)
	for i := range s.later {
		head = append(head, s.later[i].kind)
	}
	head = append(head, '"')
	s.buf = slices.Insert(s.buf, mark, head...)
	return nil
}

// write writes a value and all that belongs to it.
func (s *saver) write(v goja.Value) error {
	if err := s.value(v); err != nil {
		return err
	}
	return s.run()
}

// run writes the contents of the objects on the stack.
func (s *saver) run() error {
next:
	for len(s.stack) > 0 {
		f := &s.stack[len(s.stack)-1]
		for f.next < len(f.items) {
			v := f.items[f.next]
			if f.next > 0 {
				s.buf = append(s.buf, ',')
			}
			f.next++
			if v == nil {
				n := 1
				for f.next < len(f.items) && f.items[f.next] == nil {
					f.next++
					n++
				}
				s.buf = append(s.buf, `{"$hole":`...)
				s.buf = append(strconv.AppendInt(s.buf, int64(n), 10), '}')
				continue
			}
			o, ok := v.(*goja.Object)
			if !ok {
				if err := s.primitive(v); err != nil {
					return err
				}
				continue
			}
			before := len(s.stack)
			if err := s.object(o); err != nil {
				return err
			}
			if len(s.stack) > before {
				continue next
			}
		}
		if f.items != nil {
			f.items, f.next = nil, 0
			if f.close == "]" {
				s.buf = append(s.buf, ']')
				s.pop()
				continue
			}
			s.buf = append(s.buf, ']')
			if len(f.keys) > 0 {
				s.buf = append(s.buf, `,"$props":{`...)
			}
		}
		for f.next < len(f.keys) {
			if f.next > 0 && f.notion != ofOther {
				s.buf = append(s.buf, ',')
			}
			key := f.keys[f.next]
			if f.notion == ofOther {
				s.buf = append(appendText(append(s.buf, ','), key), ':')
			} else {
				s.buf = appendKey(s.buf, key)
			}
			var v goja.Value
			if f.values != nil {
				v = f.values[f.next]
				f.next++
			} else {
				f.next++
				if v = f.object.Get(key); v == nil {
					return s.refuse("a property whose name has half of a surrogate pair")
				}
			}
			before := len(s.stack)
			if err := s.value(v); err != nil {
				return err
			}
			if len(s.stack) > before {
				continue next
			}
		}
		if f.then != nil {
			names := f.names
			*f = *f.then
			f.names = names
			s.buf = append(s.buf, `,"$props":{`...)
			continue
		}
		s.buf = append(s.buf, f.close...)
		s.pop()
	}
	return nil
}

func (s *saver) push(f frame) {
	f.names = s.mark
	s.stack = append(s.stack, f)
}

func (s *saver) pop() {
	top := &s.stack[len(s.stack)-1]
	s.in.names = s.in.names[:top.names]
	*top = frame{}
	s.stack = s.stack[:len(s.stack)-1]
}

// value writes a value, of an object only the beginning.
func (s *saver) value(v goja.Value) error {
	if o, ok := v.(*goja.Object); ok {
		return s.object(o)
	}
	return s.primitive(v)
}

func (s *saver) primitive(v goja.Value) error {
	switch v := v.(type) {
	case nil:
		s.buf = append(s.buf, textUndefined...)
		return nil
	case goja.String:
		s.buf = appendString(s.buf, v)
		return nil
	case *goja.Symbol:
		for name, known := range symbols {
			if known == v {
				s.buf = append(s.buf, `{"$symbol":"`+name+`"}`...)
				return nil
			}
		}
		return s.refuse("a symbol")
	}
	switch v.ExportType() {
	case native.TypeInt:
		s.buf = strconv.AppendInt(s.buf, v.ToInteger(), 10)
	case native.TypeFloat:
		s.buf = appendNumber(s.buf, v.ToFloat())
	case native.TypeBool:
		s.buf = strconv.AppendBool(s.buf, v.ToBoolean())
	case native.TypeBigInt:
		if v.Export().(*big.Int).BitLen() > datamodel.MaxBigInt {
			return s.refuse("a BigInt that " + jsontext.ErrBigInt.Error())
		}
		s.buf = append(s.buf, `{"$bigint":"`...)
		s.buf = append(append(s.buf, v.String()...), `"}`...)
	default:
		switch {
		case goja.IsNull(v):
			s.buf = append(s.buf, "null"...)
		case goja.IsUndefined(v):
			s.buf = append(s.buf, textUndefined...)
		default:
			return s.refuse("a value of an unknown kind")
		}
	}
	return nil
}

// object writes the beginning of an object and puts the rest on the stack, or
// writes a reference to it.
func (s *saver) object(o *goja.Object) error {
	if n, ok := s.seen[o]; ok {
		s.reference(n)
		return nil
	}
	if len(s.stack) >= maxInline {
		if kind := s.kind(o); kind != 0 {
			s.defer_(o, kind)
			return nil
		}
		if len(s.stack) >= 2*maxInline {
			return s.refuse("objects other than arrays, maps and the like that are nested so deeply")
		}
	}
	return s.contents(o)
}

func (s *saver) reference(n int32) {
	if n >= 0 {
		s.buf = append(s.buf, `{"$ref":`...)
	} else {
		s.buf = append(s.buf, `{"$more":`...)
		n = -1 - n
	}
	s.buf = append(strconv.AppendInt(s.buf, int64(n), 10), '}')
}

// kind returns how an object is created that may be written later, or 0.
func (s *saver) kind(o *goja.Object) byte {
	switch t := o.ExportType(); {
	case t == native.TypeMap:
		return 'm'
	case t == native.TypeProxy:
		return 0
	case o.ClassName() == "Array":
		return '['
	case t == native.TypeList:
		return 's'
	case t == native.TypePlain && o.ClassName() == "Object":
		switch o.Prototype() {
		case s.objectProto:
			return '{'
		case nil:
			return 'n'
		}
	}
	return 0
}

func (s *saver) defer_(o *goja.Object, kind byte) {
	n := -1 - int32(len(s.later))
	s.seen[o] = n
	s.later = append(s.later, deferred{object: o, kind: kind, path: s.steps(), base: s.base, root: s.root})
	s.reference(n)
}

// number gives the next number to an object that is not to be written later.
func (s *saver) number(o *goja.Object) {
	if _, ok := s.seen[o]; !ok {
		s.seen[o] = s.n
		s.n++
	}
}

// panicked turns a panic into an error: a getter that was broken off, or a bug.
func (s *saver) panicked(x any) error {
	var interrupted *goja.InterruptedError
	if err, ok := x.(error); ok && errors.As(err, &interrupted) {
		return s.refuse("an accessor")
	}
	return fmt.Errorf("internal error while saving data at %s: %v", s.path(), x)
}
