package jetstream

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/codec"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// The streams of a store NAME, each of which keeps the last message of each subject:
//
//	NAME_0, NAME_1 …  the shards
//	  NAME.0.r.KEY         the record of a session, or the tombstone of a deleted one
//	  NAME.0.l.KEY.SLOT    a chunk of its log
//	NAME_files
//	  NAME.files.f.NAME    a file
//	  NAME.files.m.SHARD   a watermark: the last sequence of the shard that was acknowledged
//	  NAME.files.m.made    says that all streams were made
//	  NAME.files.m.lost    says that a host has noticed a loss, and which
//
// What lists need of a record is in the header, so that the index can be made from headers alone.
const aboutHeader = "Scxml"

// Headers of the server.
const (
	expectHeader   = "Nats-Expected-Last-Subject-Sequence"
	ttlHeader      = "Nats-TTL"
	batchID        = "Nats-Batch-Id"
	batchSequence  = "Nats-Batch-Sequence"
	batchCommit    = "Nats-Batch-Commit"
	codeMoved      = 10071 // another sequence is the last one of the subject
	codeBusy       = 10164 // another message of the subject is on its way
	codeNotFound   = 10037 // no such message
	codeNoStream   = 10059
	codeNoBatches  = 10174
	codeNotCluster = 10074 // replicas need a cluster
	codeNotEnabled = 10039 // no JetStream for the account
	codeOffline    = 10118 // no server that has the stream runs
	codeNoPeers    = 10005 // no servers for the replicas, while a cluster starts, too
	codeNoRoom     = 10023 // a limit of the server
	codeNotStored  = 10077 // "maximum bytes exceeded", or that the stream ends
	codeBadRequest = 10025 // a field that the server does not know
)

// tombstoneTTL is how long the server knows that a record was deleted. A swap that is on its way that
// long, or longer, could bring the record back.
const tombstoneTime, tombstoneTTL = 24 * time.Hour, "24h"

// Kinds of messages.
const (
	recordKind    = "r"
	tombstoneKind = "d"
	chunkKind     = "c"
	fileKind      = "f"
)

// A message is what a stream has of a subject. The zero message is none.
type message struct {
	kind  string
	key   string // or the name of a file
	seq   uint64
	old   uint64 // the sequence of the message that it has replaced; 0 is none
	trail []step // before it, the newest first
	id    string // of the write; it begins with the id of the Store that has written it
	entry index.Entry
	about about
	data  []byte // nil if only the header is known
	chunk uint64 // of a chunk: the revision of the record whose log it was
}

// A step of a trail says which message was replaced by which write.
type step struct {
	old  uint64
	hash uint32 // of the id of the write
}

const maxTrail = 4

// steps returns the trail with the message itself.
func (m message) steps() []step {
	steps := append([]step{{m.old, hash(m.id)}}, m.trail...)
	return steps[:min(len(steps), maxTrail)]
}

func hash(id string) uint32 { return codec.Checksum([]byte(id)) }

// find tells what has replaced the message that another write wanted to replace, as far as m knows: whether
// it was that write, and then its sequence.
func (m message) find(write message) (known, won bool, seq uint64) {
	newer := m.seq
	for _, st := range m.steps() {
		if st.old == write.old {
			return true, st.hash == hash(write.id), newer
		}
		newer = st.old
	}
	return false, false, 0
}

// about is what lists show of a session besides its entry in the index.
type about struct{ chart, hash, status string }

// header returns the value of aboutHeader. It does not end with a space, which would be lost.
func (m message) header() string {
	switch m.kind {
	case recordKind:
		return fmt.Sprintf("r %s %d %d %d %d %s %s %s %s", m.trailText(), m.entry.Accepted, m.entry.Wake, digit(m.entry.Pending), m.entry.Logs,
			url.QueryEscape(m.about.chart), url.QueryEscape(m.about.hash), url.QueryEscape(m.about.status), m.id)
	case chunkKind:
		return fmt.Sprintf("c %s %d %s", m.trailText(), m.chunk, m.id)
	}
	return fmt.Sprintf("%s %s %s", m.kind, m.trailText(), m.id)
}

// trailText returns old and trail as OLD.HASH,OLD.HASH; the hash of the message itself is left out.
func (m message) trailText() string {
	b := strconv.AppendUint(nil, m.old, 36)
	for _, st := range m.steps()[1:] {
		b = strconv.AppendUint(append(b, ','), st.old, 36)
		b = strconv.AppendUint(append(b, '.'), uint64(st.hash), 36)
	}
	return string(b)
}

