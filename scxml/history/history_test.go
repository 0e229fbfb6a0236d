package history_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

var epoch = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// A run is a session with a history.
type run struct {
	*testing.T
	h   *history.History
	s   *scxml.Session
	now time.Time
}

// start starts a session of a chart with the given contents, with options that its history knows and
// others that it does not.
func start(t *testing.T, inside string, opts []scxml.Option, more ...scxml.Option) *run {
	t.Helper()
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+inside+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.New(history.Config{Chart: chart, Options: opts})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{T: t, h: h, now: epoch}
	clock := scxml.WithClock(func() time.Time { return r.now })
	if r.s, err = scxml.New(chart, slices.Concat(opts, more, []scxml.Option{h.Option(), clock})...); err != nil {
		t.Fatal(err)
	}
	if err := r.s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// do gives the session an event, if there is one, after some time.
func (r *run) do(wait time.Duration, event string, data any) {
	r.Helper()
	r.now = r.now.Add(wait)
	if _, err := r.s.Do(r.Context(), r.now, scxml.Event{Name: event, Data: data}); err != nil {
		r.Fatal(err)
	}
}

func (r *run) seek(n int) *scxml.Session {
	r.Helper()
	s, err := r.h.Seek(r.Context(), n)
	if err != nil {
		r.Fatal(err)
	}
	return s
}

func (r *run) branch(n int) *run {
	r.Helper()
	b, err := r.h.Branch(r.Context(), n)
	if err != nil {
		r.Fatal(err)
	}
	return &run{r.T, b, b.Session(), b.Session().Now()}
}

// value returns the value of an expression in a session.
func (r *run) value(s *scxml.Session, expr string) any {
	r.Helper()
	v, err := s.Eval(r.Context(), expr)
	if err != nil {
		r.Fatal(err)
	}
	return v
}

// want compares the values of an expression at all positions.
func (r *run) want(expr string, values ...any) {
	r.Helper()
	if r.h.Len() != len(values) {
		r.Errorf("%d positions, want %d", r.h.Len(), len(values))
	}
	for n := range min(r.h.Len(), len(values)) {
		if got := r.value(r.seek(n), expr); got != values[n] {
			r.Errorf("%s is %v at position %d, want %v", expr, got, n, values[n])
		}
	}
}

// counter adds up what it is given.
const counter = `
	<datamodel><data id="n" expr="0"/></datamodel>
	<state id="a">
		<transition event="up"><assign location="n" expr="n + _event.data"/></transition>
		<transition event="wait"><send event="up" delay="1s"><content expr="100"/></send></transition>
	</state>`

// A branch continues its copy with a history of its own, and leaves the other history alone.
func TestBranch(t *testing.T) {
	r := start(t, counter, nil)
	for i := range 3 {
		r.do(time.Millisecond, "up", i+1)
	}
	r.want("n", int64(0), int64(1), int64(3), int64(6))
	b := r.branch(2)
	b.do(0, "wait", nil)
	b.do(time.Minute, "", nil)
	b.want("n", int64(0), int64(1), int64(3), int64(3), int64(103))
	c := b.branch(1)
	c.do(0, "up", 10)
	c.want("n", int64(0), int64(1), int64(11))
	r.do(0, "up", 4)
	r.want("n", int64(0), int64(1), int64(3), int64(6), int64(10))
	if at := b.seek(4).Now(); !at.Equal(epoch.Add(2*time.Millisecond + time.Second)) {
		t.Errorf("the delayed event has come at %v", at)
	}
}

// The records of a branch are there from the start on, wherever it begins.
func TestWalkOverBranch(t *testing.T) {
	r := start(t, counter, nil)
	r.do(0, "up", 1)
	r.do(0, "up", 1)
	for n := range 3 {
		b := r.branch(n).branch(n)
		b.do(0, "up", 5)
		var got []string
		err := b.h.Walk(t.Context(), 0, n+1, record.Kinds(record.Event), func(at history.Position) error {
			for _, r := range at.Records {
				got = append(got, fmt.Sprint(at.N, " ", r.Event.Data))
			}
			return nil
		})
		want := append([]string{"1 1", "2 1"}[:n:n], fmt.Sprint(n+1, " 5"))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("branch at %d: got %q, %v, want %q", n, got, err, want)
		}
	}
}

