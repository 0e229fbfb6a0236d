package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/mcp"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/serve"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

func main() {
	isolate.Child(serve.Drawing, mcp.Work) // does not return in a child of --isolate
	load.BoundMatches(scxml.DefaultLimits())
	root := newRootCommand()
	root.SetArgs(withDashes(os.Args[1:]))
	os.Exit(cli.Execute(root))
}

// newRootCommand builds the command line. The root does the same as "run", so that
// scxmlrun FILE is enough.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "scxmlrun [run] FILE",
		Short: "Run SCXML charts",
		Long: `scxmlrun runs statecharts written in SCXML, the language of the W3C
Recommendation of 2015-09-01.

"scxmlrun FILE" is short for "scxmlrun run FILE".
` + runHelp,
		Example:       runExample,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	bindRun(root)
	root.ValidArgsFunction = completeCommandOrChart
	root.Version = cli.VersionLine(root)
	root.SetVersionTemplate("{{.Version}}")
	root.Flags().Bool("version", false, "print the version")
	root.SetFlagErrorFunc(cli.FlagError)

	run := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a chart",
		Long: `Run reads a chart and runs it until it ends.
` + runHelp,
		Example: runExample,
	}
	bindRun(run)
	root.AddCommand(
		run, newBenchCommand(), newCheckCommand(), newDAPCommand(), newDebugCommand(), newDocCommand(), newDrawCommand(), newEditCommand(), newExploreCommand(), newGenCommand(), newImportCommand(),
		newInspectCommand(), newLSPCommand(), newMCPCommand(), newMutateCommand(), newNewCommand(), newPlaygroundCommand(), newReplayCommand(), newServeCommand(), newSessionsCommand(), newShrinkCommand(), newStoreCommand(), newTestCommand(), cli.NewVersionCommand(),
		newW3CCommand(), newWhyCommand(),
	)
	cli.AddMan(root)
	root.SetHelpCommand(cli.NewHelpCommand(root))
	cli.AddCompletion(root)
	setHelp(root)
	return root
}

// completeChart completes the one FILE of a command.
func completeChart(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeCharts(cmd, args, word)
}

// completeCommandOrChart completes the first word after scxmlrun, to which cobra
// adds the commands. The shell can look for files or take words, not both, so
// here the files are words.
func completeCommandOrChart(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	dir, _ := filepath.Split(word)
	files, _ := os.ReadDir(cmp.Or(dir, ".")) // an unreadable folder has no candidates
	var words []string
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, file := range files {
		name := dir + file.Name()
		switch {
		case !strings.HasPrefix(name, word) || word == dir && strings.HasPrefix(file.Name(), "."):
		case file.IsDir():
			words = append(words, name+"/")
			directive |= cobra.ShellCompDirectiveNoSpace
		case slices.Contains([]string{".scxml", ".xml"}, filepath.Ext(name)):
			words = append(words, name)
		}
	}
	return words, directive
}

// completeCharts completes the FILEs of a command.
func completeCharts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"scxml", "xml"}, cobra.ShellCompDirectiveFilterFileExt
}

// chartTime is the value of a flag that takes a duration.
type chartTime time.Duration

func (t *chartTime) Type() string { return "TIME" }

func (t *chartTime) String() string {
	if *t == 0 {
		return ""
	}
	return time.Duration(*t).String()
}

func (t *chartTime) Set(text string) error {
	d, err := wire.ParseTime(text)
	*t = chartTime(d)
	return err
}
