//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// Neovim works with the language server, with the settings of the guide.
func TestLSPInNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("nvim is not installed")
	}
	script, err := filepath.Abs("testdata/nvim/lsp.lua")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../../scxml/guides/in-your-editor.md")
	if err != nil {
		t.Fatal(err)
	}
	settings := regexp.MustCompile("(?s)```lua\n(.*?vim\\.lsp.*?)```").FindSubmatch(guide)
	if settings == nil {
		t.Fatal("the guide has no settings for Neovim")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "settings.lua"), settings[1], 0o666); err != nil {
		t.Fatal(err)
	}
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
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"), "SETTINGS="+filepath.Join(dir, "settings.lua"), "RESULTS="+results,
		"HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CACHE_HOME="+dir)
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
