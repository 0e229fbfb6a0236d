package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// --timeout ends the session of FILE. The sessions that it invoked are stopped with it,
// and have not timed out.
func TestTimeoutIsOfTheRootAlone(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Parent">
  <state id="p">
    <invoke id="kid"><content><scxml version="1.0"><state id="k"/></scxml></content></invoke>
    <transition event="done.invoke"/>
  </state>
</scxml>`
	for _, clock := range []string{"real", "virtual"} {
		t.Run(clock, func(t *testing.T) {
			c := dial(t, chart, "--clock", clock, "--timeout", "10ms")
			if clock == "virtual" {
				c.write(`{"advance":"1h"}`)
			}
			var got []string
			for r := c.read(); r != nil; r = c.read() {
				if r["type"] == "done" {
					got = append(got, fmt.Sprint(r["invokeid"], " ", r["reason"]))
				}
			}
			if want := []string{"kid stopped", "<nil> timeout"}; !slices.Equal(got, want) {
				t.Errorf("the sessions end as %q, want %q", got, want)
			}
			if got := c.wait(); got != cli.Timeout {
				t.Errorf("exit status %d, want %d", got, cli.Timeout)
			}
		})
	}
}

// An advance of 0 is answered by one idle. The time does not change, and delayed events
// come when they are due.
func TestAdvanceOfZero(t *testing.T) {
	c := dial(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="s">
    <onentry><send event="one" delay="1s"/><send event="two" delay="1s"/><send event="three" delay="1001ms"/></onentry>
    <transition event="one"><send event="soon" delay="0s"/></transition>
  </state>
</scxml>`, "--clock", "virtual")
	c.last("idle")
	c.write(`{"advance":"0s","id":"zero"}`, `{"advance":"0ns"}`, `{"advance":"1s"}`, `{"advance":"0s"}`, `{"advance":"1ms"}`, `{"advance":"0h0m0s"}`, `{"stop":true,"id":"end"}`)
	var got []string
	for r := c.read(); r != nil; r = c.read() {
		switch r["type"] {
		case "event":
			got = append(got, fmt.Sprint("event ", r["name"], " at ", r["time_ms"]))
		case "idle":
			got = append(got, fmt.Sprint("idle ", r["answers"], " at ", r["time_ms"], ", next ", r["next_due_ms"]))
		case "send": // of the event soon
		case "stable", "done":
		default:
			t.Errorf("unexpected record %v", r)
		}
	}
	want := []string{
		"idle zero at 0, next 1000",
		"idle 2 at 0, next 1000",
		"event one at 1000", "event two at 1000", "event soon at 1000",
		"idle 3 at 1000, next 1001",
		"idle 4 at 1000, next 1001",
		"event three at 1001",
		"idle 5 at 1001, next <nil>",
		"idle 6 at 1001, next <nil>",
		"idle end at 1001, next <nil>",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := c.wait(); got != cli.OK {
		t.Errorf("exit status %d", got)
	}
}
