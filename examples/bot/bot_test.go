package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A chat is a bot in a test. Time is that of a synctest bubble.
type chat struct {
	t *testing.T
	b *bot

	mu   sync.Mutex
	said []string
}

// talk runs f with a new bot, whose chats are over when it returns.
func talk(t *testing.T, kitchen scxml.InvokerFunc, f func(c *chat)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := &chat{t: t}
		c.b = newBot(ctx, kitchen, func(name, text string) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.said = append(c.said, name+": "+text)
		})
		f(c)
		cancel()
		c.b.wait()
	})
}

// hears checks what the bot says until it waits.
func (c *chat) hears(name, text string, want ...string) {
	c.t.Helper()
	if err := c.b.hear(name, text); err != nil {
		c.t.Fatal(err)
	}
	c.says(want...)
}

func (c *chat) says(want ...string) {
	c.t.Helper()
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Equal(c.said, want) {
		c.t.Errorf("said\n%q, want\n%q", c.said, want)
	}
	c.said = nil
}

func TestPizza(t *testing.T) {
	talk(t, kitchen, func(c *chat) {
		c.hears("ann", "hello", "ann: Say pizza, or tell me what went wrong.")
		c.hears("ann", "A pizza!", "ann: Which one: margherita, funghi, diavola?")
		c.hears("ann", "The best", "ann: Which one: margherita, funghi, diavola?")
		c.hears("bob", "pizza", "bob: Which one: margherita, funghi, diavola?")
		c.hears("ann", "Funghi then", "ann: Where shall we bring the funghi?")
		c.hears("ann", "1 Main Street")
		time.Sleep(time.Second)
		c.says("ann: Your funghi arrives in 25 minutes.")
		c.hears("ann", "bye", "ann: Goodbye!")
		c.hears("ann", "hello", "ann: Say pizza, or tell me what went wrong.") // a new chat
	})
}

func TestStopEndsADialog(t *testing.T) {
	talk(t, kitchen, func(c *chat) {
		c.hears("ann", "it was cold", "ann: I am sorry. What happened?")
		c.hears("ann", "stop", "ann: All right.")
		c.hears("ann", "it was late", "ann: I am sorry. What happened?")
		c.hears("ann", "nothing", "ann: Noted.")
	})
}

func TestKitchen(t *testing.T) {
	for name, test := range map[string]struct {
		kitchen scxml.InvokerFunc
		after   time.Duration
	}{
		"fails": {func(context.Context, *scxml.Invocation) (any, error) { return nil, errors.New("on fire") }, 0},
		"is silent": {func(ctx context.Context, _ *scxml.Invocation) (any, error) {
			<-ctx.Done() // when the dialog has left the state that invoked it
			return nil, ctx.Err()
		}, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			talk(t, test.kitchen, func(c *chat) {
				c.hears("ann", "pizza", "ann: Which one: margherita, funghi, diavola?")
				c.hears("ann", "diavola", "ann: Where shall we bring the diavola?")
				c.b.hear("ann", "1 Main Street")
				time.Sleep(test.after)
				c.says("ann: The kitchen does not answer. Try again later.")
			})
		})
	}
}

// A bot that ends continues its chats when it begins again.
func TestSuspend(t *testing.T) {
	talk(t, kitchen, func(c *chat) {
		c.hears("ann", "pizza", "ann: Which one: margherita, funghi, diavola?")
		c.hears("bob", "bye", "bob: Goodbye!")
		saved, err := c.b.suspend(context.Background())
		if err != nil || len(saved) != 1 {
			t.Fatalf("saved %d chats, %v", len(saved), err)
		}
		c.b.wait()
		c.b = newBot(c.b.ctx, c.b.kitchen, c.b.say)
		if err := c.b.resume("ann", saved["ann"]); err != nil {
			t.Fatal(err)
		}
		c.hears("ann", "funghi", "ann: Where shall we bring the funghi?")
	})
}

// After ten minutes of silence a chat is over, and forgotten.
func TestChatsEnd(t *testing.T) {
	talk(t, kitchen, func(c *chat) {
		c.hears("ann", "pizza", "ann: Which one: margherita, funghi, diavola?")
		time.Sleep(9 * time.Minute)
		c.hears("ann", "hm", "ann: Which one: margherita, funghi, diavola?")
		time.Sleep(9 * time.Minute)
		c.hears("ann", "hm", "ann: Which one: margherita, funghi, diavola?")
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if n := len(c.b.chats); n > 0 {
			t.Errorf("%d chats", n)
		}
		c.hears("ann", "funghi", "ann: Say pizza, or tell me what went wrong.")
	})
}

// People cannot speak for the kitchen.
func TestForgery(t *testing.T) {
	talk(t, kitchen, func(c *chat) {
		c.hears("ann", "pizza", "ann: Which one: margherita, funghi, diavola?")
		err := c.b.chats["ann"].Send(scxml.Event{Name: "done.invoke.pizza", Data: "It is free."})
		if !errors.Is(err, scxml.ErrNotAccepted) {
			t.Errorf("got %v, want %v", err, scxml.ErrNotAccepted)
		}
	})
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, lines := io.Pipe()
		var out bytes.Buffer
		ended := make(chan error)
		go func() { ended <- run(t.Context(), in, &out, filepath.Join(t.TempDir(), "chats")) }()
		for _, line := range []string{"hello", "ann: a pizza, please", "ann: diavola", "ann: 1 Main Street"} {
			io.WriteString(lines, line+"\n")
			time.Sleep(2 * time.Second)
		}
		lines.Close()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		want := `write who says what: "ann: a pizza, please"
to ann: Which one: margherita, funghi, diavola?
to ann: Where shall we bring the diavola?
to ann: Your diavola arrives in 25 minutes.
`
		if out.String() != want {
			t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
		}
	})
}

// A program that is told to end in the middle of a chat continues it when it runs again.
func TestGracefulEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chats")
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		for _, line := range []string{"ann: pizza", "ann: funghi", "ann: 1 Main Street"} {
			in, lines := io.Pipe()
			ctx, terminate := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- run(ctx, in, &out, file) }()
			io.WriteString(lines, line+"\n")
			time.Sleep(2 * time.Second)
			terminate()
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			lines.Close()
		}
		want := `to ann: Which one: margherita, funghi, diavola?
to ann: Where shall we bring the funghi?
to ann: Your funghi arrives in 25 minutes.
`
		if out.String() != want {
			t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
		}
	})
}
