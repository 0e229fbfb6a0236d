package scxml_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// What a chart says about attempts is in the tasks that it hands out, also those of a delayed <send>, after a
// snapshot and in JSON.
func TestRetryIsHandedOut(t *testing.T) {
	chart := parse(t, `<state id="a"><onentry>
		<send type="x-send" event="plain"/>
		<send type="x-send" event="now" x:retry="attempts=3 final=404,declined"/>
		<send type="x-send" event="later" delay="10s" x:retry="first=2s longest=1h0m0s factor=1.5 jitter=0.2"/></onentry>
		<invoke type="x-work" x:retry="attempts=-1"/></state>`, `xmlns:x="`+scxml.Extensions+`"`)
	clock := new(scxmltest.Clock)
	outbox := scxml.WithOutbox(scxml.Outbox{Processors: []string{"x-send"}, Services: []string{"x-work"}})
	s, err := scxml.New(chart, outbox, scxml.WithClock(clock.Now))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s, err = scxml.Restore(chart, snapshot(t, s, outbox), outbox, scxml.WithClock(clock.Now)); err != nil {
		t.Fatal(err)
	}
	if err := clock.Advance(t.Context(), s, 10*time.Second); err != nil {
		t.Fatal(err)
	}
	tasks := scxml.ForServer(s).Outbox()
	text, err := json.Marshal(tasks)
	if err != nil {
		t.Fatal(err)
	}
	var copied []scxml.Task
	if err := json.Unmarshal(text, &copied); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"plain": "", "now": "attempts=3 final=404,declined", "later": "first=2s longest=1h0m0s factor=1.5 jitter=0.2", "": "attempts=-1"}
	for _, list := range [][]scxml.Task{tasks, copied} {
		got := map[string]string{}
		for _, task := range list {
			r := task.Message.Retry
			if task.Kind == scxml.TaskInvoke {
				r = task.Service.Retry
			}
			got[task.Message.Event.Name] = ""
			if r != nil {
				got[task.Message.Event.Name] = r.String()
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
