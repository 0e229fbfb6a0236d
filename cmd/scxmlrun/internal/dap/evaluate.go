package dap

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
)

// consoleHelp is what the console answers to "help".
const consoleHelp = `send EVENT [JSON]  send an event; it is taken when the session moves
advance TIME       let time pass, for example 500ms or 2m (with "clock": "virtual")
back               step back by one element
goto N or N.M      go to macrostep N, and M steps into it
where              which macrostep this is, and what happens in it
help               this text
An event that the chart takes can be written without send, if it is not an expression.
Anything else is an expression. It changes nothing. A data item with the name of a command
comes first; then write the command with a colon, as in :send tap.`

func (s *server) evaluate(ctx context.Context, a *dap.EvaluateArguments) (dap.ResponseMessage, func(), error) {
	expr := strings.TrimSpace(a.Expression)
	if a.Context == "repl" {
		word, rest, _ := strings.Cut(expr, " ")
		command, isCommand := strings.CutPrefix(word, ":")
		if isCommand || slices.Contains(commandNames, word) && !slices.Contains(s.threads.root.Data(), word) {
			return s.command(command, strings.TrimSpace(rest))
		}
	}
	session, err := s.frameSession(a.FrameId)
	var v datamodel.Value
	if err == nil {
		v, err = s.d.Eval(ctx, session, expr)
	}
	switch word, _, _ := strings.Cut(expr, " "); {
	case err == nil:
	case a.Context == "repl" && takes(s.threads.root, word):
		return s.command("send", expr)
	default:
		return nil, nil, err
	}
	m := new(dap.EvaluateResponse)
	m.Body.Result, m.Body.Type = text.Brief(v, maxValue), typeName(v)
	if a.Context == "clipboard" || a.Context == "repl" && debug.Len(v) == 0 {
		m.Body.Result = text.Value(v)
	}
	m.Body.VariablesReference, m.Body.NamedVariables, m.Body.IndexedVariables = s.inside(session, debug.Variable{Name: expr, Value: v, Expr: expr})
	return m, nil, nil
}

// takes reports whether a chart has a transition for an event, other than for all events.
func takes(chart *scxml.Chart, event string) bool {
	return text.Takes(eventsOf(chart), event)
}

// commandNames are the names of the commands of the console.
var commandNames = []string{"send", "advance", "back", "goto", "where", "help"}

// command carries out a command of the console.
func (s *server) command(name, rest string) (dap.ResponseMessage, func(), error) {
	say := func(words string) (dap.ResponseMessage, func(), error) {
		return &dap.EvaluateResponse{Body: dap.EvaluateResponseBody{Result: words}}, nil, nil
	}
	if rest != "" && slices.Contains([]string{"back", "where", "help"}, name) {
		return nil, nil, fmt.Errorf("%s takes no argument", name)
	}
	switch name {
	case "help":
		return say(consoleHelp)
	case "send":
		cmd, err := parseInput("send " + rest)
		if err == nil {
			err = s.d.Send("", cmd.Event)
		}
		if err != nil {
			return nil, nil, err
		}
		if _, err := s.stopped(); err != nil { // it is running
			return say("sent " + cmd.Event.Name)
		}
		return say("sent " + cmd.Event.Name + "; continue or step to take it")
	case "advance":
		cmd, err := parseInput("advance " + rest)
		if err == nil {
			err = s.args.canAdvance()
		}
		if err != nil {
			return nil, nil, err
		}
		return s.moveByCommand("advanced by "+cmd.Advance.String(), func(ctx context.Context) (debug.Stop, error) { return s.d.Advance(ctx, cmd.Advance) })
	case "back":
		return s.moveByCommand("back", s.d.StepBackIn)
	case "goto":
		p, err := parsePlace(rest)
		if err != nil {
			return nil, nil, err
		}
		return s.moveByCommand("to "+p.String(), func(ctx context.Context) (debug.Stop, error) { return s.d.Goto(ctx, p) })
	case "where":
		stop, err := s.stopped()
		if err != nil {
			return nil, nil, err
		}
		present, err := s.d.Present()
		if err != nil {
			return nil, nil, err
		}
		return say(fmt.Sprintf("%v (%v) of %v", stop.Place, stop.Kind, present))
	}
	return nil, nil, fmt.Errorf("unknown command %q%s", name, cli.DidYouMean(name, commandNames))
}

