package serve

import (
	"context"
	"errors"
	"testing"
)

// A request does not wait for others of the child longer than its context allows.
func TestRequestOfABusyChildEnds(t *testing.T) {
	l := &live{child: &child{turn: make(chan struct{}, 1)}}
	l.child.turn <- struct{}{} // another session works
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := l.ask(ctx, func() error {
		t.Error("the request was made")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
