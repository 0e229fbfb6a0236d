package jetstream

import (
	"reflect"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/codec"
)

// Stores have histories in this form.
func TestStoredHistoryIsTheSame(t *testing.T) {
	h := history{
		count: 300, chunks: []chunk{{0, 200, 1 << 40}, {1, 99, 1 << 41}},
		tail: []fleet.LogEntry{{Revision: 1 << 42, Body: []byte("entry")}, {Body: []byte("last")}},
	}
	const want = "\xac\x02\x02\x00\xc8\x01\x80\x80\x80\x80\x80 \x01c\x80\x80\x80\x80\x80@\x02\x80\x80\x80\x80\x80\x80\x01\x05entry\x00\x04last"
	data := codec.Append(nil, h.code)
	if string(data) != want {
		t.Errorf("got  %q\nwant %q", data, want)
	}
	got, body, err := readHistory(message{seq: 1 << 43, data: append(data, "body"...)})
	if err != nil || string(body) != "body" || !reflect.DeepEqual(got, h.written(1<<43)) {
		t.Errorf("got %+v, %q, %v", got, body, err)
	}
	for n := range data {
		if _, _, err := readHistory(message{data: data[:n]}); err == nil {
			t.Errorf("readHistory accepts the first %d bytes of %d", n, len(data))
		}
	}
}
