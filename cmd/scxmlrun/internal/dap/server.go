// Package dap lets editors debug charts: it is a server of the Debug Adapter Protocol around package
// debug.
//
//	err := dap.Serve(ctx, os.Stdin, os.Stdout)
//
// A thread of the protocol is a session, a frame is what a session is inside, and the scopes of a frame
// are those of its session. "Step into" leads to the next element, "step over" to the next microstep,
// and "step out" to the end of the macrostep.
//
// # Reading the source
//
// server.go has the loop that takes one request after the other, and the table of requests; conn.go
// reads and writes messages. The requests are in launch.go, breakpoints.go, move.go, look.go and
// evaluate.go. sources.go translates places.
package dap

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
)

// maxWaiting is how many requests may wait while another one is carried out.
const maxWaiting = 100

// A server serves a client.
type server struct {
	conn
	ctx         context.Context // ends when the client disconnects
	initialized bool
	gone        bool       // the client has disconnected
	view        clientView // of the initialize request

	// After launch:
	args    *arguments
	d       *debug.Debugger
	sources *sources
	threads threads
	mover   mover
	looks   looks
	groups  map[string][]debug.Breakpoint // as they were set
	ended   sync.Once                     // the client was told
}

// A request is one that waits or is being carried out.
type request struct {
	dap.RequestMessage
	ctx  context.Context
	done func() // to be called in the end
	bad  error  // why it cannot be carried out
}

// Serve serves a client until it disconnects, its input ends, or ctx is done. The error says why the
// connection could not be used any more, or is the cause of ctx. It is nil after a disconnect and at
// the end of the input. Serve returns without waiting for r: close it.
func Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{conn: conn{r: bufio.NewReader(r), w: w}, ctx: ctx}
	defer s.close()
	defer cancel() // first, so that nothing moves any more
	requests := make(chan request, maxWaiting)
	var readErr error
	go func() {
		defer close(requests)
		readErr = s.receive(ctx, requests)
	}()
	for {
		select {
		case req, ok := <-requests:
			if !ok {
				return readErr
			}
			s.carryOut(req)
			req.done()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := s.failed(); err != nil || s.gone {
			return err
		}
	}
}

// receive reads requests. A cancel request interrupts the one that it names, and the requests that end
// the session interrupt all before.
func (s *server) receive(ctx context.Context, requests chan<- request) error {
	var mu sync.Mutex
	interrupt := map[int]context.CancelFunc{} // by their numbers
	for {
		m, err := s.read()
		req := request{RequestMessage: m}
		switch bad := new(badRequest); {
		case err == io.EOF:
			return nil
		case errors.As(err, &bad) && bad.request.Command == "":
			s.output("important", fmt.Sprintf("a message was ignored: %v", bad.err), datamodel.Position{})
			continue
		case errors.As(err, &bad):
			req = request{RequestMessage: &bad.request, bad: bad.err}
		case err != nil:
			return err
		}
		seq := req.GetRequest().Seq
		ctx, cancel := context.WithCancel(ctx)
		req.ctx, req.done = ctx, func() {
			cancel()
			mu.Lock()
			defer mu.Unlock()
			delete(interrupt, seq)
		}
		mu.Lock()
		switch m := m.(type) {
		case *dap.CancelRequest:
			if m.Arguments != nil && interrupt[m.Arguments.RequestId] != nil {
				interrupt[m.Arguments.RequestId]()
			}
		case *dap.DisconnectRequest, *dap.TerminateRequest:
			for _, f := range interrupt {
				f()
			}
		}
		interrupt[seq] = cancel
		mu.Unlock()
		select {
		case requests <- req:
		case <-s.ctx.Done():
			return nil
		}
	}
}

// errCancelled is the error of a request that was cancelled.
var errCancelled = errors.New("cancelled")

// carryOut carries out a request, and answers it.
func (s *server) carryOut(req request) {
	m, after, err := dap.ResponseMessage(nil), func() {}, req.bad
	if req.ctx.Err() != nil {
		err = errCancelled
	}
	if err == nil {
		m, after, err = s.handle(req.ctx, req.RequestMessage)
	}
	if err != nil {
		if req.ctx.Err() != nil {
			err = errCancelled
		}
		text := strings.TrimPrefix(err.Error(), "debug: ")
		m = &dap.ErrorResponse{
			Response: dap.Response{Message: text},
			Body:     dap.ErrorResponseBody{Error: &dap.ErrorMessage{Id: errorID, Format: text, ShowUser: isStart(req)}},
		}
	} else {
		m.GetResponse().Success = true
	}
	s.respond(req.GetRequest(), m)
	if err == nil && after != nil {
		after()
	}
}

