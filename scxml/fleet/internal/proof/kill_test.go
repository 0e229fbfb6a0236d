package proof

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

var (
	kills      = flag.Int("kill.kills", 10, "TestKill: how often the process is killed")
	killEvents = flag.Int("kill.events", 2000, "TestKill: accepted events, at least")
	killSeed   = flag.Uint64("kill.seed", 1, "TestKill: the seed of the moments and events")
)

//go:embed testdata/counter.scxml
var counterSource []byte

// childStore, in the environment, makes the test binary a process with a fleet over the store in this
// folder, to be killed.
const childStore = "FLEET_PROOF_STORE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childStore); dir != "" {
		if err := serve(dir, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// A request is what the process is asked for, one in a line.
type request struct {
	Call  int // echoed by the answer
	Key   string
	Event string // "" creates the session; "?" returns its books
	Data  map[string]any
	ID    string
	From  uint64 // the number in a feed, if it is not 0
	Wait  bool   // until the event is processed
}

type reply struct {
	Call      int
	Error     string `json:",omitempty"`
	Position  uint64 `json:",omitempty"`
	Duplicate bool   `json:",omitempty"`
	Early     string `json:",omitempty"` // a delayed event that came before its time
	Books     *books `json:",omitempty"`
}

// books are the data of counter.scxml, and what is still under way.
type books struct {
	Added, Armed, Fired, Told, Heard int
	Wrong                            string
	UnderWay                         int
}

// serve runs a fleet for the process that reads and writes the other ends.
func serve(dir string, in io.Reader, out io.Writer) error {
	chart, err := scxml.Parse("counter.scxml", counterSource)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	encoder := json.NewEncoder(out)
	answer := func(r reply) {
		mu.Lock()
		defer mu.Unlock()
		encoder.Encode(r) // if the other end is gone, so are we
	}
	trace := &scxml.Trace{Timer: func(s *scxml.Session, m scxml.Message) {
		now := time.Now().UnixMilli()
		data, err := scxml.EventData[struct{ N, Due int64 }](m.Event)
		if err != nil || now < data.Due {
			answer(reply{Early: fmt.Sprintf("timer %d of %s fired at %d, want %d (%v)", data.N, s.ID(), now, data.Due, err)})
		}
	}}
	store, err := bolt.Open(dir)
	if err != nil {
		return err
	}
	f, err := fleet.New(store, fleet.Config{}, fleet.Define("counter", chart, scxml.WithTrace(trace)))
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := f.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			answer(reply{Error: fmt.Sprintf("Run: %v", err)})
		}
	})
	answer(reply{}) // ready
	requests := json.NewDecoder(bufio.NewReader(in))
	for {
		var r request
		if err := requests.Decode(&r); err != nil {
			stop()
			running.Wait()
			return errors.Join(f.Close(), store.Close())
		}
		go func() { answer(carryOut(ctx, f, r)) }()
	}
}

func carryOut(ctx context.Context, f *fleet.Fleet, r request) reply {
	a := reply{Call: r.Call}
	var err error
	ev, opt := scxml.Event{Name: r.Event, Data: r.Data}, fleet.ID(r.ID)
	if r.From > 0 {
		opt = fleet.From("feed", r.From)
	}
	switch {
	case r.Event == "":
		if err = f.Create(ctx, r.Key, fleet.CreateOptions{Data: r.Data}); errors.Is(err, fleet.ErrExists) {
			err = nil
		}
	case r.Event == "?":
		a.Books, err = read(ctx, f, r.Key)
	case r.Wait:
		var result fleet.Result
		result, err = f.Do(ctx, r.Key, ev, opt)
		a.Position, a.Duplicate = result.Position, result.Duplicate
	default:
		var receipt fleet.Receipt
		receipt, err = f.Send(ctx, r.Key, ev, opt)
		a.Position, a.Duplicate = receipt.Position, receipt.Duplicate
	}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}

func read(ctx context.Context, f *fleet.Fleet, key string) (*books, error) {
	state, err := f.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	var b books
	if err := datamodel.Decode(state.Data, &b); err != nil {
		return nil, err
	}
	if b.UnderWay = state.Inbox + len(state.Tasks); !state.NextDue.IsZero() {
		b.UnderWay++
	}
	return &b, nil
}

