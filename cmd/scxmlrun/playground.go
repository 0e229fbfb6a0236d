package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/loopback"
	"github.com/scxmlrun/scxmlrun/cmd/internal/playground"
)

const playgroundHelp = `Playground serves a page on which charts are written, checked and drawn as one types,
and run, until Ctrl+C. It begins with examples; "Open…" reads a file.

The output is the address of the page. It contains a token: who has it can use the page.
Nothing leaves the machine, and no other machine can reach the page. The browser keeps
the last document. A chart has the limits for untrusted ones; it can load no files but
those of the built-in charts, and has no network.

Exit status:
  1    a failure while serving
  2    wrong usage
  130  interrupted, as with Ctrl+C`

// newPlaygroundCommand returns the command that serves the playground.
func newPlaygroundCommand() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "playground",
		Short: "Write and try out charts in the browser",
		Long:  playgroundHelp,
		Example: `  scxmlrun playground
  scxmlrun playground --listen 127.0.0.1:8080`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return servePage(cmd.Context(), listen, playground.NewServer())
		},
	}
	listenFlag(cmd, &listen)
	return cmd
}

func listenFlag(cmd *cobra.Command, listen *string) {
	cmd.Flags().StringVar(listen, "listen", "127.0.0.1:0", "`ADDRESS` of this machine to serve the page at; the port may be 0")
}

// servePage serves the page of a playground, and prints its address.
func servePage(parent context.Context, listen string, server *playground.Server) error {
	l, err := loopback.Listen(listen, "only this machine can use the page")
	if err != nil {
		return err
	}
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	defer server.Close()
	if err := cli.Printed(fmt.Fprintln(os.Stdout, server.URL(fmt.Sprintf("http://%v/", l.Addr())))); err != nil {
		return err
	}
	return loopback.Serve(ctx, l, server)
}
