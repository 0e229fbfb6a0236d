package mcp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/findings"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/mutate"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/suite"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/conformance"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// This file has the tools that search the states of charts.

// maxSearch is what the states of a search may take, in bytes.
const maxSearch = 160 << 20

// A searchArg says what comes, and how long to search.
type searchArg struct {
	EventData  map[string]any `json:"event_data,omitempty" jsonschema:"data that events carry: {\"tap\": {\"x\": \"0..8\"}, \"coin\": [1, 2]}; a range is its integers, an array its items, an object all combinations"`
	Names      []string       `json:"names,omitempty" jsonschema:"the only events that come, besides those of event_data"`
	NoServices bool           `json:"no_services,omitempty" jsonschema:"what the chart invokes, besides charts, is an error event"`
	Assume     []string       `json:"assume,omitempty" jsonschema:"reasons, in brackets after not tried, that do not count against holds"`
	Depth      int            `json:"depth,omitempty" jsonschema:"only states that so many inputs lead to"`
	Seconds    float64        `json:"seconds,omitempty" jsonschema:"search at most so long, up to 45; 20 without"`
}

// options returns the options of a search.
func (a *searchArg) options(c *call) (opts explore.Options, err error) {
	opts = explore.Options{Names: a.Names, Assume: a.Assume, MaxDepth: a.Depth, MaxMemory: maxSearch, Workers: 1}
	for _, name := range a.Names {
		if err := datamodel.CheckEventName(name); err != nil {
			return opts, fmt.Errorf(`"names": %w`, err)
		}
	}
	for _, name := range a.Assume {
		if !slices.Contains(explore.Reasons, name) {
			return opts, fmt.Errorf(`"assume": %q is not the name of a reason%s`, name, cli.DidYouMean(name, explore.Reasons))
		}
	}
	if a.Depth < 0 {
		return opts, fmt.Errorf(`"depth": %d is not a number of inputs: want 1 or more`, a.Depth)
	}
	if a.NoServices {
		opts.Assume = append(slices.Clip(opts.Assume), "services")
	} else {
		opts.Session = []scxml.Option{scxml.WithInvoker("*", scxml.InvokerFunc(waits))}
	}
	if a.EventData != nil {
		spec, err := value(a.EventData)
		if err == nil {
			opts.Data, err = explore.ParseData(datamodel.AppendJSON(nil, spec))
		}
		if err != nil {
			return opts, fmt.Errorf(`"event_data": %w`, err)
		}
	}
	opts.Progress = func(p explore.Progress) {
		c.job.Say(fmt.Sprintf("%s, depth %d, %d to visit", text.Count(p.States, "state"), p.Depth, p.Frontier))
	}
	return opts, nil
}

// waits is a service that does not answer. A search ends with an error where it would run.
func waits(ctx context.Context, _ *scxml.Invocation) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// found returns what a search has found.
func (a *searchArg) found(r *explore.Report, opts explore.Options) *findings.Explored {
	e := &findings.Explored{Report: r, Options: opts, Words: findings.Words{
		Flag: argument,
		Again: func(flag string, values ...string) string {
			switch {
			case flag == "memory": // is not an argument
				return ""
			case flag == "depth":
				return fmt.Sprintf("%q: %s", flag, values[0])
			}
			return fmt.Sprintf("%q: %s", flag, datamodel.AppendJSON(nil, values))
		},
	}}
	for _, given := range []struct {
		flag string
		is   bool
	}{{"data", a.EventData != nil}, {"names", a.Names != nil}, {"no-services", a.NoServices}} {
		if given.is {
			e.Given = append(e.Given, argument(given.flag))
		}
	}
	return e
}

// argument returns the argument that does what a flag of the command explore does.
func argument(flag string) string {
	if flag == "data" {
		flag = "event_data"
	}
	return fmt.Sprintf("%q", strings.ReplaceAll(flag, "-", "_"))
}

// cannotSearch says what to do about an error of a search.
func cannotSearch(err error) error {
	if errors.Is(err, scxml.ErrService) {
		return fmt.Errorf("%w; %s explores the chart without services", err, argument("no-services"))
	}
	return err
}

type exploreArgs struct {
	chartArg
	searchArg
	Never         []string `json:"never,omitempty" jsonschema:"expressions of the data model that must not be true in any state, such as In('open') && In('red')"`
	Always        []string `json:"always,omitempty" jsonschema:"expressions that must be true in every state"`
	LeadsTo       []string `json:"leads_to,omitempty" jsonschema:"'A => B': after A is true, B must be at last"`
	Strong        bool     `json:"strong,omitempty" jsonschema:"for leads_to: what stays possible again and again comes at last; without, only what stays possible all the time does"`
	Property      []string `json:"property,omitempty" jsonschema:"texts of property charts, which run beside the chart and hear enter.STATE, exit.STATE, event.NAME, raise.NAME, send.NAME and stable: a top-level final state is a violation"`
	PropertyFiles []string `json:"property_files,omitempty" jsonschema:"files of property charts"`
	Reach         []string `json:"reach,omitempty" jsonschema:"states that must be reached; answers with a shortest way"`
	Errors        bool     `json:"errors,omitempty" jsonschema:"error events of the chart are violations"`
	Unused        bool     `json:"unused,omitempty" jsonschema:"list states and transitions that nothing leads to"`
	View          []string `json:"view,omitempty" jsonschema:"-LOCATION of data that make no difference between states, such as -moves; not a proof then"`
	Suggest       bool     `json:"suggest,omitempty" jsonschema:"only answer with values for event_data, on both sides of what the chart compares data with"`
}

