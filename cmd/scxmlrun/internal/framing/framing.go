// Package framing reads and writes messages as the Debug Adapter Protocol and the Language Server
// Protocol frame them: header fields, an empty line, and the content. The length of the content is in
// the field Content-Length.
package framing

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxHeader is the maximum length of the header fields of a message, in bytes.
const maxHeader = 4096

// An Error says why what has arrived is not a message. The reader is then at an unknown place, so the
// connection cannot be used any more.
type Error struct{ Reason string }

func (e *Error) Error() string { return e.Reason }

// Read reads a message and returns its content, of at most the given number of bytes. The error is
// io.EOF at the end of the input, io.ErrUnexpectedEOF if it ends inside a message, and an *[Error] if
// it is not a message. Header fields other than Content-Length are ignored.
func Read(r *bufio.Reader, most int) ([]byte, error) {
	length := -1
	for read := 0; ; {
		line, err := readLine(r, maxHeader-read)
		if err != nil {
			if errors.Is(err, io.EOF) && read+len(line) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		read += len(line)
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" && read == len(line) {
			read = 0 // empty lines before a message
			continue
		}
		if text == "" {
			break
		}
		// The first line of an HTTP request, which a page in a browser can send, can have a colon too.
		name, value, ok := strings.Cut(text, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t/\"{") {
			return nil, &Error{fmt.Sprintf("%.40q is not a header field: want Content-Length: and a number", text)}
		}
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		value = strings.TrimSpace(value)
		if length, err = strconv.Atoi(value); err != nil || length < 0 {
			return nil, &Error{fmt.Sprintf("Content-Length: %.40q is not a number of bytes", value)}
		}
		if length > most {
			return nil, &Error{fmt.Sprintf("Content-Length: %d is more than the maximum of %d bytes", length, most)}
		}
	}
	if length < 0 {
		return nil, &Error{"the header has no Content-Length"}
	}
	// The memory grows with what arrives, and not with what was announced.
	var content bytes.Buffer
	if _, err := io.CopyN(&content, r, int64(length)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return content.Bytes(), nil
}

// readLine reads up to the end of a line of at most the given number of bytes.
func readLine(r *bufio.Reader, most int) (line []byte, err error) {
	for len(line) < most {
		b, err := r.ReadByte()
		if err != nil {
			return line, err
		}
		if line = append(line, b); b == '\n' {
			return line, nil
		}
	}
	return line, &Error{fmt.Sprintf("the header of the message is longer than %d bytes", maxHeader)}
}

// Write writes a message, with one call of w.Write.
func Write(w io.Writer, content []byte) error {
	message := fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(content))
	_, err := w.Write(append(message, content...))
	return err
}
