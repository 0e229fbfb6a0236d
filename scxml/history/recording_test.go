package history_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// recordedRun returns a run that is recorded.
func recordedRun(t *testing.T, inside string, opts ...scxml.Option) (*run, *bytes.Buffer) {
	t.Helper()
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+inside+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	h, err := history.New(history.Config{Chart: chart, Options: opts, Recording: &file, Bytes: -1, Note: history.Note{Version: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{T: t, h: h, now: epoch}
	clock := scxml.WithClock(func() time.Time { return r.now })
	if r.s, err = scxml.New(chart, append(slices.Clone(opts), h.Option(), clock, scxml.WithSeed(1))...); err != nil {
		t.Fatal(err)
	}
	if err := r.s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r, &file
}

// replay reads what a run has recorded, and replays it with a chart of the given contents; "" is that of
// the run.
func (r *run) replay(file io.Reader, inside string) (*run, error) {
	r.Helper()
	if err := r.h.Close(); err != nil {
		r.Fatal(err)
	}
	rec, err := history.Open(file)
	if err != nil {
		r.Fatal(err)
	}
	chart := r.h.Chart()
	if inside != "" {
		if chart, err = scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+inside+`</scxml>`)); err != nil {
			r.Fatal(err)
		}
	}
	opts, err := rec.Options()
	if err != nil {
		r.Fatal(err)
	}
	h, err := rec.Replay(r.Context(), history.Config{Chart: chart, Options: opts}, false, nil)
	return &run{T: r.T, h: h}, err
}

// A recording has the inputs and a digest for each step, and the configuration where it changes.
func TestRecordingIsText(t *testing.T) {
	r, file := recordedRun(t, `
		<state id="off"><transition event="push" target="on"/></state>
		<state id="on"><transition event="push" target="off"/><transition event="dim"/></state>`)
	r.do(time.Second, "push", nil)
	r.do(0, "dim", 3)
	if err := r.h.Close(); err != nil {
		t.Fatal(err)
	}
	header, steps, _ := strings.Cut(strings.TrimPrefix(file.String(), "scxml recording 1\n"), "\n")
	if want := `"seed":"1","start":"2026-01-01T12:00:00Z","digest":2,"version":"test"}`; !strings.HasSuffix(header, want) {
		t.Errorf("the header is %s, want %s", header, want)
	}
	const want = `clock now="2026-01-01T12:00:00Z"
	4312f84cb76885df ["off"]

clock now="2026-01-01T12:00:01Z"
arrive push
	cb641b66a85d5f9e ["on"]

arrive dim 3
	77500bacf7807c7e

`
	if steps != want {
		t.Errorf("recorded\n%s\nwant\n%s\nIf digests are other ones, so must be DigestVersion.", steps, want)
	}
}

// The recording of a session that begins in given states names them, and replays in them.
func TestRecordingBeginsInAConfiguration(t *testing.T) {
	const chart = `
		<state id="a"><transition event="push" target="b"/></state>
		<state id="b"><onentry><log label="in"/></onentry><transition event="push" target="a"/></state>`
	r, file := recordedRun(t, chart, scxml.WithConfiguration("b"))
	r.do(time.Second, "push", nil)
	if err := r.h.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := r.replay(bytes.NewReader(file.Bytes()), "")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{"b", "a"} {
		if s, err := again.h.Seek(t.Context(), n); err != nil || !s.In(want) {
			t.Errorf("position %d: %v", n, err)
		}
	}
	if !strings.Contains(file.String(), `"configuration":["b"]`) {
		t.Errorf("the recording is %s", file)
	}
	rec, err := history.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	difference := new(history.Difference)
	_, err = rec.Replay(t.Context(), history.Config{Chart: r.h.Chart()}, false, nil) // begins in a
	if !errors.As(err, &difference) || difference.Position != 0 || !slices.Equal(difference.Want, []string{"b"}) {
		t.Error(err)
	}
}

// Each kind of difference is one for the digest: which transition is taken, what is sent, logged and
// raised, and what a condition says.
func TestReplayTellsDifferences(t *testing.T) {
	const chart = `
		<datamodel><data id="n" expr="1"/></datamodel>
		<state id="a">
			<transition event="e" cond="n == 1"><log label="l" expr="n"/><send event="out" expr="n"><param name="p" expr="n"/></send><raise event="r"/></transition>
			<transition event="e"/>
		</state>
		<state id="b"/>`
	chartOf := strings.NewReplacer(`<send event="out" expr="n">`, `<send event="out">`).Replace(chart)
	for name, change := range map[string][2]string{
		"none":                 {},
		"comment":              {`<state id="a">`, `<!-- a comment --> <state id="a">`},
		"condition":            {`cond="n == 1"`, `cond="n == 2"`},
		"data of a message":    {`<param name="p" expr="n"/>`, `<param name="p" expr="n + 1"/>`},
		"name of a message":    {`event="out"`, `event="outside"`},
		"log":                  {`label="l"`, `label="m"`},
		"logged value":         {`<log label="l" expr="n"/>`, `<log label="l" expr="'' + n"/>`},
		"raised event":         {`<raise event="r"/>`, `<raise event="s"/>`},
		"additional condition": {`<transition event="e"/>`, `<transition event="r" cond="n == 2"/><transition event="e"/>`},
		"target":               {`<transition event="e" cond="n == 1">`, `<transition event="e" cond="n == 1" target="b">`},
	} {
		t.Run(name, func(t *testing.T) {
			r, file := recordedRun(t, chartOf)
			r.do(time.Second, "other", nil)
			r.do(time.Second, "e", nil)
			r.do(time.Second, "e", nil)
			again, err := r.replay(file, strings.Replace(chartOf, change[0], change[1], 1))
			var d *history.Difference
			switch {
			case name == "none" || name == "comment":
				if err != nil || again.h.Len() != r.h.Len() {
					t.Errorf("%v, %d positions of %d", err, again.h.Len(), r.h.Len())
				}
			case !errors.As(err, &d) || d.Position != 2:
				t.Errorf("%v, want a difference at position 2", err)
			case (name == "target") == slices.Equal(d.Want, d.Got) || again.h.Len() != 3:
				t.Errorf("recorded as %v, now %v; %d positions", d.Want, d.Got, again.h.Len())
			}
		})
	}
}

// What a host does between two steps is repeated.
func TestRecordingHasWhatHostDoes(t *testing.T) {
	r, file := recordedRun(t, `<datamodel><data id="n" expr="0"/></datamodel>
		<state id="a"><onentry><send event="up" delay="5s" id="x"/><send event="up" delay="6s" id="y"/></onentry>
		<transition event="up"><assign location="n" expr="n + 1"/></transition></state>`)
	r.do(time.Second, "up", nil)
	r.s.Cancel("x")
	r.h.Changed(&record.Record{Kind: record.Cancel, Event: scxml.Event{SendID: "x"}})
	r.value(r.s, "n = 10")
	r.h.Changed(&record.Record{Kind: record.Value, Label: "n = 10"})
	r.do(10*time.Second, "", nil)
	again, err := r.replay(file, "")
	if err != nil {
		t.Fatal(err)
	}
	again.want("n", int64(0), int64(1), int64(11))
}

// A session that continues from a snapshot, and one whose state was marked, are recorded with snapshots.
func TestRecordingWithSnapshots(t *testing.T) {
	before := start(t, counter, nil)
	before.do(0, "up", 5)
	saved, err := before.s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	h, err := history.New(history.Config{Chart: before.h.Chart(), Recording: &file})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.Restore(h.Chart(), saved, h.Option())
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Attach(s); err != nil {
		t.Fatal(err)
	}
	r := &run{t, h, s, s.Now()}
	r.do(time.Second, "up", 1)
	r.value(s, "n = 100")
	if err := h.Mark(); err != nil {
		t.Fatal(err)
	}
	r.do(time.Second, "up", 1)
	again, err := r.replay(&file, "")
	if err != nil {
		t.Fatal(err)
	}
	again.want("n", int64(5), int64(6), int64(100), int64(101))
}

// What a host has given is in the recording: data, and which services there were.
func TestRecordingHasOptions(t *testing.T) {
	service := scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) { return 21, nil })
	r, file := recordedRun(t, `<datamodel><data id="n"/></datamodel>
		<state id="a"><invoke type="service" id="x"/>
		<transition event="done.invoke.x"><assign location="n" expr="n + _event.data"/></transition></state>`,
		scxml.WithData("n", 21), scxml.WithInvoker("service", service))
	for length := r.h.Len(); r.h.Len() == length; {
		r.do(0, "", nil)
	}
	again, err := r.replay(file, "")
	if err != nil {
		t.Fatal(err)
	}
	again.want("n", int64(21), int64(42))
}

