package dap

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"
)

// The extension of Visual Studio Code knows the arguments of launch that this package knows.
func TestVSCodeKnowsArguments(t *testing.T) {
	text, err := os.ReadFile("../../vscode/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var extension struct {
		Contributes struct {
			Debuggers []struct {
				Type                    string
				ConfigurationAttributes map[string]struct{ Properties map[string]any }
			}
		}
	}
	if err := json.Unmarshal(text, &extension); err != nil {
		t.Fatal(err)
	}
	if n := len(extension.Contributes.Debuggers); n != 1 {
		t.Fatalf("the extension has %d debuggers", n)
	}
	want := slices.DeleteFunc(slices.Clone(launchArguments), func(name string) bool { return name == "noDebug" }) // of the editor itself
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(extension.Contributes.Debuggers[0].ConfigurationAttributes["launch"].Properties)); !slices.Equal(got, want) {
		t.Errorf("the extension knows %q, want %q", got, want)
	}
}
