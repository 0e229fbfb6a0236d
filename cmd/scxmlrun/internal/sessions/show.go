package sessions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A List is one page of sessions.
type List struct {
	Sessions []fleet.Info
	Next     string
}

// A Session is a session with all that an operator asks for.
type Session struct {
	fleet.Info
	Configuration, Enabled []string
	Data                   map[string]json.RawMessage
	Final                  string
	DoneData               json.RawMessage `json:"done_data"`
	Position               uint64
	Inbox, Outbox          int
	NextDue                time.Time `json:"next_due"`
	Failure                *fleet.Failure
	Failing                *fleet.TaskInfo // the first message that is tried again
	Broken                 string
}

// A Receipt says what has become of an event. The fields after the embedded ones are known if the sender has waited.
type Receipt struct {
	fleet.Receipt
	Handled       *bool
	Status        string
	Configuration []string
	Errors        []string // of the chart
}

// A Log is one page of the log of a session.
type Log[E any] struct {
	Entries []E
	Next    uint64
}

// An Entry of a log says what has happened to a session in one change of it.
type Entry struct {
	fleet.Entry
	Revision uint64
}

// A Report says what a migration has done, or would do.
type Report struct {
	Tried, Fit, Migrated int
	Unfit                []struct{ Key, Error string } // not all if there are many
}

// An Inbox has the events that wait.
type Inbox struct {
	Events []struct {
		Position uint64
		Time     time.Time
		Name     string
		Data     json.RawMessage
	}
}

// WriteInbox writes a table of the events that wait.
func WriteInbox(w io.Writer, inbox *Inbox) error {
	t := newTable(w)
	t.row("POSITION", "ACCEPTED", "EVENT", "DATA")
	for _, e := range inbox.Events {
		t.row(strconv.FormatUint(e.Position, 10), stamp(e.Time), e.Name, string(e.Data))
	}
	return t.flush()
}

// WriteList writes a table of sessions, with its head if that is wanted.
func WriteList(w io.Writer, all []fleet.Info, head bool) error {
	t := newTable(w)
	if head {
		t.row("KEY", "CHART", "STATUS", "ACCEPTED", "CONTINUES")
	}
	for _, s := range all {
		t.row(s.Key, version(s), s.Status, strconv.FormatUint(s.Accepted, 10), stamp(s.Wake))
	}
	return t.flush()
}

// WriteSession writes what is known about a session.
func WriteSession(w io.Writer, s *Session) error {
	t := newTable(w)
	t.row("session", s.Key)
	t.row("chart", version(s.Info))
	t.row("status", s.Status)
	if s.Final != "" {
		t.row("ended in", s.Final)
	}
	if !s.Ended.IsZero() {
		t.row("ended at", stamp(s.Ended))
	}
	if len(s.DoneData) > 0 {
		t.row("result", string(s.DoneData))
	}
	if s.Broken != "" {
		t.row("broken", s.Broken)
	}
	t.row("states", strings.Join(s.Configuration, " "))
	t.row("takes", strings.Join(s.Enabled, " "))
	t.row("events", fmt.Sprintf("%d accepted, %d processed, %d waiting", s.Accepted, s.Position, s.Inbox))
	if s.Outbox > 0 {
		t.row("outbox", fmt.Sprintf("%d messages and services without an outcome", s.Outbox))
	}
	if f := s.Failing; f != nil {
		t.row("failing", fmt.Sprintf("message to %s: attempt %d", cmp.Or(f.Target, "a processor"), f.Attempts))
		t.row("", f.Error)
		t.row("", "next attempt at "+stamp(f.Next))
	}
	t.row("next due", stamp(s.NextDue))
	for _, id := range slices.Sorted(maps.Keys(s.Data)) {
		t.row("data", id+" = "+string(s.Data[id]))
	}
	if f := s.Failure; f != nil {
		t.row("failed", fmt.Sprintf("%s: attempt %d at %s", f.What, f.Attempts, stamp(f.At)))
		t.row("", f.Message)
		if s.Status != "suspended" {
			t.row("", "next attempt at "+stamp(f.Next))
		} else {
			t.row("", "try it again: scxmlrun sessions retry "+s.Key)
			t.row("", "drop it: scxmlrun sessions skip "+s.Key)
		}
	} else if s.Status == "suspended" {
		t.row("", "it was suspended by hand; continue: scxmlrun sessions resume "+s.Key)
	}
	return t.flush()
}