// Where a program was killed, the recording ends with the last step that is complete.
func TestTornRecording(t *testing.T) {
	r, file := recordedRun(t, counter)
	r.do(0, "up", 1)
	r.do(0, "up", 1)
	if err := r.h.Close(); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	begin := bytes.Index(whole, []byte("\n\n")) + 2 // after position 0
	for cut := begin; cut <= len(whole); cut++ {
		rec, err := history.Open(bytes.NewReader(whole[:cut]))
		if err != nil {
			t.Fatalf("%d bytes: %v", cut, err)
		}
		want := bytes.Count(whole[:cut], []byte("\n\n"))
		if rec.Len() != want || rec.Torn != !bytes.HasSuffix(whole[:cut], []byte("\n\n")) {
			t.Fatalf("%d bytes: %d positions, want %d; torn: %v", cut, rec.Len(), want, rec.Torn)
		}
	}
}

// A recording that cannot be read is refused with the reason.
func TestDamagedRecording(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "not a recording",
		"<scxml/>":                      "not a recording",
		"scxml recording 2\n{}\n":       `format "2"`,
		"scxml recording 1\n{\n":        "line 2",
		"scxml recording 1\n{}\narrive": "",
		"scxml recording 1\n{}\n\t0\n\nnonsense x\n\t0\n\n":      "line 5",
		"scxml recording 1\n{}\n\t0\n\nmark\n\t0\n\n":            "line 6",
		"scxml recording 1\n{}\n\t0\n\narrive mark\n\t0\n\n":     "",
		"scxml recording 1\n{}\n\t0\n\nfile [1]\n\t0\n\n":        "line 5",
		"scxml recording 1\n{\"seed\":\"many\"}\n\t0\n\n":        "line 2",
		"scxml recording 1\n{\"data\":{\"n\":{\"a\"}}}\n\t0\n\n": "line 2",
	} {
		_, err := history.Open(strings.NewReader(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A recording is written while the session waits for more, and a failure to write is told at the end.
func TestRecordingIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, file := recordedRun(t, counter)
		r.do(0, "up", 1)
		time.Sleep(time.Second)
		synctest.Wait()
		if rec, err := history.Open(bytes.NewReader(file.Bytes())); err != nil || rec.Len() != 2 {
			t.Errorf("after a second: %v, %v", rec, err)
		}
	})
	h, err := history.New(history.Config{Chart: start(t, counter, nil).h.Chart(), Recording: full{}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(h.Chart(), h.Option())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close: %v", err)
	}
}

type full struct{}

var errFull = errors.New("no space")

func (full) Write([]byte) (int, error) { return 0, errFull }

// Another chart can do nothing where the recorded one took a step, and can end before that did.
func TestReplayOfChartThatDoesLess(t *testing.T) {
	const chart = `<datamodel><data id="n" expr="0"/></datamodel>
		<state id="a"><onentry><send event="tick" delay="5s"/></onentry>
		<transition event="tick"><assign location="n" expr="n + 1"/></transition>
		<transition event="up"><assign location="n" expr="n + 10"/></transition>
		<transition event="end"/></state><final id="z"/>`
	for name, test := range map[string]struct {
		old, new string
		differs  int
		values   []any
	}{
		"later": {`"5s"`, `"9s"`, 0, []any{int64(0), int64(10), int64(10), int64(20), int64(20), int64(30)}},
		"ends":  {`<transition event="end"/>`, `<transition event="end" target="z"/>`, 4, []any{int64(0), int64(10), int64(11), int64(21), int64(21)}},
	} {
		t.Run(name, func(t *testing.T) {
			r, file := recordedRun(t, chart)
			r.do(time.Second, "up", nil)
			r.do(4*time.Second, "", nil)
			r.do(0, "up", nil)
			r.do(2*time.Second, "end", nil)
			r.do(time.Second, "up", nil)
			if err := r.h.Close(); err != nil {
				t.Fatal(err)
			}
			text := file.Bytes()
			other := strings.Replace(chart, test.old, test.new, 1)
			_, err := r.replay(bytes.NewReader(text), other)
			var d *history.Difference
			if !errors.As(err, &d) || d.Position != test.differs {
				t.Errorf("%v, want a difference at position %d", err, test.differs)
			}
			rec, err := history.Open(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+other+`</scxml>`))
			if err != nil {
				t.Fatal(err)
			}
			h, err := rec.Replay(t.Context(), history.Config{Chart: parsed}, true, nil)
			if err != nil {
				t.Fatal(err)
			}
			(&run{T: t, h: h}).want("n", test.values...)
		})
	}
}

