package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A player brings a copy of the session from a snapshot, or from the start, to later positions.
type player struct {
	chart   *scxml.Chart
	opts    []scxml.Option
	session *scxml.Session
	start   time.Time
	seed    uint64
	at      int // the position of session

	segments []segment // those that are left
	segment  segment   // the first of them, open
	read     int       // bytes of its lines that are done
	now      time.Time

	inside bool // see History

	// Between two positions.
	stepped    bool
	deliveries int
	refusals   map[int]string    // by the number of the delivery
	locations  map[string]string // by session and type
	calls      int               // of functions of the trace, see [History.Changed]
	changes    []record.Record   // of the host inside the step, in order
	ctx        context.Context   // of the step
}

// player returns a player at position n, or at the last one before that has a snapshot, which can go
// on to position last. It is before the start if there is none. Where there is no position last
// yet, the step to it must be under way, see [History.Play].
func (h *History) player(n, last int, extra func(start time.Time) []scxml.Option) (*player, error) {
	h.mu.Lock()
	p := &player{start: h.start, seed: h.seed, inside: h.inside}
	after := func(n int) int {
		return sort.Search(len(h.segments), func(i int) bool { return h.segments[i].first > n })
	}
	p.segments = slices.Clone(h.segments[max(after(n)-1, 0):after(last)])
	if last == h.length { // the step that is being taken
		p.segments[len(p.segments)-1].lines = h.unfinished()
	}
	h.mu.Unlock()
	p.chart = h.cfg.Chart
	p.opts = slices.Concat(h.cfg.Options, []scxml.Option{scxml.WithDry(scxml.Dry{Location: p.location, Refuse: p.refuse})},
		h.cfg.Copies, []scxml.Option{scxml.WithClock(func() time.Time { return p.now }), scxml.WithTrace(p.trace())})
	if extra != nil {
		p.opts = append(p.opts, extra(p.start)...)
	}
	return p, p.open()
}

// unfinished returns the lines of the last segment with those of the step that is being taken. The
// caller holds mu.
func (h *History) unfinished() []byte {
	lines := slices.Clone(h.last().lines)
	if !h.clock.IsZero() {
		clock := record.Record{Kind: record.Clock, Now: h.clock}
		lines = append(clock.AppendText(lines), '\n')
	}
	return append(lines, '\n')
}

// A Player takes the steps of the past again, with a copy that has traces.
type Player struct{ p *player }

// Play returns a player at position n, or -1 before the start; traces report steps before that
// too. If the history does not begin at the start, the player is at its first position at the least.
//
// The player can go to the last position that there is now. If the session is taking a step, and its
// owner waits in a callback, the step can also be taken as far as it has come: what it does after
// that is made up.
func (h *History) Play(ctx context.Context, n int, traces ...*scxml.Trace) (*Player, error) {
	if n >= 0 {
		if err := h.check(n); err != nil {
			return nil, err
		}
	}
	p, err := h.player(n, h.Len(), tracing(traces))
	for err == nil && p.at < n {
		err = p.next(ctx)
	}
	if err != nil {
		return nil, err
	}
	return &Player{p}, nil
}

// At returns the position of the player.
func (p *Player) At() int { return p.p.at }

// Session returns the copy at the position of the player. It is another one after each snapshot that
// Next passes.
func (p *Player) Session() *scxml.Session { return p.p.session }

// Next takes the step to the next position. The traces are called meanwhile.
func (p *Player) Next(ctx context.Context) error { return p.p.next(ctx) }

// tracing returns options for a copy that has traces.
func tracing(traces []*scxml.Trace) func(time.Time) []scxml.Option {
	return func(time.Time) (opts []scxml.Option) {
		for _, t := range traces {
			opts = append(opts, scxml.WithTrace(t))
		}
		return opts
	}
}

// open makes the session at the beginning of the first segment.
func (p *player) open() error {
	s := p.segments[0].open()
	snapshot, err := s.snapshot()
	if err != nil {
		return err
	}
	p.segment, p.at, p.read = s, s.first, 0
	if snapshot == nil {
		p.session, err = scxml.New(p.chart, append(p.opts, scxml.WithSeed(p.seed))...)
	} else {
		p.session, err = scxml.Restore(p.chart, snapshot, scxml.Options(p.opts))
	}
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	p.now = p.session.Now()
	return nil
}

// trace returns the trace of the copy. It draws the ids of sessions as [History.trace] does.
func (p *player) trace() *scxml.Trace {
	t := &scxml.Trace{
		Clock:  func(s *scxml.Session, _ time.Time) { s.ID() },
		Arrive: func(*scxml.Session, *scxml.Event) {}, // so that events from outside wait for a step
		Invoke: drawID,
		Timer:  func(*scxml.Session, scxml.Message) { p.deliveries++ },
		Send: func(_ *scxml.Session, m scxml.Message) {
			if m.Delay == 0 {
				p.deliveries++
			}
		},
		Step: func(*scxml.Session, error) { p.stepped = true },
	}
	if p.inside {
		event := func(s *scxml.Session, _ *scxml.Event) { p.called(s) }
		state := func(s *scxml.Session, _ scxml.State) { p.called(s) }
		t.Event, t.InternalEvent, t.Unhandled, t.Exit, t.Enter, t.Stable, t.Done = event, event, event, state, state, p.called, p.called
		t.Microstep = func(s *scxml.Session, _ *scxml.Event, _ []scxml.Transition) { p.called(s) }
		t.Transition = func(s *scxml.Session, _ scxml.Transition) { p.called(s) }
		t.Element = func(s *scxml.Session, _ datamodel.Position) { p.called(s) }
		t.Error = func(s *scxml.Session, _ *scxml.ExecutionError) { p.called(s) }
	}
	return t
}

