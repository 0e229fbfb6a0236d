package temporal

import (
	"context"
	"errors"
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	sdk "go.temporal.io/sdk/temporal"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/rename"
)

// A Migration moves running sessions to another version of their chart.
type Migration struct {
	Chart string `json:"chart"`          // name of the workflow
	From  string `json:"from,omitempty"` // hash of the version whose sessions move; "" is all others
	To    string `json:"to"`             // hash of the version that they move to

	// States has the new names of states. A state keeps its name if it is not here. It does not concern
	// invoked sessions.
	States map[string]string `json:"states,omitempty"`
	// Script is an expression that is evaluated in each session after it has moved, such as
	// "total = items.length". Data items that are new are undefined before.
	Script string `json:"script,omitempty"`
	// Try tries only.
	Try bool `json:"try,omitempty"`
}

// A MigrationReport is what a migration has done.
type MigrationReport struct {
	Tried    int // sessions
	Migrated int // sessions; none if one did not fit when all were tried
	Unfit    []Unfit
}

// An Unfit is a session that does not fit the new version.
type Unfit struct {
	ID  string // of the workflow
	Err error
}

// Migrate moves the running sessions of a chart to another version of it, which all workers have to know. It
// first tries all of them with copies, and moves none if one does not fit. If events change one in the
// meantime so that it does not fit any more, it stays, and the others move. After an error some have moved,
// and Migrate can be repeated. It finds sessions as the server lists them, which may lack the newest.
//
// Each session is moved by its update [UpdateMigrate], which has the Migration as its argument.
func Migrate(ctx context.Context, c client.Client, m Migration) (report MigrationReport, err error) {
	ids, err := movable(ctx, c, m)
	if err != nil {
		return report, err
	}
	report.Tried = len(ids)
	for _, try := range []bool{true, false} {
		step := m
		step.Try = try
		for _, id := range ids {
			err := update(ctx, c, id, UpdateMigrate, nil, step)
			unfit, gone := (*sdk.ApplicationError)(nil), (*serviceerror.NotFound)(nil)
			switch {
			case errors.As(err, &unfit):
				report.Unfit = append(report.Unfit, Unfit{id, err})
			case errors.As(err, &gone): // it has ended
			case err != nil:
				return report, err
			case !try:
				report.Migrated++
			}
		}
		if m.Try || len(report.Unfit) > 0 {
			break
		}
	}
	return report, nil
}

// movable returns the ids of the sessions that a migration concerns.
func movable(ctx context.Context, c client.Client, m Migration) (ids []string, err error) {
	r := &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("WorkflowType = %q AND ExecutionStatus = 'Running'", m.Chart)}
	for {
		page, err := c.ListWorkflow(ctx, r)
		if err != nil {
			return nil, err
		}
		for _, e := range page.Executions {
			if hash := memoText(e.GetMemo(), memoVersion); hash != m.To && (m.From == "" || hash == m.From) {
				ids = append(ids, e.Execution.WorkflowId)
			}
		}
		if r.NextPageToken = page.NextPageToken; len(r.NextPageToken) == 0 {
			return ids, nil
		}
	}
}

func memoText(memo *commonpb.Memo, name string) (text string) {
	_ = converter.GetDefaultDataConverter().FromPayload(memo.GetFields()[name], &text)
	return text
}

// migrate moves the session, or tries to.
func (f *flow) migrate(m Migration) error {
	to := f.charts[m.To]
	switch {
	case !f.running():
		return scxml.ErrEnded
	case to == nil:
		return fmt.Errorf("this worker does not know version %q of chart %q", m.To, f.name)
	case m.To == f.began.Hash || m.From != "" && m.From != f.began.Hash:
		return nil
	}
	for name := range m.States {
		if _, ok := f.chart.State(name); !ok {
			return fmt.Errorf("chart %q has no state %q", f.name, name)
		}
	}
	snapshot, err := f.session.Snapshot()
	if err != nil {
		return err
	}
	moved, err := scxml.Restore(to, snapshot, f.options(), scxml.WithMigration(func(snapshot []byte, _ *scxml.Chart) ([]byte, error) {
		return rename.States(snapshot, m.States)
	}))
	if err != nil {
		return err
	}
	if m.Script != "" {
		if _, err = moved.Eval(context.Background(), m.Script); err != nil {
			err = fmt.Errorf("script: %w", err)
		}
	}
	if err == nil {
		snapshot, err = moved.Snapshot()
	}
	if err = errors.Join(err, scxml.ForServer(moved).Abandon()); err != nil || m.Try {
		return err
	}
	if moved, err = scxml.Restore(to, snapshot, f.options(), f.recorder.listen(f, to, nil)); err != nil {
		return err
	}
	_ = f.server.Abandon()
	f.adopt(moved)
	f.recorder.restored(moved)
	f.chart, f.began.Hash = to, m.To
	return f.memo()
}
