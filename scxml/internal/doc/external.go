package doc

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// send reads <send> (REC 6.2).
func (p *parser) send(e *xmltree.Element) Exec {
	s := &Send{execPos: execPos{e.Pos()}, Namelist: p.namelist(e, tagSend)}
	s.Event, s.EventExpr = either(e, "event", "eventexpr")
	if s.EventExpr == nil {
		s.Event = p.eventName(e, tagSend)
	}
	s.Target, s.TargetExpr = either(e, "target", "targetexpr")
	if a := e.Attr("target"); a != nil && blank(a.Value) && s.TargetExpr == nil {
		p.warnf(e.NamePos(a), "empty-target", `target of <send> is empty: the event goes to this session itself; leave the attribute out, or name a target such as "#_parent"`)
	}
	if s.Target != "" {
		s.TargetPos = e.Source(e.Attr("target")).Pos
	}
	s.Type, s.TypeExpr = either(e, "type", "typeexpr")
	p.knownType(e, tagSend, sendTypes)
	s.ID, s.IDLocation = either(e, "id", "idlocation")
	s.Delay, s.DelayExpr = either(e, "delay", "delayexpr")
	s.Params, s.Content, _ = p.payload(e, tagSend)
	s.Retry = p.retry(e)
	// REC 6.2.2: "If the type is […]#SCXMLEventProcessor, either this attribute or 'eventexpr' must be present."
	if scxmlType := s.Type == "" || s.Type == "scxml" || strings.HasSuffix(s.Type, "#SCXMLEventProcessor"); s.Event == "" && s.EventExpr == nil && s.TypeExpr == nil && scxmlType {
		p.warnf(e.Pos(), "missing-event", `<send> has neither event nor eventexpr%s`, cmp.Or(p.insteadOf(e, tagSend, "event"), ": without a name nothing is sent, and the session gets error.execution"))
	}
	if s.Delay != "" {
		s.DelayPos = source(e, "delay").Pos
		switch _, hasUnit, err := delay.ParseUnit(s.Delay); {
		case err != nil:
			p.errorf(s.DelayPos, "illegal-value", "%v", err)
		case !hasUnit:
			p.warnf(s.DelayPos, "delay-unit", "delay %q has no unit and is read as milliseconds: write %q", abridge(s.Delay), abridge(s.Delay)+"ms")
		}
	}
	// REC 6.2.3: a <send> to the session's own internal queue may not have a delay.
	if s.Target == "#_internal" {
		for _, name := range []string{"delay", "delayexpr"} {
			if a := e.Attr(name); a != nil && a.Value != "" {
				p.errorf(e.NamePos(a), "conflicting-attributes", `<send> to "#_internal" may not have the attribute %q: the event is raised at once`, name)
			}
		}
	}
	// REC 6.2.3: "MUST NOT specify "namelist" or <param> with <content>".
	if s.Content != nil && len(s.Params) > 0 {
		p.errorf(s.Content.Pos, "conflicting-content", "<send> has both <content> and <param>: keep one")
	}
	if s.Content != nil && len(s.Namelist) > 0 {
		p.errorf(s.Content.Pos, "conflicting-content", "<send> has both <content> and namelist: keep one")
	}
	return s
}

// The types that every session knows. Hosts add others.
var (
	sendTypes   = []string{"scxml", "basichttp", "http://www.w3.org/TR/scxml/#SCXMLEventProcessor", "http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor"}
	invokeTypes = []string{"scxml", "http://www.w3.org/TR/scxml/", "http://www.w3.org/TR/scxml"}
)

// knownType reports a type that is nearly one of those known. Other addresses, such as that of VoiceXML, are
// hardly misspelt.
func (p *parser) knownType(e *xmltree.Element, t tag, known []string) {
	a := e.Attr("type")
	if a == nil || slices.Contains(known, a.Value) || p.overBudget(len(known)) {
		return
	}
	if meant := near(a.Value, slices.Values(known)); meant != "" && (!strings.Contains(a.Value, "/") || strings.Contains(strings.ToLower(a.Value), "scxml")) {
		p.warnf(e.Source(a).Pos, "unknown-type", "type %q of <%s> is not known here (did you mean %q?)", abridge(a.Value), t, meant)
	}
}

// cancel reads <cancel>.
//
// REC 6.3.2: it has exactly one of sendid and sendidexpr.
func (p *parser) cancel(e *xmltree.Element) Exec {
	c := &Cancel{execPos: execPos{e.Pos()}}
	c.SendID, c.Expr = either(e, "sendid", "sendidexpr")
	if e.Attr("sendid") == nil && e.Attr("sendidexpr") == nil {
		p.errorf(e.Pos(), "missing-attribute", `<cancel> has neither "sendid" nor "sendidexpr"%s`, cmp.Or(p.insteadOf(e, tagCancel, "sendid"), ": which event is to be cancelled?"))
	}
	return c
}

// IsSCXMLType reports whether a type of <invoke> means SCXML. Without a type, the platform's default
// holds (REC 6.4.2), and ours is SCXML.
func IsSCXMLType(typ string) bool {
	switch typ {
	case "", "scxml", "http://www.w3.org/TR/scxml/", "http://www.w3.org/TR/scxml":
		return true
	}
	return false
}

// invoke reads <invoke> (REC 6.4).
func (p *parser) invoke(e *xmltree.Element, s *State) *Invoke {
	p.attributes(e, tagInvoke)
	i := &Invoke{Pos: e.Pos(), State: s, Namelist: p.namelist(e, tagInvoke)}
	i.Type, i.TypeExpr = either(e, "type", "typeexpr")
	p.knownType(e, tagInvoke, invokeTypes)
	i.Src, i.SrcExpr = either(e, "src", "srcexpr")
	i.ID, i.IDLocation = either(e, "id", "idlocation")
	i.Autoforward = p.choice(e, tagInvoke, "autoforward", "false", "true")
	i.Params, i.Content, i.Finalize = p.payload(e, tagInvoke)
	i.Retry = p.retry(e)
	refused := func(c *xmltree.Element) bool {
		return c.Space == p.space && !rules[tagInvoke].children.has(tagByName[c.Local])
	}
	if IsSCXMLType(i.Type) && i.TypeExpr == nil && i.Src == "" && i.SrcExpr == nil && i.Content == nil && p.insteadOf(e, tagInvoke, "src") == "" && !slices.ContainsFunc(e.Children, refused) {
		p.warnf(e.Pos(), "empty-invoke", "<invoke> has neither src nor <content>: there is nothing to invoke, and the session gets error.execution")
	}
	// REC 6.4.2: src, srcexpr and <content> exclude each other.
	if i.Content != nil && (i.Src != "" || i.SrcExpr != nil) {
		p.errorf(i.Content.Pos, "content-beside-src", "<invoke> has both src and <content>: keep one")
	}
	// REC 6.4.1: namelist and <param> exclude each other.
	if len(i.Namelist) > 0 && len(i.Params) > 0 {
		p.errorf(i.Params[0].Pos, "conflicting-content", "<invoke> has both namelist and <param>: keep one")
	}
	return i
}
