package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit statuses. They mean the same in every sub-command.
const (
	statusOK          = 0   // ended in a final state, was stopped, or has nothing more to do
	statusFailed      = 1   // a failure while running: a limit, an I/O failure
	statusUsage       = 2   // wrong usage
	statusRefused     = 3   // the document is no legal chart
	statusTimeout     = 4   // --timeout passed
	statusUnexpected  = 5   // --expect was given and it ended elsewhere
	statusInterrupted = 130 // SIGINT, SIGTERM or SIGHUP
)

func main() { os.Exit(execute(newRootCommand())) }

// A statusError is an error that knows the exit status it causes.
type statusError struct {
	status int
	err    error // nil: everything has been said already
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// usageErrorf returns an error of the status for wrong usage. The text says what is wrong and what to do.
func usageErrorf(format string, args ...any) error {
	return &statusError{statusUsage, fmt.Errorf(format, args...)}
}

// execute runs a command and returns its exit status. It prints the error.
func execute(root *cobra.Command) int {
	err := root.Execute()
	if err == nil {
		return statusOK
	}
	failure := &statusError{statusUsage, err} // what cobra itself complains about is wrong usage
	errors.As(err, &failure)
	if failure.err != nil {
		fmt.Fprintln(os.Stderr, "scxmlrun:", visible(failure.err.Error(), keepNewlines))
	}
	return failure.status
}

// newRootCommand builds the command line. The root does what "run" does, so
// that scxmlrun FILE is enough.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "scxmlrun [run] FILE",
		Short: "Run SCXML charts",
		Long: `scxmlrun runs state charts written in SCXML, the state machine notation of the
W3C Recommendation of 2015-09-01.

"scxmlrun FILE" is short for "scxmlrun run FILE".
` + runHelp,
		Example:       runExample,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	bindRun(root)
	root.Version = versionLine()
	root.SetVersionTemplate("{{.Version}}")
	root.Flags().Bool("version", false, "print which version this is")
	root.SetFlagErrorFunc(flagError)

	run := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a chart",
		Long: `Run reads a chart and runs it until it ends.
` + runHelp,
		Example: runExample,
	}
	bindRun(run)
	root.AddCommand(run, newBenchCommand(), newCheckCommand(), newTestCommand(), newVersionCommand(), newW3CCommand())
	root.SetHelpCommand(newHelpCommand(root))
	return root
}

// newHelpCommand is cobra's, except that an unknown command is an error.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say more about a command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usageErrorf("there is no command %q%s", args[0], didYouMean(args[0], commandNames(root)))
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return commandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// flagError turns what the flag parser says into an error that helps.
func flagError(cmd *cobra.Command, err error) error {
	hint := fmt.Sprintf("; run %q for the flags", cmd.CommandPath()+" --help")
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		name := unknown.GetSpecifiedName()
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			return usageErrorf("there is no flag -%s; flags begin with two dashes, as in --ui json%s", letters, hint)
		}
		if near := nearest(name, names); near != "" {
			return usageErrorf("there is no flag --%s (did you mean --%s?)%s", name, near, hint)
		}
		return usageErrorf("there is no flag --%s%s", name, hint)
	}
	var missing *pflag.ValueRequiredError
	if errors.As(err, &missing) {
		value, usage := pflag.UnquoteUsage(missing.GetFlag())
		return usageErrorf("--%s needs a %s: %s%s", missing.GetFlag().Name, value, usage, hint)
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		why := invalid.Unwrap().Error()
		if number := (*strconv.NumError)(nil); errors.As(invalid, &number) {
			why = notOfType[invalid.GetFlag().Value.Type()]
		}
		return usageErrorf("--%s %s: %s%s", invalid.GetFlag().Name, invalid.GetValue(), why, hint)
	}
	return usageErrorf("%v%s", err, hint)
}

// notOfType says what to write where a value is not of the type of its flag.
var notOfType = map[string]string{
	"bool":   "write true or false",
	"int":    "write a whole number",
	"uint64": "write a whole number from 0 to 18446744073709551615",
}
