package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

const (
	// maxLine is the length of the longest input line that is accepted.
	maxLine = 32 << 20
	// maxReadAhead is how many bytes of input wait in memory. It lets a
	// client write a great deal before it reads an answer, without a deadlock.
	maxReadAhead = 64 << 20
)

// An inputLine is a line of input without its end.
type inputLine struct {
	number  int // 1 is the first
	text    []byte
	tooLong bool  // longer than maxLine; text is empty
	err     error // reading failed; text is empty, and this is the last line
}

// readLines reads r in goroutines of its own and returns the lines in order.
// The channel is closed at the end of input. A last line without a line break
// counts. The goroutines live until the end of input: at the end of the
// command they may still be there.
func readLines(r io.Reader) <-chan inputLine {
	in, out := make(chan inputLine), make(chan inputLine)
	go splitLines(r, in)
	go readAhead(in, out)
	return out
}

func splitLines(r io.Reader, lines chan<- inputLine) {
	defer close(lines)
	br := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line := inputLine{number: number}
		for {
			part, err := br.ReadSlice('\n')
			if !line.tooLong {
				line.text = append(line.text, part...)
			}
			if len(line.text) > maxLine+len("\r\n") {
				line.text, line.tooLong = nil, true
			}
			if err == bufio.ErrBufferFull {
				continue
			}
			if err != nil {
				if len(line.text) > 0 || line.tooLong {
					lines <- line.trimmed()
				}
				if !errors.Is(err, io.EOF) {
					lines <- inputLine{number: number, err: err}
				}
				return
			}
			break
		}
		lines <- line.trimmed()
	}
}

// trimmed takes off the line break and, at the start of the input, a byte order mark.
func (l inputLine) trimmed() inputLine {
	l.text = bytes.TrimSuffix(l.text, []byte("\n"))
	l.text = bytes.TrimSuffix(l.text, []byte("\r"))
	if l.number == 1 {
		l.text = bytes.TrimPrefix(l.text, []byte("\uFEFF"))
	}
	return l
}

// readAhead passes lines on and keeps those that nobody has asked for yet.
func readAhead(in <-chan inputLine, out chan<- inputLine) {
	defer close(out)
	var waiting []inputLine
	size := 0
	for in != nil || len(waiting) > 0 {
		from, to := in, out
		var first inputLine
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
			waiting[0] = inputLine{}
			waiting = waiting[1:]
			size -= lineSize(first)
		}
	}
}

// lineSize is what a waiting line costs.
func lineSize(l inputLine) int { return len(l.text) + 64 }
