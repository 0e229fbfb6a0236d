package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
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

// day plays two orders, which it keeps in a folder. The bank declines the card 0000.
func day(ctx context.Context, dir string, out io.Writer) (err error) {
	store, err := bolt.Open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var passed atomic.Int64
	now := func() time.Time { return time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC).Add(time.Duration(passed.Load())) }
	var sv *service
	asked := make(chan string)
	partner := func(ctx context.Context, d fleet.Delivery) error {
		ask := d.Message.Event
		var about struct{ Key, Card string }
		if err := datamodel.Decode(ask.Data, &about); err != nil {
			return err
		}
		if ask.Name == "ask.charge" {
			answer := "payment.accepted"
			if about.Card == "0000" {
				answer = "payment.declined"
			}
			if err := sv.answer(ctx, d.Key, d.ID, answer, map[string]string{"key": about.Key}); err != nil {
				return err
			}
		}
		select {
		case asked <- fmt.Sprintf("%s  %s %s %s", now().Format(time.TimeOnly), d.Key, ask.Name, datamodel.Text(ask.Data)):
		case <-ctx.Done():
		}
		return nil
	}
	if sv, err = newService(store, now, partner); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	ran := make(chan error)
	go func() { ran <- sv.fleet.Run(ctx) }()
	defer func() { stop(); <-ran }()

	for _, id := range []string{"tea", "cake"} {
		if err := sv.place(ctx, id, []item{{id, 320}}); err != nil {
			return err
		}
	}
	for _, card := range []string{"0000", "4711"} {
		passed.Add(int64(5 * time.Minute))
		if err := sv.send(ctx, "tea", card, "pay", map[string]string{"card": card}); err != nil {
			return err
		}
		fmt.Fprintln(out, <-asked)
	}
	fmt.Fprintln(out, <-asked) // what the order asks for when it is paid
	passed.Add(int64(time.Hour))
	for _, id := range []string{"tea", "cake"} {
		v, err := sv.look(ctx, id)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s  %s is %s, can %s\n", now().Format(time.TimeOnly), id, v.State, v.Can)
	}
	return nil
}
