package wire

import (
	"bufio"
	"bytes"
	"io"
)

const (
	// MaxLine is the maximum length of a line in bytes.
	MaxLine = 32 << 20
	// maxReadAhead is how many bytes of input are kept in memory. A client can write that much
	// before it reads an answer, without a deadlock.
	maxReadAhead = 64 << 20
)

// A Line is a line of input without its end.
type Line struct {
	Number  int // 1 for the first
	Text    []byte
	TooLong bool  // longer than MaxLine; Text is empty
	Err     error // why reading failed; Text is empty, and this is the last line
}

// A lineReader reads lines. A last line without a line break counts.
type lineReader struct {
	r      *bufio.Reader
	number int
	err    error
}

func newLineReader(r io.Reader) *lineReader { return &lineReader{r: bufio.NewReaderSize(r, 1<<16)} }

// next returns the next line; its Err is io.EOF at the end.
func (l *lineReader) next() Line {
	l.number++
	line := Line{Number: l.number}
	for {
		part, err := []byte(nil), l.err
		if err == nil {
			part, err = l.r.ReadSlice('\n')
		}
		if !line.TooLong {
			line.Text = append(line.Text, part...)
		}
		if len(line.Text) > MaxLine+len("\r\n") {
			line.Text, line.TooLong = nil, true
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err != nil && len(line.Text) == 0 && !line.TooLong:
			return Line{Number: l.number, Err: err}
		default:
			l.err = err
			return line.trimmed()
		}
	}
}

// Lines reads r in its own goroutines and returns the lines in order, including a last line without
// a line break. The channel is closed at the end of input, and the goroutines end. Lines reads
// ahead up to 64 MiB, so that a client can write that much before it reads an answer.
func Lines(r io.Reader) <-chan Line {
	in, out := make(chan Line), make(chan Line)
	go func() {
		defer close(in)
		for l := newLineReader(r); ; {
			line := l.next()
			if line.Err == io.EOF {
				return
			}
			in <- line
			if line.Err != nil {
				return
			}
		}
	}()
	go readAhead(in, out)
	return out
}

// trimmed removes the line break and, at the start of the input, a byte order mark.
func (l Line) trimmed() Line {
	l.Text = bytes.TrimSuffix(l.Text, []byte("\n"))
	l.Text = bytes.TrimSuffix(l.Text, []byte("\r"))
	if l.Number == 1 {
		l.Text = bytes.TrimPrefix(l.Text, []byte("\uFEFF"))
	}
	if len(l.Text) > MaxLine {
		l.Text, l.TooLong = nil, true
	}
	return l
}

// readAhead forwards lines, and keeps those that have not been received yet.
func readAhead(in <-chan Line, out chan<- Line) {
	defer close(out)
	var waiting []Line
	size := 0
	for in != nil || len(waiting) > 0 {
		from, to := in, out
		var first Line
		if len(waiting) > 0 {
			first = waiting[0]
		} else {
			to = nil
		}
		if size > maxReadAhead {
			from = nil
		}
		select {
		case line, ok := <-from:
			if !ok {
				in = nil
				continue
			}
			waiting = append(waiting, line)
			size += lineSize(line)
		case to <- first:
			waiting[0] = Line{}
			waiting = waiting[1:]
			size -= lineSize(first)
		}
	}
}

// lineSize is the memory that a waiting line takes.
func lineSize(l Line) int { return len(l.Text) + 64 }
