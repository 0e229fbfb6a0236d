package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// A Choice is the value of a flag that takes one of several words.
type Choice struct {
	Value string
	All   []string
}

// Flag adds the flag to a command, with completion.
func (c *Choice) Flag(cmd *cobra.Command, name, usage string) {
	cmd.Flags().Var(c, name, usage)
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.All, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was added a moment ago
	}
}

// String returns the chosen word.
func (c *Choice) String() string { return c.Value }

// Type is what stands for the value in help.
func (c *Choice) Type() string { return "NAME" }

// Set chooses a word.
func (c *Choice) Set(word string) error {
	if !slices.Contains(c.All, word) {
		if near := Nearest(word, c.All); near != "" {
			return fmt.Errorf("did you mean %q? There is %s", near, List(c.All, "and"))
		}
		return fmt.Errorf("there is %s", List(c.All, "and"))
	}
	c.Value = word
	return nil
}
