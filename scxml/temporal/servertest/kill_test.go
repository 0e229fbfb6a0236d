package servertest

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	sdk "go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/temporal"
)

var (
	killKills    = flag.Int("kill.kills", 4, "kills of workers")
	killRestarts = flag.Int("kill.restarts", 1, "kills of the server")
	killEvents   = flag.Int("kill.events", 500, "events")
	killSeed     = flag.Uint64("kill.seed", 1, "of the kills")
)

// account notes whether events come in order, asks for a letter for each tenth one, and has a timer.
const account = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Account">
	<datamodel><data id="n" expr="0"/><data id="wrong" expr="0"/><data id="ticks" expr="0"/><data id="wait"/></datamodel>
	<state id="s">
		<onentry><send event="tick" delay="200ms"><param name="due" expr="Date.now() + 200"/></send></onentry>
		<transition event="add">
			<assign location="wrong" expr="wrong + (_event.data === n + 1 ? 0 : 1)"/><assign location="n" expr="_event.data"/>
			<if cond="n % 10 == 0"><send type="letter" event="letter" target="someone"><param name="n" expr="n"/></send></if>
		</transition>
		<transition event="tick">
			<assign location="ticks" expr="ticks + 1"/>
			<send type="letter" event="tick"><param name="due" expr="_event.data.due"/></send>
			<assign location="wait" expr="[200, 1500, 6000][ticks % 3]"/>
			<send event="tick" delayexpr="wait + 'ms'"><param name="due" expr="Date.now() + wait"/></send>
		</transition>
	</state>
