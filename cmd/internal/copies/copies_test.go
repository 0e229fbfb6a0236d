package copies_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/copies"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

const parcel = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="packed">
<datamodel><data id="weight" expr="3"/></datamodel>
<state id="packed">
  <onentry><log expr="'packed'"/><send event="late" delay="2h"/></onentry>
  <transition event="weigh"><assign location="weight" expr="_event.data"/></transition>
  <transition event="ship" target="moving"/>
  <transition event="jam" target="jammed"/>
  <transition event="late" cond="weight &gt; 9" target="jammed"/>
  <transition event="late" target="moving"/>
</state>
<state id="moving">
  <onentry><send type="post" target="courier" event="fetch"/></onentry>
  <invoke type="tracking" id="track"/>
  <transition event="done.invoke.track" target="delivered"/>
  <transition event="error.*" target="lost"/>
</state>
<state id="jammed"><transition target="jammed"/></state>
<state id="lost"/>
<final id="delivered"/>
</scxml>`

// A yard is a fleet in memory whose charts reach the outside only in tests that fail.
type yard struct {
	*testing.T
	fleet  *fleet.Fleet
	copies *copies.Copies
	log    strings.Builder
}

func newYard(t *testing.T, cfg copies.Config) *yard {
	t.Helper()
	y := &yard{T: t}
	chart, err := scxml.Parse("parcel.scxml", []byte(parcel), scxml.WithLimits(scxml.Limits{Microsteps: 100}))
	if err == nil {
		y.fleet, err = fleet.New(fleet.NewMemory(), fleet.Config{
			Processors: map[string]fleet.Deliver{"post": func(context.Context, fleet.Delivery) error {
				t.Error("something was delivered")
				return nil
			}},
			Services: map[string]scxml.Invoker{"tracking": scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
				t.Error("a service was started")
				return nil, nil
			})},
		}, fleet.Define("parcel", chart, scxml.WithLogger(slog.New(slog.NewTextHandler(&y.log, nil)))))
	}
	y.must(err)
	cfg.Fleet = y.fleet
	y.copies = copies.New(cfg)
	return y
}

func (y *yard) must(err error) {
	y.Helper()
	if err != nil {
		y.Fatal(err)
	}
}

func (y *yard) create(key string) {
	y.Helper()
	y.must(y.fleet.Create(y.Context(), key, fleet.CreateOptions{Chart: "parcel"}))
}

func (y *yard) send(key, event string) {
	y.Helper()
	_, err := y.fleet.Send(y.Context(), key, scxml.Event{Name: event})
	y.must(err)
}

// open opens a copy.
func (y *yard) open(key string) string {
	y.Helper()
	id, err := y.copies.Open(y.Context(), key)
	y.must(err)
	return id
}

// ask makes a request of the page, and returns the fields of the answer.
func (y *yard) ask(id, method, path, body string) map[string]any {
	y.Helper()
	h := y.copies.Handler(id)
	if h == nil {
		y.Fatalf("there is no copy %s", id)
	}
	r := httptest.NewRequest(method, "/api/"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(y.Context()))
	var fields map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &fields); err != nil {
		y.Fatalf("%s %s: %v: %s", method, path, err, w.Body)
	}
	if w.Code != http.StatusOK {
		fields["status"] = fmt.Sprint(w.Code, ": ", fields["error"])
	}
	return fields
}

// at returns the state of a session of a copy at a position.
func (y *yard) at(id, session, position string) string {
	y.Helper()
	p := y.ask(id, "GET", "sessions/"+session+"/positions/"+position, "")
	return fmt.Sprint(p["status"], " in ", p["atomic"], " at ", p["n"])
}

// names returns the names of the sessions of a copy.
func (y *yard) names(id string) (all []string) {
	y.Helper()
	for _, s := range y.ask(id, "GET", "sessions", "")["sessions"].([]any) {
		all = append(all, s.(map[string]any)["name"].(string))
	}
	return all
}

// stored is all that the fleet has of a session.
func (y *yard) stored(key string) string {
	y.Helper()
	st, err := y.fleet.Get(y.Context(), key)
	y.must(err)
	snapshot, err := y.fleet.Snapshot(y.Context(), key)
	y.must(err)
	return fmt.Sprint(st.Revision, st.Inbox, st.Configuration, string(snapshot))
}

// What happens to a copy, forward, back and on a branch, happens to nothing else.
func TestCopyKeepsToItself(t *testing.T) {
	y := newYard(t, copies.Config{})
	y.create("p")
	before, log := y.stored("p"), y.log.Len()
	id := y.open("p")
	y.ask(id, "POST", "sessions/1/send", `{"event":"weigh","data":12}`)
	y.ask(id, "POST", "sessions/1/send", `{"event":"ship"}`)
	if got := y.at(id, "1", "last"); got != "running in [moving] at 3" {
		t.Errorf("after ship: %s", got)
	}
	if got := y.at(id, "1", "1"); got != "running in [packed] at 1" {
		t.Errorf("before: %s", got)
	}
	y.ask(id, "POST", "sessions/1/branch", `{"at":1}`)
	y.ask(id, "POST", "sessions/2/advance", `{"next":true}`) // the weight is 3 there
	if got := y.at(id, "2", "last"); got != "running in [moving] at 2" {
		t.Errorf("the branch: %s", got)
	}
	y.ask(id, "POST", "sessions/2/send", `{"event":"done.invoke.track"}`) // in place of the service
	if got := y.at(id, "2", "last"); got != "final in [] at 3" {
		t.Errorf("the branch: %s", got)
	}
	if after := y.stored("p"); after != before || y.log.Len() != log {
		t.Errorf("the session was %s\nand is %s\nlog %s", before, after, y.log.String())
	}
}

// A copy begins in the present: with what its inbox and its timers have done by now.
func TestCopyIsPresent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, copies.Config{})
		y.create("p")
		time.Sleep(time.Hour)
		id := y.open("p") // nothing has happened, but an hour has passed
		p := y.ask(id, "GET", "sessions/1/positions/last", "")
		if left := p["timers"].([]any)[0].(map[string]any)["due_ms"].(float64) - p["time_ms"].(float64); left != 3600e3 {
			t.Errorf("the timer is due in %v ms", left)
		}
		y.copies.Close(id)
		y.send("p", "weigh")
		time.Sleep(2 * time.Hour)
		id = y.open("p")
		if got := y.at(id, "1", "last"); got != "running in [moving] at 2" {
			t.Errorf("the copy is %s", got)
		}
		if got := y.at(id, "1", "0"); got != "running in [packed] at 0" {
			t.Errorf("it began %s", got)
		}
		y.copies.Close(id)
	})
}

// A session that is stuck is shown as it is, and as it would be after what an operator could do.
func TestCopiesOfStuckSessions(t *testing.T) {
	y := newYard(t, copies.Config{})
	for key, events := range map[string][]string{"resting": {"ship"}, "event": {"jam", "ship"}} {
		y.create(key)
		y.must(y.fleet.Suspend(t.Context(), key))
		for _, event := range events {
			y.send(key, event)
		}
	}
	id := y.open("resting")
	if got := y.names(id); !slices.Equal(got, []string{"resting", "resting, resumed"}) {
		t.Errorf("names %q", got)
	}
	for session, want := range map[string]string{"1/0": "running in [packed] at 0", "2/1": "running in [moving] at 1"} {
		session, n, _ := strings.Cut(session, "/")
		if got := y.at(id, session, n); got != want {
			t.Errorf("session %s is %s, want %s", session, got, want)
		}
	}
	y.must(y.fleet.Resume(t.Context(), "event"))
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error)
	go func() { ran <- y.fleet.Run(ctx) }()
	var st fleet.State
	for range y.fleet.Watch(t.Context(), "event", 0) {
		var err error
		if st, err = y.fleet.Get(t.Context(), "event"); err != nil || st.Failure != nil {
			y.must(err)
			break
		}
	}
	cancel()
	if err := <-ran; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	id = y.open("event")
	if got := y.names(id); !slices.Equal(got, []string{"event", "event, retried", "event, skipped"}) {
		t.Errorf("names %q", got)
	}
	for session, want := range map[string]string{"1/last": "running in [packed] at 0", "2/1": "stopped in [] at 1", "3/1": "running in [moving] at 1"} {
		session, n, _ := strings.Cut(session, "/")
		if got := y.at(id, session, n); got != want {
			t.Errorf("session %s is %s, want %s", session, got, want)
		}
	}
}

// A session with a timer that fails is shown without it, too.
func TestCopySkipsTimers(t *testing.T) {
	y := newYard(t, copies.Config{})
	chart, err := scxml.Parse("t.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="a"><onentry><send event="now" delay="1ms"/><send event="tomorrow" delay="24h"/></onentry>
			<transition event="now" target="jammed"/></state>
		<state id="jammed"><transition target="jammed"/></state></scxml>`), scxml.WithLimits(scxml.Limits{Microsteps: 10}))
	if err == nil {
		err = y.fleet.Define(fleet.Define("t", chart))
	}
	if err == nil {
		err = y.fleet.Create(t.Context(), "k", fleet.CreateOptions{Chart: "t"})
	}
	y.must(err)
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error)
	go func() { ran <- y.fleet.Run(ctx) }()
	for range y.fleet.Watch(t.Context(), "k", 1) {
		break // it has failed
	}
	cancel()
	<-ran
	id := y.open("k")
	if got := y.names(id); !slices.Equal(got, []string{"k", "k, retried", "k, skipped"}) {
		t.Errorf("names %q", got)
	}
	if got := y.at(id, "2", "last"); !strings.HasPrefix(got, "stopped in []") {
		t.Errorf("retried: %s", got)
	}
	p := y.ask(id, "GET", "sessions/3/positions/last", "")
	if timers := p["timers"].([]any); len(timers) != 1 || timers[0].(map[string]any)["name"] != "tomorrow" {
		t.Errorf("timers %v", timers)
	}
}

