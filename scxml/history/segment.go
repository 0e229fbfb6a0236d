package history

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"sync"
	"time"
)

// A segment is a part of the past: a snapshot, and what has come from outside after it.
type segment struct {
	first int    // the position of the snapshot; -1 before the start, where there is none
	base  packed // the snapshot, or one that is similar
	delta []byte // how the snapshot differs from base

	// lines are the inputs, a record in its text form each. An empty line is the next position.
	// They are only appended to, so that readers need no lock.
	lines   []byte
	written int    // bytes of lines that the recording has
	rest    packed // delta and lines of a segment that is complete, in place of these
}

// close returns a segment that is complete.
func (s segment) close() segment {
	return segment{first: s.first, base: s.base, rest: pack(appendText(nil, s.delta), s.lines)}
}

// size returns about how much memory a complete segment takes, without base.
func (s segment) size() int { return 120 + len(s.rest) }

// open undoes close.
func (s segment) open() segment {
	if s.rest != nil {
		rest := s.rest.unpack()
		n, size := binary.Uvarint(rest)
		rest = rest[size:]
		s.delta, s.lines, s.rest = rest[:n:n], rest[n:], nil
	}
	return s
}

// snapshot returns the snapshot of an open segment, nil before the start.
func (s segment) snapshot() ([]byte, error) {
	if s.base == nil {
		return nil, nil
	}
	return patch(s.base.unpack(), s.delta)
}

// packed is compressed data.
type packed []byte

var packers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is legal
	}
	return w
}}

func pack(data ...[]byte) packed {
	var b bytes.Buffer
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	for _, d := range data { // a buffer does not fail
		_, _ = w.Write(d)
	}
	_ = w.Close()
	return bytes.Clone(b.Bytes())
}

func (p packed) unpack() []byte {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(p)))
	if err != nil {
		panic(err) // only pack makes packed data
	}
	return data
}

// Bounds of the way from a snapshot to the next one, which a copy has to go again.
const (
	maxWork      = 5 * time.Millisecond
	maxPositions = 1000
	maxLines     = 256 << 10
)

// work is what was done since the last snapshot, or since the last one that failed.
type work struct {
	began, ended time.Time // of the present step, and of the one before
	spent        time.Duration
	positions    int
	read         int // bytes of the last segment that were there before
}

// begin notes that a step begins.
func (w *work) begin() { w.began = time.Now() }

// end notes that a step is over, and reports whether it is time for a snapshot. The last segment has
// as many bytes now.
func (w *work) end(lines int) bool {
	now := time.Now()
	if w.began.IsZero() {
		w.began = w.ended // it has followed at once
	}
	w.spent += now.Sub(w.began)
	w.began, w.ended = time.Time{}, now
	w.positions++
	return w.spent >= maxWork || w.positions >= maxPositions || lines-w.read >= maxLines
}
