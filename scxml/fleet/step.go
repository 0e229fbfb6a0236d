package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// do lets the session work at a time, with an event unless that has no name. ended reports that the
// session had ended before it could take the event.
func (t *turn) do(ctx context.Context, at time.Time, ev scxml.Event, step Step) (effect Effect, ended bool, err error) {
	if step.Kind != "" {
		t.doing = step
	}
	live, err := t.live(ctx)
	if err != nil {
		return effect, false, err
	}
	ctx, end := t.begin(ctx, step)
	before := t.before(ctx, live)
	effect, err = live.Do(ctx, at, ev)
	t.attribute(ctx, live, before)
	ended, err = errors.Is(err, scxml.ErrEnded), working(err)
	end(Ending{Err: err, Effect: effect})
	if err != nil {
		return effect, false, &StepError{t.Key, err}
	}
	t.Status = live.Status().String()
	t.due, _ = live.NextDue()
	if ended {
		step.Note = "the session had ended"
	}
	t.note(step, effect)
	return effect, ended, nil
}

func (t *turn) running() bool { return t.Status == running }

// read lets the session process at most n events of its inbox.
func (t *turn) read(ctx context.Context, n int) error {
	for ; n > 0 && len(t.inbox) > 0; n-- {
		l := &t.inbox[0]
		ev, err := decodeEvent(l.ev)
		if err != nil {
			return &StepError{t.Key, err}
		}
		step := Step{Kind: "event", Event: ev.Name, Position: t.consumed + 1}
		t.cause, t.since = l.trace, l.at
		if l.from {
			step.Kind = "message"
		}
		var effect Effect
		switch {
		case !t.running():
			step.Note = "the session had ended"
			t.note(step, effect)
		case l.to != "":
			err = t.deliver(ctx, l, ev, step)
		default:
			effect, _, err = t.do(ctx, l.at, ev, step)
		}
		if err != nil {
			return err
		}
		t.remember(answer{l.id, t.consumed + 1, effect.Handled, digest(l.id, ev), l.at})
		t.inbox = t.inbox[1:]
		t.consumed++
		t.succeeded()
		t.dirty = true
	}
	return nil
}

// deliver gives an event to an invoked session.
func (t *turn) deliver(ctx context.Context, l *inboxEvent, ev scxml.Event, step Step) error {
	t.doing = step
	_, ended, err := t.do(ctx, l.at, scxml.Event{}, Step{})
	if err != nil || ended {
		return err
	}
	found, err := t.e.live.Deliver(ctx, l.to, ev)
	if err != nil {
		return &StepError{t.Key, err}
	}
	if !found {
		step.Note = "the invoked session had ended"
	}
	_, _, err = t.do(ctx, l.at, scxml.Event{}, step)
	return err
}

// advance lets the session do what is due.
func (t *turn) advance(ctx context.Context) error {
	if t.due.IsZero() || t.due.After(t.now) || !t.running() {
		return nil
	}
	t.cause, t.since = t.traceOfTimer(), t.due
	_, _, err := t.do(ctx, t.now, scxml.Event{}, Step{Kind: "timer"})
	if err == nil {
		t.succeeded()
	}
	return err
}

// succeeded forgets the failure of a step that was done now.
func (t *turn) succeeded() {
	if t.failure.blocks() {
		t.failure = nil
	}
}

// restored forgets that the session could not be restored.
func (t *turn) restored() {
	if t.failure.blocks() && t.failure.What == restoring {
		t.failure, t.dirty = nil, true
	}
}

// restoring is what a turn does before its first step.
const restoring = "restore"

// one lets the session do one thing: process the head of its inbox, or what is due.
func (t *turn) one(ctx context.Context) error {
	if len(t.inbox) > 0 {
		return t.read(ctx, 1)
	}
	return t.advance(ctx)
}

// A Step is something that a session did, in an [Entry] of its log.
type Step struct {
	// Kind is start, event, message (an event of another session), timer, report (a delivery or
	// service), stop, suspend, resume, retry, skip, failure or migrate.
	Kind     string   `json:"kind"`
	Event    string   `json:"event,omitempty"` // name
	Position uint64   `json:"position,omitempty"`
	Task     uint64   `json:"task,omitempty"`
	Handled  bool     `json:"handled,omitempty"`
	Exited   []string `json:"exited,omitempty"`
	Entered  []string `json:"entered,omitempty"`
	Sent     []string `json:"sent,omitempty"`   // names of events
	Errors   []string `json:"errors,omitempty"` // error events of the chart
	Note     string   `json:"note,omitempty"`
}

func (s Step) what() string {
	if s.Event != "" {
		return s.Kind + " " + s.Event
	}
	return s.Kind
}

