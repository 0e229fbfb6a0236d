package ecmascript

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// A watchdog interrupts evaluations that take too long or whose context is done. It is the only
// part of a store that other goroutines touch.
//
// An interrupt of goja persists: if it arrives after its evaluation has ended, it hits the next
// one. So the evaluation and the watcher agree by a compare-and-swap of state whether the
// evaluation ended first. One that is interrupted waits for the interrupt and clears it.
//
// No clock is read when an evaluation begins. Between Begin and End, a timer runs from the first
// evaluation on, and adds up the ticks that find the same evaluation.
type watchdog struct {
	state atomic.Uint64 // number of the evaluation<<2 | running | broken

	mu     sync.Mutex // held while interrupting; protects the fields up to over
	vm     *goja.Runtime
	reason error // why the present evaluation is interrupted

	ctx        context.Context
	generation uint64 // of the bracket Begin…End; changes with each of its ends
	armed      bool   // the timer runs
	timer      *time.Timer
	stopCtx    func() bool
	over       atomic.Pointer[error] // why this bracket allows no further evaluation
	allowed    uint                  // how often allows has said yes

	limit    time.Duration // of one evaluation
	total    time.Duration // of all in a bracket
	interval time.Duration // between ticks
	seen     uint64        // state at the last tick
	age      time.Duration // how long, at least, the evaluation of seen runs
	spent    time.Duration // how long, at least, the bracket is open
	called   time.Duration // how long closures have called functions of the host in it
}

const (
	broken  = 1 << iota // the evaluation is being interrupted
	running             // an evaluation runs
	next                // adds one to the number
)

// firstTick is when the first tick comes, with which the watch over the context begins. Most
// brackets are over before it and pay nothing for the watch.
const firstTick = 5 * time.Millisecond

// begin opens a bracket.
func (w *watchdog) begin(ctx context.Context) { w.ctx, w.allowed, w.called = ctx, 0, 0 }

// end closes the bracket, and stops everything.
func (w *watchdog) end() {
	if !w.armed {
		w.ctx = nil
		return
	}
	w.mu.Lock()
	w.ctx = nil
	w.armed = false
	w.generation++
	w.timer.Stop()
	if w.stopCtx != nil {
		w.stopCtx()
		w.stopCtx = nil
	}
	w.mu.Unlock()
	w.over.Store(nil)
}

// arm starts the timer at the first evaluation in a bracket.
func (w *watchdog) arm(host datamodel.Host) error {
	if w.ctx == nil {
		return nil
	}
	limit, total := host.ScriptTime(), host.MacrostepTime()
	if limit <= 0 && total <= 0 && w.ctx.Done() == nil {
		return nil
	}
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit, w.total, w.interval = limit, total, time.Hour
	for _, d := range []time.Duration{limit, total} {
		if d > 0 {
			w.interval = min(w.interval, d/4)
		}
	}
	w.seen, w.age, w.spent = 0, 0, 0
	w.armed = true
	first := min(firstTick, w.interval)
	if w.timer == nil {
		w.timer = time.AfterFunc(first, w.tick)
	} else {
		w.timer.Reset(first)
	}
	return nil
}

// tick runs in a goroutine of the timer.
func (w *watchdog) tick() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.armed {
		return // the bracket ended just now
	}
	if w.stopCtx == nil && w.ctx.Done() != nil {
		generation := w.generation
		w.stopCtx = context.AfterFunc(w.ctx, func() { w.cancel(generation) })
	}
	w.timer.Reset(w.interval)
	s := w.state.Load()
	if w.spent += w.interval; w.total > 0 && w.spent > w.total {
		w.finish(datamodel.ErrMacrostepTime)
		return
	}
	if s != w.seen || s&running == 0 {
		w.seen, w.age = s, 0
		return
	}
	w.age += w.interval
	if w.limit > 0 && w.age >= w.limit {
		w.interrupt(s, datamodel.ErrScriptTime)
	}
}

// cancel runs when the context of the bracket is done.
func (w *watchdog) cancel(generation uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.armed || generation != w.generation {
		return // too late: the bracket ended
	}
	w.finish(context.Cause(w.ctx))
}

// finish interrupts the present evaluation and forbids others in this bracket. The caller holds mu.
func (w *watchdog) finish(reason error) {
	// The flag comes first: an evaluation that state does not show yet will see it.
	w.over.Store(&reason)
	if s := w.state.Load(); s&running != 0 {
		w.interrupt(s, reason)
	}
}

// interrupt interrupts the evaluation of the state s, unless it is over. The caller holds mu.
func (w *watchdog) interrupt(s uint64, reason error) {
	if s&broken == 0 && w.state.CompareAndSwap(s, s|broken) {
		w.reason = reason
		w.vm.Interrupt(reason)
	}
}

// enter begins an evaluation. It returns the cause if the context is done, or if the bracket has
// taken too long.
func (w *watchdog) enter(host datamodel.Host) error {
	if !w.armed {
		if err := w.arm(host); err != nil {
			return err
		}
	}
	w.state.Store((w.state.Load() &^ (running | broken)) + next | running)
	if reason := w.over.Load(); reason != nil {
		w.leave()
		return *reason
	}
	return nil
}

// allows reports whether an evaluation may begin that is too short to be watched. Checking the
// context takes as long as one of them, so it is done for the first and for every 16th.
func (w *watchdog) allows() bool {
	if w.armed {
		return w.over.Load() == nil
	}
	if w.allowed%16 == 0 && w.ctx != nil && w.ctx.Err() != nil {
		return false
	}
	w.allowed++
	return true
}

// late returns why an evaluation that has taken so long is interrupted, or nil. A part of that time, and
// what short calls took before, is called: the time in functions of the host since it was last asked.
func (st *store) late(elapsed, called time.Duration) error {
	w := &st.watch
	if w.ctx == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit, w.total = st.env.Host.ScriptTime(), st.env.Host.MacrostepTime()
	w.called += called
	switch {
	case w.ctx.Err() != nil:
		return context.Cause(w.ctx)
	case w.total > 0 && w.called > w.total:
		return datamodel.ErrMacrostepTime
	case w.limit > 0 && elapsed > w.limit:
		return datamodel.ErrScriptTime
	}
	return nil
}

// leave ends the evaluation. No interrupt is pending afterwards.
func (w *watchdog) leave() {
	s := w.state.Load() &^ broken
	if w.state.CompareAndSwap(s, s&^running) {
		return
	}
	w.mu.Lock() // wait until the interrupt has been set
	w.vm.ClearInterrupt()
	w.state.Store(s &^ running)
	w.mu.Unlock()
}

// brokenBy returns why the present evaluation is being interrupted, or nil.
func (w *watchdog) brokenBy() error {
	if w.state.Load()&broken == 0 {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reason
}

// Interrupted implements the Session of package guard.
func (st *store) Interrupted() bool { return st.watch.state.Load()&broken != 0 }

// allowForLeftovers raises the limit of the call depth by what goja leaves on its call stack when an
// asynchronous function or a generator is interrupted. It would count these frames as calls, and
// soon refuse all others.
func (st *store) allowForLeftovers() {
	limit := st.env.Host.CallDepth()
	if limit <= 0 {
		return
	}
	defer func() {
		if x := recover(); x != nil && !native.Thrown(x) { // the frames may point to values that are gone
			panic(x)
		}
	}()
	if n := len(st.vm.CaptureCallStack(0, nil)); n > 0 {
		st.vm.SetMaxCallStackSize(limit + 2*n) // some frames are not listed
	}
}
