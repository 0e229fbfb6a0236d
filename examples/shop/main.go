package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

//go:embed shop.scxml
var files embed.FS

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Fatal(err)
	}
}

// run runs the shop until ctx is done. It prints its address, and then one line
// of JSON for each order.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("shop", flag.ContinueOnError)
	port := flags.Int("port", 8080, "port on this machine; 0 is any free one")
	file := flags.String("db", "shop.db", "`file` of the database")
	reservation := flags.Duration("reservation", 10*time.Minute, "how long a reservation holds")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chart, err := scxml.Load(files, "shop.scxml")
	if err != nil {
		return err
	}
	st, err := openStore(*file, chart, scxml.WithData("reservation", fmt.Sprint(reservation.Milliseconds(), "ms")))
	if err != nil {
		return err
	}
	defer st.db.Close()
	listener, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", *port))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "http://%s/\n", listener.Addr())

	// Requests and the background goroutines finish their current transactions
	// before the database is closed.
	var background sync.WaitGroup
	defer background.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	background.Go(func() { sweeper(ctx, st) })
	background.Go(func() {
		// A real shop would post the order to another system.
		lines := json.NewEncoder(out)
		st.deliver(ctx, func(_ context.Context, o order) error { return lines.Encode(o) })
	})
	server := &http.Server{
		Handler:     handler(st),
		ReadTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	background.Go(func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		server.Shutdown(grace)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// sweeper processes due events once a second.
func sweeper(ctx context.Context, st *store) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := st.sweep(ctx); err != nil && ctx.Err() == nil {
				slog.Error("cannot process due events", "error", err)
			}
		}
	}
}
