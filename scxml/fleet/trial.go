package fleet

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A process that has ended does not tell what it was at, so a Run tries what it finds at its start with
// care, and what a host that has died leaves. Some things, and all that were begun together with others
// when a process ended, are tried one at a time, with a note in the store before. If another Run finds that
// note, a process ended meanwhile: after three such notes the session is suspended. Other causes, such as a
// kill, hit an innocent session three times only if each time they come during the moment that its step
// takes: whatever is done in time takes the note away, and after the first note the session rests before it
// is tried again. If the process ends during that rest it ends without the session, which counts from
// the beginning.

// A kind is what of a session is tried.
type kind uint8

const (
	work  kind = 1 << iota // the head of the inbox, or what is due
	tasks                  // services and deliveries
)

// The names of kinds in a Failure.
const (
	interrupted      = "work from before the start"
	interruptedTasks = "tasks from before the start"
)

func (k kind) String() string {
	if k == tasks {
		return interruptedTasks
	}
	return interrupted
}

// Notes, as the message of a Failure whose attempts are the trials so far.
const (
	noteCompany = "it was begun together with others"
	noteAlone   = "the process ended each time that this was tried alone"
	noteRests   = "the process ended when this was tried alone; it is tried again soon"
)

// A verdict is what to do with a session.
type verdict int

const (
	asUsual   verdict = iota
	company           // the note is written: do it together with others
	alone             // the note is written: do it, while no other one is tried
	rest              // the note is written: wait, and ask again
	queue             // for its turn to be tried alone
	queueLast         // the same, after those that are not known to have done harm
)

const (
	firstTrials = 100            // that a Run makes alone of what was not noted before
	taskTrial   = time.Second    // for which tasks are alone
	lull        = taskTrial / 10 // before a rest, in which a Run finds out what else is to be tried

	// So long a Run lasts without what has done harm before it tries that again, and twice that at most, so
	// as not to keep time with other causes. It is long compared with a trial.
	workRest = 2 * time.Second
	taskRest = 30 * taskTrial
)

func (k kind) rest() time.Duration {
	if k == tasks {
		return taskRest
	}
	return workRest
}

// A resting is what is known of the rest before a trial.
type resting int

const (
	notRested resting = iota
	rested
	disturbed // by what has to be tried before, or the end of Run
)

// trialNote returns the number of trials and the note of a kind, "" if there is none. Failed attempts count
// as trials, and trials as attempts.
func (r *record) trialNote(k kind) (trials int, note string) {
	f := r.failure
	switch {
	case !f.blocks() || f.Position != r.head(k):
		return 0, ""
	case !f.trial() && k == work:
		return min(f.Attempts, attempts-1), noteAlone // what fails may end the process the next time
	case f.What != k.String():
		return 0, ""
	case f.Message != noteAlone && f.Message != noteRests: // by an earlier version of this package, perhaps
		return 0, noteCompany
	}
	return f.Attempts, f.Message
}

func (r *record) head(k kind) uint64 {
	if k == work && len(r.inbox) > 0 {
		return r.consumed + 1
	}
	return 0
}

// local reports whether the task calls a function of the host.
func (t *task) local() bool {
	return t.kind == scxml.TaskInvoke || t.kind == scxml.TaskSend && t.target == ""
}

// trial reports whether the failure is the note of a trial.
func (f *Failure) trial() bool {
	return f != nil && (f.What == interrupted || f.What == interruptedTasks)
}

// failed returns the failure, unless nothing is known to have failed.
func (r *record) failed() *Failure {
	if r.failure.trial() && !r.suspended && r.failure.Message != noteRests {
		return nil
	}
	return r.failure
}

// noteTrial writes a note.
func (t *turn) noteTrial(k kind, trials int, note string) {
	t.failure = &Failure{What: k.String(), Message: note, Position: t.head(k), Attempts: trials, At: t.now, Next: t.now}
	t.dirty = true
}

