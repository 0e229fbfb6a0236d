package recording

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// Warn says what makes a recording less than it could be.
func (r *Recording) Warn(w io.Writer) {
	if r.Torn {
		fmt.Fprintf(w, "scxmlrun: %s ends in the middle of a step, which is left out\n", r.Name)
	}
	if r.Digest != history.DigestVersion {
		fmt.Fprintf(w, "scxmlrun: %s was written by another version, %s: what steps do is not compared\n", r.Name, cmp.Or(r.Version, "unknown"))
	}
}

// Progress shows on the line which position a replay has come to.
func (r *Recording) Progress(line *cli.Progress, n int) {
	if line.Due() {
		line.Write(fmt.Sprintf("step %d of %d", n, r.Len()-1))
	}
}

// Title names a step by what it got from outside: 17 of 100 (+3s): pay {"n":3}.
func (r *Recording) Title(at history.Position) string {
	var all []string
	for i := range at.Records {
		switch r := at.Records[i]; r.Kind {
		case record.Arrive, record.Outcome, record.Stop, record.Timer:
			r.Seq, r.Time, r.Session = 0, 0, ""
			all = append(all, strings.TrimPrefix(r.String(), "arrive "))
		}
	}
	title := strings.Join(all, ", ")
	switch {
	case at.N == 0 && r.Marked(0):
		title = "the beginning"
	case at.N == 0:
		title = "the start"
	case title == "" && at.Session.Status() == scxml.Stopped:
		title = "stop"
	case title == "" && r.Marked(at.N):
		title = "a step that cannot be repeated"
	case title == "" && len(at.Records) == 0:
		title = "nothing happens now"
	case title == "":
		title = "events of the chart itself"
	case r.Marked(at.N):
		title += ", interrupted"
	}
	return fmt.Sprintf("%d of %d (+%v): %s", at.N, r.Len()-1, at.Session.Now().Sub(r.Start).Round(time.Millisecond), text.Shorten(title, 200))
}

// Differs writes how a replay differs from the recording, with what the step does now.
func (r *Recording) Differs(w *text.Writer, d *history.Difference, at history.Position) {
	w.Item(text.Bold, "differs", r.Title(at))
	if slices.Equal(d.Want, d.Got) {
		w.Item("", "", "it leads to "+strings.Join(d.Got, " ")+", as recorded, in another way or with other data")
	} else {
		w.Item("", "then", "in "+strings.Join(d.Want, " "))
		w.Item("", "now", "in "+strings.Join(d.Got, " "))
	}
	for i := range at.Records {
		w.Record(&at.Records[i])
	}
}

// State writes the state of the sessions of a tree.
func State(ctx context.Context, w *text.Writer, root *scxml.Session) {
	for _, s := range root.Sessions() {
		who := ""
		if s != root {
			who = "[" + s.InvokeID() + "] "
		}
		switch s.Status() {
		case scxml.Running:
			w.Item(text.Dim, "in", who+strings.Join(s.Configuration(), " "))
		case scxml.Final:
			w.Item(text.Dim, "done", who+"final state "+s.FinalState())
		case scxml.Unstarted:
			w.Item(text.Dim, "next", who+"starts")
			continue
		default:
			w.Item(text.Dim, "done", who+s.Status().String())
		}
		for _, id := range s.Chart().Data() {
			v, err := s.Eval(ctx, id)
			value := text.Value(v)
			if err != nil {
				value = err.Error()
			}
			w.Item(text.Dim, "data", who+id+" = "+text.Shorten(value, 500))
		}
	}
	for _, d := range scxml.ForTools(root).Delayed() {
		w.Item(text.Dim, "timer", fmt.Sprintf("%s in %v", d.Message.Event.Name, d.Due.Sub(root.Now()).Round(time.Millisecond)))
	}
}
