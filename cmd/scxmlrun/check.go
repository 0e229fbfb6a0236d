package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const checkHelp = `Check reads charts without running them, and says what is wrong with them and
what is odd: all problems of all charts at once, as
file:line:column: severity: message [code], in the order of the documents.

FILE is a chart, "-" standard input; of a DIR all .scxml files are checked,
also those in folders below it, but for folders whose names begin with a dot.
What a chart loads with src comes from its own folder, never from elsewhere.

An error refuses the document: it cannot be run. A warning does not: the chart
runs, but perhaps not as it was meant. --explain CODE says more about one kind
of problem, and "--explain list" which kinds there are.

Exit status:
  0    no errors (and with --deny warnings no warnings)
  1    a file could not be read, or output could not be written
  2    wrong usage
  3    there are errors (or, with --deny warnings, warnings)`

const checkExample = `  scxmlrun check charts
  scxmlrun check --deny warnings --portable qt,scion lamp.scxml
  scxmlrun check --format sarif charts > charts.sarif
  scxmlrun check --explain unknown-target`

// checkOptions are the flags of check.
type checkOptions struct {
	format   cli.Choice
	deny     cli.Choice
	portable choices
	explain  string
}

// newCheckCommand returns the command that checks charts.
func newCheckCommand() *cobra.Command {
	o := &checkOptions{
		format:   cli.Choice{Value: "text", All: []string{"text", "json", "sarif"}},
		deny:     cli.Choice{All: []string{"warnings"}},
		portable: choices{all: scxml.Engines()},
	}
	cmd := &cobra.Command{
		Use:     "check FILE…|DIR…",
		Short:   "Say what is wrong with charts",
		Long:    checkHelp,
		Example: checkExample,
		Args:    cobra.ArbitraryArgs, // see runCheck, which says more than cobra
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("explain") {
				return explain(o.explain, args)
			}
			return runCheck(o, args)
		},
		ValidArgsFunction: completeCharts,
	}
	flags := cmd.Flags()
	flags.Var(&o.format, "format", "what to write: text, json or sarif (SARIF 2.1.0)")
	flags.Var(&o.deny, "deny", "\"warnings\": they too make the exit status 3")
	flags.Var(&o.portable, "portable", "also warn of what these `ENGINES` are known not to support: "+strings.Join(o.portable.all, ", ")+"; commas between them")
	flags.StringVar(&o.explain, "explain", "", "say more about the `CODE` of a problem; \"--explain list\" tells which there are")
	for name, words := range map[string][]string{"format": o.format.All, "deny": o.deny.All, "portable": o.portable.all, "explain": scxml.Codes()} {
		if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err) // the flag stands above
		}
	}
	return cmd
}

// runCheck checks the charts that the arguments name.
func runCheck(o *checkOptions, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("which charts? Name files or folders, for example: scxmlrun check charts; run %q for more", "scxmlrun check --help")
	}
	files, err := findCharts(args)
	if err != nil {
		return err
	}
	stdout := text.NewWriter(os.Stdout)
	showLines := o.format.Value == "text" && cli.IsTerminal(os.Stdout)
	r := &report{results: checkAll(files, scxml.LintOptions{Portable: o.portable.chosen}, showLines)}
	r.count()
	switch o.format.Value {
	case "json":
		r.writeJSON(stdout)
	case "sarif":
		r.writeSARIF(stdout)
	default:
		for i := range r.results {
			c := &r.results[i]
			text.Diagnostics(stdout, os.Stdout, c.name, c.source, c.diagnostics)
		}
	}
	if stdout.Err != nil {
		return cli.Printed(0, stdout.Err)
	}
	return r.outcome(o)
}

// A report is the result of checking some charts.
type report struct {
	results          []checked
	errors, warnings int
	charts           int // that were read
	failed           int // that could not be read
	odd              int // that have diagnostics
}

func (r *report) count() {
	for i := range r.results {
		c := &r.results[i]
		if c.err != nil {
			r.failed++
			continue
		}
		r.charts++
		if len(c.diagnostics) > 0 {
			r.odd++
		}
		for _, d := range c.diagnostics {
			if d.Severity == scxml.SeverityError {
				r.errors++
			} else {
				r.warnings++
			}
		}
	}
}

// outcome returns the error that stands for the exit status.
func (r *report) outcome(o *checkOptions) error {
	for i := range r.results {
		if c := &r.results[i]; c.err != nil {
			fmt.Fprintln(os.Stderr, "scxmlrun:", cli.Visible(c.err.Error(), cli.EscapeNewlines))
		}
	}
	denied := r.errors > 0 || r.warnings > 0 && o.deny.Value == "warnings"
	status := cli.OK
	switch {
	case r.failed > 0:
		status = cli.Failed
	case denied:
		status = cli.Refused
	}
	// What a program reads says it all; so does silence.
	if o.format.Value == "text" && (r.odd > 0 || cli.IsTerminal(os.Stderr)) {
		fmt.Fprintln(os.Stderr, "scxmlrun:", r.summary())
	}
	if status == cli.OK {
		return nil
	}
	return &cli.Error{Status: status}
}

// summary is a line such as "2 errors and 1 warning in 2 of 5 charts".
func (r *report) summary() string {
	charts := quantity(r.charts, "chart")
	if r.odd == 0 {
		return charts + " checked, nothing to report"
	}
	var found []string
	if r.errors > 0 {
		found = append(found, quantity(r.errors, "error"))
	}
	if r.warnings > 0 {
		found = append(found, quantity(r.warnings, "warning"))
	}
	where := charts
	if r.charts > 1 {
		where = fmt.Sprintf("%d of %s", r.odd, charts)
	}
	return strings.Join(found, " and ") + " in " + where
}

// quantity writes "1 chart" and "2 charts".
func quantity(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// choices is the value of a flag that takes several of some words, with
// commas between them.
type choices struct {
	chosen []string
	all    []string
}

func (c *choices) String() string { return strings.Join(c.chosen, ",") }
func (c *choices) Type() string   { return "NAMES" }

func (c *choices) Set(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		one := cli.Choice{All: c.all}
		if err := one.Set(strings.TrimSpace(word)); err != nil {
			return err
		}
		if !slices.Contains(c.chosen, one.Value) {
			c.chosen = append(c.chosen, one.Value)
		}
	}
	return nil
}
