package doc

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// Limits bound the size of a document. A zero field means its default.
type Limits = xmltree.Limits

// Options say how a document is parsed. The zero value is useful.
type Options struct {
	// Languages reports whether a data model is known. If it is nil, ecmascript
	// and null are.
	Languages func(name string) bool
	// Loader has the files that src of <script> and <data> names. Its root is
	// the document's folder. If it is nil, no file is read.
	Loader fs.FS
	// Limits bound the document. Size also bounds the sum of the files that it
	// loads.
	Limits Limits
	// Interrupted, unless it is nil, is asked now and then. Once it is true, nobody needs the result,
	// and there may be none.
	Interrupted func() bool
}

func knownLanguage(name string) bool { return name == "ecmascript" || name == "null" }

// Parse reads an SCXML document. file is its name in positions.
//
// It returns all problems of the document, sorted by place. The Document is nil if no <scxml>
// element can be read. It may be run only if none of the diagnostics is an [Error].
func Parse(file string, src []byte, opts Options) (*Document, []Diagnostic) {
	root, problems := xmltree.Parse(file, src, opts.Limits)
	if root == nil && len(src) <= opts.Limits.WithDefaults().Size {
		if problem := notXML(file, src); problem != nil {
			problems = []xmltree.Problem{*problem}
		}
	}
	if opts.Interrupted != nil && opts.Interrupted() {
		return nil, nil
	}
	sum := sha256.New()
	sum.Write(src)
	d, diags := parseTree(file, root, problems, opts, sum)
	if d != nil {
		d.Hash = sum.Sum(nil)
	}
	return d, diags
}

// ParsePart reads a document from which Parse reads nothing, up to the problem that prevents it. It
// returns nil without an <scxml> element before that.
func ParsePart(file string, src []byte, opts Options) *Document {
	root, text := xmltree.ParsePart(file, src, opts.Limits)
	d, _ := parseTree(file, root, nil, opts, sha256.New())
	if d != nil {
		d.Source = text
	}
	return d
}

// ParseNode reads an <scxml> element that a chart has computed, such as the value of <content expr>
// in an <invoke>. file is its name in positions, unless the element comes from a document.
func ParseNode(file string, n *datamodel.Node, opts Options) (*Document, []Diagnostic) {
	root, problem := xmltree.FromNode(file, n, opts.Limits)
	if problem != nil {
		return parseTree(file, nil, []xmltree.Problem{*problem}, opts, nil)
	}
	return parseTree(cmp.Or(n.Pos.File, file), root, nil, opts, nil)
}

// Scxml reports whether c holds a single <scxml> element: the document of an <invoke>, inline.
func (c *Content) Scxml() bool { return c.scxml != nil }

// Parse reads the <scxml> element in c, see [Content.Scxml], as a separate document: its ids are
// independent of those around it.
func (c *Content) Parse(opts Options) (*Document, []Diagnostic) {
	return parseTree(c.Pos.File, c.scxml, nil, opts, nil)
}

// An Element is an element of the document as it is written.
type Element = xmltree.Element

// Tree returns the root element of the text that [Document].Source is, or nil if it was not read.
func Tree(file, text string, lim Limits) *Element { return xmltree.ParseText(file, text, lim) }

func parseTree(file string, root *xmltree.Element, problems []xmltree.Problem, opts Options, sum hash.Hash) (*Document, []Diagnostic) {
	p := &parser{file: file, opts: opts, sum: sum, ids: map[string]*State{}, refused: map[string]bool{}, data: map[string]datamodel.Position{}}
	if p.opts.Languages == nil {
		p.opts.Languages = knownLanguage
	}
	p.opts.Limits = opts.Limits.WithDefaults()
	for _, problem := range problems {
		p.diags = append(p.diags, Diagnostic{Pos: problem.Pos, Code: problem.Code, Message: problem.Message})
	}
	if root != nil && p.root(root) {
		p.ids = make(map[string]*State, len(root.Children)) // there may be more
		p.document(root)
		p.resolve()
	}
	Sort(p.diags)
	return p.doc, p.diags
}

// known returns the data models of the REC that are known, for messages.
func (p *parser) known() string {
	var names []string
	for _, name := range []string{"ecmascript", "null"} {
		if p.opts.Languages(name) {
			names = append(names, strconv.Quote(name))
		}
	}
	if names == nil {
		return ""
	}
	return ": expected " + strings.Join(names, " or ")
}

// A parser turns one <scxml> element into a Document.
type parser struct {
	file        string
	opts        Options
	space       string // the namespace whose elements are SCXML's
	doc         *Document
	current     *State // the nearest state around what is being read; not a history
	diags       []Diagnostic
	ids         map[string]*State             // becomes Document.ByID
	refused     map[string]bool               // becomes Document.Refused
	data        map[string]datamodel.Position // of data items
	references  []reference
	transitions int
	finalizing  bool // inside <finalize>
	errors      int
	warnings    int
	compared    int       // candidates for near misses
	loaded      int       // bytes of files
	sum         hash.Hash // of all that is read; may be nil

	// The memory of states, transitions and their lists.
	stateSlab      slab[State]
	transitionSlab slab[Transition]
	targetSlab     slab[*State]
	eventSlab      slab[string]
}

