package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// rootHelp is what scxmlrun --help prints: all commands, on one screen.
const rootHelp = `scxmlrun runs statecharts written in SCXML, the language of the W3C.

  scxmlrun FILE             run a chart: short for "scxmlrun run FILE"
  scxmlrun COMMAND --help   say more; scxmlrun run --help has the flags of a run

Write     new      begin with an example    check       say what is wrong
          draw     draw a picture           doc         write a page about it
          gen      generate code, tests     import      convert from others
          lsp      serve an editor          mcp         serve an assistant
          edit     edit its picture         playground  try charts in a browser
Run       run      run a chart              debug       go in steps, also back
          inspect  show it in a browser     dap         debug it in an editor
Test      test     play scripts of events   explore     visit every state
          mutate   tell what tests miss     bench       measure its speed
Find out  replay   repeat a recording       why         explain what happened
          shrink   find what matters in it
Operate   serve    serve durable sessions   sessions    look after them
          store    check, back up, copy
Other     w3c      run the W3C's tests      version  man  completion  help

For example:
  scxmlrun charts/sudoku.scxml
  scxmlrun draw chart.scxml -o chart.svg
`

// setHelp makes root print rootHelp. Other commands keep their help.
func setHelp(root *cobra.Command) {
	others := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd != root {
			others(cmd, args)
			return
		}
		_, _ = io.WriteString(cmd.OutOrStdout(), rootHelp) // Execute sees the error
	})
}

// A flagGroup has a title and the names of flags.
type flagGroup struct {
	title string
	names []string
}

// groupFlags makes the help of a command begin with its flags in groups, after the first paragraph.
func groupFlags(cmd *cobra.Command, groups []flagGroup) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		first, rest, _ := strings.Cut(cmd.Long, "\n\n")
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", first, cmd.UseLine())
		for _, g := range groups {
			set := pflag.NewFlagSet("", pflag.ContinueOnError)
			set.SortFlags = false
			for _, name := range g.names {
				set.AddFlag(cmd.Flags().Lookup(name))
			}
			fmt.Fprintf(&b, "\n%s:\n%s", g.title, set.FlagUsagesWrapped(80))
		}
		fmt.Fprintf(&b, "\n%s\n\nExamples:\n%s\n", rest, cmd.Example)
		_, _ = io.WriteString(cmd.OutOrStdout(), b.String())
	})
}
