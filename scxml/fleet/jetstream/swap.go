package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A swap is a message that the server stores if the last one of its subject has the sequence that the
// swap expects. Swaps of a shard that come at the same time are sent as an atomic batch, of which the
// server stores all or none, and which costs it half as much. If it refuses the batch, for which one
// swap that has lost is enough, each swap is sent by itself. So batches are for speed only.

const (
	attempt   = 1 * time.Second  // for the server to answer
	slow      = 5 * time.Second  // for one that makes a stream, or tells about one
	patience  = 20 * time.Second // for servers to elect a leader, or a client to find another server
	maxGroups = 2                // that are sent at the same time for a shard: batches, or single swaps that are less than one
	minBatch  = 4
	maxBatch  = 128     // the server's limit is 1,000
	batchSize = 4 << 20 // bytes
)

// A post is a swap that waits for its result.
type post struct {
	msg     *nats.Msg
	result  chan result
	refused error // with which a batch was refused before
}

type outcome int

const (
	stored  outcome = iota
	moved           // another sequence is the last one of the subject
	busy            // another message of the subject is on its way
	unsent          // no stream has got it
	refused         // for another reason
	unclear         // it is not known
)

type result struct {
	outcome
	seq uint64 // given to the message or, after moved, that of the last one
	err error
}

// A sender sends the swaps of a shard.
type sender struct {
	mu      sync.Mutex // never held while anything waits
	queue   []*post
	groups  int         // that are being sent
	batches atomic.Bool // the stream takes them
}

func (sh *shard) send(p *post) result {
	sh.sender.mu.Lock()
	sh.queue = append(sh.queue, p)
	if sh.groups < maxGroups {
		sh.groups++
		sh.s.work.Go(sh.sendGroups)
	}
	sh.sender.mu.Unlock()
	return <-p.result
}

// sendGroups sends what waits until nothing does.
func (sh *shard) sendGroups() {
	for {
		group := sh.take()
		if group == nil {
			return
		}
		if len(group) >= minBatch && sh.batches.Load() {
			if done := sh.batch(group); done {
				continue
			}
		}
		var all sync.WaitGroup
		for _, p := range group[1:] {
			all.Go(func() { p.result <- sh.single(p) })
		}
		group[0].result <- sh.single(group[0])
		all.Wait()
	}
}

// take removes a group from the queue, of different subjects. It returns nil if there is none.
func (sh *shard) take() []*post {
	sh.sender.mu.Lock()
	defer sh.sender.mu.Unlock()
	if len(sh.queue) == 0 {
		sh.groups--
		return nil
	}
	var group, later []*post
	size := 0
	subjects := make(map[string]bool, min(len(sh.queue), maxBatch))
	for i, p := range sh.queue {
		if len(group) == maxBatch || size > batchSize {
			later = append(later, sh.queue[i:]...)
			break
		}
		if subjects[p.msg.Subject] {
			later = append(later, p)
			continue
		}
		subjects[p.msg.Subject] = true
		group = append(group, p)
		size += len(p.msg.Data)
	}
	sh.queue = later
	return group
}

// single sends a swap by itself.
func (sh *shard) single(p *post) result {
	delete(p.msg.Header, batchID)
	delete(p.msg.Header, batchSequence)
	delete(p.msg.Header, batchCommit)
	res, _ := sh.s.request(p.msg)
	return res
}

// request sends a message and waits for the answer.
func (s *Store) request(msg *nats.Msg) (result, answer) {
	ctx, cancel := context.WithTimeout(s.ctx, attempt)
	defer cancel()
	reply, err := s.nc.RequestMsgWithContext(ctx, msg)
	switch {
	case errors.Is(err, nats.ErrMaxPayload):
		return result{outcome: refused, err: err}, answer{}
	case errors.Is(err, nats.ErrNoResponders):
		return result{outcome: unsent, err: errors.New("the stream has no leader")}, answer{}
	case errors.Is(err, nats.ErrReconnectBufExceeded) || errors.Is(err, nats.ErrConnectionClosed):
		return result{outcome: unsent, err: errors.New("no server is connected")}, answer{}
	case err != nil:
		return result{outcome: unclear, err: err}, answer{}
	}
	a, err := readAnswer(reply.Data)
	switch {
	case err != nil:
		return result{outcome: unclear, err: err}, a
	case a.Error == nil:
		return result{seq: a.Sequence}, a
	}
	err = errors.New(a.Error.Text)
	switch {
	case a.Error.ErrCode == codeMoved:
		var last uint64
		if _, number, ok := cutLast(a.Error.Text, ": "); ok {
			last, _ = strconv.ParseUint(number, 10, 64)
		}
		return result{moved, last, err}, a
	case a.Error.ErrCode == codeBusy:
		return result{outcome: busy, err: err}, a
	case a.Error.ErrCode == codeNoRoom || a.Error.ErrCode == codeNotStored && strings.HasPrefix(a.Error.Text, "maximum "):
		return result{outcome: refused, err: err}, a // the stream is full
	case a.Error.Code == 503:
		return result{outcome: unclear, err: err}, a
	}
	return result{outcome: refused, err: err}, a
}

