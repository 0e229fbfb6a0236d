package main

import (
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/lsp"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const lspHelp = `Lsp is a language server: an editor starts it, and speaks the Language Server
Protocol with it on standard input and output. It is not for use by hand.

While you write a chart, the editor then shows what "scxmlrun check" says about it,
with an explanation behind each code, completes elements, attributes, states, events
and data, explains them, finds where they are defined and used, renames them,
outlines and folds the document, offers corrections, and draws and explores the chart.

A document of more than 8 MB is not analysed, which a message says; use "scxmlrun
check" for it.

The guide "In your editor" has the settings for VS Code, Neovim, Helix, Emacs and
others.

Exit status:
  0    the editor has ended the server
  1    the editor has left without that, or sent what is not the protocol
  2    wrong usage
  130  interrupted`

// newLSPCommand returns the command that is a language server.
func newLSPCommand() *cobra.Command {
	var o scxml.LintOptions
	portable := cli.Choices{All: scxml.Engines()}
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor that speaks the Language Server Protocol",
		Long:  lspHelp,
		Args:  cli.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cli.IsTerminal(os.Stdin) {
				return cli.Usagef("lsp is started by an editor, not by hand; run %q for more", "scxmlrun lsp --help")
			}
			o.Portable = portable.Chosen
			// Somebody waits for each answer: collect less often, as long as there is memory.
			debug.SetGCPercent(400)
			debug.SetMemoryLimit(1 << 30)
			ctx, cancel := cli.Interruptible(cmd.Context(), nil, nil)
			defer cancel(nil)
			err := lsp.Serve(ctx, os.Stdin, os.Stdout, lsp.Options{Lint: o, Version: cli.Version(), Log: os.Stderr})
			if err == nil { // the editor has ended it
				return nil
			}
			return cli.Outcome(ctx, err)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	portable.Flag(cmd, "portable", "also warn about what these comma-separated `ENGINES` are known not to support: "+strings.Join(portable.All, ", "))
	cmd.Flags().StringSliceVar(&o.Declared, "declare", nil, "comma-separated `NAMES` of functions that the host adds")
	cmd.Flags().Bool("stdio", true, "does nothing: some editors add it")
	if err := cmd.Flags().MarkHidden("stdio"); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}
