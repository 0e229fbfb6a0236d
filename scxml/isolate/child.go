package isolate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// mark is the environment variable that makes a program a child. Its value is the memory that it
// may have, in bytes, and the time zone of the parent if that has one from its environment.
const (
	mark     = "SCXML_ISOLATE_CHILD"
	markZone = " TZ="
)

const (
	childStack = 64 << 20  // bytes of a goroutine's stack; more is the end of the child
	childSpare = 128 << 20 // memory that is not for data: the program itself, and what is mapped but unused
)

// Child must be called first in main, also in the TestMain of a package whose tests start
// children. In a program that was started as a child, it limits the process, serves its parent, and
// does not return. Otherwise it does nothing. Works are what [Tenant.Work] can ask for.
func Child(works ...Work) {
	value, isChild := os.LookupEnv(mark)
	if !isChild {
		return
	}
	value, zone, hasZone := strings.Cut(value, markZone)
	memory, err := strconv.ParseInt(value, 10, 64)
	if err != nil || memory < MinMemory {
		fmt.Fprintf(os.Stderr, "%s=%q is not a number of bytes from %d\n", mark, value, int64(MinMemory))
		os.Exit(2)
	}
	os.Clearenv()
	if hasZone {
		os.Setenv("TZ", zone) // the only variable that the Go runtime reads later
	}
	_ = time.Now().Local().String() // reads the zone, which is a file
	in, out, err := commandPipes()
	if err != nil {
		fmt.Fprintln(os.Stderr, "isolate: cannot use the pipes:", err)
		os.Exit(2)
	}
	missing := limitProcess(memory - childSpare)
	debug.SetMaxStack(childStack)
	debug.SetMemoryLimit((memory - childSpare) * 7 / 8)
	os.Stdin, os.Stdout = nil, os.Stderr // what the program prints must not look like an answer
	warm()
	c := newChild(in, out)
	c.works = works
	if err := c.conn.write(frameHello, hello{protocol, missing}); err != nil {
		os.Exit(1)
	}
	go c.read()
	for req := range c.work {
		c.serve(req)
	}
}

