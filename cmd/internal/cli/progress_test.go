package cli

import (
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// The progress line is removed once, and only if it is there.
func TestProgressIsRemovedOnce(t *testing.T) {
	got := onStderr(t, func() {
		p := &Progress{shown: true}
		p.Clear()
		p.Write("1 of 2")
		p.Clear()
		p.Clear()
	})
	if want := "\r\x1b[K1 of 2\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Long work is shown from its first second on until it is done, and short work is not.
func TestWorking(t *testing.T) {
	got := onStderr(t, func() {
		synctest.Test(t, func(t *testing.T) {
			for _, d := range []time.Duration{time.Second - 1, 5 * time.Second / 2} {
				done := (&Progress{shown: true}).working("reading x")
				time.Sleep(d)
				done()
			}
			(&Progress{}).working("reading y")()
		})
	})
	if want := "\r\x1b[Kreading x: 1 s\r\x1b[Kreading x: 2 s\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// onStderr returns what f writes to standard error.
func onStderr(t *testing.T, f func()) string {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	defer func(old *os.File) { os.Stderr = old }(os.Stderr)
	os.Stderr = file
	f()
	got, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}
