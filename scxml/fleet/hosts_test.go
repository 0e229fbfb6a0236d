package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// reminder sends a message when it is told, and half an hour after that, and has a service.
const reminder = `
  <state id="s">
    <transition event="say"><send event="said" type="x-post" target="wall"/></transition>
    <transition event="later"><send event="due" delayexpr="_event.data"/></transition>
    <transition event="due"><send event="said" type="x-post" target="wall"/></transition>
    <transition event="work" target="working"/>
  </state>
  <state id="working">
    <invoke id="job" type="x-work"/>
    <transition event="rest" target="s"/>
  </state>`

// A cluster is several fleets on one store.
type cluster struct {
	t     *testing.T
	store fleet.Store
	deaf  bool // the store gives no hints

	mu      sync.Mutex
	said    []string       // "HOST KEY" for each delivery
	working map[string]int // services that run, by "HOST KEY"
}

// A node is one of its hosts.
type node struct {
	*fleet.Fleet
	name string
	stop func() // drains
	die  func() // stops without telling the others
}

// A dying store ends with its process.
type dying struct {
	fleet.Watcher
	dead context.Context
}

func (d dying) PutFile(ctx context.Context, name string, data []byte) error {
	if d.dead.Err() != nil {
		return errors.New("the process is dead")
	}
	return d.Watcher.PutFile(ctx, name, data)
}

func newCluster(t *testing.T) *cluster {
	return &cluster{t: t, store: fleet.NewMemory(), working: make(map[string]int)}
}

func (c *cluster) start(name string, charts ...fleet.Definition) *node {
	c.t.Helper()
	if charts == nil {
		charts = []fleet.Definition{parse(c.t, "reminder", reminder)}
	}
	dead, kill := context.WithCancel(context.Background())
	store := fleet.Store(dying{c.store.(fleet.Watcher), dead})
	if c.deaf {
		store = struct{ fleet.Store }{store}
	}
	f, err := fleet.New(store, fleet.Config{
		Host: name,
		Processors: map[string]fleet.Deliver{"x-post": func(_ context.Context, d fleet.Delivery) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.said = append(c.said, name+" "+d.Key)
			return nil
		}},
		Services: map[string]scxml.Invoker{"x-work": scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
			key, _ := fleet.TaskID(ctx)
			c.count(name+" "+key, 1)
			<-ctx.Done()
			c.count(name+" "+key, -1)
			return nil, ctx.Err()
		})},
		Logger: slog.New(slog.NewTextHandler(c.t.Output(), nil)),
	}, charts...)
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(c.t.Context())
	ran := make(chan error)
	go func() { ran <- f.Run(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		if err := <-ran; !errors.Is(err, context.Canceled) {
			c.t.Errorf("Run of %s returns %v", name, err)
		}
	})
	return &node{f, name, stop, func() { kill(); stop() }}
}

func (c *cluster) count(what string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.working[what] += n; c.working[what] == 0 {
		delete(c.working, what)
	}
}

// heard returns what was said since the last call, in order of the keys.
func (c *cluster) heard() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	said := c.said
	c.said = nil
	slices.SortFunc(said, func(a, b string) int {
		return strings.Compare(a[strings.Index(a, " "):], b[strings.Index(b, " "):])
	})
	return said
}

func (c *cluster) services() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	running := make(map[string]int)
	for what, n := range c.working {
		running[what] = n
	}
	return running
}

func (c *cluster) create(n *node, keys int) (all []string) {
	c.t.Helper()
	for i := range keys {
		all = append(all, fmt.Sprintf("r%02d", i))
		if err := n.Create(c.t.Context(), all[i], fleet.CreateOptions{}); err != nil {
			c.t.Fatal(err)
		}
	}
	return all
}

func (c *cluster) send(n *node, event string, data any, keys ...string) {
	c.t.Helper()
	for _, key := range keys {
		if _, err := n.Send(c.t.Context(), key, scxml.Event{Name: event, Data: data}); err != nil {
			c.t.Fatal(err)
		}
	}
}

// owners returns who works for each session, which all nodes must agree on.
func (c *cluster) owners(keys []string, nodes ...*node) map[string]string {
	c.t.Helper()
	owners := make(map[string]string)
	for _, key := range keys {
		for _, n := range nodes {
			state, err := n.Get(c.t.Context(), key)
			if err != nil {
				c.t.Fatal(err)
			}
			owner := n.Owner(state.Info)
			if owners[key] == "" {
				owners[key] = owner
			}
			if owner == "" || owner != owners[key] {
				c.t.Errorf("%s: %s takes %q for its host, and another one %q", key, n.name, owner, owners[key])
			}
		}
	}
	return owners
}

