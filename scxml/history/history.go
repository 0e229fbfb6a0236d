package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// Config configures a history. Chart is required.
type Config struct {
	Chart *scxml.Chart
	// Options are those of the session. [History.Option] need not be among them.
	Options []scxml.Option
	// Copies are further options of copies. They follow Options: the last function or action with
	// a name counts.
	Copies []scxml.Option
	// Bytes is about how much memory the history may take. Then the oldest positions are forgotten,
	// see [History.First]. 0 means without a bound, and a negative number that nothing is kept but by
	// Recording.
	Bytes int
	// Recording receives the past as it happens, a few steps in each Write, at most 50 milliseconds
	// late; see [Open] and [History.Close]. Write is called on another goroutine too, but never twice
	// at a time.
	Recording io.Writer
	// Note is what the recording says about itself, see [Note].
	Note Note
}

// A History has the past of a session tree. All methods are safe for concurrent use, except
// [History.Attach] and [History.Mark], which only the owner of the session may call.
type History struct {
	cfg   Config
	types []string // of the Event I/O Processors

	mu       sync.Mutex
	segments []segment // the last one is being written, and only the owner of the session does so
	length   int       // positions
	start    time.Time // chart time 0
	seed     uint64
	session  *scxml.Session // the root; nil until it is known
	status   scxml.Status   // of the last position
	final    string         // the top-level final state that was reached
	inside   bool           // the host has changed something inside a step

	// Of the owner of the session.
	present
	work   work
	base   *base            // of the last snapshots
	spent  int              // bytes of what differs from it
	size   int              // bytes of the segments that are complete
	writer *recordingWriter // nil without a recording
}

// New returns an empty history. It is filled by a session with the options and [History.Option].
func New(cfg Config) (*History, error) {
	h := &History{cfg: cfg, segments: []segment{{first: -1}}}
	settings, err := scxml.SettingsOf(nil, scxml.Options(cfg.Options))
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	h.types = settings.Processors
	if cfg.Recording != nil {
		h.writer = &recordingWriter{w: cfg.Recording}
	}
	return h, nil
}

// Option returns the option that makes a session fill the history. It is for one session.
func (h *History) Option() scxml.Option {
	if h.writer != nil {
		return scxml.Options{scxml.WithTrace(h.writer.trace()), scxml.WithTrace(h.trace())}
	}
	return scxml.WithTrace(h.trace())
}

