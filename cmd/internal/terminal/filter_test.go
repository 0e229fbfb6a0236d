package terminal

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gdamore/tcell/v2"
)

// What a terminal types and what tcell gets; ⏸ is a pause.
func TestFilter(t *testing.T) {
	for _, test := range []struct{ typed, want string }{
		// Keys.
		{"a\x1b[Ab", "a\x1b[Ab"},
		{"\x1b⏸a", "\x1b[27;1ua"},       // Esc
		{"\x1b\x1b⏸a", "\x1b[27;1ua"},   // Esc, twice at once
		{"\x1b⏸[C", "\x1b[27;1u\x1b[C"}, // an arrow in pieces
		{"\x1b⏸OC", "\x1b[27;1u\x1bOC"},
		{"\x1b[⏸Ca", "\x1b[91;3u\x1b[Ca"},
		{"\x1b⏸[1;2C", "\x1b[27;1u\x1b[1;2C"},
		{"\x1b⏸⏸[C", "\x1b[27;1u[C"}, // Esc, a second ago
		{"\x1b⏸[⏸Oa", "\x1b[27;1u[Oa"},
		{"\x1b[⏸a", "\x1b[91;3ua"},                   // Alt+[
		{"\x1bO⏸a\x1b]⏸a", "\x1b[79;3ua\x1b[93;3ua"}, // Alt+O, Alt+]
		{"\x1bN5", "\x1b[78;3u5"},                    // Alt+N
		{"\x1bx\x1b\t\x1b\x7f", "\x1bx\x1b\t\x1b\x7f"},
		{"\x1b\x1b[A\x1b\x1bOA\x1b\x1b[5~", "\x1b[1;3A\x1b[1;3A\x1b[5;3~"}, // Alt and another key
		{"\x1b\x1bx", "\x1b[27;1u\x1bx"},
		{"\x1b[1;5C\x1b[97;5u\x1b[27;5;9~\x1b[[A\x1bOP\x1b[<0;3;4M\x1b[I", "\x1b[1;5C\x1b[97;5u\x1b[27;5;9~\x1b[[A\x1bOP\x1b[<0;3;4M\x1b[I"},
		{"\x1b[65;30;97;1;0;1_\x1b[65;30;97;0;0;1_", "\x1b[65;30;97;1;0;1_"},
		{"\x1b[0;0;27;1;0;1_\x1b[0;0;91;1;0;1_\x1b[0;0;65;1;0;1_", "\x1b[A"},

		// Strings, ended or not.
		{"\x1b]52;c;QQ==\x07a\x1bPx\x1b\\a\x1b_é\x1b\\a", "aaa"},
		{"\x1b]0;a⏸5", "5"},
		{"\x1bXa⏸5\x1b^a⏸5\x1b_a⏸5\x1bPa⏸5", "5555"},
		{"\x1b]0;a\x1b[A", "\x1b[A"},
		{"\x1b]0;a\x03", "\x03"},
		{"\x1b]" + strings.Repeat("a", 1<<20) + "⏸5", "5"},

		// Control sequences that are cut, or that nobody types.
		{"\x1b[1;⏸5\x1b[<0;1⏸5\x1b[[⏸5\x1bO\x03", "555\x03"},
		{"\x1b[1;\x03\x1b[1é", "\x03é"},
		{"\x1b[1;\x1b[A", "\x1b[A"},
		{"\x1b\x03", "\x1b[27;1u\x03"},
		{"\x1b[" + strings.Repeat("9", 1000) + "Aa", "a"},
		{"\x1b[" + strings.Repeat("1;", 1000) + "Aa", "a"},
		{"\x1b[99999999999999999999ua\x1b[2147483647;1Ha", "aa"},
		{"\x1b[65;30;97;1;0;2147483647_a", "a"},
		{"\x1b[65;30;97;1;0;65535_a", "\x1b[65;30;97;1;0;100_a"},
		{"\x1b[0;0;27;1;0;1_\x1b[0;0;93;1;0;1_\x1b[0;0;65;1;0;1_⏸5", "5"},

		// Pastes.
		{"\x1b[200~a\rb\x1b[201~c", "\x1b[200~a\rb\x1b[201~c"},
		{"\x1b[200~a\x1b]b\x1b\x1b[201~c", "\x1b[200~a]b\x1b[201~c"},
		{"\x1b[200~a\x00\x03\x1b[201~c", "\x1b[200~a\x1b[201~c"}, // content
		{"\x1b[200~a⏸5", "\x1b[200~a\x1b[201~5"},
		{"\x1b[200~a\x1b[20⏸5", "\x1b[200~a\x1b[201~5"},
		{"\x1b[200~a\x03⏸", "\x1b[200~a\x1b[201~\x03"},
		{"\x1b[201~5", "5"},
	} {
		f := filter{isUTF8: func() bool { return true }}
		var got []byte
		for i, part := range strings.Split(test.typed, "⏸") {
			if i > 0 {
				got = f.end(got)
			}
			for _, b := range []byte(part) {
				got = f.feed(got, b)
			}
		}
		if string(got) != test.want {
			t.Errorf("%.50q: got %q, want %q", test.typed, got, test.want)
		}
		if f.pause() == 0 != (len(f.begun) == 0 && f.cut == "") {
			t.Errorf("%.50q: waits %v for the rest of %q", test.typed, f.pause(), f.begun)
		}
	}
}

