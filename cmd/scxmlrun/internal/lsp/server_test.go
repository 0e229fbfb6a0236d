package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/framing"
)

const lamp = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="off">
  <state id="off"><transition event="push" target="on"/></state>
  <state id="on"><transition event="push" target="off"/></state>
</scxml>
`

func TestStages(t *testing.T) {
	c := connect(t, Options{}, nil)
	if e := c.refused("textDocument/hover", at("file:///a.scxml", 0, 0)); e.Code != notInitialized {
		t.Errorf("before initialize: %v", e)
	}
	c.notify("textDocument/didOpen", didOpenParams{}) // ignored
	got := string(c.must("initialize", json.RawMessage(`{"capabilities":{}}`)))
	for _, want := range []string{`"positionEncoding":"utf-16"`, `"textDocumentSync":{"change":2,"openClose":true,"save":true}`, `"serverInfo":{"name":"scxmlrun",`} {
		if !strings.Contains(got, want) {
			t.Errorf("initialize: no %s in %s", want, got)
		}
	}
	for _, test := range []struct {
		method string
		params any
		code   int
		says   string
	}{
		{"initialize", struct{}{}, invalidRequest, "already"},
		{"textDocument/hover", at("file:///a.scxml", 0, 0), invalidParams, "not open"},
		{"textDocument/hover", []int{1}, invalidParams, "array"},
		{"textDocument/hover", json.RawMessage(`{"position":{"line":-1}}`), invalidParams, "-1"},
		{"textDocument/hover", nil, invalidParams, "not open"},
		{"textDocument/semanticTokens/full", nil, methodNotFound, "semanticTokens"},
		{"$/unknown", nil, methodNotFound, "unknown"},
		{"workspace/executeCommand", executeCommandParams{Command: "rm"}, invalidParams, "rm"},
		{"workspace/executeCommand", executeCommandParams{Command: drawCommand}, invalidParams, "argument"},
	} {
		if e := c.refused(test.method, test.params); e.Code != test.code || !strings.Contains(e.Message, test.says) {
			t.Errorf("%s %s: got %d, %v; want %d, %q", test.method, params(t, test.params), e.Code, e, test.code, test.says)
		}
	}
	c.notify("$/unknown", nil)
	c.notify("textDocument/didChange", []int{1})
	if said := result[messageParams](t, c.await("window/logMessage")); !strings.Contains(said.Message, "didChange") {
		t.Errorf("the log says %q", said.Message)
	}
	if got := c.must("shutdown", nil); string(got) != "null" {
		t.Errorf("shutdown: %s", got)
	}
	if e := c.refused("textDocument/hover", at("file:///a.scxml", 0, 0)); e.Code != invalidRequest {
		t.Errorf("after shutdown: %v", e)
	}
	c.notify("exit", nil)
}

func TestExitWithoutShutdown(t *testing.T) {
	c := connect(t, Options{}, ErrNoShutdown)
	c.must("initialize", struct{}{})
	c.notify("exit", nil)
}

func TestEndOfInput(t *testing.T) {
	connect(t, Options{}, ErrNoShutdown)
}

func TestEndOfInputAfterShutdown(t *testing.T) {
	c := connect(t, Options{}, nil)
	c.must("initialize", struct{}{})
	c.must("shutdown", nil)
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	in, out := io.Pipe()
	defer out.Close()
	gone := errors.New("gone")
	cancel(gone)
	if err := Serve(ctx, in, io.Discard, Options{}); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}

// A client that does not read any more ends the server.
func TestWriteFails(t *testing.T) {
	var in bytes.Buffer
	for range 3 {
		framing.Write(&in, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`))
	}
	r, w := io.Pipe()
	r.Close()
	if err := Serve(context.Background(), &in, w, Options{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}

// What is not a message of the protocol gets an error with the id null, and if the next message can be
// found the server continues.
func TestBrokenMessages(t *testing.T) {
	frame := func(content string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content) }
	for _, test := range []struct {
		input string
		code  int
		fatal bool
	}{
		{frame(`{`), parseError, false},
		{frame(``), parseError, false},
		{frame(`[]`), invalidRequest, false},
		{frame(`[{"jsonrpc":"2.0","id":1,"method":"initialize"}]`), invalidRequest, false},
		{frame(`{"jsonrpc":"1.0","method":"initialize"}`), invalidRequest, false},
		{frame(`{"jsonrpc":"2.0"}`), invalidRequest, false},
		{frame(`{"jsonrpc":"2.0","id":1}`), invalidRequest, false},
		{frame(`{"jsonrpc":"2.0","id":{},"method":"initialize"}`), invalidRequest, false},
		{frame(`{"jsonrpc":"2.0","id":1,"method":7}`), invalidRequest, false},
		{frame(strings.Repeat("[", 1e6)), parseError, false},
		{"Content-Length: 99999999999\r\n\r\n{}", parseError, true},
		{"Content-Length: -1\r\n\r\n{}", parseError, true},
		{"Hello\r\n\r\n", parseError, true},
		{strings.Repeat("x", 1e5), parseError, true},
		{"Content-Length: 5\r\n\r\n{}", parseError, true},
	} {
		name := test.input[:min(len(test.input), 60)]
		var out bytes.Buffer
		err := Serve(context.Background(), strings.NewReader(test.input), &out, Options{})
		if test.fatal == errors.Is(err, ErrNoShutdown) {
			t.Errorf("%q: the server ended with %v", name, err)
		}
		content, err := framing.Read(bufio.NewReader(&out), maxMessage)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if m := result[message](t, content); m.Error == nil || m.Error.Code != test.code || m.ID == nil {
			t.Errorf("%q: got %s", name, content)
		}
	}
}

