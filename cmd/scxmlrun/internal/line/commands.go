package line

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/console"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

func (f *Front) commands() (all console.Commands) {
	all.Add("help, ?", "this text", console.Nothing, f.runHelp)
	all.Add("send EVENT [JSON]", "send an event, even one named like a command", console.Events, f.runSend)
	all.Add("why EVENT [JSON]", "what would the event do, and why?", console.Events, f.runWhy)
	all.Add("data [ID]", "show the data in short, or one item whole", console.Data, f.runData)
	all.Add("eval EXPR", "evaluate an expression, and show what it changes", console.Expression, f.runEval)
	all.Add("in STATE", "is the state active?", console.States, f.runIn)
	all.Add("advance TIME", "advance the clock: 500ms, 1.5s, 2m (with --clock virtual)", console.Nothing, f.runAdvance)
	all.Add("trace on|off", "show every step, or stop that", console.Choices, f.runTrace)
	all.Add("quit, q", "stop the chart and leave; so does Ctrl+D", console.Nothing, f.runQuit)
	return all
}

// line carries out a typed line. Its error says why the input ended.
func (f *Front) line(in wire.Line) error {
	if in.Err != nil {
		return in.Err
	}
	typed, err := f.Read(in)
	f.number, f.waits, f.said = in.Number, false, false
	switch {
	case err != nil:
	case typed == "":
		f.asked = true
		err = f.do(wire.Command{})
	default:
		err = f.act(typed)
	}
	if err != nil {
		f.showData(f.Session.Look(), false) // an expression may have changed it before it failed
		f.item(text.Red, "input", err.Error())
	}
	if err != nil || !f.waits {
		f.Ask()
	}
	return nil
}

// do gives the session a command, whose effects are shown next.
func (f *Front) do(cmd wire.Command) error {
	f.waits, cmd.Line = true, f.number
	_, err := f.Session.Do(cmd)
	return err
}

// act carries out a command, or sends an event if the line is not a command.
func (f *Front) act(typed string) error {
	word, argument, _ := strings.Cut(typed, " ")
	argument = strings.TrimSpace(argument)
	c := f.Commands.Find(word)
	if c == nil {
		return f.runSend(typed)
	}
	if !c.TakesArgument() && argument != "" {
		return fmt.Errorf("%s takes no argument; to send an event of that name, write: send %s", word, typed)
	}
	if slices.Contains(f.enabled(), word) && !f.noted[word] {
		f.noted[word] = true
		f.item(text.Dim, "note", fmt.Sprintf("%q is also an event; to send it, write: send %s", word, word))
	}
	return c.Run(argument)
}

// enabled returns the events that the session of FILE takes now.
func (f *Front) enabled() []string {
	for _, v := range f.Session.Look() {
		return v.Takes // of the root
	}
	return nil
}

func (f *Front) runHelp(string) error {
	after := []string{}
	if f.Edits() {
		after = append(after, "Tab completes events, commands, states and data; the up and down arrows recall earlier lines.")
	}
	f.Print(f.Help([]string{
		`Type the name of an event, and its data as JSON if it has any: tap {"x":0,"y":2}`,
		"After each event you see what it has changed, or why nothing took it. An empty line shows " +
			"everything again: states, events that they take, data and timers. In a tree of states + marks those " +
			"that were entered, - those that were left, and * those that were left and entered again. Commands:",
	}, after...))
	return nil
}

func (f *Front) runQuit(string) error { return f.do(wire.Command{Verb: wire.Stop}) }

func (f *Front) runTrace(argument string) error {
	switch argument {
	case "on", "off":
		f.Trace = argument == "on"
	case "":
		f.item(text.Dim, "trace", map[bool]string{true: "on", false: "off"}[f.Trace])
	default:
		return errors.New("trace: want on or off")
	}
	return nil
}

func (f *Front) runAdvance(argument string) error {
	if !f.Virtual {
		return fmt.Errorf("%w; start with --clock virtual", drive.ErrRealClock)
	}
	by, err := wire.ParseTime(argument)
	if err != nil {
		return fmt.Errorf("advance: %w", err)
	}
	return f.do(wire.Command{Verb: wire.Advance, Advance: by})
}

func (f *Front) runSend(argument string) error {
	if argument == "" {
		return errors.New("send: which event?")
	}
	ev, err := wire.ParseEvent(argument)
	if err != nil {
		return err
	}
	return f.do(wire.Command{Verb: wire.Event, Event: ev})
}

