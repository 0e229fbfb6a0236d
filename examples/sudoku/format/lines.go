package format

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// maxLine is the maximum length of a line, in bytes.
const maxLine = 1 << 20

var bom = []byte("\uFEFF")

// lines reads an input line by line.
type lines struct {
	file   string
	r      *bufio.Reader
	number int    // of the line in text
	raw    []byte // the line without its newline; valid until the next one
	text   []byte // and without blanks at its end
	blanks int    // how many lines of nine blanks precede it
	long   []byte // a line that is longer than the buffer of r
	again  bool   // whether next returns text once more
	begin  int    // the number of the first line of the present game

	decoded bool // from UTF-16
}

func newLines(file string, r io.Reader) *lines {
	text, decoded := plainText(newBuffer(r))
	return &lines{file: file, r: text, decoded: decoded}
}

// next reads a line. It returns io.EOF after the last one.
func (l *lines) next() error {
	if l.again {
		l.again = false
		return nil
	}
	if l.blanks++; !isNineBlanks(l.raw) {
		l.blanks = 0
	}
	text, err := l.r.ReadSlice('\n')
	l.number++
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull && len(l.long) <= maxLine {
			l.long = append(l.long, text...)
			text, err = l.r.ReadSlice('\n')
		}
		l.long = append(l.long, text...)
		text = l.long
		if len(text) > maxLine+len("\r\n") {
			return errorAt(datamodel.Position{File: l.file, Line: l.number, Col: 1}, "the line is longer than %d bytes", maxLine)
		}
	}
	switch {
	case err == io.EOF && len(text) == 0:
		l.raw, l.text = nil, nil
		return io.EOF
	case err != nil && err != io.EOF:
		return &readError{l.file, err}
	}
	if l.number == 1 {
		text = bytes.TrimPrefix(text, bom)
	}
	l.raw = bytes.TrimRight(text, "\r\n")
	l.text = bytes.TrimRight(l.raw, " \t")
	return nil
}

// unread makes next return the same line again.
func (l *lines) unread() { l.again = true }

// pos returns the position of the byte text[offset].
func (l *lines) pos(offset int) datamodel.Position {
	return datamodel.Position{File: l.file, Line: l.number, Col: 1 + utf8.RuneCount(l.text[:offset])}
}

// errorf reports a problem at the byte text[offset].
func (l *lines) errorf(offset int, format string, args ...any) error {
	return errorAt(l.pos(offset), format, args...)
}

// peek returns the buffered input from the next line on, without leading blanks and
// byte order mark. It reads only if the buffer is empty.
func (l *lines) peek() []byte {
	_, _ = l.r.Peek(1) // the next read returns the error again
	text, _ := l.r.Peek(l.r.Buffered())
	if l.number == 0 && bytes.HasPrefix(text, bom) {
		text = text[len(bom):]
	}
	return bytes.TrimLeft(text, " \t\r")
}

// A readError is a failure of the input itself.
type readError struct {
	file string
	err  error
}

func (e *readError) Error() string { return "cannot read " + e.file + ": " + e.err.Error() }
func (e *readError) Unwrap() error { return e.err }

// errTooLong is the error of a bounded reader.
var errTooLong = errors.New("too long")

// bounded fails after left bytes have been read since left was set.
type bounded struct {
	r    io.Reader
	left int
	err  error // of r
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	b.err = err
	return n, err
}
