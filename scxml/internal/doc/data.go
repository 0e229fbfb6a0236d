package doc

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// datamodel reads <datamodel> (REC 5.2).
func (p *parser) datamodel(e *xmltree.Element, s *State) {
	p.attributes(e, tagDatamodel)
	for _, c := range e.Children {
		if p.child(e, c, tagDatamodel) == tagData {
			s.Data = append(s.Data, p.dataItem(c, s))
		}
	}
}

// dataItem reads <data>.
//
// REC 5.3.2: it may have only one of src, expr and children.
func (p *parser) dataItem(e *xmltree.Element, s *State) *Data {
	p.attributes(e, tagData)
	d := &Data{Pos: e.Pos(), ID: p.id(e, tagData), Go: extension(e, "go"), Type: extension(e, "type"), State: s}
	if first, twice := p.data[d.ID]; twice && d.ID != "" {
		p.warnf(d.Pos, "duplicate-data", "data item %q is also declared at %d:%d: both are the same variable", abridge(d.ID), first.Line, first.Col)
	} else {
		p.data[d.ID] = d.Pos
	}
	var src *datamodel.Source
	d.Src, d.Expr = either(e, "src", "expr")
	if d.Src != "" {
		src = source(e, "src")
		d.Expr = nil
	}
	if hasContent(e) {
		switch {
		case d.Src != "":
			p.errorf(contentPos(e), "content-beside-src", "<data> has both src and content: keep one")
		case d.Expr != nil:
			p.errorf(contentPos(e), "content-beside-expr", "<data> has both expr and content: keep one")
		default:
			d.Content = content(e)
		}
	}
	if d.Src != "" {
		d.Content, d.LoadErr = p.loadData(d.Src)
		if d.LoadErr != nil {
			// REC 5.3: "If the value specified for a data element (by 'src', children, or the environment) is not a legal data
			// value, the SCXML Processor MUST […] place error.execution in the internal event queue". So the document is legal.
			p.warnf(src.Pos, "cannot-load", "<data> cannot be loaded: %v", d.LoadErr)
		}
	}
	return d
}

// hasContent reports whether e has an element or text that is not white space.
func hasContent(e *xmltree.Element) bool { return len(e.Children) > 0 || e.HasText() }

// contentPos returns where the content of e begins.
func contentPos(e *xmltree.Element) datamodel.Position {
	if len(e.Children) == 0 {
		return e.TextPos()
	}
	pos := e.Children[0].Pos()
	if e.HasText() {
		if t := e.TextPos(); t.Line < pos.Line || t.Line == pos.Line && t.Col < pos.Col {
			return t
		}
	}
	return pos
}

// content returns the content of e.
func content(e *xmltree.Element) *datamodel.Source {
	src := e.Content()
	return &src
}

// assign reads <assign>.
//
// REC 5.4.2: "A conformant SCXML document MUST specify either "expr" or children of <assign>, but not both."
func (p *parser) assign(e *xmltree.Element) Exec {
	a := &Assign{execPos: execPos{e.Pos()}, Location: source(e, "location"), Expr: source(e, "expr")}
	if hasContent(e) {
		if a.Expr != nil && a.Expr.Text != "" {
			p.errorf(contentPos(e), "content-beside-expr", "<assign> has both expr and content: keep one")
		} else {
			a.Expr, a.Content = nil, content(e)
		}
	}
	return a
}

// donedata reads <donedata>.
//
// REC 5.5.2: it has either one <content> or any number of <param>, not both.
func (p *parser) donedata(e *xmltree.Element) *Donedata {
	p.attributes(e, tagDonedata)
	d := &Donedata{Pos: e.Pos()}
	d.Params, d.Content, _ = p.payload(e, tagDonedata)
	if d.Content != nil && len(d.Params) > 0 {
		p.errorf(d.Content.Pos, "conflicting-content", "<donedata> has both <content> and <param>: keep one")
	}
	return d
}

// payload reads the children of <donedata>, <send> or <invoke>. Only <invoke> has a finalize.
func (p *parser) payload(e *xmltree.Element, t tag) (params []*Param, content *Content, finalize *Block) {
	var firstContent, firstFinalize datamodel.Position
	for _, c := range e.Children {
		switch ct := p.child(e, c, t); ct {
		case tagParam:
			params = append(params, p.param(c))
		case tagContent:
			if p.alone(c, ct, t, &firstContent) {
				content = p.content(c)
			}
		case tagFinalize:
			if p.alone(c, ct, t, &firstFinalize) {
				finalize = p.finalize(c)
			}
		}
	}
	return params, content, finalize
}

// content reads <content>.
//
// REC 5.6.2: it has either the attribute expr or content, not both.
func (p *parser) content(e *xmltree.Element) *Content {
	p.attributes(e, tagContent)
	c := &Content{Pos: e.Pos(), Expr: source(e, "expr")}
	switch {
	case c.Expr == nil:
		c.Inline = content(e)
		if len(e.Children) == 1 && !e.HasText() && e.Children[0].Local == "scxml" && e.Children[0].Space == p.space {
			c.scxml = e.Children[0]
		}
	case hasContent(e):
		p.errorf(contentPos(e), "content-beside-expr", "<content> has both expr and content: keep one")
	}
	return c
}

// param reads <param> (REC 5.7).
func (p *parser) param(e *xmltree.Element) *Param {
	p.attributes(e, tagParam)
	p.noChildren(e, tagParam)
	a := &Param{Pos: e.Pos(), Name: value(e, "name"), Expr: source(e, "expr"), Location: source(e, "location")}
	if a.Expr != nil && a.Location != nil {
		if a.Expr.Text == "" {
			a.Expr = nil
		} else {
			a.Location = nil
		}
	}
	return a
}

// script reads <script>.
//
// REC 5.8: "If the script specified by the 'src' attribute of a script element cannot be downloaded within a
// platform-specific timeout interval, the document is considered non-conformant, and the platform MUST reject it."
func (p *parser) script(e *xmltree.Element) *Script {
	p.attributes(e, tagScript)
	p.noChildren(e, tagScript)
	s := &Script{execPos: execPos{e.Pos()}, Src: value(e, "src")}
	if s.Src == "" {
		s.Code = e.Content()
		s.Code.Nodes = nil
		return s
	}
	// REC 5.8.2: "A conformant SCXML document MUST specify either the 'src' attribute or child content, but not both."
	if e.HasText() {
		p.errorf(e.TextPos(), "content-beside-src", "<script> has both src and content: keep one")
	}
	code, err := p.load(s.Src)
	if err != nil {
		p.errorf(source(e, "src").Pos, "cannot-load", "<script> cannot be loaded: %v", err)
		return s
	}
	s.Code = datamodel.Source{Text: code, Pos: p.filePos(s.Src)}
	return s
}

// loadData loads the file that a <data> names. If it is XML, loadData returns nodes.
func (p *parser) loadData(src string) (*datamodel.Source, error) {
	text, err := p.load(src)
	if err != nil {
		return nil, err
	}
	s := &datamodel.Source{Text: text, Pos: p.filePos(src)}
	if strings.HasPrefix(strings.TrimLeft(text, xmlSpace), "<") {
		if root, problems := xmltree.Parse(s.Pos.File, []byte(text), p.opts.Limits); len(problems) == 0 {
			s.Text, s.Nodes = "", []*datamodel.Node{root.Node()}
		}
	}
	return s, nil
}
