package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/gen"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const genGoHelp = `Go writes a Go file with a constant for each name in a chart: the states, the
events that transitions take, the events that the chart sends, and the data
items. A program that uses the constants is not compiled if it uses a name that
the chart does not have.

The package is that of --package or, under "go generate", that of the file with
the line

  //go:generate scxmlrun gen go door.scxml -o door_gen.go

The same chart gives the same file. "go doc github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/gen"
says how names are made.

Exit status:
  0    the file was written
  1    the file could not be written
  2    wrong usage
  3    the document was refused (diagnostics on standard error)
  130  it was interrupted`

const genGoExample = `  scxmlrun gen go door.scxml -o door_gen.go --package door
  scxmlrun gen go door.scxml --package main | less`

// newGenCommand returns the command that generates code and tests.
func newGenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gen",
		Short: "Generate code and tests for a chart",
		Long:  "Gen generates code for programs that embed a chart, and tests for it.",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("what? Write, for example: scxmlrun gen go door.scxml; run %q for more", "scxmlrun gen --help")
			}
			return cli.Usagef("cannot generate %q%s", args[0], cli.DidYouMean(args[0], cli.CommandNames(cmd)))
		},
	}
	cmd.AddCommand(newGenGoCommand(), newGenScenariosCommand())
	return cmd
}

func newGenGoCommand() *cobra.Command {
	var out, pkg string
	cmd := &cobra.Command{
		Use:               "go FILE",
		Short:             "Write Go constants for the names in a chart",
		Long:              genGoHelp,
		Example:           genGoExample,
		Args:              oneFile,
		RunE:              func(cmd *cobra.Command, args []string) error { return genGo(args[0], out, pkg) },
		ValidArgsFunction: completeChart,
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "write to `FILE` instead of standard output")
	cmd.Flags().StringVar(&pkg, "package", os.Getenv("GOPACKAGE"), "`NAME` of the package; \"go generate\" sets it in $GOPACKAGE")
	cmd.Flag("package").DefValue = "" // help is the same everywhere
	return cmd
}

func genGo(name, out, pkg string) error {
	if err := cli.CheckOut("-o", out, name); err != nil {
		return err
	}
	chart, err := load.Chart(name, scxml.Limits{})
	if err != nil {
		return err
	}
	code, err := gen.Go(chart, pkg)
	switch {
	case pkg == "":
		return cli.Usagef("which package? Write, for example: --package main")
	case err != nil:
		return cli.Usagef("--package: %v", err)
	}
	return writeOut(out, code)
}

// withDashes writes -package, which is how the go command has it, with the two dashes that flags
// have here.
func withDashes(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if i > 1 && args[0] == "gen" && (arg == "-package" || strings.HasPrefix(arg, "-package=")) {
			args[i] = "-" + arg
		}
	}
	return args
}