// moveByCommand moves the session for a command. The client does not know that evaluate can do that.
func (s *server) moveByCommand(words string, f movement) (dap.ResponseMessage, func(), error) {
	if err := s.begin(false); err != nil {
		return nil, nil, err
	}
	return &dap.EvaluateResponse{Body: dap.EvaluateResponseBody{Result: words}}, func() {
		s.event("continued", &dap.ContinuedEvent{Body: dap.ContinuedEventBody{ThreadId: 1, AllThreadsContinued: true}})
		s.run(f)
	}, nil
}

// parsePlace parses a place as the debugger writes it.
func parsePlace(text string) (p debug.Place, err error) {
	macrostep, at, within := strings.Cut(text, ".")
	p.Macrostep, err = strconv.Atoi(macrostep)
	if err == nil && within {
		p.At, err = strconv.Atoi(at)
	}
	if err != nil || p.Macrostep < 0 || p.At < 0 {
		return p, fmt.Errorf("goto: %q is not a place: want the number of a macrostep, such as 17 or 17.3", text)
	}
	return p, nil
}

// setVariable assigns to a variable of a scope, or to a part of one.
func (s *server) setVariable(ctx context.Context, a *dap.SetVariableArguments) (dap.ResponseMessage, func(), error) {
	v, session, err := s.looks.variable(a.VariablesReference, a.Name)
	if err != nil {
		return nil, nil, err
	}
	if v.Expr == "" {
		return nil, nil, fmt.Errorf("%s cannot be changed: it is not data of the chart", a.Name)
	}
	value, err := s.d.Set(ctx, session, v.Expr, a.Value)
	if err != nil {
		return nil, nil, err
	}
	m := new(dap.SetVariableResponse)
	m.Body.Value, m.Body.Type = text.Brief(value, maxValue), typeName(value)
	m.Body.VariablesReference, m.Body.NamedVariables, m.Body.IndexedVariables = s.inside(session, debug.Variable{Name: v.Name, Value: value, Expr: v.Expr})
	return m, nil, nil
}

// setExpression assigns to a location.
func (s *server) setExpression(ctx context.Context, a *dap.SetExpressionArguments) (dap.ResponseMessage, func(), error) {
	session, err := s.frameSession(a.FrameId)
	if err != nil {
		return nil, nil, err
	}
	value, err := s.d.Set(ctx, session, a.Expression, a.Value)
	if err != nil {
		return nil, nil, err
	}
	m := new(dap.SetExpressionResponse)
	m.Body.Value, m.Body.Type = text.Brief(value, maxValue), typeName(value)
	m.Body.VariablesReference, m.Body.NamedVariables, m.Body.IndexedVariables = s.inside(session, debug.Variable{Name: a.Expression, Value: value, Expr: a.Expression})
	return m, nil, nil
}

// completions completes the last word before the cursor on the console.
func (s *server) completions(a *dap.CompletionsArguments) (dap.ResponseMessage, func(), error) {
	units := utf16.Encode([]rune(a.Text))
	before := string(utf16.Decode(units[:min(max(a.Column-s.view.columnBase, 0), len(units))]))
	start := strings.LastIndexFunc(before, func(r rune) bool { return !isWord(r) }) + 1
	word, first := before[start:], strings.TrimSpace(before[:start])
	// The word is replaced: without a place, a client guesses, and error.exec has a word after the dot.
	from, length := len(utf16.Encode([]rune(before[:start])))+s.view.columnBase, len(utf16.Encode([]rune(word)))
	var words []dap.CompletionItem
	add := func(kind dap.CompletionItemType, all ...string) {
		for _, w := range all {
			if strings.HasPrefix(w, word) {
				words = append(words, dap.CompletionItem{Label: w, Type: kind, Start: from, Length: length})
			}
		}
	}
	chart := s.threads.root
	switch first {
	case "send", ":send":
		add("method", eventsOf(chart)...)
	case "", ":":
		add("keyword", commandNames...)
		add("method", eventsOf(chart)...)
		fallthrough
	default:
		add("variable", chart.Data()...)
		add("variable", "_event", "_sessionid", "_name", "_ioprocessors", "_x")
		add("function", "In")
	}
	m := new(dap.CompletionsResponse)
	m.Body.Targets = append([]dap.CompletionItem{}, words...)
	return m, nil, nil
}

// isWord reports whether a character can be part of a word to complete.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_$.-", r)
}

// eventsOf returns the events that a chart has transitions for.
func eventsOf(chart *scxml.Chart) []string {
	all := text.Events(chart)
	for i := range all {
		all[i] = strings.TrimSuffix(all[i], ".*")
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == "*" })
}
