package history

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
	"time"
)

// A segment is a part of the past.
type segment struct {
	first  int    // the position at its beginning, -1 before the start
	state  packed // the snapshot there; nil before the start
	inputs packed // its lines, once it is complete

	// lines are what has come from outside since, a record in its text form each. An empty line is
	// the next position. They are only appended to, so that readers need no lock.
	lines []byte
}

// readLines returns the lines of a segment.
func (s *segment) readLines() []byte {
	if s.inputs != nil {
		return s.inputs.unpack()
	}
	return s.lines
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

func pack(data []byte) packed {
	var b bytes.Buffer
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	// A buffer does not fail.
	_, _ = w.Write(data)
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

// Bounds of the way from a snapshot to the next one. It takes about three times as long to go it
// again with a trace.
const (
	maxWork      = 3 * time.Millisecond
	maxPositions = 1000
	maxLines     = 256 << 10
)

// work is what was done since the last snapshot.
type work struct {
	began, ended time.Time // of the present step, and of the one before
	spent        time.Duration
	positions    int
}

// begin notes that a step begins.
func (w *work) begin() { w.began = time.Now() }

// end notes that a step is over, and reports whether it is time for a snapshot.
func (w *work) end(lines int) bool {
	now := time.Now()
	if w.began.IsZero() {
		w.began = w.ended // it has followed at once
	}
	w.spent += now.Sub(w.began)
	w.began, w.ended = time.Time{}, now
	w.positions++
	return w.spent >= maxWork || w.positions >= maxPositions || lines >= maxLines
}