// FuzzRecording: what is not a recording is refused, or leads to a history, but not to a panic.
func FuzzRecording(f *testing.F) {
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+counter+`</scxml>`))
	if err != nil {
		f.Fatal(err)
	}
	const head = "scxml recording 1\n{\"seed\":\"1\",\"start\":\"2026-01-01T12:00:00Z\",\"digest\":1}\n"
	for _, steps := range []string{
		"clock now=\"2026-01-01T12:00:00Z\"\n\t0 [\"a\"]\n\narrive up 1\n\t0\n\n",
		"\t0\n\narrive wait\n\t0\n\nclock now=\"2026-01-01T12:00:02Z\"\n\t0\n\ncancel x (0) line=1\nvalue line=1 location=\"n = 2\"\nstop\n\t0\n\n",
		"\tsnapshot {}\n\n", "\t0\n\nmark\n\tsnapshot {}\n\n", "\t0\n\n0!outcome error.communication message=\"no\"\nfile [\"a\",\"b\"]\n\t0\n\n",
	} {
		f.Add([]byte(head + steps))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rec, err := history.Open(bytes.NewReader(text))
		if err != nil || rec.Len() > 20 || len(rec.Services)+len(rec.Processors) > 20 {
			return
		}
		rec.Arrivals()
		opts, err := rec.Options()
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		h, err := rec.Replay(ctx, history.Config{Chart: chart, Options: append(opts, scxml.WithLimits(scxml.Strict()))}, true, nil)
		if err != nil {
			return
		}
		if status, _ := h.Status(); status == scxml.Running && h.Len() != rec.Len() { // after its end there are none
			t.Errorf("%d positions of %d", h.Len(), rec.Len())
		}
	})
}

