package servertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/serviceerror"
	workflowservice "go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/temporal"
)

var countAll = &workflowservice.CountWorkflowExecutionsRequest{}

func parse(t testing.TB, body string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("test.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="https://github.com/scxmlrun/scxmlrun/scxml" version="1.0" name="Test">`+body+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// serveCharts starts a worker for charts, each a workflow of its name, on a task queue of the test.
func serveCharts(t testing.TB, c client.Client, o temporal.Options, charts map[string]*scxml.Chart) (queue string, w worker.Worker) {
	t.Helper()
	queue = strings.ReplaceAll(t.Name(), "/", "-")
	w = worker.New(c, queue, worker.Options{WorkerStopTimeout: time.Second})
	for name, chart := range charts {
		temporal.Register(w, name, chart, o)
	}
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	return queue, w
}

func start(t testing.TB, c client.Client, queue, id, chart string, data map[string]any) client.WorkflowRun {
	t.Helper()
	run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: id, TaskQueue: queue}, chart, temporal.Input{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

const counter = `
	<datamodel><data id="n" expr="0"/><data id="wrong" expr="0"/></datamodel>
	<state id="s">
		<transition event="add"><assign location="wrong" expr="wrong + (_event.data === n + 1 ? 0 : 1)"/><assign location="n" expr="n + 1"/></transition>
		<transition event="end" target="f"/>
	</state>
	<final id="f"><donedata><param name="n" location="n"/><param name="wrong" location="wrong"/></donedata></final>`

// Signals and updates that run continuously lose nothing when a workflow continues as a new run.
func TestContinueAsNew(t *testing.T) {
	c := server(t)
	queue, _ := serveCharts(t, c, temporal.Options{History: 60}, map[string]*scxml.Chart{"counter": parse(t, counter)})
	run := start(t, c, queue, "counter-1", "counter", nil)
	first := run.GetRunID()
	const events = 150
	for i := range events {
		ev := temporal.Event{Name: "add", Data: i + 1, ID: fmt.Sprint(i)}
		var err error
		if i%2 == 0 {
			err = c.SignalWorkflow(t.Context(), "counter-1", "", temporal.SignalEvent, ev)
		} else {
			_, err = temporal.Do(t.Context(), c, "counter-1", ev)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// An event that is repeated after all that has the same answer.
	if a, err := temporal.Do(t.Context(), c, "counter-1", temporal.Event{Name: "add", Data: events, ID: fmt.Sprint(events - 1)}); err != nil || !a.Handled {
		t.Errorf("repeated: %+v, %v", a, err)
	}
	d, err := c.DescribeWorkflowExecution(t.Context(), "counter-1", "")
	if err != nil || d.WorkflowExecutionInfo.Execution.RunId == first {
		t.Errorf("it has not continued as a new run, %v", err)
	}
	if _, err := temporal.Do(t.Context(), c, "counter-1", temporal.Event{Name: "end"}); err != nil {
		t.Fatal(err)
	}
	var end struct{ N, Wrong int }
	if err := run.Get(t.Context(), &end); err != nil || end.N != events || end.Wrong != 0 {
		t.Errorf("got %+v, %v", end, err)
	}
}

// Bad input is an error that says so, and the workflow goes on.
func TestErrors(t *testing.T) {
	c := server(t)
	queue, _ := serveCharts(t, c, temporal.Options{}, map[string]*scxml.Chart{"counter": parse(t, counter)})
	run := start(t, c, queue, "errors-1", "counter", nil)
	for name, ev := range map[string]any{
		"no name": temporal.Event{}, "a b": temporal.Event{Name: "a b"}, "not accepted": temporal.Event{Name: "error.execution"},
		"no object": "add", "no JSON": json.RawMessage(`{"name":"add","data":{"$date":7}}`),
	} {
		h, err := c.UpdateWorkflow(t.Context(), client.UpdateWorkflowOptions{
			WorkflowID: "errors-1", UpdateName: temporal.UpdateEvent, Args: []any{ev}, WaitForStage: client.WorkflowUpdateStageCompleted,
		})
		if err == nil {
			err = h.Get(t.Context(), nil)
		}
		if err == nil {
			t.Errorf("update, %s: no error", name)
		}
		if err := c.SignalWorkflow(t.Context(), "errors-1", "", temporal.SignalEvent, ev); err != nil {
			t.Errorf("signal, %s: %v", name, err)
		}
	}
	if _, err := c.QueryWorkflow(t.Context(), "errors-1", "", "nothing"); err == nil {
		t.Error("an unknown query has an answer")
	}
	if s, err := temporal.Get(t.Context(), c, "errors-1"); err != nil || s.Refused != 5 || s.Status != "running" {
		t.Errorf("state %+v, %v", s, err)
	}
	if _, err := temporal.Do(t.Context(), c, "errors-1", temporal.Event{Name: "end"}); err != nil {
		t.Error(err)
	}
	if err := run.Get(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if s, err := temporal.Get(t.Context(), c, "errors-1"); err != nil || s.Status != "final" {
		t.Errorf("a query after the end: %+v, %v", s, err)
	}
	gone := (*serviceerror.NotFound)(nil)
	if _, err := temporal.Do(t.Context(), c, "errors-1", temporal.Event{Name: "add"}); !errors.As(err, &gone) {
		t.Errorf("an event after the end: %v", err)
	}
	if _, err := temporal.Get(t.Context(), c, "nobody"); !errors.As(err, &gone) {
		t.Errorf("a query to nobody: %v", err)
	}
	// A chart that no worker knows waits for one that does.
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := start(t, c, queue, "errors-2", "unknown", nil).Get(ctx, nil); err == nil {
		t.Error("an unknown chart has ended")
	}
	if err := c.TerminateWorkflow(t.Context(), "errors-2", "", ""); err != nil {
		t.Error(err)
	}
}

// Services send events, are cancelled with their state, and have one key for all attempts; sessions send
// each other messages; the server knows the states.
func TestWork(t *testing.T) {
	c := server(t)
	var keys []string
	cancelled := make(chan error, 1)
	job := func(ctx context.Context, task temporal.Task) (any, error) {
		if keys = append(keys, task.Key); len(keys) < 3 {
			return nil, errors.New("not yet")
		}
		for i := range 3 {
			if err := temporal.Send(ctx, temporal.Event{Name: "progress", Data: i}); err != nil {
				return nil, err
			}
		}
		<-ctx.Done()
		cancelled <- temporal.Send(context.WithoutCancel(ctx), temporal.Event{Name: "progress", Data: 9})
		return nil, ctx.Err()
	}
	o := temporal.Options{SearchAttributes: true, Activities: map[string]temporal.Activity{"job": job}}
	o.Activity.HeartbeatTimeout = 300 * time.Millisecond
	queue, _ := serveCharts(t, c, o, map[string]*scxml.Chart{
		"worker": parse(t, `<datamodel><data id="got" expr="[]"/></datamodel>
			<state id="working"><invoke id="j" type="job" x:retry="attempts=5 first=10ms"/>
				<transition event="progress"><assign location="got[got.length]" expr="_event.data"/></transition>
				<transition event="enough" target="told"/></state>
			<state id="told"><onentry><send target="#_scxml_peer" event="news"><param name="n" expr="got.length"/></send><send target="#_scxml_nobody" event="news" id="lost"/></onentry>
				<transition event="error.communication" cond="_event.sendid == 'lost'" target="f"/></state>
			<final id="f"><donedata><content expr="got"/></donedata></final>`),
		"peer": parse(t, `<state id="s"><transition event="news" target="f"/></state><final id="f"><donedata><content expr="_event.data.n + _event.origin"/></donedata></final>`),
	})
	peer := start(t, c, queue, "peer", "peer", nil)
	run := start(t, c, queue, "worker-1", "worker", nil)
	eventually(t, func() bool {
		s, err := temporal.Get(t.Context(), c, "worker-1")
		return err == nil && string(s.Data) == `{"got":[0,1,2]}`
	})
	eventually(t, func() bool {
		n, err := c.CountWorkflow(t.Context(), &workflowservice.CountWorkflowExecutionsRequest{Query: `ScxmlChart = 'worker' AND ScxmlStates = 'working' AND ScxmlStatus = 'running'`})
		return err == nil && n.Count == 1
	})
	if _, err := temporal.Do(t.Context(), c, "worker-1", temporal.Event{Name: "enough"}); err != nil {
		t.Fatal(err)
	}
	var got []int
	if err := run.Get(t.Context(), &got); err != nil || !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("got %v, %v", got, err)
	}
	var news string
	if err := peer.Get(t.Context(), &news); err != nil || news != "3#_scxml_worker-1" {
		t.Errorf("the peer got %q, %v", news, err)
	}
	select {
	case err := <-cancelled:
		if !errors.Is(err, scxml.ErrEnded) {
			t.Errorf("a cancelled service sends: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the service still runs")
	}
	if len(keys) != 3 || keys[0] != keys[1] || keys[1] != keys[2] {
		t.Errorf("keys %q", keys)
	}
}

func eventually(t testing.TB, f func() bool) {
	t.Helper()
	for begin := time.Now(); !f(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.Fatal("it has not become true")
		}
	}
}

// A workflow keeps its version after the workers have a new one, and moves when it is migrated.
func TestVersions(t *testing.T) {
	c := server(t)
	old := parse(t, `<state id="open"><transition event="end" target="f"/></state><final id="f"/>`)
	chart := parse(t, `<datamodel><data id="x"/></datamodel><state id="begun"><transition event="end" target="f"/></state><final id="f"><donedata><content expr="x"/></donedata></final>`)
	queue, w := serveCharts(t, c, temporal.Options{}, map[string]*scxml.Chart{"versions": old})
	runs := []client.WorkflowRun{start(t, c, queue, "version-0", "versions", nil), start(t, c, queue, "version-1", "versions", nil)}
	eventually(t, func() bool { _, err := temporal.Get(t.Context(), c, "version-1"); return err == nil })
	w.Stop()
	w = worker.New(c, queue, worker.Options{})
	temporal.Register(w, "versions", chart, temporal.Options{Versions: []*scxml.Chart{old}})
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	if s, err := temporal.Get(t.Context(), c, "version-0"); err != nil || s.Hash != old.Hash() {
		t.Errorf("state %+v, %v", s, err)
	}
	m := temporal.Migration{Chart: "versions", To: chart.Hash()}
	eventually(t, func() bool {
		r, err := temporal.Migrate(t.Context(), c, m)
		if err != nil {
			t.Fatal(err)
		}
		return r.Tried == 2 && r.Migrated == 0 && len(r.Unfit) == 2
	})
	m.States, m.Script = map[string]string{"open": "begun"}, "x = 7"
	if r, err := temporal.Migrate(t.Context(), c, m); err != nil || r.Migrated != 2 {
		t.Errorf("migrated: %+v, %v", r, err)
	}
	for i, run := range runs {
		if _, err := temporal.Do(t.Context(), c, fmt.Sprint("version-", i), temporal.Event{Name: "end"}); err != nil {
			t.Error(err)
		}
		var x int
		if err := run.Get(t.Context(), &x); err != nil || x != 7 {
			t.Errorf("got %d, %v", x, err)
		}
	}
	replay(t, fetch(t, c, "version-0", ""), "versions", chart, temporal.Options{Versions: []*scxml.Chart{old}})
}

// A recording is made of the history, and does the same.
func TestRecording(t *testing.T) {
	c := server(t)
	chart := parse(t, counter)
	queue, _ := serveCharts(t, c, temporal.Options{}, map[string]*scxml.Chart{"counter": chart})
	start(t, c, queue, "record-1", "counter", map[string]any{"n": 5})
	for i := range 3 {
		if _, err := temporal.Do(t.Context(), c, "record-1", temporal.Event{Name: "add", Data: i + 6}); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := replay(t, fetch(t, c, "record-1", ""), "counter", chart, temporal.Options{}), `{"n":8,"wrong":0}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What does not fit into the server's limits is an error of the chart, or left out, and no end of the workflow.
func TestServerLimits(t *testing.T) {
	c := server(t)
	var regions strings.Builder
	for i := range 100 {
		fmt.Fprintf(&regions, `<state id="the-long-name-of-region-%d"/>`, i)
	}
	queue, _ := serveCharts(t, c, temporal.Options{SearchAttributes: true, History: 20, Activities: map[string]temporal.Activity{
		"mail": func(context.Context, temporal.Task) (any, error) { return nil, nil },
	}}, map[string]*scxml.Chart{"limits": parse(t, `<datamodel><data id="x" expr="'a'"/><data id="errors" expr="[]"/></datamodel>
		<state id="s" initial="p"><transition event="error"><assign location="errors[errors.length]" expr="_event.name"/></transition>
			<transition event="large"><script>for (x = 'a'; x.length &lt; _event.data; ) x += x</script><send type="mail" event="m"><param name="x" expr="x"/></send>
				<send target="#_scxml_limits-1" event="m"><param name="x" expr="x"/></send><send target="#_scxml_limits-1" event="m"/></transition>
			<transition event="m"><script>errors.push(_event.data ? 'long' : 'short')</script></transition>
			<transition event="end" target="f"/><parallel id="p">`+regions.String()+`</parallel></state>
		<final id="f"><donedata><content expr="errors.length"/></donedata></final>`)})
	run := start(t, c, queue, "limits-1", "limits", nil)
	for _, size := range []int{1 << 17, 1 << 20, 1 << 21, 1 << 22, 1} {
		ev := temporal.Event{Name: "large", Data: size, ID: fmt.Sprint(size)}
		if a, err := temporal.Do(t.Context(), c, "limits-1", ev); err != nil || !a.Handled {
			t.Fatalf("%d: %+v, %v", size, a, err)
		}
	}
	eventually(t, func() bool {
		s, err := temporal.Get(t.Context(), c, "limits-1")
		return err == nil && s.Tasks == 0
	})
	if _, err := temporal.Do(t.Context(), c, "limits-1", temporal.Event{Name: "end"}); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := run.Get(t.Context(), &n); err != nil || n != 12 {
		t.Errorf("got %d, %v", n, err)
	}
}