// isStart reports whether a request begins the session. Without ShowUser, VS Code does not say why that
// has failed; the errors of other requests are shown where they belong.
func isStart(req request) bool {
	switch req.RequestMessage.(type) {
	case *dap.LaunchRequest, *dap.AttachRequest:
		return true
	}
	return false
}

// errorID is the number of all errors, as the protocol wants one.
const errorID = 1

// handle carries out a request. After is called when the response was sent, unless it is nil.
func (s *server) handle(ctx context.Context, m dap.RequestMessage) (_ dap.ResponseMessage, after func(), err error) {
	switch m := m.(type) {
	case *dap.InitializeRequest:
		return s.initialize(m.Arguments)
	case *dap.CancelRequest:
		return new(dap.CancelResponse), nil, nil // receive has done it
	case *dap.DisconnectRequest:
		return new(dap.DisconnectResponse), s.disconnect, nil
	}
	if !s.initialized {
		return nil, nil, errors.New("initialize first")
	}
	switch m := m.(type) {
	case *dap.LaunchRequest:
		return s.launch(ctx, m.Arguments)
	case *dap.AttachRequest:
		return nil, nil, errors.New(`cannot attach to a session that runs elsewhere: use "launch", with "recording" for one that was recorded`)
	case *dap.TerminateRequest:
		return new(dap.TerminateResponse), s.terminate, nil
	}
	if s.d == nil {
		return nil, nil, errors.New("nothing is being debugged: launch a chart first")
	}
	switch m := m.(type) {
	case *dap.SetBreakpointsRequest:
		return s.setBreakpoints(&m.Arguments)
	case *dap.BreakpointLocationsRequest:
		return s.breakpointLocations(m.Arguments)
	case *dap.SetFunctionBreakpointsRequest:
		return s.setFunctionBreakpoints(m.Arguments.Breakpoints)
	case *dap.DataBreakpointInfoRequest:
		return s.dataBreakpointInfo(&m.Arguments)
	case *dap.SetDataBreakpointsRequest:
		return s.setDataBreakpoints(m.Arguments.Breakpoints)
	case *dap.SetExceptionBreakpointsRequest:
		return s.setExceptionBreakpoints(&m.Arguments)
	case *dap.ConfigurationDoneRequest:
		return s.configurationDone()

	case *dap.ContinueRequest:
		return s.move(&dap.ContinueResponse{Body: dap.ContinueResponseBody{AllThreadsContinued: true}}, s.d.Continue)
	case *dap.NextRequest:
		return s.move(new(dap.NextResponse), fine(m.Arguments.Granularity, s.d.StepIn, s.d.Next))
	case *dap.StepInRequest:
		return s.move(new(dap.StepInResponse), s.d.StepIn)
	case *dap.StepOutRequest:
		return s.move(new(dap.StepOutResponse), fine(m.Arguments.Granularity, s.d.StepIn, s.d.StepOut))
	case *dap.StepBackRequest:
		return s.move(new(dap.StepBackResponse), fine(m.Arguments.Granularity, s.d.StepBackIn, s.d.StepBack))
	case *dap.ReverseContinueRequest:
		return s.move(new(dap.ReverseContinueResponse), s.d.ReverseContinue)
	case *dap.RestartFrameRequest:
		if _, err := s.frameSession(m.Arguments.FrameId); err != nil {
			return nil, nil, err
		}
		return s.move(new(dap.RestartFrameResponse), s.d.RestartFrame)
	case *dap.PauseRequest:
		return new(dap.PauseResponse), s.pause, nil

	case *dap.ThreadsRequest:
		return s.listThreads()
	case *dap.StackTraceRequest:
		return s.stackTrace(&m.Arguments)
	case *dap.ScopesRequest:
		return s.scopes(ctx, m.Arguments.FrameId)
	case *dap.VariablesRequest:
		return s.variables(&m.Arguments)
	case *dap.SourceRequest:
		return s.source(&m.Arguments)
	case *dap.LoadedSourcesRequest:
		return s.loadedSources()
	case *dap.ExceptionInfoRequest:
		return s.exceptionInfo()

	case *dap.EvaluateRequest:
		return s.evaluate(ctx, &m.Arguments)
	case *dap.SetVariableRequest:
		return s.setVariable(ctx, &m.Arguments)
	case *dap.SetExpressionRequest:
		return s.setExpression(ctx, &m.Arguments)
	case *dap.CompletionsRequest:
		return s.completions(&m.Arguments)
	}
	return nil, nil, errors.New("this request is not supported")
}

// fine chooses a movement: with the granularity "instruction", one by elements.
func fine(granularity dap.SteppingGranularity, element, other movement) movement {
	if granularity == "instruction" {
		return element
	}
	return other
}
