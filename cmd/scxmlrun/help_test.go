package main

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// TestRootHelp checks that the first help has each command once, and fits a terminal of 80 by 24, with
// the prompt after it.
func TestRootHelp(t *testing.T) {
	words := strings.Fields(rootHelp[strings.Index(rootHelp, "Write"):strings.Index(rootHelp, "For example")])
	root := newRootCommand()
	root.InitDefaultHelpCmd()
	for _, name := range cli.CommandNames(root) {
		if !slices.Contains(words, name) {
			t.Errorf("%s is missing", name)
		}
	}
	lines := strings.Split(rootHelp, "\n")
	if len(lines) > 24 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("too long: %s", line)
		}
	}
}

// TestExploreHelp checks that the groups have each flag once.
func TestExploreHelp(t *testing.T) {
	seen := map[string]int{"help": 1}
	for _, g := range exploreFlags {
		for _, name := range g.names {
			seen[name]++
		}
	}
	newExploreCommand().Flags().VisitAll(func(f *pflag.Flag) {
		if seen[f.Name] != 1 {
			t.Errorf("--%s is there %d times", f.Name, seen[f.Name])
		}
	})
}
