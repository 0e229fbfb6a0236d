package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A lineCommand is a word of the line front end that is not the name of an event.
type lineCommand struct {
	names     []string
	arguments string
	help      string
	// run does what was asked for. It reports whether the session has work
	// now, after which its state is shown.
	run func(f *lineFront, argument string) (work bool, err error)
}

// lineCommands are the commands in the order of the help text.
func lineCommands() []lineCommand {
	return []lineCommand{
		{[]string{"help", "?"}, "", "this text", (*lineFront).runHelp},
		{[]string{"send"}, "EVENT [JSON]", "send an event, also one that is named like a command", (*lineFront).runSend},
		{[]string{"data"}, "[ID]", "show the data items, or one of them in full", (*lineFront).runData},
		{[]string{"eval"}, "EXPR", "evaluate an expression, and show what it changes", (*lineFront).runEval},
		{[]string{"in"}, "STATE", "is the state active?", (*lineFront).runIn},
		{[]string{"advance"}, "TIME", "let time pass: 500ms, 1.5s, 2m (with --clock virtual)", (*lineFront).runAdvance},
		{[]string{"trace"}, "on|off", "show every step, or not", (*lineFront).runTrace},
		{[]string{"quit", "q"}, "", "stop the chart and leave; so does Ctrl+D", (*lineFront).runQuit},
	}
}

// commandWords returns the long names of the commands.
func commandWords() (words []string) {
	for _, c := range lineCommands() {
		words = append(words, c.names[0])
	}
	return words
}

// sent is the answer to a line that has sent something.
type sent struct{}

// line acts on what was typed.
func (f *lineFront) line(d *driver, in inputLine) (answer any, ok bool) {
	text := strings.TrimSpace(strings.ToValidUTF8(string(in.text), "\uFFFD"))
	if !f.terminal {
		f.out.print(prompt + cli.Visible(shorten(text, 500), cli.EscapeNewlines) + "\n")
	}
	f.prompted = false
	work, err := false, error(nil)
	switch {
	case in.tooLong:
		err = fmt.Errorf("the line is longer than %d bytes", maxLine)
	case text == "":
		return shownAgain{}, true
	default:
		work, err = f.act(text)
	}
	if err != nil {
		f.item(red, "input", err.Error())
	}
	if err != nil || !work {
		f.prompt()
		return nil, false
	}
	return sent{}, true
}

// act runs a command, or else sends an event.
func (f *lineFront) act(text string) (work bool, err error) {
	word, argument, _ := strings.Cut(text, " ")
	argument = strings.TrimSpace(argument)
	for _, c := range lineCommands() {
		if !slices.Contains(c.names, word) {
			continue
		}
		if c.arguments == "" && argument != "" {
			return false, fmt.Errorf("%s takes no argument; to send an event of that name: send %s", word, text)
		}
		if slices.Contains(f.driver.session.Enabled(), word) && !f.noted[word] {
			f.noted[word] = true
			f.item(dim, "note", fmt.Sprintf("there is an event %q too; to send it: send %s", word, word))
		}
		return c.run(f, argument)
	}
	return true, f.send(word, argument)
}

func (f *lineFront) runHelp(string) (bool, error) {
	width := f.width()
	if width == 0 || width > 80 {
		width = 80
	}
	var b strings.Builder
	paragraph := func(text string) { b.WriteString(fill(text, width, "") + "\n") }
	paragraph("Type the name of an event, and its data as JSON if it has any:")
	b.WriteString("  tap {\"x\":0,\"y\":2}\n")
	paragraph("An empty line shows the whole state again. + marks states that were entered, " +
		"- those that were left, and * those that were left and entered again. Commands:")
	for _, c := range lineCommands() {
		usage := "  " + strings.TrimSpace(strings.Join(c.names, ", ")+" "+c.arguments)
		if width >= 60 {
			const column = 23 // where the explanations stand
			fmt.Fprintf(&b, "%-*s%s\n", column, usage, fill(c.help, width-column, strings.Repeat(" ", column)))
		} else {
			b.WriteString(usage + "\n      " + fill(c.help, width-6, "      ") + "\n")
		}
	}
	if f.console != nil {
		paragraph("Tab completes events, commands, states and data; the arrow keys bring back what was typed before.")
	}
	f.out.print(b.String())
	return false, nil
}

func (f *lineFront) runQuit(string) (bool, error) {
	f.driver.session.Stop()
	return true, nil
}

func (f *lineFront) runTrace(argument string) (bool, error) {
	switch argument {
	case "on", "off":
		f.steps = argument == "on"
	case "":
		state := map[bool]string{true: "on", false: "off"}[f.steps]
		f.item(dim, "trace", state)
	default:
		return false, errors.New("trace: write on or off")
	}
	return false, nil
}

