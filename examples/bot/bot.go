package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml"
)

//go:embed *.scxml
var files embed.FS

var chart = scxml.MustLoad(files, "bot.scxml")

// A bot has any number of chats. It is safe for concurrent use.
type bot struct {
	kitchen scxml.Invoker
	say     func(chat, text string) // called on many goroutines, must not block

	ctx     context.Context // of all chats
	running sync.WaitGroup

	mu    sync.Mutex
	chats map[string]*scxml.Session
}

// newBot returns a bot whose chats end when ctx is done.
func newBot(ctx context.Context, kitchen scxml.Invoker, say func(chat, text string)) *bot {
	return &bot{kitchen: kitchen, say: say, ctx: ctx, chats: map[string]*scxml.Session{}}
}

// hear tells the bot what somebody has written in a chat.
func (b *bot) hear(chat, text string) error {
	ev := scxml.Event{Name: "hear", Data: map[string]string{"text": text}}
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := b.chats[chat]; s != nil {
		if err := s.Send(ev); !errors.Is(err, scxml.ErrEnded) {
			return err
		}
	}
	s, err := b.begin(chat)
	if err != nil {
		return err
	}
	return s.Send(ev)
}

// begin begins a chat. The caller holds mu.
func (b *bot) begin(chat string) (*scxml.Session, error) {
	s, err := scxml.New(chart, b.options(chat))
	if err == nil {
		b.drive(chat, s)
	}
	return s, err
}

// options are those of the session of a chat.
func (b *bot) options(chat string) scxml.Options {
	return scxml.Options{
		scxml.WithAccept(func(name string) bool { return name == "hear" }),
		scxml.WithInvoker("kitchen", b.kitchen),
		scxml.WithTrace(&scxml.Trace{Send: func(_ *scxml.Session, m scxml.Message) {
			if m.Event.Name != "say" {
				return
			}
			if said, err := scxml.EventData[struct{ Text string }](m.Event); err == nil {
				b.say(chat, said.Text)
			}
		}}),
	}
}

// drive lets a chat run. The caller holds mu.
func (b *bot) drive(chat string, s *scxml.Session) {
	b.chats[chat] = s
	b.running.Go(func() {
		s.Run(b.ctx) // ends in a final state or with ctx
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.chats[chat] == s {
			delete(b.chats, chat)
		}
	})
}

// suspend ends the chats without a word, and returns them for resume. Nobody hears the bot after it. Then
// b is of no use.
func (b *bot) suspend(ctx context.Context) (map[string][]byte, error) {
	b.mu.Lock()
	chats := maps.Clone(b.chats)
	b.mu.Unlock()
	saved := make(map[string][]byte)
	var failed []error
	for chat, s := range chats {
		var snapshot []byte
		var err error
		// Not after the context of Run is done: then the session has stopped, and does not continue.
		callErr := s.Call(ctx, func(s *scxml.Session) { snapshot, err = s.Suspend() })
		if errors.Is(callErr, scxml.ErrEnded) {
			continue // it came to its end by itself
		}
		if err = errors.Join(callErr, err); err != nil {
			failed = append(failed, fmt.Errorf("chat %s: %w", chat, err))
			continue
		}
		saved[chat] = snapshot
	}
	return saved, errors.Join(failed...)
}

// resume continues a chat.
func (b *bot) resume(chat string, saved []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, err := scxml.Restore(chart, saved, b.options(chat))
	if err == nil {
		b.drive(chat, s)
	}
	return err
}

// wait waits until all chats have ended.
func (b *bot) wait() { b.running.Wait() }
