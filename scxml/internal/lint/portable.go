package lint

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// The engines that [Options] knows. Each check for them follows from their own documentation, or from
// a test of the W3C's suite, and names its source.
//
// Qt: "SCXML Compliance", https://doc.qt.io/qt-6/qtscxml-scxml-compliance.html.
// SCION: @scion-scxml/scxml 4.3.27, run with the W3C's suite.
// uSCXML: the list of failed tests in https://github.com/tklab-tud/uscxml, README.md.
const (
	engineQt     = "qt"
	engineSCION  = "scion"
	engineUSCXML = "uscxml"
)

// Engines returns the names for [Options.Portable].
func Engines() []string { return []string{engineQt, engineSCION, engineUSCXML} }

func engineTitle(name string) string {
	switch name {
	case engineQt:
		return "Qt SCXML"
	case engineSCION:
		return "SCION"
	}
	return "uSCXML"
}

// notPortable reports something that the engine does not support, if the options name the engine.
func (l *linter) notPortable(engine string, pos datamodel.Position, what string) {
	if slices.Contains(l.opts.Portable, engine) {
		l.warnf(pos, "not-portable", "%s %s", engineTitle(engine), what)
	}
}

func (l *linter) portableSend(e *doc.Send) {
	if len(l.opts.Portable) == 0 {
		return
	}
	if e.Type == "basichttp" || e.Type == "http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor" {
		const what = "has no Basic HTTP Event I/O Processor (REC C.2)"
		l.notPortable(engineQt, e.Pos, what)    // "The (optional) basic http event I/O processor is not supported."
		l.notPortable(engineSCION, e.Pos, what) // tests 201, 509 to 534, 567, 577; gitlab.com/scion-scxml/scxml/-/issues/270
	}
	seen := map[string]bool{}
	for _, p := range e.Params {
		if seen[p.Name] {
			// "multiple parameters with the same name are not supported"
			l.notPortable(engineQt, p.Pos, "does not support several <param> of the same name in a <send>")
		}
		seen[p.Name] = true
	}
}

func (l *linter) portableInvoke(e *doc.Invoke) {
	// "the typeexpr and srcexpr attributes are not supported"
	if e.TypeExpr != nil {
		l.notPortable(engineQt, e.Pos, "does not support the attribute typeexpr of <invoke>")
	}
	if e.SrcExpr != nil {
		l.notPortable(engineQt, e.Pos, "does not support the attribute srcexpr of <invoke>")
	}
	// "The only service that can be instantiated with <invoke> is another SCXML state machine."
	if !doc.IsSCXMLType(e.Type) {
		l.notPortable(engineQt, e.Pos, "invokes nothing but SCXML")
	}
	// "if a <content> tag is used inside an <invoke> tag, that content must be XML. Specifically, dynamically creating SCXML […] is not supported."
	if e.Content != nil && (e.Content.Inline == nil || !hasElement(e.Content.Inline.Nodes)) {
		l.notPortable(engineQt, e.Content.Pos, "wants the <content> of <invoke> to be an inline <scxml>")
	}
}

func (l *linter) portableData(d *doc.Data) {
	// "XML content inside <data> is not supported."
	if d.Content != nil && hasElement(d.Content.Nodes) {
		l.notPortable(engineQt, d.Pos, "does not support XML in <data>")
	}
}

func (l *linter) portableLocation(src *datamodel.Source) {
	// "uSCXML allows writing to _event": tests 329 and 346.
	if src != nil && writesEvent().MatchString(src.Text) {
		l.notPortable(engineUSCXML, src.Position(strings.Index(src.Text, "_event")), "lets a chart change _event, which is error.execution by the REC (5.10)")
	}
}

var (
	writesEvent = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*_event\b`) })
	rawEvent    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b_event\.raw\b`) })
	plainIn     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*In\s*\(\s*[^'"\s]`) })
)

func (l *linter) portableExpr(kind datamodel.Kind, src *datamodel.Source) {
	if len(l.opts.Portable) == 0 {
		return
	}
	if loc := rawEvent().FindStringIndex(src.Text); loc != nil {
		l.notPortable(engineQt, src.Position(loc[0]), "has no _event.raw")    // "There is no "raw" representation of an event."
		l.notPortable(engineSCION, src.Position(loc[0]), "has no _event.raw") // test 178
	}
	if kind == datamodel.Condition && l.doc.Datamodel == "null" && plainIn().MatchString(src.Text) {
		// Test 436: it evaluates the null data model as ECMAScript.
		l.notPortable(engineSCION, src.Position(0), `wants quotes around the id in In(), as in In('s'), with the null data model too`)
	}
}

// hasElement reports whether inline content has an element.
func hasElement(nodes []*datamodel.Node) bool {
	for _, n := range nodes {
		if n.Type == datamodel.ElementNode {
			return true
		}
	}
	return false
}
