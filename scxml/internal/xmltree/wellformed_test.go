package xmltree

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestNotWellFormed reads documents that are not well-formed XML. Each has a list of the problems
// to expect, as "line:col: code: message".
func TestNotWellFormed(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"empty", "", []string{`1:1: empty-document: document is empty`}},
		{"blank", " \n\n ", []string{`1:1: empty-document: document is empty`}},
		{"comment only", "<!-- x -->", []string{`1:1: empty-document: document has no root element`}},
		{"text only", "\n hello", []string{`2:2: text-outside-root: text "hello" before the root element`}},
		{"unclosed", "<a>\n  <b>\n</b>", []string{`1:1: unclosed-element: <a> is not closed: the document ends before its end tag`}},
		{"unclosed inner", "<a>\n  <b>", []string{`2:3: unclosed-element: <b> is not closed: the document ends before its end tag`}},
		{"mismatched", "<a>\n  <b>\n</a>", []string{`3:1: mismatched-tag: end tag </a> does not close <b>, which was opened at 2:3: write </b> before it`}},
		{"mismatched case", "<a></A>", []string{`1:4: mismatched-tag: end tag </A> does not close <a>, which was opened at 1:1: upper and lower case differ, write </a>`}},
		{"mismatched name", "<a></b>", []string{`1:4: mismatched-tag: end tag </b> does not close <a>, which was opened at 1:1`}},
		{"end without start", "<a/></a>", []string{`1:5: mismatched-tag: end tag </a> does not have a start tag: no element is open here`}},
		{"two roots", "<a>\n</a>\n<b/>", []string{`3:1: second-root: second root element <b>: the document ended with </a> of line 2`}},
		{"text after", "<a/>\nhello there, this is a long text", []string{`2:1: text-outside-root: text "hello there, this is…" after the root element`}},
		{"text before and after", "x<a/>y", []string{
			`1:1: text-outside-root: text "x" before the root element`,
			`1:6: text-outside-root: text "y" after the root element`,
		}},
		{"cdata outside", "<a/><![CDATA[]]>", []string{`1:5: text-outside-root: CDATA section outside the root element`}},
		{"control character", "<a>é\x01</a>", []string{`1:5: bad-character: character U+0001 is not allowed in XML`}},
		{"noncharacter", "<a>\uFFFE</a>", []string{`1:4: bad-character: character U+FFFE is not allowed in XML`}},
		{"not UTF-8", "<a>\n \xE9</a>", []string{`2:2: bad-encoding: byte 0xE9 is not UTF-8: save the document as UTF-8, or name its encoding in the XML declaration`}},
		{"less in attribute", `<a b="1 < 2"/>`, []string{`1:9: bad-character: "<" in the value of attribute "b" of <a>: write "&lt;"`}},
		{"less in text", `<a>1 < 2</a>`, []string{`1:6: malformed-xml: "<" does not begin a tag: write "&lt;" for the character itself`}},
		{"end of cdata in text", `<a>x]]></a>`, []string{`1:5: bad-character: "]]>" in text: write "]]&gt;"`}},
		{"unknown entity", `<a b="&nbsp;">&x;</a>`, []string{
			`1:7: bad-entity: unknown entity "&nbsp;": XML has &lt; &gt; &amp; &quot; and &apos;`,
			`1:15: bad-entity: unknown entity "&x;": XML has &lt; &gt; &amp; &quot; and &apos;`,
		}},
		{"bare ampersand", `<a b="x && y"/>`, []string{
			`1:9: bad-entity: "&" does not begin an entity: write "&amp;" for the character itself`,
		}},
		{"bad reference", `<a>&#0;&#xZ;&#x110000;&#65;</a>`, []string{
			`1:4: bad-entity: "&#0;" is not a character that XML allows`,
			`1:8: bad-entity: "&#xZ;" is not a character that XML allows`,
			`1:13: bad-entity: "&#x110000;" is not a character that XML allows`,
		}},
		{"unbound prefix", "<a>\n<x:b y:c=''/></a>", []string{
			`2:1: unbound-prefix: prefix "x" of element "x:b" is not bound to a namespace: add xmlns:x="…"`,
			`2:6: unbound-prefix: prefix "y" of attribute "y:c" is not bound to a namespace: add xmlns:y="…"`,
		}},
		{"prefix out of scope", `<a><b xmlns:x="urn:x"/><x:c/></a>`, []string{
			`1:24: unbound-prefix: prefix "x" of element "x:c" is not bound to a namespace: add xmlns:x="…"`,
		}},
		{"unbinding a prefix", `<a xmlns:x=""/>`, []string{`1:4: bad-namespace: prefix "x" is bound to an empty namespace`}},
		{"declaring xmlns", `<a xmlns:xmlns="urn:x"/>`, []string{`1:4: bad-namespace: the prefix xmlns cannot be declared`}},
		{"rebinding xml", `<a xmlns:xml="urn:x"/>`, []string{`1:4: bad-namespace: only the prefix xml can be bound to the namespace http://www.w3.org/XML/1998/namespace, and only to that`}},
		{"duplicate attribute", "<a b='1'\n c='2' b='3'/>", []string{`2:8: duplicate-attribute: attribute "b" appears twice in <a>`}},
		{"duplicate by namespace", "<a xmlns:x='u' xmlns:y='u' x:b='' y:b=''/>", []string{`1:35: duplicate-attribute: attribute "b" appears twice in <a>`}},
		{"quotes in a value", `<a b="say "c" d"/>`, []string{`1:12: malformed-xml: expected white space before the attribute "c" of <a>: the value before it ended at its second quote; within a value, use the other kind of quotes`}},
		{"value and more", `<a b="c: " + d/>`, []string{`1:12: malformed-xml: "+" cannot begin an attribute name in the tag <a>: the value before it ended at its second quote; within a value, use the other kind of quotes`}},
		{"typographic quotes", `<a b=“c”/>`, []string{`1:6: malformed-xml: value of attribute "b" of <a> begins with the typographic quote “: write " or '`}},
		{"no space between attributes", `<a b="1"c="2"/>`, []string{`1:9: malformed-xml: expected white space before the attribute "c" of <a>`}},
		{"attribute without value", `<a b c="2"/>`, []string{`1:4: malformed-xml: attribute "b" of <a> has no value: expected "="`}},
		{"attribute without quotes", `<a b=c/>`, []string{`1:6: malformed-xml: value of attribute "b" of <a> is not quoted`}},
		{"attribute without closing quote", "<a b=\"c>\n<d e=\"\"/></a>", []string{`1:7: unclosed-value: value of attribute "b" of <a> has no closing quote, or contains a "<" that is not written "&lt;"`}},
		{"attribute without name", `<a ="c"/>`, []string{`1:4: malformed-xml: expected an attribute name in the tag <a>, found "="`}},
		{"odd attribute name", `<a 1="c"/>`, []string{`1:4: malformed-xml: "1" cannot begin an attribute name in the tag <a>`}},
		{"two colons", `<a b:c:d="c"/>`, []string{`1:4: malformed-xml: "b:c:d" is not an attribute name: a name has at most one colon, between a prefix and a local name`}},
		{"two colons in element", `<a:b:c/>`, []string{`1:1: malformed-xml: "a:b:c" is not an element name: a name has at most one colon, between a prefix and a local name`}},
		{"tag not closed", "<a\n<b/></a>", []string{`1:1: unclosed-tag: the tag <a> is not closed: expected ">" before the next "<"`}},
		{"slash", `<a / >`, []string{`1:4: malformed-xml: expected ">" after "/" in the tag <a>`}},
		{"end tag with attribute", `<a></a b="">`, []string{`1:4: malformed-xml: end tag is not of the form "</name>"`}},
		{"double hyphen", "<a>\n<!-- a -- b --></a>", []string{`2:8: malformed-xml: "--" inside the comment that begins at 2:1: it is allowed only at the end, in "-->"`}},
		{"declaration twice", "<a><?xml version='1.0'?></a>", []string{`1:4: malformed-xml: an XML declaration is allowed only at the very beginning of the document`}},
		{"declaration too late", "\n<?xml version='1.0'?><a/>", []string{`2:1: malformed-xml: an XML declaration is allowed only at the very beginning of the document`}},
		{"declaration without version", "<?xml encoding='UTF-8'?><a/>", []string{`1:1: malformed-xml: XML declaration has no version: write <?xml version="1.0"?>`}},
		{"XML 2", "<?xml version='2.0'?><a/>", []string{`1:1: malformed-xml: XML version "2.0" is not supported: expected "1.0"`}},
		{"nameless instruction", "<a><? x?></a>", []string{`1:4: malformed-xml: processing instruction has no name`}},
		{"instruction without white space", "<a><?b\x3F c?></a>", []string{`1:4: malformed-xml: expected white space after the name of the processing instruction "b"`}},
		{"DOCTYPE not closed", "<!DOCTYPE a PUBLIC <a/>", []string{`1:1: malformed-xml: the DOCTYPE is not closed`}},
		{"other markup", "<a><!ELEMENT></a>", []string{`1:4: malformed-xml: "<!" does not begin a comment, a CDATA section or a DOCTYPE`}},
		{"internal subset", "<!DOCTYPE a [<!ENTITY b 'c'>]>\n<a/>", []string{`1:1: doctype: a DOCTYPE with an internal subset is refused: entities are a means of attack`}},
		{"late DOCTYPE", "<a/><!DOCTYPE a>", []string{`1:5: doctype: a DOCTYPE is allowed only once, before the root element`}},
		{"truncated tag", "<a>\n<b", []string{`2:1: truncated: document ends inside the tag <b>`}},
		{"truncated attribute", "<a b", []string{`1:1: truncated: document ends inside the tag <a>`}},
		{"truncated value", "<a b='c", []string{`1:7: truncated: document ends inside the value of attribute "b" of <a>`}},
		{"truncated end tag", "<a></a", []string{`1:4: truncated: document ends inside an end tag`}},
		{"truncated comment", "<a><!-- b --", []string{`1:4: truncated: document ends inside a comment: expected "-->"`}},
		{"truncated CDATA", "<a><![CDATA[ b", []string{`1:4: truncated: document ends inside a CDATA section: expected "]]>"`}},
		{"truncated instruction", "<a><?b", []string{`1:4: truncated: document ends inside a processing instruction: expected "?>"`}},
		{"truncated DOCTYPE", "<!DOCTYPE a", []string{`1:1: truncated: document ends inside the DOCTYPE`}},
		{"truncated declaration", "<?xml version='1.0'", []string{`1:1: truncated: document ends inside the XML declaration`}},
		{"too deep", "<a><a><a><a/></a></a></a>", []string{`1:10: document-limit: elements are nested more than 3 levels deep`}},
		{"too many", "<a><b/><b/><b/><b/><b/></a>", []string{`1:20: document-limit: document has more than 5 elements`}},
		{"too many attributes", "<a b='' c='' d='' e='' f=''/>", []string{`1:24: document-limit: <a> has more than 4 attributes`}},
		{"too long", "<a>" + strings.Repeat("x", 200) + "</a>", []string{`1:1: document-limit: document has more than 200 bytes`}},

		{"unknown encoding", "<?xml version='1.0' encoding='Shift_JIS'?><a/>", []string{`1:1: bad-encoding: encoding "Shift_JIS" is not supported: save the document as UTF-8`}},
		{"not UTF-16", "<?xml version='1.0' encoding='UTF-16'?><a/>", []string{`1:1: bad-encoding: XML declaration names the encoding UTF-16, but the document is not written in it`}},
		{"mark of UTF-8", "\xEF\xBB\xBF<?xml version='1.0' encoding='latin1'?><a/>", []string{`1:1: bad-encoding: XML declaration names the encoding latin1, but the document begins with the mark of UTF-8`}},
		{"not ASCII", "<?xml version='1.0' encoding='US-ASCII'?>\n<a>\xC3\xA9</a>", []string{`2:4: bad-encoding: byte 0xC3 is not US-ASCII, which the XML declaration names`}},
		{"hole in windows-1252", "<?xml version='1.0' encoding='windows-1253'?>\n<a/>", []string{`1:1: bad-encoding: encoding "windows-1253" is not supported: save the document as UTF-8`}},
		{"UTF-32", "\xFF\xFE\x00\x00<\x00\x00\x00", []string{`1:1: bad-encoding: encoding UTF-32 is not supported: save the document as UTF-8`}},
		{"UTF-16, odd", utf16LE("<a/>") + "x", []string{`1:5: bad-encoding: document in UTF-16 ends inside a character`}},
		{"UTF-16, half a character", utf16LE("<a>") + "\x00\xD8\x41\x00", []string{`1:4: bad-encoding: half a character (U+D800) in UTF-16`}},
		{"UTF-16, other name", utf16LE("<?xml version='1.0' encoding='UTF-8'?><a/>"), []string{`1:1: bad-encoding: XML declaration names the encoding UTF-8, but the document is written in UTF-16`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root, problems := Parse("x", []byte(test.src), Limits{Size: 200, Depth: 3, Elements: 5, Attributes: 4})
			var got []string
			for _, p := range problems {
				got = append(got, fmt.Sprintf("%d:%d: %s: %s", p.Pos.Line, p.Pos.Col, p.Code, p.Message))
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(test.want, "\n\t"))
			}
			if root == nil && len(problems) == 0 {
				t.Error("neither a tree nor a problem")
			}
		})
	}
}

