package datamodel_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func TestXML(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"<a/>", ""},
		{"<a></a>", "<a/>"},
		{`<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE a><!--x--><a b='c"d'>é &amp; &lt;&#62;<!--n--></a>`, `<a b="c&quot;d">é &amp; &lt;&gt;<!--n--></a>`},
		{"<a>x<![CDATA[<y>]]>z</a>", "<a>x&lt;y&gt;z</a>"},
		{"<a b='&#9;&#10;&#13;'>&#13;</a>", `<a b="&#x9;&#xA;&#xD;">&#xD;</a>`},
		{`<p:a xmlns:p="u" p:x="1" xml:lang="en"><p:b/></p:a>`, ""},
		{`<a xmlns="u"><b xmlns=""><c/></b></a>`, ""},
	} {
		n, err := datamodel.ParseXML(tt.in)
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		want := tt.want
		if want == "" {
			want = tt.in
		}
		if got := n.XML(); got != want {
			t.Errorf("%s\n got %s\nwant %s", tt.in, got, want)
		}
	}
}

// A part of a document declares what it needs.
func TestXMLNamespacesOfParts(t *testing.T) {
	el := func(prefix, local, space string, attrs ...datamodel.Attr) *datamodel.Node {
		return &datamodel.Node{Prefix: prefix, Local: local, Space: space, Attrs: attrs}
	}
	with := func(n *datamodel.Node, kids ...*datamodel.Node) *datamodel.Node { n.Children = kids; return n }
	attr := func(prefix, local, space, value string) datamodel.Attr {
		return datamodel.Attr{Prefix: prefix, Local: local, Space: space, Value: value}
	}
	for _, tt := range []struct {
		n    *datamodel.Node
		want string
	}{
		{el("", "a", "u"), `<a xmlns="u"/>`},
		{el("p", "a", "u"), `<p:a xmlns:p="u"/>`},
		{with(el("p", "a", "u"), el("p", "b", "u"), el("", "c", "")), `<p:a xmlns:p="u"><p:b/><c/></p:a>`},
		{with(el("", "a", "u"), el("", "b", "")), `<a xmlns="u"><b xmlns=""/></a>`},
		{with(el("p", "a", "u"), el("p", "b", "v")), `<p:a xmlns:p="u"><p:b xmlns:p="v"/></p:a>`},
		{el("", "a", "", attr("q", "x", "u", "1")), `<a q:x="1" xmlns:q="u"/>`},
		{el("p", "a", "u", attr("p", "x", "v", "1")), `<p:a ns1:x="1" xmlns:p="u" xmlns:ns1="v"/>`},
		{el("", "a", "u", attr("", "x", "u", "1")), `<a ns1:x="1" xmlns="u" xmlns:ns1="u"/>`},
		{el("", "a", "", attr("", "xmlns", "", "u")), `<a xmlns=""/>`},
		{el("xml", "a", "http://www.w3.org/XML/1998/namespace"), `<xml:a/>`},
		{el("p", "a", ""), `<p:a/>`},
		{&datamodel.Node{Type: datamodel.CommentNode, Text: "a--b-"}, `<!--a- -b- -->`},
		{&datamodel.Node{Type: datamodel.TextNode, Text: "a\x00b\xffc\uFFFE"}, "a\uFFFDb\uFFFDc\uFFFD"},
	} {
		if got := tt.n.XML(); got != tt.want {
			t.Errorf("got %s\nwant %s", got, tt.want)
		}
	}
}

func TestParseXMLErrors(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", "no element"},
		{"x", "text outside the root element"},
		{"<a>", `element "a" is not closed`},
		{"<a></b>", "unexpected </b>, </a> was expected"},
		{"</a>", "unexpected </a>"},
		{"<a/><b/>", "a second root element"},
		{"<a/>x", "text outside the root element"},
		{"<p:a/>", `namespace prefix "p" is not declared`},
		{"<a p:b=''/>", `namespace prefix "p" is not declared`},
		{"<a b='' b=''/>", `duplicate attribute "b"`},
		{"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "a DOCTYPE with an internal subset is refused"},
		{"<a>&b;</a>", "invalid character entity"},
		{strings.Repeat("<a>", 600), "elements are nested deeper than 500 levels"},
	} {
		_, err := datamodel.ParseXML(tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40s\n got %v\nwant %s", tt.in, err, tt.want)
		}
	}
}

// TestHostileXML reads and writes XML that was made to take long. It takes a
// second or two; what is quadratic takes minutes.
func TestHostileXML(t *testing.T) {
	const n = 100_000
	many := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"attributes":        "<a " + many("b%d='' ") + "/>",
		"pieces of text":    "<a>" + strings.Repeat("<![CDATA[xxxxxxxxxxxx]]>", 5*n) + "</a>",
		"namespaces":        "<a " + many("xmlns:b%d='c' ") + ">" + strings.Repeat("<b0:d/>", n) + "</a>",
		"attributes' names": "<a " + many("xmlns:b%d='c' ") + "><d " + many("b%d:e='' ") + "/></a>",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			root, err := datamodel.ParseXML(text)
			if err != nil {
				t.Fatal(err)
			}
			again, err := datamodel.ParseXML(root.XML())
			if err != nil || !datamodel.Equal(root, again) {
				t.Errorf("written and read again it differs (%v)", err)
			}
			for _, c := range root.Children { // alone it has to declare its namespaces
				if _ = c.XML(); time.Since(start) > time.Minute {
					t.Fatalf("took %v", time.Since(start))
				}
			}
		})
	}
}

func TestEqual(t *testing.T) {
	values := []string{"null", `{"$undefined":true}`, "true", "false", "0", `{"$number":"-0"}`, `{"$number":"NaN"}`, "1", "1.5", `""`, `"1"`,
		"[]", "[1]", `[{"$undefined":true}]`, "{}", `{"a":1}`, `{"a":{"$undefined":true}}`, `{"a":1,"b":[2]}`,
		`{"$date":"2020-01-01T00:00:00Z"}`, `{"$bigint":"1"}`, `{"$function":"f"}`, `{"$xml":"<a/>"}`, `{"$xml":"<a b=\"c\">d</a>"}`}
	for i, a := range values {
		for j, b := range values {
			if got := datamodel.Equal(parse(t, a), parse(t, b)); got != (i == j) {
				t.Errorf("Equal(%s, %s) = %v", a, b, got)
			}
		}
	}
	for a, b := range map[string]string{
		`{"a":1,"b":2}`:                         `{"b":2,"a":1}`,
		`{"$date":"2020-01-01T01:00:00+01:00"}`: `{"$date":"2020-01-01T00:00:00Z"}`,
		`{"$xml":"<a b='1' c='2'/>"}`:           `{"$xml":"<a c='2' b='1'/>"}`,
	} {
		if !datamodel.Equal(parse(t, a), parse(t, b)) {
			t.Errorf("%s and %s differ", a, b)
		}
	}
}