// Documents are checked when they are opened, and after a pause in the typing. What is sent is about the last
// version.
func TestDiagnosticsAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := start(t, `{}`)
		const uri = "untitled:lamp"
		c.open(uri, "")
		if d := c.diagnostics(); *d.Version != 1 {
			t.Errorf("opened: version %d", *d.Version)
		}
		typing := time.Now()
		for i, r := range lamp {
			end := newSource(lamp[:i], utf16Units).position(i)
			c.change(uri, contentChange{&span{end, end}, string(r)})
			time.Sleep(pause - time.Millisecond)
		}
		stopped := time.Now().Add(time.Millisecond - pause)
		if d := c.diagnostics(); int(*d.Version) != 1+len(lamp) || len(d.Diagnostics) != 0 {
			t.Errorf("got %+v", d)
		}
		if waited := time.Since(stopped); waited != pause {
			t.Errorf("diagnostics came after %v of typing and a pause of %v, want %v", stopped.Sub(typing), waited, pause)
		}
		c.notify("textDocument/didSave", in(uri))
		if d := c.diagnostics(); int(*d.Version) != 1+len(lamp) {
			t.Errorf("saved: %+v", d)
		}
		c.change(uri, contentChange{Text: "<scxml"})
		c.notify("textDocument/didClose", in(uri))
		if d := c.diagnostics(); d.Version != nil || len(d.Diagnostics) != 0 {
			t.Errorf("closed: %+v", d)
		}
		c.open(uri, lamp)
		if d := c.diagnostics(); *d.Version != 1 {
			t.Errorf("opened again: %+v", d)
		}
		time.Sleep(time.Hour)
		for _, m := range c.received {
			t.Errorf("the server also sent %s %s", m.Method, m.Params)
		}
	})
}

// Of very many diagnostics the first ones are sent, and all errors before warnings.
func TestManyDiagnostics(t *testing.T) {
	c := start(t, `{}`)
	c.open("untitled:many", strings.Replace(lamp, "\n", strings.Repeat("<state colour='red'/>\n", maxShown)+`<state><transition target="of"/></state>`, 1))
	if d := c.diagnostics().Diagnostics; len(d) != maxShown || d[0].Severity != severityError || d[1].Severity != severityWarning {
		t.Errorf("got %d diagnostics, first %+v", len(d), d[:2])
	}
}

// The files that a chart names may change too.
func TestWatchedFiles(t *testing.T) {
	c := connect(t, Options{}, nil)
	c.answers["client/registerCapability"] = json.RawMessage("null")
	c.must("initialize", json.RawMessage(`{"capabilities":{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}}`))
	c.notify("initialized", struct{}{})
	if got := c.await("client/registerCapability"); !strings.Contains(string(got), `"workspace/didChangeWatchedFiles"`) {
		t.Errorf("got %s", got)
	}
	c.must("shutdown", nil)
	c.notify("exit", nil)
}