// Delayed events of a copy are due when those of the session were, and it has its random numbers and
// ids.
func TestCopyHasTimersRandomNumbersAndIDs(t *testing.T) {
	r := start(t, `<state id="a">
		<onentry><send event="tick" delay="1s"/></onentry>
		<transition event="tick" target="a"><log expr="Math.random() + _sessionid"/></transition>
	</state>`, nil)
	for range 5 {
		r.do(700*time.Millisecond, "other", nil)
	}
	all := r.logs(0)
	if len(all) != 3 {
		t.Errorf("logged %q", all)
	}
	for n := range r.h.Len() {
		b := r.branch(n)
		b.do(r.now.Sub(b.now), "", nil)
		if got, want := b.logs(n+1), r.logs(n+1); !slices.Equal(got, want) {
			t.Errorf("the branch at %d logs %q, want %q", n, got, want)
		}
	}
}

// logs returns what was logged from a position on.
func (r *run) logs(first int) (all []string) {
	r.Helper()
	if first >= r.h.Len() {
		return nil
	}
	err := r.h.Walk(r.Context(), first, r.h.Len()-1, record.Kinds(record.Log), func(at history.Position) error {
		for _, record := range at.Records {
			all = append(all, record.Time.String()+" "+datamodel.Text(record.Value))
		}
		return nil
	})
	if err != nil {
		r.Fatal(err)
	}
	return all
}

// A service answers the session, and its answers are there for copies, which start none.
func TestServicesAnswerCopies(t *testing.T) {
	started := 0
	answer := make(chan int)
	service := scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		started++
		if err := inv.Send(scxml.Event{Name: "half", Data: 21}); err != nil {
			return nil, err
		}
		select {
		case n := <-answer:
			if n == 0 {
				return nil, errors.New("no answer")
			}
			return n, nil
		case <-ctx.Done():
			return nil, nil
		}
	})
	r := start(t, `
		<datamodel><data id="last" expr="''"/></datamodel>
		<state id="a">
			<invoke type="service" id="x"><finalize><assign location="last" expr="_event.name"/></finalize></invoke>
			<transition event="again" target="a"/>
			<transition event="done.invoke.x" cond="_event.data == 42"><assign location="last" expr="_event.type + _event.data"/></transition>
			<transition event="error.communication"><assign location="last" expr="_event.data.message"/></transition>
		</state>`, []scxml.Option{scxml.WithInvoker("service", service)})
	until := func(length int) { // "half" may come before the step that starts the service is over
		t.Helper()
		for r.h.Len() < length {
			<-r.s.Wake()
			r.do(0, "", nil)
		}
	}
	until(2)
	answer <- 42
	until(3)
	r.do(0, "again", nil)
	until(5)
	answer <- 0
	until(6)
	r.want("last", "", "half", "platform42", "platform42", "half", `service "x": no answer`)
	if started != 2 {
		t.Errorf("%d services were started, want 2", started)
	}
	b := r.branch(1)
	b.do(time.Minute, "again", nil)
	records, err := b.h.Records(t.Context(), 2, record.Kinds(record.Invoke))
	if err != nil || len(records) != 1 || started != 2 {
		t.Errorf("a branch does not show what it would start: %v, %v, %d services", records, err, started)
	}
}

