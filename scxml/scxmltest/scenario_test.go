package scxmltest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

func TestScenarios(t *testing.T) { RunFiles(t, "testdata/*.txtar") }

const blinker = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="off"><onentry><send event="tick" delay="1s"/></onentry><transition event="tick" target="on"/></state>
  <state id="on"><onentry><send event="tick" delay="1s"/></onentry><transition event="tick" target="off"/></state>
</scxml>`

// With -scxmltest.update only the trace of a scenario changes.
func TestUpdate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "blink.txtar")
	const before = "A comment.\n\n-- chart.scxml --\n" + blinker + "\n-- events --\nadvance 1s\n"
	if err := os.WriteFile(file, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	*update = true
	RunFiles(t, file)
	*update = false
	RunFiles(t, file)
	after, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	trace, ok := strings.CutPrefix(string(after), before+"-- trace --\n")
	if !ok || !strings.HasPrefix(trace, "enter off\nsend tick in 1s\nstable off\ndue tick\nevent tick\nexit off\n") {
		t.Errorf("got\n%s", after)
	}
}

func TestReplayErrors(t *testing.T) {
	files := fstest.MapFS{"chart.scxml": {Data: []byte(blinker)}, "bad.scxml": {Data: []byte("<scxml/>")}}
	for _, test := range []struct{ name, events, want string }{
		{"none.scxml", "", "file does not exist"},
		{"bad.scxml", "", "is not in a namespace"},
		{"chart.scxml", "\nadvance soon", "events line 2: "},
		{"chart.scxml", "go {", "events line 1: "},
		{"chart.scxml", "advance -1s", "events line 1: cannot advance by a negative time: -1s"},
		{"chart.scxml", "tick\nstpo", `events line 2: "stpo" is not a command (did you mean "stop"?), and no transition takes an event of this name: to send it, write it in quotes`},
		{"chart.scxml", "advnce 5s", `events line 1: "advnce" is not a command (did you mean "advance"?)`},
		{"chart.scxml", "Stop", `events line 1: "Stop" is not a command (did you mean "stop"?)`},
	} {
		trace, err := Replay(files, test.name, test.events)
		if err == nil || !strings.Contains(err.Error(), test.want) || trace != "" {
			t.Errorf("%s %q: got %q, %v", test.name, test.events, trace, err)
		}
	}
	if _, err := Replay(files, "chart.scxml", "", scxml.WithData("x", 1)); err == nil {
		t.Error("an option that does not fit is accepted")
	}
}

// An event may have a name that is nearly a command if somebody takes it, or if it is in quotes.
func TestEventsLikeCommands(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"><transition event="step.*"/>
	  <invoke id="i"><content><scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="c"><transition event="shop"/></state></scxml></content></invoke></state></scxml>`
	for _, events := range []string{"step", "shop", `"stpo"`, "report", "tick"} {
		trace, err := Replay(fstest.MapFS{"chart.scxml": {Data: []byte(chart)}}, "chart.scxml", events)
		if want := "event " + strings.Trim(events, `"`); err != nil || !strings.Contains(trace, want) {
			t.Errorf("%s: %v\n%s", events, err, trace)
		}
	}
}

// The trace shows what ends a session and what follows.
func TestReplayEnd(t *testing.T) {
	files := fstest.MapFS{"chart.scxml": {Data: []byte(blinker)}}
	trace, err := Replay(files, "chart.scxml", "stop\ntick")
	if err != nil {
		t.Fatal(err)
	}
	if want := "exit off\ndone stopped\nscxml: session stopped\n"; !strings.HasSuffix(trace, want) {
		t.Errorf("got\n%s\nwant it to end\n%s", trace, want)
	}
}

// An id may be any text.
func TestTraceOfOddInvokeID(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"><invoke id="50%d"><content>` + blinker + `</content></invoke></state></scxml>`
	trace, err := Replay(fstest.MapFS{"chart.scxml": {Data: []byte(chart)}}, "chart.scxml", "")
	if err != nil || !strings.Contains(trace, "\n[50%d] enter off\n") {
		t.Errorf("got %v\n%s", err, trace)
	}
}

func TestClock(t *testing.T) {
	chart, err := scxml.Parse("blink.scxml", []byte(blinker))
	if err != nil {
		t.Fatal(err)
	}
	var clock Clock
	var out bytes.Buffer
	s, err := scxml.New(chart, scxml.WithClock(clock.Now), scxml.WithTrace(NewTrace(&out)))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		by      time.Duration
		entered int
	}{{0, 1}, {999 * time.Millisecond, 1}, {time.Millisecond, 2}, {10 * time.Second, 12}} {
		if err := clock.Advance(ctx, s, step.by); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "enter "); got != step.entered {
			t.Errorf("%v: %d states were entered, want %d", clock.Now().Sub(Epoch), got, step.entered)
		}
	}
	if got := clock.Now(); !got.Equal(Epoch.Add(11 * time.Second)) {
		t.Errorf("now is %v", got)
	}
}

