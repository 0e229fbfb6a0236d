package dap

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
)

// looks are the frames and variables that the client has seen since the session has stopped. Their
// number is their place in the list, counted from 1.
type looks struct {
	mu  sync.Mutex
	all []look
}

// A look is a frame, a scope, or a variable with something inside.
type look struct {
	session string
	frame   bool
	scope   []debug.Variable
	inside  debug.Variable // the variable, unless it is a frame or a scope
}

// forget invalidates all numbers.
func (l *looks) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = nil
}

// add returns a number for something.
func (l *looks) add(x look) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, x)
	return len(l.all)
}

// get returns what has a number.
func (l *looks) get(n int) (look, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n < 1 || n > len(l.all) {
		return look{}, fmt.Errorf("nothing has the number %d since the session has stopped", n)
	}
	return l.all[n-1], nil
}

// children returns the variables inside, from first on and at most count; 0 means all.
func (x look) children(first, count int) ([]debug.Variable, error) {
	switch {
	case x.frame:
		return nil, errors.New("a frame has no variables: ask for its scopes")
	case x.scope == nil:
		return x.inside.Children(first, count), nil
	}
	all := x.scope[min(first, len(x.scope)):]
	if count > 0 {
		all = all[:min(count, len(all))]
	}
	return all, nil
}

// variable returns the variable with a name inside of something.
func (l *looks) variable(n int, name string) (v debug.Variable, session string, err error) {
	x, err := l.get(n)
	if err != nil {
		return v, "", err
	}
	all, err := x.children(0, 0)
	if err != nil {
		return v, "", err
	}
	i := slices.IndexFunc(all, func(v debug.Variable) bool { return v.Name == name })
	if i < 0 {
		return v, "", fmt.Errorf("there is no variable %q", name)
	}
	return all[i], x.session, nil
}

func (s *server) stackTrace(a *dap.StackTraceArguments) (dap.ResponseMessage, func(), error) {
	session, err := s.threads.session(a.ThreadId)
	if err != nil {
		return nil, nil, err
	}
	frames, err := s.d.Stack(session.ID)
	if err != nil {
		return nil, nil, err
	}
	if len(frames) == 0 { // before the initial states, or after the end; a frame is needed to look at data
		stop, err := s.stopped()
		if err != nil {
			return nil, nil, err
		}
		frames = []debug.Frame{{Name: stop.Text, At: session.Chart.Root().Pos()}}
	}
	m := new(dap.StackTraceResponse)
	m.Body.TotalFrames = len(frames)
	frames = frames[min(max(a.StartFrame, 0), len(frames)):]
	if a.Levels > 0 {
		frames = frames[:min(a.Levels, len(frames))]
	}
	m.Body.StackFrames = []dap.StackFrame{}
	for _, f := range frames {
		shown := dap.StackFrame{Id: s.looks.add(look{session: session.ID, frame: true}), Name: f.Name}
		if f.At.IsValid() {
			shown.Source = &s.sources.source(f.At.File).dap
			shown.Line, shown.Column = s.sources.place(f.At)
			if f.End.IsValid() {
				shown.EndLine, shown.EndColumn = s.sources.place(f.End)
			}
		}
		m.Body.StackFrames = append(m.Body.StackFrames, shown)
	}
	return m, nil, nil
}

// frameSession returns the session of a frame. 0 means the session that the debugger has stopped in.
func (s *server) frameSession(id int) (string, error) {
	if id == 0 {
		stop, err := s.stopped()
		return stop.Session, err
	}
	x, err := s.looks.get(id)
	if err == nil && !x.frame {
		err = fmt.Errorf("%d is not a frame", id)
	}
	return x.session, err
}

