package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// A Clock selects how time passes for the sessions of a test.
type Clock string

const (
	VirtualClock Clock = "virtual" // waiting takes no time, and runs are repeatable
	RealClock    Clock = "real"    // [scxml.Session.Run] drives the sessions
	// RestoredClock is a virtual clock with sessions that are saved, discarded
	// and restored after each macrostep.
	RestoredClock Clock = "restored"
	// FleetClock is real time, for sessions of a [fleet.Fleet] that restores them before each event.
	FleetClock Clock = "fleet"
)

// A Result is the result of a test.
type Result struct {
	Passed        bool
	Reason        string   // why it did not pass
	Configuration []string // the last one before the end
	Trace         string   // what the sessions did
}

// Run runs the test's document in the given form.
func (suite *W3CSuite) Run(ctx context.Context, test W3CTest, form Form, clock Clock) Result {
	if test.broken != nil {
		return Result{Reason: test.broken.Error()}
	}
	chart, err := scxml.Load(suite.fsys, test.Document(form))
	if errors.As(err, new(*scxml.DocumentError)) {
		return test.judge(&w3cRun{observation: observation{rejected: err}})
	}
	if err != nil {
		return Result{Reason: err.Error()}
	}
	run := &w3cRun{test: test, observation: observation{answers: make(map[string]int)}}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	opts := []scxml.Option{scxml.WithTrace(run.tracing()), scxml.WithMissing()}
	if clock == FleetClock {
		err = run.onFleet(ctx, chart, opts, test.NeedsAny("basichttp"))
		return test.result(run, err)
	}
	if test.NeedsAny("basichttp") {
		processor, err := basichttp.Listen(ctx, "127.0.0.1:0", false, basichttp.Config{})
		if err != nil {
			return Result{Reason: err.Error()}
		}
		opts = append(opts, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, processor))
	}
	if clock == RealClock {
		err = run.onRealClock(ctx, chart, opts)
	} else {
		err = run.onVirtualClock(ctx, chart, opts, clock == RestoredClock)
	}
	return test.result(run, err)
}

func (t W3CTest) result(run *w3cRun, err error) Result {
	if err != nil {
		return Result{Reason: err.Error(), Configuration: run.configuration, Trace: run.trace.String()}
	}
	return t.judge(run)
}

// judge compares what a run did with what the test expects.
func (t W3CTest) judge(run *w3cRun) Result {
	result := Result{Configuration: run.configuration, Trace: run.trace.String()}
	rejected := run.rejected != nil
	switch {
	case rejected && t.Expect != "reject" && t.Expect != "pass-or-reject":
		result.Reason = "the document was rejected: " + run.rejected.Error()
	case !rejected && t.Expect == "reject":
		result.Reason = "the document was not rejected"
	case !rejected && run.final != t.Final:
		result.Reason = fmt.Sprintf("the session ended in %q, want %q", run.final, t.Final)
	default:
		for _, check := range t.checks() {
			if err := check.verify(&run.observation); err != nil {
				result.Reason = fmt.Sprintf("check %q: %v", check.Kind, err)
				return result
			}
		}
		result.Passed = true
	}
	return result
}

// A w3cRun is a run of one document.
type w3cRun struct {
	test W3CTest
	observation
	trace         bytes.Buffer
	configuration []string

	posts chan post // requests to send
}

type post struct {
	url   string
	check Check
}

// tracing records what happens.
func (run *w3cRun) tracing() *scxml.Trace {
	run.posts = make(chan post, 100)
	tr := scxmltest.NewTrace(&run.trace, run.observe)
	tr.Microstep = func(s *scxml.Session, _ *scxml.Event, _ []scxml.Transition) {
		if s.InvokeID() == "" {
			run.configuration = s.Configuration()
		}
	}
	return tr
}

