package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// A W3CSuite is the W3C's suite in a folder.
type W3CSuite struct {
	fsys  fs.FS
	Tests []W3CTest // in the order of tests.json
}

// A W3CTest is one start document of the suite.
type W3CTest struct {
	ID           string   `json:"id"`
	Spec         []string `json:"spec"`      // sections of the REC
	Assertion    string   `json:"assertion"` // what the test tests
	Conformance  string   `json:"conformance"`
	Manual       bool     `json:"manual"`
	Needs        []string `json:"needs"` // features outside the core
	Start        string   `json:"start"` // the document, relative to the folder
	Unaltered    string   `json:"unaltered"`
	LongestDelay float64  `json:"longest_delay_s"`
	Expect       string   `json:"expect"` // pass, final, reject or pass-or-reject
	Final        string   `json:"final"`
}

// NeedsAny reports whether the test needs one of the given features.
func (t W3CTest) NeedsAny(features ...string) bool {
	return slices.ContainsFunc(features, func(f string) bool { return slices.Contains(t.Needs, f) })
}

// OpenW3C reads the suite from a folder with a file tests.json.
func OpenW3C(fsys fs.FS) (*W3CSuite, error) {
	data, err := fs.ReadFile(fsys, "tests.json")
	if err != nil {
		return nil, fmt.Errorf("conformance: no W3C suite here: %w", err)
	}
	suite := &W3CSuite{fsys: fsys}
	if err := json.Unmarshal(data, &suite.Tests); err != nil {
		return nil, fmt.Errorf("conformance: tests.json: %w", err)
	}
	if len(suite.Tests) == 0 {
		return nil, errors.New("conformance: tests.json lists no test")
	}
	return suite, nil
}

// A Result is what came of a test.
type Result struct {
	Passed        bool
	Reason        string   // why it did not pass
	Configuration []string // the last one before the end
	Trace         string   // what the session did
}

// grace is how much chart time a test gets beyond its longest delay.
const grace = 10 * time.Second

// Run runs a document of the suite on a virtual clock: test.Start or
// test.Unaltered.
func (suite *W3CSuite) Run(ctx context.Context, test W3CTest, document string) Result {
	chart, err := scxml.Load(suite.fsys, document)
	rejected := errors.As(err, new(*scxml.DocumentError))
	switch {
	case rejected && (test.Expect == "reject" || test.Expect == "pass-or-reject"):
		return Result{Passed: true}
	case err != nil:
		return Result{Reason: err.Error()}
	case test.Expect == "reject":
		return Result{Reason: "the document was not rejected"}
	}
	var trace bytes.Buffer
	tracing := scxmltest.NewTrace(&trace)
	var last []string
	tracing.Microstep = func(s *scxml.Session, _ *scxml.Event, _ []scxml.Transition) {
		if s.InvokeID() == "" {
			last = s.Configuration()
		}
	}
	clock := new(scxmltest.Clock)
	opts := []scxml.Option{scxml.WithClock(clock.Now), scxml.WithSeed(1), scxml.WithTrace(tracing)}
	if test.NeedsAny("basichttp") {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		processor, err := basichttp.Listen(ctx, "127.0.0.1:0", false, basichttp.Config{})
		if err != nil {
			return Result{Reason: err.Error()}
		}
		opts = append(opts, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, processor))
	}
	s, err := scxml.New(chart, opts...)
	if err == nil {
		err = s.Start(ctx)
	}
	if err == nil {
		err = clock.Advance(ctx, s, time.Duration(test.LongestDelay*float64(time.Second))+grace)
	}
	result := Result{Configuration: last, Trace: trace.String()}
	switch {
	case err != nil:
		result.Reason = err.Error()
	case s.Status() == scxml.Running:
		result.Reason, result.Configuration = "the session did not end", s.Configuration()
	case s.FinalState() != test.Final:
		result.Reason = fmt.Sprintf("it ended in %q, want %q", s.FinalState(), test.Final)
	default:
		result.Passed = true
	}
	return result
}
