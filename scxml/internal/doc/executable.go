package doc

import (
	"encoding/xml"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// block reads <onentry>, <onexit> or <finalize>.
func (p *parser) block(e *xmltree.Element, t tag) *Block {
	p.attributes(e, t)
	return &Block{Pos: e.Pos(), Body: p.body(e, t)}
}

// finalize reads <finalize> (REC 6.5).
func (p *parser) finalize(e *xmltree.Element) *Block {
	p.finalizing = true
	defer func() { p.finalizing = false }()
	return p.block(e, tagFinalize)
}

// body reads the executable content of e, an element t (REC 4).
func (p *parser) body(e *xmltree.Element, t tag) []Exec {
	var body []Exec
	for _, c := range e.Children {
		if x := p.exec(e, c, t); x != nil {
			body = append(body, x)
		}
	}
	return body
}

// exec reads c, a child of e. It returns nil if c is refused.
func (p *parser) exec(e, c *xmltree.Element, t tag) Exec {
	ct := p.child(e, c, t)
	if ct == tagUnknown {
		return p.foreign(c)
	}
	return p.action(c, ct)
}

// foreign reads an element of another namespace. It may be executable content that an
// implementation adds (REC 4.10); the session decides what to do with it.
func (p *parser) foreign(e *xmltree.Element) Exec {
	if e.Space == p.space {
		return nil
	}
	return &Foreign{execPos{e.Pos()}, xml.Name{Space: e.Space, Local: e.Local}, e.Node()}
}

// action reads executable content.
func (p *parser) action(e *xmltree.Element, t tag) Exec {
	// REC 6.5.2: <finalize> may not raise events or invoke external actions.
	if p.finalizing && (t == tagSend || t == tagRaise) {
		p.errorf(e.Pos(), "misplaced-element", "<%s> is not allowed in <finalize>, which is there to update data", t)
		return nil
	}
	switch t {
	case tagIf:
		return p.branches(e)
	case tagScript:
		return p.script(e)
	}
	p.attributes(e, t)
	at := execPos{e.Pos()}
	if t != tagForeach && t != tagSend && t != tagAssign {
		p.noChildren(e, t)
	}
	switch t {
	case tagRaise:
		return &Raise{at, p.eventName(e, t)}
	case tagForeach:
		return p.foreach(e)
	case tagLog:
		expr := source(e, "expr")
		if expr != nil && expr.Text == "" {
			expr = nil // generators write an empty one, as in the W3C's test 307
		}
		return &Log{at, value(e, "label"), expr}
	case tagAssign:
		return p.assign(e)
	case tagSend:
		return p.send(e)
	case tagCancel:
		return p.cancel(e)
	}
	return nil
}

// noChildren reports the SCXML elements in e, in which none is allowed.
func (p *parser) noChildren(e *xmltree.Element, t tag) {
	for _, c := range e.Children {
		p.child(e, c, t)
	}
}

// branches reads <if>.
//
// REC 4.3: any number of <elseif>, then at most one <else>, partition its content.
func (p *parser) branches(e *xmltree.Element) Exec {
	p.attributes(e, tagIf)
	x := &If{execPos{e.Pos()}, []Branch{{Pos: e.Pos(), Cond: source(e, "cond")}}}
	var end datamodel.Position // of <else>
	for _, c := range e.Children {
		t := p.child(e, c, tagIf)
		switch t {
		case tagElseIf, tagElse:
			p.attributes(c, t)
			p.noChildren(c, t)
			if end.IsValid() {
				p.errorf(c.Pos(), "misplaced-else", "<%s> follows the <else> at %d:%d, which must be the last part of <if>", t, end.Line, end.Col)
				continue
			}
			b := Branch{Pos: c.Pos()}
			if t == tagElse {
				end = c.Pos()
			} else {
				b.Cond = source(c, "cond")
			}
			x.Branches = append(x.Branches, b)
		case tagUnknown:
			p.addTo(x, p.foreign(c))
		default:
			p.addTo(x, p.action(c, t))
		}
	}
	return x
}

func (p *parser) addTo(x *If, action Exec) {
	if action != nil {
		b := &x.Branches[len(x.Branches)-1]
		b.Body = append(b.Body, action)
	}
}

// foreach reads <foreach>. Whether item and index are legal names is checked when it is executed
// (REC 4.6: "if 'item' does not specify a legal variable name, the SCXML processor MUST terminate
// execution of the foreach element and the block that contains it, and place the error
// error.execution on the internal event queue").
func (p *parser) foreach(e *xmltree.Element) Exec {
	f := &Foreach{execPos: execPos{e.Pos()}, Array: source(e, "array"), Body: p.body(e, tagForeach)}
	name := func(attr string) (string, datamodel.Position) {
		src := source(e, attr)
		if src == nil {
			return "", e.Pos()
		}
		return strings.Trim(src.Text, xmlSpace), src.Pos
	}
	f.Item, f.ItemPos = name("item")
	f.Index, f.IndexPos = name("index")
	return f
}
