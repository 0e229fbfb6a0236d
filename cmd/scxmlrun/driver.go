package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
)

// patience is how many macrosteps a session may take without coming to rest (on
// a virtual clock: at one moment) before input lines are taken in between, so
// that a chart that keeps itself busy can still be stopped. Up to then lines wait for rest, which makes what
// happens on a virtual clock independent of how fast the input comes.
const patience = 10_000

// standstill is how many macrosteps a session may take at one moment of a
// virtual clock. Beyond it the session is stopped: as long as it is
// busy the time does not move, so nothing else would ever end it.
const standstill = 1_000_000

var errStandstill = fmt.Errorf("limit of %d macrosteps without coming to rest exceeded: the chart keeps sending itself events without a delay, so that the virtual clock cannot move on", standstill)

// virtualStart is when a virtual clock starts.
var virtualStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A front is what shows a session to somebody and hands on what they say. Its
// methods and its trace run on the goroutine that called driver.run.
type front interface {
	// trace returns what the session reports to.
	trace(d *driver) *scxml.Trace
	// hello is called before the session starts.
	hello(d *driver)
	// line acts on an input line. It reports whether the line was of use; if
	// so, rest is told about it as soon as the work it caused is done.
	line(d *driver, line inputLine) (answer any, ok bool)
	// rest is called whenever the session tree has nothing left to do now,
	// with the answers to give.
	rest(d *driver, answers []any)
	// failed returns why nothing can be written any more, or nil.
	failed() error
}

// A driver runs a session in real or virtual time. It is the owner of the
// session: everything happens on one goroutine, which waits for input lines,
// for the time of the next delayed event, and for signals.
type driver struct {
	chart   *scxml.Chart
	file    string
	initial []dataValue
	saved   []byte // of --load; nil: a new session
	options *runOptions
	virtual bool
	front   front
	input   func() <-chan inputLine // is called once, after the session is made; nil: nobody has anything to say

	keyboard <-chan os.Signal // interrupts beside the signals of the process, or nil
	last     func()           // is called before the process is ended by force, or nil

	session *scxml.Session
	ctx     context.Context // of the run, for what a front evaluates
	seed    uint64
	start   time.Time // chart time 0
	present time.Time // what the session's clock says
	target  time.Time // the time that is to be reached; the wall clock's on the real clock
	busy    bool      // the session may have something to do now

	deadline time.Time // zero: none
	timedOut bool
	failure  error // a limit of the driver, not of the session, was exceeded
	inputErr error

	saveTried bool
	saveErr   error
	ending    ending // for --expect
}

// run runs the session to its end. The error knows the exit status.
func (d *driver) run(parent context.Context) error {
	ctx, cancel := cli.Interruptible(parent, d.keyboard, d.last)
	defer cancel(nil)
	d.ctx = ctx
	if err := d.create(); err != nil {
		return err
	}
	var lines <-chan inputLine
	if d.input != nil {
		lines = d.input()
	}
	d.front.hello(d)
	err := d.loop(ctx, lines)
	if stopErr := d.stop(); err == nil {
		err = stopErr
	}
	d.save()
	return d.outcome(context.Cause(ctx), err)
}

// save saves the session for --save, the first time that it is called: before
// the session is stopped, or after it has ended by itself.
func (d *driver) save() {
	if !d.saveTried {
		d.saveTried = true
		d.saveErr = d.options.saveSession(d.session)
	}
}

// create makes the session.
func (d *driver) create() error {
	o := d.options
	d.start = time.Now()
	d.seed = o.seed
	if d.virtual {
		d.start = virtualStart
	}
	if !o.seedGiven {
		d.seed = defaultSeed(d.virtual)
	}
	if o.timeoutGiven && o.timeout > 0 {
		d.deadline = d.start.Add(time.Duration(o.timeout))
	}
	d.present, d.target = d.start, d.start
	trace := d.front.trace(d)
	(&reportLimit{exceeded: d.exceedReport}).watch(trace)
	if o.expect != "" {
		d.ending.watch(trace)
	}
	options := []scxml.Option{scxml.WithClock(func() time.Time { return d.present }), scxml.WithTrace(trace)}
	if o.http != "" {
		processor, err := basichttp.Listen(d.ctx, o.http, false, basichttp.Config{})
		if err != nil {
			return &cli.Error{Status: cli.Usage, Err: fmt.Errorf("--http: %w", err)}
		}
		options = append(options, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, processor))
	}
	if d.saved != nil {
		return d.restore(options)
	}
	options = append(options, scxml.WithSeed(d.seed))
	for _, v := range d.initial {
		options = append(options, scxml.WithData(v.id, v.value))
	}
	session, err := scxml.New(d.chart, options...)
	if err != nil {
		return o.sessionError(err)
	}
	d.session, d.ending.root = session, session
	return nil
}

