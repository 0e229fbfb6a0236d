package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/dap"
)

const dapHelp = `Dap lets an editor debug charts: it speaks the Debug Adapter Protocol on standard input
and output, or with --listen on a port, where it serves until Ctrl+C. Editors start it;
cmd/scxmlrun/vscode has the files for VS Code, and the guide "In your editor" tells how to
set up others.

Arguments of "launch":
  program      the file of the chart
  recording    the file of a recording (scxmlrun run --record), in place of the program;
               with a program too, that chart gets the recorded events
  cwd          the folder that names of files are relative to
  data         an object: initial values of top-level data items
  events       a list of inputs, such as "tap {\"x\":0}", or "advance 5s"
  clock        real, or virtual: time advances only on command (default: real)
  seed         seed of Math.random and generated ids
  strict       true applies the limits for untrusted charts
  limits       a list of limits, such as "Microsteps=1000"
  stopOnEntry  true stops before the chart starts

Breakpoints can be at lines, and as function breakpoints at state:ID, enter:ID, exit:ID
and event:DESCRIPTOR. On the console of the debugger, "help" lists the commands.

A debugger runs charts, which are programs, and reads files: everyone who reaches the
port can use it. --listen therefore takes only addresses of this machine.

Exit status:
  1    the connection has failed
  2    wrong usage
  130  interrupted, as with Ctrl+C`

const dapExample = `  scxmlrun dap
  scxmlrun dap --listen 127.0.0.1:4711`

// newDAPCommand returns the command that serves editors as a debugger.
func newDAPCommand() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use:     "dap",
		Short:   "Debug charts in an editor (Debug Adapter Protocol)",
		Long:    dapHelp,
		Example: dapExample,
		Args:    cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := cli.Interruptible(cmd.Context(), nil, cli.NewLast())
			defer cancel(nil)
			if address != "" {
				return serveDAP(ctx, address)
			}
			return dapOutcome(ctx, dap.Serve(ctx, os.Stdin, os.Stdout))
		},
	}
	cmd.Flags().StringVar(&address, "listen", "", "serve at this loopback `ADDRESS` instead, for example 127.0.0.1:4711; the port may be 0")
	return cmd
}

// serveDAP serves the clients that connect to an address.
func serveDAP(ctx context.Context, address string) error {
	l, err := listen(address, false, "")
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { l.Close() })
	if err := cli.Printed(fmt.Println(l.Addr())); err != nil {
		return err
	}
	var all sync.WaitGroup
	defer all.Wait()
	for {
		c, err := l.Accept()
		if err != nil {
			return dapOutcome(ctx, err)
		}
		all.Go(func() {
			defer c.Close()
			defer context.AfterFunc(ctx, func() { c.Close() })() // a client may not read
			if err := dap.Serve(ctx, c, c); err != nil && ctx.Err() == nil {
				fmt.Fprintf(os.Stderr, "scxmlrun: %v: %v\n", c.RemoteAddr(), err)
			}
		})
	}
}

// dapOutcome turns the end of a connection into the error with the exit status.
func dapOutcome(ctx context.Context, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the input ends inside a message")
	}
	return cli.Outcome(ctx, err)
}