// Attach begins the history with a session that is already running: position 0 is its present
// state. A session made by [scxml.Restore] is attached before it is driven.
func (h *History) Attach(s *scxml.Session) error {
	h.mu.Lock()
	empty := h.length == 0
	h.mu.Unlock()
	if !empty {
		return errors.New("history: the history is not empty")
	}
	for _, session := range s.Sessions() {
		session.ID() // as drawID
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.session, h.start, h.length = s, s.Now(), 1
	h.status, h.final = s.Status(), s.FinalState()
	h.segments = []segment{{base: pack(snapshot)}}
	if h.writer != nil {
		h.seed = s.Seed()
		h.writer.begin(h, s, snapshot)
	}
	return nil
}

// Changed notes that the host has called Cancel (a record of kind Cancel) or Eval (of kind Value) of a
// session between two steps. Copies do the same before the next step.
func (h *History) Changed(r *record.Record) { h.ChangedInside(r, 0) }

// ChangedInside notes that the host has called Eval in a callback of a step. Of the functions Event,
// InternalEvent, Unhandled, Microstep, Exit, Transition, Enter, Element, Error, Stable and Done of a
// [scxml.Trace] it was call number at in this step, the first one has number 1. Copies do the same there.
func (h *History) ChangedInside(r *record.Record, at int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.noteClock()
	h.inside = h.inside || at > 0
	h.note(&record.Record{Kind: r.Kind, Session: r.Session, InvokeID: r.InvokeID, Label: r.Label, Line: 1 + at, Event: scxml.Event{SendID: r.Event.SendID}})
}

// Mark makes the present state of the session a position. Call it after a host has changed the
// session by other means than events and time: with Cancel, Reschedule, or an Eval with an effect.
// If it fails, with the error of [scxml.Session.Snapshot], the change is not part of the history. A
// change that [History.Changed] knows does not need it.
func (h *History) Mark() error {
	s := h.Session()
	if s == nil {
		return scxml.ErrNotStarted
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	h.mu.Lock()
	last := h.last()
	last.lines = append(last.lines, mark+"\n"...)
	h.endStep(snapshot)
	h.mu.Unlock()
	if h.cfg.Bytes >= 0 {
		h.save(snapshot)
	}
	return nil
}

// keyframe takes a snapshot at the last position.
func (h *History) keyframe() error {
	snapshot, err := h.session.Snapshot()
	if err == nil {
		h.save(snapshot)
	}
	h.work = work{ended: h.work.ended, read: len(h.last().lines)}
	return err
}

// save begins a segment with a snapshot.
func (h *History) save(snapshot []byte) {
	complete := h.last().close()
	next := segment{first: h.length - 1}
	if h.base != nil && h.spent < 2*len(h.base.packed) {
		if delta := h.base.diff(snapshot); len(delta) < len(snapshot)/2 {
			next.base, next.delta = h.base.packed, delta
			h.spent += len(delta)
		}
	}
	if next.base == nil {
		h.base, h.spent = newBase(snapshot), 0
		next.base = h.base.packed
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if last := h.last(); h.writer != nil { // the snapshot has what has arrived since the last step
		h.writer.early = append(h.writer.early, last.lines[last.written:]...)
	}
	*h.last() = complete
	h.segments = append(h.segments, next)
	h.size += complete.size()
	if next.delta == nil {
		h.size += len(next.base)
	}
	if h.cfg.Bytes > 0 {
		h.forget()
	}
}

// forget drops the oldest segments if there are too many. The caller holds mu.
func (h *History) forget() {
	old := 0
	for ; h.size > h.cfg.Bytes && old < len(h.segments)-1; old++ {
		s, next := &h.segments[old], &h.segments[old+1]
		h.size -= s.size()
		if len(s.base) > 0 && &s.base[0] != &next.base[0] { // others need it no more
			h.size -= len(s.base)
		}
	}
	h.segments = slices.Delete(h.segments, 0, old)
}

// sizeOf returns about how much memory segments take, without the last one, which is open.
func sizeOf(segments []segment) (size int) {
	for i := range segments {
		if i == 0 || len(segments[i-1].base) == 0 || &segments[i].base[0] != &segments[i-1].base[0] {
			size += len(segments[i].base)
		}
		if i < len(segments)-1 {
			size += segments[i].size()
		}
	}
	return size
}

// Session returns the session that fills the history, or nil if none was started. For a branch it
// is the dry session that continues it.
func (h *History) Session() *scxml.Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.session
}

// Config returns what the history was made with.
func (h *History) Config() Config { return h.cfg }

// Chart returns the chart of the session.
func (h *History) Chart() *scxml.Chart { return h.cfg.Chart }

// Status returns the status of the session at the last position, and the top-level final state that
// it has reached, or "".
func (h *History) Status() (status scxml.Status, final string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.status, h.final
}

// Len returns the number of positions, 0 before the start of the session.
func (h *History) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.length
}

// First returns the first position that is not forgotten, see [Config]. It is 0 before the start.
func (h *History) First() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return max(0, h.segments[0].first)
}

// Start returns the time from which [record.Record].Time counts.
func (h *History) Start() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.start
}

// Seek returns a copy of the session at position n. Drive it with Do, Step or Advance: its time is
// that of the position. To keep what it does, take a [History.Branch].
func (h *History) Seek(ctx context.Context, n int) (*scxml.Session, error) {
	p, err := h.play(ctx, n, nil)
	if err != nil {
		return nil, err
	}
	return p.session, nil
}

// Branch returns a history that begins with the positions up to n. The copy at n, its
// [History.Session], continues it when it is driven. What the copy would send, and which services
// it would start, is in its records. It has the bound of the history, see [Config].
func (h *History) Branch(ctx context.Context, n int) (*History, error) {
	b := &History{cfg: h.cfg, types: h.types}
	h.mu.Lock()
	b.inside = h.inside
	h.mu.Unlock()
	b.cfg.Recording = nil
	b.playing = true
	p, err := h.play(ctx, n, func(time.Time) []scxml.Option { return []scxml.Option{scxml.WithTrace(b.trace())} })
	if err != nil {
		return nil, err
	}
	b.present = present{}
	b.start, b.seed, b.session, b.length = p.start, p.seed, p.session, n+1
	b.status, b.final = p.session.Status(), p.session.FinalState()
	b.segments = h.past(n, p)
	b.size = sizeOf(b.segments) // which it shares
	// Without a snapshot the way to what follows is longer.
	_ = b.keyframe()
	return b, nil
}

