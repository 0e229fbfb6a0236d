package dap

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/framing"
)

// maxMessage is the maximum length of a request in bytes. The longest one has a value for an item of data.
const maxMessage = 32 << 20

// A conn is a connection to a client. Any goroutine may write to it.
type conn struct {
	r *bufio.Reader

	mu  sync.Mutex // for what follows
	w   io.Writer
	seq int
	err error // why writing has failed
}

// A badRequest is a message that is not a request that this server knows. The connection can still be
// used.
type badRequest struct {
	request dap.Request // without a Command if nothing can be answered
	err     error
}

func (b *badRequest) Error() string { return b.err.Error() }

// read reads a request.
func (c *conn) read() (dap.RequestMessage, error) {
	content, err := framing.Read(c.r, maxMessage)
	if err != nil {
		return nil, err
	}
	var head dap.Request
	if err := json.Unmarshal(content, &head); err != nil {
		return nil, &badRequest{err: fmt.Errorf("not a request: %w", err)}
	}
	if head.Type != "request" {
		return nil, &badRequest{err: fmt.Errorf("message %d has the type %q: a client sends requests only", head.Seq, head.Type)}
	}
	m, err := dap.DecodeProtocolMessage(content)
	if unknown := new(dap.DecodeProtocolMessageFieldError); errors.As(err, &unknown) {
		err = errors.New("the request is not known")
	}
	if err != nil {
		return nil, &badRequest{head, plainJSON(err)}
	}
	return m.(dap.RequestMessage), nil
}

// plainJSON describes an error of package json in the words of JSON.
func plainJSON(err error) error {
	wrong := new(json.UnmarshalTypeError)
	if !errors.As(err, &wrong) {
		return err
	}
	want := map[string]string{
		"string": "a string", "bool": "true or false", "int": "a whole number", "uint64": "a whole number that is not negative",
	}[wrong.Type.String()]
	if want == "" {
		switch wrong.Type.Kind().String() {
		case "slice":
			want = "a list"
		case "string":
			want = "a string"
		default:
			want = "an object"
		}
	}
	return fmt.Errorf("%s: want %s, got %s", wrong.Field, want, wrong.Value)
}

// respond answers a request.
func (c *conn) respond(to *dap.Request, m dap.ResponseMessage) {
	r := m.GetResponse()
	r.Type, r.RequestSeq, r.Command = "response", to.Seq, to.Command
	c.write(m, &r.ProtocolMessage)
}

// event sends an event.
func (c *conn) event(name string, m dap.EventMessage) {
	e := m.GetEvent()
	e.Type, e.Event = "event", name
	c.write(m, &e.ProtocolMessage)
}

// write writes a message, and sets the number in its head.
func (c *conn) write(m dap.Message, head *dap.ProtocolMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	head.Seq = c.seq
	if c.err != nil {
		return
	}
	content, err := json.Marshal(m)
	if err == nil {
		err = framing.Write(c.w, content)
	}
	c.err = err
}

// failed returns why writing has failed, or nil.
func (c *conn) failed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
