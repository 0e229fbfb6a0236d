package history

import (
	"bytes"
	"testing"
)

// FuzzDelta: a text comes back from its base and the difference, and damaged differences are noticed or
// lead to another text, but not to a panic.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("state a, data 1, and the rest that is longer than a block"), []byte("state b, data 1, and the rest that is longer than a block"), []byte{1})
	f.Add([]byte(""), []byte("x"), []byte{0x80})
	f.Fuzz(func(t *testing.T, old, text, damaged []byte) {
		b := newBase(old)
		again, err := patch(old, b.diff(text))
		if err != nil || !bytes.Equal(again, text) && len(text) > 0 {
			t.Errorf("%q, %v, want %q", again, err, text)
		}
		if _, err := patch(old, damaged); err == nil {
			return
		}
	})
}

// A small change in a large text makes a small difference, wherever it is.
func TestDeltaIsSmall(t *testing.T) {
	var old []byte
	for i := range 10_000 {
		old = append(old, "{\"digit\":"...)
		old = append(old, byte('0'+i%10), ',', byte('a'+i%26), byte('a'+i/26%26), '}')
	}
	b := newBase(old)
	if delta := b.diff(old); len(delta) > 60 {
		t.Errorf("no change: %d bytes differ", len(delta))
	}
	for _, at := range []int{0, 1, 17, len(old) / 2, len(old) - 1} {
		text := bytes.Clone(old)
		text[at] = '!'
		text = append(text[:at+1:at+1], append([]byte(" and more"), text[at+1:]...)...)
		delta := b.diff(text)
		if again, err := patch(old, delta); err != nil || !bytes.Equal(again, text) {
			t.Errorf("change at %d: the text does not come back, %v", at, err)
		}
		if len(delta) > 60 {
			t.Errorf("change at %d of %d bytes: %d bytes differ", at, len(old), len(delta))
		}
	}
}
