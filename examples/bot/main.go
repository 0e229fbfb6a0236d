package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdin, os.Stdout, "bot-chats.json"); err != nil {
		log.Fatal(err)
	}
}

// run reads lines "CHAT: TEXT" until the end of input, which ends the chats, or until ctx is done: then the
// chats are in the file, and the next run continues them.
func run(ctx context.Context, in io.Reader, out io.Writer, file string) error {
	// Not ctx: the chats must not stop before they are saved.
	chats, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var mu sync.Mutex
	b := newBot(chats, scxml.InvokerFunc(kitchen), func(chat, text string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, "to %s: %s\n", chat, text)
	})
	defer b.wait()
	defer cancel()
	if err := b.load(file); err != nil {
		return err
	}
	lines, ended := make(chan string), make(chan error, 1)
	go func() {
		scanner := bufio.NewScanner(in)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
		ended <- scanner.Err()
	}()
	for {
		select {
		case <-ctx.Done():
			return b.save(file)
		case err := <-ended:
			return err
		case line := <-lines:
			if chat, text, found := strings.Cut(line, ":"); !found {
				fmt.Fprintln(out, `write who says what: "ann: a pizza, please"`)
			} else if err := b.hear(chat, strings.TrimSpace(text)); err != nil {
				return err
			}
		}
	}
}

// save suspends the chats, and writes them to a file.
func (b *bot) save(file string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	saved, err := b.suspend(ctx) // those that could be
	text, _ := json.Marshal(saved)
	return errors.Join(err, os.WriteFile(file, text, 0o600))
}

// load resumes the chats of a file, if there is one, and removes it: no chat may continue twice.
func (b *bot) load(file string) error {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var saved map[string][]byte
	if err == nil {
		err = json.Unmarshal(text, &saved)
	}
	for chat, snapshot := range saved {
		err = errors.Join(err, b.resume(chat, snapshot))
	}
	if err == nil {
		err = os.Remove(file)
	}
	return err
}

// kitchen says how many minutes a pizza takes. That takes it a second.
func kitchen(ctx context.Context, inv *scxml.Invocation) (any, error) {
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	address, _ := inv.Params.Get("address")
	if text, _ := address.(string); !strings.ContainsAny(text, "0123456789") {
		return nil, errors.New("an address has a number")
	}
	return map[string]int{"minutes": 25}, nil
}