// Each session has one host, which does its work at once, whichever host accepts the event.
func TestHostsShareTheSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		a, b, d := c.start("a"), c.start("b"), c.start("d")
		time.Sleep(5 * time.Second)
		keys := c.create(a, 30)
		owners := c.owners(keys, a, b, d)
		shares := make(map[string]int)
		for _, owner := range owners {
			shares[owner]++
		}
		if shares["a"] < 4 || shares["b"] < 4 || shares["d"] < 4 {
			t.Errorf("the hosts have %v of 30 sessions", shares)
		}
		c.send(b, "say", nil, keys...)
		c.send(d, "later", "1800s", keys...)
		time.Sleep(10 * time.Millisecond)
		for range 2 {
			for i, said := range c.heard() {
				if want := owners[keys[i]] + " " + keys[i]; said != want {
					t.Errorf("%q has said, want %q", said, want)
				}
			}
			time.Sleep(1800 * time.Second)
		}
		a.stop()
		b.stop()
		d.stop()
		if files, err := c.store.Files(t.Context(), "hosts/"); err != nil || len(files) != 0 {
			t.Errorf("files %v remain, %v", files, err)
		}
	})
}

// When a host comes, leaves or dies, the others take over its sessions, and the services of these run
// again. Services that another host runs now end.
func TestHostsComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		a := c.start("a")
		time.Sleep(time.Second)
		keys := c.create(a, 20)
		c.send(a, "work", nil, keys...)
		expect := func(when string, after time.Duration, nodes ...*node) {
			t.Helper()
			time.Sleep(after)
			want := make(map[string]int)
			for key, owner := range c.owners(keys, nodes...) {
				want[owner+" "+key] = 1
			}
			if got := c.services(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: services %v, want %v", when, got, want)
			}
		}
		expect("alone", time.Second, a)
		b := c.start("b")
		expect("after one came", 5*time.Second, a, b)
		d := c.start("d")
		expect("after two came", 5*time.Second, a, b, d)
		d.stop()
		expect("after one left", 3*time.Second, a, b)
		a.die()
		expect("after one died", 5*time.Second, b)
		c.send(b, "rest", nil, keys...)
		time.Sleep(time.Second)
		if left := c.services(); len(left) != 0 {
			t.Errorf("services %v remain", left)
		}
		b.stop()
	})
}

// A host that stood still for long does not take the others for dead.
func TestHostThatStoodStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		slow := &standing{Watcher: c.store.(fleet.Watcher), still: make(chan struct{})}
		close(slow.still)
		a := c.start("a")
		c.store = slow
		b := c.start("b")
		time.Sleep(5 * time.Second)
		slow.set(make(chan struct{}))
		time.Sleep(time.Minute)
		if got := a.Hosts(); !slices.Equal(got, []string{"a"}) {
			t.Errorf("while b stands still, a sees %v", got)
		}
		for slow.end(); ; time.Sleep(10 * time.Millisecond) {
			if got := b.Hosts(); !slices.Equal(got, []string{"a", "b"}) {
				t.Errorf("b takes %v for the hosts", got)
			}
			if len(a.Hosts()) == 2 {
				break
			}
		}
		a.stop()
		b.stop()
	})
}

// A host that is silent for 2 s keeps its sessions, whenever that begins. One that is silent for longer, again
// and again, loses them once in an hour.
func TestHostThatIsSlow(t *testing.T) {
	for _, test := range []struct {
		still, between time.Duration
		lost           int
	}{
		{2 * time.Second, 1130 * time.Millisecond, 0},
		{6 * time.Second, 4110 * time.Millisecond, 1},
		{12 * time.Second, 30 * time.Second, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := newCluster(t)
			slow := &standing{Watcher: c.store.(fleet.Watcher), still: make(chan struct{})}
			close(slow.still)
			a := c.start("a")
			c.store = slow
			b := c.start("b")
			time.Sleep(5 * time.Second)
			lost, alone := 0, false
			for began := time.Now(); time.Since(began) < 20*time.Minute; {
				slow.set(make(chan struct{}))
				for wait := test.still; ; wait = test.between {
					for end := time.Now().Add(wait); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
						if was := alone; len(a.Hosts()) == 1 {
							alone = true
							if !was {
								lost++
							}
						} else {
							alone = false
						}
					}
					if wait == test.between {
						break
					}
					slow.end()
				}
			}
			if lost != test.lost {
				t.Errorf("a host that is silent for %v each %v has lost its sessions %d times in 20 minutes, want %d", test.still, test.still+test.between, lost, test.lost)
			}
			a.stop()
			b.stop()
		})
	}
}

