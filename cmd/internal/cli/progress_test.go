package cli

import (
	"fmt"
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
				done := (&Progress{shown: true}).Working("reading x")
				time.Sleep(d)
				done()
			}
			(&Progress{}).Working("reading y")()
		})
	})
	if want := "\r\x1b[Kreading x: 1 s\r\x1b[Kreading x: 2 s\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What is written to the terminal of the line comes after the line was removed, and the line then waits.
func TestProgressOfTheSameTerminal(t *testing.T) {
	got := onStderr(t, func() {
		synctest.Test(t, func(t *testing.T) {
			p := &Progress{shown: true}
			done := p.Working("working")
			time.Sleep(1100 * time.Millisecond)
			p.Write("1 of 2")
			if n, err := p.Through(os.Stderr, []byte("text\n")); n != 5 || err != nil || p.Due() {
				t.Errorf("wrote %d, %v, due: %t", n, err, p.Due())
			}
			time.Sleep(3 * time.Second)
			p.Through(os.Stderr, []byte("a, "))
			time.Sleep(3 * time.Second)
			p.Through(os.Stderr, []byte("b\n"))
			done()
		})
	})
	if want := "\r\x1b[Kworking: 1 s\r\x1b[K1 of 2\r\x1b[Ktext\n\r\x1b[K1 of 2: 3 s\r\x1b[K1 of 2: 4 s\r\x1b[Ka, b\n"; got != want {
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

// Where no line can be removed, there is a new one every ten seconds.
func TestProgressOnAPipe(t *testing.T) {
	got := onStderr(t, func() {
		synctest.Test(t, func(t *testing.T) {
			p := NewProgress()
			for i := range 250 {
				time.Sleep(time.Second / 10)
				p.Write(fmt.Sprint(i, " done"))
			}
			p.Clear()
		})
	})
	if want := "10 s: 99 done\n20 s: 199 done\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
