package isolate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Tenant is a child in use. All its sessions belong to one tenant: they share its limits, and end
// with it. They take turns: one request at a time is in progress. A Tenant is safe for concurrent
// use.
type Tenant struct {
	pool *Pool
	proc *process
	turn chan struct{} // has a value while a request is in progress

	dead   chan struct{} // closed when err is set
	err    *Error
	frames chan frame // for the request in progress

	mu       sync.Mutex
	id       uint64 // of the last request
	numbers  int    // of sessions
	pending  int    // requests in progress: one, or two while a front end looks at a session
	received int    // bytes since the last request that was alone began
	async    map[uint64]chan *answer
	sessions map[int]*Session
	services map[int]*service
	failures map[int]error // of the host, by number: the cause of errors that the child reports
	failed   int           // number of the last one
}

func newTenant(pool *Pool, proc *process) *Tenant {
	t := &Tenant{
		pool: pool, proc: proc, turn: make(chan struct{}, 1), dead: make(chan struct{}), frames: make(chan frame),
		async: map[uint64]chan *answer{}, sessions: map[int]*Session{}, services: map[int]*service{}, failures: map[int]error{},
	}
	go t.read()
	return t
}

// Done returns a channel that is closed when the child has died. Err says why.
func (t *Tenant) Done() <-chan struct{} { return t.dead }

// Err returns why the child has died, as an [*Error], or nil while it lives.
func (t *Tenant) Err() error {
	select {
	case <-t.dead:
		return t.err
	default:
		return nil
	}
}

// PID returns the process id of the child.
func (t *Tenant) PID() int { return t.proc.cmd.Process.Pid }

// Close kills the child. Its sessions do not run their onexit handlers; Stop and drive them before
// if they should.
func (t *Tenant) Close() error {
	t.die(&Error{Reason: Closed, Msg: "its tenant was closed"})
	<-t.proc.ended
	return nil
}

// die notes why the child has died, and kills it if it has not.
func (t *Tenant) die(err *Error) {
	t.mu.Lock()
	if t.err != nil {
		t.mu.Unlock()
		return
	}
	t.err = err
	close(t.dead)
	services := t.services
	t.services = nil
	t.mu.Unlock()
	t.proc.kill()
	for _, s := range services {
		s.cancel()
	}
	t.pool.forget(t)
	go func() {
		<-t.proc.ended
		t.proc.closePipes()
	}()
}

// breach ends a child that sent what a child does not send.
func (t *Tenant) breach(format string, args ...any) {
	t.die(&Error{Reason: Protocol, Msg: fmt.Sprintf(format, args...)})
}

// frameCost is what each frame counts besides its payload: a flood of small ones is work too.
const frameCost = 16

// read receives what the child sends, until it ends. What a child sends may be anything.
func (t *Tenant) read() {
	for {
		f, err := t.proc.conn.read()
		if err != nil {
			t.die(t.proc.exitError(err))
			return
		}
		t.mu.Lock()
		wanted := t.pending > 0
		t.received += len(f.payload) + frameCost
		tooMuch := t.received > messages*t.pool.cfg.Message
		if f.kind == frameAnswer {
			t.pending--
		}
		t.mu.Unlock()
		if tooMuch {
			t.breach("it sent more than %d bytes for one request", messages*t.pool.cfg.Message)
			continue
		}
		switch f.kind {
		case frameRecord, frameCall, frameAnswer:
			if !wanted {
				t.breach("it sent %q without a request", f.kind)
			}
			select {
			case t.frames <- f:
			case <-t.dead:
			}
		case frameAsync:
			a := &answer{Out: new(none)}
			err := decode(f, a)
			t.mu.Lock()
			to := t.async[a.ID]
			delete(t.async, a.ID)
			t.mu.Unlock()
			if err != nil || to == nil {
				t.breach("it answered what was not asked")
				continue
			}
			to <- a
		case frameNote:
			n := new(note)
			if err := decode(f, n); err != nil {
				t.breach("%v", err)
				continue
			}
			t.handleNote(f.name, n)
		default:
			t.breach("it sent a frame of kind %q", f.kind)
		}
	}
}

// ask makes a request that drives, when it is its turn, and reads its answer into a. The records and
// calls are for s.
func (t *Tenant) ask(ctx context.Context, name string, req *request, s *Session, a *answer) error {
	if s.looking {
		return t.exchange(ctx, name, req, s, a)
	}
	select {
	case t.turn <- struct{}{}:
	case <-t.dead:
		return t.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-t.turn }()
	return t.exchange(ctx, name, req, s, a)
}

