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
			cmd := exec.Command(binary, strings.Fields(line[1])...)
			cmd.Dir, cmd.Stderr = filepath.Dir(name), os.Stderr
			cmd.Env = append(os.Environ(), "GOPACKAGE="+packageClause.FindStringSubmatch(string(source))[1])
			want, err := cmd.Output()
			if err != nil {
				return err
			}
			got, err := os.ReadFile(filepath.Join(cmd.Dir, line[2]))
			if err != nil || string(got) != string(want) {
				t.Errorf("%s is out of date: run go generate in %s (%v)", line[2], cmd.Dir, err)
			}
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d go:generate lines, %v", found, err)
	}
}
