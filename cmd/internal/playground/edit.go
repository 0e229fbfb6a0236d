package playground

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
	"unicode/utf16"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/editor"
)

// A drawing is a document as a picture and as a list.
type drawing struct {
	SVG         string       `json:"svg"`
	Of          string       `json:"of,omitempty"`   // the state that the picture shows, if it is a part
	Part        string       `json:"part,omitempty"` // why it is one
	States      []state      `json:"states"`
	Transitions []transition `json:"transitions"`
}

type state struct {
	Name    string `json:"name"`
	ID      string `json:"id"`
	Parent  string `json:"parent"`
	Kind    string `json:"kind"`
	Initial string `json:"initial"`
	OnEntry string `json:"onentry"`
	OnExit  string `json:"onexit"`
	Line    int    `json:"line"`
}

type transition struct {
	Name    string `json:"name"`
	Source  string `json:"source"`
	Event   string `json:"event"`
	Cond    string `json:"cond"`
	Target  string `json:"target"`
	Type    string `json:"type"`
	Actions string `json:"actions"`
	Line    int    `json:"line"`
}

// drawTime bounds the layout of a picture.
const drawTime = 5 * time.Second

func (p *Playground) analyse(source []byte) *editor.Document {
	return editor.Analyse(fileName, string(source), editor.Options{Files: p.files, Chart: options(p.files)})
}

// serveDraw answers with the drawing of the document.
func (p *Playground) serveDraw(w http.ResponseWriter, r *http.Request) {
	source, ok := read(w, r)
	if !ok {
		return
	}
	answer(w, p.drawing(r, p.analyse(source)))
}

// drawing draws a document; with ?of=STATE, a part of it.
func (p *Playground) drawing(r *http.Request, d *editor.Document) *drawing {
	out := &drawing{States: []state{}, Transitions: []transition{}}
	states, transitions := d.Structure()
	for _, s := range states {
		out.States = append(out.States, state{s.Name, s.ID, s.Parent, s.Kind, s.Initial, s.OnEntry, s.OnExit, d.LineAt(s.Span.Start) + 1})
	}
	for _, t := range transitions {
		out.Transitions = append(out.Transitions, transition{t.Name, t.Source, t.Event, t.Cond, t.Target, t.Type, t.Actions, d.LineAt(t.Span.Start) + 1})
	}
	if chart, _ := scxml.Sketch(fileName, []byte(d.Text()), options(p.files)...); chart != nil {
		ctx, cancel := context.WithTimeout(r.Context(), drawTime)
		defer cancel()
		out.draw(ctx, diagram.New(chart), r.URL.Query().Get("of"))
	}
	return out
}

// draw draws a state, or as much of it as fits into a picture.
func (out *drawing) draw(ctx context.Context, d *diagram.Diagram, of string) {
	marks := d.Marks()
	n := d.Root
	for _, other := range d.Nodes {
		if other.ID == of {
			n, out.Of = other, of
		}
	}
	part := d
	if n != d.Root {
		part = d.Part(n, 0)
	}
	layout, err := part.Layout(ctx)
	if _, large := errors.AsType[*diagram.TooLargeError](err); large {
		state, depth := d.Fitting(ctx, n)
		switch {
		case depth > 0:
			part = d.Part(n, depth)
			out.Part = fmt.Sprintf("Levels below the %d. are collapsed: open a state to see what is in it.", depth)
		case state != nil:
			part, out.Of = d.Part(state, 0), state.ID
			out.Part = "The chart is too large for a picture: this is one state of it."
		}
		layout, err = part.Layout(ctx)
	}
	if err != nil {
		out.Part = err.Error()
		return
	}
	var b bytes.Buffer
	_ = layout.WriteSVG(&b, diagram.SVGOptions{Marks: marks, Movable: true}) // a buffer has no errors
	out.SVG = b.String()
}

// An edit is a request for an operation on a document.
type edit struct {
	Source string           `json:"source"`
	Op     editor.Operation `json:"op"`
}

// An edited is the answer to an edit: a document, or why there is none.
type edited struct {
	Source  string   `json:"source,omitempty"`
	At      int      `json:"at,omitempty"` // the line where it has changed first
	Drawing *drawing `json:"drawing,omitempty"`
	Error   string   `json:"error,omitempty"`
	Uses    []use    `json:"uses,omitempty"` // what would dangle
}

type use struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// serveEdit carries out an operation.
func (p *Playground) serveEdit(w http.ResponseWriter, r *http.Request) {
	var e edit
	if !readJSON(w, r, &e) {
		return
	}
	d := p.analyse([]byte(e.Source))
	after, edits, err := d.Operate(e.Op)
	if err != nil {
		out := edited{Error: err.Error()}
		if dangling, ok := errors.AsType[*editor.DanglingError](err); ok {
			for _, place := range dangling.Places {
				out.Uses = append(out.Uses, use{d.LineAt(place.Span.Start) + 1, place.Text})
			}
		}
		answer(w, out)
		return
	}
	out := edited{Source: after.Text(), Drawing: p.drawing(r, after)}
	if len(edits) > 0 {
		out.At = d.LineAt(edits[0].Span.Start) + 1
	}
	answer(w, out)
}

// serveCopy answers with the text of a state for paste-states, or of a transition for paste-transitions.
func (p *Playground) serveCopy(w http.ResponseWriter, r *http.Request) {
	source, ok := read(w, r)
	if !ok {
		return
	}
	text, err := p.analyse(source).Copy(r.URL.Query().Get("of"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	answer(w, text)
}

// A completion is what may be written in an argument of an operation. Offsets count units of UTF-16, as those
// of the page do.
type completion struct {
	From  int    `json:"from"` // what an item replaces
	To    int    `json:"to"`
	Items []item `json:"items"`
}

type item struct {
	Label  string `json:"label"`
	Detail string `json:"detail"`
	Insert string `json:"insert"`
	Cursor int    `json:"cursor"` // where it goes in what is inserted
	Again  bool   `json:"again"`  // ask again there
}

// maxItems is how many items a page shows.
const maxItems = 50

// serveComplete answers with what may be written at a place in an argument of an operation.
func (p *Playground) serveComplete(w http.ResponseWriter, r *http.Request) {
	var e edit
	if !readJSON(w, r, &e) {
		return
	}
	argument := r.URL.Query().Get("argument")
	at, err := strconv.Atoi(r.URL.Query().Get("at"))
	if err != nil {
		http.Error(w, "at: want an offset in the argument", http.StatusUnprocessableEntity)
		return
	}
	value := e.Op.Args[argument]
	c := p.analyse([]byte(e.Source)).CompleteArgument(e.Op, argument, bytesOf(value, at))
	out := completion{From: units(value[:c.Replace.Start]), To: units(value[:c.Replace.End]), Items: []item{}}
	for _, it := range c.Items[:min(len(c.Items), maxItems)] {
		out.Items = append(out.Items, item{it.Label, it.Detail, it.Insert, units(it.Insert[:it.Cursor]), it.Again})
	}
	answer(w, out)
}

// units returns how many units of UTF-16 a text has.
func units(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// bytesOf returns how many bytes the first units of UTF-16 of a text have.
func bytesOf(text string, n int) int {
	for i, r := range text {
		if n <= 0 {
			return i
		}
		n -= utf16.RuneLen(r)
	}
	return len(text)
}
