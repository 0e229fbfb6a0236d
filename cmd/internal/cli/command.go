package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit statuses. They have the same meaning in every command and subcommand.
const (
	OK          = 0   // all is well
	Failed      = 1   // a failure while running: a limit, an I/O failure
	Usage       = 2   // wrong usage
	Refused     = 3   // the input is invalid
	Timeout     = 4   // the time limit has passed
	Unexpected  = 5   // the outcome is not the expected one
	Partly      = 6   // it holds as far as was searched
	Interrupted = 130 // SIGINT or SIGTERM
)

// An Error is an error with an exit status.
type Error struct {
	Status int
	Err    error // nil: nothing is printed
}

func (e *Error) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.Status)
	}
	return e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Usagef returns an error for wrong usage. The text says what is wrong and what to do. If one of args is an
// [Error] of the status [Interrupted], as from [Read], that is returned.
func Usagef(format string, args ...any) error {
	for _, arg := range args {
		var interrupted *Error
		if err, ok := arg.(error); ok && errors.As(err, &interrupted) && interrupted.Status == Interrupted {
			return interrupted
		}
	}
	return &Error{Usage, fmt.Errorf(format, args...)}
}

// Outcome returns the error of a command that has ended with err: it was interrupted if ctx is done, and
// otherwise it has failed, unless err is nil or an [Error].
func Outcome(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return &Error{Status: Interrupted}
	case err == nil || errors.As(err, new(*Error)):
		return err
	}
	return &Error{Failed, err}
}

// Execute runs a command, prints its error and returns its exit status. If the reader of the output
// has gone, nothing is printed: it has what it wanted, as head does.
func Execute(root *cobra.Command) int {
	signal.Ignore(syscall.SIGPIPE) // a closed pipe is an error of Write: commands save and clean up
	out := new(standardOutput)
	root.SetOut(out)
	err := root.Execute()
	var path *fs.PathError
	if errors.As(err, &path) && path.Path == os.Stdout.Name() && path.Op == "write" { // a completion
		out.err = path
	}
	if out.err != nil { // cobra ignores it, or takes it for wrong usage
		err = Printed(0, out.err)
	}
	if err == nil {
		return OK
	}
	failure := &Error{Usage, err} // errors of cobra itself are about wrong usage
	errors.As(err, &failure)
	if failure.Err != nil && !errors.Is(failure.Err, syscall.EPIPE) {
		fmt.Fprintf(os.Stderr, "%s: %s\n", root.Name(), Visible(failure.Err.Error(), KeepNewlines))
	}
	return failure.Status
}

// standardOutput remembers its first error.
type standardOutput struct{ err error }

func (o *standardOutput) Write(p []byte) (int, error) {
	n, err := os.Stdout.Write(p)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// NewHelpCommand is cobra's, except that an unknown command is an error.
func NewHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				hint := DidYouMean(args[0], CommandNames(root))
				if hint == "" { // there are too many
					hint = fmt.Sprintf("; run \"%s --help\" for the commands", root.Name())
				}
				return Usagef("unknown command %q%s", args[0], hint)
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return CommandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// AddCompletion adds cobra's command "completion", except that an unknown shell
// is an error. Call it after the other commands were added.
func AddCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err) // it has just been added
	}
	completion.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return Usagef("%s: unknown shell %q%s", cmd.Name(), args[0], DidYouMean(args[0], CommandNames(cmd)))
		}
		return nil
	}
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// CommandNames returns the names of the subcommands.
func CommandNames(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	return names
}

// NoArgs rejects arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%q takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// Printed turns a failed print into a failure of the command.
func Printed(_ int, err error) error {
	if err != nil {
		return &Error{Failed, fmt.Errorf("cannot write to standard output: %w", Plain(err))}
	}
	return nil
}

// PrintJSON prints a value as a line of JSON.
func PrintJSON(v any) error {
	var line strings.Builder
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return &Error{Failed, err}
	}
	return Printed(fmt.Print(Escape(line.String(), InJSON)))
}

// Plain returns the cause of a path error, without the operation and the path.
func Plain(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// NewVersionCommand returns the command "version".
func NewVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return Printed(io.WriteString(cmd.OutOrStdout(), VersionLine(cmd.Root())))
		},
	}
}

// VersionLine returns the output of the command "version".
func VersionLine(root *cobra.Command) string {
	return fmt.Sprintf("%s %s %s %s/%s\n", root.Name(), Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// Version returns the version of the module that the command was built from, and
// the commit if it is known: by git in a clone, by a pseudo-version elsewhere.
func Version() string {
	info, _ := debug.ReadBuildInfo()
	return version(info)
}

func version(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" {
		return "(unknown)"
	}
	v, commit, changed := info.Main.Version, "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", modified"
		}
	}
	if pseudo := regexp.MustCompile(`[-.]\d{14}-([0-9a-f]{12})$`).FindStringSubmatch(v); commit == "" && pseudo != nil {
		commit = pseudo[1]
	}
	if commit != "" {
		v += " (commit " + commit[:min(12, len(commit))] + changed + ")"
	}
	return v
}
