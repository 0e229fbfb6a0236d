package drive_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// watch counts seconds until it is paused.
const watch = `<datamodel><data id="began"/></datamodel>
<state id="runs">
  <onentry><assign location="began" expr="Date.now()"/><send event="second" id="second" delay="1s"/></onentry>
  <transition event="second"><send event="second" id="second" delay="1s"/></transition>
  <transition event="pause" target="stands"/>
  <onexit><cancel sendid="second"/></onexit>
</state>
<state id="stands"><onentry><log expr="Date.now() - began"/></onentry></state>`

// lateRun runs the watch, whose driver is held up after so many seconds.
func lateRun(t *testing.T, gap time.Duration, overslept drive.Input) (lines string) {
	synctest.Test(t, func(t *testing.T) {
		d, f := newDriver(t, parseChart(t, watch), func(cfg *drive.Config) {
			cfg.Virtual, cfg.Overslept, cfg.Kinds = false, overslept, record.Kinds(record.Event, record.Log)
		})
		inputs := make(chan drive.Input)
		go func() {
			defer close(inputs)
			time.Sleep(2500 * time.Millisecond)
			inputs <- func(drive.Session) error { time.Sleep(gap); return nil }
			inputs <- func(s drive.Session) error {
				_, err := s.Do(wire.Command{Verb: wire.Event, Event: scxml.Event{Name: "key"}})
				return err
			}
			inputs <- pause
		}()
		run(t, d, inputs)
		lines = strings.Join(f.lines, "\n")
	})
	return lines
}

func pause(s drive.Session) error {
	_, err := s.Do(wire.Command{Verb: wire.Event, Event: scxml.Event{Name: "pause"}})
	return err
}

// After a gap the input comes at the old time, before anything else: neither the watch nor a
// delayed event counts what was slept.
func TestGap(t *testing.T) {
	const want = `+1s event second sendid="second"
+2s event second sendid="second"
+2.5s event pause
+2.5s log 2500
+1h0m2.5s event key
+1h0m2.5s event pause`
	if got := lateRun(t, time.Hour, pause); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Without the input, and when an event is only a little late, time is time.
func TestNoGap(t *testing.T) {
	for name, got := range map[string]string{
		"short":    lateRun(t, drive.Gap, pause),
		"no input": lateRun(t, time.Hour, nil),
	} {
		if strings.Count(got, "pause") != 1 || !strings.HasSuffix(got, "00") || strings.Contains(got, "log 2500") {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}

// An input that does not stop the timers is called once for each gap.
func TestGapThatTimersOutlast(t *testing.T) {
	calls := 0
	lateRun(t, time.Hour, func(drive.Session) error { calls++; return nil })
	if calls != 1 {
		t.Errorf("called %d times", calls)
	}
}
