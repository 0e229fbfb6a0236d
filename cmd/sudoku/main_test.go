package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// binary is the command that the tests run.
var binary string

func TestMain(m *testing.M) { os.Exit(clitest.Main(m, main, "sudoku", &binary)) }

// TestScripts runs testdata/script, see [clitest.RunScripts]. There are also
//
//	repeat N FROM TO   writes the file FROM N times into the file TO
//	lines N FILE       the file, or stdout, has N lines
func TestScripts(t *testing.T) {
	clitest.RunScripts(t, binary, os.Getenv("SUDOKU_UPDATE") != "", map[string]clitest.ScriptCommand{
		"repeat": scriptRepeat,
		"lines":  scriptLines,
	})
}

func scriptRepeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat N FROM TO")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Repeat(ts.ReadFile(args[1]), n)), 0o666))
}

func scriptLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines N FILE")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile(args[1]), "\n"); got != want {
		ts.Fatalf("%s has %d lines, want %d", args[1], got, want)
	}
}
