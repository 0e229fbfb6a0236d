package notation

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// An Import is a chart that was read from another notation.
type Import struct {
	SCXML []byte // the document
	Notes []Note // what is missing in it or was guessed, in the order of the file
}

// A Note says what could not be read as it is written.
type Note struct {
	Pos  datamodel.Position
	Text string
}

// String returns file:line:col: text.
func (n Note) String() string { return n.Pos.String() + ": " + n.Text }

// An ImportError says why a file cannot be read, and where.
type ImportError struct {
	Pos datamodel.Position
	Msg string
}

func (e *ImportError) Error() string { return e.Pos.String() + ": " + e.Msg }

// MaxImport is how many bytes a file may have that is read.
const MaxImport = 16 << 20

// Further bounds of what is read.
const (
	maxNested = 200 // states in states, and values in values
	maxID     = 200 // bytes of an id
)

// Read reads a chart in a notation, "smcat" or "xstate", and makes it an SCXML document. With "", a text that
// begins with a brace is one of XState. The name is that of the file, for positions. The error is an
// [*ImportError].
func Read(name, from string, text []byte) (*Import, error) {
	refuse := func(msg string) (*Import, error) {
		return nil, &ImportError{datamodel.Position{File: name}, msg}
	}
	begin := bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	switch {
	case from == "xstate" || from == "" && bytes.HasPrefix(begin, []byte("{")):
		return ReadXState(name, text)
	case bytes.HasPrefix(begin, []byte("<")):
		return refuse("the file is XML: want smcat, or a machine of XState as JSON")
	case bytes.Contains(begin, []byte("createMachine(")):
		return refuse("the file is code: want a machine of XState as JSON, which JSON.stringify(machine.config) writes")
	case from != "" && from != "smcat":
		return refuse(fmt.Sprintf("%q is not a notation that is read: want smcat or xstate", from))
	}
	return ReadSMCat(name, text)
}

// A source is the text of a file that is being read.
type source struct {
	name string
	text string
	line int // of the last position that was asked for, to count on from there
	from int // where that line begins
}

// newSource checks that a text is UTF-8 that XML can have.
func newSource(name string, text []byte) (*source, error) {
	s := &source{name: name, text: strings.TrimPrefix(string(text), "\ufeff"), line: 1}
	if len(text) > MaxImport {
		return nil, &ImportError{datamodel.Position{File: name}, fmt.Sprintf("the file has %d bytes: want at most %d", len(text), MaxImport)}
	}
	for i, r := range s.text {
		if _, size := utf8.DecodeRuneInString(s.text[i:]); r == utf8.RuneError && size == 1 {
			return nil, s.errorf(i, "byte 0x%02x is not UTF-8", s.text[i])
		}
		if !xmlChar(r) {
			return nil, s.errorf(i, "character U+%04X cannot be part of an XML document", r)
		}
	}
	return s, nil
}

// pos returns the position of an offset.
func (s *source) pos(offset int) datamodel.Position {
	if offset < s.from {
		s.line, s.from = 1, 0
	}
	for {
		i := strings.IndexByte(s.text[s.from:offset], '\n')
		if i < 0 {
			return datamodel.Position{File: s.name, Line: s.line, Col: utf8.RuneCountInString(s.text[s.from:offset]) + 1}
		}
		s.line, s.from = s.line+1, s.from+i+1
	}
}

func (s *source) errorf(offset int, format string, args ...any) error {
	return &ImportError{s.pos(offset), fmt.Sprintf(format, args...)}
}

// xmlChar reports whether XML 1.0 allows a character.
func xmlChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || ' ' <= r && r < 0xfffe || r > 0xffff
}

// A builder collects what becomes an SCXML document.
type builder struct {
	*source
	notes []Note
	noted map[string]bool

	used    map[string]bool // ids of states
	calls   []string        // functions that the file names but does not have
	items   []string        // data items, and their values
	values  map[string]string
	checker datamodel.Checker
	lang    datamodel.Language
}

func newBuilder(s *source) *builder {
	lang := ecmascript.New()
	return &builder{source: s, noted: make(map[string]bool), used: make(map[string]bool), values: make(map[string]string), lang: lang, checker: lang.(datamodel.Checker)}
}

// note says something once.
func (b *builder) note(offset int, format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !b.noted[text] {
		b.noted[text] = true
		b.notes = append(b.notes, Note{b.pos(offset), text})
	}
}

// finish writes the document and checks it.
func (b *builder) finish(root *element) (*Import, error) {
	var scripts []string
	for _, name := range b.calls {
		if b.values[name] == "" {
			scripts = append(scripts, name)
		}
	}
	head := new(element)
	if len(b.items) > 0 {
		model := head.add("datamodel")
		for _, id := range b.items {
			d := model.add("data", "id", id)
			if v := b.values[id]; v != "" {
				d.set("expr", v)
			}
		}
	}
	if len(scripts) > 0 {
		s := head.add("script")
		s.comments = []string{"What the file names without saying what it does. Write it here, or give it with the option\nscxml.WithFunc and delete the line."}
		for _, name := range scripts {
			s.text += "function " + name + "() { return true; }\n"
		}
	}
	root.children = append(head.children, root.children...)
	var out strings.Builder
	out.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	root.write(&out, "")
	text := []byte(out.String())
	if _, err := scxml.Parse(b.name, text); err != nil {
		return nil, &ImportError{datamodel.Position{File: b.name}, fmt.Sprintf("cannot be written as SCXML: %v", err)}
	}
	slices.SortStableFunc(b.notes, func(x, y Note) int {
		return cmp.Or(cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.Pos.Col, y.Pos.Col))
	})
	return &Import{text, b.notes}, nil
}