func TestDiff(t *testing.T) {
	for _, test := range []struct{ want, got, diff string }{
		{"a\nb\nc\n", "a\nx\nc\n", "  a\n- b\n- c\n- \n+ x\n+ c\n+ \n"},
		{"1\n2\n3\n4\n5", "1\n2\n3\n4", "  2\n  3\n  4\n- 5\n"},
		{"", "a", "- \n+ a\n"},
	} {
		if got := diff(test.want, test.got); got != test.diff {
			t.Errorf("%q and %q: got\n%s\nwant\n%s", test.want, test.got, got, test.diff)
		}
	}
}

// The lines of a trace are records that can be read back, but for errors and the outside.
func TestTraceIsRecords(t *testing.T) {
	files, err := filepath.Glob("../testdata/scenario/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenario: %v", err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, trace, _ := strings.Cut(string(source), "-- trace --\n")
		for line := range strings.Lines(trace) {
			line = strings.TrimSuffix(line, "\n")
			r, err := record.ParseText(line)
			if err != nil && !strings.HasPrefix(line, "scxml: ") && !strings.HasPrefix(line, "outside ") || err == nil && r.String() != line {
				t.Errorf("%s: %s\nis read as %s, %v", file, line, r.String(), err)
			}
		}
	}
}

// Lines about the outside that mean nothing are refused with their place.
func TestOutsideErrors(t *testing.T) {
	chart, err := scxml.Parse("blink.scxml", []byte(blinker))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ outside, events, want string }{
		{"sessions\nservices x", "", `outside line 2: "services x": want session ID, sessions, processor TYPE, service TYPE or refuse TARGET`},
		{"sessions all", "", `outside line 1: `},
		{"sessions", "tick\nreport", `events line 2: report "": want the number of a task`},
		{"sessions", "report 1 lost", `events line 1: report "1 lost": want done [JSON], failed TEXT, refused TEXT, event NUMBER NAME [JSON] or nothing`},
		{"sessions", "report 1 event one go", `events line 1: `},
		{"sessions", "report 1 done {", `events line 1: `},
		{"sessions", "report 1  lost", `events line 1: report "1  lost": want done [JSON]`},
		{"sessions", "restore it", `events line 1: nothing may follow restore; write "restore" in quotes for an event of this name`},
		{"sessions", "reprot 1", `events line 1: "reprot" is not a command (did you mean "report"?)`},
		{"", "\nstop now", `events line 2: nothing may follow stop; write "stop" in quotes for an event of this name`},
	} {
		s := Scenario{Outside: test.outside, Events: test.events, Trace: []byte{}}
		if _, err := s.Run(t.Context(), chart); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q, %q: %v, want %s", test.outside, test.events, err, test.want)
		}
	}
	// Without the file, the words are events.
	s := Scenario{Events: "report\nrestore"}
	got, err := s.Run(t.Context(), chart)
	if err != nil || !strings.Contains(got.Trace, "event report") || !strings.Contains(got.Trace, "event restore") {
		t.Errorf("%v\n%s", err, got.Trace)
	}
}

// A scenario with a part that it does not have would pass without what is expected in it.
func TestUnknownParts(t *testing.T) {
	for source, want := range map[string]string{
		"-- chart.scxml --\n<x/>\n-- Events --\na\n-- trace --\n":        `line 3: unknown part "Events" (did you mean "events"?), or a file such as "chart.scxml"`,
		"Why.\n\n-- chart --\nx\n-- events --\na\n-- chek --\nreach b\n": `line 7: unknown part "chek" (did you mean "check"?), or a file such as "chart.scxml"`,
		"-- notes --\n": `line 1: unknown part "notes": want "chart", "outside", "snapshot", "events", "trace", "check", or a file such as "chart.scxml"`,
		"-- events --\na\n-- trace --\n-- events --\nb\n":                            `line 4: the part "events" is there twice`,
		"-- a.js --\n-- b/a.js --\n-- events --\n":                                   "",
		"-- chart --\nx.scxml\n-- a.js --\n-- trace --\n":                            `line 3: nothing reads the file "a.js": the chart is x.scxml, outside, and can only load files there`,
		"-- chart.scxml --\n<x/>\n-- chart --\nx.scxml\n":                            `line 1: nothing reads the file "chart.scxml": the chart is x.scxml, outside, and can only load files there`,
		"-- chart --\nx\n-- data.json --\n-- check --\nno error\n":                   `line 3: nothing reads the file "data.json": the chart is x, outside, and can only load files there`,
		"-- chart --\nx\n-- data.json --\n-- check --\nno deadlock\n":                "",
		"-- chart --\nx\n-- p.scxml --\n-- p.js --\n-- check --\nproperty p.scxml\n": "",
	} {
		if _, err := ParseScenario([]byte(source)); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%q\n got %v\nwant %s", source, err, want)
		}
	}
}
