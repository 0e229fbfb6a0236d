package fleet_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

func TestSuspendedSessionsAcceptAndWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, fleet.NewMemory(), fleet.Config{}, parse(t, "counter", counter))
		ctx := t.Context()
		if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		if err := errors.Join(f.Suspend(ctx, "k"), f.Suspend(ctx, "k")); err != nil {
			t.Error(err)
		}
		if _, err := f.Send(ctx, "k", ev("add", 1)); err != nil {
			t.Error(err)
		}
		if _, err := f.Do(ctx, "k", ev("add", 1)); !errors.Is(err, fleet.ErrSuspended) {
			t.Error(err)
		}
		synctest.Wait()
		s, err := f.Get(ctx, "k")
		if list, lerr := f.List(ctx, "", 0); err != nil || lerr != nil || len(list) != 1 || list[0] != s.Info || s.Info.Status != "suspended" || s.Inbox != 1 {
			t.Errorf("%+v, %v, %+v, %v", s, err, list, lerr)
		}
		if _, err := f.Skip(ctx, "k"); !errors.Is(err, fleet.ErrNoFailure) || !strings.HasSuffix(err.Error(), "continues after resume") {
			t.Error("nothing has failed, and Skip says", err)
		}
		if err := f.Retry(ctx, "k"); !errors.Is(err, fleet.ErrNoFailure) || !strings.HasSuffix(err.Error(), "continues after resume") {
			t.Error("nothing has failed, and Retry says", err)
		}
		if err := f.Resume(ctx, "k"); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if got := data(t, f, "k"); got != `{"n":1}` {
			t.Errorf("data %s", got)
		}
		if err := f.Resume(ctx, "k"); !errors.Is(err, fleet.ErrNotSuspended) {
			t.Error(err)
		}
		stop()
	})
}

// What a service says to a suspended session arrives as soon as that is resumed.
func TestServicesWaitForResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		def := parse(t, "work", `<datamodel><data id="got" expr="[]"/></datamodel><state id="s"><invoke type="x-work" id="w"/>
			<transition event="tell"><send event="told" target="#_w"/></transition>
			<transition event="*"><script>got.push(_event.name)</script></transition></state>`)
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Services: map[string]scxml.Invoker{"x-work": scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
			for _, name := range []string{"one", "two"} {
				if _, err := inv.Receive(ctx); err != nil {
					return nil, err
				}
				time.Sleep(time.Hour) // long after Suspend
				if err := inv.Send(ev(name, nil)); err != nil {
					return nil, err
				}
			}
			time.Sleep(time.Hour)
			return nil, nil
		})}}, def)
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		want := `{"got":[`
		for i, name := range []string{"one", "two", "done.invoke.w"} {
			if i < 2 {
				if _, err := f.Do(t.Context(), "k", ev("tell", nil)); err != nil {
					t.Fatal(err)
				}
			}
			synctest.Wait()
			if err := f.Suspend(t.Context(), "k"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(90*time.Minute + 7*time.Second)
			if err := f.Resume(t.Context(), "k"); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			want += `"` + name + `"`
			if got := data(t, f, "k"); got != want+"]}" {
				t.Errorf("after Resume %s, want %s]}", got, want)
			}
			want += ","
		}
		stop()
	})
}

// A session whose service's result was skipped hears of that at once.
func TestSkippedServiceIsHeardOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		def := parse(t, "work", `<state id="s"><invoke type="x-work" id="w"/>
			<transition event="error.communication" target="skipped"/></state><state id="skipped"/>`,
			scxml.WithTrace(&scxml.Trace{Event: func(_ *scxml.Session, ev *scxml.Event) {
				if ev.Name == "done.invoke.w" {
					panic("broken")
				}
			}}))
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Services: map[string]scxml.Invoker{"x-work": scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
			return nil, nil
		})}}, def)
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		defer stop()
		time.Sleep(time.Minute)
		s, err := f.Get(t.Context(), "k")
		if err != nil || s.Info.Status != "suspended" || s.Failure == nil || s.Failure.Task == 0 {
			t.Fatalf("%+v, %v", s, err)
		}
		if _, err := f.Skip(t.Context(), "k"); err != nil {
			t.Fatal(err)
		}
		if s, err = f.Get(t.Context(), "k"); err != nil || !slices.Equal(s.Configuration, []string{"skipped"}) || len(s.Tasks) > 0 {
			t.Errorf("after Skip the session is in %q with tasks %v, %v", s.Configuration, s.Tasks, err)
		}
	})
}

