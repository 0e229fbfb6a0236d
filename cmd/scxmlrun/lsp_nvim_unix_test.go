//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Neovim works with the language server as its users do.
func TestLSPInNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("nvim is not installed")
	}
	script, err := filepath.Abs("testdata/nvim/lsp.lua")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "door.scxml"), []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="closed">
  <state id="closed"><transition event="open" target="open"/></state>
  <state id="open">
    <!-- A name that is not right: -->
    <transition event="close" target="closde"/>
  </state>
</scxml>
`), 0o666); err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(dir, "results")
	cmd := exec.Command(nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile "+script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SCXMLRUN="+binary, "RESULTS="+results, "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CACHE_HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("nvim: %v\n%s", err, out)
	}
	got, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	const want = `diagnostic: 4:38 unknown-target: state "open": target "closde" not found (did you mean "closed"?)
hover: (unknown-target)
action: write "closed"
completion: closed ajar open
typed:   <!-- 😀 --><state id="ajar"><transition event="close" target="closed" cond="In('open')"/></state>
definition: 3:13
renamed:   <!-- 😀 --><state id="ajar"><transition event="close" target="closed" cond="In('wide')"/></state>
renamed:   <state id="wide">
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
