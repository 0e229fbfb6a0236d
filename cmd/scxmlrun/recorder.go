package main

import (
	"io"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A recorder writes records of the machine protocol: one JSON object a line,
// fields in the order of the calls, each record in one write. After a failed
// write it writes nothing any more.
type recorder struct {
	w   io.Writer
	err error // of the first write that failed
	seq int64
	buf []byte
}

// begin starts a record. The calls that follow add a field each; end writes it.
func (r *recorder) begin(kind string, at time.Duration) *recorder {
	r.seq++
	r.buf = append(r.buf[:0], `{"type":"`...)
	r.buf = append(r.buf, kind...)
	r.buf = append(r.buf, '"')
	return r.integer("seq", r.seq).milliseconds("time_ms", at)
}

func (r *recorder) key(name string) {
	r.buf = append(r.buf, `,"`...)
	r.buf = append(r.buf, name...)
	r.buf = append(r.buf, `":`...)
}

// value adds any value in the encoding of the protocol.
func (r *recorder) value(name string, v datamodel.Value) *recorder {
	r.key(name)
	r.buf = datamodel.AppendJSON(r.buf, v)
	return r
}

// text adds a string, or null for the empty one, which stands for "none".
func (r *recorder) text(name, s string) *recorder {
	if s == "" {
		return r.value(name, datamodel.Null)
	}
	return r.value(name, s)
}

func (r *recorder) texts(name string, all []string) *recorder {
	r.key(name)
	r.buf = append(r.buf, '[')
	for i, s := range all {
		if i > 0 {
			r.buf = append(r.buf, ',')
		}
		r.buf = datamodel.AppendJSON(r.buf, s)
	}
	r.buf = append(r.buf, ']')
	return r
}

func (r *recorder) integer(name string, n int64) *recorder {
	r.key(name)
	r.buf = strconv.AppendInt(r.buf, n, 10)
	return r
}

func (r *recorder) unsigned(name string, n uint64) *recorder {
	r.key(name)
	r.buf = strconv.AppendUint(r.buf, n, 10)
	return r
}

// milliseconds adds a time span, to the microsecond.
func (r *recorder) milliseconds(name string, d time.Duration) *recorder {
	r.key(name)
	r.buf = strconv.AppendFloat(r.buf, float64(d.Round(time.Microsecond))/float64(time.Millisecond), 'f', -1, 64)
	return r
}

// stack adds the call stack of a script, innermost call first.
func (r *recorder) stack(name string, frames []datamodel.Frame) *recorder {
	r.key(name)
	r.buf = append(r.buf, '[')
	for i, f := range frames {
		if i > 0 {
			r.buf = append(r.buf, ',')
		}
		r.buf = append(r.buf, `{"func":`...)
		r.buf = datamodel.AppendJSON(r.buf, f.Func)
		r.buf = append(r.buf, `,"at":`...)
		r.buf = datamodel.AppendJSON(r.buf, f.Pos.String())
		r.buf = append(r.buf, '}')
	}
	r.buf = append(r.buf, ']')
	return r
}

// A lineID says which input line a record answers.
type lineID struct {
	number int
	id     datamodel.Value // nil if the line has none
}

// answers adds the line's id, or its number, and the id as such if there is one.
func (r *recorder) answers(l lineID) *recorder {
	if l.id != nil {
		return r.value("answers", l.id).value("id", l.id)
	}
	return r.integer("answers", int64(l.number))
}

// end writes the record.
func (r *recorder) end() {
	if r.err != nil {
		return
	}
	r.buf = append(r.buf, '}', '\n')
	_, r.err = r.w.Write(r.buf)
}

// place writes a position, or "" for one that is not known.
func place(p datamodel.Position) string {
	if !p.IsValid() {
		return ""
	}
	return p.String()
}