// What an error quotes of a session's data is not stored with the session in full.
func TestFailureHasAShortMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, fleet.NewMemory(), fleet.Config{}, parse(t, "m", `<datamodel><data id="n" expr="{}"/></datamodel>
			<state id="s"><transition event="go"><script>n["x".repeat(300000)] = Promise.resolve(1)</script></transition></state>`))
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Send(t.Context(), "k", ev("go", nil)); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		synctest.Wait()
		stop()
		s, err := f.Get(t.Context(), "k")
		if err != nil || s.Failure == nil {
			t.Fatalf("%+v, %v", s, err)
		}
		if n := len(s.Failure.Message); n > 2000 {
			t.Errorf("the message has %d bytes", n)
		}
	})
}

func TestStopRunsHandlersAndDeleteForgets(t *testing.T) {
	f := newFleet(t, fleet.NewMemory(), fleet.Config{}, parse(t, "m", `<datamodel><data id="n" expr="0"/></datamodel>
		<state id="s"><onexit><assign location="n" expr="1"/></onexit><transition event="go"/></state>`))
	ctx := t.Context()
	if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if trial, err := f.Try(ctx, "k", ev("go", nil)); err != nil || !trial.Handled || !trial.Certain || len(trial.Candidates) != 1 {
		t.Errorf("%+v, %v", trial, err)
	}
	if _, err := f.Send(ctx, "k", ev("go", nil)); err != nil {
		t.Error(err)
	}
	if err := f.Stop(ctx, "k"); err != nil {
		t.Error(err)
	}
	s, err := f.Get(ctx, "k")
	if err != nil || s.Info.Status != "stopped" || s.Data.String() != `{"n":1}` || len(s.Enabled) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, err := range []error{f.Stop(ctx, "k"), f.Suspend(ctx, "k"), second(f.Send(ctx, "k", ev("go", nil))), second(f.Do(ctx, "k", ev("go", nil))), second(f.Try(ctx, "k", ev("go", nil)))} {
		if !errors.Is(err, fleet.ErrEnded) {
			t.Error(err)
		}
	}
	if err := f.Delete(ctx, "k"); err != nil {
		t.Error(err)
	}
	for _, err := range []error{f.Delete(ctx, "k"), f.Stop(ctx, "k"), second(f.Get(ctx, "k")), second(f.Snapshot(ctx, "k")), second(f.Log(ctx, "k", 0, 0))} {
		if !errors.Is(err, fleet.ErrNotFound) {
			t.Error(err)
		}
	}
	if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
		t.Error(err)
	}
	if s, err := f.Get(ctx, "k"); err != nil || s.Accepted != 0 || s.Info.Status != "running" {
		t.Errorf("%+v, %v", s, err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestWatchFollowsTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, fleet.NewMemory(), fleet.Config{}, parse(t, "counter", counter))
		ctx := t.Context()
		if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Do(ctx, "k", ev("add", 1)); err != nil {
			t.Fatal(err)
		}
		var got []string
		done := make(chan error)
		go func() {
			for e, err := range f.Watch(ctx, "k", 0) {
				if err != nil {
					done <- err
					return
				}
				for _, s := range e.Steps {
					got = append(got, strings.TrimSpace(s.Kind+" "+s.Event+" "+strings.Join(s.Entered, ",")))
				}
			}
		}()
		synctest.Wait()
		if _, err := f.Do(ctx, "k", ev("end", nil)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if want := []string{"start  on", "event add", "event end off"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if err := f.Delete(ctx, "k"); err != nil {
			t.Fatal(err)
		}
		if err := <-done; !errors.Is(err, fleet.ErrNotFound) {
			t.Error(err)
		}
	})
}

