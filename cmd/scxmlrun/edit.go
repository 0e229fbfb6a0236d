package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/internal/playground"
)

const editHelp = `Edit serves a page on which a chart is edited as a picture and as text, checked, and run,
until Ctrl+C. What is changed in the picture is the smallest change of the text: comments
and layout stay. "Find mistakes" shows in the picture how the chart comes to a deadlock, or
to what must not be.

"Save" or Ctrl+S writes the file, in its encoding, whole or not at all, and nothing else
is written. If another program has changed other lines of the file meanwhile, both
changes are saved; if it has changed the same lines, the page asks. A link that leads out
of its folder is refused. The chart has the limits for untrusted ones, can load the files
in its folder, and has no network.

The output is the address of the page. It contains a token: who has it can use the page.
No other machine can reach it.

Exit status:
  1    a failure while serving, or the file cannot be read
  2    wrong usage
  130  interrupted, as with Ctrl+C`

// newEditCommand returns the command that serves an editor for a file.
func newEditCommand() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "edit FILE",
		Short: "Edit a chart as a picture and as text in the browser",
		Long:  editHelp,
		Example: `  scxmlrun edit door.scxml
  scxmlrun edit --listen 127.0.0.1:8080 door.scxml`,
		Args: cobra.ArbitraryArgs, // see runEdit, which says more than cobra
		RunE: func(cmd *cobra.Command, args []string) error { return runEdit(cmd.Context(), listen, args) },

		ValidArgsFunction: completeCharts,
	}
	listenFlag(cmd, &listen)
	return cmd
}

func runEdit(parent context.Context, listen string, files []string) error {
	if len(files) != 1 {
		return cli.Usagef("which chart? Name one file, for example: scxmlrun edit door.scxml; run %q for more", "scxmlrun edit --help")
	}
	f, err := playground.NewFile(files[0])
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot edit %q: %w", files[0], durable.Cause(err))}
	}
	folder, err := file.OpenFolder(f.Folder())
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot open the folder of %q: %w", files[0], durable.Cause(err))}
	}
	defer folder.Close()
	server := playground.NewServer()
	server.Edit(f, folder)
	return servePage(parent, listen, server)
}
