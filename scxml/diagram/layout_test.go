package diagram

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"
)

func svg(t testing.TB, l *Layout, opts SVGOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := l.WriteSVG(&b, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The same chart has the same picture, byte by byte, which is well-formed XML.
func TestSVGIsStable(t *testing.T) {
	first := svg(t, New(parse(t, doorChart)).Layout(), SVGOptions{})
	for range 20 {
		if again := svg(t, New(parse(t, doorChart)).Layout(), SVGOptions{}); again != first {
			t.Fatalf("got:\n%s\nwant:\n%s", again, first)
		}
	}
	d := xml.NewDecoder(bytes.NewReader([]byte(first)))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