// A change that the host has made is a position if it is marked.
func TestMark(t *testing.T) {
	r := start(t, counter, nil)
	r.do(0, "up", 1)
	r.do(0, "wait", nil)
	r.value(r.s, "n = 10")
	if err := r.h.Mark(); err != nil {
		t.Fatal(err)
	}
	r.do(time.Minute, "up", 1)
	r.want("n", int64(0), int64(1), int64(1), int64(10), int64(110), int64(111))
	walked := []any{}
	err := r.h.Walk(t.Context(), 0, 5, 0, func(at history.Position) error {
		walked = append(walked, r.value(at.Session, "n"))
		return nil
	})
	if want := []any{int64(0), int64(1), int64(1), int64(10), int64(110), int64(111)}; err != nil || !slices.Equal(walked, want) {
		t.Errorf("walked over %v, %v, want %v", walked, err, want)
	}
}

// A session whose data cannot be saved has a past too; the way to it begins at the start.
func TestUnsavableData(t *testing.T) {
	r := start(t, `
		<datamodel><data id="next" expr="(function() { var n = 0; return function() { return ++n; }; })()"/><data id="n" expr="0"/></datamodel>
		<state id="a"><transition event="up"><assign location="n" expr="next()"/></transition></state>`, nil)
	if _, err := r.s.Snapshot(); !errors.Is(err, scxml.ErrNotSerializable) {
		t.Fatalf("the data can be saved: %v", err)
	}
	for range 3 {
		r.do(time.Second, "up", nil)
	}
	r.want("n", int64(0), int64(1), int64(2), int64(3))
	b := r.branch(2)
	b.do(0, "up", nil)
	b.do(0, "up", nil)
	b.want("n", int64(0), int64(1), int64(2), int64(3), int64(4))
	if err := r.h.Mark(); !errors.Is(err, scxml.ErrNotSerializable) {
		t.Errorf("Mark: %v", err)
	}
	r.want("n", int64(0), int64(1), int64(2), int64(3))
}

