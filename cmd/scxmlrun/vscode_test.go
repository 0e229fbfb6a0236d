package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// The files that the extension for Visual Studio Code consists of are there and are JSON, and its
// dependency is the one that the README installs.
func TestExtensionFiles(t *testing.T) {
	read := func(name string, v any) {
		t.Helper()
		source, err := os.ReadFile(filepath.Join("vscode", name))
		if err == nil {
			err = json.Unmarshal(source, v)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var manifest struct {
		Main         string
		Dependencies map[string]string
		Contributes  struct {
			Languages []struct{ ID, Configuration string }
			Grammars  []struct{ Language, ScopeName, Path string }
		}
	}
	read("package.json", &manifest)
	if _, err := os.Stat(filepath.Join("vscode", manifest.Main)); err != nil || manifest.Main == "" {
		t.Errorf("main is %q: %v", manifest.Main, err)
	}
	if len(manifest.Dependencies) != 1 || manifest.Dependencies["vscode-languageclient"] == "" {
		t.Errorf("dependencies: %v", manifest.Dependencies)
	}
	var grammar struct{ ScopeName string }
	read(manifest.Contributes.Languages[0].Configuration, &struct{}{})
	read(manifest.Contributes.Grammars[0].Path, &grammar)
	if grammar.ScopeName != manifest.Contributes.Grammars[0].ScopeName {
		t.Errorf("the scope of the grammar is %q, want %q", grammar.ScopeName, manifest.Contributes.Grammars[0].ScopeName)
	}
}

// The extension starts the language server and the debugger. Without its dependency it says what to do.
func TestExtension(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	folder, err := filepath.Abs("vscode")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		with []string
		want string
	}{
		{nil, `debugger: scxmlrun dap
error: SCXML: run "npm install" in HERE, and reload the window (Cannot find module 'vscode-languageclient/node')
`},
		{[]string{"client"}, `debugger: scxmlrun dap
server: scxmlrun lsp --declare beep
files: scxml
start: {"commands":["scxmlrun.showPlaces","editor.action.triggerSuggest"]}
command: editor.action.showReferences ["file:///a.scxml",{"line":1,"character":2},[]]
stop
`},
	} {
		out, err := exec.Command(node, slices.Concat([]string{"testdata/vscode/run.js", folder}, test.with)...).CombinedOutput()
		if err != nil || string(out) != test.want {
			t.Errorf("with %q: %v\n%s\nwant\n%s", test.with, err, out, test.want)
		}
	}
}
