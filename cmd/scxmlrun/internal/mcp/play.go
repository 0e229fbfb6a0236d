package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
	"github.com/scxmlrun/scxmlrun/scxml/why"
)

// This file has the tools that run charts.

type tryArgs struct {
	chartArg
	Event     string         `json:"event" jsonschema:"name of the event"`
	EventData any            `json:"event_data,omitempty" jsonschema:"data of the event: any JSON"`
	States    []string       `json:"states,omitempty" jsonschema:"ids of the active atomic states, one for each region; their onentry handlers do not run. Without, the chart starts"`
	Data      map[string]any `json:"data,omitempty" jsonschema:"values of data items, in place of their initial ones"`
}

func try(ctx context.Context, c *call, a tryArgs) (*answer, error) {
	if err := datamodel.CheckEventName(a.Event); err != nil {
		return nil, fmt.Errorf(`"event": %w`, err)
	}
	_, chart, err := c.chart(a.chartArg)
	if err != nil {
		return nil, err
	}
	clock := new(scxmltest.Clock)
	var trace, b strings.Builder
	opts := []scxml.Option{scxml.WithClock(clock.Now), scxml.WithSeed(1), scxml.WithSessionID("session"), scxml.WithTrace(scxmltest.NewTrace(&trace)), scxml.WithLimits(c.limits)}
	if a.States != nil {
		opts = append(opts, scxml.WithConfiguration(a.States...))
	}
	for _, id := range slices.Sorted(maps.Keys(a.Data)) {
		v, err := value(a.Data[id])
		if err != nil {
			return nil, err
		}
		if !slices.Contains(chart.Data(), id) {
			return nil, fmt.Errorf(`"data": %q is not a data item of the chart%s`, id, cli.DidYouMean(id, chart.Data()))
		}
		opts = append(opts, scxml.WithData(id, v))
	}
	s, err := scxml.New(chart, opts...)
	if err != nil {
		return nil, fmt.Errorf("cannot begin there: %s", strings.TrimPrefix(err.Error(), "scxml: WithConfiguration: "))
	}
	ev := scxml.Event{Name: a.Event}
	if a.EventData != nil {
		if ev.Data, err = value(a.EventData); err != nil {
			return nil, err
		}
	}
	if err = s.Start(ctx); err == nil {
		err = clock.Advance(ctx, s, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n\nThe chart cannot start. Its trace ends with:\n%s", err, lastLines(trace.String()))
	}
	w := &text.Writer{W: &b}
	w.Item("", "before", strings.Join(s.Configuration(), " "))
	found, err := why.Event(ctx, s, ev)
	if errors.Is(err, scxml.ErrEnded) {
		w.Item("", "ended", "the session takes no more events")
		return report(b.String()), nil
	} else if err != nil {
		return nil, err
	}
	recording.WriteAnswer(w, found, a.Event)
	trace.Reset()
	_, err = s.Do(ctx, clock.Now(), ev)
	if err == nil {
		err = clock.Advance(ctx, s, 0)
	}
	b.WriteString("\nwhat happens:\n" + trace.String() + "\n")
	if err != nil {
		return nil, fmt.Errorf("%w\n\nThe trace ends with:\n%s", err, lastLines(trace.String()))
	}
	recording.State(ctx, w, s)
	return report(b.String()), nil
}

// lastLines returns the last lines of a trace, which may be long.
func lastLines(trace string) string {
	lines := strings.Split(strings.TrimSpace(trace), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// value returns the value of JSON that was read.
func value(v any) (datamodel.Value, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return datamodel.ParseJSON(text)
}

type runArgs struct {
	chartArg
	Events       []string `json:"events,omitempty" jsonschema:"what comes, a line for each: an event with or without JSON, advance DURATION, or stop"`
	Scenario     string   `json:"scenario,omitempty" jsonschema:"text of a scenario; a chart that is given takes the place of the one that it names"`
	ScenarioFile string   `json:"scenario_file,omitempty" jsonschema:"file of a scenario"`
}

func run(ctx context.Context, c *call, a runArgs) (*answer, error) {
	scenario := &scxmltest.Scenario{Events: strings.Join(a.Events, "\n") + "\n", Check: "no limit\n"} // no trace is expected
	own := a.Scenario != "" || a.ScenarioFile != ""
	chartOf := a.chartArg
	if own {
		if a.Events != nil {
			return nil, errors.New(`a scenario has its own "events": leave out one of them`)
		}
		var err error
		if scenario, err = c.scenario(a.Scenario, a.ScenarioFile, &chartOf); err != nil {
			return nil, err
		}
	}
	_, chart, err := c.chart(chartOf)
	if err != nil {
		return nil, err
	}
	got, err := scenario.Run(ctx, chart)
	if err != nil {
		return nil, fmt.Errorf("the scenario cannot run: %w", err)
	}
	var b strings.Builder
	passed := len(got.Failures) == 0
	switch {
	case passed && own:
		b.WriteString("passed\n\n")
	case !passed:
		b.WriteString("failed:\n" + strings.Join(got.Failures, "\n") + "\n\n")
	}
	b.WriteString("trace:\n" + got.Trace + "\n")
	if got.Session != nil {
		recording.State(ctx, &text.Writer{W: &b}, got.Session)
	}
	out := report(b.String())
	out.Failed = !passed && !own // of a scenario, to fail is an answer
	return out, nil
}

// scenario reads a scenario. Its chart becomes that of the call unless one is given.
func (c *call) scenario(given, file string, chart *chartArg) (*scxmltest.Scenario, error) {
	name, source, err := c.text("scenario", given, file)
	if err != nil {
		return nil, err
	}
	s, err := scxmltest.ParseScenario(source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case *chart != (chartArg{}):
	case s.Chart == "":
		if len(s.Files["chart.scxml"]) == 0 {
			return nil, fmt.Errorf(`%s has no chart: give one as "file" or "source"`, name)
		}
		chart.Source = s.Files["chart.scxml"]
	case file == "":
		chart.File = s.Chart
	default:
		chart.File = path.Join(path.Dir(file), s.Chart)
	}
	if chart.File != "" && !fs.ValidPath(path.Clean(chart.File)) {
		return nil, fmt.Errorf(`%s names the chart %q, which is not below the folder of the server: give the chart as "file" or "source"`, name, s.Chart)
	}
	return s, nil
}

type whyArgs struct {
	File string `json:"file" jsonschema:"file of the recording, below the folder of the server"`
	What string `json:"what" jsonschema:"an event, with or without JSON data, or a data item or expression"`
	Step *int   `json:"step,omitempty" jsonschema:"number of the step; the last one without"`
}

func explainRecording(ctx context.Context, c *call, a whyArgs) (*answer, error) {
	if strings.TrimSpace(a.What) == "" {
		return nil, errors.New(`"what" is empty: want an event or a data item`)
	}
	source, err := c.read(a.File)
	if err != nil {
		return nil, err
	}
	rec, err := recording.Read(a.File, source)
	if err != nil {
		return nil, err
	}
	step := -1
	if a.Step != nil {
		if step = *a.Step; step < 0 || step >= rec.Len() {
			return nil, fmt.Errorf(`"step": %d is not a step: the recording has 0 to %d`, step, rec.Len()-1)
		}
	}
	var b strings.Builder
	rec.Warn(&b)
	if err := rec.Explain(ctx, &text.Writer{W: &b}, a.What, step); err != nil {
		return nil, err
	}
	return report(b.String()), nil
}
