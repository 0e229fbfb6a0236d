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
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/console"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// movements are the commands that an empty line repeats.
var movements = []string{"continue", "step", "next", "finish", "back", "reverse-step", "reverse-continue", "restart"}

// newCommands returns the commands. Their names are those of gdb and Delve where these have the same.
func (f *Front) commands() (all console.Commands) {
	moving := func(to func(context.Context) (debug.Stop, error)) func(string) error {
		return func(argument string) error {
			if argument != "" {
				return errors.New("this command takes no argument")
			}
			return f.move(to)
		}
	}
	scope := func(name string) func(string) error {
		return func(argument string) error { return f.showScope(name, argument) }
	}
	all.Add("break, b [PLACE [if COND]]", "stop there, or list the breakpoints", console.Nothing, f.runBreak)
	all.Add("tbreak, tb PLACE [if COND]", "stop there once", console.Nothing, f.runTemporary)
	all.Add("watch EXPR [if COND]", "stop when the value has changed", console.Expression, f.runWatch)
	all.Add("log PLACE MESSAGE", "write a message there, with {expressions}, and do not stop", console.Nothing, f.runLog)
	all.Add("cond N [COND]", "give breakpoint N another condition, or none", console.Nothing, f.runCond)
	all.Add("count N [COUNT]", "stop at hits of breakpoint N such as 3 (from the third on), ==3 or %3", console.Nothing, f.runCount)
	all.Add("delete, d N|all", "remove breakpoints", console.Nothing, f.runDelete)

	all.Add("continue, c", "run to a breakpoint, or until nothing is left to do", console.Nothing, moving(f.Continue))
	all.Add("step, s", "to the next element", console.Nothing, moving(f.StepIn))
	all.Add("next, n", "to the next microstep", console.Nothing, moving(f.Next))
	all.Add("finish, fin", "to the end of the macrostep", console.Nothing, moving(f.StepOut))
	all.Add("back", "back by one microstep", console.Nothing, moving(f.StepBack))
	all.Add("reverse-step, rs", "back by one element", console.Nothing, moving(f.StepBackIn))
	all.Add("reverse-continue, rc", "back to the last hit of a breakpoint", console.Nothing, moving(f.ReverseContinue))
	all.Add("restart", "back to the beginning of the macrostep", console.Nothing, moving(f.RestartFrame))
	all.Add("goto N[.M]", "to a place of the past; 0 is the start", console.Nothing, f.runGoto)
	all.Add("present", "to the present", console.Nothing, f.runPresent)

	all.Add("send EVENT [JSON]", "put an event into the queue; the name of an event alone sends it and continues", console.Events, f.send)
	all.Add("advance TIME", "let time pass, and continue: 500ms, 1.5s, 2m", console.Nothing, f.runAdvance)

	all.Add("list, l [LINE|STATE]", "show the document around the place, or go on there", console.States, f.runList)
	all.Add("frames, bt", "show the element, what is around it, and the active states", console.Nothing, f.runFrames)
	all.Add("print, p EXPR", "evaluate an expression; it changes nothing", console.Expression, f.runPrint)
	all.Add("set ITEM = EXPR", "change a data item, or a part of it", console.Expression, f.runSet)
	all.Add("data [ITEM]", "show the data in short, or one item whole", console.Data, scope("Data"))
	all.Add("event", "show the event that is processed, or the last one", console.Nothing, scope("Event"))
	all.Add("queue", "show the events in the queues", console.Nothing, scope("Queues"))
	all.Add("timers", "show the delayed events", console.Nothing, scope("Timers"))
	all.Add("history", "show what the <history> states remember", console.Nothing, scope("History"))
	all.Add("invocations", "show what runs for <invoke>", console.Nothing, scope("Invocations"))
	all.Add("sessions", "show the sessions of the tree", console.Nothing, f.runSessions)
	all.Add("session N", "show the data and frames of session N from now on", console.Nothing, f.runSession)
	all.Add("help, h", "this text", console.Nothing, f.runHelp)
	all.Add("quit, q", "leave; so does Ctrl+D", console.Nothing, func(string) error { f.quit = true; return nil })
	return all
}

func (f *Front) runHelp(string) error {
	f.out.Print(f.out.Help(nil,
		"A PLACE is a LINE or FILE:LINE, state:ID (enter:ID, exit:ID), event:NAME (as a chart would say it, event:tap.*), "+
			"error or error:NAME (execution, communication, limit), or unhandled (an event that enables no transition).",
		"An empty line repeats a movement. Ctrl+C pauses the session."))
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
		b.Kind = debug.OnUnhandled
	case kind == "error" && named:
		b.Kind = debug.OnError
		if b.Name = name; name == "execution" || name == "communication" {
			b.Name = "error." + name
		}
	case kind == "unhandled" && named:
		b.Kind, b.Name = debug.OnUnhandled, name
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
	ev, err := wire.ParseEvent(argument)
	if err != nil {
		return err
	}
	return f.Send(f.session, ev)
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
	return f.evaluate(func(ctx context.Context) (datamodel.Value, error) { return f.Eval(ctx, f.session, argument) })
}

// evaluate shows the value of an expression.
func (f *Front) evaluate(eval func(context.Context) (datamodel.Value, error)) error {
	ctx, done := f.interruptible()
	v, err := eval(ctx)
	done()
	if err == nil {
		f.out.Item(text.Bold, "value", text.Value(v))
	}
	return err
}

func (f *Front) runSet(argument string) error {
	location, expr, ok := strings.Cut(argument, "=")
	if !ok || strings.TrimSpace(location) == "" || strings.HasPrefix(expr, "=") {
		return errors.New("set: want ITEM = EXPR, for example: set n = n + 1")
	}
	return f.evaluate(func(ctx context.Context) (datamodel.Value, error) {
		return f.Set(ctx, f.session, strings.TrimSpace(location), strings.TrimSpace(expr))
	})
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