func exploreChart(ctx context.Context, c *call, a exploreArgs) (*answer, error) {
	opts, err := a.options(c)
	if err != nil {
		return nil, err
	}
	opts.Reach, opts.Errors, opts.Unused, opts.View = a.Reach, a.Errors, a.Unused, a.View
	opts.Strong = a.Strong
	for _, expr := range a.Never {
		opts.Properties = append(opts.Properties, explore.Never(expr))
	}
	for _, expr := range a.Always {
		opts.Properties = append(opts.Properties, explore.Always(expr))
	}
	for _, rule := range a.LeadsTo {
		r, err := explore.LeadsTo(rule)
		if err != nil {
			return nil, fmt.Errorf(`"leads_to": %w`, err)
		}
		opts.LeadsTo = append(opts.LeadsTo, r)
	}
	if opts.Observers, err = c.observers(&a); err != nil {
		return nil, err
	}
	ctx, cancel, err := within(ctx, a.Seconds)
	if err != nil {
		return nil, err
	}
	defer cancel()
	d, chart, err := c.chart(a.chartArg)
	if err != nil {
		return nil, err
	}
	for _, state := range a.Reach {
		if _, ok := chart.State(state); !ok {
			var names []string
			for _, st := range chart.States() {
				names = append(names, st.Name())
			}
			return nil, fmt.Errorf(`"reach": %q is not a state of the chart%s`, state, cli.DidYouMean(state, names))
		}
	}
	if a.Suggest {
		opts.Session = nil
		data, err := suite.Suggest(ctx, chart, d.folder, opts)
		if err != nil {
			return nil, cannotSearch(err)
		}
		return report(string(datamodel.AppendJSON(nil, data))), nil
	}
	r, err := explore.Run(ctx, chart, opts)
	if err != nil {
		return nil, cannotSearch(err)
	}
	return report(a.found(r, opts).Text()), nil
}

// observers compiles property charts.
func (c *call) observers(a *exploreArgs) (charts []*scxml.Chart, err error) {
	var given []chartArg
	for i, source := range a.Property {
		given = append(given, chartArg{Source: source, name: fmt.Sprintf("property-%d.scxml", i+1)})
	}
	for _, name := range a.PropertyFiles {
		given = append(given, chartArg{File: name})
	}
	for _, in := range given {
		_, chart, err := c.chart(in)
		if err != nil {
			return nil, err
		}
		charts = append(charts, chart)
	}
	return charts, nil
}

type compareArgs struct {
	chartArg
	searchArg
	OldFile   string   `json:"old_file,omitempty" jsonschema:"file of the old chart"`
	OldSource string   `json:"old_source,omitempty" jsonschema:"text of the old chart, in place of old_file"`
	Aspects   []string `json:"aspects,omitempty" jsonschema:"what counts: send, log, error, state, end, limit; all without"`
}

func compare(ctx context.Context, c *call, a compareArgs) (*answer, error) {
	var aspects []explore.Aspect
	var known []string
	for _, aspect := range explore.Aspects {
		known = append(known, string(aspect))
	}
	for _, name := range a.Aspects {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf(`"aspects": %q cannot be compared%s`, name, cli.DidYouMean(name, known))
		}
		aspects = append(aspects, explore.Aspect(name))
	}
	opts, err := a.options(c)
	if err != nil {
		return nil, err
	}
	ctx, cancel, err := within(ctx, a.Seconds)
	if err != nil {
		return nil, err
	}
	defer cancel()
	if a.OldFile == "" && a.OldSource == "" {
		return nil, errors.New(`which chart is the old one? Give "old_source" or "old_file"`)
	}
	_, old, err := c.chart(chartArg{File: a.OldFile, Source: a.OldSource, name: "old.scxml"})
	if err != nil {
		return nil, err
	}
	_, chart, err := c.chart(a.chartArg)
	if err != nil {
		return nil, err
	}
	r, err := explore.Compare(ctx, old, chart, opts, aspects...)
	if err != nil {
		return nil, cannotSearch(err)
	}
	return report(a.found(r, opts).Text()), nil
}

type testsArgs struct {
	chartArg
	searchArg
	Cover         []string `json:"cover,omitempty" jsonschema:"states, transitions (default), pairs of transitions, guards (both outcomes)"`
	Scenarios     []string `json:"scenarios,omitempty" jsonschema:"texts of scenarios: say what these miss, and write only scenarios for that"`
	ScenarioFiles []string `json:"scenario_files,omitempty" jsonschema:"files of scenarios, as scenarios"`
}

