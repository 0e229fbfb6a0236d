package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

var (
	generateLine  = regexp.MustCompile(`(?m)^//go:generate go run \S+/cmd/scxmlrun (gen go .*) -o (\S+)$`)
	packageClause = regexp.MustCompile(`(?m)^package (\w+)`)
)

// Each generated file of this module is what its go:generate line makes today.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../..", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, line := range generateLine.FindAllStringSubmatch(string(source), -1) {
			found++
			cmd := exec.Command(binary, append(strings.Fields(line[1]), "-o", line[2], "--check")...)
			cmd.Dir, cmd.Env = filepath.Dir(name), append(os.Environ(), "GOPACKAGE="+packageClause.FindStringSubmatch(string(source))[1])
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("run go generate in %s: %v\n%s", cmd.Dir, err, out)
			}
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d go:generate lines, %v", found, err)
	}
}

// The scenarios are the same to the byte if a program that is made of the chart has searched.
func TestScenariosByProgram(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	dir, cache := t.TempDir(), clitest.CacheIn(t.TempDir())
	if err := os.WriteFile(filepath.Join(dir, "gate.scxml"), []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="coins" expr="0"/></datamodel>
  <state id="closed">
    <transition event="coin" cond="coins + _event.data &lt; 40"><assign location="coins" expr="coins + _event.data"/></transition>
    <transition event="coin" cond="_event.data == 1" target="open"/>
  </state>
  <state id="open"><transition event="push" target="closed"><assign location="coins" expr="0"/></transition></state>
  <state id="lost"/>
</scxml>`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"--cover", "states"}, {"--cover", "pairs,guards"}} {
		made := map[string]string{}
		for _, mode := range []string{"never", "always"} {
			cmd := exec.Command(binary, append([]string{"gen", "scenarios", "gate.scxml", "--data", `{"coin":[1,2]}`, "--compiled", mode, "-o", mode}, args...)...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), cache...)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%q: %v\n%s", cmd.Args, err, out)
			}
			made[mode] = string(out)
			files, err := filepath.Glob(filepath.Join(dir, mode, "*.txtar"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%q: %q, %v", cmd.Args, files, err)
			}
			for _, name := range files {
				source, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				made[mode] += filepath.Base(name) + "\n" + string(source)
			}
		}
		if made["always"] != made["never"] {
			t.Errorf("%q: a program makes\n%s\nand sessions\n%s", args, made["always"], made["never"])
		}
	}
}
