package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/mcp"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
)

const mcpHelp = `Mcp is a server for the Model Context Protocol: an assistant starts it, and speaks
the protocol with it on standard input and output. It is not for use by hand.

The assistant can then check a chart, describe and draw it, try an event, run it,
explore its states and prove properties, compare it with another one, generate tests
and hear what they miss, change it, explain a recording, and import and export charts. It reads
charts from texts that the assistant sends, and from files in the present folder and
below, or that of --dir, and writes none. Links do not lead out of the folder.

Each call is carried out in a child process that can neither open files nor connect
to anything, with 512 MB of memory and 50 s of time: whatever a chart does, the server
lives. A call that the assistant cancels is ended.

The guide "With an assistant" has the settings, and a session.

Exit status:
  0    the assistant has left
  1    the connection has failed
  2    wrong usage
  130  interrupted`

const mcpExample = `  scxmlrun mcp --dir charts
  claude mcp add scxmlrun -- scxmlrun mcp`

// newMCPCommand returns the command that is a server for assistants.
func newMCPCommand() *cobra.Command {
	var dir string
	var isolated *cli.Choice
	cmd := &cobra.Command{
		Use:     "mcp",
		Short:   "Serve an assistant that speaks the Model Context Protocol",
		Long:    mcpHelp,
		Example: mcpExample,
		Args:    cli.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cli.IsTerminal(os.Stdin) {
				return cli.Usagef("mcp is started by an assistant, not by hand; run %q for more", "scxmlrun mcp --help")
			}
			if info, err := os.Stat(dir); err != nil {
				return cli.Usagef("--dir: cannot open %q: %v", dir, cli.Plain(err))
			} else if !info.IsDir() {
				return cli.Usagef("--dir: %q is not a folder", dir)
			}
			pool, err := wall.Pool(isolated.Value, mcp.Deadline, 1)
			if err != nil {
				return err
			}
			defer pool.Close()
			ctx, cancel := cli.Interruptible(cmd.Context(), nil, nil)
			defer cancel(nil)
			return cli.Outcome(ctx, mcp.Serve(ctx, os.Stdin, os.Stdout, mcp.Options{Dir: dir, Version: cli.Version(), Pool: pool}))
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "read charts in `DIR` and below")
	isolated = wall.Flag(cmd, "carry out calls in child processes, which is always so")
	isolated.Value = wall.Full
	return cmd
}
