package mcp

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A patient transport ends after the answers to all that was asked. The SDK drops them at the end of the
// input, which comes early from a script that prints its questions into a pipe.
type patient struct{ mcp.Transport }

func (p patient) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := p.Transport.Connect(ctx)
	return &patientConn{Connection: c, asked: map[any]bool{}, answered: make(chan struct{}, 1)}, err
}

type patientConn struct {
	mcp.Connection
	mu       sync.Mutex
	asked    map[any]bool  // ids without an answer yet
	answered chan struct{} // has a value after an answer
}

func (c *patientConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.mu.Lock()
		c.asked[r.ID.Raw()] = true
		c.mu.Unlock()
	}
	for errors.Is(err, io.EOF) && c.waits() {
		select {
		case <-c.answered:
		case <-ctx.Done():
			return m, err
		}
	}
	return m, err
}

func (c *patientConn) waits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.asked) > 0
}

func (c *patientConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.asked, r.ID.Raw())
		if err != nil { // nobody hears the others
			clear(c.asked)
		}
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}
