package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

func main() {
	if err := run(context.Background(), os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run reads lines "CHAT: TEXT" until the end of input.
func run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	var mu sync.Mutex
	b, err := newBot(ctx, scxml.InvokerFunc(kitchen), func(chat, text string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, "to %s: %s\n", chat, text)
	})
	if err != nil {
		cancel()
		return err
	}
	defer b.wait()
	defer cancel()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		chat, text, found := strings.Cut(lines.Text(), ":")
		if !found {
			fmt.Fprintln(out, `write who says what: "ann: a pizza, please"`)
			continue
		}
		if err := b.hear(chat, strings.TrimSpace(text)); err != nil {
			return err
		}
	}
	return lines.Err()
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
