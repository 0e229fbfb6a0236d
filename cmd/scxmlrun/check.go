package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/check"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const checkHelp = `Check reads charts without running them and reports what is wrong or odd: all
problems of all charts at once, as file:line:column: severity: message [code],
in the order of the documents. What is said of several places is one line with
"also at"; json and sarif have each place.

FILE is a chart, "-" is standard input. For a DIR, check reads all .scxml files
in it and below, but skips folders whose names begin with a dot. Files that a
chart loads with src come from the chart's own folder, never from elsewhere.

An error refuses the document: it cannot run. A syntax error in a script or an
expression is an error, too, although the chart runs until it gets there. With a
warning the chart runs, but perhaps not as intended. A note is about other engines.
--explain CODE says more about
one kind of problem; "--explain list" lists all kinds. --declare NAMES lists functions
that the host adds to the chart, so that check does not call them undeclared.

Exit status:
  0    no errors (and with --deny warnings no warnings)
  1    a file could not be read, or output could not be written
  2    wrong usage
  3    there are errors (or, with --deny warnings, warnings)
  130  it was interrupted`

const checkExample = `  scxmlrun check charts
  scxmlrun check --deny warnings --portable qt,scion lamp.scxml
  scxmlrun check --declare beep,lookup lamp.scxml
  scxmlrun check --format sarif charts > charts.sarif
  scxmlrun check --explain unknown-target`

// checkOptions are the flags of check.
type checkOptions struct {
	format   cli.Choice
	deny     cli.Choice
	portable cli.Choices
	declare  []string
	strict   bool
	isolate  *cli.Choice
	explain  string
}

// newCheckCommand returns the command that checks charts.
func newCheckCommand() *cobra.Command {
	o := &checkOptions{
		format:   cli.Choice{Value: "text", All: []string{"text", "json", "sarif"}},
		deny:     cli.Choice{All: []string{"warnings"}},
		portable: cli.Choices{All: scxml.Engines()},
	}
	cmd := &cobra.Command{
		Use:        "check FILE…|DIR…",
		Short:      "Say what is wrong with charts",
		Long:       checkHelp,
		Example:    checkExample,
		SuggestFor: []string{"validate", "lint", "verify"},
		Args:       cobra.ArbitraryArgs, // see runCheck, which says more than cobra
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case !cmd.Flags().Changed("explain"):
				return runCheck(o, args)
			case len(args) > 0:
				return cli.Usagef("--explain goes without files, got %s", cli.List(args, "and"))
			}
			return check.Explain(o.explain)
		},
		ValidArgsFunction: completeCharts,
	}
	o.format.Flag(cmd, "format", "what to write: text, json or sarif (SARIF 2.1.0)")
	o.deny.Flag(cmd, "deny", "what else makes the exit status 3: \"warnings\"")
	o.portable.Flag(cmd, "portable", "also warn about what these comma-separated `ENGINES` are known not to support: "+strings.Join(o.portable.All, ", "))
	cmd.Flags().StringSliceVar(&o.declare, "declare", nil, "comma-separated `NAMES` of functions that the host adds")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "also warn about events that the rule of run --strict cannot see")
	o.isolate = wall.Flag(cmd, "check in child processes: whatever a document does to them, this one lives")
	cmd.Flags().StringVar(&o.explain, "explain", "", "say more about the `CODE` of a problem; \"--explain list\" lists all codes")
	if err := cmd.RegisterFlagCompletionFunc("explain", cobra.FixedCompletions(scxml.Codes(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

func runCheck(o *checkOptions, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("which charts? Name files or folders, for example: scxmlrun check charts; run %q for more", "scxmlrun check --help")
	}
	return check.Run(args, check.Options{Format: o.format.Value, DenyWarnings: o.deny.Value == "warnings", Portable: o.portable.Chosen, Declared: o.declare, Strict: o.strict, Isolate: o.isolate.Value})
}
