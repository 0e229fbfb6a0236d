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
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2/v2"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
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
	if err := c.conn.write(frameHello, "", hello{protocol, missing}); err != nil {
		os.Exit(1)
	}
	go c.read()
	for j := range c.work {
		c.serve(j)
	}
}

// warm serves requests of its own, so that those of the tenant find everything in place.
func warm() {
	c := newChild(strings.NewReader(""), io.Discard)
	limits := scxml.Strict()
	for _, w := range []struct {
		name string
		in   any
	}{
		{newSession.op, placement{Document: document{Name: "warm.scxml", Limits: &limits, Source: []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<datamodel><data id="x" expr="({a: [1]})"/></datamodel>
<state id="s"><onentry><script>x.a.push('b' + Math.max(1, 2));</script></onentry>
<transition event="e" cond="_event.data.n > 1" target="t"><send event="f"><param name="n" expr="x"/></send></transition></state>
<state id="t"/></scxml>`)}}},
		{startSession.op, time.Time{}},
		{doSession.op, doing{Event: &eventjson.Event{Name: "e", Data: eventjson.Value{V: datamodel.NewObject("n", 2)}}, Snapshot: true}},
	} {
		if text, err := json.Marshal(request{Session: 1, In: w.in}); err == nil {
			c.serve(c.job(frame{name: w.name, payload: text}))
		}
	}
	runtime.GC()
}

// A child is the process behind the wall. Its sessions belong to the goroutine of Child.
type child struct {
	conn    *conn
	methods map[string]handler[*hosted]
	work    chan *job // those that drive
	replies chan frame
	works   []Work
	charts  map[string]*scxml.Chart // compiled documents without files of the host

	hosted   sync.Map // *hosted by number
	services sync.Map // *proxy by number
	number   atomic.Int64

	mu      sync.Mutex
	current uint64 // id of the request in progress
	cancel  context.CancelFunc
	early   map[uint64]bool // requests that were cancelled before they began
}

// methods returns what a child can be asked for.
func methods() map[string]handler[*hosted] {
	return tableOf[*hosted](
		lintDocument, doWork,
		newSession, startSession, doSession, advanceSession, trySession, evalSession, sessionEnabled, snapshotSession,
		reportTask, deliverEvent, dropDue, sessionData, closeSession, sendEvent, stopSession,
		newDriver, driverNext, driverTake, driverCommand, driverSettle, driverLook, driverFinish,
		serviceSend, serviceWait, serviceDone, cancelRequest)
}

// isAsync reports whether a request does not wait for the one in progress.
func isAsync(op string) bool {
	switch op {
	case sendEvent.op, stopSession.op, serviceSend.op, serviceWait.op, serviceDone.op, cancelRequest.op:
		return true
	}
	return false
}

func newChild(in io.Reader, out io.Writer) *child {
	return &child{
		conn: newConn(in, out, maxRequest), methods: methods(), work: make(chan *job), replies: make(chan frame),
		early: map[uint64]bool{}, charts: map[string]*scxml.Chart{},
	}
}

// A hosted session is one that a parent drives, or drives with a driver. It may be yet to be made.
type hosted struct {
	child   *child
	number  int
	session *scxml.Session
	present time.Time // of its clock before it is driven
	started time.Time

	driver *drive.Driver      // instead of a session
	ctx    context.Context    // of the driver's run
	cancel context.CancelFunc // ends it

	recording *recording // of the driver, or nil
}

// find returns the session that a request is about, and whether it is one that was made.
func (c *child) find(number int) (h *hosted, made bool) {
	if h, made := c.hosted.Load(number); made {
		return h.(*hosted), true
	}
	return &hosted{child: c, number: number}, false
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
			if j := c.job(f); isAsync(f.name) {
				c.serveAsync(j)
			} else {
				c.work <- j
			}
		case frameReply:
			c.replies <- f
		default:
			c.die(fmt.Errorf("frame %q is unknown", f.kind))
		}
	}
}

// A job is a request and what carries it out.
type job struct {
	request
	m handler[*hosted]
}

func (c *child) job(f frame) *job {
	j := &job{m: c.methods[f.name]}
	if j.m == nil {
		c.die(fmt.Errorf("request %q is unknown", f.name))
	}
	in := j.m.newIn()
	j.In = in
	c.decode(f, &j.request)
	j.In = in // or it was null
	return j
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
func (c *child) tell(kind byte, name string, v any) {
	if err := c.conn.write(kind, name, v); err != nil {
		c.die(err)
	}
}

// serveAsync carries out a request that does not wait for the one in progress.
func (c *child) serveAsync(j *job) {
	h, _ := c.find(j.Session)
	out, err := j.m.serve(context.Background(), h, j.In)
	if j.ID > 0 {
		c.tell(frameAsync, "", answer{ID: j.ID, Err: fail(err), Out: out})
	}
}

// event returns an event of the parent.
func (c *child) event(packed *eventjson.Event) scxml.Event {
	if packed == nil {
		return scxml.Event{}
	}
	ev, err := packed.Event()
	if err != nil {
		c.die(err)
	}
	return ev
}

// cancelRequest interrupts the request with an ID.
var cancelRequest = method[*hosted, uint64, none]{"cancel", func(_ context.Context, h *hosted, id uint64) (none, error) {
	c := h.child
	c.mu.Lock()
	defer c.mu.Unlock()
	if id == c.current {
		c.cancel()
	} else if id > c.current {
		c.early[id] = true
	}
	return none{}, nil
}}

// serve carries out a request that drives.
func (c *child) serve(j *job) {
	h, _ := c.find(j.Session)
	ctx, cancel := h.ctx, h.cancel // of a driver
	if h.driver == nil {
		ctx, cancel = context.WithCancel(context.Background())
		defer cancel()
	}
	c.mu.Lock()
	outer, outerCancel := c.current, c.cancel
	c.current, c.cancel = j.ID, cancel
	if c.early[j.ID] {
		cancel()
	}
	c.early = map[uint64]bool{}
	c.mu.Unlock()
	rearm()
	out, err := j.m.serve(ctx, h, j.In)
	a := answer{ID: j.ID, Err: fail(err), Out: out}
	if _, made := c.find(j.Session); made && h.session != nil {
		a.State = h.state()
	}
	if h.driver != nil && h.recording != nil {
		a.Recording = h.recording.take()
	}
	c.mu.Lock()
	c.current, c.cancel = outer, outerCancel
	c.mu.Unlock()
	c.tell(frameAnswer, "", a)
}

// ask calls the host during a request and returns its reply. It serves requests that arrive before:
// a front end looks at its session.
func (c *child) ask(name string, in any) frame {
	c.tell(frameCall, name, request{In: in})
	for {
		select {
		case f := <-c.replies:
			return f
		case j := <-c.work:
			c.serve(j)
		}
	}
}

// callHost lets the host carry out a method.
func callHost[In, Out any](c *child, m method[*host, In, Out], in In) (out Out, err error) {
	a := answer{Out: &out}
	if c.decode(c.ask(m.op, in), &a); a.HostErr != nil {
		return out, a.HostErr
	}
	return out, nil
}

// lintDocument is Tenant.Lint.
var lintDocument = method[*hosted, linting, []scxml.Diagnostic]{"lint", func(_ context.Context, h *hosted, in linting) ([]scxml.Diagnostic, error) {
	return scxml.Lint(in.Document.Name, in.Document.Source, in.Options, h.child.chartOptions(&in.Document)...), nil
}}

type linting struct {
	Document document
	Options  scxml.LintOptions
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
