//go:build unix

package console

import (
	"io"
	"reflect"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// A panic restores the terminal before it is printed.
func TestPanicRestoresTerminal(t *testing.T) {
	keyboard, terminal, err := pty.Open()
	if err != nil {
		t.Skipf("cannot open a pseudo-terminal: %v", err)
	}
	defer keyboard.Close()
	defer terminal.Close()
	go io.Copy(io.Discard, keyboard)
	before, err := term.GetState(int(terminal.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(c *Console){
		"of the owner": func(c *Console) {
			defer c.Close()
			c.Lines()
			panic("boom")
		},
		"of another goroutine": func(c *Console) {
			defer c.restoreOnPanic()
			panic("boom")
		},
	} {
		c := New(terminal, terminal)
		if err := c.Open(); err != nil {
			t.Fatal(err)
		}
		if raw, _ := term.GetState(int(terminal.Fd())); reflect.DeepEqual(raw, before) {
			t.Fatalf("%s: the terminal was not taken", name)
		}
		func() {
			defer func() {
				if recover() != "boom" {
					t.Errorf("%s: the panic is gone", name)
				}
			}()
			f(c)
		}()
		if after, _ := term.GetState(int(terminal.Fd())); !reflect.DeepEqual(after, before) {
			t.Errorf("%s: the terminal is not as it was before", name)
		}
		c.Close()
	}
}
