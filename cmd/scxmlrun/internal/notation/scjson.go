package notation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// SCJSON writes a chart as scjson, version 0.3: SCXML as JSON by its schema scjson.schema.json. Elements
// are gathered by their names, so that the order of elements with different names is lost.
func SCJSON(d *diagram.Diagram) (text string, lost []string) {
	root := d.Chart.Element()
	if root == nil {
		return "{}\n", []string{"the chart was not read from a text, so that its elements are not known"}
	}
	w := new(scjsonWriter)
	var out bytes.Buffer
	_ = json.Indent(&out, w.element(root).json(), "", "  ") // it is JSON
	out.WriteByte('\n')
	return out.String(), w.lost.lines()
}

type scjsonWriter struct{ lost losses }

// A scjsonShape says what an element has in scjson. Keys are in the order of the schema.
type scjsonShape struct {
	children []string // gathered in lists
	single   []string // at most one
	attrs    []string
	defaults map[string]string // of attributes
	mixed    bool              // its text and all other elements are its "content"
}

var executable = []string{"raise", "if", "foreach", "send", "script", "assign", "log", "cancel"}

var scjsonShapes = map[string]scjsonShape{
	"scxml":      {children: []string{"state", "parallel", "final", "datamodel", "script"}, attrs: []string{"initial", "name", "version", "datamodel", "binding", "exmode"}},
	"state":      {children: []string{"onentry", "onexit", "transition", "initial", "state", "parallel", "final", "history", "datamodel", "invoke"}, attrs: []string{"id", "initial"}},
	"parallel":   {children: []string{"onentry", "onexit", "transition", "state", "parallel", "history", "datamodel", "invoke"}, attrs: []string{"id"}},
	"final":      {children: []string{"onentry", "onexit", "donedata"}, attrs: []string{"id"}},
	"initial":    {single: []string{"transition"}},
	"history":    {single: []string{"transition"}, attrs: []string{"id", "type"}},
	"transition": {children: executable, attrs: []string{"event", "cond", "target", "type"}},
	"onentry":    {children: executable},
	"onexit":     {children: executable},
	"finalize":   {children: executable},
	"raise":      {attrs: []string{"event"}},
	"if":         {children: executable, single: []string{"elseif", "else"}, attrs: []string{"cond"}},
	"elseif":     {attrs: []string{"cond"}},
	"else":       {},
	"foreach":    {children: executable, attrs: []string{"array", "item", "index"}},
	"log":        {attrs: []string{"label", "expr"}},
	"datamodel":  {children: []string{"data"}},
	"data":       {attrs: []string{"id", "src", "expr"}, mixed: true},
	"assign":     {attrs: []string{"location", "expr", "type", "attr"}, defaults: map[string]string{"type": "replacechildren"}, mixed: true},
	"script":     {attrs: []string{"src"}, mixed: true},
	"donedata":   {single: []string{"content"}, children: []string{"param"}},
	"content":    {attrs: []string{"expr"}, mixed: true},
	"param":      {attrs: []string{"name", "expr", "location"}},
	"send": {
		children: []string{"content", "param"},
		attrs:    []string{"event", "eventexpr", "target", "targetexpr", "type", "typeexpr", "id", "idlocation", "delay", "delayexpr", "namelist"},
		defaults: map[string]string{"type": "scxml", "delay": "0s"},
	},
	"cancel": {attrs: []string{"sendid", "sendidexpr"}},
	"invoke": {
		children: []string{"content", "param", "finalize"},
		attrs:    []string{"type", "typeexpr", "src", "srcexpr", "id", "idlocation", "namelist", "autoforward"},
		defaults: map[string]string{"type": "scxml", "autoforward": "false"},
	},
}

// ordered are the elements whose order among others counts.
var ordered = append([]string{"state", "parallel", "final", "history"}, executable...)

