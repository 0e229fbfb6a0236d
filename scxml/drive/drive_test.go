package drive_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

const lamp = `<state id="off"><transition event="push" target="on"/></state>
<state id="on">
  <onentry><send id="late" event="burnt" delay="10s"/></onentry>
  <transition event="push" target="off"><cancel sendid="late"/></transition>
  <transition event="burnt" target="out"/>
</state>
<final id="out"/>`

func parseChart(t testing.TB, content string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+content+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// A front collects records in their text form.
type front struct {
	lines []string
	err   error
	hears func(*record.Record)
}

func (f *front) Tell(r *record.Record) {
	if f.hears != nil {
		f.hears(r)
	}
	line := *r
	line.Seq, line.Session, line.Configuration = 0, "", nil
	line.Event.Origin, line.Event.OriginType = "", ""
	f.lines = append(f.lines, line.String())
}

func (f *front) Failed() error { return f.err }

// basics are the kinds that most tests check.
var basics = record.Kinds(record.Event, record.Stable, record.Log, record.Error, record.Done, record.Value, record.Rejected, record.Idle)

func newDriver(t *testing.T, chart *scxml.Chart, change func(*drive.Config)) (*drive.Driver, *front) {
	t.Helper()
	f := new(front)
	seed := uint64(1)
	cfg := drive.Config{Chart: chart, Front: f, Kinds: basics, Virtual: true, Seed: &seed}
	if change != nil {
		change(&cfg)
	}
	d, err := drive.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return d, f
}

// commands returns inputs that carry out lines of the machine protocol.
func commands(lines ...string) <-chan drive.Input {
	inputs := make(chan drive.Input, len(lines))
	for line := range wire.Lines(strings.NewReader(strings.Join(lines, "\n"))) {
		inputs <- func(s drive.Session) error {
			_, _ = s.Do(line.Command()) // the answer is a record
			return nil
		}
	}
	close(inputs)
	return inputs
}

func run(t *testing.T, d *drive.Driver, inputs <-chan drive.Input) drive.End {
	t.Helper()
	end, err := d.Run(t.Context(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	return end
}

func (f *front) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(f.lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(f.lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestVirtualClock(t *testing.T) {
	d, f := newDriver(t, parseChart(t, lamp), nil)
	end := run(t, d, commands(`{"event":"push","id":"a"}`, `{"advance":"3s"}`, `{"advance":"-1s"}`, `{"get":"1+1"}`))
	f.want(t,
		"stable off", "idle off",
		"event push", "stable on", `idle on answers="a" next_due_ms=10000`,
		"+3s idle on line=2 next_due_ms=10000",
		`+3s rejected line=3 message="\"advance\": write a time with its unit, for example \"500ms\", \"1.5s\" or \"2m\""`,
		`+3s value line=4 location="1+1" value=2`, "+3s idle on line=4 next_due_ms=10000",
		"+10s event burnt sendid=\"late\"",
		"+10s stable out", "+10s done final out")
	if end.Final != "out" || end.Elapsed != 10*time.Second || end.TimedOut {
		t.Errorf("%+v", end)
	}
}

// An input leads to one rest, also if the session sends itself something.
func TestOneRest(t *testing.T) {
	for _, virtual := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d, f := newDriver(t, parseChart(t, `<state id="s"><transition event="push"><send event="out"/></transition></state>`), func(cfg *drive.Config) {
				cfg.Virtual, cfg.Kinds = virtual, record.Kinds(record.Rest, record.Event)
			})
			inputs := make(chan drive.Input)
			go func() {
				defer close(inputs)
				inputs <- func(s drive.Session) error {
					_, err := s.Do(wire.Command{Verb: wire.Event, Event: scxml.Event{Name: "push"}})
					return err
				}
				synctest.Wait()
				f.want(t, "rest s", "event push", "event out", "rest s")
			}()
			run(t, d, inputs)
		})
	}
}

// What a front end does later comes after the rest, and before the next input.
func TestLater(t *testing.T) {
	var d *drive.Driver
	send := func(s drive.Session, name string) {
		if _, err := s.Do(wire.Command{Verb: wire.Event, Event: scxml.Event{Name: name}}); err != nil {
			t.Error(err)
		}
	}
	d, f := newDriver(t, parseChart(t, `<state id="s"/>`), func(cfg *drive.Config) { cfg.Kinds = record.Kinds(record.Rest, record.Event) })
	f.hears = func(r *record.Record) {
		if r.Kind == record.Event && r.Event.Name == "first" {
			d.Later(func(s drive.Session) { send(s, "later") })
			d.Later(func(s drive.Session) { send(s, "latest") })
		}
	}
	run(t, d, commands(`{"event":"first"}`, `{"event":"second"}`))
	f.want(t, "rest s", "event first", "rest s", "event later", "rest s", "event latest", "rest s", "event second", "rest s", "rest s")
}

// On the real clock the driver sleeps until something is due, and takes inputs meanwhile.
func TestRealClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, f := newDriver(t, parseChart(t, lamp), func(cfg *drive.Config) { cfg.Virtual = false })
		inputs := make(chan drive.Input)
		go func() {
			defer close(inputs)
			time.Sleep(2 * time.Second)
			inputs <- func(s drive.Session) error {
				_, err := s.Do(wire.Command{Line: 1, Verb: wire.Event, Event: scxml.Event{Name: "push"}})
				return err
			}
			time.Sleep(time.Second)
			inputs <- func(s drive.Session) error {
				if _, err := s.Do(wire.Command{Verb: wire.Advance, Advance: time.Second}); !errors.Is(err, drive.ErrRealClock) {
					t.Errorf("a real clock was moved on: %v", err)
				}
				return nil
			}
		}()
		end := run(t, d, inputs)
		f.want(t, "stable off", "idle off",
			"+2s event push", "+2s stable on", "+2s idle on line=1 next_due_ms=12000",
			"+12s event burnt sendid=\"late\"",
			"+12s stable out", "+12s done final out")
		if end.Elapsed != 12*time.Second {
			t.Errorf("%+v", end)
		}
	})
}

