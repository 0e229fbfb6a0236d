package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/progress"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/results"
	"github.com/scxmlrun/scxmlrun/conformance"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/cover"
)

const testHelp = `Test runs charts against scripts of events. A scenario x.txtar has events and the
trace that the chart must answer with; "scxmlrun gen scenarios" and "scxmlrun explore
--write" write such files, and "go doc scxml/scxmltest" describes them. In the format
of SCION, which Qt and XState also use, each chart x.scxml comes with a file x.json in
the same folder:

  {
    "initialConfiguration": ["closed"],
    "events": [
      {"event": {"name": "push", "data": 1}, "nextConfiguration": ["open"]},
      {"after": 5000, "event": {"name": "look"}, "nextConfiguration": ["closed"]}
    ]
  }

A configuration is the set of atomic states, compared when the session has
nothing more to do; a missing one is not checked. "after" is how many
milliseconds pass before the event, on a virtual clock. A session that has ended
keeps its last configuration.

A DIR is searched with all folders below it. A FILE is a scenario, or one of a pair.

With --compiled, each test also runs with the chart compiled to Go, see "scxmlrun gen
go". It passes if the compiled chart does the same as the interpreter: leaves and
enters the same states, takes the same transitions, sends and logs the same, raises
the same errors (their texts may differ) and, whenever it rests, has the same data and
the same time for its next delayed event. It does so once with hooks, and once with
the shortcuts that it takes without them. A test fails and says why if a compiled chart
cannot do what it asks, such as continue from a snapshot. --compiled=dynamic leaves
data and expressions to the script engine. The present folder must be in a Go module
that requires github.com/scxmlrun/scxmlrun, as one with compiled charts does, and the
go command must be installed.

With --cover or --cover-min, test also says which states of the charts were
never entered, which transitions were never taken, and which conditions were
never true or never false. --cover adds that to a file, which is JSON, or a page
if its name ends in .html; remove the file first for a fresh one. Without DIR
and FILE, test only says what such a file has, for example after the tests of a
Go program (go doc github.com/scxmlrun/scxmlrun/scxml/scxmltest).

Exit status:
  0    all tests passed, except those of the ledger
  1    a test failed, or one of the ledger passed; no test was found; the
       ledger lists something that is not a test; or the coverage is below
       --cover-min
  2    wrong usage; or, with --compiled, charts cannot be built here
  130  interrupted`

const testExample = `  scxmlrun test tests
  scxmlrun test --ledger known.txt --output junit tests > tests.xml
  scxmlrun test --compiled tests
  scxmlrun test --cover cover.html --cover-min 90 tests
  scxmlrun test --cover cover.html`

// testOptions are the flags of test.
type testOptions struct {
	format cli.Choice
	output cli.Choice
	ledger string
	cover  results.Cover

	compiled cli.Choice // "" for the interpreter alone
}

// newTestCommand returns the command that runs charts against scripts.
func newTestCommand() *cobra.Command {
	o := &testOptions{
		format: cli.Choice{Value: "any", All: []string{"any", "scion", "scenario"}},
		output: cli.Choice{Value: "text", All: []string{"text", "markdown", "json", "junit"}},

		compiled: cli.Choice{All: []string{"typed", "dynamic"}},
	}
	cmd := &cobra.Command{
		Use:     "test DIR…|FILE…",
		Short:   "Run charts against scripts of events",
		Long:    testHelp,
		Example: testExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return runTests(cmd.Context(), o, args) },
	}
	o.format.Flag(cmd, "format", "of the tests: any, scion or scenario")
	o.output.Flag(cmd, "output", "what to write: text, markdown, json or junit")
	o.compiled.Flag(cmd, "compiled", "run compiled charts, too: typed, or dynamic for data in the script engine")
	cmd.Flag("compiled").NoOptDefVal = "typed"
	cmd.Flags().StringVar(&o.ledger, "ledger", "", "`FILE` of the tests that are known to fail, in lines \"NAME: reason\"")
	cmd.Flags().StringVar(&o.cover.File, "cover", "", "add what the tests reach of their charts to a `FILE`, a page if its name ends in .html")
	cmd.Flags().Float64Var(&o.cover.Min, "cover-min", 0, "fail if less than `PERCENT` of the charts is reached")
	return cmd
}