// element writes an element of SCXML.
func (w *scjsonWriter) element(e *scxml.Element) object {
	shape := scjsonShapes[e.Name]
	w.checkOrder(e, shape.children)
	var o object
	var others, content []any
	groups := make(map[string][]any)
	for _, c := range e.Children {
		switch {
		case c.Space == e.Space && slices.Contains(shape.children, c.Name), c.Space == e.Space && slices.Contains(shape.single, c.Name):
			groups[c.Name] = append(groups[c.Name], w.element(c))
		case shape.mixed && c.Space == e.Space && c.Name == "scxml":
			content = append(content, w.element(c))
		case shape.mixed:
			content = append(content, anyElement(c))
		default:
			if c.Space == e.Space {
				w.lost.add("elements that the schema does not have there are \"other\" ones", fmt.Sprintf("<%s> of line %d", c.Name, c.Pos.Line))
			}
			others = append(others, anyElement(c))
		}
	}
	for _, name := range shape.single {
		if g := groups[name]; len(g) > 0 {
			o.add(scjsonKey(name), g[0])
		}
	}
	for _, name := range shape.children {
		o.addList(scjsonKey(name), groups[name])
	}
	o.addList("other_element", others)
	for _, name := range shape.attrs {
		w.attribute(&o, e, name, shape.defaults[name])
	}
	var rest object
	for _, a := range e.Attrs {
		if a.Space != "" || !slices.Contains(shape.attrs, a.Name) {
			if a.Space != "http://www.w3.org/2000/xmlns/" && a.Space != "xmlns" && a.Name != "xmlns" {
				rest.add(qname(a.Space, a.Name), a.Value)
			}
		}
	}
	if len(rest) > 0 {
		o.add("other_attributes", rest)
	}
	o.addList("help_text", comments(e))
	if text := strings.TrimSpace(e.Text); shape.mixed && text != "" {
		content = append([]any{text}, content...)
	}
	o.addList("content", content)
	return o
}

// attribute writes an attribute, or its default unless an expression is given for it.
func (w *scjsonWriter) attribute(o *object, e *scxml.Element, name, value string) {
	if v := e.Attr(name); v != "" {
		value = v
	} else if e.Attr(name+"expr") != "" {
		return
	}
	switch root := e.Name == "scxml"; {
	case root && name == "version":
		o.add(name, json.RawMessage("1.0")) // there is no other
	case root && name == "datamodel":
		o.add("datamodel_attribute", cmp.Or(value, "ecmascript"))
	case value == "":
	case name == "initial" && !root:
		o.addList("initial_attribute", words(value))
	case name == "initial", name == "target" && e.Name == "transition":
		o.addList(name, words(value))
	default:
		o.add(scjsonKey(name), value)
	}
}

// checkOrder records what is lost by gathering elements by their names.
func (w *scjsonWriter) checkOrder(e *scxml.Element, order []string) {
	where := e.Attr("id")
	if where == "" {
		where = fmt.Sprintf("<%s> of line %d", e.Name, e.Pos.Line)
	}
	last := 0
	for _, c := range e.Children {
		if c.Name == "else" || c.Name == "elseif" {
			w.lost.add("the branches of an <if> are not kept apart", where)
			return
		}
		if i := slices.Index(order, c.Name); i >= 0 && slices.Contains(ordered, c.Name) {
			if i < last {
				w.lost.add("the order of elements with different names is not kept", where)
				return
			}
			last = i
		}
	}
}

// scjsonKey returns the key of an attribute or element.
func scjsonKey(name string) string {
	switch name {
	case "type", "raise", "if", "else":
		return name + "_value"
	}
	return name
}

// anyElement writes an element that SCXML does not have.
func anyElement(e *scxml.Element) object {
	o := object{{"qname", qname(e.Space, e.Name)}}
	if text := strings.TrimSpace(e.Text); text != "" {
		o.add("text", text)
	}
	var children []any
	for _, c := range e.Children {
		children = append(children, anyElement(c))
	}
	o.addList("children", children)
	var attrs object
	for _, a := range e.Attrs {
		attrs.add(qname(a.Space, a.Name), a.Value)
	}
	if len(attrs) > 0 {
		o.add("attributes", attrs)
	}
	return o
}

func qname(space, name string) string {
	if space == "" {
		return name
	}
	return "{" + space + "}" + name
}

// comments returns the comments before an element, and those after its last child.
func comments(e *scxml.Element) []any {
	var all []any
	for _, text := range []string{e.Comment, e.Last} {
		if text = strings.TrimSpace(text); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func words(text string) []any {
	var all []any
	for _, word := range strings.Fields(text) {
		all = append(all, word)
	}
	return all
}

// An object is an object of JSON whose keys have an order.
type object []member

type member struct {
	key   string
	value any
}

func (o *object) add(key string, value any) { *o = append(*o, member{key, value}) }

func (o object) has(key string) bool {
	return slices.ContainsFunc(o, func(m member) bool { return m.key == key })
}

// addList adds a list unless it is empty.
func (o *object) addList(key string, list []any) {
	if len(list) > 0 {
		o.add(key, list)
	}
}

func (o object) json() []byte {
	var b bytes.Buffer
	writeJSON(&b, o)
	return b.Bytes()
}

func writeJSON(b *bytes.Buffer, value any) {
	switch v := value.(type) {
	case object:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSON(b, m.key)
			b.WriteByte(':')
			writeJSON(b, m.value)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSON(b, x)
		}
		b.WriteByte(']')
	default: // texts and numbers
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(v)
	}
}
