package compiled_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/compiled"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/compiled/internal/order"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

func chartOfOrders() *scxml.Chart {
	chart, err := scxml.Load(os.DirFS("internal/order"), "order.scxml")
	if err != nil {
		log.Fatal(err)
	}
	return chart
}

func newOrder() machine.Node { return order.New(order.Hooks{}).Node() }

const shop = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="income" expr="0"/><data id="notes" expr="[]"/></datamodel>
  <state id="s">
    <transition event="paid"><assign location="income" expr="income + _event.data.amount"/></transition>
    <transition event="noted"><script>notes.push(_event.data)</script></transition>
    <transition event="hello"><send event="welcome" targetexpr="_event.origin"><param name="text" expr="'the child was told'"/></send></transition>
  </state>
</scxml>`

// Sessions change from one form to the other and back, with timers under way and messages to other sessions, and end as
// those that are interpreted throughout.
func TestSessionsChangeForms(t *testing.T) {
	forms := map[byte]func() fleet.Definition{
		'i': func() fleet.Definition { return fleet.Define("order", chartOfOrders()) },
		'c': func() fleet.Definition { return compiled.Define("order", chartOfOrders(), newOrder) },
	}
	till, err := scxml.Parse("shop.scxml", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	life := func(hosts string) (told []string) {
		synctest.Test(t, func(t *testing.T) {
			store, host := fleet.NewMemory(), 0
			tell := func(what ...any) { told = append(told, fmt.Sprintln(what...)) }
			run := func(work func(f *fleet.Fleet, ctx context.Context)) {
				f, err := fleet.New(store, fleet.Config{Now: time.Now, Log: 100}, forms[hosts[host%len(hosts)]](), fleet.Define("shop", till))
				if err != nil {
					t.Fatal(err)
				}
				host++
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error)
				go func() { done <- f.Run(ctx) }()
				work(f, ctx)
				stop()
				<-done
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
			show := func(f *fleet.Fleet, ctx context.Context, more ...string) {
				for _, key := range append([]string{"a", "b", "c"}, more...) {
					state, err := f.Get(ctx, key)
					tell(key, state.Status, state.Configuration, state.Enabled, state.Data, time.Until(state.NextDue).Round(time.Minute), len(state.Tasks), state.Final, state.Done, state.Broken, state.NoCopy, err)
				}
			}
			run(func(f *fleet.Fleet, ctx context.Context) {
				tell(f.Create(ctx, "a", fleet.CreateOptions{Chart: "order"}), f.Create(ctx, "b", fleet.CreateOptions{Chart: "order", Data: map[string]any{"paid": 4}}),
					f.Create(ctx, "c", fleet.CreateOptions{Chart: "order", Configuration: []string{"paid"}}))
				show(f, ctx)
			})
			for _, amount := range []int{3, 4, 5} {
				run(func(f *fleet.Fleet, ctx context.Context) {
					time.Sleep(20 * time.Hour)
					for _, key := range []string{"a", "b", "c"} {
						result, err := f.Do(ctx, key, scxml.Event{Name: "pay", Data: map[string]any{"amount": amount}})
						tell(result.Handled, result.Configuration, result.Effect.Entered, result.Effect.Exited, len(result.Effect.Sent), result.Effect.Errors, err)
						tell(eval(ctx, f, key, "paid + ' ' + reminders"))
						trial, err := f.Try(ctx, key, scxml.Event{Name: "pay", Data: map[string]any{"amount": 1}})
						tell(trial.Handled, err)
					}
					show(f, ctx)
				})
			}
			run(func(f *fleet.Fleet, ctx context.Context) {
				tell(f.Create(ctx, "shop", fleet.CreateOptions{Chart: "shop"}))
				tell(f.Create(ctx, "d", fleet.CreateOptions{Chart: "order"}))
				tell(f.Create(ctx, "e", fleet.CreateOptions{Chart: "order"}))
				result, err := f.Do(ctx, "e", scxml.Event{Name: "ask"}) // a session that it invokes asks the shop
				tell(result.Effect.Entered, result.Effect.Exited, err)
				items := []any{map[string]any{"a": 1, "b": nil}, "x"}
				_, err = f.Do(ctx, "d", scxml.Event{Name: "note", Data: map[string]any{"list": items}})
				tell(err)
				time.Sleep(61 * time.Minute)
				_, err = f.Do(ctx, "e", scxml.Event{Name: "note", Data: map[string]any{"list": items}}) // due in the next form
				tell(err)
				_, err = f.Do(ctx, "d", scxml.Event{Name: "pay", Data: map[string]any{"amount": 12}})
				tell(err)
				time.Sleep(2 * time.Minute)
			})
			run(func(f *fleet.Fleet, ctx context.Context) {
				time.Sleep(time.Hour)
				tell(eval(ctx, f, "shop", "income"))
				tell(eval(ctx, f, "shop", "JSON.stringify(notes)"))
				tell(eval(ctx, f, "e", "told"))
				time.Sleep(time.Hour)
				err := f.Stop(ctx, "b")
				tell(err)
				log, err := f.Log(ctx, "b", 0, 100)
				for _, entry := range log {
					tell(entry.Steps, err)
				}
				show(f, ctx, "d")
			})
		})
		return told
	}
	want := life("i")
	for _, what := range []string{"12 <nil>", "final", "the child was told <nil>", "asking state#4", `[[{"a":1,"b":null},"x"],[{"a":1,"b":null},"x"]`, "order.scxml:15:7", `"payments":[{"sum":12},null,`} {
		if !strings.Contains(strings.Join(want, ""), what) {
			t.Errorf("the interpreted sessions do not do what is to be compared, with %q:\n%s", what, want)
		}
	}
	for _, hosts := range []string{"c", "ic", "ci", "icc"} {
		if got := life(hosts); !slices.Equal(got, want) {
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("hosts %q, line %d\n got %swant %s", hosts, i, got[i], want[i])
				}
			}
		}
	}
}

func eval(ctx context.Context, f *fleet.Fleet, key, expr string) (value any, err error) {
	err = f.View(ctx, key, func(l fleet.Live) (err error) {
		value, err = l.Eval(ctx, expr)
		return err
	})
	return value, err
}

// What Define cannot do is told when a fleet is made.
func TestDefineRefuses(t *testing.T) {
	other, err := scxml.Parse("order.scxml", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	for want, d := range map[string]fleet.Definition{
		"another version of order.scxml": compiled.Define("order", other, newOrder),
		"WithTrace is not an option":     compiled.Define("order", chartOfOrders(), newOrder, scxml.WithTrace(&scxml.Trace{})),
		`cannot leave the type "scxml"`:  compiled.Define("order", chartOfOrders(), newOrder),
	} {
		config := fleet.Config{}
		if strings.Contains(want, "scxml\"") {
			config.Services = map[string]scxml.Invoker{"scxml": scxml.InvokerFunc(nil)}
		}
		if _, err := fleet.New(fleet.NewMemory(), config, d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

// A session that has what a machine cannot hold is interpreted, and compiled again when it has no more of it.
func TestWhatAMachineCannotHold(t *testing.T) {
	ctx, store := t.Context(), fleet.NewMemory()
	made := 0
	for i, event := range []scxml.Event{
		{Name: "pay", Data: map[string]any{"amount": 1}},
		{Name: "pay", Data: map[string]any{"amount": time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)}},
		{Name: "other"},
		{Name: "pay", Data: map[string]any{"amount": 1}},
	} {
		before := made
		f, err := fleet.New(store, fleet.Config{}, compiled.Define("order", chartOfOrders(), func() machine.Node { made++; return newOrder() }))
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			err = f.Create(ctx, "x", fleet.CreateOptions{})
		}
		result, err2 := f.Do(ctx, "x", event)
		paid, err3 := eval(ctx, f, "x", "paid")
		if want := []string{"1", "1Mon Jan 05 2026 "}[min(i, 1)]; err != nil || err2 != nil || err3 != nil || !strings.HasPrefix(fmt.Sprint(paid), want) {
			t.Errorf("after %v: paid is %#v, want %s; %v, %v, %v, %v", event, paid, want, result, err, err2, err3)
		}
		if made == before {
			t.Error("no machine was made")
		}
		f.Close()
	}
}

// The place of a message that was not delivered is told.
func TestUndelivered(t *testing.T) {
	till, err := scxml.Parse("shop.scxml", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]fleet.Definition{
		"interpreted": fleet.Define("order", chartOfOrders()),
		"compiled":    compiled.Define("order", chartOfOrders(), newOrder),
	} {
		synctest.Test(t, func(t *testing.T) {
			f, err := fleet.New(fleet.NewMemory(), fleet.Config{Now: time.Now}, d, fleet.Define("shop", till))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			ctx, stop := context.WithCancel(t.Context())
			err = errors.Join(f.Create(ctx, "x", fleet.CreateOptions{Chart: "order"}), f.Create(ctx, "shop", fleet.CreateOptions{Chart: "shop"}))
			if err == nil {
				_, err = f.Do(ctx, "x", scxml.Event{Name: "pay", Data: map[string]any{"amount": 12}})
			}
			if err = errors.Join(err, f.Delete(ctx, "shop")); err != nil {
				t.Fatal(err)
			}
			done := make(chan error)
			go func() { done <- f.Run(ctx) }()
			time.Sleep(time.Minute)
			if told, err := eval(ctx, f, "x", "told"); told != "order.scxml:15:7" {
				t.Errorf("%s: the place is %v, %v", name, told, err)
			}
			stop()
			<-done
		})
	}
}

// A session that is not started says so, and an error comes without a session.
func TestNotStarted(t *testing.T) {
	d := compiled.Define("order", chartOfOrders(), newOrder)
	env := fleet.Env{Now: time.Now}
	live, err := d.New(t.Context(), env, "x", fleet.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if status, err := live.Status(), live.Err(); status != scxml.Unstarted || err != nil {
		t.Errorf("the status is %v, the error %v", status, err)
	}
	if err := live.Start(t.Context()); err != nil || live.Status() != scxml.Running {
		t.Errorf("the status is %v after Start: %v", live.Status(), err)
	}
	if live, err := d.New(t.Context(), env, "x", fleet.CreateOptions{Configuration: []string{"nowhere"}}); live != nil || err == nil {
		t.Errorf("it returns %v with the error %v", live, err)
	}
}

// Hooks of the machine are called.
func TestHooks(t *testing.T) {
	var entered []string
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{}, compiled.Define("order", chartOfOrders(), func() machine.Node {
		return order.New(order.Hooks{Hooks: machine.Hooks{Entered: func(state string) { entered = append(entered, state) }}}).Node()
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Create(t.Context(), "x", fleet.CreateOptions{}); err != nil || !slices.Equal(entered, []string{"open"}) {
		t.Errorf("%v, entered %v", err, entered)
	}
}

// A session that exceeds a limit when time passes is told apart from one that has ended before, with an event or without.
func TestLimitWhenTimePasses(t *testing.T) {
	for name, d := range map[string]fleet.Definition{
		"interpreted": fleet.Define("order", chartOfOrders()),
		"compiled":    compiled.Define("order", chartOfOrders(), newOrder),
	} {
		for _, event := range []string{"", "pay"} {
			now := time.Now()
			live, err := d.New(t.Context(), fleet.Env{Now: func() time.Time { return now }}, "x", fleet.CreateOptions{})
			if err == nil {
				err = live.Start(t.Context())
			}
			if err == nil {
				_, err = live.Do(t.Context(), now, scxml.Event{Name: "spin"})
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = live.Do(t.Context(), now.Add(2*time.Hour), scxml.Event{Name: event})
			if limit := (*scxml.LimitError)(nil); !errors.As(err, &limit) || limit.Limit != "Microsteps" {
				t.Errorf("%s, event %q: %v", name, event, err)
			}
		}
	}
}

// The limits are those of the chart, or of the option.
func TestLimits(t *testing.T) {
	limits := scxml.Limits{Timers: 1, Outbox: 1}
	strict, err := scxml.Load(os.DirFS("internal/order"), "order.scxml", scxml.WithLimits(limits))
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]fleet.Definition{
		"interpreted":       fleet.Define("order", strict),
		"of the chart":      compiled.Define("order", strict, newOrder),
		"of the definition": compiled.Define("order", chartOfOrders(), newOrder, scxml.WithLimits(limits)),
	} {
		f, err := fleet.New(fleet.NewMemory(), fleet.Config{}, d)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.Create(t.Context(), "x", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		result, err := f.Do(t.Context(), "x", scxml.Event{Name: "pay", Data: map[string]any{"amount": 20}})
		if e := result.Effect.Errors; err != nil || len(e) == 0 || !strings.Contains(e[len(e)-1].Error(), "Timers") {
			t.Errorf("%s: %v, %v", name, e, err)
		}
	}
}
