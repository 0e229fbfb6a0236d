package temporal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"path"
	"reflect"
	"slices"

	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// Record writes a recording of a run of a workflow, made from its history: for the commands why, debug,
// replay, inspect and shrink of scxmlrun, and for [history.Open]. name, chart and o are those that the
// workflow was registered with. The history is complete, or that of a run in progress; it comes from
// client.GetWorkflowHistory or, as a file, from client.HistoryFromJSON.
//
// The recording begins with the run, or with its last migration. Functions of [scxml.WithFunc] are called. A
// chart that invokes charts from files is not complete in it: give the commands its file by --chart.
//
// The error says that the history is not one of this chart and these options, or is that of w. What was
// recorded until the replay went another way is written.
func Record(h *historypb.History, name string, chart *scxml.Chart, o Options, w io.Writer) error {
	d, err := define(name, chart, o)
	if err != nil {
		return fmt.Errorf("temporal: Record: %w", err)
	}
	d.recorder = &recorder{}
	r := worker.NewWorkflowReplayer()
	r.RegisterWorkflowWithOptions(d.run, workflow.RegisterOptions{Name: name})
	if len(h.GetEvents()) == 0 {
		return errors.New("temporal: Record: the history is empty")
	}
	start := h.Events[0].GetWorkflowExecutionStartedEventAttributes()
	replayed := r.ReplayWorkflowHistoryWithOptions(log.NewStructuredLogger(slog.New(slog.DiscardHandler)), h, worker.ReplayWorkflowHistoryOptions{
		OriginalExecution: workflow.Execution{ID: start.GetWorkflowId(), RunID: start.GetOriginalExecutionRunId()},
	})
	if d.recorder.history == nil {
		return fmt.Errorf("temporal: Record: the session has not started: %w", errors.Join(replayed, d.recorder.err))
	}
	err = errors.Join(replayed, d.recorder.err, d.recorder.history.Close())
	_, failed := w.Write(d.recorder.out.Bytes())
	return errors.Join(err, failed)
}

// A recorder records the session of a flow that is replayed.
type recorder struct {
	history *history.History
	out     *bytes.Buffer
	err     error
}

// listen returns the option for the session. own are options that only a new one has.
func (r *recorder) listen(f *flow, chart *scxml.Chart, own []scxml.Option) scxml.Option {
	if r == nil {
		return scxml.Options{}
	}
	opts := append(slices.Clone(f.Session), own...)
	opts = append(opts, scxml.WithRouter(new(scxml.Directory)))
	for _, typ := range append(slices.Sorted(maps.Keys(f.Activities)), f.Children...) {
		opts = append(opts, scxml.WithInvoker(typ, scxml.InvokerFunc(nil)))
		if typ != "*" && !slices.Contains(f.Children, typ) {
			opts = append(opts, scxml.WithIOProcessor(typ, nowhere{}))
		}
	}
	var limits []string
	for field, v := range reflect.ValueOf(f.limits).Fields() {
		if !v.IsZero() {
			limits = append(limits, fmt.Sprint(field.Name, "=", v))
		}
	}
	host, err := json.Marshal(map[string]any{"limits": limits})
	if r.err = errors.Join(r.err, err); r.history != nil {
		_ = r.history.Close() // of the version before
	}
	r.out = new(bytes.Buffer)
	r.history, err = history.New(history.Config{
		Chart: chart, Options: opts, Recording: r.out, Bytes: -1,
		Note: history.Note{File: chart.File(), Files: map[string]string{path.Base(chart.File()): chart.Source()}, Host: host},
	})
	if r.err = errors.Join(r.err, err); err != nil {
		return scxml.Options{}
	}
	return r.history.Option()
}

// restored tells of a session that was not started here.
func (r *recorder) restored(s *scxml.Session) {
	if r != nil && r.history != nil {
		r.err = errors.Join(r.err, r.history.Attach(s))
	}
}

// nowhere is an Event I/O Processor that a recording names.
type nowhere struct{}

func (nowhere) Open(*scxml.Session) string                            { return "" }
func (nowhere) Close(*scxml.Session)                                  {}
func (nowhere) Send(*scxml.Session, scxml.Message, func(error)) error { return nil }
