package linttest

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/metrics"
)

// write returns the metrics after work of all kinds, in a chart with a bad name.
func write(t *testing.T) string {
	t.Helper()
	people := census.New()
	m := metrics.New(people)
	chart := "a\"b\\c\nd"
	for _, o := range []fleet.Observer{people.Observer(), m.Observer()} {
		for _, w := range []fleet.Work{
			{Kind: "accept", Step: fleet.Step{Kind: "event"}}, {Kind: "load"}, {Kind: "commit"}, {Kind: "deliver", Type: "t", Again: true}, {Kind: "service"},
			{Kind: "step", Chart: chart, Step: fleet.Step{Kind: "timer"}, After: time.Second}, {Kind: "step", Step: fleet.Step{Kind: "event"}},
		} {
			for _, err := range []error{nil, errors.New("broken")} {
				if o.Begin != nil {
					_, end := o.Begin(t.Context(), w)
					end(fleet.Ending{Err: err})
				}
			}
		}
		o.Changed("k", &fleet.Glance{Info: fleet.Info{Key: "k", Chart: chart, Status: "running", Revision: 1}, Inbox: 2, Oldest: time.Now(), Size: 5})
		o.Changed("deleted", nil)
	}
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := m.Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The parser of Prometheus reads what is written, and finds each family.
func TestPrometheusReadsMetrics(t *testing.T) {
	format := expfmt.NewFormat(expfmt.TypeTextPlain)
	if string(format) == "" || !strings.HasPrefix(metrics.ContentType, "text/plain; version="+expfmt.TextVersion) {
		t.Errorf("content type %q", metrics.ContentType)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(write(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range metrics.Names() {
		if families[name] == nil {
			t.Errorf("%s was not written", name)
		}
	}
	found := false
	for _, l := range families["scxml_sessions"].GetMetric()[0].GetLabel() {
		found = found || l.GetValue() == "a\"b\\c\nd"
	}
	if !found {
		t.Errorf("the name of the chart is not read back: %v", families["scxml_sessions"])
	}
}

// The linter of Prometheus has nothing to say.
func TestPrometheusFindsNothingWrong(t *testing.T) {
	problems, err := promlint.New(io.Reader(strings.NewReader(write(t)))).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}
