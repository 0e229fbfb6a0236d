package scxml_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// TestPlansOfRandomCharts: sessions that follow plans, and share them, do what one does that works out each
// microstep. Those of TestRandomCharts are watched, which plans mind.
func TestPlansOfRandomCharts(t *testing.T) {
	const charts, sessions = 500, 3
	planned := 0
	for n := range int64(charts) {
		trial := randomTrialOf(7, n, 30)
		text := trial.Chart.String()
		document, problems := doc.Parse("chart.scxml", []byte(text), doc.Options{Loader: trial.FS()})
		if slices.ContainsFunc(problems, func(p doc.Diagnostic) bool { return p.Severity == doc.Error }) {
			continue
		}
		opts := []scxml.Option{scxml.WithMissing(), scxml.WithSeed(1), scxml.WithSessionID("root"), scxml.WithClock(new(scxmltest.Clock).Now), scxml.WithLimits(limits)}
		if !ends(t, scxml.CompileDocument(document, trial.FS()), trial, opts) {
			continue
		}
		run := func(chart *scxml.Chart) (log []string, planned int) {
			s, err := scxml.New(chart, opts...)
			if err != nil {
				return []string{err.Error()}, 0
			}
			s.PlanAtOnce()
			note := func(effect scxml.Effect, err error) {
				log = append(log, fmt.Sprint(told(effect), err, s.Configuration(), s.Status(), s.DoneData()))
				for id, states := range s.Remembered() {
					log = append(log, id+" "+strings.Join(states, " "))
				}
			}
			note(scxml.Effect{}, s.Start(t.Context()))
			for now, i := scxmltest.Epoch, 0; i < len(trial.Stimuli) && s.Status() == scxml.Running; i++ {
				one := trial.Stimuli[i]
				now = now.Add(one.Wait)
				note(s.Do(t.Context(), now, scxml.Event{Name: one.Event, Data: one.Data}))
				if s.Planned() {
					planned++
				}
			}
			return log, planned
		}
		plain := scxml.CompileDocument(document, trial.FS())
		plain.NeverPlan()
		want, none := run(plain)
		if none > 0 {
			t.Fatal("a session that never plans follows plans")
		}
		chart := scxml.CompileDocument(document, trial.FS())
		var all sync.WaitGroup
		logs, counts := make([][]string, sessions), make([]int, sessions)
		for i := range sessions {
			all.Go(func() { logs[i], counts[i] = run(chart) })
		}
		all.Wait()
		for i, log := range logs {
			for at := range want {
				if at >= len(log) || log[at] != want[at] {
					t.Fatalf("chart %d, session %d, step %d: got\n%.2000q\nwant\n%s\n%s", n, i, at, log[min(at, len(log)):], want[at], text)
				}
			}
			planned += counts[i]
		}
	}
	if planned < charts*sessions {
		t.Errorf("%d events ended with a plan: too few", planned)
	}
}

// ends reports whether a chart comes to rest after each stimulus.
func ends(t *testing.T, chart *scxml.Chart, trial *randomchart.Trial, opts []scxml.Option) bool {
	s, err := scxml.New(chart, opts...)
	if err != nil || s.Start(t.Context()) != nil {
		return false
	}
	now := scxmltest.Epoch
	for _, one := range trial.Stimuli {
		now = now.Add(one.Wait)
		if one.Event != "" {
			_ = s.Send(scxml.Event{Name: one.Event, Data: one.Data})
		}
		for steps := 0; ; steps++ {
			if more, err := s.Step(t.Context(), now); err != nil || !more {
				break
			} else if steps == stepLimit {
				return false
			}
		}
	}
	return true
}

// TestPlansAreBounded: the plans of a chart with many configurations take no more than their room, and its
// sessions do right without them.
func TestPlansAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<parallel id="p">`)
	for i := range 12 { // 4,096 configurations
		fmt.Fprintf(&b, `<state id="r%d"><state id="a%d"><transition event="e%d" target="b%d"/></state><state id="b%d"><transition event="e%d" target="a%d"/></state></state>`, i, i, i, i, i, i, i)
	}
	chart := parse(t, b.String()+`</parallel>`, `datamodel="null"`)
	d := driven(t, chart)
	for i := range 1 << 13 {
		bit := 0
		for i>>bit&1 == 1 && bit < 11 {
			bit++
		}
		was := d.In(fmt.Sprintf("a%d", bit))
		if d.process(scxml.Event{Name: fmt.Sprintf("e%d", bit)}); d.In(fmt.Sprintf("a%d", bit)) == was {
			t.Fatalf("event %d: region %d is where it was", i, bit)
		}
	}
	if room := chart.PlanRoom(); room > 0 || room < -10_000 {
		t.Errorf("%d bytes of room are left", room)
	}
}

// TestPlansForgetNames: whoever sends events of any name takes little of the room.
func TestPlansForgetNames(t *testing.T) {
	chart := parse(t, `<parallel id="p"><state id="a"/><state id="b"/></parallel>`, `datamodel="null"`)
	d := driven(t, chart)
	d.PlanAtOnce()
	d.process(scxml.Event{Name: "x"})
	before := chart.PlanRoom()
	for i := range 1000 {
		d.process(scxml.Event{Name: fmt.Sprintf("short.e%d", i)})
		d.process(scxml.Event{Name: fmt.Sprintf("long.%s.e%d", strings.Repeat("x", 1000), i)})
	}
	if took := before - chart.PlanRoom(); took == 0 || took > 2000 {
		t.Errorf("1,000 short and 1,000 long names took %d bytes", took)
	}
}
