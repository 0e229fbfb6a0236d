package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/internal/loopback"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/web/static"
)

const webHelp = `Web serves the game as a page for a browser on this machine, until Ctrl+C, and prints
its address. The playground for charts is below it, at playground/. Nothing leaves the
machine: the game runs in the page, and the browser keeps games and settings for the
address, so another port has other games.

The binaries of a release contain the pages. Others serve a folder that is made in a
clone of the project:

  go run ./cmd/internal/sudoku/web/build -o pages
  sudoku web --folder pages

Any web server can publish such a folder.

Exit status:
  1    a failure while serving
  2    wrong usage, or the binary does not contain the pages
  130  interrupted, as with Ctrl+C`

type webOptions struct {
	listen string
	folder string
}

// newWebCommand returns the command that serves the pages.
func newWebCommand() *cobra.Command {
	var o webOptions
	cmd := &cobra.Command{
		Use:   "web",
		Short: "Play in the browser",
		Long:  webHelp,
		Example: `  sudoku web
  sudoku web --listen 127.0.0.1:8080 --folder pages`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runWeb(cmd.Context(), &o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8738", "`ADDRESS` of this machine to serve the page at; the port may be 0")
	flags.StringVar(&o.folder, "folder", "", "serve the pages in this `FOLDER`")
	return cmd
}

func runWeb(parent context.Context, o *webOptions) error {
	handler, err := o.handler()
	if err != nil {
		return err
	}
	l, err := loopback.Listen(o.listen, "publish the folder of the pages with a web server instead")
	if err != nil {
		return err
	}
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	if err := cli.Printed(fmt.Fprintf(os.Stdout, "http://%v/\n", l.Addr())); err != nil {
		return err
	}
	return loopback.Serve(ctx, l, handler)
}

// handler serves the folder of --folder, or that in the binary.
func (o *webOptions) handler() (http.Handler, error) {
	if o.folder == "" {
		if embedded == nil {
			return nil, cli.Usagef("this binary does not contain the pages: use that of a release, or --folder with a folder that cmd/internal/sudoku/web/build has made; run %q for more", "sudoku web --help")
		}
		return static.New(embedded)
	}
	folder, err := file.OpenFolder(o.folder) // until the process ends
	var handler http.Handler
	if err == nil {
		handler, err = static.New(folder)
	}
	if err != nil {
		return nil, cli.Usagef("--folder %q: %w", o.folder, cli.Plain(err))
	}
	return handler, nil
}
