package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/metrics"
)

const document = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
	<state id="on"><transition event="add"/><transition event="end" target="off"/></state>
	<final id="off"/></scxml>`

// written returns what is written, by the name of the series with its labels.
func written(t *testing.T, m *metrics.Metrics, f *fleet.Fleet) map[string]string {
	t.Helper()
	var b strings.Builder
	if err := m.Write(&b, f); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
			i := strings.LastIndexByte(line, ' ')
			all[line[:i]] = line[i+1:]
		}
	}
	return all
}

// Metrics say what has happened to a fleet.
func TestMetricsCountWhatHappens(t *testing.T) {
	people := census.New()
	m := metrics.New(people)
	chart, err := scxml.Parse("c.scxml", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{Observers: []fleet.Observer{people.Observer(), m.Observer()}}, fleet.Define("c", chart))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx := t.Context()
	for _, key := range []string{"a", "b", "c"} {
		if err := f.Create(ctx, key, fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	add := scxml.Event{Name: "add"}
	for range 2 {
		if _, err := f.Do(ctx, "a", add, fleet.ID("1")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Send(ctx, "b", add); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Do(ctx, "c", scxml.Event{Name: "end"}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Do(ctx, "nobody", add); !errors.Is(err, fleet.ErrNotFound) {
		t.Fatal(err)
	}
	if err := errors.Join(f.Create(ctx, "d", fleet.CreateOptions{}), f.Delete(ctx, "d")); err != nil {
		t.Fatal(err)
	}
	got := written(t, m, f)
	for series, want := range map[string]string{
		`scxml_sessions{chart="c",status="running"}`:            "2",
		`scxml_sessions{chart="c",status="final"}`:              "1",
		`scxml_sessions_known`:                                  "0",
		`scxml_inbox_events{chart="c"}`:                         "1",
		`scxml_events_total{source="event",result="accepted"}`:  "3",
		`scxml_events_total{source="event",result="duplicate"}`: "1",
		`scxml_events_total{source="event",result="not-found"}`: "1",
		`scxml_sessions_deleted_total`:                          "1",
		`scxml_steps_total{chart="c",kind="start",result="ok"}`: "4",
		`scxml_steps_total{chart="c",kind="event",result="ok"}`: "2",
		`scxml_step_seconds_count{chart="c"}`:                   "6",
		`scxml_step_seconds_bucket{chart="c",le="+Inf"}`:        "6",
		`scxml_commits_total{result="ok"}`:                      "8",
		`scxml_snapshot_bytes_count{chart="c"}`:                 "7",
		`scxml_sessions_stuck{reason="suspended"}`:              "0",
		`scxml_cached_sessions`:                                 "3",
		`scxml_accept_seconds_count`:                            "5",
	} {
		if got[series] != want {
			t.Errorf("%s is %q, want %s", series, got[series], want)
		}
	}
	if err := people.Scan(ctx, f); err != nil || written(t, m, f)["scxml_sessions_known"] != "1" {
		t.Errorf("after a scan: %v", err)
	}
}

// However many charts and types there are, the labels are bounded.
func TestLabelsAreBounded(t *testing.T) {
	m := metrics.New(census.New())
	o := m.Observer()
	for i := range 1000 {
		_, end := o.Begin(t.Context(), fleet.Work{Kind: "deliver", Type: fmt.Sprint(i), Chart: fmt.Sprint(i)})
		end(fleet.Ending{})
		o.Changed("k", &fleet.Glance{Info: fleet.Info{Chart: fmt.Sprint(i)}})
	}
	got := written(t, m, nil)
	if len(got) > 2000 || got[`scxml_attempts_total{kind="deliver",type="other",result="ok"}`] != "900" {
		t.Errorf("%d series; other: %s", len(got), got[`scxml_attempts_total{kind="deliver",type="other",result="ok"}`])
	}
}

// What a label has is escaped, and a value on a bound is in the bucket of the bound.
func TestTextFormat(t *testing.T) {
	m := metrics.New(census.New())
	o := m.Observer()
	o.Changed("k", &fleet.Glance{Info: fleet.Info{Chart: "a\"b\\c\nd\xff"}, Size: 1024})
	_, end := o.Begin(context.Background(), fleet.Work{Kind: "step", Chart: "c", Step: fleet.Step{Kind: "timer"}, After: 5 * time.Second})
	end(fleet.Ending{Err: errors.New("broken")})
	got := written(t, m, nil)
	for series, want := range map[string]string{
		`scxml_snapshot_bytes_bucket{chart="a\"b\\c\nd` + "\uFFFD" + `",le="256"}`:  "0",
		`scxml_snapshot_bytes_bucket{chart="a\"b\\c\nd` + "\uFFFD" + `",le="1024"}`: "1",
		`scxml_snapshot_bytes_sum{chart="a\"b\\c\nd` + "\uFFFD" + `"}`:              "1024",
		`scxml_timer_lateness_seconds_bucket{le="2.5"}`:                             "0",
		`scxml_timer_lateness_seconds_bucket{le="5"}`:                               "1",
		`scxml_steps_total{chart="c",kind="timer",result="failed"}`:                 "1",
	} {
		if got[series] != want {
			t.Errorf("%s is %q, want %s", series, got[series], want)
		}
	}
}

// Each name that is written is one of Names.
func TestNames(t *testing.T) {
	m := metrics.New(census.New())
	var b strings.Builder
	if err := m.Write(&b, nil); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok && !slices.Contains(metrics.Names(), strings.Fields(name)[0]) {
			t.Errorf("%s is not in Names", name)
		}
	}
	if len(metrics.Names()) < 20 {
		t.Error(metrics.Names())
	}
}
