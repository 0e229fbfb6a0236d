package scxml_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// The door closes by itself five seconds after the first push, and thus before the second.
func ExampleSession_Do() {
	door, now := newDoor()
	ctx := context.Background()
	for _, after := range []time.Duration{0, 7 * time.Second} {
		effect, err := door.Do(ctx, now.Add(after), scxml.Event{Name: "push"})
		fmt.Println("handled:", effect.Handled, err)
		for _, state := range effect.Entered {
			fmt.Println("entered", state.Name())
		}
		for _, m := range effect.Sent {
			fmt.Println("sent", m.Event.Name)
		}
	}
	// Output:
	// handled: true <nil>
	// entered open
	// sent bell
	// handled: true <nil>
	// entered closed
	// entered open
	// sent close
	// sent bell
}

// Only the door itself closes: it takes push.
func ExampleSession_Handle() {
	door, now := newDoor()
	_, err := door.Handle(context.Background(), now, scxml.Event{Name: "pull"})
	fmt.Println(err)
	// Output: scxml: "pull" is not handled in closed, which takes push
}

// A program that handles many events gives the same Effect again and again.
func ExampleSession_DoInto() {
	door, now := newDoor()
	var effect scxml.Effect
	for range 2 {
		err := door.DoInto(context.Background(), now, scxml.Event{Name: "push"}, &effect)
		fmt.Println(effect.Handled, len(effect.Entered), err)
	}
	// Output:
	// true 1 <nil>
	// false 0 <nil>
}

func ExampleSession_Try() {
	chart, _ := scxml.Parse("shop.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="price" expr="10"/></datamodel>
		<state id="shop">
			<transition event="pay" cond="_event.data &gt;= price" target="paid"/>
			<transition event="leave" target="gone"/>
		</state>
		<state id="paid"/><state id="gone"/></scxml>`))
	s, _ := scxml.New(chart)
	ctx := context.Background()
	s.Start(ctx)
	for _, amount := range []int{5, 10} {
		trial, err := s.Try(ctx, scxml.Event{Name: "pay", Data: amount})
		fmt.Println(amount, trial.Handled, err)
		fmt.Print(trial)
	}
	// Output:
	// 5 false <nil>
	// shop.scxml:4:4: shop: pay: cond false (_event.data >= price)
	// shop.scxml:5:4: shop: leave: no match
	// 10 true <nil>
	// shop.scxml:4:4: shop: pay: taken (_event.data >= price)
	// shop.scxml:5:4: shop: leave: no match
}

func ExampleData() {
	door, now := newDoor()
	door.Do(context.Background(), now, scxml.Event{Name: "push"})
	data, err := scxml.Data[struct{ Opened int }](door)
	fmt.Println(data.Opened, err)
	// Output: 1 <nil>
}

// Users cannot close the door: the chart does that itself.
func ExampleWithAccept() {
	chart, _ := scxml.Parse("door.scxml", []byte(door))
	s, _ := scxml.New(chart, scxml.WithAccept(chart.IsUserEvent))
	s.Start(context.Background())
	for _, name := range []string{"push", "close"} {
		err := s.Send(scxml.Event{Name: name})
		fmt.Println(name, errors.Is(err, scxml.ErrNotAccepted))
	}
	// Output:
	// push false
	// close true
}

// A host of many sessions drives those that have work.
func ExampleWithWake() {
	ready := make(chan *scxml.Session, 10) // as many as there are sessions
	door, now := newDoor(scxml.WithWake(func(s *scxml.Session) { ready <- s }))
	door.Send(scxml.Event{Name: "push"})
	door.Send(scxml.Event{Name: "push"})
	fmt.Println("ready:", len(ready))
	s := <-ready
	for more := true; more; {
		more, _ = s.Step(context.Background(), now)
	}
	fmt.Println("ready:", len(ready), s.Configuration())
	// Output:
	// ready: 1
	// ready: 0 [open]
}
