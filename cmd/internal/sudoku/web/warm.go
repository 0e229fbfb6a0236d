package web

import (
	"context"
	"errors"
	"fmt"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// warmKeys are what players press most.
var warmKeys = []string{"Right", "Down", "1", "2", "Ctrl+Z", "M", "1", "M", "Left", "Up"}

// WarmUp presses keys in a game that nobody sees, each when quiet returns, until it is done or ctx is. A browser compiles
// a program bit by bit, when it is first needed: without this the player's first keys take four times as long as others.
func WarmUp(ctx context.Context, chart *scxml.Chart, quiet func()) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages, ended := make(chan Message), make(chan error, 1)
	quiet()
	go func() { ended <- Play(ctx, chart, NewRemote(func(Message) {}), messages, func(Message) {}) }()
	texts := []string{`{"do":"start"}`}
	for range 3 {
		for _, key := range warmKeys {
			texts = append(texts, fmt.Sprintf(`{"do":"key","key":%q}`, key))
		}
	}
	for _, text := range texts {
		select {
		case err := <-ended:
			return err
		case messages <- Message{Text: []byte(text)}:
		}
		quiet()
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
