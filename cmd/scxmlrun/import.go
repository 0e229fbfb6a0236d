package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/notation"
)

const importHelp = `Import reads a chart of another tool and writes it as SCXML. What is lost or had to
be guessed is said on standard error, with its place in FILE.

  smcat   the language of state-machine-cat. Labels are "event [guard] / action".
          A guard that is not an expression becomes a data item that is true, and
          an action a <log> with its text. Forks become transitions with several
          targets, joins guards with In(), choices and junctions states with
          eventless transitions.
  xstate  a machine of XState 4 or 5 as JSON: the argument of createMachine, or
          what Stately exports. JSON has the names of guards and actions, not their
          code: they become functions at the top of the chart, for you to write.
          Actors become services, for which the host needs an Invoker; "after"
          becomes a delayed <send>.

"scxmlrun draw --format smcat" and "--format xstate" write what import reads.
"scxmlrun check" says what else is odd about the chart.

Exit status:
  0    the chart was written
  1    it could not be written
  2    wrong usage
  3    the file is not a chart (its place and the reason on standard error)`

const importExample = `  scxmlrun import player.smcat -o player.scxml
  scxmlrun import machine.json > machine.scxml
  scxmlrun draw door.scxml --format smcat | scxmlrun import --from smcat -`

func newImportCommand() *cobra.Command {
	from, out := cli.Choice{All: []string{"smcat", "xstate"}}, ""
	cmd := &cobra.Command{
		Use:     "import FILE",
		Short:   "Make a chart of another tool's",
		Long:    importHelp,
		Example: importExample,
		Args:    oneFile,
		RunE:    func(cmd *cobra.Command, args []string) error { return runImport(args[0], from.Value, out) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"smcat", "json"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	from.Flag(cmd, "from", "what FILE is: smcat or xstate (default: xstate if it begins with a brace)")
	cmd.Flags().StringVarP(&out, "out", "o", "", "write to `FILE` instead of standard output")
	return cmd
}

func runImport(name, from, out string) error {
	if err := cli.CheckOut("-o", out, name); err != nil {
		return err
	}
	text, err := cli.Get(context.Background(), func() ([]byte, error) { return readImport(name) })
	if err != nil {
		return cli.Usagef("cannot read %q: %v", name, cli.Plain(err))
	}
	imported, err := notation.Read(filepath.ToSlash(name), from, text)
	var problem *notation.ImportError
	if errors.As(err, &problem) {
		return refuseImport(err.Error())
	} else if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	for _, note := range imported.Notes {
		fmt.Fprintln(os.Stderr, cli.Visible(note.Pos.String()+": note: "+note.Text, cli.EscapeNewlines))
	}
	return writeOut(out, imported.SCXML)
}

// refuseImport returns the error for a file that is not a chart.
func refuseImport(text string) error {
	return &cli.Error{Status: cli.Refused, Err: errors.New(cli.Visible(text, cli.KeepNewlines))}
}

// readImport reads a file, or standard input, with one byte more than is allowed at most.
func readImport(name string) ([]byte, error) {
	var r io.Reader = os.Stdin
	if name != load.Stdin {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	return file.ReadUpTo(r, notation.MaxImport)
}