// A child is a process with a fleet.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	ready chan struct{}
	gone  chan struct{}

	mu      sync.Mutex
	calls   map[int]chan reply
	last    int
	encoder *json.Encoder
}

func startChild(dir string, wrong func(string)) (*child, error) {
	c := &child{cmd: exec.Command(os.Args[0]), ready: make(chan struct{}), gone: make(chan struct{}), calls: make(map[int]chan reply)}
	c.cmd.Env = append(os.Environ(), childStore+"="+dir)
	c.cmd.Stderr = os.Stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.encoder = in, json.NewEncoder(in)
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(c.gone)
		for replies := json.NewDecoder(bufio.NewReader(out)); ; {
			var r reply
			if err := replies.Decode(&r); err != nil {
				return
			}
			c.mu.Lock()
			call := c.calls[r.Call]
			delete(c.calls, r.Call)
			c.mu.Unlock()
			switch {
			case r.Early != "":
				wrong("early: " + r.Early)
			case call != nil:
				call <- r
			case r.Error != "":
				wrong(r.Error)
			default:
				close(c.ready)
			}
		}
	}()
	return c, nil
}

// call waits for the answer to a request. It fails if the process dies.
func (c *child) call(r request) (reply, bool) {
	answered := make(chan reply, 1)
	c.mu.Lock()
	c.last++
	r.Call = c.last
	c.calls[r.Call] = answered
	err := c.encoder.Encode(r)
	c.mu.Unlock()
	if err != nil {
		return reply{}, false
	}
	select {
	case a := <-answered:
		return a, true
	case <-c.gone:
		select {
		case a := <-answered: // it came before the end
			return a, true
		default:
			return reply{}, false
		}
	}
}

// A killing is a run of TestKill.
type killing struct {
	t   *testing.T
	dir string

	mu                           sync.Mutex
	changed                      *sync.Cond // something of what follows
	child                        *child
	accepted, duplicates, unsure int
	over                         bool // the clients stop
}

func (k *killing) wrong(what string) {
	k.t.Error(what)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.changed.Broadcast()
}

