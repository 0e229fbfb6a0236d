package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"time"
)

func main() {
	dir, err := os.MkdirTemp("", "orders")
	if err == nil {
		defer os.RemoveAll(dir)
		err = day(context.Background(), dir, os.Stdout)
	}
	if err != nil {
		log.Print(err)
	}
}

// day plays two orders. The bank declines the card 0000.
func day(ctx context.Context, dir string, out io.Writer) error {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	sv, err := openService(dir, func() time.Time { return now })
	if err != nil {
		return err
	}
	partners := func(ctx context.Context, id string, t task) error {
		fmt.Fprintf(out, "%s  %s %s %s\n", now.Format(time.TimeOnly), id, t.Name, t.Data)
		var asked struct{ Key, Card string }
		if err := json.Unmarshal(t.Data, &asked); err != nil {
			return err
		}
		key := map[string]string{"key": asked.Key}
		switch {
		case t.Name == "ask.charge" && asked.Card == "0000":
			return sv.answer(ctx, id, "payment.declined", key)
		case t.Name == "ask.charge":
			return sv.answer(ctx, id, "payment.accepted", key)
		}
		return nil
	}
	for _, id := range []string{"tea", "cake"} {
		if _, err := sv.place(ctx, id, []item{{id, 320}}); err != nil {
			return err
		}
	}
	for i, card := range []string{"0000", "4711"} {
		now = now.Add(5 * time.Minute)
		if _, err := sv.send(ctx, "tea", fmt.Sprint("request", i), "pay", map[string]string{"card": card}); err != nil {
			return err
		}
		if err := sv.work(ctx, partners); err != nil { // the answer of the bank
			return err
		}
		if err := sv.work(ctx, partners); err != nil { // and what the order asks for then
			return err
		}
	}
	now = now.Add(time.Hour)
	if err := sv.sweep(ctx); err != nil {
		return err
	}
	for _, id := range []string{"tea", "cake"} {
		v, err := sv.send(ctx, id, "", "", nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s  %s is %s, can %s\n", now.Format(time.TimeOnly), id, v.State, v.Can)
	}
	return nil
}
