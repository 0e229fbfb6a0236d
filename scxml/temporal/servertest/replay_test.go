package servertest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	enums "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/temporal"
)

var (
	replayCharts = flag.Int("replay.charts", 4, "random charts whose histories are replayed")
	replaySeed   = flag.Uint64("replay.seed", 1, "of the first chart")
	replayWrite  = flag.String("replay.write", "", "folder for the histories, which TestHistories of package temporal replays")
)

// fetch returns the history of a run.
func fetch(t testing.TB, c client.Client, id, run string) *historypb.History {
	t.Helper()
	h := new(historypb.History)
	for events := c.GetWorkflowHistory(t.Context(), id, run, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT); events.HasNext(); {
		ev, err := events.Next()
		if err != nil {
			t.Fatal(err)
		}
		h.Events = append(h.Events, ev)
	}
	return h
}

// replay makes a recording of a history, which fails if the workflow does something else than it did, and
// replays that. It returns the data at the end as JSON.
func replay(t testing.TB, h *historypb.History, name string, chart *scxml.Chart, o temporal.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := temporal.Record(h, name, chart, o, &out); err != nil {
		t.Fatal(err)
	}
	rec, err := history.Open(&out)
	if err != nil {
		t.Fatal(err)
	}
	opts, err := rec.Options()
	if err != nil {
		t.Fatal(err)
	}
	then, err := rec.Replay(context.Background(), history.Config{Chart: chart, Options: append(opts, scxml.WithLimits(scxml.Limits{Microsteps: 10_000}))}, false, nil)
	if err != nil {
		t.Fatalf("the recording does something else: %v", err)
	}
	s, err := then.Seek(context.Background(), then.Len()-1)
	if err != nil {
		t.Fatal(err)
	}
	return data(t, s)
}

func data(t testing.TB, s *scxml.Session) string {
	items, err := scxml.Data[*datamodel.Object](s)
	if err != nil {
		t.Fatal(err)
	}
	return string(datamodel.AppendJSON(nil, items))
}

// randomChart returns a chart with what could differ in a replay: random numbers, times, generated ids,
// timers that compete, services, messages and invoked charts.
func randomChart(t testing.TB, r *rand.Rand) *scxml.Chart {
	var b strings.Builder
	b.WriteString(`<datamodel><data id="log" expr="[]"/><data id="id"/></datamodel>
	<script>function note(x) { log.push(x + ':' + Math.floor(Math.random() * 1000) + ':' + Date.now()); if (log.length > 60) log.shift(); }</script>`)
	content := func() string {
		return []string{
			`<script>note('x')</script>`,
			fmt.Sprintf(`<send eventexpr="'e' + Math.floor(Math.random() * 5)" delayexpr="Math.floor(Math.random() * %d) + 'ms'" idlocation="id"/>`, 1+r.IntN(200)),
			fmt.Sprintf(`<send event="e%d" id="t%d" delay="%dms"/>`, r.IntN(5), r.IntN(3), r.IntN(100)),
			fmt.Sprintf(`<cancel sendid="t%d"/>`, r.IntN(3)),
			fmt.Sprintf(`<raise event="i%d"/>`, r.IntN(3)),
			`<send type="mail" event="m" target="someone"><param name="n" expr="log.length"/></send>`,
			`<send target="#_scxml_nobody" event="m"/>`,
			`<assign location="id" expr="_sessionid + nothing"/>`,
		}[r.IntN(8)]
	}
	target := func() string { return fmt.Sprint("s", r.IntN(6)) }
	transitions := func() {
		for range 1 + r.IntN(3) {
			fmt.Fprintf(&b, `<transition event="e%d" cond="Math.random() &lt; 0.7" target="%s">%s</transition>`, r.IntN(5), target(), content())
		}
		fmt.Fprintf(&b, `<transition event="i%d done error" cond="log.length %% 2 == 0">%s</transition>`, r.IntN(3), `<script>note(_event.name)</script>`)
	}
	b.WriteString(`<state id="all" initial="s0"><transition event="end" target="f"/><transition event="*"><script>note(_event.name)</script></transition>`)
	for i := range 6 {
		fmt.Fprintf(&b, `<state id="s%d"><onentry>%s</onentry><onexit>%s</onexit>`, i, content(), content())
		switch r.IntN(4) {
		case 0:
			b.WriteString(`<invoke type="job"/>`)
		case 1:
			b.WriteString(`<invoke type="scxml"><content><scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript"><state id="w"><onentry><send eventexpr="'t'" delayexpr="Math.floor(Math.random() * 50) + 'ms'"/></onentry><transition event="t" target="e"><send target="#_parent" event="e1"/></transition></state><final id="e"/></scxml></content></invoke>`)
		}
		transitions()
		b.WriteString(`</state>`)
	}
	b.WriteString(`</state><final id="f"><donedata><content expr="log"/></donedata></final>`)
	return parse(t, b.String())
}

