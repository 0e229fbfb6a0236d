// Command pgserver runs a PostgreSQL server until its standard input ends, for a test that cannot import
// package pgtest. It prints its URL and its address, or that PostgreSQL is not installed.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/pgtest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	s, err := pgtest.New()
	if errors.Is(err, pgtest.ErrNotInstalled) {
		fmt.Println(err)
		return nil
	} else if err != nil {
		return err
	}
	fmt.Println(s.URL(), s.Address())
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, s.Close())
}
