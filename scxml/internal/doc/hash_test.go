package doc

import (
	"bytes"
	"testing"
	"testing/fstest"
)

// TestHash checks that the hash of a document depends on its source, and on the names and contents
// of the files that it loads.
func TestHash(t *testing.T) {
	const src = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><script src="x.js"/><state/></scxml>`
	hash := func(src string, files fstest.MapFS) []byte {
		d, diags := Parse("t.scxml", []byte(src), Options{Loader: files})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		return d.Hash
	}
	x := fstest.MapFS{"x.js": {Data: []byte("1")}}
	first := hash(src, x)
	for what, changed := range map[string][]byte{
		"another file":   hash(src, fstest.MapFS{"x.js": {Data: []byte("2")}}),
		"another source": hash(src+"\n", x),
	} {
		if bytes.Equal(first, changed) {
			t.Errorf("%s: the hash has not changed", what)
		}
	}
	if again := hash(src, x); len(first) != 32 || !bytes.Equal(first, again) {
		t.Errorf("the hash is %x, then %x", first, again)
	}
}
