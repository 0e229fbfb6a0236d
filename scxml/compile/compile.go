package compile

import (
	"bytes"
	"fmt"
	"go/format"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// Options say what code is to be written.
type Options struct {
	Package string // its name
	// Type is the name of the type of machines, which also begins the names of everything else in the
	// package. By default the type is Machine, and other names stand alone.
	Type string
	// Dynamic leaves data and expressions to the script engine at run time.
	Dynamic bool
	// File is the name of the Go file, for stack traces and debuggers; by default that of the document with
	// the ending _gen.go.
	File string
	// Folder leads from the folder of the Go file to that of the document, with slashes; by default they are the same.
	Folder string
	// Events is a JSON Schema that says what data events have, for typed code: an object whose properties are events by
	// their names, each with a schema of its data. A member of the data that is required and has the type number, integer, string or boolean is
	// a float64, a string or a bool in the struct of its event; one with another type is an any. If the schema does not
	// say its type, uses show it. Of schemas, type, const, enum, properties, required and additionalProperties: false count. What
	// the chart does that contradicts the schema is a [Problem]. Data are not compared with it when an event comes.
	Events []byte
	// Conditions are more expressions of the chart's data model, without _event. The type of machines has a method for them:
	// Holds(condition int) (bool, error), by their index here, with the error of an expression that fails.
	Conditions []string
	// Inputs are names of events. Where it is known which transitions are enabled without anything else being done, the type
	// of machines has a method for them: Enabled(dst []uint32) []uint32 appends the indexes of those that would be handled.
	Inputs []string
}

// A Problem is something of a chart that cannot be compiled.
type Problem struct {
	Pos datamodel.Position
	Msg string // what it is, and the reason
}

// String returns file:line:col: message.
func (p Problem) String() string { return p.Pos.String() + ": " + p.Msg }

// An UnsupportedError says what of a chart cannot be compiled: all of it, in document order.
type UnsupportedError struct {
	Problems []Problem
}

// Error returns one line for each problem.
func (e *UnsupportedError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// A NameError says that a name in [Options] is not one of Go.
type NameError struct{ msg string }

func (e *NameError) Error() string { return e.msg }

// Go compiles the document name in fsys, with the scripts, data and charts that it names, to a Go file.
// The same document gives the same file. The error is a [*scxml.DocumentError] for a document that is not
// a legal chart, an [*UnsupportedError] for a chart that cannot be compiled, a [*NameError] or a
// [*SchemaError].
func Go(fsys fs.FS, name string, o Options) ([]byte, error) {
	source, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("compile: cannot read the document: %w", err)
	}
	return Source(fsys, name, source, o)
}

// Source is [Go] for a document that was read; fsys has the files that it names.
func Source(fsys fs.FS, name string, source []byte, o Options) ([]byte, error) {
	switch {
	case !token.IsIdentifier(o.Package) || o.Package == "_":
		return nil, &NameError{fmt.Sprintf("%q is not a package name: want a Go identifier", o.Package)}
	case o.Type != "" && !(token.IsExported(o.Type) && token.IsIdentifier(o.Type)):
		return nil, &NameError{fmt.Sprintf("%q is not the name of a type: want a Go identifier that begins with a capital letter", o.Type)}
	}
	f, err := open(fsys, name, source, o)
	if err != nil {
		return nil, err
	}
	return f.generate()
}

// open reads a chart, which is the first of the file.
func open(fsys fs.FS, name string, source []byte, o Options) (*file, error) {
	dir, err := fs.Sub(fsys, path.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	chart, err := scxml.Parse(name, source, scxml.WithLoader(dir))
	if err != nil {
		return nil, err
	}
	schemas, err := parseSchema(o.Events)
	if err != nil {
		return nil, err
	}
	if o.File == "" {
		o.File = strings.TrimSuffix(path.Base(name), path.Ext(name)) + "_gen.go"
	}
	f := &file{Options: o, fsys: fsys, schemas: schemas, imports: map[string]bool{}, taken: taken{}, types: map[string]*generator{}}
	document, _, err := f.load(name, []byte(chart.Source()))
	if err != nil {
		return nil, err
	}
	g := f.add(document, path.Dir(name), o.Type)
	for i, text := range o.Conditions {
		at := datamodel.Position{File: fmt.Sprintf("condition %d", i+1), Line: 1, Col: 1}
		g.asked = append(g.asked, &datamodel.Source{Text: text, Pos: at})
	}
	return f, nil
}

// A file is the Go file that is being written: for a chart, and for those that it invokes.
type file struct {
	Options
	fsys     fs.FS
	schemas  map[string]*schema // of Options.Events, by event
	imports  map[string]bool
	taken    taken                 // names of the package
	types    map[string]*generator // by the names of the files that are invoked
	charts   []*generator          // in the order in which they are written
	problems []Problem
}

// A generator writes the code of one chart.
type generator struct {
	*file
	doc     *doc.Document
	dir     string // of the document, in fsys
	typ     string // of its machines
	names   names
	data    model
	given   map[string]bool // the top-level data items that an <invoke> gives values to
	invoked []string        // the field Invokes of the chart

	asked []*datamodel.Source // of Options.Conditions

	parts     []*doc.State // by register
	part      []int        // by state
	histories []*doc.State
	quiets    map[*doc.State]bool // see quiet
	slots     map[*doc.State]int  // of histories: their first register
	lens      map[*doc.State]int  // of histories: how many
	regs      int                 // number of registers, those of histories included
	last      []int               // by state: the last state below it
	all       []*doc.Transition   // transitions, by number
	numbers   map[*doc.Transition]int
	events    *events
	out       bytes.Buffer
	variables int             // in the function that is being written
	failed    bool            // an expression of the chart can fail
	failsSend bool            // one in a <send>
	failsCond bool            // a condition
	fast      map[int]bool    // the events with shortcuts
	pure      map[int]bool    // those from whose shortcuts nothing follows
	later     []string        // declarations at the end
	elements  int             // of other namespaces, in later
	asksIn    bool            // an expression asks In()
	sends     []*sentEvent    // that have hooks
	current   *doc.Transition // the condition or content of which is being written
}

// load parses a document of the file system.
func (f *file) load(name string, source []byte) (*doc.Document, []doc.Diagnostic, error) {
	dir, err := fs.Sub(f.fsys, path.Dir(name))
	if err != nil {
		return nil, nil, err
	}
	document, problems := doc.Parse(path.Base(name), source, docOptions(dir))
	return document, problems, nil
}

func docOptions(loader fs.FS) doc.Options {
	return doc.Options{Loader: loader, Languages: func(name string) bool { return name == "null" || name == "ecmascript" }}
}

// add adds a chart to those that are written. It returns the type of its machines.
func (f *file) add(document *doc.Document, dir, typ string) *generator {
	g := &generator{file: f, doc: document, dir: dir, typ: typ, given: map[string]bool{}}
	f.charts = append(f.charts, g)
	return g
}

func (f *file) generate() (code []byte, err error) {
	document := f.charts[0].doc
	var body bytes.Buffer
	for i := 0; i < len(f.charts); i++ { // writing one can add others
		body.Write(f.charts[i].write())
	}
	if len(f.problems) > 0 {
		slices.SortStableFunc(f.problems, func(a, b Problem) int { return comparePos(a.Pos, b.Pos) })
		return nil, &UnsupportedError{slices.Compact(f.problems)}
	}
	var file bytes.Buffer
	fmt.Fprintf(&file, "// Code generated by scxmlrun gen go from %s. DO NOT EDIT.\n\npackage %s\n\nimport (\n", printable(path.Base(document.File)), f.Package)
	for _, own := range []bool{false, true} {
		for _, name := range sortedKeys(f.imports) {
			if strings.Contains(name, ".") == own {
				fmt.Fprintf(&file, "\t%q\n", name)
			}
		}
		file.WriteString("\n")
	}
	file.WriteString(")\n")
	file.Write(body.Bytes())
	code, err = format.Source(file.Bytes())
	if err != nil {
		return nil, fmt.Errorf("compile: the code of %s cannot be formatted, which is a fault of this package: %w\n%s", document.File, err, file.Bytes())
	}
	return placeLines(code, f.File), nil
}

func (f *file) problem(at datamodel.Position, format string, args ...any) {
	f.problems = append(f.problems, Problem{at, fmt.Sprintf(format, args...)})
}

func (f *file) use(pkg string) { f.imports[pkg] = true }

// p writes a line.
func (g *generator) p(format string, args ...any) {
	fmt.Fprintf(&g.out, format+"\n", args...)
}

// variable returns a name for a local variable.
func (g *generator) variable() string {
	g.variables++
	return fmt.Sprintf("v%d", g.variables)
}

const (
	machinePath = "github.com/scxmlrun/scxmlrun/scxml/machine"
	jsPath      = machinePath + "/js"
)

// at returns the place of an element as generated code has it.
func at(p datamodel.Position) string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// line makes stack traces and debuggers point to a place of the document, until own.
func (g *generator) line(p datamodel.Position) {
	if p.IsValid() {
		g.p("%s", g.lineOf(p))
	}
}

func (g *generator) lineOf(p datamodel.Position) string {
	return fmt.Sprintf("%s%s:%d", lineMark, printable(path.Join(g.Folder, p.File)), p.Line)
}

// own ends what line has begun.
func (g *generator) own() { g.p("%s", ownMark) }

const (
	lineMark = "//line "
	ownMark  = "//line ?"
)

// placeLines replaces the marks of own by the place where they are. A call, which can be in a stack trace, has the place
// of its element also where that has several lines of code.
func placeLines(code []byte, file string) []byte {
	var out [][]byte
	var place []byte // the directive that holds, of a place in the document
	first := false
	for line := range bytes.SplitSeq(code, []byte("\n")) {
		switch {
		case string(line) == ownMark:
			line, place = fmt.Appendf(nil, "%s%s:%d", lineMark, printable(file), len(out)+2), nil
		case bytes.HasPrefix(line, []byte(lineMark)):
			place, first = line, true
		case string(line) == "}":
			place = nil
		case first:
			first = false
		case place != nil && bytes.ContainsRune(line, '('):
			out = append(out, place)
		}
		out = append(out, line)
	}
	return bytes.Join(out, []byte("\n"))
}
