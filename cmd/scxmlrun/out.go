package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
)

// toStdout reports whether the name of a file for output means standard output.
func toStdout(name string) bool { return name == "" || name == load.Stdin }

// writeTo writes to something that exists, and that nobody can truncate.
func writeTo(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return cmp.Or(err, f.Close())
}

// writeOut writes what a command makes to standard output, or to a file. A regular file is replaced when
// all of it is written; a device or a pipe is written to.
func writeOut(name string, data []byte) error {
	if toStdout(name) {
		return cli.Printed(os.Stdout.Write(data))
	}
	info, err := os.Stat(name)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() { // a device, or a pipe that nobody may read
		_, err = cli.Get(context.Background(), func() (any, error) { return nil, writeTo(name, data) })
	} else {
		err = cli.Unbroken(func() error { return durable.Write(name, data, 0o666) })
	}
	if err != nil && !errors.As(err, new(*cli.Error)) { // it was not interrupted
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot write %q: %w", name, cli.Plain(err))}
	}
	return err
}