func runTests(ctx context.Context, o *testOptions, args []string) error {
	before, err := o.cover.Open()
	if err != nil {
		return err
	}
	if len(args) == 0 && before != nil {
		return o.cover.Show(before)
	}
	if len(args) == 0 {
		return cli.Usagef("which tests? Name folders, for example: scxmlrun test tests; run %q for more", "scxmlrun test --help")
	}
	var tests []conformance.Test
	for _, arg := range args {
		found, err := findTests(arg, o.format.Value, len(args) > 1)
		if err != nil {
			return err
		}
		tests = append(tests, found...)
	}
	ledger, err := results.ReadLedger(o.ledger, nil, conformance.ReadLedger)
	if err != nil {
		return err
	}
	var opts []scxml.Option
	profile := new(cover.Profile)
	if o.cover.Wanted() {
		opts = append(opts, scxml.WithTrace(profile.Trace()))
	}
	line := progress.New(len(tests))
	ctx, cancel := cli.Interruptible(ctx, nil, nil)
	defer cancel(nil)
	if o.compiled.Value != "" {
		if tests, _, err = runCompiled(ctx, tests, o.compiled.Value == "dynamic", opts...); err != nil {
			return err
		}
	}
	report, runErr := conformance.RunTests(ctx, o.suite(), tests, ledger, func(rec conformance.Record) { line.Show(rec.Test, rec.Verdict.Bad()) }, opts...)
	line.Clear()
	var out bytes.Buffer
	if report != nil {
		err = results.Write(&out, report, o.output.Value)
	} else {
		report = &conformance.Report{}
	}
	if opts != nil && err == nil && runErr == nil {
		runErr = o.cover.Finish(&out, o.output.Value, profile)
	}
	return results.Finish(&out, o.output.Value, report, err, runErr)
}

// suite returns the name of what is run.
func (o *testOptions) suite() string {
	if o.format.Value == "any" {
		return "charts"
	}
	return o.format.Value
}

// findTests returns the tests of a folder, or the one that a file belongs to. With
// several arguments, the names of tests begin with the argument.
func findTests(arg, format string, several bool) ([]conformance.Test, error) {
	info, err := os.Stat(arg)
	if err != nil {
		return nil, cli.Usagef("cannot read %q: %v", arg, cli.Plain(err))
	}
	dir, stem := arg, ""
	if !info.IsDir() {
		dir, stem = filepath.Dir(arg), filepath.Base(arg)
	}
	var tests []conformance.Test
	if format != "scenario" && filepath.Ext(stem) != ".txtar" {
		folder, err := file.OpenFolder(dir)
		if err != nil {
			return nil, cli.Usagef("cannot open %q: %v", dir, cli.Plain(err))
		}
		if tests, err = conformance.ScionTests(folder); err != nil {
			return nil, cli.Usagef("cannot read %q: %v", dir, err)
		}
	}
	switch ext := filepath.Ext(stem); {
	case format == "scion":
	case ext == ".txtar":
		test, err := conformance.ScenarioTest(arg)
		if err != nil {
			return nil, cli.Usagef("cannot read %q: %v", arg, cli.Plain(err))
		}
		tests = append(tests, test)
	case ext == "":
		scenarios, err := conformance.ScenarioTests(dir)
		if err != nil {
			bad := dir
			if at := new(fs.PathError); errors.As(err, &at) {
				bad = at.Path
			}
			return nil, cli.Usagef("cannot read %q: %v", bad, cli.Plain(err))
		}
		tests = append(tests, scenarios...)
	}
	if stem != "" {
		stem = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(stem, ".txtar"), ".json"), ".scxml")
		tests = slices.DeleteFunc(tests, func(t conformance.Test) bool { return t.Name != stem })
		if len(tests) == 0 {
			return nil, cli.Usagef("%q is neither a scenario x.txtar nor one of a pair x.scxml and x.json", arg)
		}
	}
	if several {
		for i := range tests {
			tests[i].Name = path.Join(filepath.ToSlash(dir), tests[i].Name)
		}
	}
	return tests, nil
}