// declare makes a data item with a value, or "".
func (b *builder) declare(id, value string) {
	if old, known := b.values[id]; !known || old == "" {
		if !known {
			b.items = append(b.items, id)
		}
		b.values[id] = value
	}
}

// code declares what a piece of code uses and the file does not have: functions, and data items that
// are true.
func (b *builder) code(offset int, kind datamodel.Kind, text string) {
	for _, f := range b.checker.Check(kind, datamodel.Source{Text: text}) {
		_, declared := b.values[f.Text]
		switch {
		case f.Kind != datamodel.Reference || declared || slices.Contains(b.checker.Names(), f.Text) || slices.Contains(b.calls, f.Text):
		case f.Called:
			b.call(offset, f.Text)
		default:
			b.declare(f.Text, "true")
			b.note(offset, "%s is not in the file: it is a data item that is true", f.Text)
		}
	}
}

// call declares a function.
func (b *builder) call(offset int, name string) {
	if !slices.Contains(b.calls, name) {
		b.calls = append(b.calls, name)
		b.note(offset, "the function %s is not in the file: it is one that returns true", name)
	}
}

// compiles reports whether a text is code of some kind.
func (b *builder) compiles(kind datamodel.Kind, text string) bool {
	_, err := b.lang.Compile(kind, datamodel.Source{Text: text})
	return err == nil
}

// id returns an id for a state that no other has: its name, if XML and the events done.state.ID allow
// that.
func (b *builder) id(offset int, name string) string {
	id := clean(name)
	for first, k := id, 2; b.used[id]; k++ {
		id = fmt.Sprintf("%s_%d", first, k)
	}
	b.used[id] = true
	if id != name {
		b.note(offset, "state %q has the id %s", shorten(name), id)
	}
	return id
}

// clean returns a name of XML that can be part of the name of an event.
func clean(name string) string {
	if len(name) > maxID {
		name = strings.ToValidUTF8(name[:maxID], "")
	}
	dots := datamodel.CheckEventName(name) == nil
	name = strings.Map(func(r rune) rune {
		if !nameChar(r) || r == '.' && !dots {
			return '_'
		}
		return r
	}, name)
	if r, _ := utf8.DecodeRuneInString(name); name == "" || !nameStart(r) {
		name = "_" + name
	}
	return name
}

// event returns the descriptor of an event, or a name that is like it.
func (b *builder) event(offset int, name string) string {
	if name == "*" || name == ".*" || datamodel.CheckEventName(strings.TrimSuffix(strings.TrimSuffix(name, "*"), ".")) == nil && !strings.Contains(strings.TrimSuffix(name, ".*"), "*") {
		return name
	}
	var tokens []string
	for token := range strings.SplitSeq(strings.TrimSpace(name), ".") {
		token = strings.Map(func(r rune) rune {
			if datamodel.CheckEventName(string(r)) != nil {
				return '_'
			}
			return r
		}, token)
		if token != "" {
			tokens = append(tokens, token)
		}
	}
	event := cmp.Or(strings.Join(tokens, "."), "event")
	if len(event) > datamodel.MaxEventName {
		event = strings.ToValidUTF8(event[:datamodel.MaxEventName/2], "")
	}
	if event != name {
		b.note(offset, "event %q has the name %s", shorten(name), event)
	}
	return event
}

// identifier returns a name for a function or data item that is like a text.
func identifier(text string) string {
	name := strings.Trim(strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !nameChar(r) || r == '-' || r == '.' || r > 0x7f
	}), "_"), "_")
	if len(name) > 60 {
		name = name[:60]
	}
	if r, _ := utf8.DecodeRuneInString(name); name == "" || !nameStart(r) {
		name = "_" + name
	}
	return name
}

// identifier returns a name that a chart may give a data item or a function.
func (b *builder) identifier(text string) string {
	name := identifier(text)
	for slices.Contains(b.checker.Names(), name) || !b.compiles(datamodel.Location, name) {
		name = "_" + name
	}
	return name
}

// shorten returns the beginning of a text.
func shorten(text string) string {
	if r := []rune(oneLine(text)); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return oneLine(text)
}

// nameStart reports whether a name of XML may begin with a character, colons aside.
func nameStart(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' ||
		0xC0 <= r && r <= 0x2FF && r != 0xD7 && r != 0xF7 || 0x370 <= r && r <= 0x1FFF && r != 0x37E || r == 0x200C || r == 0x200D ||
		0x2070 <= r && r <= 0x218F || 0x2C00 <= r && r <= 0x2FEF || 0x3001 <= r && r <= 0xD7FF || 0xF900 <= r && r <= 0xFDCF ||
		0xFDF0 <= r && r <= 0xFFFD || 0x10000 <= r && r <= 0xEFFFF
}

// nameChar reports whether a name of XML may have a character.
func nameChar(r rune) bool {
	return nameStart(r) || '0' <= r && r <= '9' || r == '-' || r == '.' || r == 0xB7 || 0x300 <= r && r <= 0x36F || r == 0x203F || r == 0x2040
}
