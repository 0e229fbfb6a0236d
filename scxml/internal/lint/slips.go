package lint

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// This file reports ECMAScript that is legal but does not mean what it seems to.

func (l *linter) isECMAScript() bool { return l.doc.Datamodel == "ecmascript" && l.checker != nil }

var (
	quotedCond = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^('[^'\\]*[=<>!&|(. ][^'\\]*'|"[^"\\]*[=<>!&|(. ][^"\\]*")$`)
	})
	isFunction = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\([\w\s,$]*\)|[\w$]+)\s*=>|^function\b[^{]*\{(?s:.*)\}$`)
	})
	systemWrite = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(_event|_name|_sessionid|_ioprocessors|_x)\b`) })
	isAsync     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[^\w$.])(async)\s+(?:function\b|[\w$]+\s*=>)|(?:^|[^\w$.])(async)\s*\([^()]*\)\s*=>`)
	})
	eventField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[^\w$.])_event\.([A-Za-z_$][\w$]*)`) })
	notCode    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|/\*(?s:.*?)\*/`)
	})
)

// slips looks into an expression that compiles.
func (l *linter) slips(kind datamodel.Kind, src *datamodel.Source) {
	if !l.isECMAScript() {
		return
	}
	if strings.Contains(src.Text, "_event.") {
		l.eventFields(src)
	}
	if strings.Contains(src.Text, "async") {
		if m := isAsync().FindStringSubmatchIndex(withoutTexts(src.Text)); m != nil {
			l.warnf(src.Position(max(m[2], m[4])), "async-code", "\"async\": there are no promises between events; to wait for an answer, write <invoke> or <send>, and a transition for it")
		}
	}
	text := strings.TrimSpace(src.Text)
	switch {
	case kind == datamodel.Condition && quotedCond().MatchString(text):
		l.warnf(src.Pos, "cond-constant", "the condition is a text, which counts as true: write it without the quotes around it")
	case kind == datamodel.Condition && isFunction().MatchString(text):
		l.warnf(src.Pos, "cond-constant", "the condition is a function, which counts as true: write the expression that it returns")
	case kind == datamodel.Location && l.usage == assigned:
		if m := systemWrite().FindStringSubmatch(text); m != nil {
			l.warnf(src.Pos, "system-variable", "%q is a system variable and cannot be changed: assign to a data item", m[1])
		}
	}
}

// fieldsOfEvent are the fields of _event (REC 5.10.1), and what all objects have.
var fieldsOfEvent = []string{
	"name", "type", "sendid", "origin", "origintype", "invokeid", "data", "raw",
	"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf", "__proto__",
}

// withoutTexts returns code with blanks instead of its texts and comments.
func withoutTexts(code string) string {
	return notCode().ReplaceAllStringFunc(code, func(s string) string { return strings.Repeat(" ", len(s)) })
}

// eventFields notes which fields of _event src reads that it does not have.
func (l *linter) eventFields(src *datamodel.Source) {
	code := withoutTexts(src.Text)
	for _, m := range eventField().FindAllStringSubmatchIndex(code, -1) {
		if name := code[m[2]:m[3]]; !slices.Contains(fieldsOfEvent, name) {
			l.fields[name] = append(l.fields[name], use{Finding: datamodel.Finding{Pos: src.Position(m[2] - len("_event."))}})
		}
	}
}

// unknownFields reports the fields that eventFields has noted, each once.
func (l *linter) unknownFields() {
	for _, name := range slices.Sorted(maps.Keys(l.fields)) {
		uses, short := l.fields[name], abridge(name)
		l.warnf(uses[0].Pos, "unknown-event-field", "_event has no field %q: the data of the event is in _event.data, write _event.data.%s%s", short, short, elsewhere(uses))
	}
}

func isIdentifier(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && !unicode.IsNumber(first) && !strings.ContainsFunc(s, notInName)
}

func notInName(r rune) bool {
	return r != '$' && r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r)
}

