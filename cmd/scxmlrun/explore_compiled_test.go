package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDiffCompiled: explore --diff says the same by a program as by sessions, apart from the word that says so.
func TestDiffCompiled(t *testing.T) {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Skip("no go command")
	}
	dir := t.TempDir()
	env := append(os.Environ(), "GOCACHE="+strings.TrimSpace(string(out)), "XDG_CACHE_HOME="+dir, "HOME="+dir, "LocalAppData="+dir)
	const door = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="n" expr="0"/></datamodel>
  <state id="shut"><transition event="push" cond="n &lt; 3" target="open"><assign location="n" expr="n + 1"/><send event="rung"><param name="n" expr="n"/></send></transition></state>
  <state id="open"><transition event="pull" target="shut"/></state></scxml>`
	old, same, other := filepath.Join(dir, "old.scxml"), filepath.Join(dir, "same.scxml"), filepath.Join(dir, "other.scxml")
	for name, text := range map[string]string{old: door, same: strings.Replace(door, "n + 1", "1 + n", 1), other: strings.Replace(door, `expr="n"/></send>`, `expr="n % 3"/></send>`, 1)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ file, want string }{
		{same, "holds: 7 states, 6 transitions, depth 6, 1 deadlock, compiled\n"},
		{other, "violated: 6 states, 5 transitions, depth 4, 0 deadlocks, compiled\n\ndifference: send: old: rung {\"n\":3}; new: rung {\"n\":0}\n1. push\n2. pull\n3. push\n4. pull\n5. push\n"},
	} {
		for mode, want := range map[string]string{"always": test.want, "never": strings.Replace(test.want, ", compiled", "", 1)} {
			cmd := exec.Command(binary, "explore", "--compiled", mode, "--diff", old, test.file)
			cmd.Env = env
			if got, err := cmd.Output(); string(got) != want {
				t.Errorf("%s, %s: %v\n%s\nwant\n%s", mode, filepath.Base(test.file), err, got, want)
			}
		}
	}
}
