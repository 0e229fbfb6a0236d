package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// names holds the variables of a document.
type names struct {
	declared map[string]bool
	scripts  map[string]bool // declared by the scripts of <scxml>, which run after most <data>
	open     bool            // there may be more declarations than are known
	uses     map[string][]use
}

// A use is a place where a variable is used.
type use struct {
	datamodel.Finding
	as     usage
	kind   datamodel.Kind
	alone  bool // it is all of an expression
	member bool // it has a member: x.y
	isText bool // it may be a text without quotes: it is alone, or compared
}

// A usage says how a variable is used, as far as messages depend on it.
type usage uint8

const (
	read     usage = iota // in an expression or a script
	assigned              // as the location of an assignment
	early                 // in <data>, before the scripts of <scxml> run
	iterated              // in the array of a <foreach>
)

// declare collects the variables that the document itself declares.
func (l *linter) declare() {
	n := &l.names
	n.declared, n.scripts, n.uses = map[string]bool{}, map[string]bool{}, map[string][]use{}
	if l.checker == nil {
		return
	}
	for _, name := range slices.Concat(l.checker.Names(), l.opts.Declared) {
		n.declared[name] = true
	}
	for _, s := range l.doc.States {
		n.open = n.open || s.Open
		for _, d := range s.Data {
			n.open = n.open || d.ID == "" // which is an error already
			n.declared[d.ID] = true
		}
	}
}

// variable records a finding of the language about a variable in src.
func (l *linter) variable(kind datamodel.Kind, src *datamodel.Source, f datamodel.Finding) {
	n := &l.names
	switch f.Kind {
	case datamodel.Declaration:
		if l.globalScript {
			n.scripts[f.Text] = true
		} else {
			n.declared[f.Text] = true
		}
	case datamodel.OpenDeclaration:
		n.open = true
	case datamodel.Reference:
		if n.declared[f.Text] {
			return
		}
		alone := kind == datamodel.ValueExpr && strings.TrimSpace(src.Text) == f.Text
		compared := kind != datamodel.Script && (strings.Contains(src.Text, "==") || strings.Contains(src.Text, "!="))
		isText := alone && l.usage != iterated || compared
		member := strings.Contains(src.Text, f.Text+".") || strings.Contains(src.Text, f.Text+"[")
		n.uses[f.Text] = append(n.uses[f.Text], use{f, l.usage, kind, alone, member, isText && !f.Called && !member})
	}
}

// undeclared reports the variables that are not declared, each once.
func (l *linter) undeclared() {
	n := &l.names
	if n.open {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(n.uses)) {
		uses := n.uses[name]
		switch {
		case l.full():
			return
		case n.declared[name]:
		case n.scripts[name]:
			i := slices.IndexFunc(uses, func(u use) bool { return u.as == early && !u.Deferred })
			if i >= 0 {
				l.warnf(uses[i].Pos, "undeclared-name", "%q is declared by a <script>, which runs after <data>: give the item its value in the script, or in an <onentry>", abridge(name))
			}
		default:
			slices.SortStableFunc(uses, func(a, b use) int {
				return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
			})
			l.nobodyDeclares(name, uses)
		}
	}
}

func (l *linter) nobodyDeclares(name string, uses []use) {
	first, short := uses[0], abridge(name)
	code, advice := "undeclared-name", ""
	if first.as == assigned {
		code = "undeclared-location"
	}
	note := first.Note
	if l.isECMAScript() {
		note = cmp.Or(note, otherWords[name])
		if first.member {
			note = cmp.Or(otherObjects[name], note)
		}
	}
	switch near := l.meantName(name, first.alone); {
	case note == "" && near != "":
		advice = fmt.Sprintf(" (did you mean %q?)", near)
	case note != "":
		l.warnf(first.Pos, code, "there is no %q in charts: %s%s", short, note, elsewhere(uses))
		return
	case first.as == assigned:
		advice = fmt.Sprintf(", and nothing can be assigned to it: add <data id=%q/>", short)
	case l.doc.ByID[name] != nil && first.kind != datamodel.Location:
		advice = fmt.Sprintf(": it is the id of a state, which needs quotes: write '%s'", short)
	case first.alone && first.isText:
		advice = fmt.Sprintf(": a text needs quotes, write '%s'; a variable needs <data id=%q/>", short, short)
	case first.Called:
		advice = ": define the function in a <script>; if a Go program adds it (WithFunc), name it with --declare"
	case first.isText:
		advice = fmt.Sprintf(": a variable needs <data id=%q/>; a text needs quotes, write '%s'", short, short)
	default:
		advice = fmt.Sprintf(": add <data id=%q/>, or define it in a <script>", short)
	}
	l.warnf(first.Pos, code, "%q is not declared%s%s", short, advice, elsewhere(uses))
}

// otherObjects are objects of other engines and of early drafts of SCXML.
var otherObjects = map[string]string{
	"event":     "the event is _event, and its data is in _event.data",
	"context":   dataIsVariable,
	"ctx":       dataIsVariable,
	"datamodel": dataIsVariable,
	"_data":     dataIsVariable,
}

// otherWords are words of other engines and languages.
var otherWords = map[string]string{
	"state": "to ask for a state, write In('id')",
	"None":  "write null", "nil": "write null", "NULL": "write null", "Null": "write null",
	"True": "write true", "TRUE": "write true", "False": "write false", "FALSE": "write false",
	"len": "write .length after the value", "print": `write <log expr="…"/>`,
}

const dataIsVariable = "data items are variables, write their ids alone"

// elsewhere lists the places of all uses but the first.
func elsewhere(uses []use) string {
	const most = 3
	var at []string
	for _, u := range uses[1:min(len(uses), 1+most)] {
		if u.Pos.File == uses[0].Pos.File {
			at = append(at, fmt.Sprintf("%d:%d", u.Pos.Line, u.Pos.Col))
		} else {
			at = append(at, u.Pos.String())
		}
	}
	switch more := len(uses) - 1 - len(at); {
	case len(at) == 0:
		return ""
	case more > 0:
		return fmt.Sprintf("; also at %s and %d more places", strings.Join(at, ", "), more)
	}
	return "; also at " + strings.Join(at, ", ")
}

// meantName returns the variable that name was probably meant to be, or "". If name is a whole
// expression, it is more likely a text without quotes than a misspelt name of the language's
// library.
func (l *linter) meantName(name string, alone bool) string {
	library := map[string]bool{}
	if alone {
		for _, known := range l.checker.Names() {
			library[known] = !strings.HasPrefix(known, "_")
		}
	}
	candidates := func(yield func(string) bool) {
		for _, known := range sorted(l.names.declared, l.names.scripts) {
			if !library[known] && !yield(known) {
				return
			}
		}
	}
	return l.near(name, len(l.names.declared)+len(l.names.scripts), candidates)
}

func sorted(sets ...map[string]bool) []string {
	var all []string
	for _, set := range sets {
		all = slices.AppendSeq(all, maps.Keys(set))
	}
	slices.Sort(all)
	return all
}
