package framing_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/framing"
)

const most = 1 << 16

func TestRead(t *testing.T) {
	for _, test := range []struct{ name, input, content, rest string }{
		{"one field", "Content-Length: 2\r\n\r\n{}Con", "{}", "Con"},
		{"nothing", "Content-Length: 0\r\n\r\n", "", ""},
		{"other fields", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\nX: y\r\n\r\n{}", "{}", ""},
		{"case and spaces", "content-length:2 \r\n\r\n{}", "{}", ""},
		{"line feeds alone", "Content-Length: 2\n\n{}", "{}", ""},
		{"empty lines before", "\r\n\r\nContent-Length: 2\r\n\r\n{}", "{}", ""},
		{"bytes, not characters", "Content-Length: 4\r\n\r\n\"é\"x", "\"é\"", "x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := bufio.NewReader(strings.NewReader(test.input))
			got, err := framing.Read(r, most)
			if err != nil || string(got) != test.content {
				t.Fatalf("Read: %q, %v; want %q", got, err, test.content)
			}
			if rest, _ := io.ReadAll(r); string(rest) != test.rest {
				t.Errorf("%q is left, want %q", rest, test.rest)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	for _, test := range []struct{ input, want string }{
		{"", "EOF"},
		{"Content-Length: 2", "unexpected EOF"},
		{"Content-Length: 2\r\n", "unexpected EOF"},
		{"Content-Length: 2\r\n\r\n{", "unexpected EOF"},
		{"{}\n", `"{}" is not a header field: want Content-Length: and a number`},
		{"X: y\r\n\r\n", "the header has no Content-Length"},
		{"hello\r\n\r\n", `"hello" is not a header field: want Content-Length: and a number`},
		{"{\"seq\":1}\r\n\r\n", "is not a header field"},
		{"POST /a:b HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", "is not a header field"},
		{"Content-Length: two\r\n\r\n", `Content-Length: "two" is not a number of bytes`},
		{"Content-Length: -2\r\n\r\n", `Content-Length: "-2" is not a number of bytes`},
		{"Content-Length: 99999999999999999999\r\n\r\n", "is not a number of bytes"},
		{"Content-Length: 65537\r\n\r\n", "Content-Length: 65537 is more than the maximum of 65536 bytes"},
		{"X: " + strings.Repeat("y", 1<<20), "the header of the message is longer than 4096 bytes"},
		{strings.Repeat("X: y\r\n", 1<<16), "the header of the message is longer than 4096 bytes"},
	} {
		content, err := framing.Read(bufio.NewReader(strings.NewReader(test.input)), most)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Read(%.40q): %q, %v; want an error with %q", test.input, content, err, test.want)
		}
	}
}

// FuzzRead checks that any input gives messages or an error, that what is read can be written and read
// again, and that the end of the input inside a message is told from the end between two.
func FuzzRead(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]"))
	f.Add([]byte("Content-Type: x\nContent-Length: 1\n\n1"))
	f.Add([]byte("\r\n\r\n: \r\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		r := bufio.NewReader(bytes.NewReader(input))
		var written bytes.Buffer
		var all [][]byte
		var err error
		for {
			var content []byte
			if content, err = framing.Read(r, most); err != nil {
				break
			}
			if err := framing.Write(&written, content); err != nil {
				t.Fatal(err)
			}
			all = append(all, content)
		}
		if wrong := new(framing.Error); !errors.As(err, &wrong) && err != io.EOF && err != io.ErrUnexpectedEOF {
			t.Fatalf("Read: %v", err)
		}
		r = bufio.NewReader(&written)
		for _, want := range all {
			if got, err := framing.Read(r, most); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("written and read again: %q, %v; want %q", got, err, want)
			}
		}
		if _, err := framing.Read(r, most); err != io.EOF {
			t.Fatalf("after the last message: %v", err)
		}
	})
}
