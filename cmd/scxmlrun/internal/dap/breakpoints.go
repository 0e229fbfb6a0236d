package dap

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
)

// setBreakpoints sets the breakpoints of a file.
func (s *server) setBreakpoints(a *dap.SetBreakpointsArguments) (dap.ResponseMessage, func(), error) {
	name, ok := s.sources.find(&a.Source)
	if !ok {
		return nil, nil, errors.New("setBreakpoints: the source is not known: it has neither a path nor a reference of this session")
	}
	all := make([]debug.Breakpoint, 0, len(a.Breakpoints))
	for _, b := range a.Breakpoints {
		p := debug.Breakpoint{
			Kind: debug.AtLine, File: name, Line: b.Line - s.view.lineBase + 1,
			Condition: b.Condition, Count: b.HitCondition, Log: b.LogMessage,
		}
		if b.Column != 0 {
			p.Col = s.sources.column(name, p.Line, b.Column)
		}
		all = append(all, p)
	}
	return &dap.SetBreakpointsResponse{Body: dap.SetBreakpointsResponseBody{Breakpoints: s.set("file "+name, all)}}, nil, nil
}

// set sets the breakpoints of a group. One that the group has already keeps its number, and with it its
// hits.
func (s *server) set(group string, all []debug.Breakpoint) []dap.Breakpoint {
	if s.args.NoDebug {
		return slices.Repeat([]dap.Breakpoint{{Message: "the chart runs with noDebug"}}, len(all))
	}
	old := s.groups[group]
	for i := range all {
		if j := slices.IndexFunc(old, func(b debug.Breakpoint) bool { return same(b, all[i]) }); j >= 0 {
			all[i].ID = old[j].ID
			old = slices.Delete(slices.Clone(old), j, j+1)
		}
	}
	all = s.d.SetBreakpoints(group, all)
	s.groups[group] = all
	shown := []dap.Breakpoint{}
	for _, b := range all {
		shown = append(shown, s.breakpoint(b))
	}
	return shown
}

// same reports whether a client has asked for the same breakpoint twice.
func same(a, b debug.Breakpoint) bool {
	return a.Kind == b.Kind && a.File == b.File && a.Line == b.Line && a.Col == b.Col &&
		a.Name == b.Name && a.Entered == b.Entered && a.Exited == b.Exited && a.Session == b.Session &&
		a.Condition == b.Condition && a.Count == b.Count && a.Log == b.Log
}

// breakpoint returns what the client is told of a breakpoint.
func (s *server) breakpoint(b debug.Breakpoint) dap.Breakpoint {
	shown := dap.Breakpoint{Id: b.ID, Verified: b.Verified, Message: b.Reason}
	if b.Kind == debug.OnState && !b.Verified {
		var names []string
		for _, st := range s.threads.root.States() {
			names = append(names, st.Name())
		}
		shown.Message += cli.DidYouMean(b.Name, names)
	}
	if b.Kind == debug.AtLine && b.Verified {
		shown.Source = &s.sources.source(b.At.File).dap
		shown.Line, shown.Column = s.sources.place(b.At)
	}
	return shown
}

// breakpointChanged is told that something new is known about a breakpoint.
func (s *server) breakpointChanged(b debug.Breakpoint) {
	s.event("breakpoint", &dap.BreakpointEvent{Body: dap.BreakpointEventBody{Reason: "changed", Breakpoint: s.breakpoint(b)}})
}

// breakpointLocations returns where a breakpoint can be.
func (s *server) breakpointLocations(a *dap.BreakpointLocationsArguments) (dap.ResponseMessage, func(), error) {
	m := new(dap.BreakpointLocationsResponse)
	m.Body.Breakpoints = []dap.BreakpointLocation{}
	if a == nil {
		return nil, nil, errors.New("breakpointLocations: the source is missing")
	}
	name, ok := s.sources.find(&a.Source)
	if !ok {
		return nil, nil, errors.New("breakpointLocations: the source is not known")
	}
	first := a.Line - s.view.lineBase + 1
	last := first
	if a.EndLine != 0 {
		last = a.EndLine - s.view.lineBase + 1
	}
	for _, at := range s.d.Lines(name, first, last) {
		line, column := s.sources.place(at)
		m.Body.Breakpoints = append(m.Body.Breakpoints, dap.BreakpointLocation{Line: line, Column: column})
	}
	return m, nil, nil
}

