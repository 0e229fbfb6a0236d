package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// techniqueFlags choose the techniques to look for.
type techniqueFlags struct{ with, without techniques }

// pathFlags choose the steps to the solution.
type pathFlags struct {
	techniqueFlags
	sequence cli.Choice
}

// bind adds the flags to a command.
func (f *pathFlags) bind(cmd *cobra.Command) {
	f.sequence = cli.Choice{Value: "player", All: []string{"player", "rating"}}
	f.sequence.Flag(cmd, "order", "which steps to take: player, the easiest to see, or rating, those that the rating is of")
	f.techniqueFlags.bind(cmd)
}

// check rejects flags that do not go together.
func (f *pathFlags) check() error {
	if f.sequence.Value == "rating" && len(f.with)+len(f.without) > 0 {
		return cli.Usagef("--order rating does not go together with --with and --without")
	}
	return nil
}

// path returns the steps to the solution.
func (f *pathFlags) path(t *thinker, p *human.Position, order []human.Technique) ([]human.Step, error) {
	if f.sequence.Value == "rating" {
		return t.rater.PathFrom(p)
	}
	path, solved := t.finder.Solve(p, order...)
	if !solved {
		return path, errStuck
	}
	return path, nil
}

// bind adds the flags to a command.
func (f *techniqueFlags) bind(cmd *cobra.Command) {
	cmd.Flags().Var(&f.with, "with", `use only these, such as "X-Wing,Skyscraper"; may be repeated`)
	cmd.Flags().Var(&f.without, "without", "do not use these; may be repeated")
	for _, name := range []string{"with", "without"} {
		if err := cmd.RegisterFlagCompletionFunc(name, completeTechnique); err != nil {
			panic(err) // the flag has just been added
		}
	}
}

// completeTechnique completes the last name of a list.
func completeTechnique(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var names []string
	for _, t := range human.Techniques() {
		names = append(names, before+t.String())
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// order returns the techniques in the order in which they are tried.
func (f *techniqueFlags) order() []human.Technique {
	order := human.Order()
	if len(f.with) > 0 {
		order = slices.DeleteFunc(human.Techniques(), func(t human.Technique) bool { return !slices.Contains(f.with, t) })
	}
	return slices.DeleteFunc(order, func(t human.Technique) bool { return slices.Contains(f.without, t) })
}

// techniques is the value of a flag that takes names of techniques.
type techniques []human.Technique

func (t *techniques) Type() string { return "TECHNIQUES" }

func (t *techniques) String() string {
	var names []string
	for _, one := range *t {
		names = append(names, one.String())
	}
	return strings.Join(names, ",")
}

func (t *techniques) Set(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		one, err := human.ParseTechnique(name)
		if err != nil {
			return err
		}
		*t = append(*t, one)
	}
	return nil
}
