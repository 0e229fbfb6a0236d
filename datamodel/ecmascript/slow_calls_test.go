package ecmascript

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// A timedHost limits the time of scripts.
type timedHost struct {
	fastHost
	script, macrostep time.Duration
}

func (h timedHost) ScriptTime() time.Duration    { return h.script }
func (h timedHost) MacrostepTime() time.Duration { return h.macrostep }

// TestSlowCalls: the limits count the time of functions of the host, with a runtime and without one.
func TestSlowCalls(t *testing.T) {
	errCancelled := errors.New("cancelled")
	for _, tt := range []struct {
		script, macrostep, cancel time.Duration
		text                      string
		want                      error
		calls                     int
	}{
		{5 * time.Second, 30 * time.Second, 0, "slow(1000) + slow(1000)", nil, 2},
		{5 * time.Second, 30 * time.Second, 0, "slow(4) + slow(3)", nil, 2},
		{0, 0, 0, "slow(90000)", nil, 1},
		{5 * time.Second, 30 * time.Second, 0, "slow(9000) + slow(1)", datamodel.ErrScriptTime, 1},
		{5 * time.Second, 30 * time.Second, 0, "slow(4000) + slow(4000)", datamodel.ErrScriptTime, 2},
		{5 * time.Second, 30 * time.Second, 0, "In('s') && slow(9000)", datamodel.ErrScriptTime, 1},
		{0, 30 * time.Second, 0, "slow(60000)", datamodel.ErrMacrostepTime, 1},
		{5 * time.Second, 30 * time.Second, time.Second, "slow(2000)", errCancelled, 1},
	} {
		var got [2]string
		for i, before := range []string{"", "var x"} { // the second way has a runtime
			synctest.Test(t, func(t *testing.T) {
				st := native.Must1(New().NewStore(timedHost{fastHost{}, tt.script, tt.macrostep})).(*store)
				calls := 0
				native.Must(st.DefineFunc("slow", func(args []datamodel.Value) (datamodel.Value, error) {
					calls++
					time.Sleep(time.Duration(args[0].(int64)) * time.Millisecond)
					return int64(1), nil
				}))
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if tt.cancel > 0 {
					time.AfterFunc(tt.cancel, func() { cancel(errCancelled) })
				}
				st.Begin(ctx)
				defer st.End()
				compile := func(kind datamodel.Kind, text string) *expr {
					return native.Must1(New().Compile(kind, datamodel.Source{Text: text, Pos: datamodel.Position{Line: 1, Col: 1}})).(*expr)
				}
				e := compile(datamodel.Condition, tt.text)
				if before != "" {
					native.Must(st.Run(compile(datamodel.Script, before)))
					e.fast.Truth = nil
				}
				_, err := st.Condition(e)
				if !errors.Is(err, tt.want) || tt.want == nil && err != nil || calls != tt.calls || (st.realm == nil) != (i == 0) {
					t.Errorf("%q%s: got %v after %d calls, with a runtime: %v", before, tt.text, err, calls, st.realm != nil)
				}
				got[i] = fmt.Sprint(err)
			})
		}
		if got[0] != got[1] {
			t.Errorf("%s: got %s without a runtime, and %s with one", tt.text, got[0], got[1])
		}
	}
}
