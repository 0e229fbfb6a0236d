package graph

import (
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

// maxInline is how deep objects are written inside each other. Deeper ones are written in a list,
// so that readers of JSON need not recurse as deep as the data.
const maxInline = 100

// errLooking is the interrupt that is pending while a store is saved. It stops a getter of the
// chart before its first step.
var errLooking = errors.New("code of the chart must not run now")

// Append appends what w holds to dst. SNAPSHOT.md tells what it keeps, and how. Without the part of
// data that begins at event and ends before the last bracket, it is what AppendKey appends. If event
// is -1, it is not.
func Append(dst []byte, w *World, chart *Chart) (data []byte, event int, err error) {
	return save(dst, w, chart, false)
}

// AppendKey is Append without the present event. Where a variable holds it, it is an event of the past.
func AppendKey(dst []byte, w *World, chart *Chart) ([]byte, error) {
	data, _, err := save(dst, w, chart, true)
	return data, err
}

func save(dst []byte, w *World, chart *Chart, past bool) (data []byte, event int, err error) {
	in := inspectors.Get().(*inspector)
	s := &saver{World: w, in: in, chart: chart, past: past, seen: in.seen, path: in.path, buf: in.out}
	defer func() {
		in.path, in.out = s.path, s.buf
		in.reset()
		inspectors.Put(in)
	}()
	defer func() {
		w.VM.ClearInterrupt()
		if x := recover(); x != nil {
			data, err = dst, s.failure(x)
		}
	}()
	w.Lib.Keep()
	w.VM.Interrupt(errLooking)
	s.save()
	if event = s.event; event >= 0 {
		event += len(dst)
	}
	return append(dst, s.buf...), event, nil
}

// SaveItems returns the items of a session without a runtime in the same form.
func SaveItems(items *fast.Items) ([]byte, error) {
	s := &saver{buf: []byte(`{"format":1`)}
	head := `,"data":{`
	for i, name := range items.Names {
		s.text(head).quote(name).text(":").primitive(items.Value(i).Script())
		head = ","
	}
	if len(items.Names) > 0 {
		s.text("}")
	}
	return s.text("}").buf, nil
}

// A saver writes what a World holds. It panics with an error for what it refuses.
type saver struct {
	*World
	in    *inspector
	chart *Chart
	past  bool // the present event is over
	event int  // where its data begins, see Append

	present bool // it has been written

	buf  []byte
	seen map[*goja.Object]int32 // number of a written object, or -1 - its index in later
	n    int32                  // how many have a number

	root  string     // of the path to the present place
	path  []step     // from there
	base  *deferred  // the deferred object that is being written, or nil
	later []deferred // objects that were found too deep

	objectProto, arrayProto, functionProto *goja.Object

	prototypes map[*goja.Object]bool // of functions
	trees      map[*dom.Tree]int     // of XML, by their order
}

// A deferred is an object that is written later.
type deferred struct {
	object *goja.Object
	kind   byte
	path   []step // from base
	base   *deferred
	root   string
}

// text, quote, quotes and int write pieces of JSON.
func (s *saver) text(text string) *saver {
	s.buf = append(s.buf, text...)
	return s
}

func (s *saver) quote(text string) *saver {
	s.buf = jsontext.AppendString(s.buf, text)
	return s
}

func (s *saver) quotes(texts ...string) *saver {
	for i, text := range texts {
		if i > 0 {
			s.text(",")
		}
		s.quote(text)
	}
	return s
}

func (s *saver) int(n int64) *saver {
	s.buf = strconv.AppendInt(s.buf, n, 10)
	return s
}

func (s *saver) save() {
	vm := s.VM
	s.objectProto, s.arrayProto, s.functionProto = vm.NewObject().Prototype(), vm.NewArray().Prototype(), s.Lib.FunctionPrototype()
	if s.chart.library {
		s.checkLibrary()
	}
	s.text(`{"format":1`)
	mark := len(s.buf)
	for _, section := range s.sections() {
		head := `,"` + section.name + `":{`
		for i, name := range section.names {
			s.root = name
			s.text(head).quote(name).text(":").value(section.values[i])
			head = ","
			if i == len(section.names)-1 {
				s.text("}")
			}
		}
	}
	if s.event = len(s.buf); s.present {
		s.event = -1
	}
	if s.Data != nil && !s.past {
		s.root = "_event.data"
		s.text(`,"event":`).value(s.Data)
	}
	if len(s.later) > 0 {
		s.event = -1
		s.writeLater(mark)
	}
	s.text("}")
}

// writeLater writes the objects that were too deep, including those that it finds itself, and
// inserts their kinds at mark.
func (s *saver) writeLater(mark int) {
	s.text(`,"more":[`)
	for i := 0; i < len(s.later); i++ {
		if i > 0 {
			s.text(",")
		}
		d := s.later[i] // a copy: later grows
		s.base, s.root = &d, d.root
		s.contents(d.object)
	}
	s.text("]")
	kinds := []byte(`,"deep":"`)
	for i := range s.later {
		kinds = append(kinds, s.later[i].kind)
	}
	s.buf = slices.Insert(s.buf, mark, append(kinds, '"')...)
}

// value writes a value with all its parts.
func (s *saver) value(v goja.Value) {
	if o, ok := v.(*goja.Object); ok {
		s.object(o)
	} else {
		s.primitive(v)
	}
}

func (s *saver) primitive(v goja.Value) {
	if text, ok := v.(goja.String); ok {
		s.buf = appendString(s.buf, text)
		return
	}
	if v == nil || goja.IsUndefined(v) {
		s.text(textUndefined)
		return
	}
	switch v.ExportType() {
	case native.TypeInt:
		s.int(v.ToInteger())
	case native.TypeFloat:
		s.buf = appendNumber(s.buf, v.ToFloat())
	case native.TypeBool:
		s.buf = strconv.AppendBool(s.buf, v.ToBoolean())
	case native.TypeBigInt:
		if v.Export().(*big.Int).BitLen() > datamodel.MaxBigInt {
			s.refuse("a BigInt that " + jsontext.ErrBigInt.Error())
		}
		s.text(`{"$bigint":"`).text(v.String()).text(`"}`)
	default:
		if goja.IsNull(v) {
			s.text("null")
			return
		}
		for name, symbol := range symbols {
			if symbol == v {
				s.text(`{"$symbol":"` + name + `"}`)
				return
			}
		}
		s.refuse("a symbol")
	}
}

// object writes an object, or a reference to one that is written elsewhere.
func (s *saver) object(o *goja.Object) {
	if n, ok := s.seen[o]; ok {
		s.reference(n)
		return
	}
	if len(s.path) >= maxInline {
		if kind := s.kind(o); kind != 0 {
			n := -1 - int32(len(s.later))
			s.seen[o] = n
			s.later = append(s.later, deferred{object: o, kind: kind, path: slices.Clone(s.path), base: s.base, root: s.root})
			s.reference(n)
			return
		}
		if len(s.path) >= 2*maxInline {
			s.refuse("an object of this kind that is nested so deeply")
		}
	}
	s.contents(o)
}

func (s *saver) reference(n int32) {
	if n >= 0 {
		s.text(`{"$ref":`)
	} else {
		s.text(`{"$more":`)
		n = -1 - n
	}
	s.int(int64(n)).text("}")
}

// kind returns how to create an object that may be written later, or 0.
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
		if s.made(o) {
			return '{'
		}
	}
	return 0
}

// number gives the next number to an object that is not to be written later.
func (s *saver) number(o *goja.Object) {
	if _, ok := s.seen[o]; !ok {
		s.seen[o] = s.n
		s.n++
	}
}

// failure makes an error of a panic: a refusal, an interrupted getter, or a bug.
func (s *saver) failure(x any) error {
	var interrupted *goja.InterruptedError
	err, _ := x.(error)
	if refused, ok := err.(*datamodel.NotSerializableError); ok {
		return refused
	}
	if errors.As(err, &interrupted) {
		return &datamodel.NotSerializableError{Path: s.place(), What: "an accessor"}
	}
	return fmt.Errorf("internal error while saving data at %s: %v", s.place(), x)
}
