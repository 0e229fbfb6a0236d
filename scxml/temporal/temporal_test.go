package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/mocks"
	sdk "go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/temporal"
)

// parse returns a chart.
func parse(t *testing.T, body string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("test.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="https://github.com/scxmlrun/scxmlrun/scxml" version="1.0" name="Test">`+body+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// A run is a workflow in the SDK's test suite, whose clock jumps.
type run struct {
	*testsuite.TestWorkflowEnvironment
	t     *testing.T
	began time.Time
}

func register(t *testing.T, chart *scxml.Chart, o temporal.Options) *run {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet{})
	env := suite.NewTestWorkflowEnvironment()
	temporal.Register(env, "test", chart, o)
	env.SetTestTimeout(20 * time.Second)
	env.SetStartTime(time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC))
	return &run{env, t, env.Now()}
}

type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}

// at does something after a time.
func (r *run) at(d time.Duration, f func()) { r.RegisterDelayedCallback(f, d) }

func (r *run) signal(d time.Duration, name string, data any) {
	r.at(d, func() { r.SignalWorkflow(temporal.SignalEvent, temporal.Event{Name: name, Data: data}) })
}

// do gives an event by an update.
func (r *run) do(d time.Duration, ev any, then func(temporal.Answer, error)) {
	r.update(d, temporal.UpdateEvent, ev, func(v any, err error) {
		a, _ := v.(temporal.Answer)
		then(a, err)
	})
}

func (r *run) update(d time.Duration, name string, arg any, then func(any, error)) {
	r.at(d, func() {
		r.UpdateWorkflow(name, fmt.Sprint(d), &testsuite.TestUpdateCallback{
			OnAccept: func() {}, OnReject: func(err error) { then(nil, err) }, OnComplete: then,
		}, arg)
	})
}

