package inspect

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
)

const (
	tickRows  = 64               // of the newest positions in a message
	listEvery = 30               // messages: how often the list is compared
	keepAlive = 15 * time.Second // without a message
)

// A stream is a page that is open.
type stream struct {
	in   *Inspector
	w    http.ResponseWriter
	rc   *http.ResponseController
	out  bytes.Buffer
	of   *member // nil: the list only
	seen int     // number of its positions; 0 before the first message

	list     []byte // that was sent last
	lastSent time.Time
}

// serveStream sends messages as long as the page is open (HTML's server-sent events). Each stream looks
// itself, a few times a second, at what is new: a session does not know how many pages there are,
// and what a page cannot show in time is never written.
func (in *Inspector) serveStream(w http.ResponseWriter, r *http.Request) {
	c := &call{Context: r.Context(), r: r, access: in.access(r)}
	if err := cmp.Or(c.permit(), c.checkQuery("session")); err != nil {
		fail(w, 0, err)
		return
	}
	s := &stream{in: in, w: w, rc: http.NewResponseController(w)}
	if id := r.URL.Query().Get("session"); id != "" {
		m, err := in.member(id)
		if err != nil {
			fail(w, 0, err)
			return
		}
		s.of = m
	}
	if !httpguard.Acquire(in.streams) {
		w.Header().Set("Retry-After", "5")
		fail(w, http.StatusServiceUnavailable, errors.New("too many pages are open; close one"))
		return
	}
	defer func() { <-in.streams }()
	_ = s.rc.SetReadDeadline(time.Time{}) // that of the server is for requests
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // of a proxy
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for n := 0; ; n++ {
		if err := s.message(c, n%listEvery == 0); err != nil {
			return // the page has gone, or does not read
		}
		select {
		case <-r.Context().Done():
			return
		case <-in.closed:
			s.add("bye", []byte("{}"))
			_ = s.flush() // it is the last one
			return
		case <-ticker.C:
		}
	}
}

// message writes what is new.
func (s *stream) message(c *call, withList bool) error {
	if withList {
		list, err := json.Marshal(s.in.list(c.access))
		if err != nil {
			return err
		}
		if !bytes.Equal(list, s.list) {
			s.list = list
			s.add("sessions", list)
		}
		if s.of != nil {
			if _, err := s.in.member(s.of.id); err != nil { // it was removed
				s.giveUp(err)
			}
		}
	}
	if s.of != nil {
		tick, length, err := s.of.tick(c, s.seen)
		switch {
		case errors.Is(err, context.Canceled):
			return err
		case err != nil:
			s.giveUp(err)
		case tick != nil:
			s.seen = length
			s.add("tick", tick)
		}
	}
	if s.out.Len() == 0 && time.Since(s.lastSent) > keepAlive {
		s.out.WriteString(":\n\n")
	}
	return s.flush()
}

// giveUp says why the session cannot be shown any more.
func (s *stream) giveUp(why error) {
	text, _ := json.Marshal(map[string]string{"error": why.Error()}) // strings cannot fail
	s.add("problem", text)
	s.of = nil
}

// add adds a message; data is JSON, which has no line breaks.
func (s *stream) add(name string, data []byte) {
	s.out.WriteString("event: " + name + "\ndata: ")
	s.out.Write(data)
	s.out.WriteString("\n\n")
}

// flush writes the messages. A page that does not read in time loses its stream.
func (s *stream) flush() error {
	if s.out.Len() == 0 {
		return nil
	}
	s.lastSent = time.Now()
	_ = s.rc.SetWriteDeadline(s.lastSent.Add(s.in.cfg.Timeout)) // without a connection nothing blocks
	_, err := s.w.Write(s.out.Bytes())
	s.out.Reset()
	if err == nil {
		err = s.rc.Flush()
	}
	return err
}
