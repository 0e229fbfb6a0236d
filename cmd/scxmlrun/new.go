package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/starter"
)

const newHelp = `New writes a small chart with comments, and a scenario that tests it: NAME.scxml and
NAME.txtar. With --go it also writes main.go, a program that runs the chart, and
main_test.go. NAME may have a folder in front of it, which is made if it is not there.
No file that exists is changed. The templates:

%s
Exit status:
  1    a file is there already, or cannot be written
  2    wrong usage`

// newNewCommand returns the command that writes a chart to begin with.
func newNewCommand() *cobra.Command {
	var names []string
	var about strings.Builder
	for _, t := range starter.Templates {
		names = append(names, t.Name)
		fmt.Fprintf(&about, "  %-9s %s\n", t.Name, t.About)
	}
	template := cli.Choice{Value: names[0], All: names}
	var program bool
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a chart to begin with",
		Long:  fmt.Sprintf(newHelp, about.String()),
		Example: `  scxmlrun new door
  scxmlrun new --template order --go shop/order`,
		Args: cobra.ArbitraryArgs, // runNew says more than cobra
		RunE: func(_ *cobra.Command, args []string) error {
			for i := range starter.Templates {
				if t := &starter.Templates[i]; t.Name == template.Value {
					return runNew(t, args, program)
				}
			}
			return nil // Choice has refused other names
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	template.Flag(cmd, "template", "the chart to begin with: "+strings.Join(names, ", "))
	cmd.Flags().BoolVar(&program, "go", false, "write a Go program and its test, too")
	return cmd
}

var newName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,59}$`) })

func runNew(t *starter.Template, args []string, program bool) error {
	if len(args) != 1 {
		return cli.Usagef("one name is needed, for example: scxmlrun new door; run %q for more", "scxmlrun new --help")
	}
	folder, name := filepath.Split(strings.TrimSuffix(args[0], ".scxml"))
	if !newName().MatchString(name) {
		return cli.Usagef("%q is not a name: want letters, digits, - and _, of which the first is a letter", name)
	}
	files, err := t.Files(name, program)
	if err != nil {
		return err
	}
	for _, f := range files {
		if _, err := os.Lstat(folder + f.Name); err == nil {
			return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("%s is there already, and nothing was written: choose another name or folder", folder+f.Name)}
		}
	}
	if err := os.MkdirAll(cmp.Or(folder, "."), 0o777); err != nil {
		return &cli.Error{Status: cli.Failed, Err: cli.Plain(err)}
	}
	var out strings.Builder
	for _, f := range files {
		if err := writeNew(folder+f.Name, f.Content); err != nil {
			return &cli.Error{Status: cli.Failed, Err: err}
		}
		fmt.Fprintln(&out, folder+f.Name)
	}
	chart, search := folder+files[0].Name, ""
	if t.Data != "" {
		search = "--data '" + t.Data + "' "
	}
	fmt.Fprintf(&out, "\nNow try:\n  scxmlrun %s\n  scxmlrun test %s\n  scxmlrun draw %s\n  scxmlrun explore %s%s\n", chart, folder+name+".txtar", chart, search, chart)
	if program {
		fmt.Fprintf(&out, "and in the folder of main.go, unless a module is there:\n  go mod init example.com/%s\n  go get github.com/scxmlrun/scxmlrun/scxml@latest\n  go run . && go test .\n", name)
	}
	return cli.Printed(fmt.Print(out.String()))
}

// writeNew writes a file that is not there.
func writeNew(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already", name)
	}
	if err != nil {
		return cli.Plain(err)
	}
	_, err = f.Write(content)
	return cmp.Or(err, f.Close())
}
