package ecmascript_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

func parseXML(t *testing.T, text string) *datamodel.Node {
	t.Helper()
	n, err := datamodel.ParseXML(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestDOM(t *testing.T) {
	st := newStore(t)
	const text = `<books xmlns:p="urn:p"><book title="title1">one<!--c--></book><p:book title="title2" p:lang="en"><b>&lt;2></b></p:book></books>`
	n := parseXML(t, text)
	if err := st.Set("d", n); err != nil {
		t.Fatal(err)
	}
	st.run("var r = d.documentElement, one = r.firstChild, two = r.lastChild")
	for _, tt := range []struct{ text, want string }{
		{"d.getElementsByTagName('book')[0].getAttribute('title')", `"title1"`},
		{"d.getElementsByTagName('book').length", "1"},
		{"d.getElementsByTagName('p:book').item(0).getAttribute('title')", `"title2"`},
		{"d.getElementsByTagName('*').length", "4"},
		{"r.getElementsByTagName('*').length", "3"},
		{"d.getElementsByTagNameNS('urn:p', 'book')[0] === two", "true"},
		{"d.getElementsByTagNameNS('*', 'book').length", "2"},
		{"[d.nodeType, d.nodeName, d.parentNode, d.ownerDocument, d.nodeValue]", `[9,"#document",null,null,null]`},
		{"[r.nodeType, r.nodeName, r.tagName, r.localName, r.prefix, r.namespaceURI]", `[1,"books","books","books",null,null]`},
		{"[two.tagName, two.localName, two.prefix, two.namespaceURI]", `["p:book","book","p","urn:p"]`},
		{"two.getAttributeNS('urn:p', 'lang')", `"en"`},
		{"two.getAttribute('p:lang')", `"en"`},
		{"one.getAttribute('none')", "null"},
		{"[one.hasAttribute('title'), one.hasAttribute('x')]", "[true,false]"},
		{"[one.attributes.length, one.attributes[0].name, one.attributes.item(0).value]", `[1,"title","title1"]`},
		{"[r.textContent, two.textContent, d.textContent]", `["one<2>","<2>",null]`},
		{"[one.childNodes.length, one.children.length, r.children.length]", "[2,0,2]"},
		{"[one.firstChild.nodeType, one.firstChild.data, one.firstChild.nodeValue, one.firstChild.length]", `[3,"one","one",3]`},
		{"[one.lastChild.nodeType, one.lastChild.nodeName, one.lastChild.data]", `[8,"#comment","c"]`},
		{"one.nextSibling === two && two.previousSibling === one && two.nextSibling === null", "true"},
		{"one.parentNode === r && r.parentNode === d && one.ownerDocument === d", "true"},
		{"r.firstChild === one && r.childNodes[0] === one && d.getElementsByTagName('book')[0] === one", "true"},
		{"one.firstChild.firstChild", "null"},
		{"String(one)", `"<book title=\"title1\">one<!--c--></book>"`},
		{"'' + one.firstChild", `"one"`},
		{"d", `{"$xml":"<books xmlns:p=\"urn:p\"><book title=\"title1\">one<!--c--></book><p:book title=\"title2\" p:lang=\"en\"><b>&lt;2&gt;</b></p:book></books>"}`},
		{"two.firstChild", `{"$xml":"<b>&lt;2&gt;</b>"}`},
		{"[one.firstChild]", `[{"$xml":"one"}]`},
		{"'tagName' in one && 'getAttribute' in one && !('tagName' in one.firstChild)", "true"},
		{"one.nope", `{"$undefined":true}`},
		{"d.getAttribute('none')", "null"},
		{"Object.keys(d)", "[]"},
		{"one.getAttribute.call({}, 'x')", "! TypeError: getAttribute() was not called on a node"},
		{"one.firstChild.getAttribute('x')", "! TypeError: getAttribute() was not called on an element"},
		{"one.setAttribute('a b', 1)", `! TypeError: "a b" cannot be the name of an attribute`},
		{"one.data = 1", `! TypeError: XML cannot be changed but for attributes: "data"`},
	} {
		st.want(tt.text, tt.want)
	}
	st.run("one.setAttribute('title', 5); one.setAttribute('new', 'n'); two.removeAttribute('title')")
	st.want("[one.getAttribute('title'), one.hasAttribute('new'), two.hasAttribute('title')]", `["5",true,false]`)
	st.want("r", `{"$xml":"<books xmlns:p=\"urn:p\"><book title=\"5\" new=\"n\">one<!--c--></book><p:book p:lang=\"en\"><b>&lt;2&gt;</b></p:book></books>"}`)
	if !datamodel.Equal(n, parseXML(t, text)) {
		t.Error("the neutral node was changed")
	}
}

func TestXMLContent(t *testing.T) {
	books := parseXML(t, `<books xmlns=""><book title="title1"/><book title="title2"/></books>`)
	blank := &datamodel.Node{Type: datamodel.TextNode, Text: "\n  "}
	note := &datamodel.Node{Type: datamodel.CommentNode, Text: "c"}
	for _, tt := range []struct {
		nodes []*datamodel.Node
		text  string
		want  string
	}{
		{[]*datamodel.Node{blank, note, books, blank}, "v.getElementsByTagName('book')[1].getAttribute('title')", `"title2"`},
		{[]*datamodel.Node{books}, "v.documentElement.tagName", `"books"`},
		{[]*datamodel.Node{{Type: datamodel.TextNode, Text: "see  "}, {Local: "b"}}, "v", `"see <b/>"`},
		{[]*datamodel.Node{{Local: "a"}, blank, {Local: "b"}}, "v", `"<a/> <b/>"`},
	} {
		st := newStore(t)
		e, err := ecmascript.New().Compile(datamodel.Content, datamodel.Source{Nodes: tt.nodes})
		if err != nil {
			t.Fatal(err)
		}
		if err := st.Init("v", e); err != nil {
			t.Fatal(err)
		}
		st.want(tt.text, tt.want)
	}
}
