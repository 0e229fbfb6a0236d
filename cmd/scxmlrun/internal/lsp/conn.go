package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/framing"
)

// A message is a request, a notification or a response of JSON-RPC 2.0.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`     // absent in a notification
	Method  string          `json:"method,omitempty"` // absent in a response
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *responseError  `json:"error,omitempty"`
}

// A responseError says why a request failed.
type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *responseError) Error() string { return e.Message }

func isResponse(err error) bool {
	var e *responseError
	return errors.As(err, &e)
}

// Codes of JSON-RPC and of the protocol.
const (
	parseError       = -32700
	invalidRequest   = -32600
	methodNotFound   = -32601
	invalidParams    = -32602
	internalError    = -32603
	notInitialized   = -32002
	requestFailed    = -32803
	requestCancelled = -32800
)

func failf(code int, format string, args ...any) *responseError {
	return &responseError{code, fmt.Sprintf(format, args...)}
}

// A conn is a connection with a client.
type conn struct {
	in *bufio.Reader

	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex
	calls   int
	waiting map[string]chan<- *message // for the responses to calls, by id
}

func newConn(in io.Reader, out io.Writer) *conn {
	return &conn{in: bufio.NewReader(in), out: out, waiting: make(map[string]chan<- *message)}
}

// read reads a message. An error of type *responseError is about one message, and the next one can be
// read; other errors end the connection.
func (c *conn) read() (*message, error) {
	content, err := framing.Read(c.in, maxMessage)
	if err != nil {
		return nil, err
	}
	m := new(message)
	if err := json.Unmarshal(content, m); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, failf(parseError, "the message is not JSON: %v", err)
		}
		return nil, failf(invalidRequest, "the message is not one of JSON-RPC: %v", err)
	}
	switch {
	case m.Version != "2.0":
		return m, failf(invalidRequest, `"jsonrpc" is %q: want "2.0"`, m.Version)
	case m.ID != nil && !isID(m.ID):
		m.ID = nil
		return m, failf(invalidRequest, `"id" is neither a number nor a string`)
	case m.Method == "" && m.Result == nil && m.Error == nil:
		return m, failf(invalidRequest, `the message has neither "method" nor "result" nor "error"`)
	}
	return m, nil
}

// isID reports whether a value is a number or a string, or null, which some responses have.
func isID(id json.RawMessage) bool { return bytes.IndexByte([]byte(`"-0123456789n`), id[0]) >= 0 }

func (c *conn) write(m *message) error {
	m.Version = "2.0"
	content, err := encode(m)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	return framing.Write(c.out, content)
}

// encode returns a value as JSON, with < as it is: texts are full of them.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// respond answers a request.
func (c *conn) respond(id json.RawMessage, result any, err error) error {
	m := &message{ID: id}
	if err == nil {
		m.Result, err = encode(result)
	}
	if err != nil {
		var e *responseError
		if !errors.As(err, &e) {
			e = failf(requestFailed, "%v", err)
		}
		m.Result, m.Error = nil, e
	}
	if m.ID == nil {
		m.ID = json.RawMessage("null")
	}
	return c.write(m)
}

// notify sends a notification.
func (c *conn) notify(method string, params any) error {
	encoded, err := encode(params)
	if err != nil {
		return err
	}
	return c.write(&message{Method: method, Params: encoded})
}

// call sends a request and waits for the answer.
func (c *conn) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	encoded, err := encode(params)
	if err != nil {
		return nil, err
	}
	answered := make(chan *message, 1)
	c.mu.Lock()
	c.calls++
	id := strconv.Itoa(c.calls)
	c.waiting[id] = answered
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, id)
	}()
	if err := c.write(&message{ID: json.RawMessage(id), Method: method, Params: encoded}); err != nil {
		return nil, err
	}
	select {
	case m := <-answered:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %w", method, m.Error)
		}
		return m.Result, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// answer hands a response to the call that waits for it. Others are ignored.
func (c *conn) answer(m *message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if waiting := c.waiting[string(m.ID)]; waiting != nil {
		delete(c.waiting, string(m.ID))
		waiting <- m
	}
}
