package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
