package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	recs "github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
	"github.com/scxmlrun/scxmlrun/scxml/why"
)

const whyHelp = `Why explains a recorded session (scxmlrun run --record FILE).

For an event it says which transitions of the active states the event matches, and what
becomes of each: it is taken; its condition is false, with the values that it reads; it
gives way to another one. If no active state reacts to the event, it says which other
states would. If step N got this event, that is explained; otherwise, what the event would
do after step N. An event can have data, as in why 'tap {"x":1,"y":2}'.

For a data item, or another expression, it says which element gave it the value that it has
after step N, at which step, because of which event.

Steps are numbered as by scxmlrun replay; the last one is the default.

Exit status:
  1    a failure at run time
  2    wrong usage
  3    the recording was refused
  130  interrupted`

const whyExample = `  scxmlrun why total --record bug.rec
  scxmlrun why pay --record bug.rec --at 17
  scxmlrun why pay --record bug.rec --chart fixed.scxml`

type whyOptions struct {
	record, chart string
	at            int
}

// newWhyCommand returns the command that explains a recording.
func newWhyCommand() *cobra.Command {
	o := whyOptions{}
	cmd := &cobra.Command{
		Use:     "why NAME|EVENT --record RECORDING",
		Short:   "Explain what a recorded session did, or did not do",
		Long:    whyHelp,
		Example: whyExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || o.record == "" || strings.TrimSpace(args[0]) == "" {
				return cli.Usagef("name an event or a data item, and the recording, as in: scxmlrun why pay --record bug.rec")
			}
			if cmd.Flags().Changed("at") && o.at < 0 {
				return cli.Usagef("--at %d: steps are numbered from 0", o.at)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.record, "record", "", "the `RECORDING`")
	flags.StringVar(&o.chart, "chart", "", "explain what the chart in `FILE` does in place of the recorded one")
	flags.IntVar(&o.at, "at", -1, "explain step `N` (default: the last one)")
	flags.Lookup("at").DefValue = "0" // is not shown: -1 is refused
	return cmd
}

func (o *whyOptions) run(parent context.Context, what string) error {
	rec, err := recording.Open(o.record, o.chart)
	if err != nil {
		return err
	}
	rec.Warn(os.Stderr)
	n := rec.Len() - 1
	if o.at > n {
		return cli.Usagef("--at %d: the recording has steps 0 to %d", o.at, n)
	}
	if o.at >= 0 {
		n = o.at
	}
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	if o.at < 0 && rec.Stopped() {
		n-- // while it ran
	}
	line := cli.NewProgress()
	defer line.Clear()
	h, err := rec.Replay(ctx, rec.Config, true, func(at history.Position) error {
		if rec.Progress(line, at.N); at.N == n {
			return errUntil
		}
		return nil
	})
	w := &explainer{Writer: text.NewWriter(os.Stdout), rec: rec, h: h, n: n, line: line}
	if err == nil || errors.Is(err, errUntil) {
		if isExpression(what, rec.Config.Chart) {
			err = w.data(ctx, what)
		} else {
			err = w.event(ctx, what)
		}
	}
	if err == nil {
		err = cli.Printed(0, w.Err)
	}
	return cli.Outcome(ctx, err)
}

// isExpression reports whether a text is not an event: it begins with a data item, or its first word has
// characters that names of events do not have.
func isExpression(what string, chart *scxml.Chart) bool {
	word, _, _ := strings.Cut(what, " ")
	return strings.ContainsAny(word, "()[]<>=!&|?+*/,'\"") || slices.ContainsFunc(chart.Data(), func(id string) bool {
		rest, ok := strings.CutPrefix(word, id)
		return ok && (rest == "" || rest[0] == '.')
	})
}

// An explainer writes explanations about a step.
type explainer struct {
	*text.Writer
	rec *recording.Recording
	h   *history.History
	n   int

	line *cli.Progress // of the search
}

func (w *explainer) event(ctx context.Context, what string) error {
	w.line.Clear()
	ev, err := wire.ParseEvent(what)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	name := ev.Name
	n, title := w.n, "after "
	err = w.h.Walk(ctx, w.n, w.n, recs.All, func(at history.Position) error {
		for _, r := range at.Records {
			if r.Kind == recs.Event && r.Event.Name == name && r.InvokeID == "" && n > 0 {
				title = "before "
				if n = w.n - 1; ev.Data == nil {
					ev.Data = r.Event.Data
				}
				break
			}
		}
		title += w.rec.Title(at)
		return nil
	})
	if err != nil {
		return err
	}
	s, err := w.h.Seek(ctx, n)
	if err != nil {
		return err
	}
	var known []string
	for _, in := range s.Sessions() {
		known = append(known, text.Events(in.Chart())...)
	}
	if n == w.n && !text.Takes(known, name) {
		return cli.Usagef("there is no %s: it is neither a data item nor an event that the chart takes%s", name, cli.DidYouMean(name, append(known, s.Chart().Data()...)))
	}
	w.Item(text.Bold, "step", title)
	if s.Status() == scxml.Running {
		w.Item(text.Dim, "in", strings.Join(s.Configuration(), " "))
	}
	a, err := why.Event(ctx, s, ev)
	if errors.Is(err, scxml.ErrEnded) {
		w.Item(text.Yellow, "ended", "the session takes no more events")
		return nil
	}
	if err != nil {
		return err
	}
	for _, v := range a.Verdicts {
		w.verdict(&v)
	}
	switch {
	case a.Handled:
	case !a.Certain:
		w.Item(text.Yellow, "unknown", "whether a transition is taken for "+name+" depends on a condition")
	case len(a.Verdicts) > 0:
		w.Item(text.Yellow, "unused", "no transition is taken for "+name)
	case len(a.Elsewhere) > 0:
		w.Item(text.Yellow, "unused", "no active state of the session has a transition for "+name+"; these have one:")
		for _, t := range a.Elsewhere {
			w.Item("", "", place(t))
		}
	default:
		w.Item(text.Yellow, "unused", "no state of the chart has a transition for "+name)
	}
	return nil
}

func (w *explainer) verdict(v *why.Verdict) {
	t := v.Transition
	line := place(t)
	switch v.Verdict {
	case scxml.Preempted:
		line += "\ngives way to " + place(v.By) + ", which would leave the same states"
	case scxml.NotReached:
		line += "\nnot asked: before it comes " + place(v.By)
	case scxml.CondFalse:
		line += "\nits condition is false"
	case scxml.NotEvaluated:
		line += "\nits condition does not count, because it could change something"
	}
	if v.Err != nil {
		line += "\n" + v.Err.Error()
	}
	for _, r := range v.Reads {
		line += "\n" + readLine(r)
	}
	look := text.Dim
	if v.Verdict == scxml.Taken {
		look = text.Green
	}
	word := "no"
	switch v.Verdict {
	case scxml.Taken:
		word = "take"
	case scxml.NotEvaluated:
		word = "perhaps"
	}
	w.Item(look, word, line)
}

func readLine(r why.Read) string { return r.Name + " is " + text.Shorten(text.Value(r.Value), 200) }

// place describes a transition.
func place(t scxml.Transition) string {
	line := t.String()
	if cond := t.Cond(); cond != "" {
		line += " if " + cond
	}
	return fmt.Sprintf("%s  (%s)", line, t.Pos())
}

func (w *explainer) data(ctx context.Context, expr string) error {
	if err := w.rec.Config.Chart.CheckLook(expr); err != nil {
		return cli.Usagef("%s: %v", expr, err)
	}
	if w.line.Due() {
		w.line.Write("looking for what gave it its value")
	}
	found, err := why.Data(ctx, w.h, w.n, expr)
	w.line.Clear()
	if err != nil {
		return err
	}
	if found.Err != nil && found.Position == 0 {
		return cli.Usagef("%s has no value after any step up to %d: %v", expr, w.n, found.Err)
	}
	value := func(v datamodel.Value, err error) string {
		if err != nil {
			return "an error: " + err.Error()
		}
		return text.Shorten(text.Value(v), 500)
	}
	w.Item(text.Bold, "data", fmt.Sprintf("%s is %s after step %d", expr, value(found.Value, found.Err), w.n))
	if found.Position > 0 {
		w.Item("", "", "it was "+value(found.Was, found.WasErr))
	}
	err = w.h.Walk(ctx, found.Position, found.Position, recs.All, func(at history.Position) error {
		w.Item(text.Bold, "step", w.rec.Title(at))
		return nil
	})
	if err != nil {
		return err
	}
	if found.Event != "" {
		w.Item(text.Dim, "event", found.Event)
	}
	chart := w.rec.Config.Chart
	switch e := chart.ElementAt(found.At); {
	case e != nil:
		for p := e; p != nil; p = p.Parent {
			if slices.Contains([]string{"transition", "onentry", "onexit", "finalize"}, p.Name) {
				w.Item(text.Dim, "in", tag(p))
				break
			}
		}
		line := tag(e)
		for _, r := range found.Reads {
			line += "\n" + readLine(r)
		}
		w.Item(text.Dim, "by", line)
	case found.Position == 0 && w.rec.Marked(0):
		w.Item(text.Dim, "by", "something before the recording")
	case found.Position == 0:
		w.Item(text.Dim, "by", "the start: it is the initial value")
	case w.rec.Marked(found.Position):
		w.Item(text.Dim, "by", "something that is not known: this step cannot be repeated")
	default:
		w.Item(text.Dim, "by", "no element: the platform, an invocation, or a command did it")
	}
	return nil
}

// tag writes the start of an element, with its state.
func tag(e *scxml.Element) string {
	var b strings.Builder
	b.WriteString("<" + e.Name)
	for _, a := range e.Attrs {
		fmt.Fprintf(&b, " %s=%q", a.Name, a.Value)
	}
	b.WriteString(">")
	if text := strings.Join(strings.Fields(e.Text), " "); text != "" {
		b.WriteString(text)
	}
	line := text.Shorten(b.String(), 200)
	if p := e.Parent; p != nil && p.Attr("id") != "" {
		line += " of " + p.Attr("id")
	}
	return fmt.Sprintf("%s  (%s)", line, e.Pos)
}
