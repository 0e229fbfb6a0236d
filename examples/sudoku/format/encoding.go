package format

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// plainText returns the text of an input in UTF-8 and with lines that end in LF or CRLF.
// decoded says that it was in UTF-16, which begins with a byte order mark; lines that end
// in CR alone are those of old Macs.
func plainText(r *bufio.Reader) (text *bufio.Reader, decoded bool) {
	_, _ = r.Peek(1) // the next read returns the error again
	start, _ := r.Peek(r.Buffered())
	if bytes.HasPrefix(start, zipStart) {
		return r, false
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if len(start) >= 2 && order.Uint16(start) == 0xFEFF {
			r.Discard(2)
			text, _ = plainText(newBuffer(&utf16Reader{r: r, order: order}))
			return text, true
		}
	}
	for i, char := range start {
		if char == '\r' && i+1 < len(start) && start[i+1] != '\n' && start[i+1] != '\r' {
			return newBuffer(&macReader{r: r}), false
		}
	}
	return r, false
}

// newBuffer returns a reader with a buffer for most files.
func newBuffer(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 64<<10) }

// A utf16Reader converts UTF-16 to UTF-8. What is not UTF-16 becomes U+FFFD.
type utf16Reader struct {
	r      *bufio.Reader
	order  binary.ByteOrder
	unread []byte // UTF-8 that has not been read
	first  rune   // of a surrogate pair, or 0
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.unread) == 0 || len(u.unread) < len(p) && u.r.Buffered() >= 2 {
		var unit [2]byte
		if _, err := io.ReadFull(u.r, unit[:]); err != nil {
			if err == io.EOF && u.first != 0 {
				u.first, u.unread = 0, utf8.AppendRune(nil, utf8.RuneError)
				continue
			}
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			return 0, err
		}
		u.add(rune(u.order.Uint16(unit[:])))
	}
	n := copy(p, u.unread)
	u.unread = append(u.unread[:0], u.unread[n:]...)
	return n, nil
}

// add adds a code unit.
func (u *utf16Reader) add(unit rune) {
	first := u.first
	u.first = 0
	if char := utf16.DecodeRune(first, unit); char != utf8.RuneError {
		u.unread = utf8.AppendRune(u.unread, char)
		return
	}
	if first != 0 {
		u.unread = utf8.AppendRune(u.unread, utf8.RuneError)
	}
	if utf16.IsSurrogate(unit) {
		u.first = unit
		return
	}
	u.unread = utf8.AppendRune(u.unread, unit)
}

// A macReader converts ends of lines to LF.
type macReader struct {
	r     io.Reader
	after bool // a CR
}

func (m *macReader) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	text := p[:0]
	for _, char := range p[:n] {
		if char == '\n' && m.after {
			m.after = false
			continue
		}
		if m.after = char == '\r'; m.after {
			char = '\n'
		}
		text = append(text, char)
	}
	return len(text), err
}

// skipBOM skips a byte order mark at the beginning of the file.
func (l *lines) skipBOM() {
	if start, _ := l.r.Peek(len(bom)); bytes.Equal(start, bom) && l.number == 0 {
		l.r.Discard(len(bom))
	}
}
