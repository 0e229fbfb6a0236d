package scxmltest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// An outside is what surrounds the session tree of a scenario.
type outside struct {
	run      *replay
	outbox   *scxml.Outbox
	sessions []string // ids that a Router reaches
	refused  []string // targets
	last     uint64   // task in the trace
}

// parseOutside reads the file outside of a scenario.
func (run *replay) parseOutside(text string) (err error) {
	o := &outside{run: run}
	handsOut := func() *scxml.Outbox {
		if o.outbox == nil {
			o.outbox = &scxml.Outbox{Check: func(_ string, m scxml.Message) error { return o.check(m) }}
		}
		return o.outbox
	}
	for i, line := range strings.Split(text, "\n") {
		switch word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); {
		case word == "":
		case word == "session" && rest != "":
			o.sessions = append(o.sessions, rest)
		case word == "processor" && rest != "":
			handsOut().Processors = append(handsOut().Processors, rest)
		case word == "service" && rest != "":
			handsOut().Services = append(handsOut().Services, rest)
		case word == "sessions" && rest == "":
			handsOut().Sessions = true
		case word == "refuse" && rest != "":
			o.refused = append(o.refused, rest)
		default:
			return fmt.Errorf("outside line %d: %q: want session ID, sessions, processor TYPE, service TYPE or refuse TARGET", i+1, line)
		}
	}
	run.outside = o
	return nil
}

// options are those of the session.
func (o *outside) options() (all scxml.Options) {
	if o.sessions != nil {
		all = append(all, scxml.WithRouter(o))
	}
	if o.outbox != nil {
		all = append(all, scxml.WithOutbox(*o.outbox))
	}
	return all
}

func (o *outside) check(m scxml.Message) error {
	if slices.Contains(o.refused, m.Target) {
		return fmt.Errorf("target %q is refused", m.Target)
	}
	return nil
}

// Join, Leave and Route make an outside a [scxml.Router].
func (o *outside) Join(*scxml.Session)  {}
func (o *outside) Leave(*scxml.Session) {}
func (o *outside) Route(m scxml.Message) error {
	if !slices.Contains(o.sessions, strings.TrimPrefix(m.Target, "#_scxml_")) {
		return fmt.Errorf("nothing has the address %q", m.Target)
	}
	fmt.Fprintf(&o.run.out, "outside routed %s to %s\n", described(m.Event), m.Target)
	return nil
}

// handedOut writes the tasks that are new.
func (o *outside) handedOut() {
	for _, t := range scxml.ForServer(o.run.session).Outbox() {
		if t.ID <= o.last {
			continue
		}
		o.last = t.ID
		fmt.Fprintf(&o.run.out, "outside task %d %v", t.ID, t.Kind)
		switch t.Kind {
		case scxml.TaskSend:
			fmt.Fprintf(&o.run.out, " %s to %q", described(t.Message.Event), t.Message.Target)
		case scxml.TaskForward:
			fmt.Fprintf(&o.run.out, " %s to %s", described(t.Message.Event), t.Service.ID)
		default:
			fmt.Fprintf(&o.run.out, " %s", t.Service.ID)
		}
		o.run.out.WriteByte('\n')
	}
}

// described returns an event with its data, as a line of events has it.
func described(ev scxml.Event) string {
	if ev.Data == nil {
		return ev.Name
	}
	return ev.Name + " " + string(datamodel.AppendJSON(nil, ev.Data))
}

// input does what a line says that concerns the outside; ok is false for others.
func (o *outside) input(word, rest string) (ok bool, err error) {
	switch word {
	case "report":
		outcome, err := parseOutcome(rest)
		if err != nil {
			return true, err
		}
		changed, err := scxml.ForServer(o.run.session).Report(outcome)
		switch {
		case err != nil:
			fmt.Fprintf(&o.run.out, "%v\n", err)
		case !changed:
			o.run.out.WriteString("outside unchanged\n")
		}
	case "restore":
		if rest != "" {
			return true, errors.New(`nothing may follow restore; write "restore" in quotes for an event of this name`)
		}
		snapshot, err := o.run.session.Snapshot()
		if err == nil {
			err = o.run.restore(snapshot)
		}
		if err != nil {
			fmt.Fprintf(&o.run.out, "%v\n", err)
		}
	default:
		return false, nil
	}
	return true, nil
}

// parseOutcome reads what follows the word report.
func parseOutcome(text string) (out scxml.Outcome, err error) {
	id, what, _ := strings.Cut(text, " ")
	if out.Task, err = strconv.ParseUint(id, 10, 64); err != nil {
		return out, fmt.Errorf("report %q: want the number of a task", text)
	}
	value := func(text string) (v datamodel.Value, err error) {
		if text == "" {
			return nil, nil
		}
		return datamodel.ParseStrictJSON([]byte(text))
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(what), " ")
	switch word {
	case "":
	case "done":
		out.Data, err = value(rest)
	case "failed", "refused":
		out.Err, out.Refused = errors.New(rest), word == "refused"
	case "event":
		n, ev, _ := strings.Cut(rest, " ")
		name, data, _ := strings.Cut(ev, " ")
		out.Event = &scxml.Event{Name: name}
		if out.Seq, err = strconv.ParseUint(n, 10, 64); err == nil {
			out.Event.Data, err = value(data)
		}
	default:
		err = fmt.Errorf("report %q: want done [JSON], failed TEXT, refused TEXT, event NUMBER NAME [JSON] or nothing", text)
	}
	return out, err
}
