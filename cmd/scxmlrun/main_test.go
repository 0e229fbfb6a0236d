package main

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// binary is the command that the tests run.
var binary string

func TestMain(m *testing.M) {
	if file := os.Getenv(teeVariable); file != "" {
		os.Exit(tee(file))
	}
	os.Exit(clitest.Main(m, main, "scxmlrun", &binary))
}

// TestScripts runs testdata/script, see [clitest.RunScripts]. Records written by the
// program that status runs must match the schema. There is also
//
//	neutral FILE   writes what the last binary printed to FILE, with S1, S2, …
//	               for the ids of sessions and without what differs between builds
//	fill DIR       makes a store with a session, or adds one
//	flip FILE TEXT flips a bit of each TEXT in FILE
func TestScripts(t *testing.T) {
	clitest.RunScripts(t, binary, os.Getenv("SCXMLRUN_UPDATE") != "", map[string]clitest.ScriptCommand{
		"status": func(ts *testscript.TestScript, neg bool, args []string) {
			clitest.Status(ts, neg, args)
			ts.Check(checkOutput([]byte(ts.ReadFile("stdout"))))
		},
		"neutral": scriptNeutral,
		"fill":    scriptFill,
		"flip":    scriptFlip,
	})
}

var (
	sessionField = regexp.MustCompile(`"session":"([^"]*)"`)
	buildField   = regexp.MustCompile(`,"scxmlrun":"[^"]*"`)
)

func scriptNeutral(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: neutral FILE")
	}
	text := ts.ReadFile("stdout")
	seen := map[string]string{}
	for _, m := range sessionField.FindAllStringSubmatch(text, -1) {
		if id := m[1]; seen[id] == "" {
			seen[id] = fmt.Sprintf("S%d", len(seen)+1)
		}
	}
	ids := slices.SortedFunc(maps.Keys(seen), func(a, b string) int { return len(b) - len(a) }) // one can begin with another
	for _, id := range ids {
		text = strings.ReplaceAll(text, id, seen[id])
	}
	text = buildField.ReplaceAllString(text, "")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}
