package recording

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
	"github.com/scxmlrun/scxmlrun/scxml/why"
)

// errThere ends a replay at the step that is explained.
var errThere = errors.New("the replay is there")

// Explain writes what an event does, or would do, in step n of the recorded session, or what gave a data item
// or another expression the value that it has then. With n < 0 it is the last step while the session ran.
func (r *Recording) Explain(ctx context.Context, out *text.Writer, what string, n int) error {
	if n < 0 {
		if n = r.Len() - 1; r.Stopped() {
			n--
		}
	}
	line := cli.NewProgress()
	defer line.Clear()
	h, err := r.Replay(ctx, r.Config, true, func(at history.Position) error {
		if r.Progress(line, at.N); at.N == n {
			return errThere
		}
		return nil
	})
	if err != nil && !errors.Is(err, errThere) {
		return err
	}
	w := &explainer{Writer: out, rec: r, h: h, n: n, line: line}
	if isExpression(what, r.Config.Chart) {
		return w.data(ctx, what)
	}
	return w.event(ctx, what)
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
	rec *Recording
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
	err = w.h.Walk(ctx, w.n, w.n, record.All, func(at history.Position) error {
		for _, r := range at.Records {
			if r.Kind == record.Event && r.Event.Name == name && r.InvokeID == "" && n > 0 {
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
	WriteAnswer(w.Writer, a, name)
	return nil
}

// WriteAnswer writes what an event of this name would do.
func WriteAnswer(w *text.Writer, a *why.Answer, name string) {
	for _, v := range a.Verdicts {
		writeVerdict(w, &v)
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
}

func writeVerdict(w *text.Writer, v *why.Verdict) {
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
	err = w.h.Walk(ctx, found.Position, found.Position, record.All, func(at history.Position) error {
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