// A request that waits is cancelled at once, and one that runs when it ends. Others are answered.
func TestCancel(t *testing.T) {
	requests["test/block"] = func(s *server, params json.RawMessage) (answer, error) {
		return func(ctx context.Context) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, nil
	}
	defer delete(requests, "test/block")
	synctest.Test(t, func(t *testing.T) {
		c := start(t, `{}`)
		var ids []string
		for range maxRunning {
			ids = append(ids, c.ask("test/block", nil))
		}
		if e := c.refused("test/block", nil); e.Code != requestFailed || !strings.Contains(e.Message, "still running") {
			t.Errorf("one more: %v", e)
		}
		for _, id := range ids {
			c.notify("$/cancelRequest", struct {
				ID json.RawMessage `json:"id"`
			}{json.RawMessage(id)})
			if m := c.response(id); m.Error == nil || m.Error.Code != requestCancelled {
				t.Fatalf("%s: %+v", id, m)
			}
		}
		id := c.ask("test/block", nil)
		c.send(&message{ID: json.RawMessage(id), Method: "test/block"})
		if m := c.response(id); m.Error == nil || m.Error.Code != invalidRequest {
			t.Errorf("the same id again: %+v", m)
		}
	})
}

// A panic is the error of one request, and is logged.
func TestPanic(t *testing.T) {
	requests["test/panic"] = func(s *server, params json.RawMessage) (answer, error) {
		return func(context.Context) (any, error) { panic("no way") }, nil
	}
	defer delete(requests, "test/panic")
	var log bytes.Buffer
	c := connect(t, Options{Log: &log}, nil)
	c.must("initialize", struct{}{})
	if e := c.refused("test/panic", nil); e.Code != internalError || !strings.Contains(e.Message, "no way") {
		t.Errorf("got %v", e)
	}
	c.must("shutdown", nil)
	c.notify("exit", nil)
	if !strings.Contains(log.String(), "server_test.go") {
		t.Errorf("the log is %q", &log)
	}
}

func TestEncodings(t *testing.T) {
	for offered, want := range map[string]encoding{
		`[]`: utf16Units, `["utf-8","utf-16"]`: utf8Units, `["utf-7","utf-32"]`: utf32Units, `["utf-16","utf-8"]`: utf16Units,
	} {
		c := connect(t, Options{}, nil)
		got := string(c.must("initialize", json.RawMessage(`{"capabilities":{"general":{"positionEncodings":`+offered+`}}}`)))
		if !strings.Contains(got, fmt.Sprintf(`"positionEncoding":%q`, want)) {
			t.Errorf("%s: got %s, want %s", offered, got, want)
		}
		c.must("shutdown", nil)
	}
}

// Whatever is sent, the server ends without a panic, and what it sends are messages.
func FuzzServe(f *testing.F) {
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	open := `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","version":1,"text":"<scxml><state id='a'/>"}}}`
	f.Add(hello, open, `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:a","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":3},"end":{"line":9,"character":0}},"text":"é"}]}}`, "")
	f.Add(hello, open, `{"jsonrpc":"2.0","id":"2","method":"textDocument/completion","params":{"textDocument":{"uri":"untitled:a"},"position":{"line":0,"character":7}}}`, "Content-Length: 3\r\n\r\n")
	f.Add(hello, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`, "x: y\n")
	f.Fuzz(func(t *testing.T, first, second, third, raw string) {
		var input, out, log bytes.Buffer
		for _, content := range []string{first, second, third} {
			framing.Write(&input, []byte(content))
		}
		input.WriteString(raw)
		Serve(context.Background(), &input, &out, Options{Log: &log}) // any error will do
		if log.Len() > 0 {
			t.Fatal(log.String())
		}
		for r := bufio.NewReader(&out); ; {
			content, err := framing.Read(r, maxMessage)
			if err == io.EOF {
				return
			}
			if err != nil || !json.Valid(content) {
				t.Fatalf("%q: %v", content, err)
			}
		}
	})
}

// TestAllAtOnce writes a whole conversation before the server runs.
func TestAllAtOnce(t *testing.T) {
	var in, out bytes.Buffer
	for _, m := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"exit"}`,
	} {
		framing.Write(&in, []byte(m))
	}
	if err := Serve(t.Context(), &in, &out, Options{}); err != nil {
		t.Fatal(err)
	}
	first, second := strings.Index(out.String(), `"id":1,"result":{`), strings.Index(out.String(), `"id":2,"result":null`)
	if first < 0 || second < first {
		t.Errorf("the answers are not in order: %s", &out)
	}
}
