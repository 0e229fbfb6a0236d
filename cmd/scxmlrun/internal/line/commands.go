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
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A command is a word with a meaning of its own, unlike the names of events.
type command struct {
	names     []string
	arguments string
	help      string
	// run carries out the command. It may return a command for the session, whose
	// effects are shown next.
	run func(f *Front, argument string) (wire.Command, error)
}

// commands returns the commands in the order of the help text.
func commands() []command {
	return []command{
		{[]string{"help", "?"}, "", "this text", (*Front).runHelp},
		{[]string{"send"}, "EVENT [JSON]", "send an event, even one named like a command", (*Front).runSend},
		{[]string{"why"}, "EVENT [JSON]", "what would the event do, and why?", (*Front).runWhy},
		{[]string{"data"}, "[ID]", "show the data in short, or one item whole", (*Front).runData},
		{[]string{"eval"}, "EXPR", "evaluate an expression, and show what it changes", (*Front).runEval},
		{[]string{"in"}, "STATE", "is the state active?", (*Front).runIn},
		{[]string{"advance"}, "TIME", "advance the clock: 500ms, 1.5s, 2m (with --clock virtual)", (*Front).runAdvance},
		{[]string{"trace"}, "on|off", "show every step, or stop that", (*Front).runTrace},
		{[]string{"quit", "q"}, "", "stop the chart and leave; so does Ctrl+D", (*Front).runQuit},
	}
}

// commandWords returns the long names of the commands.
func commandWords() (words []string) {
	for _, c := range commands() {
		words = append(words, c.names[0])
	}
	return words
}

// line carries out a typed line. Its error says why the input ended.
func (f *Front) line(in wire.Line) error {
	if in.Err != nil {
		return in.Err
	}
	typed := strings.TrimSpace(strings.ToValidUTF8(string(in.Text), "\uFFFD"))
	if !f.terminal {
		f.out.Print(console.Prompt + cli.Visible(text.Shorten(typed, 500), cli.EscapeNewlines) + "\n")
	}
	f.prompted, f.said = false, false
	cmd, err := wire.Command{}, error(nil)
	switch {
	case in.TooLong:
		err = fmt.Errorf("the line is longer than %d bytes", wire.MaxLine)
	case typed == "":
		f.asked = true
	default:
		cmd, err = f.act(typed)
	}
	wait := err == nil && (cmd.Verb != wire.None || f.asked) // for the answer
	if wait {
		cmd.Line = in.Number
		_, err = f.Session.Do(cmd)
	}
	if err != nil {
		f.showData(f.Session.Look(), false) // an expression may have changed it before it failed
		f.item(text.Red, "input", err.Error())
	}
	if err != nil || !wait {
		f.prompt()
	}
	return nil
}

// act carries out a command, or sends an event if the line is not a command.
func (f *Front) act(typed string) (none wire.Command, err error) {
	word, argument, _ := strings.Cut(typed, " ")
	argument = strings.TrimSpace(argument)
	for _, c := range commands() {
		if !slices.Contains(c.names, word) {
			continue
		}
		if c.arguments == "" && argument != "" {
			return none, fmt.Errorf("%s takes no argument; to send an event of that name, write: send %s", word, typed)
		}
		if slices.Contains(f.enabled(), word) && !f.noted[word] {
			f.noted[word] = true
			f.item(text.Dim, "note", fmt.Sprintf("%q is also an event; to send it, write: send %s", word, word))
		}
		return c.run(f, argument)
	}
	return f.send(word, argument)
}

// enabled returns the events that the session of FILE takes now.
func (f *Front) enabled() []string {
	for _, v := range f.Session.Look() {
		return v.Takes // of the root
	}
	return nil
}