// start starts a process after the one that died.
func (k *killing) start() bool {
	c, err := startChild(k.dir, k.wrong)
	if err != nil {
		k.t.Error(err)
		return false
	}
	select {
	case <-c.ready:
	case <-c.gone:
		k.t.Errorf("a process does not start: %v", c.cmd.Wait())
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.child = c
	k.changed.Broadcast()
	return true
}

// ask repeats a request until a process answers it.
func (k *killing) ask(r request) (a reply, tries int) {
	var dead *child
	for {
		k.mu.Lock()
		for k.child == dead && !k.t.Failed() {
			k.changed.Wait()
		}
		c := k.child
		k.mu.Unlock()
		if k.t.Failed() {
			return reply{Error: "the test has failed"}, tries
		}
		tries++
		if a, ok := c.call(r); ok {
			return a, tries
		}
		dead = c
	}
}

// await waits until so many events have been accepted.
func (k *killing) await(events int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.accepted < events && !k.t.Failed() {
		k.changed.Wait()
	}
}

func counterName(i int) string { return fmt.Sprint("counter-", i) }

// drive is the client of one session. It gives the next event when it knows of the one before, so
// that the session must see 1, 2, 3, ….
func (k *killing) drive(i, sessions int) (sent int) {
	r := rand.New(rand.NewPCG(*killSeed, 100+uint64(i)))
	key := counterName(i)
	a, _ := k.ask(request{Key: key, Data: map[string]any{"neighbour": counterName((i + 1) % sessions)}})
	if a.Error != "" {
		k.wrong(fmt.Sprintf("cannot create %s: %s", key, a.Error))
	}
	position := uint64(0)
	for {
		k.mu.Lock()
		over := k.over
		k.mu.Unlock()
		if over || k.t.Failed() {
			return sent
		}
		n := sent + 1
		req := request{Key: key, Event: "add", ID: fmt.Sprint(key, " ", n), Wait: r.IntN(2) == 0, Data: map[string]any{"n": n}}
		switch r.IntN(8) {
		case 0:
			const delay = 700 * time.Millisecond
			req.Event, req.Data["delay"], req.Data["due"] = "add.timer", delay.String(), time.Now().Add(delay).UnixMilli()
		case 1, 2:
			req.Event = "add.message"
		}
		if i%2 == 0 {
			req.ID, req.From = "", uint64(n)
		}
		a, tries := k.ask(req)
		if a.Error == fleet.ErrUnknown.Error() {
			continue
		}
		if a.Error != "" {
			k.wrong(fmt.Sprintf("%s: event %d: %s", key, n, a.Error))
			return sent
		}
		if a.Duplicate && tries == 1 {
			k.wrong(fmt.Sprintf("%s: event %d counts as a duplicate of nothing", key, n))
		}
		if a.Position <= position && (a.Position > 0 || !a.Duplicate) { // an old number of a feed has none
			k.wrong(fmt.Sprintf("%s: event %d has position %d after %d", key, n, a.Position, position))
		}
		sent, position = n, max(position, a.Position)
		k.mu.Lock()
		k.accepted++
		k.changed.Broadcast()
		if a.Duplicate {
			k.duplicates++
		}
		if tries > 1 {
			k.unsure++
		}
		k.mu.Unlock()
	}
}

// TestKill: a process that is killed at any moment has lost nothing that it accepted, does nothing
// twice, keeps the order, and fires no timer early.
func TestKill(t *testing.T) {
	const sessions = 32
	r := rand.New(rand.NewPCG(*killSeed, 0))
	k := &killing{t: t, dir: t.TempDir()}
	k.changed = sync.NewCond(&k.mu)
	began := time.Now()
	if !k.start() {
		return
	}
	t.Cleanup(func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.child.cmd.Process.Kill()
		k.child.cmd.Wait()
		k.changed.Broadcast()
	})
	var clients sync.WaitGroup
	sent := make([]int, sessions)
	for i := range sessions {
		clients.Go(func() { sent[i] = k.drive(i, sessions) })
	}
	each := max(1, *killEvents / *kills)
	for i := range *kills {
		k.await(i*each + r.IntN(each))
		<-time.After(time.Duration(r.Int64N(int64(5 * time.Millisecond))))
		k.child.cmd.Process.Kill()
		<-k.child.gone
		k.child.cmd.Wait()
		if t.Failed() || !k.start() {
			break
		}
	}
	k.await(*killEvents)
	k.mu.Lock()
	k.over = true
	k.changed.Broadcast()
	k.mu.Unlock()
	clients.Wait()
	if t.Failed() {
		return
	}

	var total books
	for i := range sessions {
		var b books
		for deadline := time.Now().Add(2 * time.Minute); ; <-time.After(50 * time.Millisecond) {
			a, _ := k.ask(request{Key: counterName(i), Event: "?"})
			if a.Books == nil {
				t.Fatalf("cannot read %s: %s", counterName(i), a.Error)
			}
			left, _ := k.ask(request{Key: counterName((i + sessions - 1) % sessions), Event: "?"})
			b = *a.Books
			if b.UnderWay == 0 && left.Books != nil && left.Books.UnderWay == 0 {
				if b.Heard != left.Books.Told {
					t.Errorf("%s heard %d messages, want %d", counterName(i), b.Heard, left.Books.Told)
				}
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("stuck: %s has work left after two minutes: %+v", counterName(i), b)
			}
		}
		if b.Added != sent[i] || b.Fired != b.Armed || b.Wrong != "" {
			t.Errorf("%s: %d events were accepted; its books: %+v", counterName(i), sent[i], b)
		}
		total.Added, total.Fired, total.Heard = total.Added+b.Added, total.Fired+b.Fired, total.Heard+b.Heard
	}
	k.child.in.Close()
	<-k.child.gone
	if err := k.child.cmd.Wait(); err != nil {
		t.Errorf("the last process ends with %v", err)
	}
	t.Logf("%d kills in %v: %d events accepted, %d of them asked for again and %d already there, %d timers, %d messages",
		*kills, time.Since(began).Round(time.Second), total.Added, k.unsure, k.duplicates, total.Fired, total.Heard)
}
