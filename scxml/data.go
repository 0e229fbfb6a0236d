package scxml

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// This file connects a session to its data model.

// Data decodes the top-level data items of a session into a T, a struct or a map,
// see [datamodel.Decode]: items whose ids are the names of fields, which json tags
// can say, or all of them. Fields without an item stay zero. Only the owner may
// call it.
func Data[T any](s *Session) (T, error) {
	var v T
	if s.elsewhere() {
		return v, failed("Data", ErrDriven)
	}
	items, err := s.items(datamodel.FieldNames(reflect.TypeFor[T]()))
	if err == nil {
		err = datamodel.Decode(items, &v)
	}
	if err != nil {
		return v, failed("Data", err)
	}
	return v, nil
}

// items returns the values of the top-level data items of the given names; nil
// means all.
func (s *Session) items(names []string) (*datamodel.Object, error) {
	if s.status == Unstarted {
		return nil, ErrNotStarted
	}
	if s.ctx == nil {
		s.enterTurn(context.Background())
		defer s.leaveTurn()
	}
	items := new(datamodel.Object)
	for i, id := range s.chart.Data() {
		if names != nil && !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, id) }) {
			continue
		}
		v, err := s.data().Value(s.chart.dataExprs()[i])
		if err != nil {
			return nil, fmt.Errorf("data %q: %w", id, err)
		}
		items.Set(id, v)
	}
	return items, nil
}

// enterTurn begins a period in which data may be used.
func (s *Session) enterTurn(ctx context.Context) {
	s.ctx = ctx
	if s.store != nil {
		s.store.Begin(ctx)
	}
}

func (s *Session) leaveTurn() {
	s.ctx = nil
	if s.store != nil {
		s.store.End()
	}
}

// openStore creates the session's store.
func (s *Session) openStore() error {
	store, err := s.chart.language.NewStore((*storeHost)(s))
	if err != nil {
		return fmt.Errorf("data model %q: %w", s.chart.language.Name(), err)
	}
	s.store = store
	if l, ok := store.(datamodel.Looker); ok && s.tree.watch != nil {
		l.Watch()
	}
	return s.defineFuncs()
}

// data returns the store. Every chart with something to evaluate has one.
func (s *Session) data() datamodel.Store {
	if s.tree.watch != nil {
		return s.watchedStore()
	}
	return s.store
}

// storeHost is a Session as its store sees it, a [datamodel.Host].
type storeHost Session

// In is that of the session. After the end, when Eval alone evaluates something, it is true for the
// final state.
func (h *storeHost) In(state string) bool {
	s := (*Session)(h)
	return s.in(state) || s.status == Final && s.finalState() == state
}

func (h *storeHost) Name() string              { return h.chart.name }
func (h *storeHost) SessionID() string         { return (*Session)(h).ID() }
func (h *storeHost) Now() time.Time            { return h.tree.now }
func (h *storeHost) ScriptTime() time.Duration { return h.tree.limits.ScriptTime }
func (h *storeHost) MacrostepTime() time.Duration {
	return h.tree.limits.MacrostepTime
}
func (h *storeHost) CallDepth() int { return h.tree.limits.CallDepth }

// Random draws the id of the session first. Both come from one source, and asking for the id must
// not change what scripts draw.
func (h *storeHost) Random() float64 {
	(*Session)(h).ID()
	return h.tree.rand().Float64()
}
