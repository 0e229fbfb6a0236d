package killtest

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

//go:embed counter.scxml
var counterSource []byte

// In the environment, these make the test binary a host.
const (
	storeVariable = "FLEET_PROOF_STORE" // where its store is
	hostVariable  = "FLEET_PROOF_HOST"  // its name, or "" if there is only one
	wayVariable   = "FLEET_PROOF_WAY"   // a number for the way in which it defines its counters
	limitVariable = "FLEET_PROOF_LIMIT" // not "" if its memory is limited
)

// Child serves a fleet if the process was started as a host, and reports whether that is so. TestMain
// calls it first. Each process defines its counters as fleet.Define does, or in one of the other ways: by the seed.
func Child(open func(ctx context.Context, where string) (fleet.Store, error), others ...func(*scxml.Chart) fleet.Definition) bool {
	where := os.Getenv(storeVariable)
	if where == "" {
		return false
	}
	way, err := strconv.Atoi(os.Getenv(wayVariable))
	if err == nil {
		err = serve(open, where, os.Getenv(hostVariable), os.Stdin, os.Stdout, way, others)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// A request is what a host is asked for, one in a line.
type request struct {
	Call  int // echoed by the answer
	Key   string
	Chart string // of a session to be created, "counter" or "guilty"
	Event string // "" creates the session; "?" returns its books
	Data  map[string]any
	ID    string
	From  uint64 // the number in a feed, if it is not 0
	Wait  bool   // until the event is processed
}

type reply struct {
	Call      int
	Error     string `json:",omitempty"`
	Again     bool   `json:",omitempty"` // the error may pass
	Position  uint64 `json:",omitempty"`
	Duplicate bool   `json:",omitempty"`
	Early     string `json:",omitempty"` // a delayed event that came before its time
	Late      int64  `json:",omitempty"` // milliseconds by which a delayed event was late, at most, since the last reply
	Books     *books `json:",omitempty"`
	Suspended string `json:",omitempty"` // the line of the log
}

// books are the data of counter.scxml, and what is still under way.
type books struct {
	Added, Armed, Fired, Told, Heard, Asked, Served int
	Wrong                                           string
	UnderWay                                        int
}

// serve runs a fleet for the process that reads and writes the other ends.
func serve(open func(context.Context, string) (fleet.Store, error), where, name string, in io.Reader, out io.Writer, way int, others []func(*scxml.Chart) fleet.Definition) error {
	chart, err := scxml.Parse("counter.scxml", counterSource)
	if err != nil {
		return err
	}
	suspect, err := scxml.Parse("guilty.scxml", []byte(guilty))
	if err != nil {
		return err
	}
	if os.Getenv(limitVariable) != "" {
		if err := limitMemory(); err != nil {
			return err
		}
	}
	var mu sync.Mutex
	var late atomic.Int64
	encoder := json.NewEncoder(out)
	answer := func(r reply) {
		mu.Lock()
		defer mu.Unlock()
		r.Late = late.Swap(0)
		encoder.Encode(r) // if the other end is gone, so are we
	}
	trace := &scxml.Trace{Timer: func(s *scxml.Session, m scxml.Message) {
		now := time.Now().UnixMilli()
		data, err := scxml.EventData[struct{ N, Due int64 }](m.Event)
		if err != nil || now < data.Due {
			answer(reply{Early: fmt.Sprintf("timer %d of %s fired at %d, want %d (%v)", data.N, s.ID(), now, data.Due, err)})
		}
		late.Store(max(late.Load(), now-data.Due))
	}}
	counter := fleet.Define("counter", chart, scxml.WithTrace(trace))
	if i := way % (len(others) + 1); i > 0 {
		counter = others[i-1](chart)
	}
	store, err := open(context.Background(), where)
	for n := 0; err != nil && n < 60; n++ { // its server may be down
		time.Sleep(time.Second)
		store, err = open(context.Background(), where)
	}
	if err != nil {
		return err
	}
	// A client may repeat an event after another host has accepted many since.
	f, err := fleet.New(store, fleet.Config{
		Host: name, IDs: 2000,
		Logger: slog.New(slog.NewTextHandler(lines(func(line string) {
			if strings.Contains(line, `msg="a session is suspended"`) {
				answer(reply{Suspended: line})
			}
		}), nil)),
		Services: map[string]scxml.Invoker{
			"x-fault": scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
				time.Sleep(50 * time.Millisecond)
				os.Exit(3)
				return nil, nil
			}),
			"x-echo": scxml.InvokerFunc(func(_ context.Context, inv *scxml.Invocation) (any, error) { return inv.Params, nil }),
		},
	}, counter, fleet.Define("guilty", suspect))
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

// lines hears of each line of a log.
type lines func(string)

func (l lines) Write(b []byte) (int, error) {
	l(string(b))
	return len(b), nil
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
		if err = f.Create(ctx, r.Key, fleet.CreateOptions{Chart: r.Chart, Data: r.Data}); errors.Is(err, fleet.ErrExists) {
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
		a.Error, a.Again = err.Error(), !final(err)
	}
	return a
}

// final reports whether an error is not one of the store, which may work again soon.
func final(err error) bool {
	for _, e := range []error{fleet.ErrNotFound, fleet.ErrCorrupt, fleet.ErrLost, fleet.ErrEnded, fleet.ErrSuspended,
		fleet.ErrInboxFull, fleet.ErrTooLarge, fleet.ErrKey, scxml.ErrNotAccepted} {
		if errors.Is(err, e) {
			return true
		}
	}
	return errors.As(err, new(*fleet.StepError)) || errors.As(err, new(*fleet.ChartError))
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
