package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// An entry is what an answer says of an entry of a log.
type entry struct {
	Revision uint64 `json:"revision"`
	fleet.Entry
}

func (s *Server) getLog(c *call) (int, any, error) {
	after, err := c.number("after", 0, 0, 1<<63)
	if err != nil {
		return 0, nil, err
	}
	limit, err := c.number("limit", 100, 1, 1000)
	if err != nil {
		return 0, nil, err
	}
	entries, err := s.cfg.Fleet.Log(c, c.r.PathValue("key"), after, int(limit))
	body := struct {
		Entries []entry `json:"entries"`
		Next    uint64  `json:"next,omitempty"`
	}{Entries: []entry{}}
	for _, e := range entries {
		body.Entries = append(body.Entries, entry{e.Revision, e})
	}
	if n := len(entries); n == int(limit) {
		body.Next = entries[n-1].Revision
	}
	return http.StatusOK, body, err
}

// keepAlive is the longest time without a message of a stream: a reader that has gone is noticed then.
const keepAlive = 15 * time.Second

// watchSession sends the log of a session, as it grows, as HTML's server-sent events.
func (s *Server) watchSession(c *call) error {
	after, err := c.number("after", 0, 0, 1<<63)
	if id := c.r.Header.Get("Last-Event-ID"); id != "" && err == nil {
		if after, err = strconv.ParseUint(id, 10, 64); err != nil {
			err = malformed("Last-Event-ID: %q is not the id of a message", id)
		}
	}
	if err != nil {
		return err
	}
	key := c.r.PathValue("key")
	if !c.r.URL.Query().Has("after") && c.r.Header.Get("Last-Event-ID") == "" {
		st, err := s.cfg.Fleet.Get(c, key)
		if err != nil {
			return err
		}
		after = st.Revision
	} else if _, err := s.cfg.Fleet.Log(c, key, after, 1); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(c)
	defer cancel(nil)
	messages := make(chan message)
	go s.follow(ctx, key, after, messages)
	w := &stream{w: c.w, rc: http.NewResponseController(c.w), timeout: s.cfg.Timeout}
	_ = w.rc.SetReadDeadline(time.Time{}) // that of the server is for requests
	c.w.Header().Set("Content-Type", "text/event-stream")
	c.w.Header().Set("X-Accel-Buffering", "no") // of a proxy
	if w.write(":\n\n") != nil {
		return nil // the reader has gone
	}
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		var text string
		select {
		case <-ctx.Done():
			return nil
		case <-s.drained:
			_ = w.write("event: bye\ndata: {}\n\n") // it is the last one
			return nil
		case <-alive.C:
			text = ":\n\n"
		case m, ok := <-messages:
			if !ok {
				return nil
			}
			text = m.text()
		}
		if w.write(text) != nil {
			return nil // the reader has gone, or does not read
		}
	}
}

// A message is one of a stream.
type message struct {
	name string
	id   uint64 // 0 for none
	data any
}

func (m message) text() string {
	data, err := json.Marshal(m.data)
	if err != nil {
		panic(err) // a struct of texts
	}
	text := fmt.Sprintf("event: %s\ndata: %s\n\n", m.name, data)
	if m.id > 0 {
		text = fmt.Sprintf("id: %d\n%s", m.id, text)
	}
	return text
}

// follow sends what happens to a session after a revision, until ctx is done or the session is gone.
func (s *Server) follow(ctx context.Context, key string, after uint64, to chan<- message) {
	defer close(to)
	st, err := s.cfg.Fleet.Get(ctx, key)
	ahead := err == nil && after > st.Revision // of a store that was restored from a backup
	if oldest, err := s.cfg.Fleet.Log(ctx, key, 0, 1); err == nil && len(oldest) > 0 && after > 0 && (ahead || missing(oldest, after)) {
		select {
		case to <- message{name: "gap", data: map[string]uint64{"after": after, "oldest": oldest[0].Revision}}:
		case <-ctx.Done():
			return
		}
		if ahead {
			after = st.Revision
		}
	}
	for e, err := range s.cfg.Fleet.Watch(ctx, key, after) {
		m := message{"change", e.Revision, entry{e.Revision, e}}
		switch {
		case errors.Is(err, fleet.ErrNotFound):
			m = message{name: "end", data: map[string]string{"reason": "the session was deleted"}}
		case err != nil && ctx.Err() == nil:
			m = message{name: "end", data: map[string]string{"reason": err.Error()}}
		}
		select {
		case to <- m:
		case <-ctx.Done():
			return
		}
	}
}

// missing reports whether a log that begins with the oldest entry may have lost some after a revision.
func missing(oldest []fleet.Entry, after uint64) bool {
	return len(oldest) > 0 && oldest[0].Revision > after && (len(oldest[0].Steps) == 0 || oldest[0].Steps[0].Kind != "start")
}

// A stream is an answer that stays open.
type stream struct {
	w       http.ResponseWriter
	rc      *http.ResponseController
	timeout time.Duration
	begun   bool // something was written
}

// Write writes. A reader that does not read in time loses the stream.
func (s *stream) Write(p []byte) (int, error) {
	s.begun = true
	_ = s.rc.SetWriteDeadline(time.Now().Add(s.timeout)) // without a connection nothing blocks
	return s.w.Write(p)
}

// write writes at once.
func (s *stream) write(text string) error {
	_, err := s.Write([]byte(text))
	if err == nil {
		err = s.rc.Flush()
	}
	return err
}
