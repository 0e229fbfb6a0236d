package explain

// ofXML explains why a document cannot be read.
var ofXML = []Explanation{
	{
		Code:    "bad-character",
		Title:   "XML does not allow this character here",
		Section: "XML 1.0, 2.2 and 2.4",
		Text: `In attribute values write "<" as "&lt;", in text write "]]>" as "]]&gt;".
Most control characters are not allowed in a document at all. A condition with many "<" is easier to
read if it is turned around: "5 > x".`,
		Wrong: `<transition cond="x < 5" target="t"/>`,
		Right: `<transition cond="x &lt; 5" target="t"/>`,
	},
	{
		Code:    "bad-encoding",
		Title:   "The document is not written in the encoding that it names",
		Section: "XML 1.0, 4.3.3",
		Text: `Without an XML declaration a document is UTF-8 or, with a byte order mark,
UTF-16. US-ASCII, ISO 8859-1, -2, -5, -7, -9 and -15, Windows 1250 to 1252 and KOI8-R are read as
well if the declaration names them. UTF-8 is always right.`,
		Wrong: `<?xml version="1.0" encoding="EBCDIC"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`,
		Right: `<?xml version="1.0" encoding="UTF-8"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`,
	},
	{
		Code:    "bad-entity",
		Title:   "\"&\" begins something that is not an XML entity",
		Section: "XML 1.0, 4.1 and 4.6",
		Text: `XML itself knows &lt; &gt; &amp; &quot; &apos; and characters by number,
such as &#233;. It does not know the entities of HTML. Write "&amp;" for "&" itself, also in a
condition: "a &amp;&amp; b".`,
		Wrong: `<transition cond="x && y" target="t"/>`,
		Right: `<transition cond="x &amp;&amp; y" target="t"/>`,
	},
	{
		Code:    "bad-namespace",
		Title:   "A namespace declaration that XML forbids",
		Section: "Namespaces in XML 1.0, 3 and 5",
		Text:    `The prefixes xml and xmlns have fixed meanings, and a prefix cannot be bound to an empty namespace.`,
		Wrong: `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:my="" version="1.0">
  <final/>
</scxml>`,
		Right: `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:my="http://example.org/my" version="1.0">
  <final/>
</scxml>`,
	},
	{
		Code:    "doctype",
		Title:   "The DOCTYPE is not read",
		Section: "A.2",
		Text: `A DOCTYPE is skipped, since SCXML needs none. One with an internal subset is
refused, because the entities that it declares can be an attack. A DOCTYPE is allowed only before
the root element. Delete it.`,
		Wrong: `<!DOCTYPE scxml [ <!ENTITY ten "10"> ]>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`,
		Right: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`,
	},
	{
		Code:    "document-limit",
		Title:   "The document is too large",
		Section: "",
		Text: `Limits protect a host from documents that were made to exhaust it: 64 MB,
1,000 levels of nested elements and 5,000,000 elements. No honest chart comes near to one of them.`,
	},
	{
		Code:    "duplicate-attribute",
		Title:   "An attribute appears twice in one tag",
		Section: "XML 1.0, 3.1",
		Text:    `It is not clear which of the two values is meant, so XML does not allow both. Delete one.`,
		Wrong:   `<state id="on" id="off"/>`,
		Right:   `<state id="on"/>`,
	},
	{
		Code:    "empty-document",
		Title:   "The document has no element",
		Section: "XML 1.0, 2.1",
		Text:    `The file is empty, or has nothing but comments. A chart is one <scxml> element.`,
		Wrong:   `<!-- to be written -->`,
		Right:   `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`,
	},
	{
		Code:    "malformed-xml",
		Title:   "The document is not well-formed XML",
		Section: "XML 1.0, 2 and 3",
		Text: `The message says what the XML parser expected. The rest of the document was
not read, so there may be more mistakes.`,
		Wrong: `<state id=on/>`,
		Right: `<state id="on"/>`,
	},
	{
		Code:    "mismatched-tag",
		Title:   "An end tag does not match the open element",
		Section: "XML 1.0, 3",
		Text: `Elements are closed in the reverse order of their start tags. Either the end
tag is misspelt, or one is missing before it.`,
		Wrong: `<state id="on">
  <onentry>
</state>`,
		Right: `<state id="on">
  <onentry/>
</state>`,
	},
	{
		Code:    "not-xml",
		Title:   "The file is not an XML document",
		Section: "3.2",
		Text: `A chart is an XML document with the root element <scxml>. Statecharts in
other formats, such as the JSON of XState, must be translated.`,
		Wrong: `{"initial": "off", "states": {"off": {"on": {"PRESS": "on"}}, "on": {}}}`,
		Right: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="off">
  <state id="off"><transition event="press" target="on"/></state>
  <state id="on"/>
</scxml>`,
	},
	{
		Code:    "second-root",
		Title:   "The document continues after its root element",
		Section: "XML 1.0, 2.1",
		Text:    `A document is one element. Often a "/>" or an end tag closes <scxml> too early.`,
		Wrong: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>
<state id="on"/>`,
		Right: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/>
<state id="on"/></scxml>`,
	},
	{
		Code:    "text-outside-root",
		Title:   "There is text before or after the root element",
		Section: "XML 1.0, 2.1",
		Text:    `Outside <scxml>, only comments, processing instructions and white space are allowed.`,
		Wrong:   `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml> the end`,
		Right:   `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml> <!-- the end -->`,
	},
	{
		Code:    "truncated",
		Title:   "The document ends in the middle of something",
		Section: "XML 1.0, 3",
		Text: `A tag, a comment or a value is not finished when the file ends. The file may
have been cut off when it was copied.`,
		Wrong: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final`,
		Right: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`,
	},
	{
		Code:    "unbound-prefix",
		Title:   "A prefix has no namespace",
		Section: "Namespaces in XML 1.0, 3",
		Text: `A name with a colon belongs to the namespace that an attribute xmlns:prefix
names, on the element itself or around it.`,
		Wrong: `<state id="on"><my:note/></state>`,
		Right: `<state id="on"><my:note xmlns:my="http://example.org/my"/></state>`,
	},
	{
		Code:    "unclosed-element",
		Title:   "An element has no end tag",
		Section: "XML 1.0, 3",
		Text: `The document ends while the element is open. Close it with "</name>", or
write "<name/>" if it has no content.`,
		Wrong: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/>`,
		Right: `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`,
	},
	{
		Code:    "unclosed-tag",
		Title:   "A tag has no \">\"",
		Section: "XML 1.0, 3.1",
		Text:    `The next tag begins before this one ends.`,
		Wrong: `<state id="on"
  <onentry/>
</state>`,
		Right: `<state id="on">
  <onentry/>
</state>`,
	},
	{
		Code:    "unclosed-value",
		Title:   "The value of an attribute has no closing quote",
		Section: "XML 1.0, 3.1",
		Text: `The value seems to continue into the next tag, so its closing quote is
missing. A "<" in a value is written "&lt;".`,
		Wrong: `<state id="on>
  <onentry/>
</state>`,
		Right: `<state id="on">
  <onentry/>
</state>`,
	},
}
