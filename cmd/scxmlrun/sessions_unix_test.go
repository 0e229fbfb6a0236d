//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An operator suspends and resumes a session, skips what has failed, and ends it. The guide fleet.md
// does the rest.
func TestSessionsAreOperated(t *testing.T) {
	s := newServed(t)
	s.put("order.scxml", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="n" expr="0"/></datamodel>
		<state id="open">
			<onexit><log label="closing"/></onexit>
			<transition event="add"><assign location="n" expr="n + 1"/></transition>
			<transition event="loop" target="loop"/>
			<transition event="buy"><assign location="n" expr="n + _event.data.price"/></transition>
		</state>
		<state id="loop"><transition target="loop"/></state></scxml>`)
	s.start("order.scxml")
	see := func(got string, want ...string) {
		t.Helper()
		for _, text := range want {
			if !strings.Contains(got, text) {
				t.Errorf("no %q in\n%s", text, got)
			}
		}
	}
	see(s.sessions(0, "create", "order", "a"), "takes     add loop buy\n")
	see(s.sessions(0, "suspend", "a"), "status    suspended\n", "scxmlrun sessions resume a\n")
	see(s.sessions(0, "send", "a", "add", `{"x":1}`), "accepted at position 1\n")
	see(s.sessions(1, "send", "a", "add", "--wait"), `scxmlrun: session "a": the session is suspended`)
	see(s.sessions(0, "show", "a"), "1 accepted, 0 processed, 1 waiting\n", "data      n = 0\n")
	see(s.sessions(0, "inbox", "a"), "POSITION  ACCEPTED", "add    {\"x\":1}")
	see(s.sessions(0, "export", "a"), `"inbox":{"events":[{"position":1,`)
	see(s.sessions(1, "retry", "a"), `scxmlrun: session "a": nothing has failed: it was suspended by hand, and continues after resume`)
	s.sessions(0, "resume", "a")
	for _, key := range []string{"b", "c"} {
		s.sessions(0, "create", "order", key)
	}
	s.sessions(0, "suspend", "c")
	s.sessions(0, "send", "a", "loop")
	s.sessions(0, "send", "b", "loop")
	s.sessions(0, "send", "a", "add")
	for deadline := time.Now().Add(time.Minute); strings.Count(s.sessions(0, "ls", "--status", "suspended"), "\n") < 4; {
		if time.Now().After(deadline) {
			t.Fatalf("the session is not suspended:\n%s", s.sessions(0, "show", "a"))
		}
	}
	see(s.sessions(0, "show", "a"), "failed    event loop: attempt 3", "limit Microsteps", "scxmlrun sessions skip a\n")
	if n := strings.Count(s.logged(), "a session is suspended"); n != 4 {
		t.Errorf("%d lines of the log tell of 4 suspensions:\n%s", n, s.logged())
	}
	s.sessions(0, "skip", "a")
	for _, c := range []struct {
		status int
		args   string
		want   string
	}{
		{2, "", "which sessions? Write their keys, or --chart, --reason or --all"},
		{2, "b --all", "which sessions?"},
		{0, "--chart other", "0 tried again\n"},
		{0, "--reason unreachable", "0 tried again\n"},
		{0, "--chart order --reason Microsteps", "b  event loop: scxml: limit Microsteps"},
		{0, "--all", "0 tried again\n"}, // c was suspended by hand
	} {
		see(s.sessions(c.status, append([]string{"retry"}, strings.Fields(c.args)...)...), c.want)
	}
	see(s.sessions(0, "log", "b"), "retry")
	see(s.sessions(0, "send", "a", "add", "--wait"), "processed at position 4: now in open\n")
	see(s.sessions(0, "show", "a"), "4 accepted, 4 processed, 0 waiting\n", "data      n = 3\n")
	see(s.sessions(1, "send", "a", "buy", "--wait", "--id", "1"), "processed at position 5: now in open\n",
		"scxmlrun: the event was processed, and failed in the chart: order.scxml:7:71: <assign>: TypeError: Cannot read property 'price' of undefined")
	see(s.sessions(1, "send", "a", "buy", "--wait", "--json"), `"errors":["order.scxml:7:71: `, "scxmlrun: the event was processed, and failed")
	see(s.sessions(0, "send", "a", "buy", "--wait", "--id", "1"), "accepted before at position 5: now in open\n")
	see(s.sessions(0, "log", "a"), "skip", `event "loop" at position 2`)
	see(s.sessions(0, "stop", "a"), "status    stopped\n")
	see(s.sessions(1, "show", "nobody", "a"), "status    stopped\n", `scxmlrun: session "nobody": not found`)
	see(s.sessions(1, "send", "a", "add"), `scxmlrun: session "a": the session has ended`)
	see(s.sessions(0, "backup", "monday.backup"), "monday.backup is in order\n", "sessions              3\n")
	if left, _ := filepath.Glob(filepath.Join(s.folder, "*", "backup-*")); len(left) > 0 {
		t.Errorf("%q was left", left)
	}
	if err := os.WriteFile(filepath.Join(s.folder, "wrong"), []byte("wrong"), 0o600); err != nil {
		t.Fatal(err)
	}
	see(s.sessions(1, "ls", "--token-file", "wrong"), "scxmlrun: the token is missing or wrong")
	s.end(syscall.SIGTERM)
}