// Copies are few, and those that nobody uses are closed.
func TestCopiesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, copies.Config{Copies: 2, Idle: 10 * time.Minute})
		y.create("p")
		var ids []string
		for range 3 {
			ids = append(ids, y.open("p"))
			time.Sleep(time.Second)
			y.ask(ids[0], "GET", "sessions", "")
		}
		for i, want := range []bool{true, false, true} {
			if got := y.copies.Handler(ids[i]) != nil; got != want {
				t.Errorf("copy %d is open: %v", i, got)
			}
		}
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan bool)
		go func() { // a page
			r := httptest.NewRequestWithContext(ctx, "GET", "/api/events?session=1", nil)
			y.copies.Handler(ids[0]).ServeHTTP(httptest.NewRecorder(), r)
			close(left)
		}()
		time.Sleep(9 * time.Minute)
		if y.copies.Handler(ids[0]) == nil || y.copies.Handler(ids[2]) != nil {
			t.Error("the copy with a page is closed, or the one without is open")
		}
		y.ask(ids[0], "GET", "sessions", "")
		time.Sleep(9 * time.Minute)
		if y.copies.Handler(ids[0]) == nil {
			t.Error("a copy that was used is closed")
		}
		leave()
		<-left
		time.Sleep(30 * time.Second) // the page is loaded again
		y.ask(ids[0], "GET", "sessions", "")
		time.Sleep(2 * time.Minute)
		if y.copies.Handler(ids[0]) != nil {
			t.Error("a copy without a page is open")
		}
		id := y.open("p")
		go func() {
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/api/events?session=1", nil)
			y.copies.Handler(id).ServeHTTP(httptest.NewRecorder(), r)
		}()
		time.Sleep(11 * time.Minute) // the page is open, and nobody is there
		if y.copies.Handler(id) != nil {
			t.Error("a copy that nobody uses is open")
		}
	})
}

// Branches are bounded, too.
func TestBranchesOfCopiesAreBounded(t *testing.T) {
	y := newYard(t, copies.Config{})
	y.create("p")
	id := y.open("p")
	for range 8 {
		y.ask(id, "POST", "sessions/1/branch", `{"at":0}`)
	}
	if got := y.ask(id, "POST", "sessions/1/branch", `{"at":0}`)["status"]; got != "409: there are 8 branches, which is the limit; close one" {
		t.Errorf("the ninth: %v", got)
	}
}

func TestNoSessionToCopy(t *testing.T) {
	y := newYard(t, copies.Config{})
	if _, err := y.copies.Open(t.Context(), "p"); !errors.Is(err, fleet.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}