// batch sends swaps as an atomic batch, and reports whether they have their results. Otherwise it was
// refused.
func (sh *shard) batch(group []*post) bool {
	id := nuid.Next()
	last := len(group) - 1
	for i, p := range group {
		p.msg.Header[batchID] = []string{id}
		p.msg.Header[batchSequence] = []string{strconv.Itoa(i + 1)}
		if i == last {
			break
		}
		if sh.s.nc.PublishMsg(p.msg) != nil {
			return false // the server drops what it has of the batch
		}
	}
	p := group[last]
	p.msg.Header[batchCommit] = []string{"1"}
	res, a := sh.s.request(p.msg)
	switch {
	case res.outcome == unclear:
		for _, p := range group {
			p.result <- res
		}
		return true
	case res.outcome != stored:
		if a.Error != nil && a.Error.ErrCode == codeNoBatches {
			sh.batches.Store(false)
		}
		for _, p := range group {
			p.refused = res.err
		}
		return false
	}
	for i, p := range group {
		p.result <- result{seq: res.seq - uint64(last-i)}
	}
	return true
}

// A movedError says that a subject has another last message than a swap expects. Nothing has happened.
type movedError struct{ last message }

func (e *movedError) Error() string { return fleet.ErrConflict.Error() }

// swap stores a message at a subject if m.old is the last sequence there, and returns its own. It tries
// again, for some time, while there is no leader or no connection, and when an attempt has an unclear
// end: a later one settles that, since the message is stored once at most.
//
// A refusal can be wrong, too. A leader that was cut off does not know at once that there is another,
// and both get the message: the one refuses what the other stores. What it has is a former state of the
// stream. So only a refusal by a sequence beyond m.old is believed.
//
// A swap that creates a record is tried until it has a clear end. Otherwise it might happen at any
// later time: what was sent may wait in a server that stands still. After any other swap an unclear end
// is returned: it can happen only as long as the record keeps its revision.
//
// The error is a *movedError, or one after which the outcome is not known.
func (s *Store) swap(ctx context.Context, sh *shard, subject string, m message, creates bool) (uint64, error) {
	ttl := ""
	if m.kind == tombstoneKind && sh.ttl {
		ttl = tombstoneTTL
	}
	msg := m.pack(subject, ttl)
	if err := s.fits(msg); err != nil {
		return 0, err
	}
	var open error // of an attempt that was not stored, as far as is known
	lost := false  // there was no answer to one
	deadline := time.Now().Add(patience)
	for wait := time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		p := &post{msg: msg, result: make(chan result, 1)}
		before := sh.stored.Load()
		res := sh.send(p)
		if p.refused != nil && open == nil {
			open = p.refused
		}
		switch {
		case res.outcome == stored:
			return res.seq, sh.check(res.seq, before)
		case res.outcome == moved && res.seq > m.old:
			last, err := s.lastOf(ctx, sh, subject, "", res.seq)
			known, won, seq := last.find(m)
			switch {
			case err != nil && (!creates || open == nil):
				return 0, err
			case err != nil:
				open = err
			case won:
				return seq, nil
			case open != nil && !known: // it may have been stored, and replaced since
				return 0, fmt.Errorf("the outcome is not known: %w", open)
			default:
				return 0, &movedError{last}
			}
		case res.outcome == refused && !lost: // such as a stream that is full
			return 0, fmt.Errorf("the server refuses it: %w", res.err)
		case res.outcome != unsent:
			open, lost = res.err, lost || res.outcome == unclear
		case wait == 64*time.Millisecond: // a stream without a leader for so long may not exist
			if err := s.deleted(ctx, sh); err != nil {
				return 0, err
			}
		}
		if !creates || open == nil {
			if res.outcome == moved && time.Now().After(deadline) {
				return 0, s.behind(ctx, sh, subject, m.old, res.seq)
			}
			if time.Now().After(deadline) || ctx.Err() != nil {
				return 0, errors.Join(s.why(ctx, sh, res.err), ctx.Err())
			}
			if err := s.pause(ctx, wait); err != nil {
				return 0, errors.Join(err, res.err)
			}
		} else if err := s.pause(context.WithoutCancel(ctx), wait); err != nil {
			return 0, errors.Join(err, res.err)
		}
	}
}

// check returns an error for a sequence that the stream cannot have given after another one.
func (sh *shard) check(seq, before uint64) error {
	if seq > before {
		return nil
	}
	return sh.s.fail(fmt.Errorf("%w: stream %s was at %d, and is now at %d", fleet.ErrLost, sh.name, before, seq))
}

// fail makes all later calls fail.
func (s *Store) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
	}
	return err
}

// deleted returns an error if a stream does not exist any more.
func (s *Store) deleted(ctx context.Context, sh *shard) error {
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), slow)
	defer cancel()
	reply, err := s.api(asking, "STREAM.INFO."+sh.name, nil)
	if err != nil || reply.Error == nil || reply.Error.ErrCode != codeNoStream {
		return nil
	}
	if s.nc.ConnectedClusterName() != "" {
		if _, err := s.mustStream(ctx, sh.name); !errors.Is(err, fleet.ErrLost) {
			return nil
		}
	}
	return s.fail(fmt.Errorf("%w: stream %s was deleted", fleet.ErrLost, sh.name))
}

// behind returns the error for a subject whose last sequence has been less than one that is known, for as long as
// patience.
func (s *Store) behind(ctx context.Context, sh *shard, subject string, known, last uint64) error {
	err := fmt.Errorf("stream %s had subject %s at %d, and has it at %d", sh.name, subject, known, last)
	if info, ierr := s.stream(ctx, sh.name); ierr == nil && certain(info, time.Now().Add(-patience)) {
		err = fmt.Errorf("%w: %w", fleet.ErrLost, err)
	}
	return err
}

// why returns what can be said of a stream that does not answer.
func (s *Store) why(ctx context.Context, sh *shard, err error) error {
	if gone := s.deleted(ctx, sh); gone != nil {
		return gone
	}
	return fmt.Errorf("stream %s does not answer: %w", sh.name, s.denied(err))
}