func (m *message) readTrail(text string) error {
	old, text, more := strings.Cut(text, ",")
	var err error
	m.old, err = strconv.ParseUint(old, 36, 64)
	for more && err == nil {
		var one string
		one, text, more = strings.Cut(text, ",")
		replaced, sum, _ := strings.Cut(one, ".")
		st, e1 := strconv.ParseUint(replaced, 36, 64)
		h, e2 := strconv.ParseUint(sum, 36, 32)
		m.trail = append(m.trail, step{st, uint32(h)})
		err = errors.Join(e1, e2)
	}
	return err
}

func digit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// readHeader reads the value of aboutHeader.
func (m *message) readHeader(value string) error {
	f := strings.Split(value, " ")
	want := map[string]int{recordKind: 10, tombstoneKind: 3, chunkKind: 4, fileKind: 3}[f[0]]
	if len(f) != want || want == 0 {
		return fmt.Errorf("the header is %q: %w", value, fleet.ErrCorrupt)
	}
	var errs [6]error
	m.kind, m.id = f[0], f[want-1]
	errs[0] = m.readTrail(f[1])
	switch m.kind {
	case recordKind:
		m.entry.Revision = m.seq
		m.entry.Accepted, errs[1] = strconv.ParseUint(f[2], 10, 64)
		m.entry.Wake, errs[2] = strconv.ParseInt(f[3], 10, 64)
		m.entry.Pending = f[4] == "1"
		m.entry.Logs = digit(f[5] == "1")
		m.about.chart, errs[3] = url.QueryUnescape(f[6])
		m.about.hash, errs[4] = url.QueryUnescape(f[7])
		m.about.status, errs[5] = url.QueryUnescape(f[8])
	case chunkKind:
		m.chunk, errs[1] = strconv.ParseUint(f[2], 10, 64)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return fmt.Errorf("the header is %q: %w: %w", value, err, fleet.ErrCorrupt)
	}
	return nil
}

// pack returns a message for the server, which keeps it for a time unless ttl is "". Its data begins with
// a checksum of the subject, the header and what follows.
func (m message) pack(subject, ttl string) *nats.Msg {
	header := m.header()
	data := make([]byte, 4, 4+len(m.data))
	data = append(data, m.data...)
	binary.BigEndian.PutUint32(data, checksum(subject, header, m.data))
	msg := &nats.Msg{Subject: subject, Header: nats.Header{aboutHeader: {header}, expectHeader: {strconv.FormatUint(m.old, 10)}}, Data: data}
	if ttl != "" {
		msg.Header[ttlHeader] = []string{ttl}
	}
	return msg
}

func checksum(subject, header string, data []byte) uint32 {
	return codec.Checksum([]byte(subject), []byte(header), data)
}

// unpack reads a message that a stream has.
func unpack(subject, key string, seq uint64, header string, data []byte) (message, error) {
	m := message{key: key, seq: seq}
	err := m.readHeader(header)
	switch {
	case err == nil && len(data) < 4:
		err = fmt.Errorf("it is too short: %w", fleet.ErrCorrupt)
	case err == nil && checksum(subject, header, data[4:]) != binary.BigEndian.Uint32(data):
		err = fmt.Errorf("checksum does not match: %w", fleet.ErrCorrupt)
	case err == nil:
		m.data = data[4:]
		return m, nil
	}
	return m, fmt.Errorf("message %d at %s: %w", seq, subject, err)
}

// An answer of the server to a message.
type answer struct {
	Sequence uint64    `json:"seq"`
	Error    *apiError `json:"error"`
}

func readAnswer(data []byte) (answer, error) {
	var a answer
	err := json.Unmarshal(data, &a)
	if err == nil && a.Error == nil && a.Sequence == 0 {
		err = errors.New("it has no sequence")
	}
	if err != nil {
		return a, fmt.Errorf("cannot read the server's answer: %w", err)
	}
	return a, nil
}

// escape makes a token of a subject from any bytes. Letters, digits, - and _ stand for themselves.
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	plain := true
	for i := range len(s) {
		plain = plain && isPlain(s[i])
	}
	if plain {
		return s
	}
	b := make([]byte, 0, len(s)+16)
	for i := range len(s) {
		if isPlain(s[i]) {
			b = append(b, s[i])
		} else {
			b = append(b, '=', hex[s[i]>>4], hex[s[i]&15])
		}
	}
	return string(b)
}

func isPlain(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// unescape is the inverse of escape.
func unescape(s string) (string, error) {
	if strings.IndexByte(s, '=') < 0 {
		return s, nil
	}
	return url.PathUnescape(strings.ReplaceAll(s, "=", "%"))
}
