package debugger

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A command is a word that is typed first.
type command struct {
	names     []string
	arguments string
	help      string
	moves     bool // an empty line repeats it
	run       func(f *Front, argument string) error
}

// commands returns the commands in the order of the help text. Their names are those of gdb and
// Delve where these have the same.
func commands() []command {
	moving := func(to func(*debug.Debugger, context.Context) (debug.Stop, error)) func(*Front, string) error {
		return func(f *Front, argument string) error {
			if argument != "" {
				return errors.New("this command takes no argument")
			}
			return f.move(func(ctx context.Context) (debug.Stop, error) { return to(f.Debugger, ctx) })
		}
	}
	scope := func(name string) func(*Front, string) error {
		return func(f *Front, argument string) error { return f.showScope(name, argument) }
	}
	return []command{
		{[]string{"break", "b"}, "[PLACE [if COND]]", "stop there, or list the breakpoints", false, (*Front).runBreak},
		{[]string{"tbreak", "tb"}, "PLACE [if COND]", "stop there once", false, (*Front).runTemporary},
		{[]string{"watch"}, "EXPR [if COND]", "stop when the value has changed", false, (*Front).runWatch},
		{[]string{"log"}, "PLACE MESSAGE", "write a message there, with {expressions}, and do not stop", false, (*Front).runLog},
		{[]string{"cond"}, "N [COND]", "give breakpoint N another condition, or none", false, (*Front).runCond},
		{[]string{"count"}, "N [COUNT]", "stop at hits of breakpoint N such as 3 (from the third on), ==3 or %3", false, (*Front).runCount},
		{[]string{"delete", "d"}, "N|all", "remove breakpoints", false, (*Front).runDelete},

		{[]string{"continue", "c"}, "", "run to a breakpoint, or until nothing is left to do", true, moving((*debug.Debugger).Continue)},
		{[]string{"step", "s"}, "", "to the next element", true, moving((*debug.Debugger).StepIn)},
		{[]string{"next", "n"}, "", "to the next microstep", true, moving((*debug.Debugger).Next)},
		{[]string{"finish", "fin"}, "", "to the end of the macrostep", true, moving((*debug.Debugger).StepOut)},
		{[]string{"back"}, "", "back by one microstep", true, moving((*debug.Debugger).StepBack)},
		{[]string{"reverse-step", "rs"}, "", "back by one element", true, moving((*debug.Debugger).StepBackIn)},
		{[]string{"reverse-continue", "rc"}, "", "back to the last hit of a breakpoint", true, moving((*debug.Debugger).ReverseContinue)},
		{[]string{"restart"}, "", "back to the beginning of the macrostep", true, moving((*debug.Debugger).RestartFrame)},
		{[]string{"goto"}, "N[.M]", "to a place of the past; 0 is the start", false, (*Front).runGoto},
		{[]string{"present"}, "", "to the present", false, (*Front).runPresent},

		{[]string{"send"}, "EVENT [JSON]", "put an event into the queue; the name of an event alone sends it and continues", false, (*Front).send},
		{[]string{"advance"}, "TIME", "let time pass, and continue: 500ms, 1.5s, 2m", false, (*Front).runAdvance},

		{[]string{"list", "l"}, "[LINE|STATE]", "show the document around the place, or go on there", false, (*Front).runList},
		{[]string{"frames", "bt"}, "", "show the element, what is around it, and the active states", false, (*Front).runFrames},
		{[]string{"print", "p"}, "EXPR", "evaluate an expression; it changes nothing", false, (*Front).runPrint},
		{[]string{"set"}, "ITEM = EXPR", "change a data item, or a part of it", false, (*Front).runSet},
		{[]string{"data"}, "[ITEM]", "show the data in short, or one item whole", false, scope("Data")},
		{[]string{"event"}, "", "show the event that is processed, or the last one", false, scope("Event")},
		{[]string{"queue"}, "", "show the events in the queues", false, scope("Queues")},
		{[]string{"timers"}, "", "show the delayed events", false, scope("Timers")},
		{[]string{"history"}, "", "show what the <history> states remember", false, scope("History")},
		{[]string{"invocations"}, "", "show what runs for <invoke>", false, scope("Invocations")},
		{[]string{"sessions"}, "", "show the sessions of the tree", false, (*Front).runSessions},
		{[]string{"session"}, "N", "show the data and frames of session N from now on", false, (*Front).runSession},
		{[]string{"help", "h"}, "", "this text", false, (*Front).runHelp},
		{[]string{"quit", "q"}, "", "leave; so does Ctrl+D", false, func(f *Front, _ string) error { f.quit = true; return nil }},
	}
}

// words returns the long names of the commands.
func words() (all []string) {
	for _, c := range commands() {
		all = append(all, c.names[0])
	}
	return all
}

