package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// binary is the command that the tests run.
var binary string

// buildFlags are what it is built with.
var buildFlags []string

func TestMain(m *testing.M) {
	if file := os.Getenv(teeVariable); file != "" {
		os.Exit(tee(file))
	}
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "scxmlrun")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "scxmlrun")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	args := append(append([]string{"build"}, buildFlags...), "-o", binary, ".")
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// TestScripts runs testdata/script. Beside the usual commands there are
//
//	status N PROGRAM [ARG…]   runs a program, which has to exit with status N;
//	                          records that it writes have to be as the schema says
//	neutral FILE              writes what the last binary printed to FILE, with
//	                          S1, S2, … for the ids of sessions and without what differs between builds
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("SCXMLRUN_UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" { // may read everything
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  scriptStatus,
			"neutral": scriptNeutral,
		},
	})
}

func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N PROGRAM [ARG…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	ts.Check(checkOutput([]byte(ts.ReadFile("stdout"))))
	if got != want {
		ts.Fatalf("%s exits with status %d, want %d", strings.Join(args[1:], " "), got, want)
	}
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
	seen := map[string]bool{}
	for _, m := range sessionField.FindAllStringSubmatch(text, -1) {
		if id := m[1]; !seen[id] {
			seen[id] = true
			text = strings.ReplaceAll(text, id, fmt.Sprintf("S%d", len(seen)))
		}
	}
	text = buildField.ReplaceAllString(text, "")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}