// exceedReport ends a session whose macrostep has written too much.
func (d *driver) exceedReport() {
	d.failure = errReport
	d.session.Stop()
}

// restore makes the session that was saved. A virtual clock goes on where that
// was; chart time starts anew.
func (d *driver) restore(options []scxml.Option) error {
	d.seed = 0
	session, err := scxml.Restore(d.chart, d.saved, scxml.Options(options), scxml.WithTimers(d.options.timerPolicy()))
	if err != nil {
		return d.options.sessionError(err)
	}
	d.session, d.ending.root = session, session
	d.ending.note(session)
	if d.virtual {
		left := d.deadline.Sub(d.start)
		d.start = session.Now()
		d.present, d.target = d.start, d.start
		if !d.deadline.IsZero() {
			d.deadline = d.start.Add(left)
		}
	}
	return nil
}

// elapsed returns the chart time since the start.
func (d *driver) elapsed() time.Duration { return d.present.Sub(d.start) }

// loop runs the session until it has ended, is to be stopped, or has nothing
// more to do. Its error is a failure of the session or of the surroundings.
func (d *driver) loop(ctx context.Context, lines <-chan inputLine) error {
	answers := []any{started{}}
	macrosteps, at := 0, d.present
	var more, err = true, error(nil)
	if d.saved == nil {
		err = d.session.Start(ctx)
	}
	d.busy = true
	for ; ; more, err = d.step(ctx) {
		if ctx.Err() != nil || d.front.failed() != nil {
			return nil
		}
		if err != nil && d.session.Status() == scxml.Running {
			return err
		}
		if d.virtual && !d.present.Equal(at) { // time moves on
			macrosteps, at = 0, d.present
		}
		if macrosteps++; more && d.virtual && macrosteps > standstill {
			d.failure = errStandstill
			more, err = false, d.stop()
		}
		if more && err == nil {
			if macrosteps > patience {
				select {
				case line, ok := <-lines:
					lines, answers = d.take(lines, line, ok, answers)
				default:
				}
			}
			continue
		}
		macrosteps = 0
		// While a message is on its way to another server there is no rest, and
		// a virtual clock stands still.
		waiting := d.session.Status() == scxml.Running && d.session.Busy()
		if !waiting {
			d.front.rest(d, answers)
			answers = answers[:0]
		}
		if err != nil && !errors.Is(err, scxml.ErrStopped) {
			return err
		}
		if d.session.Status() != scxml.Running {
			return d.failure
		}
		if lines == nil && !waiting {
			if d.options.save != "" && d.input != nil {
				return nil // what is pending is saved
			}
			pending := d.goOn()
			if !pending && d.options.http == "" {
				return nil
			}
			if d.virtual && pending {
				continue
			}
		}
		timer, stopTimer := d.timer()
		select {
		case <-ctx.Done():
		case <-timer:
		case <-d.session.Wake():
			d.busy = true
		case line, ok := <-lines:
			lines, answers = d.take(lines, line, ok, answers)
		}
		stopTimer()
	}
}

// started is the answer to the start.
type started struct{}

// take acts on what came from the input.
func (d *driver) take(lines <-chan inputLine, line inputLine, ok bool, answers []any) (<-chan inputLine, []any) {
	if !ok {
		return nil, answers
	}
	if line.err != nil {
		d.inputErr = line.err
		return nil, answers
	}
	if !d.virtual {
		d.target = time.Now()
	}
	if answer, ok := d.front.line(d, line); ok {
		answers = append(answers, answer)
		d.busy = true
	}
	return lines, answers
}

