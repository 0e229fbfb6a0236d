package scxml_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// mustParse is for examples with correct charts.
func mustParse(inside string, opts ...scxml.ChartOption) *scxml.Chart {
	chart, err := scxml.Parse("example.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+inside+`</scxml>`), opts...)
	if err != nil {
		panic(err)
	}
	return chart
}

// A Go service counts the words of a text while the chart waits.
func ExampleWithInvoker() {
	chart := mustParse(`<state id="counting">
		<invoke type="words" id="count"><content>a rose is a rose</content></invoke>
		<transition event="done.invoke.count" target="over"/>
	</state>
	<final id="over"><donedata><content expr="_event.data"/></donedata></final>`)
	words := func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		return len(strings.Fields(datamodel.Text(inv.Content))), nil
	}
	s, _ := scxml.New(chart, scxml.WithInvoker("words", scxml.InvokerFunc(words)))
	fmt.Println(s.Run(context.Background()), s.DoneData())
	// Output: <nil> 5
}

// printer is an Event I/O Processor that prints what a chart sends.
type printer struct{}

func (printer) Open(*scxml.Session) string { return "" }
func (printer) Close(*scxml.Session)       {}
func (printer) Send(s *scxml.Session, m scxml.Message, done func(error)) error {
	if m.Target == "" {
		return errors.New("a message needs a target")
	}
	fmt.Println(m.Target, "gets", m.Event.Name, datamodel.Text(m.Event.Data))
	done(nil)
	return nil
}

func ExampleWithIOProcessor() {
	chart := mustParse(`<state id="s"><onentry>
		<send type="urn:example:print" target="kitchen" event="order"><param name="table" expr="7"/></send>
	</onentry></state>`)
	s, _ := scxml.New(chart, scxml.WithIOProcessor("urn:example:print", printer{}))
	s.Start(context.Background())
	// Output: kitchen gets order {"table":7}
}

func ExampleWithAction() {
	chart := mustParse(`<datamodel><data id="name" expr="'world'"/></datamodel>
	<state id="s"><onentry><e:greet xmlns:e="urn:example" who="name"/></onentry></state>`)
	greet := func(call *scxml.ActionCall) error {
		who, err := call.Value("who")
		if err != nil {
			return err
		}
		fmt.Println("hello,", who)
		return nil
	}
	s, _ := scxml.New(chart, scxml.WithAction(xml.Name{Space: "urn:example", Local: "greet"}, greet))
	s.Start(context.Background())
	// Output: hello, world
}

func ExampleWithFunc() {
	chart := mustParse(`<state id="s"><onentry><log expr="upper('quiet')"/></onentry></state>`)
	s, _ := scxml.New(chart, scxml.WithFunc("upper", strings.ToUpper), scxml.WithTrace(&scxml.Trace{
		Log: func(_ *scxml.Session, _ string, v datamodel.Value) { fmt.Println(v) },
	}))
	s.Start(context.Background())
	// Output: QUIET
}

// An account is what a session stands for.
type account struct{ balance int }

func (a *account) Covers(sum int) bool { return sum <= a.balance }
func (a *account) Withdraw(sum int)    { a.balance -= sum }

// The options are made once. Each session has an account of its own.
func ExampleWithHost() {
	chart := mustParse(`<state id="open">
		<transition event="withdraw" cond="covers(_event.data)"><script>withdraw(_event.data)</script></transition>
	</state>`)
	opts := scxml.Options{
		scxml.WithFunc("covers", (*account).Covers),
		scxml.WithFunc("withdraw", (*account).Withdraw),
	}
	accounts := []*account{{balance: 100}, {balance: 10}}
	for _, a := range accounts {
		s, _ := scxml.New(chart, opts, scxml.WithHost(a))
		s.Start(context.Background())
		s.Do(context.Background(), time.Now(), scxml.Event{Name: "withdraw", Data: 30})
	}
	fmt.Println(accounts[0].balance, accounts[1].balance)
	// Output: 70 10
}

