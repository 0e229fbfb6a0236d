package main

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/progress"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/results"
	"github.com/scxmlrun/scxmlrun/conformance"
)

// suiteVariable is the environment variable with the folder of the W3C's suite.
const suiteVariable = "SCXML_W3C_SUITE"

const w3cHelp = `W3c runs the tests of the SCXML 1.0 Implementation Report Plan of the W3C. They
are not part of this program: --suite, or the environment variable
` + suiteVariable + `, names their folder, which has one of two layouts:

  - a file tests.json that describes documents already converted for their data
    models. Documents that were corrected after the conversion exist in both
    forms, "converted" and "unaltered";
  - the W3C's own layout: manifest.xml, and the abstract .txml documents that it
    names, at the place that it gives, in a folder txml, or in the same folder.
    This program converts them and corrects nothing ("unaltered"). With --txml a
    folder that has both layouts is read like this.

ID is the number of a test or of an assertion (144, 403a), or a range of them
(150-160). By default all automatic tests run. Manual tests are meant to be judged
by a person; here they are judged by what the sessions log. They run with
--manual, or if their ID is given.

Tests that are known to fail (see --ledger) are reported as "known" and do not
count as failures.

Exit status:
  0    all tests passed, except those of the ledger
  1    a test failed, or one of the ledger passed
  2    wrong usage, or no suite
  130  interrupted`

const w3cExample = `  scxmlrun w3c --suite ~/scxml-irp
  scxmlrun w3c 144 150-160 403a
  scxmlrun w3c --form both --manual --clock real
  scxmlrun w3c --format junit > w3c.xml`

// w3cOptions are the flags of w3c.
type w3cOptions struct {
	suite  string
	txml   bool
	form   cli.Choice
	clock  cli.Choice
	format cli.Choice
	manual bool
	jobs   int
	repeat int
	ledger string
}

// newW3CCommand returns the command that runs the W3C's suite.
func newW3CCommand() *cobra.Command {
	o := &w3cOptions{
		form:   cli.Choice{All: []string{"converted", "unaltered", "both"}},
		clock:  cli.Choice{Value: "virtual", All: []string{"virtual", "real", "restored"}},
		format: cli.Choice{Value: "text", All: []string{"text", "markdown", "json", "junit"}},
	}
	cmd := &cobra.Command{
		Use:               "w3c [ID…]",
		Short:             "Run the W3C's tests of SCXML",
		Long:              w3cHelp,
		Example:           w3cExample,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return runW3C(cmd.Context(), o, args) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := cmd.Flags()
	flags.StringVar(&o.suite, "suite", "", "`FOLDER` of the suite (default: the value of "+suiteVariable+")")
	flags.BoolVar(&o.txml, "txml", false, "convert the W3C's abstract documents, even if converted ones exist")
	o.form.Flag(cmd, "form", "converted, unaltered, or both: corrected documents in both forms, all others once (default: converted, if there is a tests.json)")
	o.clock.Flag(cmd, "clock", "virtual: waiting takes no time; real; or restored: virtual, saving and restoring the session after each macrostep")
	o.format.Flag(cmd, "format", "what to write: text, markdown, json or junit")
	flags.BoolVar(&o.manual, "manual", false, "run the manual tests too")
	flags.IntVarP(&o.jobs, "jobs", "j", 0, "run `N` documents at the same time (default: one per CPU; 64 on the real clock, where they mostly wait)")
	flags.IntVar(&o.repeat, "repeat", 1, "run each document `N` times; all runs must pass")
	flags.StringVar(&o.ledger, "ledger", "", "`FILE` of the tests that are known to fail, in lines \"FORM ID…: reason\" (default: the one of this program); \"none\" for no ledger")
	return cmd
}

func runW3C(ctx context.Context, o *w3cOptions, ids []string) error {
	switch {
	case o.jobs < 0:
		return cli.Usagef("-j %d: want a number of at least 1", o.jobs)
	case o.repeat < 1:
		return cli.Usagef("--repeat %d: want a number of at least 1", o.repeat)
	}
	suite, err := openW3C(o)
	if err != nil {
		return err
	}
	cases, err := suite.Cases(ids, o.forms(suite), o.manual)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	opts := conformance.W3COptions{Clock: conformance.Clock(o.clock.Value), Jobs: o.jobs, Repeat: o.repeat}
	if opts.Ledger, err = results.ReadLedger(o.ledger, conformance.W3CLedger(), conformance.ReadW3CLedger); err != nil {
		return err
	}
	if stale := suite.Stale(opts.Ledger); len(stale) > 0 && o.ledger != "" {
		return cli.Usagef("--ledger %s lists what is not a test: %s", o.ledger, cli.List(stale, "and"))
	}
	if opts.Jobs == 0 {
		opts.Jobs = runtime.GOMAXPROCS(0)
		if opts.Clock == conformance.RealClock {
			opts.Jobs = 64
		}
	}
	line := progress.New(len(cases))
	opts.Progress = func(got conformance.W3COutcome) { line.Show(got.Test.ID, got.Verdict.Bad()) }
	ctx, cancel := cli.Interruptible(ctx, nil, nil)
	defer cancel(nil)
	outcomes, runErr := suite.RunAll(ctx, cases, opts)
	line.Clear()
	report := suite.Report(outcomes, opts.Clock)
	var out bytes.Buffer
	if o.format.Value == "markdown" {
		err = suite.WriteMarkdown(&out, outcomes, opts.Clock)
	} else {
		err = results.Write(&out, report, o.format.Value)
	}
	return results.Finish(&out, o.format.Value, report, err, runErr)
}

// forms returns the forms that --form means.
func (o *w3cOptions) forms(suite *conformance.W3CSuite) []conformance.Form {
	switch {
	case o.form.Value == "both":
		return []conformance.Form{conformance.Converted, conformance.Unaltered}
	case o.form.Value != "":
		return []conformance.Form{conformance.Form(o.form.Value)}
	case suite.Abstract:
		return []conformance.Form{conformance.Unaltered}
	}
	return []conformance.Form{conformance.Converted}
}

func openW3C(o *w3cOptions) (*conformance.W3CSuite, error) {
	dir := o.suite
	if dir == "" {
		dir = os.Getenv(suiteVariable)
	}
	if dir == "" {
		return nil, cli.Usagef("where is the W3C's suite? Name its folder with --suite or in %s; run %q for more", suiteVariable, "scxmlrun w3c --help")
	}
	folder, err := file.OpenFolder(dir)
	if err != nil {
		return nil, cli.Usagef("cannot open the folder of the suite, %q: %v", dir, cli.Plain(err))
	}
	open := conformance.OpenW3C
	if o.txml {
		open = conformance.OpenW3CAbstract
	}
	suite, err := open(folder)
	if err != nil {
		return nil, cli.Usagef("%s: %s", dir, strings.TrimPrefix(err.Error(), "conformance: "))
	}
	return suite, nil
}
