package datamodel

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ParseXML reads a well-formed XML document and returns its root element.
// Processing instructions and what stands beside the root are left out; a
// DOCTYPE with an internal subset is refused, and so are elements nested
// deeper than [MaxDepth].
func ParseXML(text string) (*Node, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	// Text is UTF-8 already, whatever its declaration says.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	p := xmlParser{scope: []binding{{"xml", xmlSpace}}}
	for {
		tok, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = p.token(tok)
		}
		if err != nil {
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				return nil, err
			}
			line, col := d.InputPos()
			return nil, fmt.Errorf("%d:%d: %w", line, col, err)
		}
	}
	switch {
	case len(p.open) > 0:
		return nil, fmt.Errorf("element %q is not closed", p.open[len(p.open)-1].node.Name())
	case p.root == nil:
		return nil, errors.New("no element")
	}
	return p.root, nil
}

type xmlParser struct {
	root  *Node
	open  []openElement
	scope []binding
}

type openElement struct {
	node  *Node
	outer int // length of scope around it
}

func (p *xmlParser) token(tok xml.Token) error {
	switch tok := tok.(type) {
	case xml.StartElement:
		return p.start(tok)
	case xml.EndElement:
		if len(p.open) == 0 {
			return fmt.Errorf("unexpected </%s>", qualified(tok.Name.Space, tok.Name.Local))
		}
		top := p.open[len(p.open)-1]
		if top.node.Prefix != tok.Name.Space || top.node.Local != tok.Name.Local {
			return fmt.Errorf("unexpected </%s>, </%s> was expected", qualified(tok.Name.Space, tok.Name.Local), top.node.Name())
		}
		p.scope = p.scope[:top.outer]
		p.open = p.open[:len(p.open)-1]
	case xml.CharData:
		if len(p.open) == 0 {
			if strings.Trim(strings.TrimPrefix(string(tok), "\uFEFF"), " \t\r\n") != "" {
				return errors.New("text outside the root element")
			}
			return nil
		}
		p.text(string(tok))
	case xml.Comment:
		if len(p.open) > 0 {
			p.add(&Node{Type: CommentNode, Text: string(tok)})
		}
	case xml.Directive:
		if p.root != nil || strings.ContainsAny(string(tok), "[<") {
			return errors.New("a DOCTYPE with an internal subset is refused")
		}
	}
	return nil
}

func (p *xmlParser) add(n *Node) {
	parent := p.open[len(p.open)-1].node
	parent.Children = append(parent.Children, n)
}

// text adds text; neighbouring pieces, as around a CDATA section, become one node.
func (p *xmlParser) text(s string) {
	parent := p.open[len(p.open)-1].node
	if n := len(parent.Children); n > 0 && parent.Children[n-1].Type == TextNode {
		parent.Children[n-1].Text += s
		return
	}
	p.add(&Node{Type: TextNode, Text: s})
}

func (p *xmlParser) start(tok xml.StartElement) error {
	switch {
	case len(p.open) == 0 && p.root != nil:
		return errors.New("a second root element")
	case len(p.open) >= MaxDepth:
		return fmt.Errorf("elements are nested deeper than %d levels", MaxDepth)
	}
	n := &Node{Prefix: tok.Name.Space, Local: tok.Name.Local}
	outer := len(p.scope)
	for i, a := range tok.Attr {
		attr := Attr{Prefix: a.Name.Space, Local: a.Name.Local, Value: a.Value}
		for _, b := range tok.Attr[:i] {
			if a.Name == b.Name {
				return fmt.Errorf("duplicate attribute %q", attr.Name())
			}
		}
		if prefix, ok := attr.IsDecl(); ok {
			p.scope = append(p.scope, binding{prefix, a.Value})
		}
		n.Attrs = append(n.Attrs, attr)
	}
	var err error
	if n.Space, err = p.space(n.Prefix); err != nil {
		return err
	}
	for i := range n.Attrs {
		a := &n.Attrs[i]
		if _, ok := a.IsDecl(); ok {
			a.Space = xmlnsSpace
		} else if a.Prefix != "" {
			if a.Space, err = p.space(a.Prefix); err != nil {
				return err
			}
		}
	}
	if len(p.open) > 0 {
		p.add(n)
	} else {
		p.root = n
	}
	p.open = append(p.open, openElement{n, outer})
	return nil
}

func (p *xmlParser) space(prefix string) (string, error) {
	w := xmlWriter{scope: p.scope}
	space, ok := w.lookup(prefix)
	if !ok {
		return "", fmt.Errorf("namespace prefix %q is not declared", prefix)
	}
	return space, nil
}
