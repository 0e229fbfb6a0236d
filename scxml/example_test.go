package scxml_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func ExampleParse_diagnostics() {
	_, err := scxml.Parse("bad.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="s0"><transition event="go" target="s9"/></state>
  <state id="s0"/>
</scxml>`))
	var bad *scxml.DocumentError
	if errors.As(err, &bad) {
		for _, d := range bad.Diagnostics {
			fmt.Printf("%s: %s: %s [%s]\n", d.Pos, d.Severity, d.Message, d.Code)
		}
	}
	// Output:
	// bad.scxml:2:49: error: state "s0": target "s9" not found (did you mean "s0"?) [unknown-target]
	// bad.scxml:3:14: error: id "s0" is already taken by the <state> at 2:3 [duplicate-id]
}

func ExampleLoad() {
	files := fstest.MapFS{
		"charts/hello.scxml": {Data: []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
			<script src="greet.js"/>
			<final id="done"><donedata><content expr="greet('world')"/></donedata></final></scxml>`)},
		"charts/greet.js": {Data: []byte(`function greet(who) { return "hello, " + who }`)},
	}
	chart, err := scxml.Load(files, "charts/hello.scxml")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := scxml.New(chart)
	fmt.Println(s.Run(context.Background()), s.DoneData())
	// Output: <nil> hello, world
}

func ExampleSession_Run() {
	chart, _ := scxml.Parse("wait.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="waiting">
			<onentry><send event="late" delay="20ms"/></onentry>
			<transition event="late" target="over"/>
		</state>
		<final id="over"/></scxml>`))
	s, _ := scxml.New(chart)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	fmt.Println(s.Run(ctx), s.FinalState())
	// Output: <nil> over
}

func ExampleSession_Advance() {
	chart, _ := scxml.Parse("blink.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
		<state id="off"><onentry><send event="tick" delay="1s"/></onentry><transition event="tick" target="on"/></state>
		<state id="on"><onentry><send event="tick" delay="1s"/></onentry><transition event="tick" target="off"/></state></scxml>`))
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	s, _ := scxml.New(chart, scxml.WithClock(func() time.Time { return now }))
	s.OnState("on", func(active bool) { fmt.Println(s.Now().Format(time.TimeOnly), "on:", active) })
	ctx := context.Background()
	s.Start(ctx)
	s.Advance(ctx, now.Add(4*time.Second))
	// Output:
	// 00:00:01 on: true
	// 00:00:02 on: false
	// 00:00:03 on: true
	// 00:00:04 on: false
}

func ExampleWithData() {
	chart, _ := scxml.Parse("sum.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="numbers" expr="[]"/></datamodel>
		<final id="done"><donedata><content expr="numbers.reduce((a, b) => a + b, 0)"/></donedata></final></scxml>`))
	s, _ := scxml.New(chart, scxml.WithData("numbers", []int{1, 2, 3}))
	s.Start(context.Background())
	fmt.Println(s.DoneData())
	// Output: 6
}

func ExampleWithLogger() {
	chart, _ := scxml.Parse("log.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="s"><onentry><log label="answer" expr="6 * 7"/><log expr="nothing.there"/></onentry></state></scxml>`))
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	s, _ := scxml.New(chart, scxml.WithLogger(logger), scxml.WithSessionID("one"))
	s.Start(context.Background())
	// Output:
	// level=INFO msg=log label=answer value=42 session=one
	// level=WARN msg="ReferenceError: nothing is not defined" event=error.execution element=log at=log.scxml:2:71 session=one
}

func ExampleWithTrace() {
	chart, _ := scxml.Parse("trace.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="a"><transition target="b"/></state><state id="b"/></scxml>`))
	s, _ := scxml.New(chart, scxml.WithTrace(&scxml.Trace{
		Enter: func(_ *scxml.Session, st scxml.State) { fmt.Println("enter", st.Name()) },
		Exit:  func(_ *scxml.Session, st scxml.State) { fmt.Println("exit", st.Name()) },
		Error: func(_ *scxml.Session, err *scxml.ExecutionError) { fmt.Println(err) },
	}))
	s.Start(context.Background())
	// Output:
	// enter a
	// exit a
	// enter b
}

func ExampleWithSeed() {
	chart, _ := scxml.Parse("dice.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`))
	throw := func() datamodel.Value {
		s, _ := scxml.New(chart, scxml.WithSeed(42))
		s.Start(context.Background())
		v, _ := s.Eval(context.Background(), "1 + Math.floor(6 * Math.random())")
		return v
	}
	fmt.Println(throw() == throw())
	// Output: true
}

func ExampleWithLimits() {
	chart, _ := scxml.Parse("endless.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
		<state id="ping"><transition target="pong"/></state><state id="pong"><transition target="ping"/></state></scxml>`))
	s, _ := scxml.New(chart, scxml.WithLimits(scxml.Limits{Microsteps: 1000}))
	fmt.Println(s.Start(context.Background()))
	// Output: scxml: limit Microsteps = 1000 exceeded: the chart loops through ping, pong by the transitions at endless.scxml:2:72, 2:20
}

func ExampleWithClock() {
	chart, _ := scxml.Parse("date.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`))
	s, _ := scxml.New(chart, scxml.WithClock(func() time.Time { return time.Date(2015, 9, 1, 0, 0, 0, 0, time.UTC) }))
	s.Start(context.Background())
	v, _ := s.Eval(context.Background(), "new Date().toISOString()")
	fmt.Println(v)
	// Output: 2015-09-01T00:00:00.000Z
}

func ExampleWithSessionID() {
	chart, _ := scxml.Parse("id.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`))
	s, _ := scxml.New(chart, scxml.WithSessionID("order-17"))
	s.Start(context.Background())
	v, _ := s.Eval(context.Background(), "_sessionid")
	fmt.Println(v)
	// Output: order-17
}

// A tool shows what a document has, although it has errors.
func ExampleSketch() {
	chart, err := scxml.Sketch("door.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="shut"><transition event="push" target="opne"/></state>
  <state id="open"><transition event="pull" target="shut"/></state>
</scxml>`))
	fmt.Println(err)
	for _, t := range chart.Transitions() {
		fmt.Println(t)
	}
	_, err = scxml.New(chart)
	fmt.Println(err != nil)
	// Output:
	// door.scxml:2:53: state "shut": target "opne" not found (did you mean "open"?)
	// shut push
	// open pull -> shut
	// true
}