// maxDiagnostics bounds the number of errors, and that of warnings. A document with more is not
// worth reading on, or is hostile.
const maxDiagnostics = 5000

func (p *parser) errorf(pos datamodel.Position, code, format string, args ...any) {
	if p.errors++; p.errors <= maxDiagnostics {
		p.diags = append(p.diags, Diagnostic{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...)})
	}
}

func (p *parser) warnf(pos datamodel.Position, code, format string, args ...any) {
	if p.warnings++; p.warnings <= maxDiagnostics {
		p.diags = append(p.diags, Diagnostic{Pos: pos, Severity: Warning, Code: code, Message: fmt.Sprintf(format, args...)})
	}
}

// overBudget adds n to the number of candidates for near misses that have been compared, and
// reports whether they are too many: the search takes time in proportion to that number.
func (p *parser) overBudget(n int) bool {
	const budget = 500_000
	p.compared += n
	return p.compared > budget
}

// root checks that e is an <scxml> element, and reports whether to read it as one. That is also so
// if it is misspelt or in the wrong namespace, because other mistakes may follow.
func (p *parser) root(e *xmltree.Element) bool {
	p.space = Namespace
	switch {
	case e.Local != "scxml":
		p.errorf(e.Pos(), "wrong-root", "root element is <%s>, expected <scxml>", e.Local)
		p.space = e.Space
		return near(e.Local, slices.Values([]string{"scxml"})) != ""
	case e.Space == "":
		p.errorf(e.Pos(), "wrong-namespace", `<scxml> is not in a namespace: add xmlns="%s"`, Namespace)
		p.space = e.Space
	case e.Space != Namespace:
		p.errorf(e.Pos(), "wrong-namespace", `<scxml> is in the namespace %q, expected xmlns="%s"`, e.Space, Namespace)
		p.space = e.Space
	}
	return true
}

// attributes checks the attributes of e against its rule. Attributes of
// foreign namespaces are ignored.
func (p *parser) attributes(e *xmltree.Element, t tag) {
	r := &rules[t]
	for i := range e.Attrs {
		a := &e.Attrs[i]
		if a.Space == Namespace && slices.Contains(r.attrs, a.Local) {
			p.warnf(e.NamePos(a), "unknown-attribute", "attribute %q of <%s> has a prefix, and is ignored: SCXML's attributes have none", a.Local, t)
			continue
		}
		if a.Space == Extensions && !isExtension(t, a.Local) {
			p.warnf(e.NamePos(a), "unknown-attribute", "unknown attribute %q of <%s> is ignored: the namespace %q has %q of <send> and <invoke>, %q of states and <data>, and %q of <data>", a.Local, t, Extensions, "retry", "go", "type")
		}
		if a.Space != "" || slices.Contains(r.attrs, a.Local) {
			continue
		}
		hint := ""
		if note := attributeNotes[t][strings.ToLower(a.Local)]; note != "" {
			hint = ": " + note
		} else if meant := p.meantAttribute(e, t, a.Local); meant != "" && e.Attr(meant) == nil && slices.Contains(r.required, meant) {
			continue // the required attribute is reported as missing
		} else if meant != "" {
			hint = " (did you mean " + strconv.Quote(meant) + "?)"
		}
		p.warnf(e.NamePos(a), "unknown-attribute", "unknown attribute %q of <%s> is ignored%s", a.Local, t, hint)
	}
	for _, name := range r.required {
		if e.Attr(name) == nil {
			p.errorf(e.Pos(), "missing-attribute", "<%s> has no attribute %q%s", t, name, p.insteadOf(e, t, name))
		}
	}
	for _, group := range r.apart {
		var first *xmltree.Attr
		for _, name := range group {
			switch a := e.Attr(name); {
			case a == nil || a.Value == "":
			case first == nil:
				first = a
			default:
				p.errorf(e.NamePos(a), "conflicting-attributes", "attributes %q and %q of <%s> exclude each other: keep one", first.Local, name, t)
			}
		}
	}
	if !r.text && e.HasText() {
		note := textNotes[t]
		if text := strings.TrimLeft(e.Content().Text, xmlSpace); strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*") || strings.HasPrefix(text, "#") {
			note = ": write a comment as <!-- … -->"
		}
		p.warnf(e.TextPos(), "stray-text", "text in <%s> is ignored%s", t, note)
	}
}

