package compiled_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/compiled"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/compiled/internal/errand"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// errands are the definitions of one chart: interpreted, compiled, and compiled with a data model at run time.
func errands(t *testing.T) map[byte]fleet.Definition {
	chart, err := scxml.Load(os.DirFS("internal/errand"), "errand.scxml")
	if err != nil {
		t.Fatal(err)
	}
	return map[byte]fleet.Definition{
		'i': fleet.Define("errand", chart),
		'c': compiled.Define("errand", chart, func() machine.Node { return errand.New(errand.Hooks{}).Node() }),
		'd': compiled.Define("errand", chart, func() machine.Node { return errand.NewDynamic(errand.DynamicHooks{}).Node() }),
	}
}

// notes are what services and processors are asked for. Those of one moment come in any order.
type notes struct {
	mu   sync.Mutex
	list []string
}

func (n *notes) add(what ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, fmt.Sprintln(what...))
}

func (n *notes) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer func() { n.list = nil }()
	slices.Sort(n.list)
	return n.list
}

// run is a service that does what the events that it gets say.
func (n *notes) run(ctx context.Context, inv *scxml.Invocation) (any, error) {
	key, id := fleet.TaskID(ctx)
	id = id[strings.LastIndex(id, ":"):] // before it, the number of a step, of which some come at the same time
	n.add("run", key, id, inv.ID, inv.Type, inv.Src, inv.Params, inv.Content, inv.Restored)
	if inv.ID == "inner" {
		n.add("sent", inv.Send(scxml.Event{Name: "progress", Data: map[string]any{"n": 1}}))
	}
	for {
		ev, err := inv.Receive(ctx)
		if err != nil {
			n.add("no more", key, inv.ID, err)
			return nil, err
		}
		n.add("got", key, inv.ID, ev)
		switch ev.Name {
		case "step":
			n.add("sent", inv.Send(scxml.Event{Name: "progress", Data: map[string]any{"n": 2}}))
		case "date":
			n.add("sent", inv.Send(scxml.Event{Name: "progress", Data: map[string]any{"n": time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)}}))
		case "finish":
			return map[string]any{"result": "done", "n": 10}, nil
		case "fail":
			return nil, errors.New("it does not work")
		}
	}
}

func (n *notes) deliver(_ context.Context, d fleet.Delivery) error {
	m := d.Message
	n.add("deliver", d.Key, d.ID[strings.LastIndex(d.ID, ":"):], d.Attempt, strings.HasPrefix(d.Session, d.Key), m.Type, m.Target, m.Event, m.Params, m.Retry, m.Delay, m.Pos)
	if strings.HasSuffix(m.Target, "nobody") {
		return errors.New("nobody is there")
	}
	return nil
}

func (n *notes) config() fleet.Config {
	return fleet.Config{
		Now: time.Now, Log: 100,
		Services:   map[string]scxml.Invoker{"x-job": scxml.InvokerFunc(n.run), "x-other": scxml.InvokerFunc(n.run)},
		Processors: map[string]fleet.Deliver{"x-mail": n.deliver, "basichttp": n.deliver, scxml.BasicHTTPEventProcessor: n.deliver},
		Location:   func(_, typ string) string { return "of " + typ },
		Check: func(_ string, m scxml.Message) error {
			if m.Target == "mail:" {
				return errors.New("no address")
			}
			return nil
		},
	}
}

