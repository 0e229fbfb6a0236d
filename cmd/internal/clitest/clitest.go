// Package clitest has what the tests of the commands share: it builds the command
// once and runs scripts with it.
package clitest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

// Race says that the tests and the commands are built with -race, and take more memory.
var Race bool

// buildFlags are what commands are built with.
var buildFlags []string

// Commands is an environment variable: a folder with commands that were built before.
const Commands = "SCXMLRUN_COMMANDS"

// Main builds the command in the current folder, sets binary to its path, runs the
// tests, and returns the exit status. The commands that the tests run keep their files in a
// temporary folder. Go keeps the results of tests for as long as their program is the same: main, which
// is not called, is the command's, and makes that depend on the command.
//
// Where Go is not installed, [Commands] says which folder has the commands.
func Main(m *testing.M, main func(), name string, binary *string) int {
	runtime.KeepAlive(main)
	dir, err := os.MkdirTemp("", name)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	built := os.Getenv(Commands)
	*binary = filepath.Join(cmp.Or(built, dir), name)
	if runtime.GOOS == "windows" {
		*binary += ".exe"
	}
	os.Setenv(shelf.Variable, filepath.Join(dir, "home"))
	if built == "" {
		args := append(append([]string{"build"}, buildFlags...), "-o", *binary, ".")
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
			return 1
		}
	}
	hearHangup()
	return m.Run()
}

// hearHangup undoes what nohup does: programs that ignore SIGHUP start others that ignore it, and tests
// wait for what these do when it arrives.
func hearHangup() {
	if signal.Ignored(syscall.SIGHUP) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
}

// A ScriptCommand is a command of a script.
type ScriptCommand = func(ts *testscript.TestScript, neg bool, args []string)

// RunScripts runs testdata/script with binary on the path. In addition to the usual
// commands and cmds there is
//
//	status N PROGRAM [ARG…]   runs a program, which must exit with status N
//
// and the conditions root, if the user may read and write everything, and links, if there are symbolic links:
// Windows wants a right for them, and Wine says that it has made one. $NOENT is how the system says that a file
// does not exist. If update is true, the expected output in the scripts is rewritten.
func RunScripts(t *testing.T, binary string, update bool, cmds map[string]ScriptCommand) {
	if cmds["status"] == nil {
		cmds["status"] = Status
	}
	_, err := os.Stat(filepath.Join(t.TempDir(), "nowhere"))
	noEntry := errors.Unwrap(err).Error()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       update,
		Setup: func(env *testscript.Env) error {
			env.Setenv(shelf.Variable, filepath.Join(env.WorkDir, ".home"))
			env.Setenv("NOENT", noEntry)
			env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Geteuid() <= 0, nil // -1 is Windows, which has no permissions of this kind
			case "links":
				link := filepath.Join(t.TempDir(), "link")
				if err := os.Symlink("nowhere", link); err != nil {
					return false, nil
				}
				_, err := os.Lstat(link)
				return err == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: cmds,
	})
}

// Status implements the command status, see [RunScripts].
func Status(ts *testscript.TestScript, neg bool, args []string) {
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
	if got != want {
		ts.Fatalf("%s exits with status %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}
