package scxml_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func TestNoChart(t *testing.T) {
	s, err := scxml.New(nil, scxml.WithData("x", 1))
	if s != nil || err == nil || err.Error() != "scxml: New: the chart is nil" {
		t.Errorf("got %v, %v", s, err)
	}
	s, err = scxml.Restore(nil, []byte("{}"))
	if s != nil || err == nil || err.Error() != "scxml: Restore: the chart is nil" {
		t.Errorf("got %v, %v", s, err)
	}
}

// What an embedder does wrong is answered by what to do instead, and names the package once.
func TestMistakes(t *testing.T) {
	ctx := t.Context()
	chart, good := saved(t)
	fresh := func() *scxml.Session { return newSession(t, chart) }
	second := func(_ any, err error) error { return err }
	panics := func(f func()) (err error) {
		defer func() { err = fmt.Errorf("%v", recover()) }()
		f()
		return nil
	}
	none := (*scxml.Session)(nil)
	short, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	const isNil = "the session is nil: New or Restore has failed, see its error"
	const first = "session not started: call Start or Run first"
	state := chart.States()[1].Name()
	for want, err := range map[string]error{
		"scxml: New: an option is nil: leave it out":     second(scxml.New(chart, nil)),
		"scxml: New: an option is nil: leave it out\n":   fmt.Errorf("%w\n", second(scxml.New(chart, scxml.Options{nil}))),
		"scxml: Restore: an option is nil: leave it out": second(scxml.Restore(chart, good, nil)),
		"scxml: Start: " + isNil:                         none.Start(ctx),
		"scxml: Run: " + isNil:                           none.Run(ctx),
		"scxml: Do: " + isNil:                            second(none.Do(ctx, time.Now(), scxml.Event{})),
		"scxml: Step: " + isNil:                          second(none.Step(ctx, time.Now())),
		"scxml: Advance: " + isNil:                       none.Advance(ctx, time.Now()),
		"scxml: Send: " + isNil:                          none.Send(scxml.Event{Name: "e"}),
		"scxml: Call: " + isNil:                          none.Call(ctx, func(*scxml.Session) {}),
		"scxml: OnState: the function is nil":            panics(func() { fresh().OnState(state, nil) }),
		"scxml: OnSend: the function is nil":             panics(func() { fresh().OnSend("*", nil) }),
		"scxml: OnEvent: the function is nil":            panics(func() { fresh().OnEvent("*", nil) }),
		"scxml: Data: " + first:                          second(scxml.Data[map[string]any](fresh())),
		"scxml: AppendState: " + first:                   second(scxml.ForSearch(fresh()).AppendState(nil)),
		"scxml: " + first:                                second(fresh().Snapshot()),
		"scxml: Call: nobody drives the session, which Run does: context deadline exceeded": fresh().Call(short, func(*scxml.Session) {}),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

// A test of a host's function makes events by itself.
func TestEventDataOfSelfMadeEvent(t *testing.T) {
	type tap struct{ X int }
	neutral := new(datamodel.Object)
	neutral.Set("X", int64(2))
	for name, ev := range map[string]scxml.Event{
		"struct": {Data: tap{2}}, "pointer": {Data: &tap{2}}, "map": {Data: map[string]int{"X": 2}},
		"neutral": {Data: neutral},
	} {
		if got, err := scxml.EventData[tap](ev); err != nil || got.X != 2 {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	if _, err := scxml.EventData[tap](scxml.Event{Data: "2"}); err == nil {
		t.Error("a string is a struct")
	}
}

// A host that begins a session by the clock of the machine, and continues with another one, would wait for
// delayed events in vain.
func TestTimeOfAnotherClock(t *testing.T) {
	ctx := t.Context()
	s := newSession(t, parse(t, lamp))
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	const want = "the time 2006-01-02 15:04:05 is before the session's, "
	then := time.Date(2006, 1, 2, 15, 4, 5, 0, time.UTC)
	effect, err := s.Do(ctx, then, scxml.Event{Name: "toggle"})
	if err == nil || effect.Taken || !strings.HasPrefix(err.Error(), "scxml: Do: "+want) || !strings.HasSuffix(err.Error(), "with WithClock, or pass time.Now()") {
		t.Errorf("Do: got %v, %v", effect.Taken, err)
	}
	if err := s.Advance(ctx, then); err == nil || !strings.HasPrefix(err.Error(), "scxml: Advance: "+want) {
		t.Errorf("Advance: got %v", err)
	}
	// A caller that is late is not one with another clock, and the clock of a restored session may differ.
	if _, err := s.Do(ctx, s.Now().Add(-time.Second), scxml.Event{Name: "toggle"}); err != nil {
		t.Error(err)
	}
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	r, err := scxml.Restore(s.Chart(), snap)
	if err == nil {
		_, err = r.Do(ctx, then, scxml.Event{Name: "toggle"})
	}
	if err != nil {
		t.Error(err)
	}
}

// Cancelling the context of Run ends the session for good. Its snapshot is of one that has ended, and
// says so when it is driven; what is suspended before continues.
func TestSnapshotAfterRun(t *testing.T) {
	for _, suspend := range []bool{false, true} {
		s := newSession(t, parse(t, lamp))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Run(ctx) }()
		var snap []byte
		err := s.Call(ctx, func(s *scxml.Session) {
			if suspend {
				snap, _ = s.Suspend()
			}
		})
		cancel()
		if end := <-ended; err != nil || end == nil {
			t.Fatal(err, end)
		}
		if !suspend {
			const want = "scxml: Suspend: the session has stopped (context canceled) and cannot continue: call Suspend before, inside Call while Run drives it"
			if _, err := s.Suspend(); err == nil || err.Error() != want || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v\nwant %s", err, want)
			}
			if snap, err = s.Snapshot(); err != nil {
				t.Fatal(err)
			}
		}
		r, err := scxml.Restore(s.Chart(), snap)
		if err != nil {
			t.Fatal(err)
		}
		const want = "scxml: the session had stopped before it was saved (context canceled): one that is to continue is saved by Suspend inside Call, while Run still drives it"
		_, err = r.Do(t.Context(), time.Now(), scxml.Event{Name: "toggle"})
		switch {
		case suspend && (err != nil || r.Status() != scxml.Running):
			t.Errorf("suspended: got %v, %v", r.Status(), err)
		case !suspend && (err == nil || err.Error() != want || !errors.Is(r.Run(t.Context()), context.Canceled)):
			t.Errorf("got %v\nwant %s", err, want)
		}
		if !suspend {
			again, err := r.Snapshot()
			if err != nil || !bytes.Equal(again, snap) {
				t.Errorf("its snapshot is another one: %v", err)
			}
		}
	}
}

// New and Restore refuse options that no session can use, so that they do not fail in the middle of
// a run.
func TestUselessOptions(t *testing.T) {
	chart, good := saved(t)
	for _, test := range []struct {
		opt  scxml.Option
		want string
	}{
		{scxml.WithIOProcessor("urn:x", nil), `WithIOProcessor: the processor for type "urn:x" is nil`},
		{scxml.WithIOProcessor("scxml", echo{}), `WithIOProcessor: type "` + scxml.SCXMLEventProcessor + `" is the SCXML Event I/O Processor, which is built in`},
		{scxml.WithInvoker("urn:x", nil), `WithInvoker: the invoker for type "urn:x" is nil`},
		{scxml.WithAction(xml.Name{Space: "urn:x", Local: "e"}, nil), `WithAction: the action for the element "e" of namespace "urn:x" is nil`},
		{scxml.WithFunc("f", 1), `WithFunc: "f": int is not a function`},
		{scxml.WithFunc("f", (func())(nil)), `WithFunc: "f": the function is nil`},
		{scxml.WithFunc("f", func(int, io.Reader) {}), `WithFunc: "f": func(int, io.Reader): parameter 2 cannot hold data: io.Reader is an interface with methods`},
		{scxml.WithFunc("f", func(int, context.Context) {}), `WithFunc: "f": func(int, context.Context): parameter 2 cannot hold data: context.Context is an interface with methods`},
		{scxml.WithFunc("f", func(...chan int) {}), `WithFunc: "f": func(...chan int): parameter 1 cannot hold data: chan int is not data`},
		{scxml.WithFunc("f", func() func() { return nil }), `WithFunc: "f": func() func(): its result cannot be data: func() is not data`},
		{scxml.WithFunc("f", func() (error, error) { return nil, nil }), `WithFunc: "f": func() (error, error): its result cannot be data: error is an error`},
	} {
		if _, err := scxml.New(chart, test.opt); err == nil || err.Error() != "scxml: New: "+test.want {
			t.Errorf("got %v\nwant scxml: New: %s", err, test.want)
		}
		if _, err := scxml.Restore(chart, good, test.opt); err == nil || err.Error() != "scxml: Restore: "+test.want {
			t.Errorf("got %v\nwant scxml: Restore: %s", err, test.want)
		}
	}
}

// The data model decides which names a function may have.
func TestFuncWithoutVariableName(t *testing.T) {
	chart := parse(t, `<datamodel><data id="n" expr="1"/></datamodel><state id="s"/>`)
	s, err := scxml.New(chart, scxml.WithFunc("a.b", func() {}))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err == nil || err.Error() != `scxml: Start: WithFunc: "a.b": "a.b" is not the name of a variable` {
		t.Errorf("got %v", err)
	}
	if s.Status() != scxml.Unstarted {
		t.Errorf("the session is %v", s.Status())
	}
}

// A function that panics is a failed expression of the chart. Only the host sees the value of the
// panic.
func TestTextOfPanicStaysWithTheHost(t *testing.T) {
	secret := errors.New("Authorization: Bearer s3cret")
	var reported []error
	var logged bytes.Buffer
	s, _ := start(t, `<datamodel><data id="seen"/></datamodel><state id="s"><onentry><script>f()</script></onentry>
		<transition event="error.execution"><assign location="seen" expr="JSON.stringify(_event)"/></transition></state>`,
		scxml.WithFunc("f", func() int { panic(secret) }),
		scxml.WithFunc("g", func() int { return *(*int)(nil) }),
		scxml.WithLogger(slog.New(slog.NewTextHandler(&logged, nil))),
		scxml.WithTrace(&scxml.Trace{Error: func(_ *scxml.Session, err *scxml.ExecutionError) { reported = append(reported, err) }}))
	v, err := s.Eval(t.Context(), "seen")
	if text := datamodel.Text(v); err != nil || !strings.Contains(text, "the function panicked") || strings.Contains(text, "s3cret") {
		t.Errorf("the event is %s, %v", text, err)
	}
	var p *scxml.PanicError
	if len(reported) != 1 || !errors.Is(reported[0], secret) || !errors.As(reported[0], &p) || !strings.Contains(string(p.Stack), "misuse_test.go") {
		t.Errorf("the host hears %v, %+v", reported, p)
	}
	if strings.Contains(reported[0].Error(), "s3cret") || !strings.Contains(logged.String(), "s3cret") {
		t.Errorf("the host hears %v, and logs %s", reported[0], logged.String())
	}
	for _, call := range []string{"f()", "g()"} {
		const caught = "(function() { try { %s } catch (e) { return [e.name, e.message, String(e.stack), Object.getOwnPropertyNames(e).join()].join('|') } })()"
		v, err := s.Eval(t.Context(), fmt.Sprintf(caught, call))
		if text := datamodel.Text(v); err != nil || !strings.HasPrefix(text, "Error|the function panicked|Error: the function panicked\n") ||
			!strings.HasSuffix(text, "|stack,message") || strings.Contains(text, "s3cret") || strings.Contains(text, "nil pointer") {
			t.Errorf("%s: a script catches %q, %v", call, text, err)
		}
		if _, err := s.Eval(t.Context(), call); err == nil || err.Error() != "Error: the function panicked" || !errors.As(err, &p) {
			t.Errorf("%s: got %v", call, err)
		}
	}
	if v, err := s.Eval(t.Context(), "1 + 1"); err != nil || v != int64(2) {
		t.Errorf("then got %v, %v", v, err)
	}
}

// A type is the same in its short and its long form, and the last of two processors for it wins.
func TestProcessorAlias(t *testing.T) {
	var got []string
	note := func(name string) scxml.IOProcessor {
		return echo{func(m scxml.Message) { got = append(got, name+" "+m.Event.Name) }}
	}
	start(t, `<state id="s"><onentry><send event="e" type="basichttp" target="urn:t"/></onentry></state>`,
		scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, note("first")), scxml.WithIOProcessor("basichttp", note("second")))
	if want := []string{"second e"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// echo is an Event I/O Processor that reports what it should deliver.
type echo struct{ send func(scxml.Message) }

func (echo) Open(*scxml.Session) string { return "" }
func (echo) Close(*scxml.Session)       {}
func (e echo) Send(_ *scxml.Session, m scxml.Message, done func(error)) error {
	e.send(m)
	done(nil)
	return nil
}

func TestLoadPath(t *testing.T) {
	for _, name := range []string{"./chart.scxml", "/chart.scxml", "../chart.scxml"} {
		_, err := scxml.Load(os.DirFS(t.TempDir()), name)
		if err == nil || !strings.Contains(err.Error(), "is not a valid path in an fs.FS") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestStatusString(t *testing.T) {
	for status, want := range map[scxml.Status]string{scxml.Unstarted: "unstarted", scxml.Stopped: "stopped", 9: "Status(9)"} {
		if got := status.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The null data model has no values, but a host can evaluate what a chart can.
func TestEvalInNullDatamodel(t *testing.T) {
	chart, err := scxml.Parse("f", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null"><state id="a"/><state id="b"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for expr, want := range map[string]datamodel.Value{"In(a)": true, "In('b')": false} {
		if got, err := s.Eval(ctx, expr); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", expr, got, err, want)
		}
	}
	if v, err := s.Eval(ctx, "1 + 1"); err == nil || !strings.Contains(err.Error(), "knows only conditions of the form In(id)") {
		t.Errorf("got %v, %v", v, err)
	}
}

// A data item that cannot be declared is one error at the place of its element, whether it has a
// value, a preset or neither, and with late binding too.
func TestUndeclarableData(t *testing.T) {
	for content, want := range map[string]string{
		`<data id="class" expr="1"/>`: "2:1", `<data id="class"/>`: "2:1", `<data id="class">[1]</data>`: "2:1",
		`<data id="ok" expr="1"/><data id="let"/>`: "2:25", `<data id="ok" expr="nope"/>`: "2:21",
	} {
		for _, binding := range []string{"early", "late"} {
			chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" binding="`+binding+`"><state><datamodel>
`+content+`</datamodel></state>
<datamodel><data id="new" expr="1"/></datamodel></scxml>`))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			trace := &scxml.Trace{Error: func(_ *scxml.Session, e *scxml.ExecutionError) {
				got = append(got, fmt.Sprintf("%d:%d", e.Pos.Line, e.Pos.Col))
			}}
			s, err := scxml.New(chart, scxml.WithTrace(trace), scxml.WithData("new", 2))
			if err == nil {
				err = s.Start(t.Context())
			}
			slices.Sort(got)
			if err != nil || !slices.Equal(got, []string{want, "3:12"}) {
				t.Errorf("%s, %s: errors at %q, %v, want %q and 3:12", content, binding, got, err, want)
			}
		}
	}
}

// TestMissing: New names what the text of a chart uses and the host has not given, and nothing else.
func TestMissing(t *testing.T) {
	const service, send, action = `<invoke type="mail"/>`, `<onentry><send type="basichttp" event="e"/></onentry>`, `<onentry><x:ring xmlns:x="urn:x"/></onentry>`
	script := func(code string) string { return `<onentry><script>` + code + `</script></onentry>` }
	price := scxml.WithFunc("price", func() int { return 1 })
	for _, test := range []struct {
		state, want string
		opts        []scxml.Option
	}{
		{service, `service "mail" (1:77: WithInvoker)`, []scxml.Option{scxml.WithInvoker("post", scxml.InvokerFunc(nil))}},
		{service + service, `service "mail" (1:77: WithInvoker)`, nil},
		{service, "", []scxml.Option{scxml.WithInvoker("mail", scxml.InvokerFunc(nil))}},
		{service, "", []scxml.Option{scxml.WithInvoker("*", scxml.InvokerFunc(nil))}},
		{service, "", []scxml.Option{scxml.WithOutbox(scxml.Outbox{Services: []string{"mail"}})}},
		{service, "", []scxml.Option{scxml.WithMissing()}},
		{`<invoke type="scxml" src="a.scxml"/><invoke typeexpr="'mail'"/>`, "", nil},
		{send, `I/O processor "basichttp" (1:86: WithIOProcessor)`, nil},
		{send, "", []scxml.Option{scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, echo{})}},
		{`<onentry><send event="a"/><send type="scxml" event="a"/><send typeexpr="'x'" event="a"/></onentry>`, "", nil},
		{action, `action "ring" (1:86: WithAction)`, []scxml.Option{scxml.WithAction(xml.Name{Space: "urn:y", Local: "ring"}, func(*scxml.ActionCall) error { return nil })}},
		{action, "", []scxml.Option{scxml.WithAction(xml.Name{Space: "urn:x", Local: "ring"}, func(*scxml.ActionCall) error { return nil })}},
		{script("price()"), `function "price" (1:94: WithFunc)`, []scxml.Option{scxml.WithFunc("prices", func() {})}},
		{script("price()"), "", []scxml.Option{price}},
		{script("setTimeout(1)"), `function "setTimeout" (1:94: write <send event="…" delay="1s"/>, and a transition for the event)`, nil},
		{service + script("function f() { return price() }"), `service "mail" (1:77: WithInvoker), function "price" (1:137: WithFunc)`, nil},
		// What the chart may declare itself, or allows to be missing.
		{script("var price = Math.max; price()"), "", nil},
		{script("this.price = () => 1; price()"), "", nil},
		{script("globalThis.price = () => 1; price()"), "", nil},
		{script("eval('function price() {}'); price()"), "", nil},
		{script("if (typeof price === 'function') price()"), "", nil},
		{script("try { price() } catch (e) {}"), "", nil},
		{script("(function (price) { price() })(isNaN); parseInt('1'); In('s')"), "", nil},
		{`<datamodel><data id="price"/></datamodel>` + script("price()"), "", nil},
		{`<onentry><foreach array="[isNaN]" item="f" index="i"><script>f(1)</script></foreach></onentry>`, "", nil},
	} {
		chart := parse(t, `<state id="s">`+test.state+`</state>`)
		want := ""
		if test.want != "" {
			want = "scxml: New: chart.scxml uses what the host has not given: " + test.want + "; WithMissing leaves it out"
		}
		if _, err := scxml.New(chart, test.opts...); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", test.state, err, want)
		}
		if _, err := scxml.New(chart, scxml.WithMissing()); err != nil {
			t.Error(err)
		}
	}
}