// Position 0 of a session that was restored is the state in which it was.
func TestAttach(t *testing.T) {
	r := start(t, counter, nil)
	r.do(0, "up", 5)
	saved, err := r.s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.New(history.Config{Chart: r.h.Chart()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.Restore(r.h.Chart(), saved, h.Option())
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Attach(s); err != nil {
		t.Fatal(err)
	}
	again := &run{t, h, s, s.Now()}
	again.do(time.Second, "up", 1)
	again.want("n", int64(5), int64(6))
	for n, want := range []int{0, 1} {
		if records, err := h.Records(t.Context(), n, record.Kinds(record.Event)); err != nil || len(records) != want {
			t.Errorf("position %d: %v, %v", n, records, err)
		}
	}
	if err := h.Attach(s); err == nil {
		t.Error("a history that is not empty begins anew")
	}
}

// A session that was stopped, or that a limit has ended, is so in its history too.
func TestEnds(t *testing.T) {
	const chart = `
		<state id="a"><onexit><log label="left"/></onexit><transition event="loop" target="b"/><transition event="end" target="c"/></state>
		<state id="b"><transition target="b"/></state>
		<final id="c"><donedata><content expr="42"/></donedata></final>`
	for name, end := range map[string]func(*run) error{
		"final": func(r *run) error { r.do(0, "end", nil); return nil },
		"limit": func(r *run) error {
			_, err := r.s.Do(r.Context(), r.now, scxml.Event{Name: "loop"})
			return err
		},
		"stop": func(r *run) error {
			r.s.Stop()
			_, err := r.s.Step(r.Context(), r.now)
			return err
		},
		"cancelled": func(r *run) error {
			ctx, cancel := context.WithCancelCause(r.Context())
			cancel(errors.New("enough"))
			return r.s.Run(ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, chart, []scxml.Option{scxml.WithLimits(scxml.Limits{Microsteps: 10})})
			want := end(r)
			if r.h.Len() != 2 {
				t.Fatalf("%d positions, want 2", r.h.Len())
			}
			s := r.seek(1)
			if s.Status() != r.s.Status() || s.DoneData() != r.s.DoneData() || fmt.Sprint(s.Err()) != fmt.Sprint(r.s.Err()) {
				t.Errorf("%v, %v, %v, want %v, %v, %v", s.Status(), s.DoneData(), s.Err(), r.s.Status(), r.s.DoneData(), want)
			}
			if status, _ := r.h.Status(); status != r.s.Status() {
				t.Errorf("status %v", status)
			}
			records, err := r.h.Records(t.Context(), 1, record.Kinds(record.Log, record.Done))
			if err != nil || len(records) < 2 {
				t.Errorf("got %v, %v", records, err)
			}
			b := r.branch(0)
			b.do(0, "end", nil)
			if b.s.FinalState() != "c" {
				t.Error("the branch does not continue")
			}
		})
	}
}

// A step that was interrupted leads to a position, and the rest of its macrostep to the next one.
func TestInterruptedStep(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := scxml.WithFunc("stop", func() { cancel() })
	r := start(t, `
		<datamodel><data id="n" expr="0"/></datamodel>
		<state id="a"><transition event="go" target="b"><script>stop()</script></transition></state>
		<state id="b"><transition cond="n == 0" target="c"><assign location="n" expr="1"/></transition></state>
		<state id="c"/>`, []scxml.Option{stop})
	if err := r.s.Send(scxml.Event{Name: "go"}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.s.Step(ctx, r.now); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	r.do(time.Second, "", nil)
	r.want("n", int64(0), int64(0), int64(1))
	if !r.seek(1).In("b") {
		t.Errorf("in %v at position 1", r.seek(1).Configuration())
	}
}

// Functions with an effect are replaced in copies.
func TestCopiesHaveTheirOwnFunctions(t *testing.T) {
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="a"><transition event="e"><script>notify()</script></transition></state></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	real, dry := 0, 0
	opts := []scxml.Option{scxml.WithFunc("notify", func() { real++ })}
	h, err := history.New(history.Config{Chart: chart, Options: opts, Copies: []scxml.Option{scxml.WithFunc("notify", func() { dry++ })}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, append(opts, h.Option())...)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{t, h, s, time.Now()}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.do(0, "e", nil)
	r.branch(1).do(0, "e", nil)
	if real != 1 || dry != 2 { // on the way to position 1, and in the branch
		t.Errorf("the functions were called %d and %d times, want 1 and 2", real, dry)
	}
}

// What a directory or a processor has refused is refused in copies, whichever of several messages it
// was.
func TestRefusalsAreRepeated(t *testing.T) {
	r := start(t, `
		<datamodel><data id="errors" expr="''"/></datamodel>
		<state id="a">
			<transition event="go">
				<foreach array="['x', 'refuse', 'y', 'refuse']" item="what"><send type="urn:p" eventexpr="what" id="p"/></foreach>
				<send target="#_scxml_other" event="hello"/>
				<send target="#_scxml_nobody" event="hello" delay="1s"/>
				<log expr="_ioprocessors['urn:p'].location"/>
			</transition>
			<transition event="error"><assign location="errors" expr="errors + _event.name + ' ' + _event.data.message + '; '"/></transition>
		</state>`, []scxml.Option{scxml.WithIOProcessor("urn:p", choosy{}), scxml.WithRouter(directory(t))})
	r.do(0, "go", nil)
	r.do(time.Minute, "", nil)
	refused := "error.execution no refuse; error.execution no refuse; "
	lost := `error.communication target "#_scxml_nobody" does not reach a running session or service; `
	r.want("errors", "", refused, refused+lost)
	if got := r.logs(0); len(got) != 1 || !strings.HasSuffix(got[0], "somewhere") {
		t.Errorf("logged %q", got)
	}
	// A branch does not know who would refuse what, but can be told.
	b := r.branch(0)
	b.do(0, "go", nil)
	b.want("errors", "", "")
	b = r.branch(1)
	if err := scxml.ForReplay(b.s).Fail(&scxml.ExecutionError{Event: "error.communication", Element: "send", Msg: "lost"}); err != nil {
		t.Fatal(err)
	}
	b.do(0, "", nil)
	b.want("errors", "", refused, refused+"error.communication lost; ")
}

// What is reported to a session with an outbox happens to its copies too, which hand out nothing.
func TestReportsAreRepeated(t *testing.T) {
	r := start(t, `
		<datamodel><data id="got" expr="''"/></datamodel>
		<state id="a">
			<onentry><send type="urn:p" event="one" id="m1"/></onentry>
			<invoke id="job" type="x"/><invoke id="other" type="x"/>
			<transition event="go"><send type="urn:p" event="two" id="m2"/><send target="#_scxml_other" event="hello" id="m3"/><send target="#_job" event="hello"/></transition>
			<transition event="*"><assign location="got" expr="got + _event.name + ' ' + (_event.sendid || _event.invokeid) + '; '"/></transition>
		</state>`, []scxml.Option{scxml.WithOutbox(scxml.Outbox{Processors: []string{"urn:p"}, Services: []string{"x"}, Sessions: true})})
	report := func(o scxml.Outcome) {
		t.Helper()
		if changed, err := scxml.ForServer(r.s).Report(o); !changed || err != nil {
			t.Fatal(o, changed, err)
		}
	}
	r.do(0, "go", nil)
	tasks := scxml.ForServer(r.s).Outbox()
	if len(tasks) != 6 {
		t.Fatalf("tasks %v", tasks)
	}
	lost := errors.New("lost")
	report(scxml.Outcome{Task: tasks[0].ID, Err: lost})
	report(scxml.Outcome{Task: tasks[3].ID, Err: lost, Refused: true})
	report(scxml.Outcome{Task: tasks[4].ID, Err: lost})
	r.do(time.Second, "", nil)
	report(scxml.Outcome{Task: tasks[1].ID, Event: &scxml.Event{Name: "step"}, Seq: 1})
	report(scxml.Outcome{Task: tasks[1].ID, Data: 7})
	report(scxml.Outcome{Task: tasks[2].ID, Err: lost})
	r.do(time.Second, "", nil)
	want := "error.communication m1; error.execution m2; error.communication m3; error.communication other; step job; done.invoke.job job; "
	last := r.seek(r.h.Len() - 1)
	if got := r.value(last, "got"); got != want || r.value(r.s, "got") != want {
		t.Errorf("the copy has\n%v\nthe session\n%v\nwant\n%v", got, r.value(r.s, "got"), want)
	}
	if scxml.ForServer(last).Outbox() != nil {
		t.Errorf("the copy has tasks %v", scxml.ForServer(last).Outbox())
	}
}

// choosy is a processor that refuses some messages.
type choosy struct{}

func (choosy) Open(*scxml.Session) string { return "somewhere" }
func (choosy) Close(*scxml.Session)       {}
func (choosy) Send(_ *scxml.Session, m scxml.Message, done func(error)) error {
	if m.Event.Name == "refuse" {
		return errors.New("no refuse")
	}
	done(nil)
	return nil
}

// directory returns a directory with a session "other".
func directory(t *testing.T) *scxml.Directory {
	d := new(scxml.Directory)
	chart, err := scxml.Parse("other.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null"><state/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, scxml.WithSessionID("other"), scxml.WithRouter(d))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// Positions can be looked at while the session runs.
func TestSeekWhileTheSessionRuns(t *testing.T) {
	r := start(t, counter, nil)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				n := r.h.Len() - 1 - i%2*(r.h.Len()/2)
				s, err := r.h.Seek(t.Context(), n)
				if err != nil {
					t.Error(err)
					return
				}
				if v, err := s.Eval(t.Context(), "n"); v != int64(n) {
					t.Errorf("n is %v at position %d, %v", v, n, err)
					return
				}
			}
		})
	}
	for range 3000 {
		r.do(time.Millisecond, "up", 1)
	}
	close(done)
	readers.Wait()
}