// Whatever has begun, the key after a pause is a key, without a modifier.
func TestKeyAfterPause(t *testing.T) {
	for _, begun := range []string{
		"\x1b", "\x1b\x1b", "\x1b]0;title", "\x1bP1$r", "\x1b_G", "\x1b^", "\x1bX", "\x1b]0;\x1b", "\x1b[", "\x1b[1;", "\x1b[[",
		"\x1b[<0;1;", "\x1bO", "\x1bN", "\x1b\x1b[99z", "\x1b[65;30;97;1;0;2147483647_", "\x1b[0;0;27;1;0;1_", "\xe2\x82", "\x1b[200~a",
	} {
		synctest.Test(t, func(t *testing.T) {
			screen, tty := newFed(t, 80, 24)
			tty.input <- []byte(begun)
			time.AfterFunc(pastePause+sequencePause, func() { tty.input <- []byte("!") })
			keys(t, screen, '!')
		})
	}
}

// On a slow line the keys after the first one arrive whole, and not in pieces that are keys of their own.
func TestSlowLine(t *testing.T) {
	for _, delay := range []string{"", "400"} {
		t.Setenv("ESCDELAY", delay)
		synctest.Test(t, func(t *testing.T) {
			screen, tty := newFed(t, 80, 24)
			go func() {
				for _, b := range "\x1b[C\x1b[C\x1b[C!" {
					time.Sleep(150 * time.Millisecond)
					tty.input <- []byte(string(b))
				}
			}()
			var got []string
			for len(got) == 0 || got[len(got)-1] != "!" {
				if key, ok := screen.PollEvent().(*tcell.EventKey); ok {
					got = append(got, KeyName(key))
				}
			}
			want := "Esc Right Right Right !"
			if delay != "" {
				want = "Right Right Right !"
			}
			if strings.Join(got, " ") != want {
				t.Errorf("ESCDELAY=%s: got %q, want %q", delay, got, want)
			}
		})
	}
}

// A filter holds little, and passes on what leaves tcell as it was: a key is a key at once.
func TestFilterHoldsNothing(t *testing.T) {
	const alphabet = "\x1b\x1b\x1b[]O_P\\;;~~u0129AM<?\x03\xe2\x82"
	events := make(chan tcell.Event, 1000)
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 0))
		f := filter{isUTF8: func() bool { return true }}
		var passed []byte
		for range 100 {
			passed = f.feed(passed, alphabet[random.IntN(len(alphabet))])
		}
		passed = append(f.end(passed), '!')
		tcell.NewInputProcessor(events).ScanUTF8(passed)
		var last tcell.Event
		for len(events) > 0 {
			last = <-events
		}
		if key, ok := last.(*tcell.EventKey); !ok || key.Name() != "Rune[!]" {
			t.Fatalf("seed %d: %q ends with %T %+v", seed, passed, last, last)
		}
		if cap(f.begun) > 2*maxSequence {
			t.Fatalf("seed %d: holds %d bytes", seed, cap(f.begun))
		}
	}
}