// exchange makes a request and waits for its answer. When ctx is done it interrupts the child, which
// then answers at once, or overruns its deadline.
func (t *Tenant) exchange(ctx context.Context, name string, req *request, s *Session, a *answer) error {
	w := t.watch(name, req.Session)
	defer w.pause()
	t.mu.Lock()
	t.id++
	req.ID = t.id
	if t.pending++; t.pending == 1 {
		t.received = 0
	}
	t.mu.Unlock()
	t.write(frameRequest, name, req)
	finished := false
	defer func() {
		if !finished { // the host has panicked: read what the child still sends, before the next request
			_ = t.awaitAnswer(context.Background(), req, nil, a, w)
		}
	}()
	err := t.awaitAnswer(ctx, req, s, a, w)
	finished = true
	return err
}

// maxFailures is how many errors of the host a tenant keeps.
const maxFailures = 64

// hostError returns an error of the host for the child. It is kept until some more have been.
func (t *Tenant) hostError(err error) *hostError {
	if err == nil {
		return nil
	}
	out := &hostError{Text: err.Error(), Missing: errors.Is(err, fs.ErrNotExist)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed++
	t.failures[t.failed] = err
	delete(t.failures, t.failed-maxFailures)
	out.Number = t.failed
	return out
}

func (t *Tenant) kept(number int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failures[number]
}

// awaitAnswer handles what the child sends until it answers the request. If it does not, a has no ID. With a
// nil s nobody is told the rest.
func (t *Tenant) awaitAnswer(ctx context.Context, req *request, s *Session, a *answer, w *watch) error {
	done := ctx.Done()
	for {
		select {
		case f := <-t.frames:
			switch f.kind {
			case frameRecord:
				r, err := record.ParseJSON(f.payload)
				if err != nil {
					t.breach("%v", err)
				} else if s != nil && s.tell != nil {
					w.exclude(func() { s.tell(&r) })
				}
			case frameCall:
				t.reply(ctx, f, s, w)
			case frameAnswer:
				if err := decode(f, a); err != nil || a.ID != req.ID {
					*a = answer{}
					t.breach("it answered what was not asked")
					continue
				}
				if ctx.Err() != nil && a.Err != nil {
					return context.Cause(ctx)
				}
				return a.Err.err()
			}
		case <-done:
			t.write(frameRequest, cancelRequest.op, request{In: req.ID})
			done = nil
		case <-t.dead:
			return t.err
		}
	}
}

// reply answers a call of the child, which gets an answer in any case.
func (t *Tenant) reply(ctx context.Context, f frame, s *Session, w *watch) {
	m := calls[f.name]
	if m == nil {
		t.breach("it called %q", f.name)
		return
	}
	in := m.newIn()
	if err := decode(f, &request{In: in}); err != nil {
		t.breach("%v", err)
		return
	}
	a := answer{HostErr: &hostError{Text: "the host panicked"}}
	defer func() { t.write(frameReply, "", a) }()
	if s == nil {
		return
	}
	w.exclude(func() {
		var out any
		var err error
		if f.name != hostLook.op {
			out, err = s.answer(ctx, m, in)
		} else if s.look != nil {
			s.look()
		}
		a = answer{HostErr: t.hostError(err), Out: out}
	})
}

// askAsync makes a request that does not wait for its turn.
func (t *Tenant) askAsync(name string, req request) error {
	defer time.AfterFunc(t.pool.cfg.Deadline, t.overrun).Stop()
	to := make(chan *answer, 1)
	t.mu.Lock()
	t.id++
	req.ID = t.id
	t.async[req.ID] = to
	t.mu.Unlock()
	t.write(frameRequest, name, req)
	select {
	case a := <-to:
		return a.Err.err()
	case <-t.dead:
		return t.err
	}
}

func (t *Tenant) overrun() {
	t.die(&Error{Reason: Deadline, Msg: fmt.Sprintf("a request took longer than %v", t.pool.cfg.Deadline)})
}

// write writes to the child. If that fails, the child has died or is about to.
func (t *Tenant) write(kind byte, name string, v any) {
	err := t.proc.conn.write(kind, name, v)
	if err == nil {
		return
	}
	select {
	case <-t.dead:
	case <-time.After(2 * exitGrace): // the reader knows more
		t.breach("cannot write to it: %v", err)
	}
}

// decode reads the payload of a frame.
func decode(f frame, into any) error {
	if err := json.Unmarshal(f.payload, into); err != nil {
		return fmt.Errorf("a message of kind %q is not what it should be: %w", f.kind, err)
	}
	return nil
}
