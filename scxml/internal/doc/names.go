package doc

import (
	"iter"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// xmlSpace is the white space of XML, which separates the names in a list.
const xmlSpace = " \t\r\n"

// words yields the words of a list, each with its offset.
func words(list string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		start := -1
		for i := 0; i <= len(list); i++ {
			switch {
			case i < len(list) && strings.IndexByte(xmlSpace, list[i]) < 0:
				if start < 0 {
					start = i
				}
			case start >= 0:
				if !yield(start, list[start:i]) {
					return
				}
				start = -1
			}
		}
	}
}

// blank reports whether a list has no words.
func blank(list string) bool { return strings.Trim(list, xmlSpace) == "" }

// id reads the attribute id of a state or a data item. It returns "" if there is none, or an
// illegal one.
//
// The REC requires an XML ID, which has no colon and does not begin with a digit. Charts in the
// wild have such ids nevertheless, and they do no harm.
func (p *parser) id(e *xmltree.Element, t tag) string {
	a := e.Attr("id")
	if a == nil {
		return ""
	}
	id := strings.Trim(a.Value, xmlSpace)
	pos := e.Source(a).Pos
	switch {
	case id == "":
		how := "give it a name, or leave the attribute out"
		if t == tagData {
			how = "it is the name of the data item"
		}
		p.errorf(pos, "illegal-id", "id of <%s> is empty: %s", t, how)
	case strings.ContainsAny(id, xmlSpace):
		p.errorf(pos, "illegal-id", "id %q of <%s> contains white space", abridge(id), t)
		for _, word := range words(id) {
			p.refused[word] = true
		}
		return ""
	case t == tagData && p.doc.Datamodel == "ecmascript": // it is the name of a variable, see package lint
	case !xmltree.IsNCName(id):
		p.warnf(pos, "unusual-id", "id %q of <%s> is not an XML name: other engines may not accept it", abridge(id), t)
	}
	return id
}

// descriptors reads the attribute event of a transition.
func (p *parser) descriptors(e *xmltree.Element, tr *Transition) []string {
	a := e.Attr("event")
	if a == nil {
		return nil
	}
	var events []string
	places := e.Source(a).Places()
	for offset, d := range words(a.Value) {
		events = p.eventSlab.extend(events, d)
		if why := illegalDescriptor(d); why != "" {
			p.errorf(places.At(offset), "illegal-event", "event descriptor %q %s", abridge(d), why)
			tr.AnyEvent = true
		}
	}
	if events == nil {
		p.emptyAttribute(e, a, tagTransition)
	}
	tr.AnyEvent = p.oddEvent(e, a, tagTransition) || tr.AnyEvent
	return events
}

// oddEvent reports commas, quotes, and guards and actions as in UML in the attribute event. They
// would be part of a name, which is hardly intended.
func (p *parser) oddEvent(e *xmltree.Element, a *xmltree.Attr, t tag) bool {
	places := e.Source(a).Places()
	if i := strings.IndexAny(a.Value, "[/"); i >= 0 && t == tagTransition {
		p.warnf(places.At(i), "odd-event", "%q is part of the event's name: write a guard in the attribute cond, and actions in the <transition>", a.Value[i:i+1])
		return true
	}
	i := strings.IndexAny(a.Value, `,'"`)
	if i < 0 {
		return false
	}
	meant := strings.Join(strings.FieldsFunc(a.Value, func(r rune) bool { return strings.ContainsRune(`,'"`+xmlSpace, r) }), " ")
	switch {
	case a.Value[i] != ',':
		p.warnf(places.At(i), "odd-event", "the quotes are part of the event's name: write event=%q%s", abridge(meant), exprInstead[t])
	case t == tagTransition:
		p.warnf(places.At(i), "odd-event", "the comma is part of the event's name: spaces separate events, write event=%q", abridge(meant))
	default:
		p.warnf(places.At(i), "odd-event", "the comma is part of the event's name: <%s> has one event, write one element for each", t)
	}
	return true
}

// exprInstead says which attribute takes an expression that computes an event's name.
var exprInstead = map[tag]string{tagSend: "; for an expression there is eventexpr"}

// illegalDescriptor returns what is wrong with an event descriptor, or "".
//
// REC 3.12.1: a descriptor is a sequence of tokens separated by ".", and may end in ".*"; "*"
// matches everything. The REC's schema also allows ".*" alone. A "." at the end means ".*", as in
// other processors.
func illegalDescriptor(d string) string {
	rest := d
	switch {
	case d == "*" || d == ".*":
		return ""
	case strings.HasSuffix(rest, ".*"):
		rest = rest[:len(rest)-len(".*")]
	case strings.HasSuffix(rest, "."):
		rest = rest[:len(rest)-len(".")]
	}
	switch {
	case strings.Contains(rest, "*"):
		return `has a wildcard inside: "*" must be alone, or the last token after "."`
	case hasEmptyToken(rest):
		return "has an empty token: " + emptyToken
	}
	return ""
}

// emptyToken explains why a name has an empty token.
const emptyToken = "it begins or ends with a dot, or has two in a row"

func hasEmptyToken(name string) bool {
	return name == "" || name[0] == '.' || name[len(name)-1] == '.' || strings.Contains(name, "..")
}

// eventName reads the attribute event of <raise> or <send>, the name of an event.
func (p *parser) eventName(e *xmltree.Element, t tag) string {
	a := e.Attr("event")
	if a == nil {
		return ""
	}
	name := strings.Trim(a.Value, xmlSpace)
	pos := e.Source(a).Pos
	switch {
	case name == "" && t == tagRaise:
		p.errorf(pos, "illegal-event", "event of <%s> is empty: it is the name of the event", t)
	case name == "":
	case t == tagSend && strings.ContainsAny(name, "'+("): // an expression, as in early drafts
		if datamodel.CheckEventName(name) != nil {
			p.errorf(pos, "illegal-event", `event %q of <send> is an expression: write it in "eventexpr"`, abridge(name))
		}
	default:
		if err := datamodel.CheckEventName(name); err != nil {
			p.errorf(pos, "illegal-event", "event of <%s>: %v", t, err)
			return name
		}
	}
	if datamodel.CheckEventName(name) == nil {
		p.oddEvent(e, a, t)
	}
	return name
}

// namelist reads the attribute namelist of e, an element t: locations, separated by white space.
func (p *parser) namelist(e *xmltree.Element, t tag) []*datamodel.Source {
	a := e.Attr("namelist")
	if a == nil {
		return nil
	}
	src := e.Source(a)
	if i := strings.IndexByte(src.Text, ','); i >= 0 && !strings.ContainsAny(src.Text, "([{") {
		p.errorf(src.Position(i), "illegal-value", "namelist of <%s> has a comma: names are separated by spaces, write namelist=%q", t,
			abridge(strings.Join(strings.FieldsFunc(src.Text, func(r rune) bool { return r == ',' || strings.ContainsRune(xmlSpace, r) }), " ")))
		return nil
	}
	var list []*datamodel.Source
	places := src.Places()
	for offset, location := range words(src.Text) {
		list = append(list, &datamodel.Source{Text: location, Pos: places.At(offset)})
	}
	return list
}

// abridge shortens a text for a message.
func abridge(s string) string { return short.Text(s, 41) }
