package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// Records are read from the leader of their stream. It has all that it has acknowledged.

// A get asks for the last message of a subject, or for the one with a sequence.
type get struct {
	Last string `json:"last_by_subj,omitempty"`
	Seq  uint64 `json:"seq,omitempty"`
}

// raw is a message as the server describes it.
type raw struct {
	Subject string `json:"subject"`
	Seq     uint64 `json:"seq"`
	Header  []byte `json:"hdrs"`
	Data    []byte `json:"data"`
}

type apiReply struct {
	Message raw       `json:"message"`
	Error   *apiError `json:"error"`
}

// An apiError is why a server has refused something.
type apiError struct {
	Code    int    `json:"code"`
	ErrCode int    `json:"err_code"`
	Text    string `json:"description"`
}

// api asks the servers.
func (s *Store) api(ctx context.Context, op string, request any) (apiReply, error) {
	var reply apiReply
	body, err := json.Marshal(request)
	if err != nil {
		return reply, err
	}
	msg, err := s.nc.RequestWithContext(ctx, "$JS.API."+op, body)
	if err != nil {
		return reply, err
	}
	return reply, json.Unmarshal(msg.Data, &reply)
}

// getRaw gets a message. If there is none, it has Seq 0. It tries again while there is no leader.
func (s *Store) getRaw(ctx context.Context, sh *shard, g get) (raw, error) {
	deadline := time.Now().Add(patience)
	for wait := time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		trying, cancel := context.WithTimeout(ctx, attempt)
		stop := context.AfterFunc(s.ctx, cancel)
		reply, err := s.api(trying, "STREAM.MSG.GET."+sh.name, g)
		stop()
		cancel()
		switch {
		case err == nil && reply.Error == nil:
			return reply.Message, nil
		case err == nil && reply.Error.ErrCode == codeNotFound:
			return raw{}, nil
		case err == nil && reply.Error.Code != 503:
			return raw{}, s.why(ctx, sh, errors.New(reply.Error.Text))
		case err == nil:
			err = &js.APIError{Code: reply.Error.Code, ErrorCode: js.ErrorCode(reply.Error.ErrCode), Description: reply.Error.Text}
		case s.ctx.Err() != nil:
			return raw{}, fleet.ErrClosed
		case ctx.Err() != nil:
			return raw{}, context.Cause(ctx)
		}
		if time.Now().After(deadline) {
			return raw{}, s.why(ctx, sh, err)
		}
		if err := s.pause(ctx, wait); err != nil {
			return raw{}, err
		}
	}
}

// get gets a message of a subject. If there is none, the message is the zero one.
func (s *Store) get(ctx context.Context, sh *shard, g get, subject, key string) (message, error) {
	r, err := s.getRaw(ctx, sh, g)
	if err != nil || r.Seq == 0 || r.Subject != subject {
		return message{}, err
	}
	header, err := nats.DecodeHeadersMsg(r.Header)
	if err != nil {
		return message{}, fmt.Errorf("message %d at %s: %w: %w", r.Seq, subject, err, fleet.ErrCorrupt)
	}
	return unpack(subject, key, r.Seq, header.Get(aboutHeader), r.Data)
}

// lastOf gets the last message of a subject. One that is older than a sequence is that of a leader who
// does not know yet that it is not, or has not read all that its predecessor has acknowledged.
func (s *Store) lastOf(ctx context.Context, sh *shard, subject, key string, floor uint64) (message, error) {
	deadline := time.Now().Add(patience)
	for wait := time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		m, err := s.get(ctx, sh, get{Last: subject}, subject, key)
		if err != nil || m.seq >= floor {
			return m, err
		}
		if time.Now().After(deadline) {
			return m, s.behind(ctx, sh, subject, floor, m.seq)
		}
		if err := s.pause(ctx, wait); err != nil {
			return m, err
		}
	}
}

// floor returns the last sequence of a key that is known.
func (s *Store) floor(sh *shard, key string) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, _ := s.index.Get(key)
	return max(e.Revision, sh.ahead[key].seq)
}

// last gets the last message of a key, and notes it.
func (s *Store) last(ctx context.Context, sh *shard, key string) (message, error) {
	m, err := s.lastOf(ctx, sh, sh.subject(key), key, s.floor(sh, key))
	if err == nil && m.seq != 0 {
		s.learn(sh, m)
	}
	return m, err
}

// record gets the record of a key, its history and its body.
func (s *Store) record(ctx context.Context, sh *shard, key string) (message, history, []byte, error) {
	if key == "" || len(key) > 512 {
		return message{}, history{}, nil, fleet.ErrNotFound
	}
	m, err := s.last(ctx, sh, key)
	if err == nil && m.kind != recordKind {
		err = fleet.ErrNotFound
	}
	if err != nil {
		return m, history{}, nil, err
	}
	h, body, err := readHistory(m)
	if err == nil {
		s.remember(m, h)
	}
	return m, h, body, err
}

// remember notes what the next change of a record needs.
func (s *Store) remember(m message, h history) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, _ := s.index.Get(m.key); e.Revision == m.seq {
		s.histories.remember(m.key, known{m.seq, m.steps(), h})
	}
}

// Load implements [fleet.Store].
func (s *Store) Load(ctx context.Context, key string) (*fleet.Record, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	m, _, body, err := s.record(ctx, s.shard(key), key)
	if err != nil {
		return nil, err
	}
	rec := m.listed()
	rec.Body = body
	return rec, nil
}

// listed returns the record of a message without its body.
func (m message) listed() *fleet.Record {
	return &fleet.Record{
		Key: m.key, Revision: m.seq, Chart: m.about.chart, Hash: m.about.hash, Status: m.about.status,
		Wake: index.Time(m.entry.Wake), Pending: m.entry.Pending, Accepted: m.entry.Accepted,
	}
}

// Log implements [fleet.Store].
func (s *Store) Log(ctx context.Context, key string, after uint64, n int) ([]fleet.LogEntry, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	sh := s.shard(key)
	for previous := uint64(0); ; {
		m, h, _, err := s.record(ctx, sh, key)
		if err != nil {
			return nil, err
		}
		entries, err := s.entries(ctx, sh, key, h, after, n)
		if !errors.Is(err, errMissing) {
			return slices.Clone(entries), err
		}
		if m.seq == previous {
			return nil, fmt.Errorf("log of %q: %w: %w", key, err, fleet.ErrCorrupt)
		}
		previous = m.seq
	}
}

// withIndex calls f while the index does not change.
func (s *Store) withIndex(ctx context.Context, f func(*index.Index)) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.index)
	return nil
}

// List implements [fleet.Store].
func (s *Store) List(ctx context.Context, after string, n int) (list []*fleet.Record, err error) {
	err = s.withIndex(ctx, func(x *index.Index) {
		for _, key := range x.Keys(after, n) {
			e, _ := x.Get(key)
			list = append(list, message{key: key, seq: e.Revision, entry: e, about: s.about[key]}.listed())
		}
	})
	return list, err
}

// File implements [fleet.Store].
func (s *Store) File(ctx context.Context, name string) ([]byte, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	m, err := s.lastOf(ctx, s.files, s.files.subject(name), name, 0)
	if err == nil && m.kind != fileKind {
		err = fleet.ErrNotFound
	}
	return m.data, err
}

// Files implements [fleet.Store].
func (s *Store) Files(ctx context.Context, prefix string) (names []string, err error) {
	err = s.withIndex(ctx, func(*index.Index) { names = index.WithPrefix(maps.Keys(s.names), prefix) })
	return names, err
}