// WriteReason writes why a session was suspended.
func WriteReason(w io.Writer, key, reason string) error {
	t := newTable(w)
	t.row(key, reason)
	return t.flush()
}

// WriteLog writes one line for each step, with a head if that is wanted.
func WriteLog(w io.Writer, entries []Entry, head bool) error {
	t := newTable(w)
	if head {
		t.row("REVISION", "TIME", "STEP", "STATES", "REMARKS")
	}
	for _, e := range entries {
		for i, s := range e.Steps {
			states := ""
			if i == len(e.Steps)-1 {
				states = strings.Join(e.Configuration, " ")
			}
			t.row(strconv.FormatUint(e.Revision, 10), stamp(e.Time), strings.TrimSpace(s.Kind+" "+s.Event), states, remarks(s))
		}
	}
	return t.flush()
}

// remarks are what an operator may have to know about a step.
func remarks(s fleet.Step) string {
	var all []string
	if s.Kind == "event" && !s.Handled {
		all = append(all, "no transition took it")
	}
	if len(s.Sent) > 0 {
		all = append(all, "sent "+strings.Join(s.Sent, " "))
	}
	all = append(all, s.Errors...)
	if s.Note != "" {
		all = append(all, s.Note)
	}
	return strings.Join(all, "; ")
}

// WriteReceipt writes what has become of an event.
func WriteReceipt(w io.Writer, r *Receipt) error {
	text := "accepted"
	switch {
	case r.Duplicate:
		text = "accepted before"
	case r.Handled != nil:
		text = "processed"
	}
	states := ""
	if r.Handled != nil {
		if !*r.Handled && !r.Duplicate {
			states = ", no transition took it"
		}
		switch r.Status {
		case "final":
			states += ": the session has ended"
		case "stopped":
			states += ": the session was stopped"
		default:
			states += ": now in " + cli.Visible(strings.Join(r.Configuration, " "), cli.EscapeNewlines)
		}
	}
	_, err := fmt.Fprintf(w, "%s at position %d%s\n", text, r.Position, states)
	return err
}

// Err returns what has failed in the chart, or nil.
func (r *Receipt) Err() error {
	if len(r.Errors) == 0 {
		return nil
	}
	return fmt.Errorf("the event was processed, and failed in the chart: %s", cli.Visible(strings.Join(r.Errors, "; "), cli.EscapeNewlines))
}

// WriteReport writes what a migration has done or, if it was tried, would do.
func WriteReport(w io.Writer, r *Report, try bool) error {
	t := newTable(w)
	for _, u := range r.Unfit {
		t.row(u.Key, u.Error)
	}
	if n := r.Tried - r.Fit - len(r.Unfit); n > 0 {
		t.row(fmt.Sprintf("and %d others", n))
	}
	switch {
	case try:
		t.row(fmt.Sprintf("%d of %d sessions fit", r.Fit, r.Tried))
	case len(r.Unfit) == 0:
		t.row(fmt.Sprintf("%d of %d sessions migrated", r.Migrated, r.Tried))
	}
	return t.flush()
}

// version names a chart with enough of its hash to tell versions apart.
func version(s fleet.Info) string { return s.Chart + " " + s.Hash[:min(8, len(s.Hash))] }

func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

// A table has columns as wide as their cells. The last cell of a line does not widen its column.
type table struct {
	w       io.Writer
	text    strings.Builder
	columns *tabwriter.Writer
}

func newTable(w io.Writer) *table {
	t := &table{w: w}
	t.columns = tabwriter.NewWriter(&t.text, 0, 0, 2, ' ', 0)
	return t
}

// row adds a line. Its cells come from the server, and may have anything in them.
func (t *table) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(cli.Visible(cell, cli.EscapeNewlines), "\t", " ")
	}
	fmt.Fprintln(t.columns, strings.Join(cells, "\t"))
}

// flush writes the lines.
func (t *table) flush() error {
	t.columns.Flush()
	for line := range strings.Lines(t.text.String()) {
		if _, err := fmt.Fprintln(t.w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}
