package cli

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// AddMan adds the command "man", which prints a manual page of the root and all
// commands below it. The page has what --help says.
func AddMan(root *cobra.Command) {
	root.AddCommand(&cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		Long: `Man prints a manual page with the help of all commands. Pipe it to man to read
it now, or write it to a folder where man looks for pages.`,
		Example: fmt.Sprintf("  %[1]s man | man -l -\n  %[1]s man > ~/.local/share/man/man1/%[1]s.1", root.Name()),
		Args:    NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return Printed(io.WriteString(cmd.OutOrStdout(), manual(root, Version(), commitDate())))
		},
	})
}

// commitDate is the day of the commit that the command was built from, or "".
func commitDate() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if day, _, ok := strings.Cut(s.Value, "T"); ok && s.Key == "vcs.time" {
			return day
		}
	}
	return ""
}

// manual returns the manual page of a command, in the language of man(7).
func manual(root *cobra.Command, version, date string) string {
	var b strings.Builder
	name := root.Name()
	fmt.Fprintf(&b, ".TH %q 1 %q %q\n", strings.ToUpper(name), date, name+" "+version)
	b.WriteString(".nh\n.ad l\n") // no word is broken, no line is stretched
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(strings.ToLower(root.Short[:1])+root.Short[1:]))
	b.WriteString(".SH SYNOPSIS\n")
	manUsage(&b, root)
	b.WriteString(".SH DESCRIPTION\n")
	manText(&b, root.Long)
	b.WriteString(".SH OPTIONS\n")
	manFlags(&b, root)
	if root.HasExample() {
		b.WriteString(".SH EXAMPLES\n")
		manText(&b, root.Example)
	}
	b.WriteString(".SH COMMANDS\n")
	manCommands(&b, root)
	return b.String()
}

// manCommands writes a section for each command and those below it. The shells of "completion" are
// left to --help.
func manCommands(b *strings.Builder, parent *cobra.Command) {
	for _, cmd := range parent.Commands() {
		_, name, _ := strings.Cut(cmd.CommandPath(), " ")
		fmt.Fprintf(b, ".SS %q\n", roff(name))
		manUsage(b, cmd)
		text := cmd.Long
		if text == "" {
			text = cmd.Short + "."
		}
		manText(b, text)
		manFlags(b, cmd)
		if cmd.HasExample() {
			manText(b, "Examples:\n"+cmd.Example)
		}
		if name != "completion" {
			manCommands(b, cmd)
		}
	}
}

func manUsage(b *strings.Builder, cmd *cobra.Command) {
	line := cmd.UseLine()
	if cmd.HasAvailableSubCommands() && !cmd.HasParent() {
		line += "\n" + cmd.Name() + " COMMAND [flags]"
	}
	for usage := range strings.Lines(line) {
		fmt.Fprintf(b, ".PP\n.B %s\n", roff(strings.TrimSpace(usage)))
	}
}

func manFlags(b *strings.Builder, cmd *cobra.Command) {
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(b, "\\fB\\-%s\\fR, ", roff(f.Shorthand))
		}
		fmt.Fprintf(b, "\\fB\\-\\-%s\\fR", roff(f.Name))
		if value != "" {
			fmt.Fprintf(b, " \\fI%s\\fR", roff(value))
		}
		switch f.DefValue {
		case "", "0", "0s", "false", "[]":
		default:
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(b, "\n%s\n", roff(usage))
	})
}

// manText writes a help text: what is indented keeps its lines, the rest is
// filled.
func manText(b *strings.Builder, text string) {
	b.WriteString(".PP\n")
	verbatim := false
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		indented := strings.HasPrefix(line, "  ")
		switch {
		case indented && !verbatim:
			b.WriteString(".nf\n")
		case !indented && verbatim:
			b.WriteString(".fi\n")
		}
		verbatim = indented
		if line == "" {
			line = ".PP"
		} else {
			line = roff(line)
		}
		b.WriteString(line + "\n")
	}
	if verbatim {
		b.WriteString(".fi\n")
	}
}

// roff escapes what would be a command or a special character in a manual page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `"`, `\(dq`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
