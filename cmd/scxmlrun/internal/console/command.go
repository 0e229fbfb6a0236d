package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
)

// A Command is a word with a meaning of its own, which a line begins with.
type Command struct {
	Names []string // the long one first
	Run   func(argument string) error

	usage, help string
	completes   Kind
}

// TakesArgument reports whether the command has an argument.
func (c *Command) TakesArgument() bool { return c.usage != strings.Join(c.Names, ", ") }

// A Kind is a kind of words that complete an argument.
type Kind int

// The kinds of words.
const (
	Nothing    Kind = iota
	Events          // that the session takes
	States          // of the chart
	Data            // items of the chart
	Expression      // a data item, anywhere in the argument
	Choices         // the words of the usage
)

// Commands are the commands in the order of the help.
type Commands []Command

// Add adds a command. Its usage has its names, with commas, and its argument, such as "break, b [PLACE]".
func (all *Commands) Add(usage, help string, completes Kind, run func(argument string) error) {
	c := Command{Run: run, usage: usage, help: help, completes: completes}
	for word := range strings.FieldsSeq(usage) {
		name, more := strings.CutSuffix(word, ",")
		if c.Names = append(c.Names, name); !more {
			break
		}
	}
	*all = append(*all, c)
}

// Find returns the command with a name, or nil.
func (all Commands) Find(word string) *Command {
	for i := range all {
		if slices.Contains(all[i].Names, word) {
			return &all[i]
		}
	}
	return nil
}

// Words returns the long names.
func (all Commands) Words() (words []string) {
	for _, c := range all {
		words = append(words, c.Names[0])
	}
	return words
}

// Help returns the commands, and text before and after them, in lines as wide as the terminal.
func (c *Console) Help(before []string, after ...string) string {
	width, column := 80, 6 // of the explanations
	if n := c.Columns(); n > 0 {
		width = min(width, n)
	}
	if width >= 60 {
		for _, cmd := range c.Commands {
			column = min(max(column, len(cmd.usage)+4), 26)
		}
	}
	indent := strings.Repeat(" ", column)
	var b strings.Builder
	for _, paragraph := range before {
		b.WriteString(text.Fill(paragraph, width, "") + "\n")
	}
	for _, cmd := range c.Commands {
		usage := "  " + cmd.usage
		if len(usage) >= column {
			usage += "\n" + indent
		}
		fmt.Fprintf(&b, "%-*s%s\n", column, usage, text.Fill(cmd.help, width-column, indent))
	}
	for _, paragraph := range after {
		b.WriteString(text.Fill(paragraph, width, "") + "\n")
	}
	return b.String()
}
