package history

import (
	"errors"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// This file is what the session tells the history. The owner of the session calls all of it.

// present is what the owner of the session knows of the present step.
type present struct {
	clock      time.Time       // that was set, and is not noted yet
	deliveries int             // of this step
	opened     map[string]bool // ids of the sessions that Event I/O Processors were opened for
	playing    bool            // a branch is on its way to where it begins
}

// trace returns the trace of the session.
func (h *History) trace() *scxml.Trace {
	t := record.NewRecorder(time.Time{}, record.Kinds(record.Outcome), h.outcome).Trace()
	t.Clock = h.setClock
	t.Arrive = h.arrive
	t.Invoke = drawID
	t.Timer = func(*scxml.Session, scxml.Message) { h.deliveries++ }
	t.Send = func(_ *scxml.Session, m scxml.Message) {
		if m.Delay == 0 {
			h.deliveries++
		}
	}
	t.Step = h.step
	return t
}

// drawID makes the id of an invoked session, for which a random number is drawn. Every copy does so
// at the same place, and so does a recorder that listens too.
func drawID(_ *scxml.Session, _ string, child *scxml.Session) {
	if child != nil {
		child.ID()
	}
}

// setClock keeps the time, which is noted only if something happens at it.
func (h *History) setClock(s *scxml.Session, now time.Time) {
	if !h.playing {
		if h.session == nil { // the start begins, which can be played before it is over
			h.mu.Lock()
			h.session, h.seed = s, s.Seed()
			h.mu.Unlock()
		}
		h.clock = now
		h.beginStep()
	}
	s.ID() // as drawID
}

// arrive notes an event from outside.
func (h *History) arrive(s *scxml.Session, ev *scxml.Event) {
	r := record.Record{Kind: record.Arrive, Session: s.ID(), InvokeID: s.InvokeID(), Event: *ev}
	h.input(&r, false)
}

// outcome notes what has failed outside of the session tree.
func (h *History) outcome(r *record.Record) {
	line := *r
	h.input(&line, h.deliveries > 0)
}

// input notes an input. It may be that a delivery of this step was refused.
func (h *History) input(r *record.Record, refused bool) {
	if h.playing {
		return
	}
	h.beginStep()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.noteClock()
	if refused {
		last := h.last()
		last.lines = append(strconv.AppendInt(last.lines, int64(h.deliveries), 10), refusal)
	}
	h.note(r)
}

// refusal separates the number of a delivery in its step from the outcome of that.
const refusal = '!'

// mark is the line of a position that [History.Mark] has made.
const mark = "mark"

// note appends a line, for which it changes r. The caller holds mu.
func (h *History) note(r *record.Record) {
	r.Seq, r.Time = 0, 0
	if r.InvokeID == "" {
		r.Session = "" // the root
	}
	r.InvokeID = ""
	last := h.last()
	last.lines = append(r.AppendText(last.lines), '\n')
}

// noteClock notes the time that was set last. The caller holds mu.
func (h *History) noteClock() {
	if h.clock.IsZero() {
		return
	}
	if h.start.IsZero() {
		h.start = h.clock
	}
	h.note(&record.Record{Kind: record.Clock, Now: h.clock})
	h.clock = time.Time{}
}

// beginStep notes when the work of a step begins, if there are to be snapshots.
func (h *History) beginStep() {
	if h.cfg.Bytes >= 0 {
		h.work.begin()
	}
}

// step notes that the session has come to the next position.
func (h *History) step(s *scxml.Session, err error) {
	if h.playing {
		return
	}
	if h.writer != nil && interrupted(s, err) {
		h.writer.ended, _ = s.Sessions()[0].Snapshot() // without one, a replay takes the whole step
	}
	h.mu.Lock()
	if h.session == nil {
		h.session = s.Sessions()[0]
		h.seed = h.session.Seed()
	}
	h.noteClock()
	h.noteLocations(s)
	h.status, h.final = h.session.Status(), h.session.FinalState()
	ended := h.status != scxml.Running
	if h.status == scxml.Stopped && !isLimit(err) {
		h.note(&record.Record{Kind: record.Stop})
	}
	if h.writer != nil && h.length == 0 {
		h.writer.begin(h, h.session, nil)
	}
	h.endStep(nil)
	due := h.cfg.Bytes >= 0 && (h.work.end(len(h.last().lines)) || err != nil || ended || h.length == 1)
	h.mu.Unlock()
	if due {
		// Without a snapshot the way to what follows is longer.
		_ = h.keyframe()
	}
}

// endStep notes that there is another position, with a snapshot if it was marked. The caller holds mu.
func (h *History) endStep(marked []byte) {
	last := h.last()
	if h.writer != nil {
		h.writer.step(last.lines[last.written:], h.session, marked)
	}
	last.lines = append(last.lines, '\n')
	last.written = len(last.lines)
	h.length++
	h.deliveries = 0
	if h.cfg.Bytes < 0 {
		last.lines, last.written = last.lines[:0], 0
	}
}

// last returns the segment that is being written.
func (h *History) last() *segment { return &h.segments[len(h.segments)-1] }

// isLimit reports whether a limit has stopped a session.
func isLimit(err error) bool {
	var limit *scxml.LimitError
	return errors.As(err, &limit)
}

// noteLocations notes the addresses that Event I/O Processors have given to a session. The caller
// holds mu.
func (h *History) noteLocations(s *scxml.Session) {
	if len(h.types) == 0 {
		return
	}
	id := s.ID()
	if s.Status() != scxml.Running {
		delete(h.opened, id)
	} else if !h.opened[id] {
		if h.opened == nil {
			h.opened = map[string]bool{}
		}
		h.opened[id] = true
		for _, typ := range h.types {
			if location := scxml.ForReplay(s).Location(typ); location != "" {
				h.note(&record.Record{Kind: record.Value, Session: id, InvokeID: s.InvokeID(), Label: typ, Value: location})
			}
		}
	}
}
