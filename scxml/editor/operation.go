package editor

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// An Operation is a change of what a chart is made of, such as
//
//	{"op": "add-state", "in": "playing", "id": "paused"}
//
// which is also its JSON form. [Operations] lists the kinds with their arguments. A state is named by its
// id or, without one, by its [scxml.State.Name]; a transition as in a [diagram], by its source, a slash
// and its number among the transitions of the source, from 1: "playing/2". The default transition of a
// history or of an <initial> is "playing/initial".
//
// [diagram]: https://pkg.go.dev/github.com/scxmlrun/scxmlrun/scxml/diagram#Edge
type Operation struct {
	Op   string
	Args map[string]string
}

// MarshalJSON returns the operation as an object of texts.
func (o Operation) MarshalJSON() ([]byte, error) {
	all := map[string]string{"op": o.Op}
	maps.Copy(all, o.Args)
	return json.Marshal(all)
}

// UnmarshalJSON reads an object of texts and numbers. It does not check names and arguments.
func (o *Operation) UnmarshalJSON(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var all map[string]any
	if err := dec.Decode(&all); err != nil {
		return fmt.Errorf(`cannot read an operation: %w; want an object such as {"op":"add-state","id":"a"}`, err)
	}
	*o = Operation{Args: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var value string
		switch v := all[name].(type) {
		case string:
			value = v
		case json.Number:
			value = v.String()
		default:
			return fmt.Errorf("%s: %v is not a text", name, v)
		}
		if name == "op" {
			o.Op = value
		} else {
			o.Args[name] = value
		}
	}
	return nil
}

// An OperationKind describes a kind of [Operation].
type OperationKind struct {
	Name  string
	Text  string // what it does
	Args  []Argument
	apply func(*draft) error
}

// An Argument describes an argument of an operation.
type Argument struct {
	Name     string
	Text     string
	Required bool
	Values   []string // if not nil, all that it may be; the default first
}

// Operations returns the kinds of operations. The caller must not change the list.
func Operations() []OperationKind { return operationKinds() }

// A DanglingError says that an operation would delete what something else refers to.
type DanglingError struct {
	What   string  // that would be deleted, such as `state "a"`
	Places []Place // that refer to it, in document order
	where  string
}

func (e *DanglingError) Error() string {
	return fmt.Sprintf(`%s is used at %s: change that first, or say what becomes of it with the argument "uses"`, e.What, e.where)
}

// Operate carries out an operation and returns the changed document, and the edits in document order that
// lead there. They are the smallest ones: what they do not replace stays as it is, byte for byte, with
// comments, CDATA sections and white space. New elements are written like those around them: with their
// line ends, indentation and namespace prefix. Only the chart of the document is changed, not those that
// are written inside of it.
//
// The error says what is wrong with an argument, or names the place where the result would have an
// error that the document has not. A document of which a tag is not complete cannot be changed. If
// something refers to what would be deleted, the error is a [*DanglingError].
func (d *Document) Operate(op Operation) (*Document, []Edit, error) {
	kind, err := kindOf(op)
	if err != nil {
		return nil, nil, err
	}
	if err := d.isWhole(); err != nil {
		return nil, nil, err
	}
	w := &draft{Document: d, chart: d.charts[0], args: op.Args}
	if err := kind.apply(w); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", op.Op, err)
	}
	edits, err := d.smallest(w.edits)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", op.Op, err)
	}
	after := d.Change(ApplyEdits(d.text, edits))
	if err := after.worse(d); err != nil && !w.loose {
		return nil, nil, fmt.Errorf("%s: %w", op.Op, err)
	}
	return after, edits, nil
}

// Operate carries out operations, one after the other, on the bytes of a document, which keeps its
// encoding and byte order mark. If one of them fails, so does all; the error names it by its number.
func Operate(name string, source []byte, ops []Operation, opts Options) ([]byte, error) {
	text, encode, err := Decode(source)
	if err != nil {
		return nil, err
	}
	d := Analyse(name, text, opts)
	for i, op := range ops {
		if d, _, err = d.Operate(op); err != nil {
			if len(ops) > 1 {
				err = fmt.Errorf("operation %d: %w", i+1, err)
			}
			return nil, err
		}
	}
	return encode(d.text)
}

// Decode returns the text of a document in its encoding, with its byte order mark as U+FEFF, and a
// function that writes a text in that encoding. Unchanged, the text becomes the same bytes.
func Decode(source []byte) (text string, encode func(text string) ([]byte, error), err error) {
	return xmltree.Recode(source)
}

