package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// The database has one bucket, with these keys:
//
//	f NAME           a file
//	m                the state of the store
//	s KEY 0 REVISION an entry of a session's log, REVISION in 8 bytes
//	s KEY 1          the record of a session
//
// A KEY has no zero byte, so a session's log and then its record follow one another. Numbers are big
// endian. Each value begins with the CRC-32C of its key and the rest of the value.
var (
	bucketName = []byte("scxml")
	stateKey   = []byte("m")
)

const format = 1

func fileKey(name string) []byte { return append([]byte{'f'}, name...) }

func recordKey(key string) []byte { return sessionKey(key, 1) }

// logPrefix begins the keys of a session's log. There is room for a revision.
func logPrefix(key string) []byte { return sessionKey(key, 0) }

func sessionKey(key string, end byte) []byte {
	k := make([]byte, 0, len(key)+10)
	return append(append(append(k, 's'), key...), end)
}

func isRecordKey(k []byte) bool     { return k[0] == 's' && k[len(k)-1] == 1 && bytes.IndexByte(k, 0) < 0 }
func recordKeyName(k []byte) string { return string(k[1 : len(k)-1]) }

func logKey(key string, revision uint64) []byte {
	return binary.BigEndian.AppendUint64(logPrefix(key), revision)
}

// splitLogKey returns the parts of a logKey.
func splitLogKey(k []byte) (key string, revision uint64, ok bool) {
	zero := bytes.IndexByte(k, 0)
	if k[0] != 's' || zero < 1 || len(k) != zero+9 {
		return "", 0, false
	}
	return string(k[1:zero]), binary.BigEndian.Uint64(k[zero+1:]), true
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal writes the checksum of a key and a value into the value's first four bytes, and returns it.
func seal(k, v []byte) uint32 {
	sum := crc32.Update(crc32.Checksum(k, castagnoli), castagnoli, v[4:])
	binary.BigEndian.PutUint32(v, sum)
	return sum
}

// unseal checks a value and returns what follows its checksum.
func unseal(k, v []byte) ([]byte, uint32, error) {
	if len(v) >= 4 {
		sum := crc32.Update(crc32.Checksum(k, castagnoli), castagnoli, v[4:])
		if sum == binary.BigEndian.Uint32(v) {
			return v[4:], sum, nil
		}
	}
	return nil, 0, fmt.Errorf("%s: checksum does not match: %w", describe(k), fleet.ErrCorrupt)
}

// describe names a key in messages.
func describe(k []byte) string {
	switch key, revision, isLog := splitLogKey(k); {
	case isLog:
		return fmt.Sprintf("log entry %d of %q", revision, key)
	case k[0] == 'f':
		return fmt.Sprintf("file %q", k[1:])
	case isRecordKey(k):
		return fmt.Sprintf("record of %q", recordKeyName(k))
	}
	return "state of the store"
}

// part is what an item with this checksum adds to state.sum.
func part(sum uint32) uint64 { return 1<<32 + uint64(sum) }

// A state is what the store knows of itself.
type state struct {
	id       uint64 // random, of this store; 0 means none
	revision uint64 // the last one given; deletions count too
	accepted uint64 // by all sessions that there ever were
	sum      uint64 // of the parts of all records, log entries and files: a missing one shows
}

func (s state) append(b []byte) []byte {
	for _, n := range []uint64{s.id, s.revision, s.accepted, s.sum} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}

func (s *state) read(b []byte) {
	for i, n := range []*uint64{&s.id, &s.revision, &s.accepted, &s.sum} {
		*n = binary.BigEndian.Uint64(b[8*i:])
	}
}

// value returns the state as it is stored under stateKey.
func (s state) value() []byte {
	v := s.append(append(make([]byte, 4, 37), format))
	seal(stateKey, v)
	return v
}

func readState(v []byte) (s state, err error) {
	data, _, err := unseal(stateKey, v)
	switch {
	case err != nil:
		return s, err
	case data[0] != format:
		return s, fmt.Errorf("the store has format %d, this program reads %d", data[0], format)
	case len(data) != 33:
		return s, fmt.Errorf("state of the store has %d bytes: %w", len(data), fleet.ErrCorrupt)
	}
	s.read(data[1:])
	return s, nil
}

// recordValue returns a record as it is stored.
func recordValue(k []byte, rec *fleet.Record, revision uint64) (v []byte, sum uint32) {
	v = make([]byte, 4, 4+25+6+len(rec.Chart)+len(rec.Hash)+len(rec.Status)+len(rec.Body))
	v = binary.BigEndian.AppendUint64(v, revision)
	v = binary.BigEndian.AppendUint64(v, rec.Accepted)
	v = binary.BigEndian.AppendUint64(v, uint64(index.Nanos(rec.Wake)))
	pending := byte(0)
	if rec.Pending {
		pending = 1
	}
	v = append(v, pending)
	for _, text := range []string{rec.Chart, rec.Hash, rec.Status} {
		v = binary.BigEndian.AppendUint16(v, uint16(len(text)))
		v = append(v, text...)
	}
	v = append(v, rec.Body...)
	return v, seal(k, v)
}

var errShort = errors.New("it is too short")

// readRecord reads a record. Its Body is a part of v.
func readRecord(k, v []byte) (rec fleet.Record, sum uint32, err error) {
	data, sum, err := unseal(k, v)
	if err != nil {
		return rec, 0, err
	}
	if len(data) < 25 {
		return rec, 0, fmt.Errorf("%s: %w: %w", describe(k), errShort, fleet.ErrCorrupt)
	}
	rec.Key = recordKeyName(k)
	rec.Revision = binary.BigEndian.Uint64(data)
	rec.Accepted = binary.BigEndian.Uint64(data[8:])
	rec.Wake = index.Time(int64(binary.BigEndian.Uint64(data[16:])))
	rec.Pending = data[24] != 0
	data = data[25:]
	for _, text := range []*string{&rec.Chart, &rec.Hash, &rec.Status} {
		if len(data) < 2 || len(data) < 2+int(binary.BigEndian.Uint16(data)) {
			return rec, 0, fmt.Errorf("%s: %w: %w", describe(k), errShort, fleet.ErrCorrupt)
		}
		end := 2 + int(binary.BigEndian.Uint16(data))
		*text, data = string(data[2:end]), data[end:]
	}
	rec.Body = data
	return rec, sum, nil
}
