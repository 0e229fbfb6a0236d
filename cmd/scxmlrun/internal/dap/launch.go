package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// capabilities say what this server can do.
var capabilities = dap.Capabilities{
	SupportsConfigurationDoneRequest:   true,
	SupportsFunctionBreakpoints:        true,
	SupportsConditionalBreakpoints:     true,
	SupportsHitConditionalBreakpoints:  true,
	SupportsLogPoints:                  true,
	SupportsDataBreakpoints:            true,
	SupportsBreakpointLocationsRequest: true,
	SupportsExceptionInfoRequest:       true,
	SupportsExceptionFilterOptions:     true,
	ExceptionBreakpointFilters:         exceptionFilters,
	SupportsStepBack:                   true,
	SupportsRestartFrame:               true,
	SupportsSteppingGranularity:        true,
	SupportsEvaluateForHovers:          true,
	SupportsClipboardContext:           true,
	SupportsSetVariable:                true,
	SupportsSetExpression:              true,
	SupportsCompletionsRequest:         true,
	SupportsLoadedSourcesRequest:       true,
	SupportsTerminateRequest:           true,
	SupportsCancelRequest:              true,
}

func (s *server) initialize(a dap.InitializeRequestArguments) (dap.ResponseMessage, func(), error) {
	if s.initialized {
		return nil, nil, errors.New("initialize was already called")
	}
	if a.PathFormat != "path" && a.PathFormat != "uri" {
		return nil, nil, fmt.Errorf(`initialize: pathFormat: %q is neither "path" nor "uri"`, a.PathFormat)
	}
	s.initialized = true
	s.view.uri = a.PathFormat == "uri"
	if a.LinesStartAt1 {
		s.view.lineBase = 1
	}
	if a.ColumnsStartAt1 {
		s.view.columnBase = 1
	}
	return &dap.InitializeResponse{Body: capabilities}, nil, nil
}

func (s *server) launch(ctx context.Context, arguments json.RawMessage) (dap.ResponseMessage, func(), error) {
	if s.d != nil {
		return nil, nil, errors.New("launch: a chart is already being debugged; disconnect first")
	}
	a, err := parseLaunch(arguments)
	if err != nil {
		return nil, nil, err
	}
	inputs, err := a.inputs()
	if err != nil {
		return nil, nil, err
	}
	s.args, s.mover.inputs = a, inputs
	s.sources = &sources{clientView: s.view, dir: a.Cwd}
	cfg := debug.Config{Log: s.log, Sessions: s.session, Changed: s.breakpointChanged, Bytes: debug.DefaultBytes}
	if a.Recording != "" {
		err = s.openRecording(ctx, &cfg)
	} else {
		err = s.openChart(&cfg)
	}
	if err != nil {
		return nil, nil, err
	}
	if s.d, err = debug.New(cfg); err != nil {
		return nil, nil, err
	}
	s.groups = map[string][]debug.Breakpoint{}
	if sessions, err := s.d.Sessions(); err == nil {
		for _, session := range sessions {
			s.threads.add(session, false)
		}
	}
	return new(dap.LaunchResponse), func() { s.event("initialized", new(dap.InitializedEvent)) }, nil
}

