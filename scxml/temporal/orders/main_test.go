package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/testsuite"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/temporal"
)

// The same chart does the same as in a fleet: a bank that is silent is asked three times with one key, a
// late payment is given back, and an order that is not paid is closed.
func TestOrder(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	var asked []string
	err := register(env, "../../../examples/orders/orders.scxml", func(_ context.Context, t temporal.Task) (any, error) {
		asked = append(asked, t.Event+" "+datamodel.Text(t.Data))
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	at := func(d time.Duration, event string, data any) {
		env.RegisterDelayedCallback(func() { env.SignalWorkflow(temporal.SignalEvent, temporal.Event{Name: event, Data: data}) }, d)
	}
	is := func(d time.Duration, want string) {
		env.RegisterDelayedCallback(func() {
			v, err := env.QueryWorkflow(temporal.QueryState)
			var s temporal.State
			if err != nil || v.Get(&s) != nil || !slices.Contains(s.Configuration, want) {
				t.Errorf("after %v: %v, want %s, %v", d, s.Configuration, want, err)
			}
		}, d)
	}
	key := "default-test-workflow-id/1"
	at(time.Minute, "pay", map[string]string{"card": "4711"})
	is(2*time.Minute, "charging")
	is(3*time.Minute, "unpaid")
	at(4*time.Minute, "payment.accepted", map[string]string{"key": key})
	is(17*time.Minute, "unpaid")
	is(18*time.Minute, "closed")
	env.RegisterDelayedCallback(env.CancelWorkflow, time.Hour)
	env.ExecuteWorkflow("order", temporal.Input{Data: map[string]any{"items": []any{map[string]any{"name": "tea", "price": 320}}}})
	charge := fmt.Sprintf(`ask.charge {"key":"%s","card":"4711","amount":320}`, key)
	if want := []string{charge, charge, charge, fmt.Sprintf(`ask.refund {"key":"%s"}`, key)}; !slices.Equal(asked, want) {
		t.Errorf("asked for\n%s, want\n%s", strings.Join(asked, "\n"), strings.Join(want, "\n"))
	}
}