// TestDueFirst: what is due by now happens before an input that arrives now, even if the driver
// comes late to both.
func TestDueFirst(t *testing.T) {
	for range 20 { // a driver that takes whichever is ready would be right half of the time
		synctest.Test(t, func(t *testing.T) {
			d, f := newDriver(t, parseChart(t, lamp), func(cfg *drive.Config) {
				cfg.Virtual, cfg.Kinds = false, record.Kinds(record.Event, record.Done)
			})
			push := func(s drive.Session) error {
				_, err := s.Do(wire.Command{Verb: wire.Event, Event: scxml.Event{Name: "push"}})
				return err
			}
			f.hears = func(r *record.Record) {
				if r.Kind == record.Event {
					time.Sleep(10 * time.Second)
				}
			}
			inputs := make(chan drive.Input, 2)
			inputs <- push
			inputs <- push
			close(inputs)
			run(t, d, inputs)
			f.want(t, "event push", `+10s event burnt sendid="late"`, "+10s done final out")
		})
	}
}

func TestTimeout(t *testing.T) {
	for _, virtual := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			limit := 5 * time.Second
			var saved []byte
			d, f := newDriver(t, parseChart(t, lamp), func(cfg *drive.Config) {
				cfg.Virtual, cfg.Timeout, cfg.Kinds = virtual, &limit, record.Kinds(record.Done)
				cfg.Save = func(snapshot []byte) error { saved = snapshot; return nil }
			})
			inputs := make(chan drive.Input, 2)
			inputs <- func(s drive.Session) error {
				_, err := s.Do(wire.Command{Verb: wire.Event, Event: scxml.Event{Name: "push"}})
				return err
			}
			inputs <- func(s drive.Session) error {
				_, _ = s.Do(wire.Command{Verb: wire.Advance, Advance: time.Hour})
				return nil
			}
			end := run(t, d, inputs)
			f.want(t, "+5s done timeout")
			if !end.TimedOut || end.Elapsed != limit || !slices.Equal(end.Configuration, []string{"on"}) || saved == nil {
				t.Errorf("%+v, saved %d bytes", end, len(saved))
			}
		})
	}
}

// On the real clock Timeout interrupts a script, and the handlers run.
func TestTimeoutInterruptsScripts(t *testing.T) {
	limit := 20 * time.Millisecond
	chart := parseChart(t, `<state id="s"><onexit><log label="bye"/></onexit><transition event="go"><script>for (;;) {}</script></transition></state>`)
	d, f := newDriver(t, chart, func(cfg *drive.Config) {
		cfg.Virtual, cfg.Timeout, cfg.Kinds = false, &limit, record.Kinds(record.Log, record.Done)
		cfg.Options = append(cfg.Options, scxml.WithLimits(scxml.Limits{ScriptTime: time.Hour, MacrostepTime: time.Hour}))
	})
	end := run(t, d, commands(`{"event":"go"}`))
	if !end.TimedOut || end.Elapsed < limit || len(f.lines) != 2 || !strings.Contains(f.lines[0], "bye") || !strings.Contains(f.lines[1], "timeout") {
		t.Errorf("%+v\n%s", end, strings.Join(f.lines, "\n"))
	}
}