func generateTests(ctx context.Context, c *call, a testsArgs) (*answer, error) {
	criteria := []suite.Criterion{suite.Transitions}
	if a.Cover != nil {
		criteria = nil
	}
	for _, word := range a.Cover {
		if !slices.Contains(suite.Criteria(), suite.Criterion(word)) {
			return nil, fmt.Errorf(`"cover": %q is not a criterion: want states, transitions, pairs or guards`, word)
		}
		criteria = append(criteria, suite.Criterion(word))
	}
	opts, err := a.options(c)
	if err != nil {
		return nil, err
	}
	ctx, cancel, err := within(ctx, a.Seconds)
	if err != nil {
		return nil, err
	}
	defer cancel()
	d, chart, err := c.chart(a.chartArg)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	var tests []mutate.Test
	var scenarios []*scxmltest.Scenario // for the answer
	given := a.Scenarios != nil || a.ScenarioFiles != nil
	if given {
		tests, err = c.testsOf(&a)
	} else {
		tests, scenarios, err = cover(ctx, chart, opts, criteria, &b)
	}
	if err != nil {
		return nil, cannotSearch(err)
	}
	if len(tests) > 0 {
		r, err := mutate.Run(ctx, chart, tests, mutate.Options{
			Parse: func(name string, source []byte) (*scxml.Chart, error) {
				return c.parse(&written{name, source, d.folder})
			},
			Explore: opts, Workers: 1,
			Progress: func(p mutate.Progress) {
				if p.Done%20 == 0 {
					c.job.Say(fmt.Sprintf("%d of %d changes, %d not killed", p.Done, p.Total, p.Missed))
				}
			},
		})
		if err != nil {
			return nil, cannotSearch(err)
		}
		b.WriteString("\nwhat they miss:\n" + findings.Mutated(r, len(tests)))
		missed, err := findings.Missed(ctx, r, chart)
		if err != nil {
			return nil, err
		}
		scenarios = append(scenarios, missed...)
	}
	return withScenarios(&b, d, scenarios), nil
}

// withScenarios returns an answer with the texts of scenarios, as far as there is room.
func withScenarios(b *strings.Builder, d *written, scenarios []*scxmltest.Scenario) *answer {
	stem, size := strings.TrimSuffix(path.Base(d.name), path.Ext(d.name)), 0
	var texts []part
	for i, s := range scenarios {
		s.Chart = path.Base(d.name)
		source := s.Format()
		if size += len(source); size <= maxReport {
			texts = append(texts, part{Text: fmt.Sprintf("%s-%02d.txtar, to be saved next to %s:\n%s", stem, i+1, s.Chart, visible(string(source)))})
		}
	}
	if more := len(scenarios) - len(texts); more > 0 {
		fmt.Fprintf(b, "\nthe texts of %s are left out: they are too long; \"depth\" makes fewer\n", text.Count(more, "scenario"))
	}
	out := report(b.String())
	out.Parts = append(out.Parts, texts...)
	return out
}

// cover makes scenarios of a chart, which are also tests.
func cover(ctx context.Context, chart *scxml.Chart, opts explore.Options, criteria []suite.Criterion, b *strings.Builder) (tests []mutate.Test, all []*scxmltest.Scenario, err error) {
	found, err := suite.Cover(ctx, chart, opts, "never", criteria...)
	if err != nil {
		return nil, nil, err
	}
	fmt.Fprintf(b, "%s: %d covered, %d not\n", text.Count(len(found.Scenarios), "scenario"), len(found.Covered), len(found.Missing))
	for _, goal := range found.Missing {
		b.WriteString("not covered: " + goal + "\n")
	}
	if found.Bound != "" {
		fmt.Fprintf(b, "not all states were visited: the bound of %s was reached\n", found.Bound)
	}
	for i, s := range found.Scenarios {
		if err := suite.Fill(ctx, s, chart); err != nil {
			return nil, nil, err
		}
		tests = append(tests, testOf(fmt.Sprintf("scenario %d", i+1), s))
	}
	return tests, found.Scenarios, nil
}

// testsOf returns the tests that are given.
func (c *call) testsOf(a *testsArgs) (tests []mutate.Test, err error) {
	add := func(name, given, file string) error {
		s, err := c.scenario(given, file, &a.chartArg)
		if err == nil {
			tests = append(tests, testOf(name, s))
		}
		return err
	}
	for i, given := range a.Scenarios {
		if err := add(fmt.Sprintf("scenario %d", i+1), given, ""); err != nil {
			return nil, err
		}
	}
	for _, name := range a.ScenarioFiles {
		if err := add(name, "", name); err != nil {
			return nil, err
		}
	}
	return tests, nil
}

func testOf(name string, s *scxmltest.Scenario) mutate.Test {
	t := conformance.TestOf(name, s, "")
	return mutate.Test{Name: name, Passes: func(ctx context.Context, chart *scxml.Chart) (bool, error) {
		return t.Run(ctx, chart).Passed, ctx.Err()
	}}
}