func (f *Front) runHelp(string) (none wire.Command, err error) {
	width := f.width()
	if width == 0 || width > 80 {
		width = 80
	}
	var b strings.Builder
	paragraph := func(words string) { b.WriteString(text.Fill(words, width, "") + "\n") }
	paragraph("Type the name of an event, and its data as JSON if it has any:")
	b.WriteString("  tap {\"x\":0,\"y\":2}\n")
	paragraph("After each event you see what it has changed, or why nothing took it. An empty line shows " +
		"everything again: states, events that they take, data and timers. In a tree of states + marks those " +
		"that were entered, - those that were left, and * those that were left and entered again. Commands:")
	for _, c := range commands() {
		usage := "  " + strings.TrimSpace(strings.Join(c.names, ", ")+" "+c.arguments)
		if width >= 60 {
			const column = 23 // of the explanations
			fmt.Fprintf(&b, "%-*s%s\n", column, usage, text.Fill(c.help, width-column, strings.Repeat(" ", column)))
		} else {
			b.WriteString(usage + "\n      " + text.Fill(c.help, width-6, "      ") + "\n")
		}
	}
	if f.Console != nil {
		paragraph("Tab completes events, commands, states and data; the up and down arrows recall earlier lines.")
	}
	f.out.Print(b.String())
	return none, nil
}

func (f *Front) runQuit(string) (wire.Command, error) { return wire.Command{Verb: wire.Stop}, nil }

func (f *Front) runTrace(argument string) (none wire.Command, err error) {
	switch argument {
	case "on", "off":
		f.Trace = argument == "on"
	case "":
		f.item(text.Dim, "trace", map[bool]string{true: "on", false: "off"}[f.Trace])
	default:
		err = errors.New("trace: want on or off")
	}
	return none, err
}

func (f *Front) runAdvance(argument string) (cmd wire.Command, err error) {
	if !f.Virtual {
		return cmd, fmt.Errorf("%w; start with --clock virtual", drive.ErrRealClock)
	}
	cmd.Verb = wire.Advance
	if cmd.Advance, err = wire.ParseTime(argument); err != nil {
		err = fmt.Errorf("advance: %w", err)
	}
	return cmd, err
}

func (f *Front) runSend(argument string) (none wire.Command, err error) {
	if argument == "" {
		return none, errors.New("send: which event?")
	}
	name, data, _ := strings.Cut(argument, " ")
	return f.send(name, strings.TrimSpace(data))
}

func (f *Front) runWhy(argument string) (none wire.Command, err error) {
	if argument == "" {
		return none, errors.New("why: which event?")
	}
	name, data, _ := strings.Cut(argument, " ")
	cmd, err := f.send(name, strings.TrimSpace(data))
	if err != nil {
		return none, err
	}
	cmd.Verb = wire.Why
	v, err := f.Session.Do(cmd)
	if err != nil {
		return none, err
	}
	return none, f.showTrial(name, v)
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
	if !shown {
		f.item(text.Yellow, "ignored", event+": no transition for it in "+text.Shorten(strings.Join(f.rest.Atomic, ", "), 200))
	}
	return nil
}

// send sends an event.
func (f *Front) send(name, data string) (none wire.Command, err error) {
	if err := datamodel.CheckEventName(name); err != nil {
		return none, err
	}
	ev := scxml.Event{Name: name}
	if data != "" {
		if ev.Data, err = datamodel.ParseJSON([]byte(data)); err != nil {
			return none, fmt.Errorf("the data of %s: %w", name, wire.JSONProblem(err))
		}
	}
	return wire.Command{Verb: wire.Event, Event: ev}, nil
}

func (f *Front) runIn(state string) (none wire.Command, err error) {
	if state == "" {
		return none, errors.New("in: which state?")
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
		err = fmt.Errorf("unknown state %q%s", state, cli.DidYouMean(state, f.States))
	}
	return none, err
}

// who names the session that a line is about; it is empty for the session of FILE.
func who(v drive.View) string {
	return text.Who(&record.Record{InvokeID: v.InvokeID})
}

func (f *Front) runData(id string) (none wire.Command, err error) {
	items := f.dataItems(f.Session.Look(), math.MaxInt)
	if len(items) == 0 {
		f.item(text.Dim, "data", "none")
		return none, nil
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
		err = fmt.Errorf("unknown data item %q%s; to see the value of an expression, write: eval %s", id, cli.DidYouMean(id, ids), id)
	}
	return none, err
}

func (f *Front) runEval(expr string) (cmd wire.Command, err error) {
	if expr == "" {
		return cmd, errors.New("eval: which expression?")
	}
	return wire.Command{Verb: wire.Get, Text: expr}, nil // atRest shows what it changes
}
