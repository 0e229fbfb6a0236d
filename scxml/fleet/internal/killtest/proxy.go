package killtest

import (
	"net"
	"sync"
	"testing"
)

// A Proxy passes on connections to a server at loopback, until it is cut. Then nothing passes, and
// nobody is told, as if the cable were out.
type Proxy struct {
	listener net.Listener
	server   string

	mu    sync.Mutex
	whole *sync.Cond // the cable is in
	cut   bool
	conns map[net.Conn]bool
}

// NewProxy returns a proxy for a server, until the end of the test.
func NewProxy(t testing.TB, server string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, server: server, conns: make(map[net.Conn]bool)}
	p.whole = sync.NewCond(&p.mu)
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		p.Heal()
		p.mu.Lock()
		defer p.mu.Unlock()
		for c := range p.conns {
			c.Close()
		}
	})
	return p
}

// Address is where clients reach the server.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Cut lets nothing pass any more.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
}

// Heal lets everything pass again, first what was on its way.
func (p *Proxy) Heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = false
	p.whole.Broadcast()
}

// wait waits until something may pass.
func (p *Proxy) wait() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.cut {
		p.whole.Wait()
	}
}

func (p *Proxy) serve(client net.Conn) {
	defer client.Close()
	p.wait()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	p.conns[client], p.conns[server] = true, true
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, client)
		delete(p.conns, server)
	}()
	var both sync.WaitGroup
	pass := func(to, from net.Conn) {
		buffer := make([]byte, 32<<10)
		for {
			n, err := from.Read(buffer)
			p.wait()
			if n > 0 {
				if _, err := to.Write(buffer[:n]); err != nil {
					break
				}
			}
			if err != nil {
				break
			}
		}
		to.Close()
		from.Close()
	}
	both.Go(func() { pass(server, client) })
	both.Go(func() { pass(client, server) })
	both.Wait()
}
