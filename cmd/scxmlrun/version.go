package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print which version this is",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printed(fmt.Fprint(cmd.OutOrStdout(), versionLine()))
		},
	}
}

// versionLine is what "scxmlrun version" and "scxmlrun --version" print.
func versionLine() string {
	return fmt.Sprintf("scxmlrun %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version returns the version of the module that the command was built from,
// with the commit if the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	v, commit, changed := info.Main.Version, "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", changed since"
		}
	}
	if commit != "" {
		v += " (commit " + commit[:min(12, len(commit))] + changed + ")"
	}
	return v
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageErrorf("%q takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// printed turns the result of a print into a failure of the command.
func printed(_ int, err error) error {
	if err != nil {
		return &statusError{statusFailed, fmt.Errorf("cannot write to standard output: %w", err)}
	}
	return nil
}
