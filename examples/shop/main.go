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
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

// creditLimit is what the example's bank pays, in cents.
const creditLimit = 30_000

//go:embed shop.scxml
var files embed.FS

var chart = scxml.MustLoad(files, "shop.scxml")

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
	dir := flags.String("store", "shop-data", "`folder` of the store")
	reservation := flags.Duration("reservation", 10*time.Minute, "how long a reservation holds")
	if err := flags.Parse(args); err != nil {
		return err
	}
	store, err := bolt.Open(*dir)
	if err != nil {
		return err
	}
	defer store.Close()
	// A real shop would post orders to another system, and ask a bank.
	lines := json.NewEncoder(out)
	var printing sync.Mutex
	sh, err := openShop(ctx, store, chart, *reservation, outside{
		order: func(_ context.Context, o order) error {
			printing.Lock()
			defer printing.Unlock()
			return lines.Encode(o)
		},
		collect: func(_ context.Context, _ string, amount int) (bool, error) { return amount <= creditLimit, nil },
	})
	if err != nil {
		return err
	}
	defer sh.fleet.Close()
	listener, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", *port))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "http://%s/\n", listener.Addr())

	// Requests and Run finish what they do before the store is closed.
	var background sync.WaitGroup
	defer background.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	background.Go(func() { sh.fleet.Run(ctx) })
	server := &http.Server{
		Handler:     sh.handler(),
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