func (f *Front) runHelp(string) error {
	const column = 26
	var b strings.Builder
	for _, c := range commands() {
		usage := "  " + strings.TrimSpace(strings.Join(c.names, ", ")+" "+c.arguments)
		if len(usage) >= column {
			usage += "\n" + strings.Repeat(" ", column)
		}
		fmt.Fprintf(&b, "%-*s%s\n", column, usage, text.Fill(c.help, 80-column, strings.Repeat(" ", column)))
	}
	b.WriteString(text.Fill("A PLACE is a LINE or FILE:LINE, state:ID (enter:ID, exit:ID), event:NAME (as a chart would say it, event:tap.*), "+
		"error or error:NAME (execution, communication, limit), or unhandled (an event that enables no transition).", 80, "") + "\n")
	b.WriteString(text.Fill("An empty line repeats a movement. Ctrl+C pauses the session.", 80, "") + "\n")
	f.out.Print(b.String())
	return nil
}

// place reads the PLACE of a breakpoint.
func (f *Front) place(word string) (b debug.Breakpoint, err error) {
	kind, name, named := strings.Cut(word, ":")
	line, notNumber := strconv.Atoi(word[strings.LastIndex(word, ":")+1:])
	switch {
	case word == "error":
		b.Kind = debug.OnError
	case word == "unhandled":
		b.Kind = debug.OnNobody
	case kind == "error" && named:
		b.Kind = debug.OnError
		if b.Name = name; name == "execution" || name == "communication" {
			b.Name = "error." + name
		}
	case kind == "unhandled" && named:
		b.Kind, b.Name = debug.OnNobody, name
	case kind == "event" && named:
		b.Kind, b.Name = debug.OnEvent, name
	case kind == "state" && named:
		b.Kind, b.Name = debug.OnState, name
	case kind == "enter" && named:
		b.Kind, b.Name, b.Entered = debug.OnState, name, true
	case kind == "exit" && named:
		b.Kind, b.Name, b.Exited = debug.OnState, name, true
	case notNumber == nil:
		b.Kind, b.Line = debug.AtLine, line
		if i := strings.LastIndex(word, ":"); i >= 0 {
			b.File = word[:i]
		}
	default:
		err = fmt.Errorf("%q is not a place: want a line, FILE:LINE, state:ID, event:NAME, error or unhandled", word)
	}
	return b, err
}

// pointAt adds the breakpoint of an argument "PLACE [if COND]".
func (f *Front) pointAt(argument string, once bool) error {
	word, rest, _ := strings.Cut(argument, " ")
	b, err := f.place(word)
	if err != nil {
		return err
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		cond, ok := strings.CutPrefix(rest, "if ")
		if !ok {
			return fmt.Errorf("after the place comes a condition: if %s", rest)
		}
		b.Condition = strings.TrimSpace(cond)
	}
	b.Once = once
	return f.add(b)
}

// group is the group of all breakpoints.
const group = "terminal"

// add adds a breakpoint.
func (f *Front) add(b debug.Breakpoint) error {
	all := f.SetBreakpoints(group, append(f.Breakpoints(), b))
	added := all[len(all)-1]
	if !added.Verified && !f.mayCome(added) {
		f.SetBreakpoints(group, all[:len(all)-1])
		if added.Kind == debug.OnState && added.Name != "" {
			added.Reason += cli.DidYouMean(added.Name, f.states())
		}
		return errors.New(added.Reason)
	}
	f.showPoint(added)
	return nil
}

// mayCome reports whether a document that does not run yet may have the place of a breakpoint.
func (f *Front) mayCome(b debug.Breakpoint) bool {
	switch b.Kind {
	case debug.AtLine:
		return len(f.Lines(b.File, 0, math.MaxInt)) == 0
	case debug.OnState:
		return b.Name != "" && cli.Nearest(b.Name, f.states()) == ""
	}
	return false
}

// states returns the names of the states of the sessions that run.
func (f *Front) states() (names []string) {
	for _, s := range f.sessions() {
		for _, st := range s.Chart.States() {
			names = append(names, st.Name())
		}
	}
	return names
}

func (f *Front) runBreak(argument string) error {
	if argument != "" {
		return f.pointAt(argument, false)
	}
	all := f.Breakpoints()
	for _, b := range all {
		f.showPoint(b)
	}
	if len(all) == 0 {
		f.out.Item(text.Dim, "break", "none")
	}
	return nil
}

func (f *Front) runTemporary(argument string) error {
	if argument == "" {
		return errors.New("tbreak: where?")
	}
	return f.pointAt(argument, true)
}

func (f *Front) runWatch(argument string) error {
	if argument == "" {
		return errors.New("watch: which data item?")
	}
	expr, cond, _ := strings.Cut(argument, " if ")
	return f.add(debug.Breakpoint{Kind: debug.OnData, Name: strings.TrimSpace(expr), Condition: strings.TrimSpace(cond)})
}

func (f *Front) runLog(argument string) error {
	word, message, _ := strings.Cut(argument, " ")
	if message = strings.TrimSpace(message); message == "" {
		return errors.New("log: which message? For example: log 12 n is {n}")
	}
	b, err := f.place(word)
	if err != nil {
		return err
	}
	b.Log = message
	return f.add(b)
}

