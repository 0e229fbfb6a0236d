package killtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"time"
)

// A Host is a process with a fleet, or none while it does not run. Its methods are for one goroutine.
type Host struct {
	run         *Run
	name, where string
	ways        *rand.Rand // in which its processes define the counters
	process     *process   // as of run.mu
}

// Start starts the process, and waits until it is ready.
func (h *Host) Start() {
	p, err := h.startProcess()
	if err != nil {
		h.run.wrongf("%v", err)
		return
	}
	select {
	case <-p.ready:
		h.run.set(h, p)
	case <-p.gone:
		h.run.wrongf("%s does not start: %v", h.name, p.cmd.Wait())
	}
}

// Launch starts the process without waiting for it.
func (h *Host) Launch() {
	p, err := h.startProcess()
	if err != nil {
		h.run.wrongf("%v", err)
		return
	}
	h.run.set(h, p)
}

// Ended reports whether the process has ended by itself.
func (h *Host) Ended() bool {
	select {
	case <-h.process.gone:
		return true
	default:
		return false
	}
}

// Kill ends the process with SIGKILL.
func (h *Host) Kill() {
	p := h.process
	h.run.set(h, nil)
	p.cmd.Process.Kill()
	<-p.gone
	p.cmd.Wait()
}

// Drain ends the process in order.
func (h *Host) Drain() {
	p := h.process
	h.run.set(h, nil)
	p.in.Close()
	<-p.gone
	if err := p.cmd.Wait(); err != nil {
		h.run.wrongf("%s ends with %v", h.name, err)
	}
}

// A process is a Host while it runs.
type process struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	ready    chan struct{}
	gone     chan struct{}
	requests chan request // on their way; a process that stands still does not read

	mu    sync.Mutex
	calls map[int]chan reply
	last  int
}

func (h *Host) startProcess() (*process, error) {
	p := &process{
		cmd: exec.Command(os.Args[0]), ready: make(chan struct{}), gone: make(chan struct{}),
		requests: make(chan request, 10_000), calls: make(map[int]chan reply),
	}
	p.cmd.Env = append(os.Environ(), storeVariable+"="+h.where, hostVariable+"="+h.name, fmt.Sprint(wayVariable, "=", h.ways.IntN(1000)))
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		encoder := json.NewEncoder(in)
		for {
			select {
			case r := <-p.requests:
				encoder.Encode(r) // if the other end is gone, nobody answers
			case <-p.gone:
				return
			}
		}
	}()
	go func() {
		defer close(p.gone)
		for replies := json.NewDecoder(bufio.NewReader(out)); ; {
			var r reply
			if err := replies.Decode(&r); err != nil {
				return
			}
			p.mu.Lock()
			call := p.calls[r.Call]
			delete(p.calls, r.Call)
			p.mu.Unlock()
			h.run.late(time.Duration(r.Late) * time.Millisecond)
			switch {
			case r.Suspended != "":
				h.run.suspended(r.Suspended)
			case r.Early != "":
				h.run.wrongf("early: %s", r.Early)
			case call != nil:
				call <- r
			case r.Call > 0: // too late
			case r.Error != "":
				h.run.wrongf("%s: %s", h.name, r.Error)
			default:
				close(p.ready)
			}
		}
	}()
	return p, nil
}

// patience is how long a client waits for the answer of a host before it asks another one.
const patience = 2 * time.Second

// call waits for the answer to a request. It fails if the process dies or, unless it is the only one, does
// not answer in time.
func (p *process) call(r request, alone bool) (reply, bool) {
	answered := make(chan reply, 1)
	p.mu.Lock()
	p.last++
	r.Call = p.last
	p.calls[r.Call] = answered
	p.mu.Unlock()
	var late <-chan time.Time
	if !alone {
		late = time.After(patience)
	}
	select {
	case p.requests <- r:
	case <-p.gone:
		return reply{}, false
	}
	select {
	case a := <-answered:
		return a, true
	case <-late:
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.calls, r.Call)
	case <-p.gone:
		select {
		case a := <-answered: // it came before the end
			return a, true
		default:
		}
	}
	return reply{}, false
}