// kindOf returns the kind of an operation whose arguments have the right names.
func kindOf(op Operation) (OperationKind, error) {
	kinds := operationKinds()
	i := slices.IndexFunc(kinds, func(k OperationKind) bool { return k.Name == op.Op })
	if i < 0 {
		return OperationKind{}, fmt.Errorf("%.100q is not an operation%s", op.Op, didYouMean(op.Op, func(yield func(string) bool) {
			for _, k := range kinds {
				if !yield(k.Name) {
					return
				}
			}
		}))
	}
	k := kinds[i]
	for _, name := range slices.Sorted(maps.Keys(op.Args)) {
		i := slices.IndexFunc(k.Args, func(a Argument) bool { return a.Name == name })
		if i < 0 {
			var names []string
			for _, a := range k.Args {
				names = append(names, a.Name)
			}
			return k, fmt.Errorf("%s has no argument %.100q: want %s", op.Op, name, strings.Join(names, ", "))
		}
		if values, value := k.Args[i].Values, op.Args[name]; values != nil && value != "" && !slices.Contains(values, value) {
			return k, fmt.Errorf("%s: %s: %.100q is not one of %s%s", op.Op, name, value, strings.Join(values, ", "), didYouMean(value, slices.Values(values)))
		}
	}
	for _, a := range k.Args {
		if a.Required && op.Args[a.Name] == "" {
			return k, fmt.Errorf("%s needs the argument %q: %s", op.Op, a.Name, a.Text)
		}
	}
	return k, nil
}

func didYouMean(name string, all func(func(string) bool)) string {
	if near := doc.Near(name, all); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// isWhole returns an error unless the text is a chart in which all tags are complete: others are read by
// guesses, which are not good enough to change them.
func (d *Document) isWhole() error {
	if len(d.charts) == 0 || d.charts[0].root.tag != "scxml" {
		return errors.New("the document has no <scxml> element")
	}
	var whole func(n *node) error
	whole = func(n *node) error {
		if !n.complete || !n.empty && n.tail.End == 0 {
			return fmt.Errorf("<%s> at %s is not complete: mend that first", d.at(n.name), d.where(n.span.Start))
		}
		for _, a := range n.attrs {
			if !a.closed {
				return fmt.Errorf("the attribute at %s is not complete: mend that first", d.where(a.name.Start))
			}
		}
		for _, c := range n.children {
			if err := whole(c); err != nil {
				return err
			}
		}
		return nil
	}
	return whole(d.charts[0].root)
}

// worse returns an error that d has and a document before it had not.
func (d *Document) worse(before *Document) error {
	had := map[string]int{}
	for _, e := range before.errors() {
		had[kindOfError(e)]++
	}
	for _, e := range d.errors() {
		if had[kindOfError(e)]--; had[kindOfError(e)] < 0 {
			return fmt.Errorf("at %d:%d of the changed document: %s", e.Pos.Line, e.Pos.Col, e.Message)
		}
	}
	return nil
}

// kindOfError returns what stays the same of an error if it is moved.
func kindOfError(e scxml.Diagnostic) string {
	return e.Code + strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, e.Message)
}

// findErrors returns why the document cannot be loaded.
func (d *Document) findErrors() []scxml.Diagnostic {
	_, err := scxml.Parse(d.name, []byte(asUTF8(d.text)), d.opts.Chart...)
	if e, ok := errors.AsType[*scxml.DocumentError](err); ok {
		return slices.DeleteFunc(e.Diagnostics, func(d scxml.Diagnostic) bool { return d.Severity != scxml.SeverityError })
	}
	return nil
}

// ApplyEdits returns a text after edits, which are in order and do not overlap.
func ApplyEdits(text string, edits []Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.Span.Start])
		b.WriteString(e.Text)
		at = e.Span.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// UndoEdits returns the edits that lead from a text after edits back to the text.
func UndoEdits(text string, edits []Edit) []Edit {
	var undo []Edit
	moved := 0
	for _, e := range edits {
		start := e.Span.Start + moved
		undo = append(undo, Edit{Span{start, start + len(e.Text)}, text[e.Span.Start:e.Span.End]})
		moved += len(e.Text) - (e.Span.End - e.Span.Start)
	}
	return undo
}

// smallest sorts edits and takes from them what they do not change.
func (d *Document) smallest(edits []Edit) ([]Edit, error) {
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(a.Span.Start-b.Span.Start, a.Span.End-b.Span.End)
	})
	var all []Edit
	for i, e := range edits {
		if i > 0 && e.Span.Start < edits[i-1].Span.End {
			return nil, fmt.Errorf("%s is changed in two ways at once", d.where(e.Span.Start))
		}
		old := d.at(e.Span)
		same := 0
		for same < min(len(old), len(e.Text)) && old[same] == e.Text[same] {
			same++
		}
		for same > 0 && (same < len(old) && !utf8.RuneStart(old[same]) || same < len(e.Text) && !utf8.RuneStart(e.Text[same])) {
			same--
		}
		e.Span.Start, e.Text, old = e.Span.Start+same, e.Text[same:], old[same:]
		same = 0
		for same < min(len(old), len(e.Text)) && old[len(old)-1-same] == e.Text[len(e.Text)-1-same] {
			same++
		}
		for same > 0 && !utf8.RuneStart(old[len(old)-same]) {
			same--
		}
		e.Span.End, e.Text = e.Span.End-same, e.Text[:len(e.Text)-same]
		if e.Span.Start < e.Span.End || e.Text != "" {
			all = append(all, e)
		}
	}
	return all, nil
}