// variableName checks the name of a variable, which an attribute of an element declares.
func (l *linter) variableName(pos datamodel.Position, attr, element, name string) {
	if name == "" || !l.isECMAScript() {
		return
	}
	_, err := l.language.Compile(datamodel.Location, datamodel.Source{Text: name})
	switch {
	case systemWrite().FindString(name) == name:
		l.warnf(pos, "system-variable", "%q is a system variable: give the %s of <%s> another name", name, attr, element)
	case !isIdentifier(name):
		meant := strings.Trim(strings.Join(strings.FieldsFunc(name, notInName), "_"), "_")
		if _, err := l.language.Compile(datamodel.Location, datamodel.Source{Text: meant}); err != nil || !isIdentifier(meant) {
			meant = "_" + meant
		}
		l.warnf(pos, "data-name", "%s %q of <%s> is not the name of a variable: write %q", attr, abridge(name), element, abridge(meant))
		l.names.open = true // expressions that use it seem to use other names
	case name == "In":
		l.warnf(pos, "data-name", "%s \"In\" of <%s> is the predicate In(): give it another name", attr, element)
	case err != nil || slices.Contains([]string{"undefined", "NaN", "Infinity"}, name):
		l.warnf(pos, "data-name", "%s %q of <%s> is a word of the language, not the name of a variable: give it another name", attr, name, element)
	}
}

// literal matches an expression that is a number, or a text without escapes.
var literal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:([-+\d.]+)|'([^'\\]*)'|"([^"\\]*)")\s*$`) })

// delay checks a delay whose value is certain.
func (l *linter) delay(e *doc.Send) {
	what, pos, text, written, format := "delay", e.DelayPos, e.Delay, e.Delay, "%s"
	if e.DelayExpr != nil && l.isECMAScript() {
		m := literal().FindStringSubmatch(e.DelayExpr.Text)
		if m == nil {
			return
		}
		what, pos, text, written, format = "delayexpr", e.DelayExpr.Pos, m[1]+m[2]+m[3], strings.TrimSpace(e.DelayExpr.Text), "'%s'"
		d, err := delay.Parse(text)
		if err != nil {
			l.warnf(pos, "illegal-value", "%v", err)
		} else if delay.Unit(text) == "" && d > 0 {
			l.warnf(pos, "delay-unit", "%s %q has no unit and is read as milliseconds: write %q", what, written, fmt.Sprintf(format, text+"ms"))
		}
	}
	unit := delay.Unit(text)
	if d, err := delay.Parse(text); err == nil && unit != "" && unit != "s" && unit != "ms" && !l.full() {
		seconds := strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
		l.found = append(l.found, doc.Diagnostic{Pos: pos, Severity: doc.Note, Code: "delay-unit", Message: fmt.Sprintf("%s %q: other engines know only the units s and ms: write %q", what, written, fmt.Sprintf(format, seconds))})
	}
}

// assignsItself reports x++ as the value that is assigned to x: it is the value of x before.
func (l *linter) assignsItself(e *doc.Assign) {
	if e.Location == nil || e.Expr == nil || !l.isECMAScript() {
		return
	}
	text := strings.TrimSpace(e.Expr.Text)
	for _, op := range []string{"++", "--"} {
		name, ok := strings.CutSuffix(text, op)
		if name = strings.TrimSpace(name); ok && name == strings.TrimSpace(e.Location.Text) {
			l.warnf(e.Expr.Pos, "assigns-itself", "the value of %q is the one before the change, so the assignment has no effect: write %q", abridge(text), abridge(name+" "+op[:1]+" 1"))
		}
	}
}

// unknownSendIDs reports the <cancel> elements that no <send> can be meant by.
func (l *linter) unknownSendIDs() {
	if l.open || l.foreign {
		return
	}
	for _, c := range l.cancels {
		id := c.SendID
		// A document inside this one may have the <send>.
		if l.sendIDs[id] || l.doc.Refused[id] || strings.Contains(l.doc.Source, ` id="`+id+`"`) || strings.Contains(l.doc.Source, ` id='`+id+`'`) {
			continue
		}
		hint := l.hint(id, len(l.sendIDs), maps.Keys(l.sendIDs))
		if slices.Contains(l.raises, id) {
			hint = ": it is the name of an event; give its <send> this id as well"
		}
		l.warnf(c.Pos, "unknown-sendid", "no <send> has the id %q%s", abridge(id), hint)
	}
}