// setFunctionBreakpoints sets the breakpoints at states and events.
func (s *server) setFunctionBreakpoints(given []dap.FunctionBreakpoint) (dap.ResponseMessage, func(), error) {
	all := make([]debug.Breakpoint, 0, len(given))
	for _, f := range given {
		b := debug.Breakpoint{Condition: f.Condition, Count: f.HitCondition}
		kind, name, _ := strings.Cut(f.Name, ":")
		switch kind = strings.TrimSpace(kind); kind {
		case "state":
			b.Kind = debug.OnState
		case "enter":
			b.Kind, b.Entered = debug.OnState, true
		case "exit":
			b.Kind, b.Exited = debug.OnState, true
		case "event":
			b.Kind = debug.OnEvent
		default:
			name = f.Name
			if _, isState := s.threads.root.State(strings.TrimSpace(name)); isState {
				b.Kind = debug.OnState
			} else {
				b.Kind = debug.OnEvent
			}
		}
		b.Name = strings.TrimSpace(name)
		all = append(all, b)
	}
	return &dap.SetFunctionBreakpointsResponse{Body: dap.SetFunctionBreakpointsResponseBody{Breakpoints: s.set("functions", all)}}, nil, nil
}

// dataBreakpointInfo says whether a breakpoint can be set at a variable, or at an expression.
func (s *server) dataBreakpointInfo(a *dap.DataBreakpointInfoArguments) (dap.ResponseMessage, func(), error) {
	m := new(dap.DataBreakpointInfoResponse)
	session, expr := "", a.Name
	if a.VariablesReference != 0 {
		v, of, err := s.looks.variable(a.VariablesReference, a.Name)
		if err != nil {
			return nil, nil, err
		}
		session, expr = of, v.Expr
	} else if a.FrameId != 0 {
		look, err := s.looks.get(a.FrameId)
		if err != nil {
			return nil, nil, err
		}
		session = look.session
	}
	if expr == "" {
		m.Body.Description = fmt.Sprintf("%s is not data of the chart", a.Name)
		return m, nil, nil
	}
	m.Body.AccessTypes = []dap.DataBreakpointAccessType{"write"}
	m.Body.DataId, m.Body.Description, m.Body.CanPersist = expr, expr, true
	if s.threads.id(session) != 1 { // the id of an invoked session is another one in the next run
		m.Body.DataId, m.Body.CanPersist = session+dataSeparator+expr, false
	}
	return m, nil, nil
}

// dataSeparator is between the session and the expression of the id of a data breakpoint.
const dataSeparator = "\x1f"

// setDataBreakpoints sets the breakpoints at data.
func (s *server) setDataBreakpoints(given []dap.DataBreakpoint) (dap.ResponseMessage, func(), error) {
	all := make([]debug.Breakpoint, 0, len(given))
	for _, d := range given {
		if d.AccessType != "" && d.AccessType != "write" {
			return nil, nil, fmt.Errorf(`setDataBreakpoints: %s: accessType %q is not supported: want "write"`, d.DataId, d.AccessType)
		}
		b := debug.Breakpoint{Kind: debug.OnData, Name: d.DataId, Condition: d.Condition, Count: d.HitCondition}
		if session, expr, ok := strings.Cut(d.DataId, dataSeparator); ok {
			b.Session, b.Name = session, expr
		} else {
			root, _ := s.threads.session(1) // there always is one
			b.Session = root.ID
		}
		all = append(all, b)
	}
	return &dap.SetDataBreakpointsResponse{Body: dap.SetDataBreakpointsResponseBody{Breakpoints: s.set("data", all)}}, nil, nil
}

// exceptionFilters are the kinds of errors at which a session can stop.
var exceptionFilters = []dap.ExceptionBreakpointsFilter{
	filter("error.execution", "error.execution", "An expression or an element has failed", true),
	filter("error.communication", "error.communication", "An event could not be delivered", true),
	filter("limit", "Limits", "A limit was exceeded, and the session ends", true),
	filter("unhandled", "Events that nobody takes", "An event was taken from a queue and enabled no transition", false),
}

func filter(id, label, description string, on bool) dap.ExceptionBreakpointsFilter {
	return dap.ExceptionBreakpointsFilter{
		Filter: id, Label: label, Description: description, Default: on,
		SupportsCondition: true, ConditionDescription: "An expression, such as _event.name === 'error.execution'",
	}
}

// setExceptionBreakpoints sets the breakpoints at errors.
func (s *server) setExceptionBreakpoints(a *dap.SetExceptionBreakpointsArguments) (dap.ResponseMessage, func(), error) {
	options := a.FilterOptions
	for _, name := range a.Filters {
		options = append(options, dap.ExceptionFilterOptions{FilterId: name})
	}
	var all []debug.Breakpoint
	for _, o := range options {
		if !slices.ContainsFunc(exceptionFilters, func(f dap.ExceptionBreakpointsFilter) bool { return f.Filter == o.FilterId }) {
			return nil, nil, fmt.Errorf("setExceptionBreakpoints: unknown filter %q", o.FilterId)
		}
		b := debug.Breakpoint{Kind: debug.OnError, Name: o.FilterId, Condition: o.Condition}
		if o.FilterId == "unhandled" {
			b.Kind, b.Name = debug.OnUnhandled, ""
		}
		all = append(all, b)
	}
	return &dap.SetExceptionBreakpointsResponse{Body: dap.SetExceptionBreakpointsResponseBody{Breakpoints: s.set("errors", all)}}, nil, nil
}