// called repeats what the host has done inside the step, see [History.Changed].
func (p *player) called(s *scxml.Session) {
	p.calls++
	for len(p.changes) > 0 && p.changes[0].Line-1 == p.calls {
		_, _ = named(s.Sessions()[0], p.changes[0].Session).Eval(p.ctx, p.changes[0].Label) // as it failed then
		p.changes = p.changes[1:]
	}
}

// named returns the session of a tree with an id; "" is the root.
func named(root *scxml.Session, id string) *scxml.Session {
	for _, s := range root.Sessions() {
		if s.ID() == id {
			return s
		}
	}
	return root
}

func (p *player) location(s *scxml.Session, typ string) string { return p.locations[s.ID()+" "+typ] }

func (p *player) refuse(*scxml.Session, scxml.Message) error {
	if message, ok := p.refusals[p.deliveries]; ok {
		return errors.New(message)
	}
	return nil
}

// next goes to the next position.
func (p *player) next(ctx context.Context) error {
	next := p.segments
	for len(next) > 1 && next[1].first == p.at { // two of them if a branch begins at a snapshot
		next = next[1:]
	}
	if len(next) < len(p.segments) {
		p.segments = next
		if err := p.open(); err != nil {
			return err
		}
	}
	p.stepped, p.deliveries, p.calls, p.changes, p.ctx = false, 0, 0, nil, ctx
	given, marked := false, false // there are inputs that the copy has not seen; there is no step
	for {
		line, err := p.line()
		if err != nil {
			return err
		}
		if len(line) == 0 {
			break
		}
		if string(line) == mark {
			marked = true
		} else if err := p.take(ctx, line, &given); err != nil {
			return fmt.Errorf("history: position %d: %w", p.at+1, err)
		}
	}
	if marked {
		if given {
			_, _ = p.session.Step(done, p.now) // reports what has arrived
		}
		p.segments = p.segments[1:]
		return p.open()
	}
	if p.session.Status() == scxml.Unstarted {
		// What is wrong with the start was wrong with that of the session.
		_ = p.session.Start(ctx)
	} else {
		_, _ = p.session.Step(ctx, p.now)
	}
	p.refusals, p.locations = nil, nil
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !p.stepped:
		return fmt.Errorf("history: the copy does not come to position %d: %w", p.at+1, errStill)
	}
	p.at++
	return nil
}

// errStill is why a copy takes no step where the session took one.
var errStill = errors.New("a function that it calls does not repeat what it did")

// line returns the next line, without its end.
func (p *player) line() ([]byte, error) {
	if p.read == len(p.segment.lines) {
		return nil, fmt.Errorf("history: there is no position %d", p.at+1)
	}
	line, _, _ := bytes.Cut(p.segment.lines[p.read:], []byte{'\n'})
	p.read += len(line) + 1
	return line, nil
}

// done is a context that is done: a step with it only reports what has arrived.
var done = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// take gives the copy an input.
func (p *player) take(ctx context.Context, line []byte, given *bool) error {
	number, rest, refused := bytes.Cut(line, []byte{refusal})
	n, err := strconv.Atoi(string(number))
	if refused = refused && err == nil; refused {
		line = rest
	}
	r, err := record.ParseText(string(line))
	if err != nil {
		return err
	}
	s := p.session
	changed := r.Line > 0 // by the host, see Changed
	if r.Session != "" && (r.Kind != record.Value || changed) {
		s = named(p.session, r.Session)
	}
	switch r.Kind {
	case record.Clock:
		if *given {
			// The step is over, as it was: its context was done.
			_, _ = p.session.Step(done, p.now)
			*given = false
		}
		p.now = r.Now
	case record.Arrive:
		*given = true
		return scxml.ForReplay(s).Arrive(r.Event)
	case record.Outcome:
		if refused {
			if p.refusals == nil {
				p.refusals = map[int]string{}
			}
			p.refusals[n] = r.Message
			break
		}
		return scxml.ForReplay(s).Fail(&scxml.ExecutionError{
			Event: r.Event.Name, Element: r.Element, Pos: position(r.At), Msg: r.Message,
			SendID: r.Event.SendID, InvokeID: r.Event.InvokeID, Err: errors.New(r.Message),
		})
	case record.Stop:
		s.Stop()
	case record.Cancel:
		s.Cancel(r.Event.SendID)
	case record.Value:
		switch {
		case r.Line > 1:
			p.changes = append(p.changes, r)
			return nil
		case changed:
			_, _ = s.Eval(ctx, r.Label) // as it failed then
			return nil
		}
		if p.locations == nil {
			p.locations = map[string]string{}
		}
		p.locations[r.Session+" "+r.Label], _ = r.Value.(string)
	}
	return nil
}

// position reads what [datamodel.Position.String] has written.
func position(text string) (p datamodel.Position) {
	parts := strings.Split(text, ":")
	if n := len(parts) - 2; n >= 0 {
		p.File = strings.Join(parts[:n], ":")
		p.Line, _ = strconv.Atoi(parts[n])
		p.Col, _ = strconv.Atoi(parts[n+1])
	}
	return p
}