// A standing store does not answer for a while.
type standing struct {
	fleet.Watcher
	mu    sync.Mutex
	still chan struct{}
}

func (s *standing) set(still chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.still = still
}

func (s *standing) end() { close(s.still) }

func (s *standing) Files(ctx context.Context, prefix string) ([]string, error) {
	s.mu.Lock()
	still := s.still
	s.mu.Unlock()
	<-still
	return s.Watcher.Files(ctx, prefix)
}

// While two versions of a program run, a session is worked for by a host that knows its chart.
func TestHostsOfTwoVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		old := parse(t, "reminder", reminder)
		newer := parse(t, "reminder", strings.Replace(reminder, `id="job"`, `id="task"`, 1))
		a := c.start("a", old)
		time.Sleep(time.Second)
		keys := c.create(a, 10)
		b := c.start("b", newer)
		time.Sleep(5 * time.Second)
		for _, key := range keys {
			key = "new-" + key
			if err := b.Create(t.Context(), key, fleet.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			c.send(b, "say", nil, key)
		}
		c.send(a, "say", nil, keys...)
		time.Sleep(time.Second)
		for _, said := range c.heard() {
			if strings.HasPrefix(said, "a new-") || strings.HasPrefix(said, "b r") {
				t.Errorf("%q has said", said)
			}
		}
		d := c.start("d", old, newer)
		time.Sleep(5 * time.Second)
		a.stop()
		time.Sleep(5 * time.Second)
		c.send(d, "say", nil, keys...)
		time.Sleep(time.Second)
		if said := c.heard(); len(said) != len(keys) || slices.ContainsFunc(said, func(s string) bool { return s[0] != 'd' }) {
			t.Errorf("after the upgrade %q have said", said)
		}
		b.stop()
		d.stop()
	})
}

// Without hints, a host asks the store every second.
func TestHostsWithoutHints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		c.deaf = true
		a, b := c.start("a"), c.start("b")
		time.Sleep(5 * time.Second)
		keys := c.create(a, 10)
		c.send(a, "say", nil, keys...)
		c.send(b, "later", "3s", keys...)
		time.Sleep(2 * time.Second)
		if said := c.heard(); len(said) != len(keys) {
			t.Errorf("after two seconds %q have said", said)
		}
		time.Sleep(3 * time.Second)
		if said := c.heard(); len(said) != len(keys) {
			t.Errorf("five seconds later %q have said", said)
		}
		a.stop()
		b.stop()
	})
}

// A host asks for a chart that another one has added, when a session or Create names it.
func TestHostLearnsCharts(t *testing.T) {
	first, second, other := parse(t, "counter", counter), parse(t, "counter", counter+`<final id="new"/>`), parse(t, "other", counter)
	store := fleet.NewMemory()
	a, err := fleet.New(store, fleet.Config{}, first, second, other)
	if err != nil {
		t.Fatal(err)
	}
	var b *fleet.Fleet
	var asked []string
	learn := func(_ context.Context, chart string) error {
		asked = append(asked, chart)
		return errors.Join(b.Keep(second), b.Define(other))
	}
	if b, err = fleet.New(store, fleet.Config{Learn: learn}, first); err != nil {
		t.Fatal(err)
	}
	if err := a.Create(t.Context(), "c", fleet.CreateOptions{Chart: "counter"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Do(t.Context(), "c", ev("add", 1)); err != nil {
		t.Errorf("an event for a session of the new version: %v", err)
	}
	for key, want := range map[string]string{"counter": first.Hash(), "other": other.Hash()} {
		if err := b.Create(t.Context(), key, fleet.CreateOptions{Chart: key}); err != nil {
			t.Fatal(err)
		}
		if state, err := b.Get(t.Context(), key); err != nil || state.Hash != want {
			t.Errorf("the new session has version %s (%v), want %s", state.Hash, err, want)
		}
	}
	if err := b.Create(t.Context(), "none", fleet.CreateOptions{Chart: "none"}); !errors.Is(err, fleet.ErrNotFound) {
		t.Errorf("a chart that nobody has: %v, want ErrNotFound", err)
	}
	if !slices.Equal(asked, []string{"counter", "none"}) {
		t.Errorf("asked for charts %q", asked)
	}
}
