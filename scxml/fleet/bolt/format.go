package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/codec"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// The database has one bucket, with these keys:
//
//	f NAME           a file
//	m                the state of the store
//	s KEY 0 REVISION an entry of a session's log, REVISION in 8 bytes; of format 1
//	s KEY 0 REVISION 1
//	                 entries of a session's log, of which the last has the REVISION
//	s KEY 1          the record of a session; since format 2 with the newest entries of its log
//
// A KEY has no zero byte, so a session's log and then its record follow one another. Numbers are big
// endian. Each value begins with the CRC-32C of its key and the rest of the value.
var (
	bucketName = []byte("scxml")
	stateKey   = []byte("m")
)

// The format that is written. Older ones are read.
const format = 2

func fileKey(name string) []byte { return append([]byte{'f'}, name...) }

func recordKey(key string) []byte { return sessionKey(key, 1) }

// logPrefix begins the keys of a session's log. There is room for a revision.
func logPrefix(key string) []byte { return sessionKey(key, 0) }

func sessionKey(key string, end byte) []byte {
	k := make([]byte, 0, len(key)+11)
	return append(append(append(k, 's'), key...), end)
}

func isRecordKey(k []byte) bool     { return k[0] == 's' && k[len(k)-1] == 1 && bytes.IndexByte(k, 0) < 0 }
func recordKeyName(k []byte) string { return string(k[1 : len(k)-1]) }

// packKey is the key of entries of a log.
func packKey(key string, revision uint64) []byte {
	return append(binary.BigEndian.AppendUint64(logPrefix(key), revision), 1)
}

// splitLogKey returns the parts of a key that belongs to a log. pack reports whether that is a packKey,
// and not one of format 1.
func splitLogKey(k []byte) (key string, revision uint64, pack, ok bool) {
	zero := bytes.IndexByte(k, 0)
	if k[0] != 's' || zero < 1 || len(k) < zero+9 {
		return "", 0, false, false
	}
	end := k[zero+9:]
	pack = len(end) == 1 && end[0] == 1
	return string(k[1:zero]), binary.BigEndian.Uint64(k[zero+1:]), pack, pack || len(end) == 0
}

// seal writes the checksum of a key and a value into the value's first four bytes, and returns it.
func seal(k, v []byte) uint32 {
	sum := codec.Checksum(k, v[4:])
	binary.BigEndian.PutUint32(v, sum)
	return sum
}

// unseal checks a value and returns what follows its checksum.
func unseal(k, v []byte) ([]byte, uint32, error) {
	if len(v) >= 4 {
		sum := codec.Checksum(k, v[4:])
		if sum == binary.BigEndian.Uint32(v) {
			return v[4:], sum, nil
		}
	}
	return nil, 0, fmt.Errorf("%s: checksum does not match: %w", describe(k), fleet.ErrCorrupt)
}

// describe names a key in messages.
func describe(k []byte) string {
	switch key, revision, _, isLog := splitLogKey(k); {
	case isLog:
		return fmt.Sprintf("log of %q to entry %d", key, revision)
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
	case len(data) > 0 && (data[0] < 1 || data[0] > format):
		return s, fmt.Errorf("the store has format %d, this program reads 1 to %d", data[0], format)
	case len(data) != 33:
		return s, fmt.Errorf("state of the store has %d bytes: %w", len(data), fleet.ErrCorrupt)
	}
	s.read(data[1:])
	return s, nil
}

// The flags of a record.
const (
	flagPending = 1 << iota
	flagTail    // it has a tail
)

// recordValue returns a record as it is stored.
func recordValue(k []byte, rec *fleet.Record, revision uint64, l *tail) (v []byte, sum uint32) {
	v = make([]byte, 4, 4+25+6+len(rec.Chart)+len(rec.Hash)+len(rec.Status)+2*binary.MaxVarintLen32+len(l.entries)+len(rec.Body))
	v = binary.BigEndian.AppendUint64(v, revision)
	v = binary.BigEndian.AppendUint64(v, rec.Accepted)
	v = binary.BigEndian.AppendUint64(v, uint64(index.Nanos(rec.Wake)))
	flags := byte(flagTail)
	if rec.Pending {
		flags |= flagPending
	}
	v = append(v, flags)
	for _, text := range []string{rec.Chart, rec.Hash, rec.Status} {
		v = binary.BigEndian.AppendUint16(v, uint16(len(text)))
		v = append(v, text...)
	}
	v = binary.AppendUvarint(v, uint64(l.shown))
	v = binary.AppendUvarint(v, uint64(len(l.entries)))
	v = append(v, l.entries...)
	v = append(v, rec.Body...)
	return v, seal(k, v)
}

func short(k []byte) error {
	return fmt.Errorf("%s: it is too short: %w", describe(k), fleet.ErrCorrupt)
}

// readRecord reads a record. Its Body and its tail, which has no count, are parts of v. A record of format
// 1 shows -1 entries, which is all that there are.
func readRecord(k, v []byte) (rec fleet.Record, l tail, sum uint32, err error) {
	data, sum, err := unseal(k, v)
	if err != nil {
		return rec, l, 0, err
	}
	if len(data) < 25 {
		return rec, l, 0, short(k)
	}
	rec.Key = recordKeyName(k)
	rec.Revision = binary.BigEndian.Uint64(data)
	rec.Accepted = binary.BigEndian.Uint64(data[8:])
	rec.Wake = index.Time(int64(binary.BigEndian.Uint64(data[16:])))
	flags := data[24]
	rec.Pending = flags&flagPending != 0
	data = data[25:]
	for _, text := range []*string{&rec.Chart, &rec.Hash, &rec.Status} {
		if len(data) < 2 || len(data) < 2+int(binary.BigEndian.Uint16(data)) {
			return rec, l, 0, short(k)
		}
		end := 2 + int(binary.BigEndian.Uint16(data))
		*text, data = string(data[2:end]), data[end:]
	}
	l.shown = -1
	if flags&flagTail != 0 {
		shown, n := binary.Uvarint(data)
		size, m := binary.Uvarint(data[max(n, 0):])
		if n <= 0 || m <= 0 || size > uint64(len(data)-n-m) {
			return rec, l, 0, short(k)
		}
		end := n + m + int(size)
		l.shown, l.entries, data = int(shown), data[n+m:end:end], data[end:]
	}
	rec.Body = data
	return rec, l, sum, nil
}
