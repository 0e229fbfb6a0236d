//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// faultyFolder returns a folder with a chart, a test of it and a recording.
func faultyFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"c.scxml": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"><onentry><log expr="1"/></onentry><transition event="go" target="s"/></state></scxml>`,
		"c.json":  `{"initialConfiguration":["s"],"events":[]}`,
		"m.smcat": "initial => off;\n",
		"old":     "old",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(binary, "run", "--ui", "none", "--record", "c.rec", "c.scxml")
	if cmd.Dir = dir; cmd.Run() != nil {
		t.Fatal("no recording")
	}
	return dir
}

// filesIn returns the files in a folder and its folders.
func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// writers are the commands that write to standard output. Those of run are in
// protocol_streams_test.go.
var writers = []string{
	"check --format json c.scxml", "check --format sarif c.scxml", "check --explain list", "check --explain unknown-target",
	"bench --event go --time 10ms c.scxml", "bench --event go --time 10ms --json c.scxml", "gen go --package main c.scxml", "inspect c.scxml",
	"debug c.scxml", "doc c.scxml", "doc --format markdown c.scxml", "draw c.scxml", "draw --format png c.scxml", "draw --format tree c.scxml",
	"draw --format dot c.scxml", "explore c.scxml", "explore --json c.scxml", "explore --suggest c.scxml", "gen scenarios -o new c.scxml",
	"import m.smcat", "mutate c.scxml --tests .", "mutate --json c.scxml --tests .", "replay c.rec", "shrink c.rec --keep true", "why go --record c.rec", "why In('s') --record c.rec",
	"test .", "test --output json .", "test --output junit .", "test --output markdown .",
	"version", "--version", "--help", "run --help", "help check", "man", "completion bash", "completion zsh",
}

// A full disk is an error of each command that writes to standard output.
func TestFullDiskOfCommands(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system lacks /dev/full")
	}
	defer full.Close()
	dir := faultyFolder(t)
	for _, args := range writers {
		cmd := exec.Command(binary, strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, full, &stderr
		cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != cli.Failed || !strings.HasSuffix(stderr.String(), "no space left on device\n") {
			t.Errorf("%s: exit status %d, want %d: %s", args, got, cli.Failed, &stderr)
		}
	}
}

// A reader that has gone ends each command without a word, as in "scxmlrun man | head -1".
func TestClosedPipeOfCommands(t *testing.T) {
	dir := faultyFolder(t)
	for _, args := range append([]string{"run c.scxml", "run --ui line c.scxml", "run --ui json c.scxml", "run --isolate --ui json c.scxml"}, writers...) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := exec.Command(binary, strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, w, &stderr
		cmd.Run()
		w.Close()
		if got := cmd.ProcessState.ExitCode(); got != cli.Failed || stderr.Len() > 0 {
			t.Errorf("%s: exit status %d, want %d: %s", args, got, cli.Failed, &stderr)
		}
	}
}

// Standard error that nobody reads changes nothing, unless it has the output.
func TestClosedStandardError(t *testing.T) {
	dir := faultyFolder(t)
	for args, want := range map[string]int{
		"run --ui none --trace c.scxml": cli.Failed, "run --ui json --nonsense": cli.Usage, "check --limit X=1 c.scxml": cli.Usage, "check old": cli.Refused, "test .": cli.OK,
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := exec.Command(binary, strings.Fields(args)...)
		cmd.Dir, cmd.Stderr = dir, w
		cmd.Run()
		w.Close()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: exit status %d, want %d", args, got, want)
		}
	}
}

// A disk that is full before a file is complete is an error of each command that writes files. The
// old file does not change, and nothing else is left.
func TestFullDiskOfFiles(t *testing.T) {
	for _, args := range []string{
		"run --ui none --save old c.scxml", "run --isolate --ui none --save old c.scxml", "run --ui none --record new.rec c.scxml",
		"run --isolate --ui none --record new.rec c.scxml", "gen go --package main --out old c.scxml", "gen scenarios -o new c.scxml",
		"test --cover new.json .", "test --cover new.html .", "draw --format svg -o old c.scxml", "doc --format html -o old c.scxml",
		"doc -o new.md --picture old c.scxml", "explore --dot old c.scxml", "explore --always !In('s') --write new c.scxml",
		"import -o old m.smcat", "mutate --write new --tests . c.scxml", "shrink c.rec --keep true -o old",
	} {
		dir := faultyFolder(t)
		before := filesIn(t, dir)
		cmd := exec.Command("sh", append([]string{"-c", `ulimit -f 0; exec "$0" "$@"`, binary}, strings.Fields(args)...)...)
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != cli.Failed || !strings.Contains(string(out), "too large") {
			t.Errorf("%s: exit status %d, want %d: %s", args, got, cli.Failed, out)
		}
		old, err := os.ReadFile(filepath.Join(dir, "old"))
		if err != nil || string(old) != "old" {
			t.Errorf("%s: the file has %q, %v", args, old, err)
		}
		if after := filesIn(t, dir); !slices.Equal(after, before) {
			t.Errorf("%s: the folder has %v, want %v", args, after, before)
		}
	}
}
