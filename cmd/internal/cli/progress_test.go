package cli

import (
	"os"
	"testing"
)

// The progress line is removed once, and only if it is there.
func TestProgressIsRemovedOnce(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer func(old *os.File) { os.Stderr = old }(os.Stderr)
	os.Stderr = f
	p := &Progress{shown: true}
	p.Clear()
	p.Write("1 of 2")
	p.Clear()
	p.Clear()
	got, err := os.ReadFile(f.Name())
	if want := "\r\x1b[K1 of 2\r\x1b[K"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	f.Close()
}