</scxml>`

// work is a worker process.
func work(port string) error {
	c, err := client.NewLazyClient(client.Options{HostPort: "127.0.0.1:" + port, Namespace: namespace, Logger: quiet})
	if err != nil {
		return err
	}
	chart, err := scxml.Parse("account.scxml", []byte(account))
	if err != nil {
		return err
	}
	out, err := os.OpenFile(os.Getenv(roleFile), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	// The queue of a worker that was killed is left sooner than by default: kills are frequent.
	w := worker.New(c, "kill", worker.Options{StickyScheduleToStartTimeout: time.Second})
	temporal.Register(w, "account", chart, temporal.Options{History: 500, Activities: map[string]temporal.Activity{
		"letter": func(_ context.Context, task temporal.Task) (any, error) {
			_, err := fmt.Fprintln(out, task.Session, task.Event, datamodel.Text(task.Data), task.Key, time.Now().UnixMilli())
			return nil, err
		},
	}})
	return w.Run(make(chan any))
}

// Workers and the server are killed. No event that was acknowledged is lost, doubled or out of order, no timer
// is early, and each letter is sent, under one key.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	srv, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(filepath.Dir(srv.file))
	defer func() { srv.kill() }()
	c, err := srv.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	file := filepath.Join(filepath.Dir(srv.file), "letters")
	workers := [2]*process{{role: "worker", file: file, port: srv.port}, {role: "worker", file: file, port: srv.port}}
	for _, w := range workers {
		if err := w.start(); err != nil {
			t.Fatal(err)
		}
		defer func() { w.kill() }()
	}

	const sessions = 25
	each := *killEvents / sessions
	var acknowledged, repeated atomic.Int64
	insist := func(what string, f func() error) {
		for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
			err := f()
			if err == nil {
				return
			}
			repeated.Add(1)
			if refused := (*sdk.ApplicationError)(nil); errors.As(err, &refused) || time.Since(begin) > 10*time.Minute {
				t.Errorf("%s: %v", what, err)
				return
			}
		}
	}
	began := time.Now()
	var senders sync.WaitGroup
	for i := range sessions {
		id := fmt.Sprint("account-", i)
		senders.Go(func() {
			insist("start", func() error {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				defer cancel()
				_, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: id, TaskQueue: "kill"}, "account", temporal.Input{})
				if is := (*serviceerror.WorkflowExecutionAlreadyStarted)(nil); errors.As(err, &is) {
					return nil
				}
				return err
			})
			for n := 1; n <= each && !t.Failed(); n++ {
				ev := temporal.Event{Name: "add", Data: n, ID: fmt.Sprint(n)}
				insist(id, func() error {
					ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
					defer cancel()
					if n%3 == 0 {
						return c.SignalWorkflow(ctx, id, "", temporal.SignalEvent, ev)
					}
					_, err := temporal.Do(ctx, c, id, ev)
					return err
				})
				acknowledged.Add(1)
			}
		})
	}
	// The kills are spread over the events.
	r := rand.New(rand.NewPCG(*killSeed, 0))
	kinds := append(make([]bool, *killKills), make([]bool, *killRestarts)...)
	for i := range *killRestarts {
		kinds[i] = true
	}
	r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	done := make(chan struct{})
	go func() { senders.Wait(); close(done) }()
	kills, restarts := 0, 0
	for i, server := range kinds {
		for at := int64(each*sessions) * int64(i+1) / int64(len(kinds)+1); acknowledged.Load() < at; time.Sleep(5 * time.Millisecond) {
			select {
			case <-done:
				at = 0
			default:
			}
		}
		if i%10 == 9 {
			t.Logf("%d events, %d kills of workers and %d of the server after %v", acknowledged.Load(), kills, restarts, time.Since(began))
		}
		time.Sleep(time.Duration(r.IntN(50)) * time.Millisecond)
		if server {
			srv.kill()
			if err := srv.start(); err != nil {
				t.Fatal(err)
			}
			again, err := srv.dial()
			if err != nil {
				t.Fatal(err)
			}
			again.Close()
			restarts++
			continue
		}
		w := workers[r.IntN(2)]
		w.kill()
		if err := w.start(); err != nil {
			t.Fatal(err)
		}
		kills++
	}
	<-done
	took := time.Since(began)
	get := func(i int, want func(state struct{ N, Wrong, Ticks int }) error) (state struct{ N, Wrong, Ticks int }) {
		insist("state", func() error {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			s, err := temporal.Get(ctx, c, fmt.Sprint("account-", i))
			if err == nil {
				state = struct{ N, Wrong, Ticks int }{}
				err = json.Unmarshal(s.Data, &state)
			}
			return cmp.Or(err, want(state))
		})
		return state
	}
	lost, wrong, ticks := 0, 0, 0
	before := make([]int, sessions)
	for i := range sessions {
		state := get(i, func(state struct{ N, Wrong, Ticks int }) error {
			if state.N != each { // a signal may be on its way
				return fmt.Errorf("it has %d events", state.N)
			}
			return nil
		})
		lost += each - state.N
		wrong += state.Wrong
		before[i] = state.Ticks
	}
	for i, before := range before {
		ticks += get(i, func(state struct{ N, Wrong, Ticks int }) error { // no timer was lost: the last one began another
			if state.Ticks <= before {
				return errors.New("no timer fires")
			}
			return nil
		}).Ticks
	}
	l := readLetters(t, file, each, sessions)
	if lost > 0 || wrong > 0 || len(l.keys) != sessions*(each/10) || l.several > 0 || l.early > 0 {
		t.Errorf("%d events are lost, %d are doubled or out of order; of %d letters there are %d, %d with several keys; %d timers are early",
			lost, wrong, sessions*(each/10), len(l.keys), l.several, l.early)
	}
	t.Logf("%d events, %d kills of workers, %d of the server, %d calls repeated, %d timers, %d letters, of which %d came more than once, %.0f events a second",
		acknowledged.Load(), kills, restarts, repeated.Load(), ticks, len(l.keys), l.repeated, float64(acknowledged.Load())/took.Seconds())
}

// letters are those that came.
type letters struct {
	keys     map[string]string // of each letter but ticks
	several  int               // those that came with another key
	repeated int               // those that came again with their key
	early    int               // ticks
}

// readLetters reads the letters until all are there.
func readLetters(t *testing.T, file string, each, sessions int) (l letters) {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		l = letters{keys: map[string]string{}}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			words := strings.Fields(lines.Text())
			if len(words) != 5 {
				continue // of a worker that was killed
			}
			if words[1] == "tick" {
				var due struct{ Due int64 }
				at, err := strconv.ParseInt(words[4], 10, 64)
				if err = errors.Join(err, json.Unmarshal([]byte(words[2]), &due)); err != nil || due.Due == 0 {
					t.Errorf("%q: %v", lines.Text(), err)
				} else if at < due.Due {
					l.early++
				}
				continue
			}
			letter, key := words[0]+words[2], words[3]
			switch before, ok := l.keys[letter]; {
			case !ok:
				l.keys[letter] = key
			case before == key:
				l.repeated++
			default:
				l.several++
			}
		}
		f.Close()
		if len(l.keys) >= sessions*(each/10) || time.Now().After(deadline) {
			return l
		}
	}
}