// A history with a bound forgets its oldest positions, and the others stay.
func TestBytes(t *testing.T) {
	chart, err := scxml.Parse("counter.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+counter+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	const most = 20_000
	h, err := history.New(history.Config{Chart: chart, Bytes: most})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, h.Option(), scxml.WithClock(func() time.Time { return epoch }))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := &run{t, h, s, epoch}
	for range 20_000 {
		r.do(time.Millisecond, "up", 1)
	}
	first := h.First()
	if first < 1000 || first > 19_000 {
		t.Errorf("the first position is %d", first)
	}
	if _, err := h.Seek(t.Context(), first-1); err == nil {
		t.Errorf("there is a position %d", first-1)
	}
	for _, n := range []int{first, first + 1, 20_000} {
		if got := r.value(r.seek(n), "n"); got != int64(n) {
			t.Errorf("n is %v at position %d", got, n)
		}
	}
	if records, err := h.Records(t.Context(), first, record.All); err != nil || records != nil {
		t.Errorf("something is known of what was before position %d: %v, %v", first, records, err)
	}
	b := r.branch(first)
	b.do(0, "up", 2)
	if got := r.value(b.seek(first+1), "n"); got != int64(first+2) || b.h.First() != first {
		t.Errorf("n is %v in the branch, whose first position is %d", got, b.h.First())
	}
	b = r.branch(h.Len() - 1) // has the same bound
	for range 20_000 {
		b.do(time.Millisecond, "up", 1)
	}
	if kept := b.h.Len() - b.h.First(); kept > 2*(h.Len()-h.First()) || b.h.First() <= first {
		t.Errorf("the branch keeps %d positions from %d", kept, b.h.First())
	}
}