func utf16LE(s string) string {
	b := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// TestWellFormed reads documents that are unusual, but well-formed XML.
func TestWellFormed(t *testing.T) {
	be := []byte{0xFE, 0xFF}
	bare := []byte{}
	for _, u := range utf16.Encode([]rune("<?xml version='1.0' encoding='UTF-16'?><é>ü𝄞</é>")) {
		be = append(be, byte(u>>8), byte(u))
		bare = append(bare, byte(u>>8), byte(u))
	}
	tests := []struct{ name, src, text string }{
		{"plain", "<é>ü𝄞</é>", "ü𝄞"},
		{"mark", "\xEF\xBB\xBF<?xml version='1.0' encoding='utf-8'?><é>ü𝄞</é>", "ü𝄞"},
		{"UTF-16LE", utf16LE("<é>ü𝄞</é>"), "ü𝄞"},
		{"UTF-16BE", string(be), "ü𝄞"},
		{"UTF-16BE without mark", string(bare), "ü𝄞"},
		{"Latin-1", "<?xml version='1.0' encoding='ISO-8859-1'?><\xE9>\xFC</\xE9>", "ü"},
		{"windows-1252", `<?xml version="1.0" encoding="Windows-1252"?><` + "\xE9>\x80</\xE9>", "€"},
		{"ASCII", "<?xml version='1.0' encoding='US-ASCII' standalone='yes' ?><a>u</a>", "u"},
		{"XML 1.1", "<?xml version='1.1'?><a>u</a>", "u"},
		{"DOCTYPE", "<!DOCTYPE a PUBLIC '>' \"[\" >\n<a>u</a>", "u"},
		{"misc", "<?pi x?>\n<!-- c --><a>u</a>\n<!-- c --><?pi?>\n", "u"},
		{"entities", "<a>&lt;&amp;&#65;&#x42;<![CDATA[<&]]>\r\n\r</a>", "<&AB<&\n\n"},
		{"same name in two namespaces", "<a xmlns:x='x' xmlns:y='y' b='' x:b='' y:b='' xml:lang='de'>u</a>", "u"},
		{"names", "<_a.b-c·d/>", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root, problems := Parse("x", []byte(test.src), Limits{})
			if problems != nil {
				t.Fatal(problems)
			}
			if got := root.Content().Text; got != test.text {
				t.Errorf("got %q, want %q", got, test.text)
			}
		})
	}
}
