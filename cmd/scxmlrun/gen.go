package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile"
)

const genGoHelp = `Go compiles a chart to Go code: one file with a type whose methods are the
events of the chart. A program needs neither the engine nor the document at run
time, and an event takes about as long as in a switch written by hand. The guide
"compiled" (scxml/guides/compiled.md) says how to use it, what can be compiled,
and how names are chosen.

The package is that of --package or, under "go generate", that of the file with
the line

  //go:generate scxmlrun gen go door.scxml -o door_gen.go

Of several charts each has a file of its own, NAME_gen.go beside the chart or in
the folder that -o names, and all names in it begin with that of its type, which
is named after the chart. The same chart gives the same file. Files of one package
share its names: one that another generated file in the folder has is an error.

What cannot be compiled is listed with its places and reasons; --dynamic leaves
data and expressions to the script engine, which any chart can do with. --explain
prints what types data, variables, functions and members of events have. --events
names a JSON Schema that says what data events have: an object whose properties
are events, each with a schema of its data. The members have the types that it
says, and what the chart does that contradicts it is listed too.

Exit status:
  0    the file was written or, with --check, is up to date
  1    the file could not be written, a name is taken or, with --check, the file
       is stale
  2    wrong usage
  3    the document or the schema of events was refused, or the chart cannot be
       compiled (reasons on standard error)
  130  it was interrupted`

const genGoExample = `  scxmlrun gen go door.scxml -o door_gen.go --package door
  scxmlrun gen go door.scxml --package main | less
  scxmlrun gen go door.scxml lamp.scxml --package house
  scxmlrun gen go --check door.scxml -o door_gen.go --package door
  scxmlrun gen go --explain door.scxml
  scxmlrun gen go --events events.json door.scxml -o door_gen.go --package door
  scxmlrun gen go --names door.scxml --package main`

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

// genGoOptions are the flags of "gen go".
type genGoOptions struct {
	out, pkg, typ, events string
	names, dynamic, check bool
	explain               bool

	schema []byte // of events
}

func newGenGoCommand() *cobra.Command {
	var o genGoOptions
	cmd := &cobra.Command{
		Use:               "go FILE...",
		Short:             "Compile a chart to Go",
		Long:              genGoHelp,
		Example:           genGoExample,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return genGo(args, o) },
		ValidArgsFunction: completeChart,
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.out, "out", "o", "", "write to `FILE` instead of standard output; of several charts, to this folder")
	flags.StringVar(&o.pkg, "package", os.Getenv("GOPACKAGE"), "`NAME` of the package; \"go generate\" sets it in $GOPACKAGE")
	flags.StringVar(&o.typ, "type", "", "`NAME` of the type, with which all other names begin; by default it is Machine, and they stand alone")
	flags.StringVar(&o.events, "events", "", "`FILE` with a JSON Schema of events and their data")
	flags.BoolVar(&o.names, "names", false, "write constants for the names in the chart, and nothing else")
	flags.BoolVar(&o.dynamic, "dynamic", false, "leave data and expressions to the script engine at run time")
	flags.BoolVar(&o.check, "check", false, "write nothing, and fail if a file is not what would be written")
	flags.BoolVar(&o.explain, "explain", false, "print what types the data of a chart have, and write nothing")
	cmd.Flag("package").DefValue = "" // help is the same everywhere
	return cmd
}

func genGo(names []string, o genGoOptions) error {
	switch {
	case len(names) == 0:
		return cli.Usagef("which chart? Write, for example: scxmlrun gen go door.scxml --package door")
	case o.events != "" && (o.names || o.dynamic):
		return cli.Usagef("--events gives types to data, which --names and --dynamic do not have")
	}
	if o.events != "" {
		var err error
		if o.schema, err = cli.ReadText(o.events, file.MaxInput); err != nil {
			return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot read %q: %w", o.events, cli.Plain(err))}
		}
	}
	switch {
	case o.explain:
		return explainTypes(names, o)
	case o.pkg == "":
		return cli.Usagef("which package? Write, for example: --package main")
	case len(names) > 1 && o.typ != "":
		return cli.Usagef("--type: with several charts, types are named after them")
	case o.names && (o.typ != "" || o.dynamic):
		return cli.Usagef("--names writes constants alone: it takes neither --type nor --dynamic")
	case o.check && len(names) == 1 && (o.out == "" || o.out == "-"):
		return cli.Usagef("--check: which file? Name it with -o")
	}
	var files []goFile
	for _, name := range names {
		out, typ := o.out, o.typ
		if len(names) > 1 {
			base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
			out, typ = filepath.Join(cmp.Or(o.out, filepath.Dir(name)), base+"_gen.go"), compile.TypeName(base)
		}
		for _, other := range files {
			if other.name == out {
				return cli.Usagef("%s and %s would both be written to %s", other.chart, name, out)
			}
		}
		if err := cli.CheckOut("-o", out, names...); err != nil {
			return err
		}
		code, err := goCode(name, out, typ, o)
		if err != nil {
			return err
		}
		files = append(files, goFile{name: out, chart: name, code: code})
	}
	if err := checkNames(files, o); err != nil {
		return err
	}
	for _, f := range files {
		if !o.check {
			if err := writeOut(f.name, f.code); err != nil {
				return err
			}
			continue
		}
		old, err := os.ReadFile(f.name)
		if err != nil {
			return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot read %q: %w", f.name, cli.Plain(err))}
		}
		if !bytes.Equal(old, f.code) {
			return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("%s is not what %s gives now: write it anew", f.name, f.chart)}
		}
	}
	return nil
}