func (f *Front) runWhy(argument string) error {
	if argument == "" {
		return errors.New("why: which event?")
	}
	ev, err := wire.ParseEvent(argument)
	if err != nil {
		return err
	}
	v, err := f.Session.Do(wire.Command{Verb: wire.Why, Event: ev})
	if err != nil {
		return err
	}
	return f.showTrial(ev.Name, v)
}

// A candidate is a transition in the answer to why.
type candidate struct {
	Session, Verdict, Source, Cond, At, Message string
	Events, Targets                             []string
}

// verdicts are the verdicts that are shown: their colour, their word, and what they mean unless the
// transition says so itself.
var verdicts = map[string]struct{ look, word, because string }{
	"taken":         {text.Green, "taken", ""},
	"cond-false":    {text.Yellow, "false", ""},
	"cond-failed":   {text.Red, "failed", ""},
	"preempted":     {text.Yellow, "preempt", ", but a transition that is taken conflicts with it"},
	"not-reached":   {text.Dim, "skipped", ", but an earlier transition is taken"},
	"not-evaluated": {text.Yellow, "unknown", ""},
}

// showTrial shows what an event would do, in one line for each transition that it matches.
func (f *Front) showTrial(event string, v datamodel.Value) error {
	var trial struct {
		Handled, Certain bool
		Candidates       []candidate
	}
	if err := datamodel.Decode(v, &trial); err != nil {
		return err
	}
	invoked := make(map[string]string)
	for _, v := range f.Session.Look() {
		invoked[v.Session] = who(v)
	}
	shown := false
	for _, c := range trial.Candidates {
		verdict, ok := verdicts[c.Verdict]
		if !ok { // it does not match
			continue
		}
		shown = true
		line := invoked[c.Session] + c.Source
		if len(c.Targets) > 0 {
			line += " → " + strings.Join(c.Targets, " ")
		}
		if c.Cond != "" {
			line += " if " + text.Shorten(strings.Join(strings.Fields(c.Cond), " "), small)
		}
		line += verdict.because
		if c.Message != "" {
			line += ": " + c.Message
		}
		f.item(verdict.look, verdict.word, fmt.Sprintf("%s  (%s)", line, c.At))
	}
	if !shown && len(f.Events) > 0 && !text.Takes(f.Events, event) && len(invoked) == 1 {
		return fmt.Errorf("there is no %s: the chart has no transition for an event of this name%s", event, cli.DidYouMean(event, f.Events))
	}
	if !shown {
		f.item(text.Yellow, "ignored", event+": no transition for it in "+text.Shorten(strings.Join(f.rest.Atomic, ", "), 200))
	}
	return nil
}

func (f *Front) runIn(state string) error {
	if state == "" {
		return errors.New("in: which state?")
	}
	known := false
	for _, v := range f.Session.Look() {
		if !slices.Contains(v.States, state) {
			continue
		}
		known = true
		if slices.ContainsFunc(v.Active, func(s drive.State) bool { return s.Name == state }) {
			f.item(text.Green, "yes", who(v)+state+" is active")
		} else {
			f.item(text.Yellow, "no", who(v)+state+" is not active")
		}
	}
	if !known {
		return fmt.Errorf("unknown state %q%s", state, cli.DidYouMean(state, f.States))
	}
	return nil
}

// who names the session that a line is about; it is empty for the session of FILE.
func who(v drive.View) string {
	return text.Who(&record.Record{InvokeID: v.InvokeID})
}

func (f *Front) runData(id string) error {
	items := f.dataItems(f.Session.Look(), math.MaxInt)
	if len(items) == 0 {
		f.item(text.Dim, "data", "none")
		return nil
	}
	var ids []string
	found := false
	for _, item := range items {
		ids = append(ids, item.id)
		switch id {
		case "":
			f.item(text.Dim, "data", item.line(f.room()))
		case item.id:
			found = true
			f.item(text.Dim, "data", item.line(math.MaxInt))
		}
	}
	if id != "" && !found {
		return fmt.Errorf("unknown data item %q%s; to see the value of an expression, write: eval %s", id, cli.DidYouMean(id, ids), id)
	}
	return nil
}

func (f *Front) runEval(expr string) error {
	if expr == "" {
		return errors.New("eval: which expression?")
	}
	return f.do(wire.Command{Verb: wire.Get, Text: expr}) // atRest shows what it changes
}