// step does one piece of the work that is due, at most one macrostep, and
// reports whether there is more. It stops the session when its time is over.
func (d *driver) step(ctx context.Context) (more bool, err error) {
	if d.session.Status() != scxml.Running {
		return false, nil
	}
	if !d.virtual {
		d.target = time.Now()
	}
	until := d.target
	if !d.deadline.IsZero() && until.After(d.deadline) {
		until = d.deadline
	}
	if !d.busy || !d.virtual {
		d.present = later(d.present, until)
		if due, ok := d.session.NextDue(); ok && due.Before(until) && d.virtual {
			d.present = due
		}
	}
	d.busy, err = d.session.Step(ctx, d.present)
	var limit *scxml.LimitError
	if errors.As(err, &limit) && d.session.Status() == scxml.Running {
		err = nil // an invoked session has gone beyond a limit; the others go on
	}
	if err != nil || d.session.Status() != scxml.Running {
		return false, err
	}
	overdue := !d.deadline.IsZero() && !d.present.Before(d.deadline)
	due, ok := d.session.NextDue()
	switch {
	case d.busy && (d.virtual || !overdue):
		return true, nil
	case d.present.Before(until), ok && !due.After(until):
		return true, nil
	case overdue:
		d.timedOut = true
		return false, d.stop()
	}
	return false, nil
}

// catchUp tells the session the time on the real clock, which may have rested for
// long: a snapshot has it, and what is left of delays is counted from it.
func (d *driver) catchUp() {
	if !d.virtual {
		d.present = later(d.present, d.target)
		// What goes wrong in it has stopped the session, and the loop sees that.
		_, _ = d.session.Step(d.ctx, d.present)
	}
}

// goOn reports whether a session that is at rest has something to wait for
// although there is no input any more. On a virtual clock it moves the time on.
func (d *driver) goOn() bool {
	due, ok := d.session.NextDue()
	if !ok {
		return false
	}
	if d.virtual {
		if d.deadline.IsZero() && !d.options.timeoutGiven {
			d.deadline = d.present.Add(defaultVirtualTimeout)
		}
		d.target = due
		if !d.deadline.IsZero() && due.After(d.deadline) {
			d.target = d.deadline
		}
	}
	return true
}

// timer returns a channel that says when to step again, on the real clock.
func (d *driver) timer() (<-chan time.Time, func() bool) {
	if d.virtual {
		return nil, func() bool { return false }
	}
	next, ok := d.session.NextDue()
	if !d.deadline.IsZero() && (!ok || d.deadline.Before(next)) {
		next, ok = d.deadline, true
	}
	if !ok {
		return nil, func() bool { return false }
	}
	t := time.NewTimer(time.Until(next))
	return t.C, t.Stop
}

// advance moves a virtual clock on. The driver then does what falls due.
func (d *driver) advance(by time.Duration) { d.target = d.present.Add(by) }

// stop ends the session if it is still running: the onexit handlers run.
func (d *driver) stop() error {
	if d.session.Status() != scxml.Running {
		return nil
	}
	d.save()
	ctx, cancel := context.WithTimeout(context.Background(), cli.Grace)
	defer cancel()
	d.session.Stop()
	_, err := d.session.Step(ctx, d.present)
	if errors.Is(err, scxml.ErrStopped) {
		return nil
	}
	return err
}

// outcome turns the end of a run into the error that knows the exit status.
func (d *driver) outcome(cause, err error) error {
	var signal *cli.Interrupt
	if errors.As(cause, &signal) {
		return &cli.Error{Status: cli.Interrupted, Err: d.saveErr}
	}
	if failed := d.front.failed(); failed != nil {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot write the output: %w", cli.Plain(failed))}
	}
	if limit := d.session.Err(); err == nil && limit != nil && !errors.Is(limit, scxml.ErrStopped) {
		err = limit
	}
	if err := cmp.Or(err, d.saveErr); err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	if d.inputErr != nil {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot read the input: %w", cli.Plain(d.inputErr))}
	}
	if d.timedOut {
		return &cli.Error{Status: cli.Timeout, Err: fmt.Errorf("stopped: the time given by --timeout passed at %v of chart time", d.elapsed())}
	}
	return d.ending.check(d.chart, d.options.expect)
}

// atomic returns those of the named states that are atomic.
func atomic(chart *scxml.Chart, configuration []string) []string {
	var names []string
	for _, name := range configuration {
		if s, ok := chart.State(name); ok && s.IsAtomic() {
			names = append(names, name)
		}
	}
	return names
}

// defaultSeed is the seed without --seed. It is short, so that every language
// can read it back from the hello record.
func defaultSeed(virtual bool) uint64 {
	if virtual {
		return 1
	}
	return uint64(rand.Uint32())
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