// Positions that are not there are refused, and so is a copy for which the time does not suffice.
func TestSeekFails(t *testing.T) {
	chart, err := scxml.Parse("empty.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	empty, err := history.New(history.Config{Chart: chart})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := empty.Seek(t.Context(), 0); !errors.Is(err, scxml.ErrNotStarted) {
		t.Errorf("got %v", err)
	}
	r := start(t, counter, nil)
	for _, n := range []int{-1, 1} {
		if _, err := r.h.Seek(t.Context(), n); err == nil {
			t.Errorf("there is a position %d", n)
		}
		if _, err := r.h.Records(t.Context(), n, record.All); err == nil {
			t.Errorf("there are records of position %d", n)
		}
	}
	r.do(0, "up", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.h.Seek(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A branch is complete even if the session forgets meanwhile where it began.
func TestBranchIsForgottenMeanwhile(t *testing.T) {
	var meanwhile func()
	copied := func() int { // is called by copies
		if f := meanwhile; f != nil {
			meanwhile = nil
			f()
		}
		return 1
	}
	chart, err := scxml.Parse("steps.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="n" expr="0"/></datamodel>
		<state id="s"><transition event="up"><assign location="n" expr="n + step()"/></transition></state>
	</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	options := []scxml.Option{scxml.WithFunc("step", func() int { return 1 }), scxml.WithClock(func() time.Time { return epoch })}
	h, err := history.New(history.Config{Chart: chart, Options: options, Bytes: 5000, Copies: []scxml.Option{scxml.WithFunc("step", copied)}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, append(options, h.Option())...)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := &run{t, h, s, epoch}
	stepTo := func(first int) {
		for r.h.First() < first {
			r.do(time.Millisecond, "up", nil)
		}
	}
	stepTo(1)
	n := r.h.First() + 1
	meanwhile = func() { stepTo(n + 1) }
	b := r.branch(n)
	if meanwhile != nil {
		t.Fatal("nothing was forgotten meanwhile")
	}
	if got := r.value(b.seek(n), "n"); got != int64(n) || b.h.Len() != n+1 {
		t.Errorf("n is %v at position %d of a branch with %d positions", got, n, b.h.Len())
	}
}
