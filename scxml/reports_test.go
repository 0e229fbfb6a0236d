package scxml_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestErrorReportsAreBounded: however often a queue is full in one macrostep, a logger and a trace
// get a thousand reports and one count of the rest. A million records were 160 MB.
func TestErrorReportsAreBounded(t *testing.T) {
	const many = 100_000
	var log bytes.Buffer
	var traced []string
	s, clock := start(t, fmt.Sprintf(`<datamodel><data id="a" expr="new Array(%d)"/><data id="i"/></datamodel>
		<state id="a"><transition event="go"><foreach array="a" item="i"><send event="x"/></foreach></transition></state>`, many),
		scxml.WithLogger(slog.New(slog.NewTextHandler(&log, nil))),
		scxml.WithLimits(scxml.Limits{ExternalQueue: 1, Microsteps: -1}),
		scxml.WithTrace(&scxml.Trace{
			Error: func(_ *scxml.Session, e *scxml.ExecutionError) {
				traced = append(traced, e.Event+" "+e.Msg)
				if limit := (*scxml.LimitError)(nil); (e.Event == "error") != (errors.As(e, &limit) && limit.Limit == "ErrorReports") {
					t.Errorf("event %q: %v", e.Event, e.Err)
				}
			},
			Stable: func(*scxml.Session) { traced = append(traced, "stable") },
		}))
	for range 2 { // each macrostep has its own
		log.Reset()
		traced = nil
		if err := s.Send(scxml.Event{Name: "go"}); err != nil {
			t.Fatal(err)
		}
		if err := clock.Advance(t.Context(), s, 0); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		want := fmt.Sprintf("%d more errors of this macrostep are not reported: the limit ErrorReports is 1000", many-1-1000)
		if len(lines) != 1001 || !strings.Contains(lines[999], "queue is full") || !strings.Contains(lines[1000], want) {
			t.Errorf("%d lines are logged, the last: %s", len(lines), lines[len(lines)-1])
		}
		// Then x is taken, which is a macrostep without errors.
		if len(traced) != 1003 || traced[999] != "error.communication scxml: external queue is full" || traced[1000] != "error "+want || traced[1001] != "stable" {
			t.Errorf("%d records are traced, the last: %q", len(traced), traced[max(0, len(traced)-4):])
		}
	}
}

// Errors of a macrostep that ends the session are reported before its end.
func TestErrorReportsBeforeTheEnd(t *testing.T) {
	for _, test := range []struct{ target, want string }{
		{"b", "error error error 2 more errors of this macrostep are not reported: the limit ErrorReports is 3 stable done"},
		{"a", "error error error 49 more errors of this macrostep are not reported: the limit ErrorReports is 3 done"},
	} {
		var got []string
		s := newSession(t, parse(t, `<datamodel><data id="n" expr="0"/></datamodel>
			<state id="a"><onentry><assign location="n" expr="n + 1"/><send event="x" target="#_parent"/></onentry><transition cond="n == 5" target="`+test.target+`"/><transition target="a"/></state><final id="b"/>`),
			scxml.WithLimits(scxml.Limits{ErrorReports: 3, Microsteps: 50}),
			scxml.WithTrace(&scxml.Trace{
				Error: func(_ *scxml.Session, e *scxml.ExecutionError) {
					if e.Event != "error" {
						got = append(got, "error")
					} else {
						got = append(got, e.Msg)
					}
				},
				Stable: func(*scxml.Session) { got = append(got, "stable") },
				Done:   func(*scxml.Session) { got = append(got, "done") },
			}))
		_ = s.Start(t.Context()) // the limit of the second one
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("target %s: got  %s\nwant %s", test.target, got, test.want)
		}
	}
}

// A script can throw any text; events and records keep a short part of it.
func TestErrorMessageIsBounded(t *testing.T) {
	var msg string
	s, clock := start(t, `<datamodel><data id="kept"/></datamodel><state id="a">
		<transition event="go"><script>throw 'x' + 'ö'.repeat(1e6)</script></transition>
		<transition event="error"><assign location="kept" expr="_event.data.message"/></transition></state>`,
		scxml.WithTrace(&scxml.Trace{Error: func(_ *scxml.Session, e *scxml.ExecutionError) { msg = e.Msg }}))
	send(t, s, clock, "go", nil)
	if v, err := s.Eval(t.Context(), "kept"); err != nil || v != msg {
		t.Errorf("the event says %.50q, %v", v, err)
	}
	if len(msg) < 4000 || len(msg) > 4200 || !utf8.ValidString(msg) || !strings.HasSuffix(msg, "ö…") {
		t.Errorf("%d bytes: %.20q", len(msg), msg)
	}
}

// A <log> without a value is a record too.
func TestEmptyLogsAreBounded(t *testing.T) {
	logs := 0
	s, clock := start(t, `<datamodel><data id="a" expr="new Array(1000)"/><data id="i"/></datamodel>
		<state id="a"><transition event="go"><foreach array="a" item="i"><log/></foreach></transition></state>`,
		scxml.WithLimits(scxml.Limits{LogSize: 6400}),
		scxml.WithTrace(&scxml.Trace{Log: func(*scxml.Session, string, datamodel.Value) { logs++ }}))
	send(t, s, clock, "go", nil)
	if logs < 50 || logs > 100 {
		t.Errorf("%d records", logs)
	}
}
