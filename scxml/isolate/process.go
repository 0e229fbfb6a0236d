package isolate

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	startTime = 10 * time.Second // for a child to say hello
	exitGrace = time.Second      // for a child that closes its pipe to end, on a busy machine, too
	maxStderr = 16 << 10         // bytes of standard error that are kept

	// tooMuchTime is what a child says when it has used up its processor time.
	tooMuchTime = "isolate: the processor time is used up"
)

// A process is a running child.
type process struct {
	cmd    *exec.Cmd
	conn   *conn
	stderr head
	ended  chan struct{} // closed when the process has ended
	pipes  []*os.File    // our ends
}

// startProcess starts a child and waits for its hello.
func startProcess(cfg *Config) (*process, hello, error) {
	p := &process{ended: make(chan struct{})}
	program, err := cfg.Program, error(nil)
	if program == "" {
		program, err = executable()
	}
	if err != nil {
		return nil, hello{}, err
	}
	commands, write, err := os.Pipe()
	if err != nil {
		return nil, hello{}, err
	}
	read, answers, err := os.Pipe()
	if err != nil {
		commands.Close()
		write.Close()
		return nil, hello{}, err
	}
	p.pipes = []*os.File{read, write}
	value := strconv.FormatInt(cfg.Memory, 10)
	if zone, ok := os.LookupEnv("TZ"); ok {
		value += markZone + zone
	}
	p.cmd = &exec.Cmd{
		Path: program, Args: []string{"scxml-isolate-child"}, Env: []string{mark + "=" + value},
		Stdin: commands, Stdout: answers, Stderr: &p.stderr,
		WaitDelay: exitGrace / 10,
	}
	separate(p.cmd)
	started := make(chan error)
	go func() { // on a thread that lives as long as this process, which the caller's need not
		started <- p.cmd.Start()
	}()
	err = <-started
	commands.Close() // the child has them: when it ends, reading does
	answers.Close()
	if err != nil {
		p.closePipes()
		return nil, hello{}, err
	}
	go func() {
		_ = p.cmd.Wait() // ProcessState tells
		close(p.ended)
	}()
	p.conn = newConn(read, write, cfg.Message)
	timer := time.AfterFunc(startTime, p.kill)
	h, err := p.hello()
	if !timer.Stop() && err != nil {
		err = fmt.Errorf("it did not answer within %v", startTime)
	}
	if err != nil {
		p.kill()
		<-p.ended
		p.closePipes()
		err = fmt.Errorf("cannot use %q as a child: %w: does its main call isolate.Child first?", program, err)
		if said := p.stderr.String(); said != "" {
			err = fmt.Errorf("%w (it said: %.500q)", err, said)
		}
		return nil, h, err
	}
	return p, h, nil
}

func (p *process) hello() (h hello, err error) {
	f, err := p.conn.read()
	switch {
	case err != nil:
		return h, err
	case f.kind != frameHello:
		return h, errors.New("what it says is not a hello")
	}
	if err := decode(f, &h); err != nil {
		return h, err
	}
	if h.Protocol != protocol {
		return h, fmt.Errorf("it speaks version %d of the protocol: want %d", h.Protocol, protocol)
	}
	return h, nil
}

// kill kills the process. It does not wait.
func (p *process) kill() {
	select {
	case <-p.ended: // its id may be another's
	default:
		kill(p.cmd)
	}
}

func (p *process) closePipes() {
	for _, f := range p.pipes {
		f.Close()
	}
}

// exitError says why a child has ended that was not killed from here; cause is why reading failed.
func (p *process) exitError(cause error) *Error {
	e := &Error{Reason: Crash}
	select {
	case <-p.ended:
	case <-time.After(exitGrace):
		p.kill()
		return &Error{Reason: Protocol, Msg: fmt.Sprintf("cannot read from it: %v", cause)}
	}
	e.Stderr = p.stderr.String()
	e.Msg = p.cmd.ProcessState.String()
	switch {
	case cause != io.EOF && !errors.Is(cause, os.ErrClosed):
		e.Reason, e.Msg = Protocol, cause.Error()
	case containsAny(e.Stderr, "out of memory", "cannot allocate memory", "failed to allocate", "failed to create new OS thread", "pthread_create failed"):
		e.Reason, e.Msg = Memory, "it needed more memory than it may have"
	case strings.Contains(e.Stderr, tooMuchTime):
		e.Reason, e.Msg = Deadline, "it used too much processor time"
	case containsAny(e.Stderr, "stack exceeds", "stack overflow"):
		e.Msg = "its stack overflowed"
	case wasKilled(p.cmd.ProcessState):
		e.Reason = Killed
	}
	return e
}

func containsAny(text string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// A head keeps the beginning of what is written to it.
type head struct {
	mu   sync.Mutex
	text []byte
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, p[:min(len(p), maxStderr-len(h.text))]...)
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(h.text)
}