// play returns a player at position n.
func (h *History) play(ctx context.Context, n int, extra func(time.Time) []scxml.Option) (*player, error) {
	if err := h.check(n); err != nil {
		return nil, err
	}
	p, err := h.player(n, n, extra)
	if err == nil && p.at > n {
		err = h.check(n) // it was forgotten meanwhile
	}
	for err == nil && p.at < n {
		err = p.next(ctx)
	}
	return p, err
}

// check returns an error if position n does not exist.
func (h *History) check(n int) error {
	switch first, length := h.First(), h.Len(); {
	case h.cfg.Bytes < 0:
		return errors.New("history: nothing is kept: the past is in the recording")
	case length == 0:
		return fmt.Errorf("history: there is no position %d: %w", n, scxml.ErrNotStarted)
	case n < first || n >= length:
		return fmt.Errorf("history: there is no position %d: want %d to %d", n, first, length-1)
	}
	return nil
}

// past returns the segments up to position n, where p is.
func (h *History) past(n int, p *player) []segment {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.segments, func(s segment) bool { return s.first == p.segments[0].first })
	past := slices.Clone(h.segments[:max(i, 0)]) // the segment may have been forgotten meanwhile
	last := p.segment
	last.lines = slices.Clone(last.lines[:p.read])
	return append(past, last)
}

// Repeat takes the step to position n again, with a copy that has traces, and returns the copy. Begin is
// called with the copy before the step; traces may have reported steps before that. Nothing is known
// of the step to position 0 of a session that was attached.
func (h *History) Repeat(ctx context.Context, n int, begin func(*scxml.Session), traces ...*scxml.Trace) (*scxml.Session, error) {
	if err := h.check(n); err != nil {
		return nil, err
	}
	p, err := h.player(n-1, n, tracing(traces))
	for err == nil && p.at < n {
		if p.at == n-1 {
			begin(p.session)
		}
		err = p.next(ctx)
	}
	if err != nil {
		return nil, err
	}
	return p.session, nil
}

// MaxRecords is how many records of a position [History.Walk] keeps: a chart can do millions of things
// in a macrostep.
const MaxRecords = 10_000

// A Position is what [History.Walk] has found at a position.
type Position struct {
	N       int
	Session *scxml.Session  // a copy, which may be read until the function returns
	Records []record.Record // of what has happened since the position before
}

// Walk calls f for each position from first to last, with the first [MaxRecords] records of the
// given kinds. It ends early with an error of f. The Seq of a record counts from the position before.
func (h *History) Walk(ctx context.Context, first, last int, kinds record.Set, f func(Position) error) error {
	if err := cmp.Or(h.check(first), h.check(last)); err != nil {
		return err
	}
	var records []record.Record
	p, err := h.player(first-1, last, func(start time.Time) []scxml.Option {
		return []scxml.Option{scxml.WithTrace(recorder(start, kinds, &records))}
	})
	if err == nil && p.at > first {
		err = h.check(first) // it was forgotten meanwhile
	}
	if err == nil && p.at == first { // nothing is known of what was before
		err = f(Position{p.at, p.session, nil})
	}
	for err == nil && p.at < last {
		if records = records[:0]; p.at+1 >= first {
			records = nil // a new one for f
		}
		if err = p.next(ctx); err == nil && p.at >= first {
			err = f(Position{p.at, p.session, records})
		}
	}
	return err
}

// recorder returns a trace that appends the first [MaxRecords] records to a list.
func recorder(start time.Time, kinds record.Set, list *[]record.Record) *scxml.Trace {
	return record.NewRecorder(start, kinds, func(r *record.Record) {
		if n := len(*list); n < MaxRecords {
			*list = append(*list, *r)
			(*list)[n].Seq = int64(n + 1)
		}
	}).Trace()
}

// Records returns what happened between position n-1 and n, of the given kinds.
func (h *History) Records(ctx context.Context, n int, kinds record.Set) (all []record.Record, err error) {
	err = h.Walk(ctx, n, n, kinds, func(at Position) error {
		all = at.Records
		return nil
	})
	return all, err
}
