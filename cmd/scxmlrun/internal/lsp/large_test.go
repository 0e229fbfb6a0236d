package lsp

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
)

// A document that is too large to be analysed says so, once and on its first line. Requests about it have no
// result, its text follows the edits, and when it is small enough it is analysed again.
func TestLargeDocument(t *testing.T) {
	const uri = "file:///lamp.scxml"
	c := connect(t, Options{}, nil)
	c.must("initialize", json.RawMessage(`{"capabilities":{}}`))
	const says = "lamp.scxml has 8 MB"
	large := func() {
		t.Helper()
		p := c.diagnostics()
		if len(p.Diagnostics) != 1 || p.Diagnostics[0].Range != (span{}) || p.Diagnostics[0].Code != "document-limit" || !strings.HasPrefix(p.Diagnostics[0].Message, says) {
			t.Errorf("got %+v", p.Diagnostics)
		}
	}
	c.open(uri, lamp+strings.Repeat(" ", maxText-len(lamp)+1))
	large()
	if m := result[messageParams](t, c.await("window/showMessage")); !strings.HasPrefix(m.Message, says) || !strings.HasSuffix(m.Message, "scxmlrun check") {
		t.Errorf("got %q", m.Message)
	}
	for _, method := range []string{"hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "rename", "documentSymbol", "foldingRange", "formatting", "codeAction", "codeLens"} {
		if got := c.must("textDocument/"+method, at(uri, 1, 15)); string(got) != "null" {
			t.Errorf("%s: %s", method, got)
		}
	}
	if e := c.refused("workspace/executeCommand", executeCommandParams{Command: drawCommand, Arguments: []json.RawMessage{json.RawMessage(`"` + uri + `"`)}}); !strings.HasPrefix(e.Message, says) {
		t.Errorf("got %v", e)
	}
	c.change(uri, contentChange{Range: &span{position{1, 0}, position{1, 0}}, Text: "é"})
	large()
	c.change(uri, contentChange{Range: &span{position{1, 0}, position{1, 2}}}, contentChange{Range: &span{position{4, 0}, position{4, maxText}}})
	if p := c.diagnostics(); len(p.Diagnostics) != 0 {
		t.Errorf("got %+v", p.Diagnostics)
	}
	if got := string(c.must("textDocument/hover", at(uri, 1, 15))); got == "null" {
		t.Error("a document that has become smaller has no hover")
	}
	for _, m := range c.received {
		t.Errorf("the server also sent %s %s", m.Method, m.Params)
	}
	c.must("shutdown", nil)
	c.notify("exit", nil)
}

// A request that is cancelled is answered at once, even if its work cannot be interrupted.
func TestCancelledWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancelCause(t.Context())
		in, out := io.Pipe()
		s := &server{conn: newConn(nil, out), ctx: ctx, stop: stop, running: map[string]context.CancelFunc{}, workers: make(chan struct{}, 1)}
		release := make(chan struct{})
		if err := s.start(&message{ID: json.RawMessage("1"), Method: "x"}, func(context.Context) (any, error) { <-release; return 1, nil }); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		s.cancel("1")
		answer := make([]byte, 200)
		n, err := in.Read(answer)
		if err == nil && n < 60 { // the header alone
			var more int
			more, err = in.Read(answer[n:])
			n += more
		}
		if err != nil || !strings.Contains(string(answer[:n]), "x was cancelled") {
			t.Errorf("got %q, %v", answer[:n], err)
		}
		close(release)
		s.all.Wait()
	})
}