func ExampleWithRouter() {
	var directory scxml.Directory
	caller := mustParse(`<state id="s"><onentry><send event="ping" target="#_scxml_callee"/></onentry>
		<transition event="pong" target="t"/></state><state id="t"/>`)
	callee := mustParse(`<state id="s"><transition event="ping"><send event="pong" targetexpr="_event.origin"/></transition></state>`)
	ctx := context.Background()
	b, _ := scxml.New(callee, scxml.WithRouter(&directory), scxml.WithSessionID("callee"))
	b.Start(ctx)
	a, _ := scxml.New(caller, scxml.WithRouter(&directory))
	a.Start(ctx)
	b.Advance(ctx, time.Now())
	a.Advance(ctx, time.Now())
	fmt.Println(a.Configuration())
	// Output: [t]
}

// A host stores the snapshot of each step, and carries out after that what the chart has asked for.
// What it has not reported is in the snapshot: no crash can lose it.
func ExampleWithOutbox() {
	chart := mustParse(`<state id="paying"><invoke id="payment" type="bank"><param name="amount" expr="320"/></invoke>
		<transition event="done.invoke.payment" target="paid"/></state><state id="paid"/>`)
	outbox := scxml.WithOutbox(scxml.Outbox{Services: []string{"bank"}})
	ctx := context.Background()
	s, _ := scxml.New(chart, outbox)
	s.Start(ctx)
	snapshot, _ := s.Snapshot() // to be stored

	s, _ = scxml.Restore(chart, snapshot, outbox)
	for _, task := range scxml.ForServer(s).Outbox() {
		fmt.Println(task.Kind, task.Service.Type, datamodel.Text(task.Service.Params))
		scxml.ForServer(s).Report(scxml.Outcome{Task: task.ID, Data: "receipt 17"})
	}
	s.Do(ctx, time.Now(), scxml.Event{})
	fmt.Println(s.Configuration(), len(scxml.ForServer(s).Outbox()))
	// Output:
	// invoke bank {"amount":320}
	// [paid] 0
}

func ExampleWithLoader() {
	_, err := scxml.Parse("example.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <script src="/etc/passwd"/><state/></scxml>`))
	fmt.Println(err)
	// Output: example.scxml:2:16: <script> cannot be loaded: "/etc/passwd": only files in the document's folder are read, not absolute paths
}

// flags is a custom data model. Its data items are switches, initially off. A condition is the name
// of a switch, and a script turns one on.
type flags struct{}

func (flags) Name() string { return "flags" }

func (flags) Compile(kind datamodel.Kind, src datamodel.Source) (datamodel.Expr, error) {
	return switchName{src}, nil
}

func (flags) NewStore(datamodel.Host) (datamodel.Store, error) {
	return &switches{on: make(map[string]bool)}, nil
}

type switchName struct{ src datamodel.Source }

func (n switchName) Source() datamodel.Source { return n.src }

type switches struct {
	datamodel.Unsupported // everything else is error.execution
	on                    map[string]bool
}

func (s *switches) Declare(id string) error { s.on[id] = false; return nil }

func (s *switches) Condition(cond datamodel.Expr) (bool, error) {
	name := cond.Source().Text
	if _, ok := s.on[name]; !ok {
		return false, &datamodel.EvalError{Pos: cond.Source().Pos, Msg: "unknown switch " + name}
	}
	return s.on[name], nil
}

func (s *switches) Run(script datamodel.Expr) error {
	s.on[strings.TrimSpace(script.Source().Text)] = true
	return nil
}

func ExampleWithLanguage() {
	chart, err := scxml.Parse("lamp.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="flags">
		<datamodel><data id="power"/></datamodel>
		<state id="off">
			<transition event="press" cond="power" target="on"/>
			<transition event="plug"><script>power</script></transition>
		</state>
		<state id="on"/></scxml>`), scxml.WithLanguage(flags{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := scxml.New(chart)
	ctx := context.Background()
	s.Start(ctx)
	for _, name := range []string{"press", "plug", "press"} {
		s.Send(scxml.Event{Name: name})
		s.Advance(ctx, time.Now())
		fmt.Println(name, s.Configuration())
	}
	// Output:
	// press [off]
	// plug [off]
	// press [on]
}