// insteadOf names the attribute of e that was probably meant to be the missing one.
func (p *parser) insteadOf(e *xmltree.Element, t tag, missing string) string {
	for i := range e.Attrs {
		if a := &e.Attrs[i]; a.Space == "" && !slices.Contains(rules[t].attrs, a.Local) && p.meantAttribute(e, t, a.Local) == missing {
			return ": write it instead of " + strconv.Quote(a.Local)
		}
	}
	return ""
}

// value returns the value of an attribute, or "" if there is none.
func value(e *xmltree.Element, name string) string {
	if a := e.Attr(name); a != nil {
		return a.Value
	}
	return ""
}

// source returns the value of an attribute with its place, or nil if there is none.
func source(e *xmltree.Element, name string) *datamodel.Source {
	a := e.Attr(name)
	if a == nil {
		return nil
	}
	s := e.Source(a)
	return &s
}

// either returns the values of a pair of attributes, a literal and an expression. If one of them is
// empty, it counts as absent: some editors write all attributes.
func either(e *xmltree.Element, literal, expr string) (string, *datamodel.Source) {
	lit, src := value(e, literal), source(e, expr)
	if lit != "" && src != nil && src.Text == "" {
		src = nil
	}
	return lit, src
}

// choice reads an attribute that has one of two values, and reports whether it has the second. The
// first is the default.
func (p *parser) choice(e *xmltree.Element, t tag, name, first, second string) bool {
	a := e.Attr(name)
	if a == nil {
		return false
	}
	switch strings.Trim(a.Value, xmlSpace) {
	case first:
	case second:
		return true
	case "":
		p.emptyAttribute(e, a, t)
	default:
		p.errorf(e.Source(a).Pos, "illegal-value", "%s %q of <%s>: expected %q or %q", name, abridge(a.Value), t, first, second)
	}
	return false
}

func (p *parser) emptyAttribute(e *xmltree.Element, a *xmltree.Attr, t tag) {
	p.warnf(e.NamePos(a), "empty-attribute", "empty attribute %q of <%s> is ignored", a.Local, t)
}

// child decides what to do with c, a child of e, an element t. It returns tagUnknown if c is to be
// skipped, or was already read.
func (p *parser) child(e, c *xmltree.Element, t tag) tag {
	if c.Space != p.space {
		if known := tagByName[c.Local]; known != tagUnknown && c.Space == "" {
			p.warnf(c.Pos(), "no-namespace", `<%s> is not in a namespace and is ignored: SCXML's elements need xmlns="%s"`, c.Local, Namespace)
		}
		if c.Prefix != "" && c.Space == c.Prefix {
			p.passOver(c) // the prefix is not bound, which xmltree has reported
		}
		return tagUnknown
	}
	ct := tagByName[c.Local]
	switch {
	case ct == tagUnknown:
		if meant := p.unknownElement(c, t); meant != tagUnknown {
			return meant
		}
		p.passOver(c)
	case t == tagScxml && ct == tagTransition:
		// It can only mean what it would mean in a state around all others.
		if hasSource(c) {
			return ct
		}
		p.warnf(c.Pos(), "nonconforming", "<transition> in <scxml> is not part of SCXML: other engines may refuse it; put a <state> around the others")
		return ct
	case !rules[t].children.has(ct):
		where := placesOf(ct)
		switch {
		case (t == tagElseIf || t == tagElse) && executable.has(ct):
			where = ": write it after <" + t.String() + "/>"
		case ct == tagTransition && rules[t].children&executable != 0 || ct == tagTransition && (t == tagElseIf || t == tagElse):
			where = ": write it in the state, with a condition in its attribute cond"
		case t == tagInvoke && ct == tagScxml:
			where = ": put it in <content>"
		case ct == tagInvoke && rules[t].children&executable != 0:
			where = ": write it in the state itself, it runs while the state is active"
		case ct == tagData && rules[t].children.has(tagParam):
			where = `: write <param name="…" expr="…"/>`
		}
		p.errorf(c.Pos(), "misplaced-element", "<%s> is not allowed in <%s>%s", ct, t, where)
		p.stray(c, ct)
	default:
		return ct
	}
	return tagUnknown
}

// placesOf says where an element is allowed.
func placesOf(t tag) string {
	in := t.homes()
	switch {
	case t == tagScxml:
		return ": it is the root element"
	case executable.has(t):
		in = []string{"<onentry>", "<onexit>", "<transition>"}
	}
	if len(in) > 1 {
		in = []string{strings.Join(in[:len(in)-1], ", ") + " or " + in[len(in)-1]}
	}
	return ": it belongs in " + in[0]
}

// alone reports whether c, an element t, is the first of its kind in its parent, where only one is
// allowed. first is the place of the first one.
func (p *parser) alone(c *xmltree.Element, t, parent tag, first *datamodel.Position) bool {
	if first.IsValid() {
		p.errorf(c.Pos(), "duplicate-element", "second <%s> in <%s>, which may have only one: the first is at %d:%d", t, parent, first.Line, first.Col)
		p.stray(c, t)
		return false
	}
	*first = c.Pos()
	return true
}
