package wire

import (
	"fmt"
	"io"

	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Writer writes records, one per line, each in one write. After a failed write it writes nothing
// more.
type Writer struct {
	w   io.Writer
	buf []byte
	err error
}

// NewWriter returns a writer of records to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes a record. It returns the error of the first failed write.
func (w *Writer) Write(r *record.Record) error {
	if w.err == nil {
		w.buf = append(r.AppendJSON(w.buf[:0]), '\n')
		_, w.err = w.w.Write(w.buf)
	}
	return w.err
}

// Err returns the error of the first failed write.
func (w *Writer) Err() error { return w.err }

// A Reader reads records.
type Reader struct{ lines *lineReader }

// NewReader returns a reader of the records in r.
func NewReader(r io.Reader) *Reader { return &Reader{newLineReader(r)} }

// Read returns the next record, skipping those of an unknown kind. At the end the error is io.EOF.
// A line that is not a record gives a [*LineError]; the next one can still be read.
func (r *Reader) Read() (record.Record, error) {
	for {
		line := r.lines.next()
		if line.Err != nil {
			return record.Record{}, line.Err
		}
		if line.TooLong {
			return record.Record{}, &LineError{line.Number, fmt.Errorf("the line is longer than %d bytes", MaxLine)}
		}
		rec, err := record.ParseJSON(line.Text)
		if err != nil {
			return rec, &LineError{line.Number, err}
		}
		if rec.Kind != record.Unknown {
			return rec, nil
		}
	}
}

// A LineError reports a line that is not a record.
type LineError struct {
	Line int // its number
	Err  error
}

// Error names the line.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns Err.
func (e *LineError) Unwrap() error { return e.Err }