// note adds a step to the log.
func (t *turn) note(step Step, effect Effect) {
	if t.f.cfg.Log == 0 || step.Kind == "" {
		return
	}
	step.Handled = effect.Handled && step.Event != ""
	step.Exited, step.Entered = clip(effect.Exited), clip(effect.Entered)
	for _, m := range effect.Sent {
		step.Sent = append(step.Sent, m.Event.Name)
	}
	for _, e := range effect.Errors {
		step.Errors = append(step.Errors, e.Error())
	}
	step.Event, step.Note = short.Bytes(step.Event, maxText), short.Bytes(step.Note, maxText)
	step.Sent, step.Errors = clip(step.Sent), clip(step.Errors)
	t.noted += 100 + len(step.Event) + len(step.Note) + size(step.Exited) + size(step.Entered) + size(step.Sent) + size(step.Errors)
	if t.noted > maxEntry && len(t.log) > 1 { // keep the first ones and the last one
		if t.left++; t.left > 1 {
			t.log = t.log[:len(t.log)-1]
		}
		step.Exited, step.Entered, step.Sent, step.Errors = nil, nil, nil, nil
		step.Note = strings.TrimPrefix(fmt.Sprintf("%s; the log leaves out %d steps, or parts of them", step.Note, t.left), "; ")
	}
	t.log = append(t.log, step)
}

// An entry of a log has about maxEntry bytes of steps at most.
const (
	maxEntry = 64 << 10
	maxList  = 4 << 10 // bytes of a list in it
	maxText  = 1 << 10
)

// clip bounds a list for the log.
func clip(list []string) []string {
	if size(list) <= maxList {
		return list
	}
	var kept []string
	for room := maxList; len(kept) < len(list); {
		text := short.Bytes(list[len(kept)], maxText)
		if room -= len(text) + 4; room < 0 {
			break
		}
		kept = append(kept, text)
	}
	if len(kept) < len(list) {
		kept = append(kept, fmt.Sprintf("… and %d more", len(list)-len(kept)))
	}
	return kept
}

// size returns about how many bytes a list takes in the log.
func size(list []string) (n int) {
	for _, text := range list {
		n += len(text) + 4
	}
	return n
}

// A Failure is why a session does not continue by itself.
type Failure struct {
	What     string    `json:"what"`               // the step that failed, such as "event pay", "timer" or "report", or "work from before the start"
	Message  string    `json:"message"`            // the last error
	Position uint64    `json:"position,omitempty"` // of an event
	Task     uint64    `json:"task,omitempty"`     // of a report
	Attempts int       `json:"attempts"`
	At       time.Time `json:"at"`            // of the last attempt
	Next     time.Time `json:"next,omitzero"` // of the next one; zero if the session is suspended
}

// blocks reports whether the session waits because of the failure. While a report fails, it continues.
func (f *Failure) blocks() bool { return f != nil && f.Task == 0 }

func (f *Failure) reason() string { return f.What + ": " + f.Message }

// waits reports whether the session waits after a failure.
func (t *turn) waits() bool {
	return t.failure.blocks() && !t.failure.trial() && t.failure.Next.After(t.now)
}

// attempts is the number of failures that suspend a session.
const attempts = 3

// fail counts a failure of a session, which is suspended after three.
func (t *turn) fail(failed Step, err error) {
	if step := (*StepError)(nil); errors.As(err, &step) {
		err = step.Err // the session is known
	}
	fail := Failure{What: failed.what(), Message: short.Bytes(err.Error(), maxText), Position: failed.Position, Task: failed.Task, Attempts: 1, At: t.now}
	if old := t.failure; old != nil && old.Position == fail.Position && old.Task == fail.Task {
		switch {
		case old.What == fail.What:
			fail.Attempts += old.Attempts
		case old.trial():
			fail.Attempts = max(1, old.Attempts) // this is the last of them
		}
	}
	kind := "failure"
	if fail.Attempts < attempts {
		fail.Next = t.now.Add(backoff(fail.Attempts))
	} else {
		t.suspended, kind = true, "suspend"
	}
	t.failure = &fail
	t.dirty = true
	t.note(Step{Kind: kind, Event: failed.Event, Position: fail.Position, Task: fail.Task, Note: fail.reason()}, Effect{})
}

// backoff returns how long to wait after n failures: 1 s, then twice as long each time, at most 5
// minutes.
func backoff(n int) time.Duration {
	return min(time.Second<<min(n-1, 10), 5*time.Minute)
}

// taskAt returns the index of a task, or -1.
func (r *record) taskAt(id uint64) int {
	return slices.IndexFunc(r.tasks, func(t task) bool { return t.id == id })
}
