package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// A counter counts the bytes written and keeps the last ones.
type counter struct {
	n    int
	last []byte
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p)
	c.last = append(c.last, p...)
	c.last = c.last[max(0, len(c.last)-1000):]
	return len(p), nil
}

// One macrostep cannot fill a disk: the session ends with a failure that says why.
func TestOutputOfMacrostepIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.scxml")
	if err := os.WriteFile(file, []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="big" expr="'x'.repeat(8e6)"/><data id="often" expr="new Array(1000)"/><data id="i"/></datamodel>
  <state id="s">
    <onentry><foreach array="often" item="i"><send id="a" event="e" delay="1h"><content expr="big"/></send><cancel sendid="a"/></foreach></onentry>
  </state>
</scxml>`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--ui", "json"}, {"--ui", "json", "--trace"}, {"--ui", "line"}} {
		cmd := exec.Command(binary, append(args, "--clock", "virtual", file)...)
		var out counter
		var said strings.Builder
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(""), &out, &said
		err := cmd.Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != cli.Failed || !strings.Contains(said.String(), "in one macrostep exceeded: the chart sends too much") {
			t.Errorf("%q: %v, %s", args, err, said.String())
		}
		if out.n > drive.MaxReport+drive.MaxReport/10 {
			t.Errorf("%q: %d bytes are written", args, out.n)
		}
		if args[1] == "json" && !strings.Contains(string(out.last), `"reason":"limit"`) {
			t.Errorf("%q: it ends with %s", args, out.last)
		}
	}
}
