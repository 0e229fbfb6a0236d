package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// teeVariable turns the test binary into the command, for programs that start it by
// name: it runs the command whose path is in binaryVariable, and copies its standard
// output to the file named by teeVariable.
const (
	teeVariable    = "SCXMLRUN_TEST_TEE"
	binaryVariable = "SCXMLRUN_TEST_BINARY"
)

func tee(file string) int {
	f, err := os.Create(file)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	cmd := exec.Command(os.Getenv(binaryVariable), os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, io.MultiWriter(os.Stdout, f), os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		panic(err)
	}
	return cmd.ProcessState.ExitCode()
}

// The clients of examples/clients solve puzzles.
func TestClients(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "..")
	for _, client := range []struct{ interpreter, version, file string }{
		{"python3", `^Python 3\.(\d+)`, "sudoku.py"},
		{"node", `^v(\d+)\.`, "sudoku.mjs"},
	} {
		t.Run(client.file, func(t *testing.T) {
			t.Parallel()
			out, err := exec.Command(client.interpreter, "--version").CombinedOutput()
			version := regexp.MustCompile(client.version).FindSubmatch(out)
			if err != nil || version == nil {
				t.Skipf("%s is not installed: the client is not tested", client.interpreter)
			}
			if n, _ := strconv.Atoi(string(version[1])); client.interpreter == "python3" && n < 8 || client.interpreter == "node" && n < 18 {
				t.Skipf("this is %s, which is too old: the client is not tested", bytes.TrimSpace(out))
			}
			for _, puzzle := range []string{"", "01-nearly-solved.csv", "24-expert-3.csv"} {
				records := filepath.Join(t.TempDir(), "records")
				cmd := exec.Command(client.interpreter, filepath.Join("examples", "clients", client.file))
				if puzzle != "" {
					cmd.Args = append(cmd.Args, filepath.Join("examples", "sudoku", "puzzles", puzzle))
				}
				cmd.Dir = root
				cmd.Env = append(os.Environ(), "SCXMLRUN="+self, binaryVariable+"="+binary, teeVariable+"="+records)
				out, err := cmd.CombinedOutput()
				lines := strings.Split(strings.TrimSpace(string(out)), "\n")
				if err != nil || len(lines) != 10 || !strings.HasPrefix(lines[9], "solved ") || strings.Contains(strings.Join(lines[:9], ""), "0") {
					t.Fatalf("%s: %v\n%s", puzzle, err, out)
				}
				written, err := os.ReadFile(records)
				if err != nil {
					t.Fatal(err)
				}
				if err := checkOutput(written); err != nil {
					t.Fatal(err)
				}
				if !bytes.Contains(written, []byte(`"configuration":["game","board","idle","solved",`)) {
					t.Errorf("%s: the chart does not think that it is solved\n%s", puzzle, out)
				}
			}
		})
	}
}

// A client reports an invalid puzzle.
func TestClientRefusesPuzzle(t *testing.T) {
	for interpreter, file := range map[string]string{"python3": "sudoku.py", "node": "sudoku.mjs"} {
		if exec.Command(interpreter, "--version").Run() != nil {
			t.Skipf("%s is not installed: the client is not tested", interpreter)
		}
		clients, puzzle := filepath.Join("..", "..", "examples", "clients"), filepath.Join(t.TempDir(), "puzzle")
		if err := os.WriteFile(puzzle, []byte("1,2,3"), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(interpreter, filepath.Join(clients, file), puzzle)
		cmd.Env = append(os.Environ(), "SCXMLRUN="+binary)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "this is not a puzzle: want 81 numbers, got 3") {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
		out, err = exec.Command(interpreter, filepath.Join(clients, file), puzzle+"-").CombinedOutput()
		if err == nil || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), puzzle+"-") {
			t.Errorf("%s, without file: %v\n%s", file, err, out)
		}
		out, err = exec.Command(interpreter, filepath.Join(clients, file), "--help").CombinedOutput()
		if err != nil || !strings.Contains(string(out), file+" [PUZZLE]\n") {
			t.Errorf("%s --help: %v\n%s", file, err, out)
		}
	}
}