// Without a delay the time cannot advance, so a limit ends the session.
func TestStandstill(t *testing.T) {
	d, f := newDriver(t, parseChart(t, `<state id="a"><onentry><send event="again"/></onentry><transition event="again" target="a"/></state>`),
		func(cfg *drive.Config) { cfg.Kinds = record.Kinds(record.Done, record.Error) })
	_, err := d.Run(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "the virtual clock cannot advance") {
		t.Error(err)
	}
	f.want(t, `error limit message="`+err.Error()+`"`, "done limit")
}

// A chart that keeps itself busy can still be stopped.
func TestPatience(t *testing.T) {
	d, f := newDriver(t, parseChart(t, `<state id="a"><onentry><send event="again"/></onentry><transition event="again" target="a"/></state>`),
		func(cfg *drive.Config) { cfg.Kinds = record.Kinds(record.Done, record.Idle) })
	run(t, d, commands(`{"stop":true}`))
	f.want(t, "done stopped", "idle", "idle line=1")
}

// While work outside is in progress a virtual clock does not advance, and there is no rest.
func TestForeignWork(t *testing.T) {
	release := make(chan bool)
	invoker := scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		<-release
		return "answer", nil
	})
	d, f := newDriver(t, parseChart(t, `<state id="a"><onentry><send event="late" delay="1s"/></onentry><invoke type="x" id="i"/>
<transition event="done.invoke.i" target="b"/><transition event="late" target="c"/></state><final id="b"/><final id="c"/>`),
		func(cfg *drive.Config) {
			cfg.Options = []scxml.Option{scxml.WithInvoker("x", invoker)}
			cfg.Kinds = record.Kinds(record.Stable, record.Done, record.Rest)
		})
	f.hears = func(r *record.Record) {
		if r.Kind == record.Stable && r.Atomic[0] == "a" {
			close(release)
		}
	}
	run(t, d, nil)
	f.want(t, "stable a", "stable b", "done final b", "rest")
}

func TestFrontFails(t *testing.T) {
	d, f := newDriver(t, parseChart(t, lamp), nil)
	f.hears = func(r *record.Record) { f.err = errors.New("full disk") }
	run(t, d, make(chan drive.Input)) // it does not wait for an input
	if len(f.lines) != 2 {
		t.Error(f.lines)
	}
}

func TestInputFails(t *testing.T) {
	d, _ := newDriver(t, parseChart(t, lamp), nil)
	inputs := make(chan drive.Input, 1)
	broken := errors.New("broken pipe")
	inputs <- func(drive.Session) error { return broken }
	if end := run(t, d, inputs); !errors.Is(end.InputErr, broken) {
		t.Errorf("%+v", end)
	}
}

// A saved session continues at its time, with its clock.
func TestSavedSession(t *testing.T) {
	chart := parseChart(t, lamp)
	var saved []byte
	d, _ := newDriver(t, chart, func(cfg *drive.Config) {
		cfg.Save = func(snapshot []byte) error { saved = snapshot; return nil }
	})
	run(t, d, commands(`{"event":"push"}`, `{"advance":"3s"}`))
	d, f := newDriver(t, chart, func(cfg *drive.Config) {
		cfg.Saved, cfg.Kinds = saved, record.Kinds(record.Clock, record.Rest, record.Done)
	})
	run(t, d, nil)
	f.want(t, "rest on next_due_ms=7000", `+7s clock now="2000-01-01T00:00:10Z"`, "+7s done final out", "+7s rest")
}