// observe keeps what the checks need. It runs on the owner's goroutine.
func (run *w3cRun) observe(r *record.Record) {
	switch r.Kind {
	case record.Event, record.Internal:
		run.processed = append(run.processed, r.Event.Name)
	case record.Stable:
		if r.InvokeID == "" {
			run.configuration = r.Configuration
		}
	case record.Log:
		session := "parent"
		if r.InvokeID != "" {
			session = "child"
		}
		run.logs = append(run.logs, logLine{session, r.Label, r.Value})
		for _, check := range run.test.checks() {
			if check.Kind == "http-post" && check.URLLabel == r.Label && len(run.posts) < cap(run.posts) {
				run.posts <- post{datamodel.Text(r.Value), check}
			}
		}
	}
}

// errUnstable interrupts a session that never lets virtual time pass.
var errUnstable = errors.New("the session did not become stable within a minute")

func (run *w3cRun) onVirtualClock(ctx context.Context, chart *scxml.Chart, opts []scxml.Option, restored bool) error {
	clock := new(scxmltest.Clock)
	opts = append(opts, scxml.WithClock(clock.Now))
	s, err := scxml.New(chart, append(slices.Clone(opts), scxml.WithSeed(1))...)
	advance := func(d time.Duration) error {
		if !restored {
			return clock.Advance(ctx, s, d)
		}
		var err error
		s, err = clock.AdvanceRestored(ctx, s, d, func(snapshot []byte) (*scxml.Session, error) {
			return scxml.Restore(chart, snapshot, scxml.Options(opts))
		})
		return err
	}
	if err == nil {
		err = s.Start(ctx)
	}
	ctx, stop := context.WithTimeoutCause(ctx, time.Minute, errUnstable)
	defer stop()
	patience := run.test.patience()
	for end := clock.Now().Add(patience); err == nil && s.Status() == scxml.Running; {
		if err = advance(0); err != nil || s.Status() != scxml.Running {
			break
		}
		if len(run.posts) > 0 {
			run.carryOut(ctx, <-run.posts)
			continue
		}
		due, pending := s.NextDue()
		if !pending || due.After(end) {
			return fmt.Errorf("the session did not end within %v of chart time", patience)
		}
		err = advance(due.Sub(clock.Now()))
	}
	run.ended(s, clock.Now().Sub(scxmltest.Epoch))
	return err
}

func (run *w3cRun) onRealClock(ctx context.Context, chart *scxml.Chart, opts []scxml.Option) error {
	s, err := scxml.New(chart, opts...)
	if err != nil {
		return err
	}
	patience := run.test.patience()
	late := fmt.Errorf("the session did not end within %v", patience)
	timed, stop := context.WithTimeoutCause(ctx, patience, late)
	defer stop()
	var posting sync.WaitGroup
	posting.Go(func() {
		for p := range run.posts {
			run.carryOut(timed, p)
		}
	})
	began := time.Now()
	err = s.Run(timed)
	run.ended(s, time.Since(began))
	if err == nil {
		run.keepWatching(ctx, began)
	}
	close(run.posts) // the session has ended and sends no more records
	posting.Wait()
	return err
}

// keepWatching waits until the checks have seen that nothing more is logged.
func (run *w3cRun) keepWatching(ctx context.Context, began time.Time) {
	var longest time.Duration
	for _, check := range run.test.checks() {
		longest = max(longest, seconds(check.Observe))
	}
	select {
	case <-time.After(time.Until(began.Add(longest))):
	case <-ctx.Done():
	}
}

func (run *w3cRun) ended(s *scxml.Session, took time.Duration) {
	if s != nil {
		run.final, run.took = s.FinalState(), took
	}
}

// carryOut sends the request of an http-post check. A failure is status 0.
func (run *w3cRun) carryOut(ctx context.Context, p post) {
	run.answers[p.check.Body] = 0
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, strings.NewReader(p.check.Body))
	if err != nil {
		return
	}
	req.Header.Set("Content-Type", p.check.ContentType)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err == nil {
		run.answers[p.check.Body] = resp.StatusCode
	}
}
