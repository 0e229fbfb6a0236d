package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const (
	// DefaultMemory is how many bytes a child may have.
	DefaultMemory = 512 << 20
	// MinMemory is the least that a child can work with.
	MinMemory = 192 << 20
	// DefaultDeadline is how long one request may take.
	DefaultDeadline = 1500 * time.Millisecond
	// DefaultHostTime is how long a function or file of the host may take.
	DefaultHostTime = 5 * time.Second
	// DefaultMessage is how many bytes one message of a child may have.
	DefaultMessage = 8 << 20

	// messages is how many of the largest messages a child may send for one request. What they say
	// takes several times as much memory in the parent.
	messages = 4
)

// Config configures a [Pool]. The zero value works.
type Config struct {
	// Program is the file of a program whose main calls [Child] first; "" means the running one.
	Program string
	// Spare is how many children are started in advance. With 0 each tenant waits for its child to
	// start, which takes some 20 ms.
	Spare int

	Memory   int64         // bytes that a child may have; 0 means DefaultMemory
	Deadline time.Duration // for one request, host excluded; 0 means DefaultDeadline
	HostTime time.Duration // for one function, file or save of the host; 0 means DefaultHostTime
	Message  int           // bytes of one message of a child, such as a snapshot; 0 means DefaultMessage

	// BestEffort accepts a system that cannot limit the memory of a process.
	BestEffort bool
}

// A Pool starts children, and keeps some ready. It is safe for concurrent use.
type Pool struct {
	cfg   Config
	spare chan *process

	mu      sync.Mutex
	closed  bool
	tenants map[*Tenant]bool
	starts  sync.WaitGroup // of spare children
}

// NewPool returns a pool. It starts a first child, to see that it can. It fails if the system
// cannot limit a child, unless that is accepted, and if the program does not call [Child].
func NewPool(cfg Config) (*Pool, error) {
	if _, isChild := os.LookupEnv(mark); isChild {
		return nil, errors.New("isolate: this is a child: call isolate.Child first in main")
	}
	orDefault(&cfg.Memory, DefaultMemory)
	orDefault(&cfg.Deadline, DefaultDeadline)
	orDefault(&cfg.HostTime, DefaultHostTime)
	orDefault(&cfg.Message, DefaultMessage)
	if cfg.Memory < MinMemory || cfg.Deadline < 0 || cfg.HostTime < 0 || cfg.Message < 0 || cfg.Message > maxRequest || cfg.Spare < 0 {
		return nil, fmt.Errorf("isolate: the configuration %+v is out of range: want a Memory from %d, and nothing negative", cfg, int64(MinMemory))
	}
	p := &Pool{cfg: cfg, spare: make(chan *process, max(cfg.Spare, 1)), tenants: map[*Tenant]bool{}}
	first, err := p.start()
	if err != nil {
		return nil, err
	}
	p.spare <- first
	for range cfg.Spare - 1 {
		p.refill()
	}
	return p, nil
}

func orDefault[T int | int64 | time.Duration](v *T, def T) {
	if *v == 0 {
		*v = def
	}
}

// start starts a child.
func (p *Pool) start() (*process, error) {
	proc, h, err := startProcess(&p.cfg)
	if err != nil {
		return nil, fmt.Errorf("isolate: %w", err)
	}
	if len(h.Missing) > 0 && !p.cfg.BestEffort {
		p.discard(proc)
		return nil, fmt.Errorf("isolate: %w: cannot limit %s", ErrNoLimit, strings.Join(h.Missing, ", "))
	}
	return proc, nil
}

// ErrNoLimit is wrapped by the error of [NewPool] on a system that cannot limit a child.
var ErrNoLimit = errors.New("this system offers no wall")

func (p *Pool) discard(proc *process) {
	proc.kill()
	<-proc.ended
	proc.closePipes()
}

// refill starts a spare child. If it cannot, the tenant who needs it hears why.
func (p *Pool) refill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.cfg.Spare == 0 {
		return
	}
	p.starts.Add(1)
	go func() {
		defer p.starts.Done()
		proc, err := p.start()
		if err != nil {
			return
		}
		p.mu.Lock()
		closed := p.closed
		p.mu.Unlock()
		if !closed {
			select {
			case p.spare <- proc:
				return
			default:
			}
		}
		p.discard(proc)
	}()
}

// Tenant returns a child for a tenant. No one else has used it, and no one else will: a child that
// ran an untrusted chart cannot be trusted to forget it, so Close kills it, and the pool starts
// another.
func (p *Pool) Tenant(ctx context.Context) (*Tenant, error) {
	p.mu.Lock()
	closed := p.closed
	p.mu.Unlock()
	if closed {
		return nil, &Error{Reason: Closed, Msg: "the pool was closed"}
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	var proc *process
	for proc == nil {
		select {
		case proc = <-p.spare:
			select {
			case <-proc.ended: // somebody has killed it
				proc.closePipes()
				proc = nil
			default:
			}
			p.refill()
		default:
			var err error
			if proc, err = p.start(); err != nil {
				return nil, err
			}
		}
	}
	t := newTenant(p, proc)
	p.mu.Lock()
	closed = p.closed
	p.tenants[t] = true
	p.mu.Unlock()
	if closed {
		t.Close()
		return nil, t.err
	}
	return t, nil
}

// New returns a session in a child of its own, which ends with [Session.Close].
func (p *Pool) New(ctx context.Context, spec Spec, opts ...scxml.Option) (*Session, error) {
	return p.alone(ctx, func(t *Tenant) (*Session, error) { return t.New(ctx, spec, opts...) })
}

// Restore is [Pool.New] for a session that was saved.
func (p *Pool) Restore(ctx context.Context, spec Spec, snapshot []byte, opts ...scxml.RestoreOption) (*Session, error) {
	return p.alone(ctx, func(t *Tenant) (*Session, error) { return t.Restore(ctx, spec, snapshot, opts...) })
}

func (p *Pool) alone(ctx context.Context, place func(*Tenant) (*Session, error)) (*Session, error) {
	t, err := p.Tenant(ctx)
	if err != nil {
		return nil, err
	}
	s, err := place(t)
	if err != nil {
		t.Close()
		return nil, err
	}
	s.alone = true
	return s, nil
}

func (p *Pool) forget(t *Tenant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.tenants, t)
}

// Close kills all children and waits until they have ended.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	tenants := make([]*Tenant, 0, len(p.tenants))
	for t := range p.tenants {
		tenants = append(tenants, t)
	}
	p.mu.Unlock()
	for _, t := range tenants {
		t.Close()
	}
	p.starts.Wait()
	for {
		select {
		case proc := <-p.spare:
			p.discard(proc)
		default:
			return nil
		}
	}
}