func (f *lineFront) runAdvance(text string) (bool, error) {
	if !f.driver.virtual {
		return false, errors.New("the real clock cannot be advanced; start with --clock virtual")
	}
	by, err := parseTime(text)
	if err != nil {
		return false, fmt.Errorf("advance: %w", err)
	}
	if f.driver.elapsed()+by < 0 {
		return false, errors.New("advance: this goes beyond what the clock can show, which is 292 years")
	}
	f.driver.advance(by)
	return true, nil
}

func (f *lineFront) runSend(argument string) (bool, error) {
	if argument == "" {
		return false, errors.New("send: which event?")
	}
	name, text, _ := strings.Cut(argument, " ")
	return true, f.send(name, strings.TrimSpace(text))
}

// send sends an event, and says so if nothing reacts to it now.
func (f *lineFront) send(name, text string) error {
	if err := datamodel.CheckEventName(name); err != nil {
		return err
	}
	ev := scxml.Event{Name: name}
	if text != "" {
		v, err := datamodel.ParseJSON([]byte(text))
		if err != nil {
			return fmt.Errorf("the data of %s: %w", name, jsonProblem(err))
		}
		ev.Data = v
	}
	session := f.driver.session
	if enabled := session.Enabled(); !slices.ContainsFunc(enabled, func(e string) bool { return matches(e, name) }) {
		hint := ""
		if near := cli.Nearest(name, append(commandWords(), enabled...)); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		f.item(dim, "note", fmt.Sprintf("nothing takes %q now%s", name, hint))
	}
	return session.Send(ev)
}

// matches reports whether an event descriptor matches the name of an event (REC 3.12.1).
func matches(descriptor, name string) bool {
	if descriptor == "*" {
		return true
	}
	descriptor = strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".")
	rest, ok := strings.CutPrefix(name, descriptor)
	return ok && (rest == "" || rest[0] == '.')
}

func (f *lineFront) runIn(state string) (bool, error) {
	if state == "" {
		return false, errors.New("in: which state?")
	}
	known := false
	for _, s := range f.driver.session.Sessions() {
		if _, ok := s.Chart().State(state); !ok {
			continue
		}
		known = true
		if s.In(state) {
			f.item(green, "yes", who(s)+state+" is active")
		} else {
			f.item(yellow, "no", who(s)+state+" is not active")
		}
	}
	if !known {
		return false, fmt.Errorf("there is no state %q%s", state, cli.DidYouMean(state, stateIDs(f.driver.chart)))
	}
	return false, nil
}

// A dataItem is a data item and its value, or why it has none.
type dataItem struct {
	session *scxml.Session
	id      string
	value   datamodel.Value
	err     error
}

func (i dataItem) String() string {
	if i.err != nil {
		return "(no value: " + i.err.Error() + ")"
	}
	return datamodel.Text(i.value)
}

// dataItems returns the top-level data items of all sessions.
func (f *lineFront) dataItems() (all []dataItem) {
	for _, s := range f.driver.session.Sessions() {
		for _, id := range s.Chart().Data() {
			value, err := s.Eval(f.driver.ctx, id)
			all = append(all, dataItem{s, id, value, err})
		}
	}
	return all
}

func (f *lineFront) runData(id string) (bool, error) {
	all := f.dataItems()
	if len(all) == 0 {
		f.item(dim, "data", "there is none")
		return false, nil
	}
	width := 500
	if f.width() > 0 {
		width = max(20, f.width()-margin)
	}
	var ids []string
	found := false
	for _, item := range all {
		ids = append(ids, item.id)
		text := who(item.session) + item.id + " = " + item.String()
		switch id {
		case "":
			if n := len([]rune(text)); n > width {
				text = string([]rune(text)[:width-1]) + "…"
			}
		case item.id:
			found = true
		default:
			continue
		}
		f.item(dim, "data", text)
	}
	if id != "" && !found {
		return false, fmt.Errorf("there is no data item %q%s; to see the value of an expression: eval %s", id, cli.DidYouMean(id, ids), id)
	}
	return false, nil
}

func (f *lineFront) runEval(expr string) (bool, error) {
	if expr == "" {
		return false, errors.New("eval: which expression?")
	}
	before := f.dataItems()
	value, err := f.driver.session.Eval(f.driver.ctx, expr)
	if err == nil {
		f.item(bold, "value", datamodel.Text(value))
	}
	for i, now := range f.dataItems() {
		if was := before[i]; (was.err == nil) != (now.err == nil) || !datamodel.Equal(was.value, now.value) {
			f.item(yellow, "changed", fmt.Sprintf("%s%s: %s → %s", who(now.session), now.id, shorten(was.String(), 200), shorten(now.String(), 200)))
		}
	}
	return false, err
}