// Histories of random charts replay: after a restart of the worker, and here, where the chart was read again.
func TestRandomReplay(t *testing.T) {
	c := server(t)
	for i := range *replayCharts {
		seed := *replaySeed + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			chart := randomChart(t, rand.New(rand.NewPCG(seed, 0)))
			o := temporal.Options{History: 100, Session: []scxml.Option{scxml.WithAccept(func(string) bool { return true })}, Activities: map[string]temporal.Activity{
				"job":  func(ctx context.Context, task temporal.Task) (any, error) { return task.Key, nil },
				"mail": func(ctx context.Context, task temporal.Task) (any, error) { return nil, temporal.ErrRefused },
			}}
			name, id := "random", fmt.Sprint("random-", seed)
			r := rand.New(rand.NewPCG(seed, 1))
			queue := "random-" + fmt.Sprint(seed)
			newWorker := func() worker.Worker {
				w := worker.New(c, queue, worker.Options{WorkflowPanicPolicy: worker.FailWorkflow})
				temporal.Register(w, name, chart, o)
				if err := w.Start(); err != nil {
					t.Fatal(err)
				}
				return w
			}
			w := newWorker()
			run := start(t, c, queue, id, name, nil)
			var ids []string
			send := func(event string) {
				ev := temporal.Event{Name: event, Data: r.IntN(100)}
				var err error
				if r.IntN(2) == 0 {
					err = c.SignalWorkflow(t.Context(), id, "", temporal.SignalEvent, ev)
				} else {
					_, err = temporal.Do(t.Context(), c, id, ev)
				}
				if err != nil {
					for _, ev := range fetch(t, c, id, "").Events {
						if f := ev.GetWorkflowTaskFailedEventAttributes(); f != nil {
							t.Logf("workflow task: %v: %.500s", f.Cause, f.GetFailure().GetMessage())
						}
					}
					t.Fatal(err)
				}
				if d, err := c.DescribeWorkflowExecution(t.Context(), id, ""); err == nil {
					if run := d.WorkflowExecutionInfo.Execution.RunId; len(ids) == 0 || ids[len(ids)-1] != run {
						ids = append(ids, run)
					}
				}
			}
			for i := range 30 {
				send(fmt.Sprint("e", r.IntN(5)))
				time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
				if i == 15 {
					w.Stop()
					worker.PurgeStickyWorkflowCache()
					w = newWorker()
				}
			}
			send("end")
			var end json.RawMessage
			if err := run.Get(t.Context(), &end); err != nil {
				t.Fatal(err)
			}
			w.Stop()
			again, err := scxml.Parse(chart.File(), []byte(chart.Source()))
			if err != nil {
				t.Fatal(err)
			}
			var last string
			for _, run := range ids {
				h := fetch(t, c, id, run)
				last = replay(t, h, name, again, o)
				if *replayWrite != "" {
					write(t, h, chart, fmt.Sprintf("%d-%s", seed, run[:4]))
				}
			}
			if !strings.Contains(last, string(end)) {
				t.Errorf("replayed to\n%s, and it ended with\n%s", last, end)
			}
			t.Logf("%d runs", len(ids))
		})
	}
}

// write keeps a history and its chart for the tests of package temporal: each later build has to replay it.
func write(t *testing.T, h *historypb.History, chart *scxml.Chart, name string) {
	text, err := temporalproto.CustomJSONMarshalOptions{}.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{name + ".json": text, name + ".scxml": []byte(chart.Source())} {
		if err := os.WriteFile(filepath.Join(*replayWrite, file), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
