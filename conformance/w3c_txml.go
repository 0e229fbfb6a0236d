package conformance

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// confNamespace is the namespace of what the W3C's abstract documents leave to
// the data model.
const confNamespace = "http://www.w3.org/2005/scxml-conformance"

// An abstractAttribute is the attribute that one of [confNamespace] becomes. In
// the value, $0 is replaced by the abstract value, and $1 and $2 by its parts
// before and after sep.
type abstractAttribute struct {
	name, sep, value string
}

// abstractAttributes converts the attributes of [confNamespace] to the
// ECMAScript data model. The values, odd blanks included, are those of the
// W3C's converted documents, so that the results can be compared. Abstract
// documents name variables by numbers.
var abstractAttributes = map[string]abstractAttribute{
	"datamodel": {"datamodel", "", "$0"}, // "" becomes ecmascript

	// names and locations
	"id":                {"id", "", "Var$0"},
	"name":              {"name", "", "Var$0"},
	"location":          {"location", "", "Var$0"},
	"idlocation":        {"idlocation", "", "Var$0"},
	"invalidLocation":   {"location", "", "foo.bar.baz "},
	"systemVarLocation": {"location", "", "$0"},
	"namelist":          {"namelist", "", "Var$0"},
	"invalidNamelist":   {"namelist", "", `"foo`},
	"item":              {"item", "", "Var$0"},
	"illegalItem":       {"item", "", "'continue'"},
	"index":             {"index", "", "Var$0"},
	"arrayVar":          {"array", "", "Var$0"},
	"arrayTextVar":      {"array", "", "Var$0"},

	// values
	"expr":                   {"expr", "", "$0"},
	"quoteExpr":              {"expr", "", "'$0'"},
	"varExpr":                {"expr", "", "Var$0"},
	"varChildExpr":           {"expr", "", "Var$0"},
	"varNonexistentStruct":   {"expr", "", "Var$0.bar"},
	"systemVarExpr":          {"expr", "", "$0"},
	"illegalExpr":            {"expr", "", "return"},
	"illegalArray":           {"expr", "", "7"},
	"invalidSendTypeExpr":    {"expr", "", "27"},
	"invalidSessionID":       {"expr", "", "27"},
	"scxmlEventIOLocation":   {"expr", "", "_ioprocessors['http://www.w3.org/TR/scxml/#SCXMLEventProcessor'].location"},
	"eventName":              {"expr", "", "_event.name"},
	"eventType":              {"expr", "", "_event.type"},
	"eventSendid":            {"expr", "", "_event.sendid"},
	"eventRaw":               {"expr", "", "_event.raw"},
	"eventField":             {"expr", "", "_event.$0"},
	"eventDataFieldValue":    {"expr", "", "_event.data.$0"},
	"eventDataParamValue":    {"expr", "", "_event.data.$0"},
	"eventDataNamelistValue": {"expr", "", "_event.data.Var$0"},

	// conditions
	"true":                    {"cond", "", "true"},
	"false":                   {"cond", "", "false"},
	"nonBoolean":              {"cond", "", "return"},
	"inState":                 {"cond", "", "In('$0')"},
	"isBound":                 {"cond", "", "Var$0"},
	"unboundVar":              {"cond", "", "typeof Var$0 === 'undefined' "},
	"noValue":                 {"cond", "", "!Var$0"},
	"systemVarIsBound":        {"cond", "", "$0"},
	"nameVarVal":              {"cond", "", "_name  === '$0'"},
	"idVal":                   {"cond", "=", "Var$1==$2"},
	"idQuoteVal":              {"cond", "=", "Var$1=='$2'"},
	"idSystemVarVal":          {"cond", "=", "Var$1==$2"},
	"namelistIdVal":           {"cond", "=", "Var$1===$2"},
	"compareIDVal":            {"cond", "<", "Var$1<Var$2"},
	"VarEqVar":                {"cond", " ", "Var$1===Var$2"},
	"VarEqVarStruct":          {"cond", " ", "Var$1==Var$2"},
	"varPrefix":               {"cond", " ", "(" + startsWith + ")(Var$2, Var$1)"},
	"originTypeEq":            {"cond", "", " _event.origintype == '$0'"},
	"emptyEventData":          {"cond", "", "typeof _event.data === 'undefined'"},
	"eventdataVal":            {"cond", "", "_event.data == $0"},
	"eventdataSomeVal":        {"cond", "", "_event.data == 123"},
	"eventvarVal":             {"cond", "=", "_event.data['Var$1']==$2"},
	"eventNameVal":            {"cond", "", "_event.name == '$0'"},
	"eventFieldHasNoValue":    {"cond", "", "typeof _event.$0 === 'undefined' "},
	"eventFieldsAreBound":     {"cond", "", allFields},
	"eventIdParamHasValue":    {"cond", " ", "_event.raw.search(/Var$1=$2/) !== -1"},
	"eventNamedParamHasValue": {"cond", " ", "_event.raw.search('$1=$2') !== -1"},
	"messageBodyEquals":       {"cond", "", "_event.raw.search(/$0/) !== -1"},
	"methodIsPost":            {"cond", "", "_event.raw.search('POST') !== -1"},

	// targets and types
	"targetpass":               {"target", "", "pass"},
	"targetfail":               {"target", "", "fail"},
	"illegalTarget":            {"target", "", "baz"},
	"unreachableTarget":        {"target", "", "#_scxml_foo"},
	"targetVar":                {"targetexpr", "", "Var$0"},
	"targetExpr":               {"targetexpr", "", "Var$0"},
	"basicHTTPAccessURITarget": {"targetexpr", "", "_ioprocessors['basichttp']['location']"},
	"eventExpr":                {"eventexpr", "", "Var$0"},
	"invalidSendType":          {"type", "", "27"},
	"typeExpr":                 {"typeexpr", "", "Var$0"},
	"srcExpr":                  {"srcexpr", "", "Var$0"},
	"scriptBadSrc":             {"src", "", "there-is-no-such-file.js"}, // the tester fills in a name
	"sendIDExpr":               {"sendidexpr", "", "Var$0"},
	"delay":                    {"delayexpr", "", "'$0s'"},
	"delayFromVar":             {"delayexpr", "", "Var$0"},
}

