package fleet

import (
	"context"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A panic of the fleet itself goes up, and the session is read anew. Panics of hosts are errors of the step.
func TestOwnPanicsGoUp(t *testing.T) {
	chart, err := scxml.Parse("t.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(NewMemory(), Config{}, Define("t", chart))
	if err == nil {
		err = f.Create(t.Context(), "k", CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if p := recover(); p != "ours" {
				t.Errorf("recovered %v", p)
			}
		}()
		f.turn(t.Context(), "k", func(_ context.Context, turn *turn) error {
			if _, err := turn.live(t.Context()); err != nil {
				t.Error(err)
			}
			panic("ours")
		})
	}()
	if n := f.Cached(); n != 0 {
		t.Errorf("%d sessions are in memory", n)
	}
	if s, err := f.Get(t.Context(), "k"); err != nil || len(s.Configuration) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}