func (r *run) state() (s temporal.State) {
	r.t.Helper()
	v, err := r.QueryWorkflow(temporal.QueryState)
	if err == nil {
		err = v.Get(&s)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// ends runs the workflow and returns the data of its final state as JSON.
func (r *run) ends(data map[string]any) string {
	r.t.Helper()
	r.ExecuteWorkflow("test", temporal.Input{Data: data})
	var v json.RawMessage
	if !r.IsWorkflowCompleted() {
		r.t.Fatal("it has not ended")
	}
	if err := r.GetWorkflowError(); err != nil {
		r.t.Fatal(err)
	}
	if err := r.GetWorkflowResult(&v); err != nil {
		r.t.Fatal(err)
	}
	return string(v)
}

const order = `
	<datamodel><data id="total" expr="1"/><data id="paid"/></datamodel>
	<state id="open">
		<onentry><send event="late" id="late" delay="900s"/></onentry>
		<onexit><cancel sendid="late"/></onexit>
		<transition event="pay" cond="_event.data.amount == total" target="done"><assign location="paid" expr="_event.data.amount"/></transition>
		<transition event="late" target="expired"/>
	</state>
	<final id="done"><donedata><param name="paid" location="paid"/></donedata></final>
	<final id="expired"><donedata><content expr="'expired'"/></donedata></final>`

func TestSignals(t *testing.T) {
	r := register(t, parse(t, order), temporal.Options{})
	r.signal(time.Minute, "pay", map[string]int{"amount": 1})
	r.signal(2*time.Minute, "pay", map[string]int{"amount": 12})
	r.at(90*time.Second, func() {
		s := r.state()
		if s.Status != "running" || !slices.Equal(s.Configuration, []string{"open"}) || !slices.Equal(s.Events, []string{"pay"}) ||
			string(s.Data) != `{"total":12,"paid":{"$undefined":true}}` || !s.Due.Equal(r.began.Add(15*time.Minute)) || s.Hash != parse(t, order).Hash() {
			t.Errorf("state %+v", s)
		}
	})
	if got := r.ends(map[string]any{"total": 12}); got != `{"paid":12}` {
		t.Errorf("got %s", got)
	}
	if s := r.state(); s.Status != "final" || s.Refused != 0 {
		t.Errorf("after the end: %+v", s)
	}
	if passed := r.Now().Sub(r.began); passed != 2*time.Minute {
		t.Errorf("took %v", passed)
	}
}

func TestTimer(t *testing.T) {
	r := register(t, parse(t, order), temporal.Options{})
	r.signal(15*time.Minute-1, "pay", map[string]int{"amount": 2})
	if got := r.ends(nil); got != `"expired"` {
		t.Errorf("got %s", got)
	}
	if passed := r.Now().Sub(r.began); passed != 15*time.Minute {
		t.Errorf("took %v", passed)
	}
}

func TestUpdates(t *testing.T) {
	r := register(t, parse(t, `
		<datamodel><data id="n" expr="0"/></datamodel>
		<state id="s">
			<transition event="add" target="s"><assign location="n" expr="n + 1"/><send event="added" target="#_scxml_other"><param name="n" expr="n"/></send></transition>
			<transition event="bad"><assign location="nothing" expr="1"/></transition>
			<transition event="end" target="f"/>
		</state>
		<final id="f"/>`), temporal.Options{})
	r.OnSignalExternalWorkflow("default-test-namespace", "other", "", temporal.SignalEvent, eventNamed("added")).Return(nil).Once()
	answers := 0
	r.do(1, temporal.Event{Name: "add", ID: "1"}, func(a temporal.Answer, err error) {
		answers++
		if err != nil || !a.Handled || len(a.Sent) != 1 || a.Sent[0].Name != "added" || string(a.Sent[0].Data) != `{"n":1}` || a.Status != "running" {
			t.Errorf("add: %+v, %v", a, err)
		}
	})
	r.do(2, temporal.Event{Name: "add", ID: "1"}, func(a temporal.Answer, err error) {
		answers++
		if err != nil || !a.Handled || len(a.Sent) != 1 {
			t.Errorf("repeated: %+v, %v", a, err)
		}
	})
	r.do(3, temporal.Event{Name: "bad"}, func(a temporal.Answer, err error) {
		answers++
		if err != nil || len(a.Errors) != 1 || !strings.Contains(a.Errors[0], "test.scxml:5:") {
			t.Errorf("bad: %+v, %v", a, err)
		}
	})
	r.do(4, temporal.Event{Name: "other"}, func(a temporal.Answer, err error) {
		answers++
		if err != nil || a.Handled {
			t.Errorf("other: %+v, %v", a, err)
		}
	})
	r.do(5, temporal.Event{Name: "end"}, func(a temporal.Answer, err error) {
		answers++
		if err != nil || a.Status != "final" {
			t.Errorf("end: %+v, %v", a, err)
		}
	})
	if r.ends(nil); answers != 5 {
		t.Errorf("%d answers", answers)
	}
	if s := r.state(); string(s.Data) != `{"n":1}` {
		t.Errorf("data %s", s.Data)
	}
	r.AssertExpectations(t)
}

// An update that the server has not begun is repeated.
func TestUpdateIsRepeated(t *testing.T) {
	c, h := new(mocks.Client), new(mocks.WorkflowUpdateHandle)
	h.On("Get", mock.Anything, mock.Anything).Return(nil)
	c.On("UpdateWorkflow", mock.Anything, mock.Anything).Return(nil, serviceerror.NewWorkflowNotReady("not yet")).Twice()
	c.On("UpdateWorkflow", mock.Anything, mock.Anything).Return(h, nil).Once()
	if _, err := temporal.Do(t.Context(), c, "a", temporal.Event{Name: "e"}); err != nil {
		t.Error(err)
	}
	c.On("UpdateWorkflow", mock.Anything, mock.Anything).Return(nil, serviceerror.NewNotFound("gone")).Once()
	if _, err := temporal.Do(t.Context(), c, "a", temporal.Event{Name: "e"}); err == nil {
		t.Error("no error")
	}
}

// eventNamed matches the argument of a signal.
func eventNamed(name string) any {
	return mock.MatchedBy(func(ev temporal.Event) bool {
		text, _ := json.Marshal(ev)
		return strings.Contains(string(text), `"name":"`+name+`"`)
	})
}

func TestBadInput(t *testing.T) {
	r := register(t, parse(t, order), temporal.Options{})
	raw := func(text string) converter.RawValue {
		p, _ := converter.GetDefaultDataConverter().ToPayload("")
		p.Data = []byte(text)
		return converter.NewRawValue(p)
	}
	bad := map[string]any{
		"no name":       temporal.Event{},
		"no event":      temporal.Event{Name: "a b"},
		"own event":     temporal.Event{Name: "late"},
		"error":         temporal.Event{Name: "error.execution"},
		"no JSON":       raw(`{"name":"pay","data":{`),
		"not an object": raw(`"pay"`),
		"bad special":   raw(`{"name":"pay","data":{"$date":7}}`),
	}
	n, rejected := 0, 0
	for name, arg := range bad {
		n++
		r.at(time.Duration(n), func() { r.SignalWorkflow(temporal.SignalEvent, arg) })
		if ev, ok := arg.(temporal.Event); ok {
			r.do(time.Minute+time.Duration(n), ev, func(_ temporal.Answer, err error) {
				if rejected++; err == nil {
					t.Errorf("%s: no error", name)
				}
			})
		}
	}
	r.do(time.Minute, raw(`{"name":"late","origin":"#_scxml_other"}`), func(_ temporal.Answer, err error) { // only signals are messages
		if rejected++; err == nil {
			t.Error("an update with an origin has an answer")
		}
	})
	r.at(2*time.Minute, func() {
		if s := r.state(); s.Refused != len(bad) || s.Refusal == "" || s.Status != "running" {
			t.Errorf("%+v", s)
		}
		if _, err := r.QueryWorkflow("nothing"); err == nil {
			t.Error("an unknown query has an answer")
		}
	})
	if r.ends(nil) != `"expired"` || rejected != 5 {
		t.Errorf("the workflow has not continued, or %d updates were rejected", rejected)
	}
}

func TestUnknownData(t *testing.T) {
	r := register(t, parse(t, order), temporal.Options{})
	r.ExecuteWorkflow("test", temporal.Input{Data: map[string]any{"nothing": 1}})
	if err := r.GetWorkflowError(); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("got %v", err)
	}
}

func TestCancel(t *testing.T) {
	sent := 0
	r := register(t, parse(t, `<state id="s"><onexit><send type="mail" event="bye"/></onexit></state>`), temporal.Options{
		Activities: map[string]temporal.Activity{"mail": func(_ context.Context, task temporal.Task) (any, error) { sent++; return nil, nil }},
	})
	r.at(time.Second, r.CancelWorkflow)
	r.ExecuteWorkflow("test", temporal.Input{})
	var cancelled *sdk.CanceledError
	if err := r.GetWorkflowError(); !errors.As(err, &cancelled) || sent != 1 {
		t.Errorf("got %v, %d sent", err, sent)
	}
}

func TestLimit(t *testing.T) {
	r := register(t, parse(t, `<state id="a"><transition target="b"/></state>
		<state id="b"><transition target="a"/></state>`), temporal.Options{})
	r.ExecuteWorkflow("test", temporal.Input{})
	var failed *sdk.ApplicationError
	if err := r.GetWorkflowError(); !errors.As(err, &failed) || !failed.NonRetryable() || !strings.Contains(err.Error(), "Microsteps") || !strings.Contains(err.Error(), "test.scxml:") {
		t.Errorf("got %v", err)
	}
}

// A loop that only the clock ends must not become part of the history.
func TestSlowScript(t *testing.T) {
	chart := parse(t, `<state id="s"><onentry><script>for (;;) {}</script></onentry><transition event="error.execution" target="f"/></state><final id="f"/>`)
	r := register(t, chart, temporal.Options{Session: []scxml.Option{scxml.WithLimits(scxml.Limits{ScriptTime: 10 * time.Millisecond})}})
	r.ExecuteWorkflow("test", temporal.Input{})
	if err := r.GetWorkflowError(); err == nil || !strings.Contains(err.Error(), "takes too long") {
		t.Errorf("got %v", err)
	}
}

func TestService(t *testing.T) {
	chart := parse(t, `
		<datamodel><data id="seen" expr="[]"/></datamodel>
		<state id="s">
			<invoke id="bank" type="bank" src="account" x:retry="attempts=3 first=10ms final=declined"><param name="amount" expr="7"/></invoke>
			<transition event="progress"><assign location="seen[seen.length]" expr="_event.invokeid + _event.data"/></transition>
			<transition event="done.invoke.bank" target="f"><assign location="seen[seen.length]" expr="_event.data.ok"/></transition>
			<transition event="error.communication" target="e"><assign location="seen[seen.length]" expr="'failed'"/></transition>
		</state>
		<final id="f"><donedata><content expr="seen"/></donedata></final>
		<final id="e"><donedata><content expr="seen"/></donedata></final>`)
	var keys []string
	fail := 0
	final := errors.New("later")
	bank := func(ctx context.Context, task temporal.Task) (any, error) {
		keys = append(keys, task.Key)
		if task.ID != "bank" || task.Src != "account" || datamodel.Text(task.Data) != `{"amount":7}` {
			t.Errorf("task %+v", task)
		}
		if fail--; fail >= 0 {
			return nil, final
		}
		return map[string]bool{"ok": true}, nil
	}
	for _, c := range []struct {
		fail  int
		err   error
		want  string
		calls int
	}{
		{0, nil, `[true]`, 1},
		{2, errors.New("later"), `[true]`, 3},
		{9, errors.New("later"), `["failed"]`, 3},
		{9, declined{}, `["failed"]`, 1},
	} {
		keys, fail, final = nil, c.fail, c.err
		r := register(t, chart, temporal.Options{Activities: map[string]temporal.Activity{"bank": bank}})
		if got := r.ends(nil); got != c.want || len(keys) != c.calls || len(slices.Compact(slices.Clone(keys))) != 1 {
			t.Errorf("%+v: got %s, keys %q", c, got, keys)
		}
	}
}

type declined struct{}

func (declined) Error() string     { return "the card is declined" }
func (declined) ErrorName() string { return "declined" }

// A service ends with the state that has invoked it.
func TestServiceIsCancelled(t *testing.T) {
	chart := parse(t, `
		<state id="s"><invoke id="i" type="job"/><transition event="stop" target="t"/></state>
		<state id="t"><transition event="done.invoke.i" target="bad"/><transition event="end" target="f"/></state>
		<final id="bad"><donedata><content expr="'bad'"/></donedata></final>
		<final id="f"><donedata><content expr="'good'"/></donedata></final>`)
	ended := make(chan error, 1)
	r := register(t, chart, temporal.Options{
		Activity: workflow.ActivityOptions{HeartbeatTimeout: 30 * time.Millisecond},
		Activities: map[string]temporal.Activity{"job": func(ctx context.Context, _ temporal.Task) (any, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}},
	})
	r.signal(time.Second, "stop", nil)
	r.signal(2*time.Second, "end", nil)
	if got := r.ends(nil); got != `"good"` {
		t.Errorf("got %s", got)
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the service still runs")
	}
}

func TestMessages(t *testing.T) {
	chart := parse(t, `
		<state id="s"><onentry>
			<send type="mail" target="a@example.com" event="one"/><send type="mail" target="a@example.com" event="two"/>
			<send type="mail" target="nobody" event="three" id="third"/>
		</onentry>
		<transition event="error.execution" cond="_event.sendid == 'third'" target="f"/></state>
		<final id="f"/>`)
	var got []string
	r := register(t, chart, temporal.Options{Activities: map[string]temporal.Activity{"mail": func(_ context.Context, task temporal.Task) (any, error) {
		if task.Target == "nobody" {
			return nil, fmt.Errorf("%q: %w", task.Target, temporal.ErrRefused)
		}
		got = append(got, task.Event)
		if len(got) == 1 {
			return nil, errors.New("try again")
		}
		return nil, nil
	}}})
	if r.ends(nil); fmt.Sprint(got) != "[one one two]" {
		t.Errorf("got %v", got)
	}
}

func TestInvokedChartInTheTree(t *testing.T) {
	r := register(t, parse(t, `
		<state id="s">
			<invoke id="c" type="scxml"><content><scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript">
				<state id="w"><onentry><send event="tick" delay="60s"/></onentry><transition event="tick" target="e"><send target="#_parent" event="hello"/></transition></state>
				<final id="e"/></scxml></content></invoke>
			<transition event="hello" target="t"/>
		</state>
		<state id="t"><transition event="done.invoke.c" target="f"/></state>
		<final id="f"/>`), temporal.Options{})
	r.signal(time.Hour, "late", nil)
	_ = r.ends(nil)
}

func TestChildWorkflow(t *testing.T) {
	chart := parse(t, `
		<state id="s"><invoke id="c" type="scxml" src="child"><param name="x" expr="20"/></invoke>
			<onentry><send event="go" delay="1s"/></onentry>
			<transition event="go"><send target="#_c" event="more"><param name="by" expr="22"/></send></transition>
			<transition event="done.invoke.c" target="f"><assign location="sum" expr="_event.data"/></transition></state>
		<final id="f"><donedata><content expr="sum"/></donedata></final>
		<datamodel><data id="sum"/></datamodel>`)
	r := register(t, chart, temporal.Options{Children: []string{"scxml"}})
	temporal.Register(r, "child", parse(t, `<datamodel><data id="x"/></datamodel>
		<state id="s"><transition event="more" target="f"><assign location="x" expr="x + _event.data.by"/></transition></state>
		<final id="f"><donedata><content expr="x"/></donedata></final>`), temporal.Options{})
	if got := r.ends(nil); got != `42` {
		t.Errorf("got %s", got)
	}
}

func TestContinueAsNew(t *testing.T) {
	chart := parse(t, `
		<datamodel><data id="n" expr="0"/></datamodel>
		<state id="s"><onentry><send event="end" delay="3600s"/></onentry>
			<transition event="add"><assign location="n" expr="n + 1"/></transition>
			<transition event="end" target="f"/></state>
		<final id="f"><donedata><content expr="n"/></donedata></final>`)
	r := register(t, chart, temporal.Options{})
	for i := range 10 {
		r.signal(time.Duration(i+1)*time.Second, "add", nil)
	}
	r.at(5500*time.Millisecond, func() { r.SetContinueAsNewSuggested(true) })
	r.ExecuteWorkflow("test", temporal.Input{})
	var next *workflow.ContinueAsNewError
	if err := r.GetWorkflowError(); !errors.As(err, &next) {
		t.Fatalf("got %v", err)
	}
	var in temporal.Input
	if err := converter.GetDefaultDataConverter().FromPayloads(next.Input, &in); err != nil {
		t.Fatal(err)
	}
	second := register(t, chart, temporal.Options{})
	second.SetStartTime(r.Now())
	second.ExecuteWorkflow("test", in)
	var n int
	if err := second.GetWorkflowResult(&n); err != nil || n != 5 {
		t.Errorf("got %d, %v", n, err)
	}
	if end := second.Now(); !end.Equal(r.began.Add(time.Hour)) {
		t.Errorf("the timer fired at %v", end)
	}
}

// A session that cannot be saved, or is too large for a payload, stays in its run.
func TestCannotContinueAsNew(t *testing.T) {
	for name, script := range map[string]string{"closure": `x = (function () { var n = 0; return function () { return n++; }; })()`, "large": `x = 'a'; for (var i = 0; i &lt; 21; i++) x += x`} {
		t.Run(name, func(t *testing.T) {
			r := register(t, parse(t, `<datamodel><data id="x"/><data id="n" expr="0"/></datamodel>
				<state id="s"><onentry><script>`+script+`</script><send event="tick" delay="5s"/></onentry>
					<transition event="tick add"><assign location="n" expr="n + 1"/></transition><transition event="end" target="f"/></state>
				<final id="f"><donedata><content expr="n"/></donedata></final>`), temporal.Options{})
			r.SetContinueAsNewSuggested(true)
			r.signal(time.Second, "add", nil)
			r.signal(time.Minute, "add", nil)
			r.signal(time.Hour, "end", nil)
			if got := r.ends(nil); got != "3" {
				t.Errorf("got %s", got)
			}
		})
	}
}

// A run that is full when it begins does something before the next one begins.
func TestShortRuns(t *testing.T) {
	chart := parse(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="s">
		<transition event="add" target="s"><assign location="n" expr="n + 1"/></transition><transition event="end" target="f"/></state>
		<final id="f"><donedata><content expr="n"/></donedata></final>`)
	var in temporal.Input
	for i := range 3 {
		r := register(t, chart, temporal.Options{History: 1})
		r.SetCurrentHistoryLength(10)
		if i > 0 {
			r.signal(time.Minute, "add", nil)
		}
		r.ExecuteWorkflow("test", in)
		var next *workflow.ContinueAsNewError
		if err := r.GetWorkflowError(); !errors.As(err, &next) {
			t.Fatalf("got %v", err)
		}
		if passed := r.Now().Sub(r.began); i > 0 && passed != time.Minute {
			t.Errorf("run %d ended after %v", i, passed)
		}
		if err := converter.GetDefaultDataConverter().FromPayloads(next.Input, &in); err != nil {
			t.Fatal(err)
		}
	}
}

// What is larger than a payload is an error of the chart, and the workflow continues; a long answer is cut.
func TestLargeMessages(t *testing.T) {
	r := register(t, parse(t, `<datamodel><data id="x" expr="'a'"/><data id="errors" expr="[]"/></datamodel>
		<state id="s"><onentry><script>for (var i = 0; i &lt; 21; i++) x += x</script></onentry>
			<transition event="go" target="t"/></state>
		<state id="t"><invoke type="mail" id="i"><param name="x" expr="x"/></invoke>
			<onentry><send type="mail" event="one"><param name="x" expr="x"/></send><send target="#_scxml_other" event="two"><param name="x" expr="x"/></send></onentry>
			<transition event="error" cond="errors.length == 2" target="f"><assign location="errors[2]" expr="_event.name"/></transition>
			<transition event="error"><assign location="errors[errors.length]" expr="_event.name"/></transition></state>
		<final id="f"><donedata><content expr="errors.sort()"/></donedata></final>`), temporal.Options{
		Activities: map[string]temporal.Activity{"mail": func(context.Context, temporal.Task) (any, error) { t.Error("sent"); return nil, nil }},
	})
	answered := false
	r.do(time.Second, temporal.Event{Name: "go", ID: "1"}, func(a temporal.Answer, err error) {
		if answered = true; err != nil || len(a.Sent) > 0 || len(a.Errors) != 1 {
			t.Errorf("got %+v, %v", a, err)
		}
	})
	if got := r.ends(nil); got != `["error.communication","error.execution","error.execution"]` || !answered {
		t.Errorf("got %s, %v", got, answered)
	}
}

func TestMigration(t *testing.T) {
	old := parse(t, `<datamodel><data id="items" expr="[1,2]"/></datamodel><state id="open"><transition event="end" target="f"/></state><final id="f"/>`)
	chart := parse(t, `<datamodel><data id="items" expr="[]"/><data id="total"/></datamodel><state id="begun"><transition event="end" target="f"/></state>
		<final id="f"><donedata><content expr="total"/></donedata></final>`)
	r := register(t, old, temporal.Options{Versions: []*scxml.Chart{chart}})
	migrate := func(at time.Duration, m temporal.Migration, want string) {
		m.To = chart.Hash()
		r.update(at, temporal.UpdateMigrate, m, func(_ any, err error) {
			if fmt.Sprint(err) != want && (want == "" || err == nil || !strings.Contains(err.Error(), want)) && !(want == "" && err == nil) {
				t.Errorf("at %v: got %v, want %q", at, err, want)
			}
		})
	}
	states := map[string]string{"open": "begun"}
	migrate(1, temporal.Migration{Try: true}, "open")
	migrate(2, temporal.Migration{States: states, Try: true, Script: "nothing()"}, "script")
	migrate(3, temporal.Migration{States: map[string]string{"opn": "begun"}}, `no state "opn"`)
	migrate(4, temporal.Migration{States: states, Try: true}, "")
	r.at(5, func() {
		if s := r.state(); s.Hash != old.Hash() {
			t.Error("a trial has moved it")
		}
	})
	migrate(6, temporal.Migration{States: states, Script: "total = items.length"}, "")
	r.signal(time.Second, "end", nil)
	if got := r.ends(nil); got != "2" {
		t.Errorf("got %s", got)
	}
}

// Whether a session can be moved must not depend on the speed of the worker.
func TestSlowMigration(t *testing.T) {
	chart, to := parse(t, `<state id="s"/>`), parse(t, `<state id="s"><transition event="x" target="s"/></state>`)
	r := register(t, chart, temporal.Options{Versions: []*scxml.Chart{to}, Session: []scxml.Option{scxml.WithLimits(scxml.Limits{ScriptTime: 10 * time.Millisecond})}})
	r.update(1, temporal.UpdateMigrate, temporal.Migration{To: to.Hash(), Script: "(function () { for (;;) {} })()"}, func(_ any, err error) {
		t.Errorf("it has an answer: %v", err)
	})
	r.ExecuteWorkflow("test", temporal.Input{})
	if err := r.GetWorkflowError(); err == nil || !strings.Contains(err.Error(), "takes too long") {
		t.Errorf("got %v", err)
	}
}

func TestRegisterRefuses(t *testing.T) {
	chart := parse(t, `<state id="s"><invoke type="bank"/></state>`)
	for name, o := range map[string]temporal.Options{
		`service "bank"`:       {},
		"WithSeed":             {Activities: map[string]temporal.Activity{"bank": nil}, Session: []scxml.Option{scxml.WithSeed(1)}},
		"negative":             {History: -1, Activities: map[string]temporal.Activity{"bank": nil}},
		"nil":                  {Session: []scxml.Option{nil}},
		"activity and a child": {Activities: map[string]temporal.Activity{"bank": nil}, Children: []string{"bank"}},
	} {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), name) {
					t.Errorf("got %v, want %s", p, name)
				}
			}()
			register(t, chart, o)
		}()
	}
}
