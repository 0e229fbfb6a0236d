package suite_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/suite"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// A lock opens by five keys in order, the last one not before 3 seconds after the fourth and with the right
// data, and forgets them when it is reset.
const lock = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
	<datamodel><data id="open" expr="false"/></datamodel>
	<state id="locked" initial="k0">
		<transition event="reset" target="locked"/>
		<state id="k0"><transition event="one" target="k1"/></state>
		<state id="k1"><transition event="two" target="k2"/></state>
		<state id="k2"><transition event="three" target="k3"/></state>
		<state id="k3"><transition event="four" target="k4"/></state>
		<state id="k4"><onentry><send event="ready" delay="3s"/></onentry><transition event="ready" target="k5"/></state>
		<state id="k5"><transition event="five" cond="_event.data.code === 42"><assign location="open" expr="true"/></transition></state>
	</state>
</scxml>`

// Of many events the few are left that matter, with the time and the data that they need.
func TestShrink(t *testing.T) {
	chart, err := scxml.Parse("lock.scxml", []byte(lock))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var path []history.Arrival
	var end time.Duration
	noise := func() {
		for range 1000 {
			switch rng.IntN(3) {
			case 0:
				end += time.Duration(rng.IntN(5000)) * time.Millisecond
			default:
				path = append(path, history.Arrival{Time: end, Event: scxml.Event{Name: fmt.Sprint("noise", rng.IntN(9)), Data: int64(rng.IntN(9))}})
			}
		}
	}
	for _, key := range []string{"one", "reset", "one", "two", "three", "four", "five"} {
		noise()
		path = append(path, history.Arrival{Time: end, Event: scxml.Event{Name: key, Data: datamodel.NewObject("code", int64(42))}})
	}
	noise()
	last := len(path)
	few, err := suite.Shrink(t.Context(), chart, nil, path, end, "open", func(left int) {
		if left > last {
			t.Errorf("%d events are left after %d", left, last)
		}
		last = left
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range few {
		got = append(got, in.String())
	}
	const want = `one|two|three|four|advance 3s|five {"code":42}`
	if got := strings.Join(got, "|"); got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
	if _, err := suite.Shrink(t.Context(), chart, nil, path, end, "open === 1", nil); !errors.Is(err, suite.ErrNotKept) {
		t.Errorf("an expression that is never true: %v", err)
	}
	if _, err := suite.Shrink(t.Context(), chart, nil, path, end, "opened", nil); !errors.Is(err, suite.ErrNotKept) || !strings.Contains(err.Error(), "opened is not defined") {
		t.Errorf("an expression without a value: %v", err)
	}
	// Any value that a condition takes for true is true, as it is for the scenario that is made of it.
	few, err = suite.Shrink(t.Context(), chart, nil, path, end, "open ? 'yes' : ''", nil)
	if err != nil || len(few) != 6 {
		t.Errorf("an expression with another value: %v, %v", few, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := suite.Shrink(ctx, chart, nil, path, end, "open", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Where a session begins in a snapshot, what was before is not needed.
func TestShrinkFromSnapshot(t *testing.T) {
	chart, err := scxml.Parse("lock.scxml", []byte(lock))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"one", "two", "three"} {
		if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: key}); err != nil {
			t.Fatal(err)
		}
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	path := []history.Arrival{{Event: scxml.Event{Name: "noise"}}, {Time: time.Second, Event: scxml.Event{Name: "four"}}}
	few, err := suite.Shrink(t.Context(), chart, snapshot, path, time.Minute, "In('k5')", nil)
	if err != nil || len(few) != 2 || few[0].Event != "four" || few[1].Wait != 3*time.Second {
		t.Errorf("left are %v, %v", few, err)
	}
}
