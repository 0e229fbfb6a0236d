package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Choice is the value of a flag that takes one of several words.
type Choice struct {
	Value string
	All   []string
}

// Flag adds the flag to a command, with completion.
func (c *Choice) Flag(cmd *cobra.Command, name, usage string) { addFlag(cmd, c, c.All, name, usage) }

func addFlag(cmd *cobra.Command, value pflag.Value, words []string, name, usage string) {
	cmd.Flags().Var(value, name, usage)
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag has just been added
	}
}

// String returns the chosen word.
func (c *Choice) String() string { return c.Value }

// Type returns the placeholder for the value in help texts.
func (c *Choice) Type() string { return "NAME" }

// Set chooses a word.
func (c *Choice) Set(word string) error {
	if !slices.Contains(c.All, word) {
		hint := ""
		if near := Nearest(word, c.All); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		return fmt.Errorf("want %s%s", List(c.All, "or"), hint)
	}
	c.Value = word
	return nil
}

// Choices is the value of a flag that takes a comma-separated list of words.
type Choices struct {
	Chosen []string
	All    []string
}

// Flag adds the flag to a command, with completion.
func (c *Choices) Flag(cmd *cobra.Command, name, usage string) { addFlag(cmd, c, c.All, name, usage) }

// String returns the chosen words.
func (c *Choices) String() string { return strings.Join(c.Chosen, ",") }

// Type returns the placeholder for the value in help texts.
func (c *Choices) Type() string { return "NAMES" }

// Set adds words to the chosen ones.
func (c *Choices) Set(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		one := Choice{All: c.All}
		if err := one.Set(strings.TrimSpace(word)); err != nil {
			return err
		}
		if !slices.Contains(c.Chosen, one.Value) {
			c.Chosen = append(c.Chosen, one.Value)
		}
	}
	return nil
}
