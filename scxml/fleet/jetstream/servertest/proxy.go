package servertest

import (
	"fmt"
	"io"
	"net"
	"sync"
)

// A proxy passes connections on to a port of this machine, unless it is cut.
type proxy struct {
	listener net.Listener
	target   string

	mu     sync.Mutex
	whole  *sync.Cond
	isCut  bool
	closed bool
	conns  map[net.Conn]bool
}

func newProxy(port int) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: l, target: fmt.Sprintf("127.0.0.1:%d", port), conns: map[net.Conn]bool{}}
	p.whole = sync.NewCond(&p.mu)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(conn)
		}
	}()
	return p, nil
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// wait waits while the proxy is cut, and reports whether it is open.
func (p *proxy) wait() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.isCut && !p.closed {
		p.whole.Wait()
	}
	return !p.closed
}

func (p *proxy) serve(conn net.Conn) {
	defer conn.Close()
	if !p.wait() {
		return
	}
	target, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer target.Close()
	if !p.add(conn, target) {
		return
	}
	defer p.remove(conn, target)
	done := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{conn, target}, {target, conn}} {
		go func() {
			p.pass(way[1], way[0])
			done <- struct{}{}
		}()
	}
	<-done
}

// pass copies bytes. While the proxy is cut they wait, and arrive when it is whole again.
func (p *proxy) pass(to io.Writer, from io.Reader) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil || !p.wait() {
			return
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (p *proxy) add(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.conns[c] = true
	}
	return !p.closed
}

func (p *proxy) remove(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		delete(p.conns, c)
	}
}

func (p *proxy) cut(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isCut = cut
	p.whole.Broadcast()
}

func (p *proxy) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.listener.Close()
	for c := range p.conns {
		c.Close()
	}
	p.whole.Broadcast()
}
