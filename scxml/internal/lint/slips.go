package lint

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// This file reports ECMAScript that is legal but does not mean what it seems to.

func (l *linter) isECMAScript() bool { return l.doc.Datamodel == "ecmascript" && l.checker != nil }

var (
	quotedCond  = regexp.MustCompile(`^('[^'\\]*[=<>!&|(. ][^'\\]*'|"[^"\\]*[=<>!&|(. ][^"\\]*")$`)
	isFunction  = regexp.MustCompile(`^(\([\w\s,$]*\)|[\w$]+)\s*=>|^function\b[^{]*\{(?s:.*)\}$`)
	systemWrite = regexp.MustCompile(`^\s*(_event|_name|_sessionid|_ioprocessors|_x)\b`)
	eventField  = regexp.MustCompile(`(?:^|[^\w$.])_event\.([A-Za-z_$][\w$]*)`)
	notCode     = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|/\*(?s:.*?)\*/`)
)

// slips looks into an expression that compiles.
func (l *linter) slips(kind datamodel.Kind, src *datamodel.Source) {
	if !l.isECMAScript() {
		return
	}
	if strings.Contains(src.Text, "_event.") {
		l.eventFields(src)
	}
	text := strings.TrimSpace(src.Text)
	switch {
	case kind == datamodel.Condition && quotedCond.MatchString(text):
		l.warnf(src.Pos, "cond-constant", "the condition is a text, which counts as true: write it without the quotes around it")
	case kind == datamodel.Condition && isFunction.MatchString(text):
		l.warnf(src.Pos, "cond-constant", "the condition is a function, which counts as true: write the expression that it returns")
	case kind == datamodel.Location && l.usage == assigned:
		if m := systemWrite.FindStringSubmatch(text); m != nil {
			l.warnf(src.Pos, "system-variable", "%q is a system variable and cannot be changed: assign to a data item", m[1])
		}
	}
}

// fieldsOfEvent are the fields of _event (REC 5.10.1), and what all objects have.
var fieldsOfEvent = []string{
	"name", "type", "sendid", "origin", "origintype", "invokeid", "data", "raw",
	"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf", "__proto__",
}

// eventFields notes which fields of _event src reads that it does not have.
func (l *linter) eventFields(src *datamodel.Source) {
	code := notCode.ReplaceAllStringFunc(src.Text, func(s string) string { return strings.Repeat(" ", len(s)) })
	for _, m := range eventField.FindAllStringSubmatchIndex(code, -1) {
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

// dataName checks the id of a data item, which is the name of a variable.
func (l *linter) dataName(d *doc.Data) {
	if d.ID == "" || !l.isECMAScript() {
		return
	}
	_, err := l.language.Compile(datamodel.Location, datamodel.Source{Text: d.ID})
	switch {
	case systemWrite.FindString(d.ID) == d.ID:
		l.warnf(d.Pos, "system-variable", "%q is a system variable: give the data item another name", d.ID)
	case !isIdentifier(d.ID):
		meant := strings.Trim(strings.Join(strings.FieldsFunc(d.ID, notInName), "_"), "_")
		if !isIdentifier(meant) {
			meant = "_" + meant
		}
		l.warnf(d.Pos, "data-name", "id %q of <data> is not the name of a variable: write %q", abridge(d.ID), abridge(meant))
		l.names.open = true // expressions that use it seem to use other names
	case d.ID == "In":
		l.warnf(d.Pos, "data-name", "id \"In\" of <data> is the predicate In(): give it another name")
	case err != nil || slices.Contains([]string{"undefined", "NaN", "Infinity"}, d.ID):
		l.warnf(d.Pos, "data-name", "id %q of <data> is a word of the language, not the name of a variable: give it another name", d.ID)
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
