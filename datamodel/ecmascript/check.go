package ecmascript

import (
	"errors"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/uses"
)

// Check implements [datamodel.Checker].
func (l *language) Check(kind datamodel.Kind, src datamodel.Source) []datamodel.Finding {
	if kind == datamodel.Content {
		return checkContent(src)
	}
	return compile(kind, src, l.limits).Findings()
}

// Findings implements [datamodel.Checked].
func (e *expr) Findings() []datamodel.Finding {
	if e.kind == datamodel.Content {
		return checkContent(e.src)
	}
	if e.err != nil || e.value == nil {
		return nil
	}
	found := e.value.tree.Findings()
	for i, f := range found {
		if f.Kind == datamodel.Reference {
			found[i].Note = elsewhere[f.Text]
		}
	}
	return found
}

// checkContent finds content that looks like JSON and is not.
func checkContent(src datamodel.Source) []datamodel.Finding {
	if _, elements := singleRoot(src.Nodes); elements {
		return nil
	}
	text := strings.Trim(src.Text, xmlSpace+"\ufeff")
	if !between(text, "{", "}") && !between(text, "[", "]") {
		return nil
	}
	_, err := datamodel.ParsePlainJSON(text)
	var bad *datamodel.JSONError
	if !errors.As(err, &bad) {
		return nil
	}
	at := strings.Index(src.Text, text) + bad.Offset
	return []datamodel.Finding{{Kind: datamodel.PlainText, Pos: src.Position(at), Text: bad.Msg}}
}

func between(s, first, last string) bool {
	return strings.HasPrefix(s, first) && strings.HasSuffix(s, last)
}

// Names implements [datamodel.Checker].
func (l *language) Names() []string { return globalNames() }

// Uses implements [datamodel.Analyzer].
func (l *language) Uses(kind datamodel.Kind, code string) []datamodel.Use {
	return uses.Of(l.limits, kind, code)
}

// Reads implements [datamodel.Analyzer].
func (l *language) Reads(kind datamodel.Kind, code string, data ...string) [][]string {
	return uses.Reads(l.limits, kind, code, data)
}

// Occurrences implements [datamodel.Analyzer].
func (l *language) Occurrences(kind datamodel.Kind, code string) ([]datamodel.Occurrence, error) {
	src := datamodel.Source{Text: code, Pos: datamodel.Position{Line: 1, Col: 1}}
	parse := l.limits.Expression
	if kind == datamodel.Script {
		parse = l.limits.Script
	}
	tree, err := parse(&src, nil)
	if err != nil {
		return nil, err
	}
	return tree.Globals(), nil
}

var globalNames = sync.OnceValue(func() []string {
	names := goja.New().GlobalObject().GetOwnPropertyNames()
	return append(names, syntax.PredicateIn, syntax.SysEvent, syntax.SysSessionID, syntax.SysName, syntax.SysIO, syntax.SysPlatform)
})

// elsewhere has names that browsers, Node and other engines have and charts have
// not, with what to write instead.
var elsewhere = map[string]string{
	"console":               logInstead,
	"print":                 logInstead,
	"log":                   logInstead,
	"alert":                 logInstead,
	"setTimeout":            delayInstead,
	"setInterval":           delayInstead,
	"setImmediate":          `write <raise event="…"/>`,
	"queueMicrotask":        `write <raise event="…"/>`,
	"requestAnimationFrame": delayInstead,
	"clearTimeout":          cancelInstead,
	"clearInterval":         cancelInstead,
	"require":               scriptInstead,
	"module":                scriptInstead,
	"exports":               scriptInstead,
	"process":               hostInstead,
	"Buffer":                hostInstead,
	"window":                hostInstead,
	"document":              hostInstead,
	"navigator":             hostInstead,
	"localStorage":          hostInstead,
	"sessionStorage":        hostInstead,
	"fetch":                 invokeInstead,
	"XMLHttpRequest":        invokeInstead,
	"WebSocket":             invokeInstead,
	"prompt":                `send an event to the host, which answers with another`,
	"confirm":               `send an event to the host, which answers with another`,
	"structuredClone":       `write JSON.parse(JSON.stringify(…))`,
	"raise":                 `write <raise event="…"/>`,
	"send":                  `write <send event="…"/>`,
	"_eventdata":            `write _event.data`,
}

const (
	logInstead    = `write <log expr="…"/>`
	delayInstead  = `write <send event="…" delay="1s"/>, and a transition for the event`
	cancelInstead = `write <cancel sendid="…"/> with the id of the <send>`
	scriptInstead = `charts have no modules, write <script src="…"/>`
	hostInstead   = `charts do not see their surroundings, the host has to provide what they need`
	invokeInstead = `write <invoke> or <send>, and a transition for the answer`
)
