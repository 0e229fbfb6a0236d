package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

const (
	// maxTime is how long a call may take. Tools that search end in time, and say what they have found until then.
	maxTime = 50 * time.Second
)

// Deadline is what the pool of a server must allow for a request.
const Deadline = maxTime + 5*time.Second

// An answer is what a child answers. The parent passes it on as text and pictures, whatever it says.
type answer struct {
	Failed bool
	Parts  []part
}

// A part is a text or, with a Type, a picture.
type part struct {
	Text  string `json:",omitempty"`
	Image []byte `json:",omitempty"`
	Type  string `json:",omitempty"`
}

// A calling is a call as the child gets it.
type calling struct {
	Tool string
	Args json.RawMessage
}

// handler answers calls of a tool. What goes wrong is an answer too: an error of the protocol does not reach
// the assistant.
func (s *server) handler(t *tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		a, err := s.call(ctx, t, req)
		if err != nil {
			a = failure(err)
		}
		result := &mcp.CallToolResult{IsError: a.Failed, Content: []mcp.Content{}}
		for _, p := range a.Parts {
			if p.Type != "" {
				result.Content = append(result.Content, &mcp.ImageContent{Data: p.Image, MIMEType: p.Type})
			} else {
				result.Content = append(result.Content, &mcp.TextContent{Text: p.Text})
			}
		}
		return result, nil
	}
}

func failure(err error) *answer { return &answer{Failed: true, Parts: []part{{Text: err.Error()}}} }

// call lets a child carry out a call.
func (s *server) call(ctx context.Context, t *tool, req *mcp.CallToolRequest) (*answer, error) {
	select {
	case s.calls <- struct{}{}:
		defer func() { <-s.calls }()
	default:
		return nil, fmt.Errorf("%d calls are in progress: wait for their answers", maxWait)
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	in, err := json.Marshal(calling{t.Name, req.Params.Arguments})
	if err != nil {
		return nil, fmt.Errorf("the arguments are not JSON: %w", err)
	}
	tenant, err := s.pool.Tenant(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot start a process for the call: %w", err)
	}
	defer tenant.Close()
	defer context.AfterFunc(ctx, func() { tenant.Close() })()
	out, err := tenant.Work(ctx, Work.Name, isolate.Spec{
		Options: []scxml.ChartOption{scxml.WithLoader(s.files), scxml.WithLimits(scxml.DefaultLimits())},
		Records: progress(ctx, req),
	}, in)
	var died *isolate.Error
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.As(err, &died):
		return nil, ended(t, died)
	case err != nil:
		return nil, err
	}
	a := new(answer)
	if err := json.Unmarshal(out, a); err != nil {
		return nil, fmt.Errorf("the process of the call answered something else than it should: %w", err)
	}
	return a, nil
}

// ended says why a child has died, and what to do.
func ended(t *tool, died *isolate.Error) error {
	switch died.Reason {
	case isolate.Memory:
		return fmt.Errorf("the call was ended: it needed more memory than it may have; give %s less to do: a smaller chart, fewer events, less depth", t.Name)
	case isolate.Deadline:
		return fmt.Errorf("the call was ended: it took too long; give %s less to do, or look for a script of the chart that does not end", t.Name)
	}
	return fmt.Errorf("the process of the call has died: %w; a script of the chart may have caused it", died)
}

// progress returns what passes on how far a call is, or nil if the client does not want to know.
func progress(ctx context.Context, req *mcp.CallToolRequest) func(*record.Record) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	n := 0.0
	return func(r *record.Record) {
		text, ok := r.Value.(string)
		if !ok || r.Kind != record.Log {
			return
		}
		n++
		// A client that has left gets no answer either.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: n, Message: visible(text)})
	}
}
