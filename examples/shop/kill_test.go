package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

// TestMain runs the server if a test started it as a process.
func TestMain(m *testing.M) {
	if dir := os.Getenv("SHOP_TEST_STORE"); dir != "" {
		log.Fatal(run(context.Background(), []string{"-port", "0", "-store", dir}, os.Stdout))
	}
	os.Exit(m.Run())
}

const (
	killVisitors = 8
	killEvents   = 60 // of each visitor, before the checkout
	kills        = 10
)

// A mortal is a server process that is killed and started again.
type mortal struct {
	t   *testing.T
	dir string

	mu     sync.Mutex
	cmd    *exec.Cmd
	url    string
	reborn chan struct{} // closed after the next start
	orders []order       // delivered ones
	ended  sync.WaitGroup
}

// start starts the process and waits until it listens.
func (m *mortal) start() {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SHOP_TEST_STORE="+m.dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		m.t.Error(err)
		return
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		m.t.Errorf("the server does not print its address: %v", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cmd, m.url = cmd, strings.TrimSpace(line)
	close(m.reborn)
	m.reborn = make(chan struct{})
	m.ended.Go(func() {
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return // an incomplete line is printed again
			}
			var o order
			if err := json.Unmarshal(line, &o); err != nil {
				m.t.Errorf("order %q: %v", line, err)
			}
			m.mu.Lock()
			m.orders = append(m.orders, o)
			m.mu.Unlock()
		}
	})
}

// kill kills the process without a warning.
func (m *mortal) kill() {
	if m.cmd == nil {
		return
	}
	m.cmd.Process.Kill()
	m.ended.Wait() // read the output before Wait closes it
	m.cmd.Wait()
}

// now returns the server's address, and a channel that is closed when it changes.
func (m *mortal) now() (url string, reborn <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.url, m.reborn
}

// A customer posts events one after the other, each until it is acknowledged.
type customer struct {
	m       *mortal
	browser *browser
	acked   *atomic.Int64
	retries *atomic.Int64
}

// insists repeats a request until it is answered.
func (c *customer) insists(ctx context.Context, want int, request func(ctx context.Context, base string) (*http.Request, error)) error {
	for {
		base, reborn := c.m.now()
		r, err := request(ctx, base)
		if err != nil {
			return err
		}
		answer, err := c.browser.Do(r)
		if err == nil {
			_, err = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && answer.StatusCode != want:
			return fmt.Errorf("%s: status %s, want %d", r.URL, answer.Status, want)
		case err == nil:
			return nil
		}
		c.retries.Add(1)
		select {
		case <-reborn:
		case <-ctx.Done():
			return fmt.Errorf("%w while the server was down: %v", ctx.Err(), err)
		}
	}
}

func (c *customer) post(ctx context.Context, id, event, item string) error {
	err := c.insists(ctx, http.StatusSeeOther, func(ctx context.Context, base string) (*http.Request, error) {
		form := url.Values{"id": {id}, "event": {event}, "item": {item}}
		r, err := http.NewRequestWithContext(ctx, "POST", base+"event", strings.NewReader(form.Encode()))
		if err == nil {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		return r, err
	})
	if err == nil {
		c.acked.Add(1)
	}
	return err
}

// shop buys random things and returns the items that the order must have.
func (c *customer) shop(ctx context.Context, rng *rand.Rand) (cart []string, err error) {
	err = c.insists(ctx, http.StatusOK, func(ctx context.Context, base string) (*http.Request, error) {
		return http.NewRequestWithContext(ctx, "GET", base, nil)
	})
	items := []string{"tea", "coffee", "cocoa", "cake"}
	for n := 0; n < killEvents && err == nil; n++ {
		id := fmt.Sprint(n)
		event, item := "add", items[rng.IntN(len(items))]
		if rng.IntN(4) == 0 && len(cart) > 0 {
			event, item = "remove", ""
			cart = cart[:len(cart)-1]
		} else {
			cart = append(cart, item)
		}
		err = c.post(ctx, id, event, item)
		if err == nil && rng.IntN(5) == 0 {
			err = c.post(ctx, id, event, item) // the answer may get lost
		}
	}
	for _, event := range []string{"checkout", "pay"} {
		if err == nil {
			err = c.post(ctx, event, event, "")
		}
	}
	return cart, err
}

// If the server is killed many times, each event is still processed exactly once,
// and each visitor's events in order.
func TestKill(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	seed := rand.Uint64()
	t.Log("seed", seed)
	m := &mortal{t: t, dir: filepath.Join(t.TempDir(), "store"), reborn: make(chan struct{})}
	m.start()
	t.Cleanup(m.kill)

	var acked, retries atomic.Int64
	customers := make([]*customer, killVisitors)
	carts := make([][]string, killVisitors)
	var all sync.WaitGroup
	for i := range customers {
		customers[i] = &customer{m, newBrowser(t, m.url, &http.Transport{}), &acked, &retries}
		all.Go(func() {
			var err error
			if carts[i], err = customers[i].shop(ctx, rand.New(rand.NewPCG(seed, uint64(i)))); err != nil {
				t.Errorf("visitor %d: %v", i, err)
				cancel()
			}
		})
	}

	rng := rand.New(rand.NewPCG(seed, 1000))
	const total = killVisitors * (killEvents + 2)
	for i := range int64(kills) {
		from := i * total / kills
		for at := from + rng.Int64N(total/kills); acked.Load() < at && ctx.Err() == nil; {
			<-time.After(100 * time.Microsecond)
		}
		<-time.After(time.Duration(rng.IntN(3000)) * time.Microsecond)
		m.kill()
		m.start()
	}
	all.Wait()
	m.kill()
	if t.Failed() {
		return
	}
	t.Logf("%d events acknowledged, %d requests repeated after %d kills", acked.Load(), retries.Load(), kills)
	if retries.Load() == 0 {
		t.Error("no request was interrupted")
	}

	store, err := bolt.Open(m.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s, err := start(t, store, loadChart(t)) // it delivers what is left
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	for i, c := range customers {
		checkCustomer(t, ctx, s, c.browser.visitor(), carts[i])
	}
	s.stop()
	orders := map[string]order{} // by id: some may be delivered twice
	for _, o := range append(m.orders, s.orders...) {
		if old, ok := orders[o.Visit]; ok && old.ID != o.ID {
			t.Errorf("visit %s has the orders %s and %s", o.Visit, old.ID, o.ID)
		}
		orders[o.Visit] = o
	}
	for i, c := range customers {
		if o := orders[key(c.browser.visitor())]; !slices.Equal(o.Items, carts[i]) {
			t.Errorf("order %+v, want\n%v", o, carts[i])
		}
	}
}

// checkCustomer waits until a visitor has paid, and checks the cart.
func checkCustomer(t *testing.T, ctx context.Context, s *testShop, visitor string, cart []string) {
	t.Helper()
	for _, err := range s.fleet.Watch(ctx, key(visitor), 0) {
		if err != nil {
			t.Fatal(err)
		}
		state, err := s.fleet.Get(ctx, key(visitor))
		if err != nil {
			t.Fatal(err)
		}
		if state.Configuration[0] != "ordered" || len(state.Tasks) > 0 {
			continue
		}
		value, _ := state.Data.Get("cart")
		got, err := scxml.EventData[[]string](scxml.Event{Data: value})
		if err != nil || !slices.Equal(got, cart) {
			t.Errorf("the cart has\n%v, want\n%v (%v)", got, cart, err)
		}
		return
	}
}
