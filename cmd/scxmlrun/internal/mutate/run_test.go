package mutate

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

const gate = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="closed">
  <datamodel><data id="coins" expr="0"/><data id="unused" expr="0"/></datamodel>
  <state id="closed">
    <transition event="coin" cond="coins &lt; 1"><assign location="coins" expr="coins + 1"/><assign location="unused" expr="coins"/></transition>
    <transition event="coin" target="open"><send event="light"/></transition>
  </state>
  <state id="open">
    <transition event="pass" target="closed"><assign location="coins" expr="0"/></transition>
  </state>
</scxml>`

// after returns a test that sends events to a chart and compares what it sends, and where it is.
func after(want string, events ...string) Test {
	return Test{strings.Join(events, " "), func(ctx context.Context, chart *scxml.Chart) (bool, error) {
		s, err := scxml.New(chart)
		if err != nil {
			return false, err
		}
		got := ""
		s.OnSend("*", func(ev scxml.Event) { got += ev.Name + " " })
		if err := s.Start(ctx); err != nil {
			return false, err
		}
		for _, name := range events {
			if err := s.Send(scxml.Event{Name: name}); err != nil {
				return false, err
			}
			if err := s.Advance(ctx, s.Now()); err != nil {
				return false, err
			}
		}
		return got+strings.Join(s.Configuration(), " ") == want, nil
	}}
}

// Each mutant is killed by the first test that fails, or shown to be equivalent, or told from the chart by
// a shortest way to a difference.
func TestRun(t *testing.T) {
	tests := []Test{after("closed", "coin"), after("light open", "coin", "coin")}
	r, err := Run(t.Context(), parse(t, gate), tests, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, res := range r.Results {
		line := fmt.Sprintf("%d:%d %s: %s %s", res.Pos.Line, res.Pos.Col, res.Operator, res.Outcome, res.Test)
		if res.Difference != nil {
			line += strings.ReplaceAll(res.Difference.String(), "\n", " ")
		}
		got = append(got, strings.TrimSpace(line))
	}
	want := []string{
		"1:1 retarget: killed coin",
		"4:5 drop transition: killed coin",
		"4:5 swap order: killed coin",
		"4:5 negate guard: killed coin",
		"4:50 drop action: killed coin coin",
		"4:50 swap order: equivalent",
		"4:93 drop action: equivalent",
		"5:5 drop transition: killed coin coin",
		"5:5 retarget: killed coin coin",
		"5:44 drop action: killed coin coin",
		"8:5 drop transition: missed difference: state: old: closed; new: open 1. coin 2. coin 3. pass",
		"8:5 retarget: missed difference: state: old: closed; new: open 1. coin 2. coin 3. pass",
		"8:46 drop action: missed difference: send: old: nothing; new: light 1. coin 2. coin 3. pass 4. coin",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r.Total != 13 || r.Count(Missed) != 3 || r.Count(Equivalent) != 2 || r.Rate() != 8./11 {
		t.Errorf("got %d, %d missed, %d equivalent, rate %v", r.Total, r.Count(Missed), r.Count(Equivalent), r.Rate())
	}

	// The way to the difference is the test that was missing.
	all := append(tests, after("light closed", "coin", "coin", "pass", "coin"))
	if r, err := Run(t.Context(), parse(t, gate), all, Options{}); err != nil || r.Rate() != 1 {
		t.Errorf("with one more test: %v, %v", r.Rate(), err)
	}
}

// The report is the same on any number of workers. A bound leaves out mutants evenly, and a search that
// reaches a bound does not call a mutant equivalent.
func TestRunBounds(t *testing.T) {
	var want *Report
	for _, workers := range []int{1, 2, 5} {
		done := 0
		r, err := Run(t.Context(), parse(t, gate), nil, Options{Workers: workers, Explore: explore.Options{MaxStates: 2}, Progress: func(p Progress) { done = p.Done }})
		if err != nil {
			t.Fatal(err)
		}
		if done != 13 || r.Count(Unknown) == 0 || r.Count(Equivalent) != 0 {
			t.Errorf("%d done, %d unknown, %d equivalent", done, r.Count(Unknown), r.Count(Equivalent))
		}
		if want == nil {
			want = r
		} else if fmt.Sprint(r.Results) != fmt.Sprint(want.Results) {
			t.Errorf("%d workers: %v\nwant %v", workers, r.Results, want.Results)
		}
	}
	r, err := Run(t.Context(), parse(t, gate), nil, Options{Max: 3})
	if err != nil || len(r.Results) != 3 || r.Results[0].Pos.Line != 1 || r.Results[2].Pos.Line < 5 {
		t.Errorf("3 mutants: %v, %v", r, err)
	}
}

// A context that is done ends a run with what it has found.
func TestRunEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Run(ctx, parse(t, gate), nil, Options{Workers: 1, Progress: func(p Progress) {
		if p.Done == 4 {
			cancel()
		}
	}})
	if err != nil || len(r.Results) != 4 || r.Total != 13 {
		t.Errorf("got %d of %d results, %v", len(r.Results), r.Total, err)
	}
}

// Tests that fail without a change, and those that cannot run, end a run.
func TestRunFails(t *testing.T) {
	if _, err := Run(t.Context(), parse(t, gate), []Test{after("open")}, Options{}); err == nil || err.Error() != `mutate: test "" fails on chart.scxml itself: want tests that pass` {
		t.Errorf("got %v", err)
	}
	failed := errors.New("no")
	calls := 0
	broken := Test{"broken", func(context.Context, *scxml.Chart) (bool, error) {
		if calls++; calls > 3 {
			return false, failed
		}
		return true, nil
	}}
	if _, err := Run(t.Context(), parse(t, gate), []Test{broken}, Options{Workers: 1}); !errors.Is(err, failed) || !strings.HasPrefix(err.Error(), "mutate: chart.scxml:4:5: swap order: test \"broken\": ") {
		t.Errorf("got %v", err)
	}
}

// Another search may compare the charts. What it cannot compare is unknown.
func TestRunCompare(t *testing.T) {
	chart := parse(t, gate)
	r, err := Run(t.Context(), chart, nil, Options{Compare: func(_ context.Context, old, new *scxml.Chart, opts explore.Options) (*explore.Report, error) {
		if old != chart || new == chart || opts.MaxStates != 10_000 {
			t.Errorf("it compares %p with %p, up to %d states", old, new, opts.MaxStates)
		}
		return nil, errors.New("explore: not here")
	}})
	if err != nil || r.Count(Unknown) != 13 || r.Results[0].Bound != "not here" {
		t.Errorf("%d unknown, %v", r.Count(Unknown), err)
	}
}
