package conformance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/conformance"
)

const lampScenario = `-- chart.scxml --
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="off"><transition event="push" target="on"/></state><state id="on"/></scxml>
-- events --
push
-- check --
reach on
`

// What git and editors do on Windows changes nothing, what was cut off fails, and other archives are none.
func TestScenarioFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("lamp.txtar", lampScenario)
	write("windows.txtar", "\ufeff"+strings.ReplaceAll(lampScenario, "\n", "\r\n"))
	write("cut.txtar", "-- check --\nreach on\n")
	write("empty.txtar", "")
	write("script.txtar", "exec true\n-- chart.scxml --\n")
	tests, err := conformance.ScenarioTests(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, test := range tests {
		r := test.Run(t.Context(), nil)
		got[test.Name] = r.Reason
		if (r.Reason == "") != r.Passed {
			t.Errorf("%s: %+v", test.Name, r)
		}
	}
	const damaged = "the scenario has no part -- events --: the file was damaged"
	for name, want := range map[string]string{"lamp": "", "windows": "", "cut": damaged, "empty": damaged} {
		if reason, ok := got[name]; !ok || reason != want {
			t.Errorf("%s: got %q, %t, want %q", name, reason, ok, want)
		}
	}
	if len(got) != 4 {
		t.Errorf("got %v", got)
	}
	if _, err := conformance.ScenarioTest(filepath.Join(dir, "script.txtar")); err == nil || !strings.Contains(err.Error(), "not a scenario") {
		t.Error(err)
	}
	if _, err := conformance.ScenarioTest(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
	gone := filepath.Join(dir, "gone.txtar")
	if err := os.Symlink("nowhere", gone); err != nil {
		t.Skip(err)
	}
	if _, err := os.Lstat(gone); err != nil {
		t.Skipf("the system says that it has made a link, and has not: %v", err) // Wine
	}
	if _, err := conformance.ScenarioTests(dir); err == nil || !strings.Contains(err.Error(), "gone.txtar") {
		t.Error(err)
	}
	if _, err := conformance.ScenarioTest(filepath.Join(dir, "lamp.txtar")); err != nil {
		t.Error(err)
	}
}