// In a hurry the real clock can be advanced: what is due then comes at once, and what follows after its
// whole delay.
func TestHurry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chart := parseChart(t, `<state id="a"><onentry><send event="one" delay="1h"/></onentry><transition event="one" target="b"/></state>
<state id="b"><onentry><send event="two" delay="2s"/></onentry><transition event="two" target="c"/></state><final id="c"/>`)
		attached := 0
		d, f := newDriver(t, chart, func(cfg *drive.Config) {
			cfg.Virtual, cfg.Hurry, cfg.Kinds = false, true, record.Kinds(record.Event, record.Done)
			cfg.Attach = func(s *scxml.Session) error {
				if s.Status() == scxml.Unstarted {
					attached++
				}
				return nil
			}
		})
		began := time.Now()
		run(t, d, commands(`{"advance":"1h"}`))
		f.want(t, "+1h0m0s event one", "+1h0m2s event two", "+1h0m2s done final c")
		if waited := time.Since(began); waited != 2*time.Second {
			t.Errorf("it took %v, want 2s", waited)
		}
		if attached != 1 {
			t.Errorf("Attach was called %d times with a new session", attached)
		}
	})
}

// A clock cannot be advanced beyond its range, not even in several commands.
func TestAdvanceTooFar(t *testing.T) {
	for _, virtual := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			d, f := newDriver(t, parseChart(t, `<state id="s"><transition event="end" target="e"/></state><final id="e"/>`), func(cfg *drive.Config) {
				cfg.Virtual, cfg.Hurry, cfg.Kinds, cfg.Timeout = virtual, !virtual, record.Kinds(record.Rejected), new(time.Duration)
			})
			run(t, d, commands(`{"advance":"876000h"}`, `{"advance":"876000h"}`, `{"advance":"876000h"}`, `{"event":"end"}`))
			if len(f.lines) != 1 || !strings.Contains(f.lines[0], "292 years") {
				t.Errorf("virtual: %t: %q", virtual, f.lines)
			}
		})
	}
}

// An input can send an event and look at the result.
func TestSettle(t *testing.T) {
	d, f := newDriver(t, parseChart(t, lamp), func(cfg *drive.Config) { cfg.Kinds = record.Kinds(record.Done) })
	inputs := make(chan drive.Input, 1)
	inputs <- func(s drive.Session) error {
		for _, want := range []string{"on", "off", "on"} {
			if _, err := s.Do(wire.Command{Verb: wire.Event, Event: scxml.Event{Name: "push"}}); err != nil {
				t.Error(err)
			}
			s.Settle()
			if got := s.Look()[0].Active; len(got) != 1 || got[0].Name != want {
				t.Errorf("the lamp is %v, want %s", got, want)
			}
		}
		if _, err := s.Do(wire.Command{Verb: wire.Advance, Advance: 10 * time.Second}); err != nil {
			t.Error(err)
		}
		s.Settle()
		f.want(t, "+10s done final out")
		return nil
	}
	run(t, d, inputs)
}

// A front end can read data at rest, and that changes nothing.
func TestReadAtRest(t *testing.T) {
	var runs [2][]string
	for i := range runs {
		d, f := newDriver(t, parseChart(t, `<datamodel><data id="n" expr="0"/></datamodel>
<state id="a"><onentry><assign location="n" expr="n + 1"/><send event="again" delay="1s"/></onentry>
<transition event="again" cond="n &lt; 3" target="a"/><transition event="again" target="b"/></state><final id="b"/>`), func(cfg *drive.Config) {
			cfg.Kinds = record.Kinds(record.Rest, record.Event, record.Done)
		})
		var read []datamodel.Value
		f.hears = func(r *record.Record) {
			if r.Kind == record.Rest && i == 1 && len(r.Configuration) > 0 {
				v, err := d.Do(wire.Command{Verb: wire.Get, Text: "n"})
				if err != nil {
					t.Error(err)
				}
				read = append(read, v)
			}
		}
		run(t, d, commands(`{"advance":"1s"}`))
		runs[i] = slices.DeleteFunc(f.lines, func(line string) bool { return strings.Contains(line, "rest ") }) // they may repeat
		if want := []datamodel.Value{int64(1), int64(2), int64(3)}; i == 1 && !slices.Equal(slices.Compact(read), want) {
			t.Errorf("read %v, want %v", read, want)
		}
	}
	if !slices.Equal(runs[0], runs[1]) {
		t.Errorf("got\n%q\nwithout reading\n%q", runs[1], runs[0])
	}
}

