package compiled_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/compiled/internal/order"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// What a machine cannot hold is refused with its place, and so is what was not saved by anyone.
func TestRestoreRefuses(t *testing.T) {
	m := order.New(order.Hooks{})
	if _, err := m.Snapshot(); err == nil || !strings.Contains(err.Error(), "not started") {
		t.Errorf("a machine that is not started is saved: %v", err)
	}
	if err := m.Start(time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	snapshot, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scxml.Restore(chartOfOrders(), snapshot); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new, want string }{
		{"", "", ""},
		{`"reminders":0`, `"reminders":"many"`, `the data item reminders at 2:40: it is a string, not a number, which a compiled chart cannot hold`},
		{`"paid":0`, `"paid":{"$object":{"a":1},"$frozen":true}`, `the data item paid at 2:14: it is a value that a compiled chart cannot hold`},
		{`"paid":0`, `"paid":0,"pay":0`, `the variable pay is not one of the document, which a compiled chart cannot hold`},
		{`"paid":0`, `"paid":[1]`, `the data item paid at 2:14: it is an array, not a number`},
		{`"told":""`, `"told":"\ud83d"`, `the data item told at 2:71: it has half of a surrogate pair`},
		{`"told":""`, `"told":"\ud83d\ude00\\ud83d\n"`, ``},
		{`"paid":0,`, ``, `the data item paid at 2:14 is missing`},
		{`"paid":0`, `"paid":{"$ref":1}`, `the data item paid at 2:14: there is no object 1 for a reference`},
		{`"paid":0`, `"paid":{"$function":"f"}`, `the data item paid at 2:14: it is a value that a compiled chart cannot hold`},
		{`"turn":1`, `"turn":1,"turn":1`, `the field "turn" is there twice`},
		{`"turn":1`, `"turn":-1`, `the field "turn" is -1`},
		{`"sessions":[`, `"sessions":[{`, `it is not JSON`},
		{`"event":{"name":"remind"}`, `"event":{"name":"remind","data":{"x":[1]}}`, ``},
		{`"data":[`, `"data":[null,`, `it has 1 sessions, data for 2`},
		{`["open"]`, `["open","paid"]`, `"open" and "paid" exclude each other`},
		{`["open"]`, `["closed"]`, `order.scxml has no state "closed"`},
		{`"delay":`, `"type":"x-mail","delay":`, `<send> at 4:14: no Event I/O Processor for the type "x-mail"`},
		{`"hash":"`, `"hash":"0`, machine.ErrChart.Error()},
		{`"version":1`, `"version":2`, "its version is 2: want 1"},
		{`"turn":1`, `"tern":1`, `unknown field "tern"`},
		{`"name":"remind"`, `"name":"re mind"`, `event name "re mind" contains white space`},
		{`]}`, `],"signature":"00"}`, "it is signed"},
	} {
		changed := strings.Replace(string(snapshot), test.old, test.new, 1)
		if i := strings.LastIndex(string(snapshot), test.old); test.old == "]}" {
			changed = string(snapshot[:i]) + test.new
		}
		if test.old != "" && changed == string(snapshot) {
			t.Fatalf("%s has no %s", snapshot, test.old)
		}
		m := order.New(order.Hooks{})
		err := m.Restore([]byte(changed))
		switch {
		case test.want == "" && err == nil && m.In(order.Open):
		case test.want == "" || err == nil || !strings.Contains(err.Error(), test.want):
			t.Errorf("%s for %s: the error is %v, want %s", test.new, test.old, err, test.want)
		case m.Running() || m.Start(time.Time{}) == nil:
			t.Errorf("a machine runs after %v", err)
		}
		if test.want == machine.ErrChart.Error() && !errors.Is(err, machine.ErrChart) {
			t.Errorf("%v is not ErrChart", err)
		}
	}
}

// A machine is not saved inside of a step.
func TestSnapshotInAHook(t *testing.T) {
	var m *order.Machine
	var err error
	m = order.New(order.Hooks{Hooks: machine.Hooks{Entered: func(string) { _, err = m.Snapshot() }}})
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if err == nil || !strings.Contains(err.Error(), "inside of a step") {
		t.Errorf("the error is %v", err)
	}
}
