package ecmascript

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// parseContent returns the value of inline content, or of a file's text.
//
// REC B.2.1: the content is JSON and "the corresponding ECMAScript structure"
// is its value; or it is an XML document, and its value is "the corresponding
// DOM structure"; or else "the Processor MUST treat the content as a
// space-normalized string literal".
func parseContent(src datamodel.Source) datamodel.Value {
	if root := singleRoot(src.Nodes); root != nil {
		return root
	}
	if len(src.Nodes) > 0 && hasElement(src.Nodes) {
		// Mixed content, or several elements: no document, so it is text, as
		// it was written.
		var b strings.Builder
		for _, n := range src.Nodes {
			b.WriteString(n.XML())
		}
		return normalizeSpace(b.String())
	}
	text := strings.Trim(src.Text, xmlSpace+"\ufeff")
	if v, err := datamodel.ParsePlainJSON(text); err == nil {
		return v
	}
	if strings.HasPrefix(text, "<") {
		if root, err := datamodel.ParseXML(text); err == nil {
			return root
		}
	}
	return normalizeSpace(text)
}

// singleRoot returns the one element in nodes, if there is nothing beside it
// but blanks and comments.
func singleRoot(nodes []*datamodel.Node) *datamodel.Node {
	var root *datamodel.Node
	for _, n := range nodes {
		switch {
		case n.Type == datamodel.ElementNode && root == nil:
			root = n
		case n.Type == datamodel.ElementNode,
			n.Type == datamodel.TextNode && strings.Trim(n.Text, xmlSpace) != "":
			return nil
		}
	}
	return root
}

func hasElement(nodes []*datamodel.Node) bool {
	for _, n := range nodes {
		if n.Type == datamodel.ElementNode {
			return true
		}
	}
	return false
}

// xmlSpace is white space in XML.
const xmlSpace = " \t\r\n"

// normalizeSpace does what the function normalize-space of XPath does.
func normalizeSpace(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(xmlSpace, r) }), " ")
}
