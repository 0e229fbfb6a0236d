package datamodel

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ParseXML reads a well-formed XML document and returns its root element. It drops processing
// instructions and what surrounds the root. It refuses a DOCTYPE with an internal subset, and
// elements nested deeper than [MaxDepth].
func ParseXML(text string) (*Node, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	// Text is UTF-8 already, whatever its declaration says.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	p := xmlParser{scope: newScope()}
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
		return nil, fmt.Errorf("element %q is not closed", p.open[len(p.open)-1].Name())
	case p.root == nil:
		return nil, errors.New("no element")
	}
	return p.root, nil
}

type xmlParser struct {
	root  *Node
	open  []*Node
	text  []string // neighbouring pieces of text that are not a node yet
	scope scope
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
		if top.Prefix != tok.Name.Space || top.Local != tok.Name.Local {
			return fmt.Errorf("unexpected </%s>, </%s> was expected", qualified(tok.Name.Space, tok.Name.Local), top.Name())
		}
		p.endText()
		for _, a := range top.Attrs {
			if prefix, ok := a.IsDecl(); ok {
				p.scope.undeclare(prefix)
			}
		}
		p.open = p.open[:len(p.open)-1]
	case xml.CharData:
		if len(p.open) == 0 {
			if strings.Trim(strings.TrimPrefix(string(tok), "\uFEFF"), " \t\r\n") != "" {
				return errors.New("text outside the root element")
			}
			return nil
		}
		p.text = append(p.text, string(tok))
	case xml.Comment:
		if len(p.open) > 0 {
			p.endText()
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
	parent := p.open[len(p.open)-1]
	parent.Children = append(parent.Children, n)
}

// endText adds the text before a tag or comment; neighbouring pieces, as around a CDATA section, become one node.
func (p *xmlParser) endText() {
	if len(p.text) > 0 {
		p.add(&Node{Type: TextNode, Text: strings.Join(p.text, "")})
		p.text = p.text[:0]
	}
}

func (p *xmlParser) start(tok xml.StartElement) error {
	switch {
	case len(p.open) == 0 && p.root != nil:
		return errors.New("a second root element")
	case len(p.open) >= MaxDepth:
		return fmt.Errorf("elements are nested deeper than %d levels", MaxDepth)
	}
	p.endText()
	n := &Node{Prefix: tok.Name.Space, Local: tok.Name.Local}
	seen := make(map[xml.Name]bool, len(tok.Attr))
	for _, a := range tok.Attr {
		attr := Attr{Prefix: a.Name.Space, Local: a.Name.Local, Value: a.Value}
		if seen[a.Name] {
			return fmt.Errorf("duplicate attribute %q", attr.Name())
		}
		seen[a.Name] = true
		if prefix, ok := attr.IsDecl(); ok {
			p.scope.declare(prefix, a.Value, len(p.open))
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
	p.open = append(p.open, n)
	return nil
}

func (p *xmlParser) space(prefix string) (string, error) {
	space, ok := p.scope.lookup(prefix)
	if !ok {
		return "", fmt.Errorf("namespace prefix %q is not declared", prefix)
	}
	return space, nil
}