// inherited returns what the session is about to do that it had to do before a Run began, or another host
// died, if that was not noted yet. A Run notes each kind once for each session, whatever the clock says.
func (r *runner) inherited(t *turn, since time.Time, noted kind) kind {
	var found kind
	if len(t.inbox) > 0 && t.inbox[0].at.Before(since) || !t.due.IsZero() && t.due.Before(since) && t.running() {
		found = work
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range t.tasks {
		x := &t.tasks[i]
		if x.local() && x.since.Before(since) && !x.next.After(t.now) && r.executions[executionID{t.incarnation, x.id}] == nil {
			found |= tasks
			break
		}
	}
	found &^= noted
	if found == work|tasks {
		found = tasks
		if t.failure.blocks() && t.failure.What != interruptedTasks {
			found = work // or its note would be lost
		}
	}
	return found
}

// suspect decides what to do with inherited work, and writes the note.
func (r *runner) suspect(t *turn, k kind, inTurn bool, resting resting) verdict {
	trials, note := t.trialNote(k)
	r.mu.Lock()
	defer r.mu.Unlock()
	if note == noteAlone && r.unsure[t.Key] {
		if trials--; trials == 0 {
			note = noteCompany
		}
	}
	if note == noteRests && resting == notRested {
		trials, note = 0, noteCompany // a process has ended without it
	}
	switch {
	case note == noteRests && resting == disturbed:
		t.noteTrial(k, trials, noteAlone)
		return queueLast
	case note == noteAlone && trials >= attempts:
		t.noteTrial(k, trials, noteAlone)
		t.failure.Next = time.Time{}
		t.suspended = true
		t.note(Step{Kind: "suspend", Position: t.failure.Position, Note: k.String() + ": " + noteAlone}, Effect{})
		return asUsual
	case note == noteAlone && (!inTurn || resting != rested && r.firsts > 0):
		return queueLast
	case note == noteAlone && resting != rested && time.Since(r.began) < k.rest():
		t.noteTrial(k, trials, noteRests)
		t.note(Step{Kind: "failure", Position: t.failure.Position, Note: k.String() + ": " + noteRests}, Effect{})
		return rest
	case !inTurn && note == "" && r.room <= 0:
		t.noteTrial(k, 0, noteCompany)
		return company
	case !inTurn:
		r.room--
		if k == tasks {
			r.room -= firstTrials / 2
		}
		return queue
	}
	t.noteTrial(k, trials+1, noteAlone)
	return alone
}

// errQueue and errQueueLast say that a session has to be tried alone, see verdict.
var errQueue, errQueueLast = errors.New("queue"), errors.New("queue last")

// tryAlone queues a session whose turn comes when no other one is tried. It keeps its place in keys.
func (r *runner) tryAlone(key string, last bool) {
	r.mu.Lock()
	r.trials[key] = true
	if !last {
		r.firsts++
	}
	r.mu.Unlock()
	do := func() {
		r.alone.do(func() {
			if !last {
				r.mu.Lock()
				r.firsts--
				r.mu.Unlock()
			}
			r.work(key, true)
		})
	}
	if last {
		time.AfterFunc(lull, do)
	} else {
		do()
	}
}

// rest waits before a trial.
func (r *runner) rest(k kind) resting {
	least := k.rest()
	random := rand.New(rand.NewPCG(uint64(r.began.UnixNano()), uint64(k))) // so that a simulation can be repeated
	for until := r.began.Add(least + time.Duration(random.Int64N(int64(least)))); time.Now().Before(until); {
		r.mu.Lock()
		others := r.firsts > 0
		r.mu.Unlock()
		if others || !r.pause(r.ctx, lull, nil, nil) {
			return disturbed
		}
	}
	return rested
}

// outlive waits until the tasks of a session have ended, or for some time, and takes the note away: the
// process has not ended because of them.
func (r *runner) outlive(t *turn) error {
	const step = 10 * time.Millisecond
	for waited := time.Duration(0); waited < taskTrial && r.busy(t.incarnation) && r.pause(r.ctx, step, nil, nil); waited += step {
	}
	return r.f.turn(context.WithoutCancel(r.ctx), t.Key, func(_ context.Context, now *turn) error {
		if now.failure.trial() && now.failure.What == interruptedTasks && !now.suspended {
			now.failure, now.dirty = nil, true
		}
		return nil
	})
}

// busy reports whether tasks of a session are carried out.
func (r *runner) busy(incarnation uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range r.executions {
		if id.incarnation == incarnation {
			return true
		}
	}
	return false
}