// A Run that ends still works: there is no other one beside it, which would deliver the same.
func TestOneRunAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		delivering := 0
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Processors: map[string]fleet.Deliver{"x-post": func(context.Context, fleet.Delivery) error {
			if delivering++; delivering > 1 {
				t.Error("the message is delivered twice at a time")
			}
			time.Sleep(time.Minute) // whatever the context says
			delivering--
			return nil
		}}}, parse(t, "reminder", reminder))
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Do(t.Context(), "k", ev("say", nil)); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- f.Run(ctx) }()
		time.Sleep(time.Second)
		cancel()
		synctest.Wait()
		again, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := f.Run(again); err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Run beside one that ends: %v", err)
		}
		<-done
		if err := f.Run(again); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Run after one that has ended: %v", err)
		}
	})
}

// The log of a session does not speak of a failure because a process was stopped, and started again
// later than a timer was due.
func TestStopIsNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := fleet.NewMemory()
		f := newFleet(t, store, fleet.Config{}, parse(t, "counter", counter))
		ctx := t.Context()
		if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Send(ctx, "k", ev("add", 1)); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		stop := run(t, f)
		synctest.Wait()
		stop()
		if got := data(t, f, "k"); got != `{"n":1}` {
			t.Errorf("data %s", got)
		}
		log, err := f.Log(ctx, "k", 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, e := range log {
			kinds = append(kinds, e.Steps[0].Kind)
		}
		if want := []string{"start", "event"}; !slices.Equal(kinds, want) {
			t.Errorf("the log has %q, want %q", kinds, want)
		}
	})
}

// Do leaves a suspended session alone, also when it has ended: what has failed waits for an operator.
func TestDoLeavesSuspendedSessionsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, store := t.Context(), &narrow{Memory: fleet.NewMemory(), left: 3}
		def := parse(t, "counter", counter)
		f := newFleet(t, store, fleet.Config{}, def)
		if err := errors.Join(f.Create(ctx, "k", fleet.CreateOptions{}), second(f.Send(ctx, "k", ev("add", 1))), f.Stop(ctx, "k")); err != nil {
			t.Fatal(err)
		}
		for _, notes := range []int{1, 2, 2, 1} { // each Run notes that it is about to work for the session, and gets no further
			time.Sleep(time.Second)
			store.left = notes
			stop := run(t, newFleet(t, store, fleet.Config{}, def))
			time.Sleep(10 * time.Second)
			stop()
		}
		store.left = 10
		f = newFleet(t, store, fleet.Config{}, def)
		if _, err := f.Do(ctx, "k", ev("add", 1)); !errors.Is(err, fleet.ErrEnded) {
			t.Errorf("Do returns %v, want that the session has ended", err)
		}
		if s, err := f.Get(ctx, "k"); err != nil || s.Info.Status != "suspended" || s.Inbox != 1 || s.Failure == nil {
			t.Errorf("%+v, %v, want a suspended session with a failure", s, err)
		}
		if err := f.Retry(ctx, "k"); err != nil {
			t.Error(err)
		}
		defer run(t, f)()
		time.Sleep(time.Second)
		if s, err := f.Get(ctx, "k"); err != nil || s.Info.Status != "stopped" || s.Inbox != 0 || s.Failure != nil {
			t.Errorf("%+v, %v, want a stopped session without events", s, err)
		}
	})
}

// narrow is a store that has room for some commits.
type narrow struct {
	*fleet.Memory
	left int
}

func (n *narrow) Commit(ctx context.Context, changes []fleet.Change) []error {
	if n.left--; n.left < 0 {
		return slices.Repeat([]error{errors.New("the disk is full")}, len(changes))
	}
	return n.Memory.Commit(ctx, changes)
}