// startsWith is the function with which test 224 looks for a prefix.
const startsWith = `function(str, starts){if (starts === '') return true;if (str == null || starts == null) return false;` +
	`str = String(str); starts = String(starts);return str.length >= starts.length && str.slice(0, starts.length) === starts;}`

// allFields is the condition that _event has all fields of REC 5.10.1.
const allFields = `'name' in _event && 'type' in _event && 'sendid' in _event && 'origin' in _event && ` +
	`'origintype' in _event && 'invokeid' in _event && 'data' in _event`

// abstractElements has what the elements of [confNamespace] become. {x} is
// replaced by the value of the attribute x.
var abstractElements = map[string]string{
	"pass":          `<final id="pass"><onentry><log label="Outcome" expr="'pass'"/></onentry></final>`,
	"fail":          `<final id="fail"><onentry><log label="Outcome" expr="'fail'"/></onentry></final>`,
	"incrementID":   `<assign location="Var{id}" expr="Var{id} + 1"/>`,
	"sumVars":       `<assign location="Var{id1}" expr="Var{id1} + Var{id2}"/>`,
	"concatVars":    `<assign location="Var{id1}" expr="Var{id1} + Var{id2}"/>`,
	"extendArray":   `<assign location="Var{id}" expr="[].concat(Var{id}, [4])"/>`,
	"array123":      `[1,2,3]`,
	"someInlineVal": `123`,
	"contentFoo":    `<content>foo</content>`,
	"script":        `<script>var Var1 = 1</script>`,
	"sendToSender":  `<send event="{name}" targetexpr="_event.origin" typeexpr="_event.origintype"/>`,
}

