package jetstream

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// The index follows the streams: an ordered consumer of each delivers the headers of all records, and
// then of each change, of whatever process. What this process reads or writes is noted at once, ahead of
// the consumer.

// A follow is where the index is in a stream. Store.mu guards its fields.
type follow struct {
	consumer  js.ConsumeContext
	delivered uint64           // the last sequence
	sum       uint64           // of the records as they were delivered
	odd       bool             // the sum may be wrong
	ahead     map[string]ahead // what is known of keys beyond delivered
	whole     bool             // all that there was at the beginning has been delivered
}

// ahead is the last sequence of a key that is known, and its record as it was delivered, or 0.
type ahead struct{ seq, record uint64 }

// begin begins to follow a stream. It closes ready when the index has all that the stream has now.
func (sh *shard) begin() error {
	sh.ahead = map[string]ahead{}
	filter := sh.subject("")
	filter = filter[:strings.LastIndexByte(filter, '.')] + ".>"
	consumer, err := sh.s.js.OrderedConsumer(sh.s.ctx, sh.name, js.OrderedConsumerConfig{FilterSubjects: []string{filter}, HeadersOnly: true})
	if err != nil {
		return fmt.Errorf("cannot follow stream %s: %w", sh.name, err)
	}
	if consumer.CachedInfo().NumPending == 0 {
		sh.whole = true
		close(sh.ready)
	}
	cut := len(filter) - len(">")
	sh.consumer, err = consumer.Consume(func(msg js.Msg) { sh.deliver(msg, cut) },
		js.PullMaxMessages(5000), js.ConsumeErrHandler(func(js.ConsumeContext, error) { sh.s.gap() }))
	return err
}

func (sh *shard) end() {
	if sh.consumer != nil {
		sh.consumer.Stop()
		<-sh.consumer.Closed()
	}
}

// deliver takes a message of the consumer.
func (sh *shard) deliver(msg js.Msg, cut int) {
	meta, err := msg.Metadata()
	if err != nil {
		return // not from a stream
	}
	m := message{seq: meta.Sequence.Stream}
	token := msg.Subject()[cut:]
	if sh == sh.s.files {
		token = strings.TrimPrefix(token, "_")
	}
	if m.key, err = unescape(token); err == nil {
		err = m.readHeader(msg.Headers().Get(aboutHeader))
	}
	s := sh.s
	sh.knows(m.seq)
	s.mu.Lock()
	defer s.mu.Unlock()
	sh.delivered = m.seq
	sh.odd = sh.odd || err != nil
	if err == nil {
		sh.tally(m)
	}
	if err == nil && m.seq >= sh.ahead[m.key].seq {
		delete(sh.ahead, m.key)
		s.note(sh, m)
	}
	if meta.NumPending == 0 && !sh.whole {
		sh.whole = true
		close(sh.ready)
	}
}

// tally takes a message that is delivered into the sum. The caller has the lock.
func (sh *shard) tally(m message) {
	e, _ := sh.s.index.Get(m.key)
	a, isAhead := sh.ahead[m.key]
	if !isAhead {
		a.record = e.Revision
	}
	sh.sum ^= weigh(m.key, a.record)
	if a.record = 0; m.kind == recordKind {
		a.record = m.seq
	}
	sh.sum ^= weigh(m.key, a.record)
	if isAhead {
		sh.ahead[m.key] = a
	}
}

// weigh returns what a record with a revision adds to a sum, and 0 for none.
func weigh(key string, revision uint64) uint64 {
	if revision == 0 {
		return 0
	}
	h := fnv.New64a()
	h.Write(binary.BigEndian.AppendUint64([]byte(key), revision))
	return h.Sum64()
}

// catchUp waits for what this process knows ahead of the consumers, but not longer than a time.
func (s *Store) catchUp(patience time.Duration) {
	behind := func(sh *shard) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(sh.ahead) > 0
	}
	for deadline := time.Now().Add(patience); slices.ContainsFunc(s.shards, behind) && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
}

// knows notes that a sequence is stored.
func (sh *shard) knows(seq uint64) {
	for last := sh.stored.Load(); seq > last && !sh.stored.CompareAndSwap(last, seq); {
		last = sh.stored.Load()
	}
}

// learn notes a message that this process has read or written.
func (s *Store) learn(sh *shard, m message) {
	sh.knows(m.seq)
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, isAhead := sh.ahead[m.key]; m.seq > sh.delivered && m.seq > a.seq {
		if !isAhead {
			e, _ := s.index.Get(m.key)
			a.record = e.Revision
		}
		sh.ahead[m.key] = ahead{m.seq, a.record}
		s.note(sh, m)
	}
}

// note changes the index. The caller has the lock.
func (s *Store) note(sh *shard, m message) {
	if sh == s.files {
		if m.kind == fileKind {
			s.names[m.key] = true
		} else {
			delete(s.names, m.key)
		}
		return
	}
	old, exists := s.index.Get(m.key)
	if old.Revision >= m.seq {
		return
	}
	switch {
	case m.kind == recordKind:
		s.index.Put(m.key, m.entry)
		m.about = about{s.text(m.about.chart), s.text(m.about.hash), s.text(m.about.status)}
		s.about[m.key] = m.about
	case exists:
		s.index.Delete(m.key)
		delete(s.about, m.key)
		s.histories.forget(m.key)
	}
	sooner := m.entry.Wake != index.Never && (old.Wake == index.Never || !exists || m.entry.Wake < old.Wake)
	if !s.own(m.id) && (m.kind != recordKind || m.entry.Pending || sooner) {
		for w := range s.watchers {
			w.changed(m.key)
		}
	}
}

// text returns a text that is kept once for all sessions.
func (s *Store) text(t string) string {
	if known, ok := s.texts[t]; ok {
		return known
	}
	if len(s.texts) > 10_000 { // texts that are as many as sessions are not worth it
		clear(s.texts)
	}
	t = strings.Clone(t)
	s.texts[t] = t
	return t
}

// A watcher is a call of Watch.
type watcher struct{ changed func(key string) }

var _ fleet.Watcher = (*Store)(nil)

// Watch implements [fleet.Watcher].
func (s *Store) Watch(ctx context.Context, changed func(key string)) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	w := &watcher{changed}
	s.mu.Lock()
	s.watchers[w] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.watchers, w)
		s.mu.Unlock()
	}()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.ctx.Done():
		return fleet.ErrClosed
	}
}

// gap tells watchers that they may have missed something.
func (s *Store) gap() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.watchers {
		w.changed("")
	}
}