// A front end can read the data of a session in Tell of Done: that of an invoked session and that of
// the root, whether it has ended by itself or is stopped.
func TestReadWhenDone(t *testing.T) {
	for event, want := range map[string]map[string]datamodel.Value{
		"end":  {"": int64(1), "kid": int64(2)},
		"quit": {"": int64(0), "kid": int64(2)},
	} {
		d, f := newDriver(t, parseChart(t, `<datamodel><data id="n" expr="0"/></datamodel>
<state id="a"><invoke id="kid"><content><scxml version="1.0"><datamodel><data id="n" expr="1"/></datamodel>
<state><onexit><assign location="n" expr="2"/></onexit></state></scxml></content></invoke>
<transition event="end" target="b"><assign location="n" expr="n + 1"/></transition></state><final id="b"/>`), func(cfg *drive.Config) {
			cfg.Kinds = record.Kinds(record.Value, record.Done)
		})
		read := map[string]datamodel.Value{}
		f.hears = func(r *record.Record) {
			if r.Kind != record.Done {
				return
			}
			before := *r
			v, err := d.Do(wire.Command{Verb: wire.Get, Session: r.Session, Text: "n"})
			if err != nil {
				t.Error(err)
			}
			read[r.InvokeID] = v
			if r.Kind != before.Kind || r.Session != before.Session || r.State != before.State {
				t.Errorf("reading has changed the record %s to %s", before.String(), r)
			}
		}
		inputs := make(chan drive.Input, 1)
		inputs <- func(s drive.Session) error {
			cmd := wire.Command{Verb: wire.Event, Event: scxml.Event{Name: event}}
			if event == "quit" {
				cmd = wire.Command{Verb: wire.Stop}
			}
			_, err := s.Do(cmd)
			return err
		}
		run(t, d, inputs)
		if !maps.Equal(read, want) {
			t.Errorf("%s: read %v, want %v", event, read, want)
		}
	}
}

// Advance, snapshot and stop concern all sessions: for another session than the root they are rejected,
// and for the root they are not.
func TestSessionOfCommandsForAll(t *testing.T) {
	d, f := newDriver(t, parseChart(t, `<state><invoke id="kid"><content><scxml version="1.0"><state/></scxml></content></invoke></state>`), nil)
	ids := map[string]string{} // by invokeid
	f.hears = func(r *record.Record) { ids[r.InvokeID] = r.Session }
	inputs := make(chan drive.Input, 1)
	inputs <- func(s drive.Session) error {
		root, kid := ids[""], ids["kid"]
		for _, verb := range []wire.Verb{wire.Advance, wire.Snapshot, wire.Stop} {
			for id, want := range map[string]string{
				kid:      fmt.Sprintf(`"%v" concerns all sessions together, not %q alone: write it without "session"`, verb, kid),
				"nobody": fmt.Sprintf(`no session "nobody" (want %q, %q)`, root, kid), root: "<nil>",
			} {
				if _, err := s.Do(wire.Command{Verb: verb, Session: id}); fmt.Sprint(err) != want {
					t.Errorf("%v of %q: got %v, want %s", verb, id, err, want)
				}
			}
		}
		return nil
	}
	close(inputs)
	run(t, d, inputs)
}

func TestLook(t *testing.T) {
	d, f := newDriver(t, parseChart(t, `<datamodel><data id="x"/></datamodel><parallel id="p"><state id="a"><state id="a1"><transition event="e"/></state></state>
<state id="b"><datamodel><data id="y"/></datamodel><onentry><send event="late" delay="2s"/><send event="soon" id="i" delay="1s"/></onentry>
<invoke id="kid"><content><scxml version="1.0"><state><onentry><send event="now" delay="1ms"/></onentry></state></scxml></content></invoke></state></parallel>`), nil)
	var views []drive.View
	f.hears = func(r *record.Record) {
		if r.Kind == record.Idle {
			views = d.Look()
		}
	}
	run(t, d, nil)
	want := []drive.State{{Name: "p", Number: 1}, {Name: "a", Number: 2, Depth: 1}, {Name: "a1", Number: 3, Depth: 2, Atomic: true}, {Name: "b", Number: 4, Depth: 1, Atomic: true}}
	timers := []drive.Timer{{Name: "soon", SendID: "i", Due: time.Second}, {Name: "late", Due: 2 * time.Second}}
	if len(views) != 2 || !slices.Equal(views[0].Active, want) || !slices.Equal(views[0].Takes, []string{"e"}) ||
		!slices.Equal(views[0].Data, []string{"x", "y"}) || !slices.Equal(views[0].Timers, timers) {
		t.Errorf("%+v", views)
	}
	if kid := views[1].Timers; len(kid) != 1 || kid[0].Name != "now" {
		t.Errorf("the timers of the invoked session are %+v", kid)
	}
}