// ConvertTXML converts one of the W3C's abstract test documents to the
// ECMAScript data model, or to the null data model if the document names it.
// Everything outside the abstract namespace keeps each character. The error
// names the line at which source is not such a document.
func ConvertTXML(source []byte) ([]byte, error) {
	c := &txmlConverter{source: source, dec: xml.NewDecoder(bytes.NewReader(source))}
	if err := c.convert(); err != nil {
		line, _ := c.dec.InputPos()
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	return c.out.Bytes(), nil
}

type txmlConverter struct {
	source []byte
	dec    *xml.Decoder
	out    bytes.Buffer
	open   []openTag
	inside bool // an element of confNamespace
}

type openTag struct {
	name     xml.Name
	prefixes []string // of confNamespace
}

func (c *txmlConverter) convert() error {
	for {
		from := c.dec.InputOffset()
		token, err := c.dec.RawToken()
		if errors.Is(err, io.EOF) {
			if len(c.open) > 0 {
				return io.ErrUnexpectedEOF
			}
			return nil
		}
		if err != nil {
			return err
		}
		raw := c.source[from:c.dec.InputOffset()]
		switch token := token.(type) {
		case xml.StartElement:
			err = c.start(token, raw)
		case xml.EndElement:
			err = c.end(token, raw)
		case xml.CharData:
			if c.inside && len(bytes.TrimSpace(token)) > 0 {
				return errors.New("text inside an element of the abstract namespace")
			}
			c.copy(raw)
		default:
			c.copy(raw)
		}
		if err != nil {
			return err
		}
	}
}

func (c *txmlConverter) copy(raw []byte) {
	if !c.inside {
		c.out.Write(raw)
	}
}

func (c *txmlConverter) start(e xml.StartElement, raw []byte) error {
	if c.inside {
		return fmt.Errorf("element %q inside an element of the abstract namespace", e.Name.Local)
	}
	var prefixes []string
	if n := len(c.open); n > 0 {
		prefixes = c.open[n-1].prefixes
	}
	for _, a := range e.Attr {
		if a.Name.Space != "xmlns" {
			continue
		}
		prefixes = slices.DeleteFunc(slices.Clone(prefixes), func(p string) bool { return p == a.Name.Local })
		if a.Value == confNamespace {
			prefixes = append(prefixes, a.Name.Local)
		}
	}
	c.open = append(c.open, openTag{e.Name, prefixes})
	isAbstract := func(n xml.Name) bool { return n.Space != "" && slices.Contains(prefixes, n.Space) }
	if isAbstract(e.Name) {
		c.inside = true
		return c.element(e)
	}
	if !slices.ContainsFunc(e.Attr, func(a xml.Attr) bool { return isAbstract(a.Name) || a.Value == confNamespace }) {
		c.copy(raw)
		return nil
	}
	c.out.WriteString("<" + qualified(e.Name))
	seen := make(map[string]bool)
	for _, a := range e.Attr {
		name, value := qualified(a.Name), a.Value
		switch {
		case a.Name.Space == "xmlns" && a.Value == confNamespace:
			continue
		case isAbstract(a.Name):
			rule, known := abstractAttributes[a.Name.Local]
			if !known {
				return fmt.Errorf("unknown attribute %q", name)
			}
			var err error
			if name, value, err = rule.apply(value); err != nil {
				return fmt.Errorf("attribute %q: %w", qualified(a.Name), err)
			}
			if a.Name.Local == "datamodel" && value == "" {
				value = "ecmascript"
			}
		}
		if seen[name] {
			return fmt.Errorf("element %q would have two attributes %q", e.Name.Local, name)
		}
		seen[name] = true
		c.out.WriteString(" " + name + `="` + attributeEscaper.Replace(value) + `"`)
	}
	if bytes.HasSuffix(raw, []byte("/>")) {
		c.out.WriteByte('/')
	}
	c.out.WriteByte('>')
	return nil
}

func (c *txmlConverter) end(e xml.EndElement, raw []byte) error {
	if len(c.open) == 0 {
		return fmt.Errorf("</%s> without a start tag", qualified(e.Name))
	}
	if start := c.open[len(c.open)-1].name; start != e.Name {
		return fmt.Errorf("<%s> is closed by </%s>", qualified(start), qualified(e.Name))
	}
	c.copy(raw) // empty for <x/>
	c.inside = false
	c.open = c.open[:len(c.open)-1]
	return nil
}

// element writes what an element of the abstract namespace becomes.
func (c *txmlConverter) element(e xml.StartElement) error {
	text, known := abstractElements[e.Name.Local]
	if !known {
		return fmt.Errorf("unknown element %q", qualified(e.Name))
	}
	for _, a := range e.Attr {
		text = strings.ReplaceAll(text, "{"+a.Name.Local+"}", attributeEscaper.Replace(a.Value))
	}
	if strings.Contains(text, "{") {
		return fmt.Errorf("element %q lacks an attribute", qualified(e.Name))
	}
	c.out.WriteString(text)
	return nil
}

// apply returns the attribute that an abstract one becomes.
func (rule abstractAttribute) apply(abstract string) (name, value string, err error) {
	parts := []string{"$0", abstract}
	if rule.sep != "" {
		first, second, ok := strings.Cut(strings.TrimSpace(abstract), rule.sep)
		if !ok {
			return "", "", fmt.Errorf("value %q does not contain %q", abstract, rule.sep)
		}
		parts = append(parts, "$1", strings.TrimSpace(first), "$2", strings.TrimSpace(second))
	}
	return rule.name, strings.NewReplacer(parts...).Replace(rule.value), nil
}

var attributeEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
