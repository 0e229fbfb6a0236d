package scxml_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const door = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="opened" expr="0"/></datamodel>
  <state id="closed">
    <transition event="push" target="open"/>
  </state>
  <state id="open">
    <onentry>
      <assign location="opened" expr="opened + 1"/>
      <send event="bell"><param name="times" expr="opened"/></send>
      <send event="close" delay="5s"/>
    </onentry>
    <onexit><log label="clack"/></onexit>
    <transition event="close" target="closed"/>
  </state>
</scxml>`

// newDoor returns a started session of the door, at time 0.
func newDoor(opts ...scxml.Option) (*scxml.Session, time.Time) {
	chart, err := scxml.Parse("door.scxml", []byte(door))
	if err != nil {
		panic(err)
	}
	start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := scxml.New(chart, append(opts, scxml.WithClock(func() time.Time { return start }))...)
	if err != nil {
		panic(err)
	}
	if err := s.Start(context.Background()); err != nil {
		panic(err)
	}
	return s, start
}

// A host with its own event loop takes one step after the other and asks when the next event is
// due.
func ExampleSession_Step() {
	s, now := newDoor()
	s.Send(scxml.Event{Name: "push"})
	for range 2 {
		for more := true; more; {
			var err error
			if more, err = s.Step(context.Background(), now); err != nil {
				fmt.Println(err)
				return
			}
		}
		fmt.Println(now.Format(time.TimeOnly), s.Configuration())
		due, ok := s.NextDue()
		if !ok {
			return
		}
		now = due // a real host waits until then, or until Wake says that something was sent
	}
	// Output:
	// 00:00:00 [open]
	// 00:00:05 [closed]
}

// The rows of an old table become sessions, each in the state of its row. What the door did when it was
// opened is over: no bell rings.
func ExampleWithConfiguration() {
	for _, row := range []struct {
		state  string
		opened int
	}{{"open", 3}, {"closed", 7}} {
		s, now := newDoor(scxml.WithConfiguration(row.state), scxml.WithData("opened", row.opened))
		effect, err := s.Do(context.Background(), now, scxml.Event{Name: "push"})
		fmt.Println(row.state, "->", s.Configuration(), len(effect.Sent), err)
	}
	chart, _ := scxml.Parse("door.scxml", []byte(door))
	_, err := scxml.New(chart, scxml.WithConfiguration("opened"))
	fmt.Println(err)
	// Output:
	// open -> [open] 0 <nil>
	// closed -> [open] 1 <nil>
	// scxml: WithConfiguration: door.scxml has no state "opened" (did you mean "open"?)
}

func ExampleSession_OnState() {
	s, now := newDoor()
	forget := s.OnState("open", func(active bool) { fmt.Println("open:", active) })
	s.Send(scxml.Event{Name: "push"})
	s.Advance(context.Background(), now.Add(time.Minute))
	forget()
	s.Send(scxml.Event{Name: "push"})
	s.Advance(context.Background(), now.Add(2*time.Minute))
	// Output:
	// open: true
	// open: false
}

func ExampleSession_OnSend() {
	s, now := newDoor()
	s.OnSend("bell", func(ev scxml.Event) { fmt.Println("the chart says", ev.Name) })
	s.Send(scxml.Event{Name: "push"})
	s.Advance(context.Background(), now)
	// Output: the chart says bell
}

func ExampleSession_OnEvent() {
	s, now := newDoor()
	s.OnEvent("*", func(ev scxml.Event) { fmt.Println("the chart hears", ev.Name) })
	s.Send(scxml.Event{Name: "push"})
	s.Send(scxml.Event{Name: "nobody.waits.for.this"})
	s.Advance(context.Background(), now)
	// Output:
	// the chart hears push
	// the chart hears nobody.waits.for.this
	// the chart hears bell
}

func ExampleEventData() {
	s, now := newDoor()
	s.OnSend("bell", func(ev scxml.Event) {
		data, err := scxml.EventData[struct{ Times int }](ev)
		fmt.Println(data.Times, err)
	})
	s.Send(scxml.Event{Name: "push"})
	s.Advance(context.Background(), now)
	// Output: 1 <nil>
}

func ExampleSession_Eval() {
	s, now := newDoor()
	s.Send(scxml.Event{Name: "push"})
	s.Advance(context.Background(), now)
	ctx := context.Background()
	fmt.Println(s.Eval(ctx, "opened * 100"))
	fmt.Println(s.Eval(ctx, "In('open')"))
	_, err := s.Eval(ctx, "nothing.there")
	fmt.Println(err)
	// Output:
	// 100 <nil>
	// true <nil>
	// ReferenceError: nothing is not defined
}

// Call looks into a session from another goroutine between two macrosteps.
func ExampleSession_Call() {
	s, _ := newDoor()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Run(ctx) }()

	err := s.Call(ctx, func(s *scxml.Session) { fmt.Println(s.Configuration()) })
	fmt.Println(err)

	cancel()
	fmt.Println(errors.Is(<-done, context.Canceled))
	// Output:
	// [closed]
	// <nil>
	// true
}

// Stop ends a session: its onexit handlers run, and its driver returns ErrStopped.
func ExampleSession_Stop() {
	s, now := newDoor()
	s.Send(scxml.Event{Name: "push"})
	s.Advance(context.Background(), now)
	s.OnState("open", func(active bool) { fmt.Println("open:", active) })

	s.Stop()
	err := s.Advance(context.Background(), now)
	fmt.Println(errors.Is(err, scxml.ErrStopped), s.Status(), s.Send(scxml.Event{Name: "push"}))
	// Output:
	// open: false
	// true stopped scxml: session has ended
}
