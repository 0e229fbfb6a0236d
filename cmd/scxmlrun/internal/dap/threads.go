package dap

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
)

// threads are the sessions of the tree.
type threads struct {
	root *scxml.Chart

	mu  sync.Mutex // for all, which the mover changes
	all []thread
}

// A thread is a session. Its number is its place in the list, counted from 1.
type thread struct {
	debug.Session
	ended bool
}

// id returns the number of the thread of a session. The root has number 1.
func (t *threads) id(session string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(slices.IndexFunc(t.all, func(t thread) bool { return t.ID == session }), 0) + 1
}

// session returns the session of a thread.
func (t *threads) session(id int) (debug.Session, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id < 1 || id > len(t.all) {
		return debug.Session{}, fmt.Errorf("there is no thread %d", id)
	}
	return t.all[id-1].Session, nil
}

// text returns the source of a document that a session runs.
func (t *threads) text(name string) (string, bool) {
	if t.root.File() == name {
		return t.root.Source(), true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, thread := range t.all {
		if c := thread.Chart; c.File() == name && c.Source() != "" {
			return c.Source(), true
		}
	}
	return "", false
}

// session is told that a session has begun or ended.
func (s *server) session(session debug.Session, began bool) {
	reason := "started"
	if !began {
		reason = "exited"
	}
	s.threads.add(session, !began)
	s.event("thread", &dap.ThreadEvent{Body: dap.ThreadEventBody{Reason: reason, ThreadId: s.threads.id(session.ID)}})
}

// add notes a session.
func (t *threads) add(session debug.Session, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.all, func(t thread) bool { return t.ID == session.ID })
	if i < 0 {
		i = len(t.all)
		t.all = append(t.all, thread{})
	}
	t.all[i] = thread{session, ended}
}

func (s *server) listThreads() (dap.ResponseMessage, func(), error) {
	if sessions, err := s.d.Sessions(); err == nil { // where the session has stopped, perhaps in the past
		s.threads.mu.Lock()
		for i := range s.threads.all {
			s.threads.all[i].ended = true
		}
		s.threads.mu.Unlock()
		for _, session := range sessions {
			s.threads.add(session, false)
		}
	}
	m := &dap.ThreadsResponse{Body: dap.ThreadsResponseBody{Threads: []dap.Thread{}}}
	s.threads.mu.Lock()
	defer s.threads.mu.Unlock()
	for i, t := range s.threads.all {
		if !t.ended {
			m.Body.Threads = append(m.Body.Threads, dap.Thread{Id: i + 1, Name: t.name()})
		}
	}
	return m, nil, nil
}

// name describes the session of a thread.
func (t thread) name() string {
	name := chartName(t.Chart)
	if t.InvokeID != "" {
		name += " (" + t.InvokeID + ")"
	}
	return name
}

// chartName returns the name of a chart, or that of its file if it has none.
func chartName(chart *scxml.Chart) string { return cmp.Or(chart.Name(), path.Base(chart.File())) }