// Services are run, hear, answer, fail and are cancelled, and messages are delivered, in each form alike, also of
// sessions that change their form meanwhile.
func TestServicesChangeForms(t *testing.T) {
	data := func(name string, value any) map[string]any { return map[string]any{name: value} }
	// What happens to the sessions in each life of the host.
	type do struct {
		key, event string
		data       any
	}
	lives := [][]do{
		{{"a", "run", nil}, {"b", "run", nil}, {"c", "run", nil}, {"d", "run", nil}, {"n", "nest", nil}, {"u", "unknown", nil}, {"m", "remind", nil}, {"w", "where", nil}},
		{{"a", "step", nil}, {"b", "leave", nil}, {"c", "fail", nil}, {"d", "step", nil}, {"m", "write", map[string]any{"to": "mail:her", "line": "x"}}},
		{{"a", "tell", data("word", "hello")}, {"a", "both", nil}, {"n", "word", nil}, {"m", "write", map[string]any{"to": "mail:nobody", "line": 2}}, {"d", "date", nil}},
		{{"a", "step", nil}, {"n", "leave", nil}, {"c", "fail", nil}, {"m", "write", map[string]any{"to": "mail:", "line": 2}}, {"m", "bad", nil}, {"m", "order", nil}, {"m", "call", nil}, {"m", "remind", nil}},
		{{"a", "finish", nil}, {"b", "run", nil}, {"c", "fail", nil}, {"m", "forget", nil}, {"d", "leave", nil}},
		{{"a", "run", nil}, {"a", "tell", data("word", "hello")}, {"b", "tell", data("word", "hello")}, {"b", "end", nil}, {"c", "leave", nil}, {"d", "run", nil}, {"d", "", nil},
			{"m", "write", map[string]any{"to": "mail:him", "line": 3}}, {"m", "write", map[string]any{"to": "mail:", "line": 2}}, {"m", "call", nil}},
		{{"a", "step", nil}, {"d", "fail", nil}},
	}
	random := regexp.MustCompile(`~[0-9a-z]+`) // of the id of an invoked session
	const asleep = 5                           // the life in which nothing is delivered, so that all that is handed out is seen
	play := func(hosts string) (told []string) {
		synctest.Test(t, func(t *testing.T) {
			var n notes
			store := fleet.NewMemory()
			tell := func(what ...any) { told = append(told, random.ReplaceAllString(fmt.Sprintln(what...), "~ID")) }
			for life, all := range lives {
				f, err := fleet.New(store, n.config(), errands(t)[hosts[life%len(hosts)]])
				if err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error)
				if life == asleep {
					close(done)
				} else {
					go func() { done <- f.Run(ctx) }()
				}
				keys := []string{"a", "b", "c", "d", "m", "n", "u", "w"}
				for _, key := range keys {
					if life == 0 {
						tell(f.Create(ctx, key, fleet.CreateOptions{}))
					}
				}
				for _, d := range all {
					time.Sleep(61 * time.Second) // never the moment at which a timer or a retry is due: what is first then is chance
					tell("life", life, n.take())
					if d.event == "" {
						tell(f.Stop(ctx, d.key), saved(t, f, d.key))
						continue
					}
					result, err := f.Do(ctx, d.key, scxml.Event{Name: d.event, Data: d.data})
					for i := range result.Effect.Sent {
						result.Effect.Sent[i].Session = nil // of an interpreted session only
					}
					tell(d, result.Handled, result.Configuration, result.Effect.Entered, result.Effect.Exited, result.Effect.Sent, result.Effect.Errors, err)
					synctest.Wait()
					tell(saved(t, f, d.key))
				}
				time.Sleep(time.Hour)
				for _, key := range keys {
					state, err := f.Get(ctx, key)
					tell(key, state.Status, state.Configuration, state.Data, time.Until(state.NextDue).Round(time.Second), len(state.Tasks), state.Broken, err)
				}
				stop()
				<-done
				tell(n.take(), f.Close())
			}
			last, err := fleet.New(store, n.config(), errands(t)['i'])
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"a", "b", "c", "d", "m", "n", "u"} {
				log, err := last.Log(t.Context(), key, 0, 100)
				for _, entry := range log {
					n.add(entry.Steps)
				}
				tell(key, n.take(), err) // reports at one moment come in any order
			}
			last.Close()
		})
		return told
	}
	want := play("i")
	text := strings.Join(want, "")
	for _, what := range []string{
		`run a :1 running.1 x-job errand 0 {"n":0,"list":[1,{"a":null}]} <nil> false`, `run a :1 running.1 x-job errand 0 {"n":0,"list":[1,{"a":null}]} <nil> true`,
		`x-other  {} {"steps":0} false`, "got a running.1 {told external", "got a other {late external", "no more b running.1 context canceled",
		`"failed":"error.communication errand.scxml:26:5;"`, `"heard":"2`, `done`, "run n :1 inner", "mail:parent",
		`[{line 1} {line x} {none`, "attempts=2 first=10m0s", "1h40m0s", `error.communication errand.scxml:10:7 false`, "errand.scxml:21:29", `inner;error.communication`,
		"no more d running.1", "of x-mail of " + scxml.BasicHTTPEventProcessor,
	} {
		if !strings.Contains(text, what) {
			t.Errorf("the interpreted sessions do not do what is to be compared, with %q", what)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
	for _, hosts := range []string{"c", "d", "ic", "ci", "id", "di", "cd", "icc"} {
		got := play(hosts)
		for i := range max(len(got), len(want)) {
			if i == len(got) || i == len(want) || got[i] != want[i] {
				t.Errorf("hosts %q, line %d\n got %swant %s", hosts, i, slices.Concat(got, []string{"nothing"})[i], slices.Concat(want, []string{"nothing"})[i])
				break
			}
		}
	}
}

// saved returns of what is stored of a session what is under way.
func saved(t *testing.T, f *fleet.Fleet, key string) string {
	stored, err := f.Copy(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	type session struct{ Invocations []any }
	var snapshot struct {
		Timers, Outbox any
		Sessions       []session
	}
	if err := json.Unmarshal(stored.Snapshot, &snapshot); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
