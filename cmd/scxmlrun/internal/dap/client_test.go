package dap_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/dap"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/framing"
)

// A client is a DAP client for tests, connected to a server in this process.
type client struct {
	t      *testing.T
	out    io.WriteCloser
	seq    int
	in     chan godap.Message // what has arrived; closed at its end
	events []godap.Message    // that have arrived and were not asked for yet
	others map[int]godap.ResponseMessage
	served chan error // what Serve returned
}

// connect starts a server and returns a client of it.
func connect(t *testing.T) *client {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	requests, out := io.Pipe()
	answers, w := io.Pipe()
	c := &client{t: t, out: out, in: make(chan godap.Message, 1<<16), served: make(chan error, 1), others: map[int]godap.ResponseMessage{}}
	go func() {
		err := dap.Serve(ctx, requests, w)
		w.Close()
		requests.Close()
		c.served <- err
	}()
	go c.receive(answers)
	t.Cleanup(func() {
		cancel()
		out.Close()
		for range c.in { // until the server has ended
		}
	})
	return c
}

func (c *client) receive(answers io.Reader) {
	defer close(c.in)
	r := bufio.NewReader(answers)
	for seq := 1; ; seq++ {
		content, err := framing.Read(r, 1<<26)
		if err != nil {
			if err != io.EOF {
				c.t.Errorf("cannot read a message: %v", err)
			}
			return
		}
		m, err := godap.DecodeProtocolMessage(content)
		if err != nil {
			c.t.Errorf("cannot decode a message: %v\n%s", err, content)
			return
		}
		if m.GetSeq() != seq {
			c.t.Errorf("a message has seq %d, want %d", m.GetSeq(), seq)
		}
		c.in <- m
	}
}

// send sends a request and returns its number.
func (c *client) send(command string, arguments any) int {
	c.t.Helper()
	c.seq++
	m := map[string]any{"seq": c.seq, "type": "request", "command": command}
	if arguments != nil {
		m["arguments"] = arguments
	}
	content, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := framing.Write(c.out, content); err != nil {
		c.t.Fatalf("cannot send %s: %v", command, err)
	}
	return c.seq
}

// next returns the next message. It is nil at the end.
func (c *client) next() godap.Message { return <-c.in }

// response waits for the response to a request.
func (c *client) response(seq int) godap.ResponseMessage {
	c.t.Helper()
	for {
		if m := c.others[seq]; m != nil {
			delete(c.others, seq)
			return m
		}
		switch m := c.next().(type) {
		case nil:
			c.t.Fatalf("the connection has ended before the response to request %d", seq)
		case godap.ResponseMessage:
			c.others[m.GetResponse().RequestSeq] = m
		default:
			c.events = append(c.events, m)
		}
	}
}

// event waits for the next event of type T, and drops those before it.
func event[T godap.EventMessage](c *client) T {
	c.t.Helper()
	var dropped []string
	for {
		var m godap.Message
		if len(c.events) > 0 {
			m, c.events = c.events[0], c.events[1:]
		} else {
			m = c.next()
		}
		switch m := m.(type) {
		case T:
			return m
		case nil:
			var want T
			c.t.Fatalf("the connection has ended before a %T; events before: %s", want, strings.Join(dropped, ", "))
		case godap.ResponseMessage:
			c.others[m.GetResponse().RequestSeq] = m
		case godap.EventMessage:
			text, _ := json.Marshal(m)
			dropped = append(dropped, string(text))
		}
	}
}

// ask sends a request and returns its response, which must be a T.
func ask[T godap.ResponseMessage](c *client, command string, arguments any) T {
	c.t.Helper()
	return answer[T](c, c.send(command, arguments))
}

// answer waits for the response to a request, which must be a T.
func answer[T godap.ResponseMessage](c *client, seq int) T {
	c.t.Helper()
	m := c.response(seq)
	got, ok := m.(T)
	if !ok {
		text, _ := json.Marshal(m)
		c.t.Fatalf("%s: got %s", m.GetResponse().Command, text)
	}
	return got
}

// refused sends a request that must fail, with a message that contains all words.
func (c *client) refused(command string, arguments any, words ...string) {
	c.t.Helper()
	m := c.response(c.send(command, arguments))
	e, ok := m.(*godap.ErrorResponse)
	if !ok {
		text, _ := json.Marshal(m)
		c.t.Errorf("%s %v: got %s, want an error with %q", command, arguments, text, words)
		return
	}
	if want := command == "launch" || command == "attach"; e.Body.Error == nil || e.Body.Error.ShowUser != want {
		c.t.Errorf("%s: the error is %+v, want ShowUser %v", command, e.Body.Error, want)
	}
	for _, word := range words {
		if e.Body.Error == nil || !strings.Contains(e.Body.Error.Format, word) {
			c.t.Errorf("%s %v: the error is %+v, want %q in it", command, arguments, e.Body.Error, word)
		}
	}
}

// object is JSON.
type object = map[string]any

// initialize begins the conversation.
func (c *client) initialize() *godap.InitializeResponse {
	c.t.Helper()
	return ask[*godap.InitializeResponse](c, "initialize", object{"adapterID": "scxml", "supportsVariableType": true, "supportsVariablePaging": true})
}

// write writes a chart to a file and returns its name.
func write(t *testing.T, source string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(name, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// launch initializes, launches a program, and waits until the server wants the breakpoints.
func (c *client) launch(arguments object) {
	c.t.Helper()
	c.initialize()
	ask[*godap.LaunchResponse](c, "launch", arguments)
	event[*godap.InitializedEvent](c)
}

// stopped waits until the session has stopped for a reason.
func (c *client) stopped(reason string) *godap.StoppedEvent {
	c.t.Helper()
	e := event[*godap.StoppedEvent](c)
	if e.Body.Reason != reason {
		c.t.Fatalf("stopped: %+v, want %s", e.Body, reason)
	}
	return e
}

// stack returns the frames of a thread.
func (c *client) stack(thread int) []godap.StackFrame {
	c.t.Helper()
	return ask[*godap.StackTraceResponse](c, "stackTrace", object{"threadId": thread}).Body.StackFrames
}

// names returns the frames as lines.
func names(frames []godap.StackFrame) (all []string) {
	for _, f := range frames {
		all = append(all, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Name))
	}
	return all
}

// variables returns the variables of a scope of a frame, as lines.
func (c *client) variables(frame int, scope string) []string {
	c.t.Helper()
	scopes := ask[*godap.ScopesResponse](c, "scopes", object{"frameId": frame}).Body.Scopes
	i := slices.IndexFunc(scopes, func(s godap.Scope) bool { return s.Name == scope })
	if i < 0 {
		c.t.Fatalf("there is no scope %q among %v", scope, scopes)
	}
	return lines(c.children(scopes[i].VariablesReference))
}

// children returns what a variable has inside.
func (c *client) children(reference int) []godap.Variable {
	c.t.Helper()
	return ask[*godap.VariablesResponse](c, "variables", object{"variablesReference": reference}).Body.Variables
}

func lines(variables []godap.Variable) (all []string) {
	for _, v := range variables {
		all = append(all, v.Name+" = "+v.Value)
	}
	return all
}

// evaluate evaluates an expression in the topmost frame or without one.
func (c *client) evaluate(context, expression string) string {
	c.t.Helper()
	return ask[*godap.EvaluateResponse](c, "evaluate", object{"expression": expression, "context": context}).Body.Result
}