// change changes the breakpoint whose number an argument begins with.
func (f *Front) change(argument string, with func(b *debug.Breakpoint, rest string)) error {
	number, rest, _ := strings.Cut(argument, " ")
	all := f.Breakpoints()
	i, err := f.point(all, number)
	if err != nil {
		return err
	}
	before := all[i]
	with(&all[i], strings.TrimSpace(rest))
	set := f.SetBreakpoints(group, all)
	if b := set[i]; !b.Verified && before.Verified {
		all[i] = before
		f.SetBreakpoints(group, all)
		return errors.New(b.Reason)
	}
	f.showPoint(set[i])
	return nil
}

// point returns the index of the breakpoint with a number.
func (f *Front) point(all []debug.Breakpoint, number string) (int, error) {
	n, err := strconv.Atoi(number)
	i := slices.IndexFunc(all, func(b debug.Breakpoint) bool { return b.ID == n })
	if err != nil || i < 0 {
		return 0, fmt.Errorf("there is no breakpoint %q; break lists them", number)
	}
	return i, nil
}

func (f *Front) runCond(argument string) error {
	return f.change(argument, func(b *debug.Breakpoint, rest string) { b.Condition = rest })
}

func (f *Front) runCount(argument string) error {
	return f.change(argument, func(b *debug.Breakpoint, rest string) { b.Count = rest })
}

func (f *Front) runDelete(argument string) error {
	all := f.Breakpoints()
	if argument == "all" {
		f.SetBreakpoints(group, nil)
		return nil
	}
	i, err := f.point(all, argument)
	if err == nil {
		f.SetBreakpoints(group, slices.Delete(all, i, i+1))
	}
	return err
}

func (f *Front) runGoto(argument string) error {
	macrostep, at, _ := strings.Cut(argument, ".")
	if at == "" {
		at = "0"
	}
	n, err := strconv.Atoi(macrostep)
	k, err2 := strconv.Atoi(at)
	if err != nil || err2 != nil {
		return errors.New("goto: want the number of a macrostep, or a place such as 17.3")
	}
	return f.goTo(debug.Place{Macrostep: n, At: k})
}

func (f *Front) runPresent(string) error {
	p, err := f.Present()
	if err != nil {
		return err
	}
	return f.goTo(p)
}

func (f *Front) goTo(p debug.Place) error {
	return f.move(func(ctx context.Context) (debug.Stop, error) { return f.Goto(ctx, p) })
}

func (f *Front) send(argument string) error {
	if argument == "" {
		return errors.New("send: which event?")
	}
	name, data, _ := strings.Cut(argument, " ")
	ev := scxml.Event{Name: name}
	if data = strings.TrimSpace(data); data != "" {
		v, err := datamodel.ParseJSON([]byte(data))
		if err != nil {
			return fmt.Errorf("the data of %s: %w", name, wire.JSONProblem(err))
		}
		ev.Data = v
	}
	err := f.Send(f.session, ev)
	if errors.Is(err, debug.ErrPast) {
		return errPast
	}
	return err
}

func (f *Front) runAdvance(argument string) error {
	by, err := wire.ParseTime(argument)
	if err != nil {
		return fmt.Errorf("advance: %w", err)
	}
	return f.move(func(ctx context.Context) (debug.Stop, error) { return f.Advance(ctx, by) })
}

func (f *Front) runPrint(argument string) error {
	if argument == "" {
		return errors.New("print: which expression?")
	}
	ctx, done := f.interruptible()
	v, err := f.Eval(ctx, f.session, argument)
	done()
	if err != nil {
		return err
	}
	f.out.Item(text.Bold, "value", text.Value(v))
	return nil
}

func (f *Front) runSet(argument string) error {
	location, expr, ok := strings.Cut(argument, "=")
	if !ok || strings.TrimSpace(location) == "" || strings.HasPrefix(expr, "=") {
		return errors.New("set: want ITEM = EXPR, for example: set n = n + 1")
	}
	ctx, done := f.interruptible()
	v, err := f.Set(ctx, f.session, strings.TrimSpace(location), strings.TrimSpace(expr))
	done()
	if errors.Is(err, debug.ErrPast) {
		return errPast
	}
	if err != nil {
		return err
	}
	f.out.Item(text.Bold, "value", text.Value(v))
	return nil
}

// sessions returns the sessions of the tree.
func (f *Front) sessions() []debug.Session {
	all, _ := f.Sessions() // nothing moves
	return all
}

func (f *Front) runSession(argument string) error {
	all := f.sessions()
	n, err := strconv.Atoi(argument)
	if err != nil || n < 0 || n >= len(all) {
		return fmt.Errorf("session: want a number from 0 to %d; sessions lists them", len(all)-1)
	}
	f.session = all[n].ID
	return f.runSessions("")
}
