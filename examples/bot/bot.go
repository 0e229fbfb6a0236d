package main

import (
	"context"
	"embed"
	"errors"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml"
)

//go:embed *.scxml
var files embed.FS

// A bot has any number of chats. It is safe for concurrent use.
type bot struct {
	chart   *scxml.Chart
	kitchen scxml.Invoker
	say     func(chat, text string) // called on many goroutines, must not block

	ctx     context.Context // of all chats
	running sync.WaitGroup

	mu    sync.Mutex
	chats map[string]*scxml.Session
}

// newBot returns a bot whose chats end when ctx is done.
func newBot(ctx context.Context, kitchen scxml.Invoker, say func(chat, text string)) (*bot, error) {
	chart, err := scxml.Load(files, "bot.scxml")
	if err != nil {
		return nil, err
	}
	return &bot{chart: chart, kitchen: kitchen, say: say, ctx: ctx, chats: map[string]*scxml.Session{}}, nil
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
	s, err := scxml.New(b.chart,
		scxml.WithAccept(func(name string) bool { return name == "hear" }),
		scxml.WithInvoker("kitchen", b.kitchen),
		scxml.WithTrace(&scxml.Trace{Send: func(_ *scxml.Session, m scxml.Message) {
			if m.Event.Name != "say" {
				return
			}
			if said, err := scxml.EventData[struct{ Text string }](m.Event); err == nil {
				b.say(chat, said.Text)
			}
		}}))
	if err != nil {
		return nil, err
	}
	b.chats[chat] = s
	b.running.Go(func() {
		s.Run(b.ctx) // ends in a final state or with ctx
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.chats[chat] == s {
			delete(b.chats, chat)
		}
	})
	return s, nil
}

// wait waits until all chats have ended.
func (b *bot) wait() { b.running.Wait() }