// A step that was interrupted ends in a replay where it ended then: a recording has a snapshot there.
func TestRecordingOfInterruptedStep(t *testing.T) {
	const long = `<datamodel><data id="n" expr="0"/></datamodel>
		<state id="a"><transition event="go" target="b"/></state>
		<state id="b"><transition cond="n &lt; 90"><assign location="n" expr="n + 1"/></transition>
		<transition event="go"/></state>`
	spin := strings.ReplaceAll(long, `<transition cond="n &lt; 90">`, `<transition><script>while (true);</script>`)
	for name, option := range map[string]func(context.CancelFunc) scxml.Option{
		"context": func(cancel context.CancelFunc) scxml.Option {
			taken := 0
			return scxml.WithTrace(&scxml.Trace{Transition: func(*scxml.Session, scxml.Transition) {
				if taken++; taken == 50 {
					cancel()
				}
			}})
		},
		"limit": func(context.CancelFunc) scxml.Option {
			return scxml.WithLimits(scxml.Limits{MacrostepTime: time.Millisecond})
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			inside := long
			if name == "limit" {
				inside = spin
			}
			r, file := recordedRun(t, inside, option(cancel))
			if err := r.s.Send(scxml.Event{Name: "go"}); err != nil {
				t.Fatal(err)
			}
			if _, err := r.s.Step(ctx, epoch); err == nil {
				t.Fatal("the step was not interrupted")
			}
			n := r.value(r.s, "n")
			if name == "context" {
				r.do(time.Second, "go", nil)
			}
			again, err := r.replay(file, "")
			if err != nil {
				t.Fatal(err)
			}
			if got := again.value(again.seek(1), "n"); got != n || again.h.Len() != r.h.Len() {
				t.Errorf("n is %v after the step, and was %v; %d positions of %d", got, n, again.h.Len(), r.h.Len())
			}
			if all, err := again.h.Records(t.Context(), 1, record.Kinds(record.Arrive)); err != nil || len(all) != 1 || all[0].Event.Name != "go" {
				t.Errorf("it got %v, %v", all, err)
			}
		})
	}
}