func (s *server) scopes(ctx context.Context, frame int) (dap.ResponseMessage, func(), error) {
	session, err := s.frameSession(frame)
	if err != nil {
		return nil, nil, err
	}
	scopes, err := s.d.Scopes(ctx, session)
	if err != nil {
		return nil, nil, err
	}
	m := new(dap.ScopesResponse)
	m.Body.Scopes = []dap.Scope{}
	for i, scope := range scopes {
		shown := dap.Scope{
			Name: scope.Name, NamedVariables: len(scope.Variables),
			VariablesReference: s.looks.add(look{session: session, scope: append([]debug.Variable{}, scope.Variables...)}),
		}
		if i == 0 {
			shown.PresentationHint = "locals"
		}
		m.Body.Scopes = append(m.Body.Scopes, shown)
	}
	return m, nil, nil
}

func (s *server) variables(a *dap.VariablesArguments) (dap.ResponseMessage, func(), error) {
	x, err := s.looks.get(a.VariablesReference)
	if err != nil {
		return nil, nil, err
	}
	if a.Start < 0 || a.Count < 0 {
		return nil, nil, fmt.Errorf("variables: start %d and count %d must not be negative", a.Start, a.Count)
	}
	m := new(dap.VariablesResponse)
	m.Body.Variables = []dap.Variable{}
	_, isList := x.inside.Value.([]datamodel.Value)
	if a.Filter == "indexed" && !isList || a.Filter == "named" && isList {
		return m, nil, nil
	}
	all, err := x.children(a.Start, a.Count)
	if err != nil {
		return nil, nil, err
	}
	for _, v := range all {
		m.Body.Variables = append(m.Body.Variables, s.variable(x.session, v))
	}
	return m, nil, nil
}

// variable returns what the client is told of a variable.
func (s *server) variable(session string, v debug.Variable) dap.Variable {
	shown := dap.Variable{Name: v.Name, EvaluateName: v.Expr}
	if v.Err != nil {
		shown.Value, shown.PresentationHint = v.Err.Error(), &dap.VariablePresentationHint{Attributes: []string{"failedEvaluation"}}
		return shown
	}
	if v.Expr == "" {
		shown.PresentationHint = &dap.VariablePresentationHint{Attributes: []string{"readOnly"}}
	}
	shown.Value, shown.Type = text.Brief(v.Value, maxValue), typeName(v.Value)
	shown.VariablesReference, shown.NamedVariables, shown.IndexedVariables = s.inside(session, v)
	return shown
}

// maxValue is how many characters of a value are shown. What it has inside is shown on request.
const maxValue = 200

// inside returns a number for what a value has inside, and how much that is.
func (s *server) inside(session string, v debug.Variable) (reference, named, indexed int) {
	n := debug.Len(v.Value)
	if n == 0 {
		return 0, 0, 0
	}
	reference = s.looks.add(look{session: session, inside: v})
	if _, isList := v.Value.([]datamodel.Value); isList {
		return reference, 0, n
	}
	return reference, n, 0
}

// typeName returns the name of the type of a value.
func typeName(v datamodel.Value) string {
	switch v.(type) {
	case nil:
		return "undefined"
	case datamodel.NullType:
		return "null"
	case bool:
		return "boolean"
	case int64, float64:
		return "number"
	case string:
		return "string"
	case *big.Int:
		return "bigint"
	case time.Time:
		return "date"
	case []datamodel.Value:
		return "array"
	case *datamodel.Object:
		return "object"
	case *datamodel.Node:
		return "XML"
	case datamodel.Function:
		return "function"
	}
	return ""
}

func (s *server) source(a *dap.SourceArguments) (dap.ResponseMessage, func(), error) {
	d := dap.Source{SourceReference: a.SourceReference}
	if a.Source != nil && d.SourceReference == 0 {
		d = *a.Source
	}
	name, ok := s.sources.find(&d)
	if !ok {
		return nil, nil, errors.New("source: the source is not known: it has neither a path nor a reference of this session")
	}
	src := s.sources.source(name)
	if src.text == "" {
		return nil, nil, fmt.Errorf("source: the text of %q is not known", name)
	}
	m := new(dap.SourceResponse)
	m.Body.Content, m.Body.MimeType = src.text, "application/scxml+xml"
	return m, nil, nil
}

func (s *server) loadedSources() (dap.ResponseMessage, func(), error) {
	m := new(dap.LoadedSourcesResponse)
	m.Body.Sources = s.sources.list()
	return m, nil, nil
}
