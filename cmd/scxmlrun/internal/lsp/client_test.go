package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/framing"
)

// A client is the editor of a test.
type client struct {
	t        testing.TB
	out      io.Writer
	in       *bufio.Reader
	answers  map[string]any // what the client answers, by the method of the server's request
	received []*message     // notifications and requests of the server that were not yet awaited
	ids      int
	version  map[string]int32
}

// connect starts a server for a client, which is not initialized yet. At the end the server must return want.
func connect(t testing.TB, opts Options, want error) *client {
	t.Helper()
	toServer, out := io.Pipe()
	in, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := Serve(context.Background(), toServer, fromServer, opts)
		toServer.Close()
		fromServer.Close()
		ended <- err
	}()
	t.Cleanup(func() {
		out.Close()
		io.Copy(io.Discard, in)
		if err := <-ended; !errors.Is(err, want) {
			t.Errorf("the server ended with %v, want %v", err, want)
		}
	})
	return &client{t: t, out: out, in: bufio.NewReader(in), answers: map[string]any{}, version: map[string]int32{}}
}

// start is connect with initialize and initialized. The server must have been shut down at the end.
func start(t testing.TB, capabilities string) *client {
	t.Helper()
	return startWith(t, Options{Version: "v1"}, capabilities)
}

func startWith(t testing.TB, opts Options, capabilities string) *client {
	t.Helper()
	c := connect(t, opts, nil)
	t.Cleanup(func() { // before that of connect
		c.must("shutdown", nil)
		c.notify("exit", nil)
	})
	c.must("initialize", json.RawMessage(`{"processId":null,"rootUri":null,"capabilities":`+capabilities+`}`))
	c.notify("initialized", struct{}{})
	return c
}

func (c *client) send(m *message) {
	c.t.Helper()
	m.Version = "2.0"
	content, err := encode(m)
	if err == nil {
		err = framing.Write(c.out, content)
	}
	if err != nil {
		c.t.Fatalf("%s: %v", m.Method, err)
	}
}

func params(t testing.TB, v any) json.RawMessage {
	t.Helper()
	if v == nil {
		return nil
	}
	encoded, err := encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func (c *client) notify(method string, p any) {
	c.t.Helper()
	c.send(&message{Method: method, Params: params(c.t, p)})
}

// ask sends a request and returns its id.
func (c *client) ask(method string, p any) string {
	c.t.Helper()
	c.ids++
	id := fmt.Sprintf(`"%d"`, c.ids)
	c.send(&message{ID: json.RawMessage(id), Method: method, Params: params(c.t, p)})
	return id
}

// next reads a message. Requests of the server are answered.
func (c *client) next() *message {
	c.t.Helper()
	content, err := framing.Read(c.in, maxMessage)
	if err != nil {
		c.t.Fatalf("the server ended: %v", err)
	}
	m := new(message)
	if err := json.Unmarshal(content, m); err != nil || m.Version != "2.0" {
		c.t.Fatalf("the server sent %q: %v", content, err)
	}
	if m.Method != "" && m.ID != nil {
		result, known := c.answers[m.Method]
		if !known {
			c.t.Fatalf("the server asks for %s, for which the client has no capability", m.Method)
		}
		c.send(&message{ID: m.ID, Result: params(c.t, result)})
	}
	return m
}

// response returns the response to a request.
func (c *client) response(id string) *message {
	c.t.Helper()
	for {
		m := c.next()
		if m.Method == "" && string(m.ID) == id {
			return m
		}
		if m.Method == "" {
			c.t.Fatalf("a response to %s, want %s", m.ID, id)
		}
		c.received = append(c.received, m)
	}
}

// must sends a request and returns the result.
func (c *client) must(method string, p any) json.RawMessage {
	c.t.Helper()
	m := c.response(c.ask(method, p))
	if m.Error != nil {
		c.t.Fatalf("%s: %v", method, m.Error)
	}
	return m.Result
}

// refused sends a request that fails, and returns the error.
func (c *client) refused(method string, p any) *responseError {
	c.t.Helper()
	m := c.response(c.ask(method, p))
	if m.Error == nil {
		c.t.Fatalf("%s: got %s, want an error", method, m.Result)
	}
	return m.Error
}

// await returns the next message of the server with a method.
func (c *client) await(method string) json.RawMessage {
	c.t.Helper()
	for i, m := range c.received {
		if m.Method == method {
			c.received = append(c.received[:i:i], c.received[i+1:]...)
			return m.Params
		}
	}
	for {
		m := c.next()
		if m.Method == method {
			return m.Params
		}
		if m.Method == "" {
			c.t.Fatalf("a response to %s, want %s", m.ID, method)
		}
		c.received = append(c.received, m)
	}
}

// result decodes a result.
func result[T any](t interface{ Fatalf(string, ...any) }, raw json.RawMessage) (v T) {
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

func (c *client) diagnostics() publishDiagnosticsParams {
	c.t.Helper()
	return result[publishDiagnosticsParams](c.t, c.await("textDocument/publishDiagnostics"))
}

func (c *client) open(uri, text string) {
	c.t.Helper()
	var p didOpenParams
	p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text = uri, 1, text
	c.version[uri] = 1
	c.notify("textDocument/didOpen", p)
}

func (c *client) change(uri string, changes ...contentChange) {
	c.t.Helper()
	var p didChangeParams
	c.version[uri]++
	p.TextDocument.URI, p.TextDocument.Version, p.ContentChanges = uri, c.version[uri], changes
	c.notify("textDocument/didChange", p)
}

func in(uri string) documentParams { return documentParams{documentID{uri}} }

func at(uri string, line, character uint32) placeParams {
	return placeParams{in(uri), position{line, character}}
}