// openChart reads the chart to debug.
func (s *server) openChart(cfg *debug.Config) error {
	a := s.args
	limits, err := load.DebuggerLimits(a.Strict, a.Limits)
	if err != nil {
		return err
	}
	load.BoundMatches(limits)
	source, folder, err := load.Read(a.Program, limits)
	if err != nil {
		return err
	}
	// With the whole path, the positions in what the chart invokes and loads have whole paths too.
	chart, err := scxml.Parse(filepath.ToSlash(a.Program), source, scxml.WithLoader(folder), scxml.WithLimits(limits))
	if refused := new(scxml.DocumentError); errors.As(err, &refused) {
		s.sources.text = func(string) (string, bool) { return string(source), true }
		s.diagnostics(refused.Diagnostics)
		return fmt.Errorf("%s was refused: %v", filepath.Base(a.Program), refused.Diagnostics[0])
	}
	if err != nil {
		return err
	}
	options := []scxml.Option{scxml.WithTrace(&scxml.Trace{Send: s.sent, Error: s.failure})}
	for _, id := range slices.Sorted(maps.Keys(a.Data)) {
		if !slices.Contains(chart.Data(), id) {
			return fmt.Errorf("launch: data: the chart has no top-level data item %q%s", id, cli.DidYouMean(id, chart.Data()))
		}
		v, err := datamodel.ParseStrictJSON(a.Data[id])
		if err != nil {
			return fmt.Errorf("launch: data: %s: %w", id, err)
		}
		options = append(options, scxml.WithData(id, v))
	}
	if a.Strict {
		options = append(options, scxml.WithAccept(chart.IsUserEvent))
	}
	cfg.Real = a.Clock != "virtual"
	if !cfg.Real {
		cfg.Start = drive.VirtualStart
		options = append(options, scxml.WithSeed(1))
	}
	if a.Seed != nil {
		options = append(options, scxml.WithSeed(*a.Seed))
	}
	cfg.Chart, cfg.Options = chart, append(options, scxml.WithMissing())
	s.sources.text = s.threads.text
	s.threads.root = chart
	s.diagnostics(chart.Warnings())
	return nil
}

// openRecording reads and replays the recording to debug.
func (s *server) openRecording(ctx context.Context, cfg *debug.Config) error {
	rec, err := recording.OpenToDebug(s.args.Recording, s.args.Program)
	if err != nil {
		return err
	}
	// With another chart, something else may happen.
	h, err := rec.Replay(ctx, rec.Config, s.args.Program != "", nil)
	if difference := new(history.Difference); errors.As(err, &difference) && h != nil {
		s.output("important", fmt.Sprintf("%s: %v; what follows is left out", s.args.Recording, err), datamodel.Position{})
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.args.Recording, err)
	}
	cfg.Recording = h
	s.threads.root = rec.Config.Chart
	s.sources.text = func(name string) (string, bool) {
		if source, known := s.threads.text(name); known {
			return source, known
		}
		b, err := fs.ReadFile(rec.Files, path.Base(name))
		return string(b), err == nil
	}
	return nil
}

// diagnostics shows the problems of a chart.
func (s *server) diagnostics(all []scxml.Diagnostic) {
	for _, d := range all {
		s.output("important", d.String(), d.Pos)
	}
}

func (s *server) configurationDone() (dap.ResponseMessage, func(), error) {
	if err := s.begin(true); err != nil {
		return nil, nil, err
	}
	first := s.d.Continue
	if s.args.StopOnEntry {
		first = func(context.Context) (debug.Stop, error) { return s.d.Stop() }
	}
	return new(dap.ConfigurationDoneResponse), func() {
		s.event("thread", &dap.ThreadEvent{Body: dap.ThreadEventBody{Reason: "started", ThreadId: 1}})
		s.event("process", &dap.ProcessEvent{Body: dap.ProcessEventBody{Name: chartName(s.threads.root), StartMethod: "launch"}})
		if s.args.Clock != "virtual" { // it is never idle, but waits for events
			for _, cmd := range s.mover.inputs {
				s.send(cmd)
			}
			s.mover.inputs = nil
		}
		s.run(first)
	}, nil
}

// terminate ends the debugged session. The client disconnects then.
func (s *server) terminate() {
	s.close()
	s.tellEnd()
}

// tellEnd tells the client, once, that the debugged session has ended.
func (s *server) tellEnd() {
	s.ended.Do(func() { s.event("terminated", new(dap.TerminatedEvent)) })
}

func (s *server) disconnect() { s.gone = true }

// close ends the debugged session, if there is one.
func (s *server) close() {
	if s.d != nil {
		s.d.Close() // there is nothing that its error could stop
		s.mover.done.Wait()
	}
}
