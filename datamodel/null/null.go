package null

import (
	"errors"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// New returns the null data model.
func New() datamodel.Language { return language{} }

type language struct{}

func (language) Name() string { return "null" }

// Compile compiles src. Only conditions can be right.
func (language) Compile(kind datamodel.Kind, src datamodel.Source) (datamodel.Expr, error) {
	e := &expr{src: src}
	if kind == datamodel.Condition {
		e.state, e.err = parse(src)
	} else {
		e.err = lacks(kind, src)
	}
	if e.err != nil {
		return e, e.err
	}
	return e, nil
}

// REC B.1: "There is no underlying data model", no location expression language, no value
// expression language, and no scripting.
var nouns = [...]string{
	datamodel.Condition: "conditions but In()",
	datamodel.ValueExpr: "value expressions",
	datamodel.Location:  "location expressions",
	datamodel.Script:    "scripts",
	datamodel.Content:   "data",
}

func lacks(kind datamodel.Kind, src datamodel.Source) *datamodel.EvalError {
	return &datamodel.EvalError{Pos: src.Position(0), Msg: "the null data model has no " + nouns[kind]}
}

func (language) NewStore(host datamodel.Host) (datamodel.Store, error) {
	return &store{datamodel.Unsupported{Language: "null"}, host}, nil
}

// An expr is a condition In(state), or the error that evaluating it raises.
type expr struct {
	src   datamodel.Source
	state string
	err   *datamodel.EvalError
}

func (e *expr) Source() datamodel.Source { return e.src }

const blanks = " \t\r\n"

// parse reads In(id).
func parse(src datamodel.Source) (string, *datamodel.EvalError) {
	text, at := src.Text, 0
	skip := func() { at = len(text) - len(strings.TrimLeft(text[at:], blanks)) }
	take := func(s string) bool {
		skip()
		if !strings.HasPrefix(text[at:], s) {
			return false
		}
		at += len(s)
		return true
	}
	fail := func(expected string) (string, *datamodel.EvalError) {
		return "", &datamodel.EvalError{
			Pos: src.Position(at),
			Msg: "syntax error: " + expected + " expected (the null data model knows only conditions of the form In(id))",
		}
	}
	if !take("In") {
		return fail(`"In"`)
	}
	if !take("(") {
		return fail(`"("`)
	}
	skip()
	var id string
	if rest := text[at:]; rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		end := strings.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return fail("closing quote")
		}
		id = rest[1 : 1+end]
		if id == "" || strings.ContainsAny(id, blanks+`()'"`) {
			at++
			return fail("id of a state")
		}
		at += len(id) + 2
	} else {
		end := strings.IndexAny(rest, blanks+`()'",;&|!=<>`)
		if end < 0 {
			end = len(rest)
		}
		if id = rest[:end]; id == "" {
			return fail("id of a state")
		}
		at += end
	}
	if !take(")") {
		return fail(`")"`)
	}
	if skip(); at < len(text) {
		return fail("end of the condition")
	}
	return id, nil
}

type store struct {
	datamodel.Unsupported
	host datamodel.Host
}

// Condition evaluates In(id).
func (s *store) Condition(cond datamodel.Expr) (bool, error) {
	e, ok := cond.(*expr)
	if !ok {
		return false, &datamodel.EvalError{Pos: cond.Source().Position(0), Msg: "an expression of another data model"}
	}
	if e.err != nil {
		return false, e.err
	}
	return s.host.In(e.state), nil
}

// Probe evaluates In(id), which has no effect.
func (s *store) Probe(cond datamodel.Expr, _ *datamodel.Event, _ []datamodel.Expr) (bool, error) {
	return s.Condition(cond)
}

// Watch does nothing.
func (*store) Watch() {}

// Looks returns nothing: a condition looks at states alone.
func (*store) Looks() datamodel.Look { return 0 }

// Value returns the error of an expression, which may have another kind.
func (s *store) Value(e datamodel.Expr) (datamodel.Value, error) {
	if e, ok := e.(*expr); ok && e.err != nil {
		return nil, e.err
	}
	return s.Unsupported.Value(e)
}

// Save returns an empty object: there is nothing to keep.
func (*store) Save([]datamodel.Expr) ([]byte, error) { return []byte("{}"), nil }

// Load takes what Save has returned.
func (*store) Load(data []byte, _ []datamodel.Expr) error {
	if strings.TrimSpace(string(data)) != "{}" {
		return errors.New("the null data model has no data that could be restored")
	}
	return nil
}

// AppendState returns dst: there is nothing to keep.
func (*store) AppendState(dst []byte, _ []datamodel.Expr) ([]byte, error) { return dst, nil }

// AppendKey returns dst: there is nothing to tell stores apart.
func (*store) AppendKey(dst []byte, _ []datamodel.Expr) ([]byte, error) { return dst, nil }

// Reset does nothing.
func (*store) Reset([]byte, []datamodel.Expr) error { return nil }

var (
	_ datamodel.Resetter = (*store)(nil)
	_ datamodel.Prober   = (*store)(nil)
	_ datamodel.Looker   = (*store)(nil)
)

// Check finds the state that a condition In(id) asks for, see [datamodel.Checker].
func (language) Check(kind datamodel.Kind, src datamodel.Source) []datamodel.Finding {
	if kind != datamodel.Condition {
		return nil
	}
	id, err := parse(src)
	if err != nil {
		return nil
	}
	open := strings.IndexByte(src.Text, '(')
	at := open + strings.Index(src.Text[open:], id)
	return []datamodel.Finding{{Kind: datamodel.StatePredicate, Pos: src.Position(at), Text: id}}
}

// Names returns nil: the only names are those of states.
func (language) Names() []string { return nil }