// explainTypes prints the types that typed code has.
func explainTypes(names []string, o genGoOptions) error {
	if o.names || o.dynamic || o.check || o.out != "" {
		return cli.Usagef("--explain prints types, and nothing else: it takes no other flag than --events")
	}
	for _, name := range names {
		source, folder, err := load.Read(name, scxml.Limits{})
		if err != nil {
			return err
		}
		if _, err := load.Compile(name, source, folder, scxml.Limits{}); err != nil {
			return err
		}
		all, err := compile.Explain(folder, filepath.Base(name), source, compile.Options{Events: o.schema})
		var table bytes.Buffer
		w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
		for _, t := range all {
			at := ""
			if t.Pos.IsValid() {
				at = t.Pos.String()
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", t.Kind, cli.Visible(t.Name, cli.EscapeNewlines), cmp.Or(t.Types, "-"), t.Go, cli.Visible(at, cli.EscapeNewlines), cli.Visible(t.Why, cli.EscapeNewlines))
		}
		w.Flush() // to a buffer
		for line := range strings.Lines(table.String()) {
			fmt.Println(strings.TrimRight(line, " \n"))
		}
		if err := refuse(name, err, o); err != nil {
			return err
		}
	}
	return nil
}

// refuse reports what cannot be compiled.
func refuse(name string, err error, o genGoOptions) error {
	if errors.As(err, new(*compile.SchemaError)) {
		return &cli.Error{Status: cli.Refused, Err: fmt.Errorf("%s: %w", o.events, err)}
	}
	problems := (*compile.UnsupportedError)(nil)
	if !errors.As(err, &problems) {
		return nameError(err)
	}
	for _, p := range problems.Problems {
		fmt.Fprintln(os.Stderr, cli.Visible(p.String(), cli.EscapeNewlines))
	}
	hint := "compile it with --dynamic, or see \"scxmlrun gen go --help\""
	if o.dynamic {
		hint = "see \"scxmlrun gen go --help\""
	}
	return &cli.Error{Status: cli.Refused, Err: fmt.Errorf("%s cannot be compiled: %s", name, hint)}
}

// goCode returns the Go file of a chart.
func goCode(name, out, typ string, o genGoOptions) ([]byte, error) {
	source, folder, err := load.Read(name, scxml.Limits{})
	if err != nil {
		return nil, err
	}
	chart, err := load.Compile(name, source, folder, scxml.Limits{})
	if err != nil {
		return nil, err
	}
	if o.names {
		code, err := compile.Constants(chart, o.pkg)
		return code, nameError(err)
	}
	options := compile.Options{Package: o.pkg, Type: typ, Dynamic: o.dynamic, Events: o.schema}
	if out != "" && out != "-" {
		options.File = filepath.Base(out)
		options.Folder = folderFrom(out, name)
	}
	code, err := compile.Source(folder, filepath.Base(name), source, options)
	if err != nil {
		return nil, refuse(name, err, o)
	}
	return code, nil
}

// folderFrom returns the way from the folder of one file to that of another, with slashes, or "" if there is none.
func folderFrom(file, other string) string {
	from, err1 := filepath.Abs(filepath.Dir(file))
	to, err2 := filepath.Abs(filepath.Dir(other))
	way, err3 := filepath.Rel(from, to)
	if errors.Join(err1, err2, err3) != nil || way == "." {
		return ""
	}
	return filepath.ToSlash(way)
}

// nameError makes a wrong name one of wrong usage.
func nameError(err error) error {
	if errors.As(err, new(*compile.NameError)) {
		return cli.Usagef("%v", err)
	}
	return err
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