// warm serves requests of its own, so that those of the tenant find everything in place.
func warm() {
	c := newChild(strings.NewReader(""), io.Discard)
	limits := scxml.Strict()
	for _, req := range []request{
		{Op: opNew, Session: 1, Document: &document{Name: "warm.scxml", Limits: &limits, Source: []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<datamodel><data id="x" expr="({a: [1]})"/></datamodel>
<state id="s"><onentry><script>x.a.push('b' + Math.max(1, 2));</script></onentry>
<transition event="e" cond="_event.data.n > 1" target="t"><send event="f"><param name="n" expr="x"/></send></transition></state>
<state id="t"/></scxml>`)}, Setup: &setup{}},
		{Op: opStart, Session: 1},
		{Op: opDo, Session: 1, Event: &event{Name: "e", Data: []byte(`{"n":2}`)}, Snapshot: true},
	} {
		again := new(request)
		if text, err := json.Marshal(req); err == nil && json.Unmarshal(text, again) == nil {
			c.serve(again)
		}
	}
	runtime.GC()
}

// A child is the process behind the wall. Its sessions belong to the goroutine of Child.
type child struct {
	conn    *conn
	work    chan *request // those that drive
	replies chan *reply
	works   []Work
	charts  map[string]*scxml.Chart // compiled documents without files of the host

	mu       sync.Mutex
	hosted   map[int]*hosted
	number   int // of the last service
	services map[int]*proxy
	current  uint64 // id of the request in progress
	cancel   context.CancelFunc
	early    map[uint64]bool // requests that were cancelled before they began
}

func newChild(in io.Reader, out io.Writer) *child {
	return &child{
		conn: newConn(in, out, maxRequest), work: make(chan *request), replies: make(chan *reply),
		early: map[uint64]bool{}, hosted: map[int]*hosted{}, services: map[int]*proxy{}, charts: map[string]*scxml.Chart{},
	}
}

// A hosted session is one that a parent drives.
type hosted struct {
	session *scxml.Session
	present time.Time // of its clock before it is driven
	started time.Time

	driver *drive.Driver      // instead of a session
	ctx    context.Context    // of the driver's run
	cancel context.CancelFunc // ends it

	recording *recording // of the driver, or nil
}

// read receives what the parent sends, until it ends.
func (c *child) read() {
	for {
		f, err := c.conn.read()
		if err != nil {
			if err == io.EOF {
				os.Exit(0) // the parent has gone, or needs the child no more
			}
			c.die(err)
		}
		switch f.kind {
		case frameRequest:
			req := new(request)
			c.decode(f, req)
			if req.Op.aside() {
				c.aside(req)
			} else {
				c.work <- req
			}
		case frameReply:
			r := new(reply)
			c.decode(f, r)
			c.replies <- r
		case frameNote:
			n := new(note)
			c.decode(f, n)
			c.heed(n)
		default:
			c.die(fmt.Errorf("frame %q is unknown", f.kind))
		}
	}
}

func (c *child) decode(f frame, into any) {
	if err := decode(f, into); err != nil {
		c.die(err)
	}
}

// die ends a child that does not understand its parent.
func (c *child) die(err error) {
	fmt.Fprintln(os.Stderr, "isolate:", err)
	os.Exit(1)
}

// tell writes to the parent.
func (c *child) tell(kind byte, v any) {
	if err := c.conn.write(kind, v); err != nil {
		c.die(err)
	}
}

// aside carries out a request that does not wait for the one in progress.
func (c *child) aside(req *request) {
	c.mu.Lock()
	h, service := c.hosted[req.Session], c.services[req.Session]
	if req.Op == opCancel {
		if req.ID == c.current {
			c.cancel()
		} else if req.ID > c.current {
			c.early[req.ID] = true
		}
	}
	c.mu.Unlock()
	ev, err := req.Event.unpack()
	switch {
	case req.Op == opCancel:
		return
	case err != nil:
	case req.Op == opDeliver && service != nil:
		err = service.Send(ev)
	case req.Op == opSend && h != nil:
		err = h.session.Send(ev)
	case req.Op == opStop && h != nil:
		h.session.Stop()
	default:
		err = scxml.ErrEnded
	}
	c.tell(frameAside, answer{ID: req.ID, Err: fail(err)})
}

// serve carries out a request that drives.
func (c *child) serve(req *request) {
	c.mu.Lock()
	h := c.hosted[req.Session]
	var ctx context.Context
	var cancel context.CancelFunc
	if h != nil && h.driver != nil {
		ctx, cancel = h.ctx, h.cancel
	} else {
		ctx, cancel = context.WithCancel(context.Background())
		defer cancel()
	}
	outer, outerCancel := c.current, c.cancel
	c.current, c.cancel = req.ID, cancel
	if c.early[req.ID] {
		cancel()
	}
	c.early = map[uint64]bool{}
	c.mu.Unlock()
	rearm()
	a := &answer{ID: req.ID}
	a.Err = fail(c.carryOut(ctx, h, req, a))
	c.mu.Lock()
	c.current, c.cancel = outer, outerCancel
	c.mu.Unlock()
	c.tell(frameAnswer, a)
}

func (c *child) carryOut(ctx context.Context, h *hosted, req *request, a *answer) error {
	switch req.Op {
	case opLint:
		a.Diagnostics = scxml.Lint(req.Document.Name, req.Document.Source, *req.Lint, c.chartOptions(req.Document)...)
		return nil
	case opWork:
		return c.doWork(req, a)
	case opNew:
		boundMatches(req.Document.Limits, req.Setup.Limits)
		return c.newSession(req, a)
	case opDrive:
		boundMatches(req.Document.Limits, req.Setup.Limits)
		return c.newDriver(req, a)
	}
	switch {
	case h == nil:
		return fmt.Errorf("session %d: %w", req.Session, scxml.ErrEnded)
	case h.driver != nil:
		return h.drive(ctx, req, a)
	}
	return c.useSession(ctx, h, req, a)
}

// ask calls the host during a request and returns its reply. It serves requests that arrive before:
// a front end looks at its session.
func (c *child) ask(question call) *reply {
	c.tell(frameCall, question)
	for {
		select {
		case r := <-c.replies:
			return r
		case req := <-c.work:
			c.serve(req)
		}
	}
}

// chart compiles a document.
func (c *child) chart(doc *document) (*scxml.Chart, error) {
	// An expression keeps the bound of boundMatches that it was compiled with.
	key := strings.Join([]string{doc.Name, fmt.Sprint(doc.Limits, regexp2.DefaultMatchTimeout), string(doc.Source)}, "\x00")
	if chart := c.charts[key]; chart != nil {
		return chart, nil
	}
	chart, err := scxml.Parse(doc.Name, doc.Source, c.chartOptions(doc)...)
	if err == nil && !doc.Loader { // files can change
		if len(c.charts) >= 16 {
			clear(c.charts)
		}
		c.charts[key] = chart
	}
	return chart, err
}

// boundMatches bounds how long a regular expression that backtracks may match, which nothing
// interrupts. The bound is above ScriptTime: a script that is interrupted then fails, and does not
// see that nothing matches. It is below the deadline of requests, if that has room for it.
func boundMatches(all ...*scxml.Limits) {
	const most = 24 * time.Hour
	longest := time.Duration(0)
	for _, limits := range all {
		switch {
		case limits == nil:
		case limits.ScriptTime == 0:
			longest = max(longest, scxml.DefaultLimits().ScriptTime)
		case limits.ScriptTime < 0 || limits.ScriptTime > most:
			longest = most
		default:
			longest = max(longest, limits.ScriptTime)
		}
	}
	const margin = 500 * time.Millisecond // for a slow machine
	bound := 2*longest + margin
	if old := regexp2.DefaultMatchTimeout; old > 2*most+margin || old < bound {
		regexp2.DefaultMatchTimeout = bound // of the expressions that are compiled from now on
	}
}

func (c *child) chartOptions(doc *document) (all []scxml.ChartOption) {
	if doc.Loader {
		all = append(all, scxml.WithLoader(&hostFiles{child: c, loaded: doc.loaded}))
	}
	if doc.Limits != nil {
		all = append(all, scxml.WithLimits(*doc.Limits))
	}
	return all
}
