package servertest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.temporal.io/api/temporalproto"

	"github.com/scxmlrun/scxmlrun/scxml/temporal"
)

// The program orders runs the chart of examples/orders, and the tools show its workflow, as a user would do it.
func TestTools(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	c := server(t)
	dir := t.TempDir()
	build := func(module string, packages ...string) {
		t.Helper()
		build := append([]string{"build", "-C", module, "-o", dir + string(filepath.Separator)}, packages...)
		if out, err := exec.Command("go", build...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	build("..", "./orders", "./recording")
	build(filepath.Join("..", "..", ".."), "./cmd/scxmlrun")
	chart := filepath.Join("..", "..", "..", "examples", "orders", "orders.scxml")

	// start returns a program, and the first line that it prints.
	start := func(program string, args ...string) (*exec.Cmd, string) {
		t.Helper()
		cmd := exec.Command(filepath.Join(dir, program), args...)
		cmd.Env = append(os.Environ(), fmt.Sprint("TEMPORAL_ADDRESS=127.0.0.1:", shared.port))
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return cmd, line
	}
	_, line := start("orders", chart)
	id, _, _ := strings.Cut(line, " ")
	eventually(t, func() bool {
		s, err := temporal.Get(t.Context(), c, id)
		return err == nil && slices.Contains(s.Configuration, "shipped") && strings.Contains(string(s.Data), `"parcel":"JJD 17"`)
	})

	text, err := temporalproto.CustomJSONMarshalOptions{}.Marshal(fetch(t, c, id, ""))
	if err != nil {
		t.Fatal(err)
	}
	history, recording := filepath.Join(dir, "history.json"), filepath.Join(dir, "order.rec")
	if err := os.WriteFile(history, text, 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(input, program string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(filepath.Join(dir, program), args...)
		cmd.Stdin = strings.NewReader(input)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v\n%s", args, err, errs.Bytes())
		}
		return out
	}
	if err := os.WriteFile(recording, run("", "recording", "-types", "x-partner", chart, history), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		input string
		args  []string
		want  []string
	}{
		{"", []string{"replay", recording}, []string{"as recorded", "order shipped", "JJD 17"}},
		{"", []string{"replay", recording, "--chart", chart, "--bisect", "parcel != ''"}, []string{"parcel.sent"}},
		{"", []string{"why", "parcel", "--record", recording}, []string{"orders.scxml:", "parcel.sent"}},
		{"continue\nprint parcel\nback\n", []string{"debug", recording}, []string{"JJD 17"}},
	} {
		out := string(run(c.input, "scxmlrun", c.args...))
		t.Logf("%s\n%s", c.args, out)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", c.args, want, out)
			}
		}
	}
	_, page := start("scxmlrun", "inspect", recording)
	t.Log(page)
	r, err := http.Get(strings.TrimSpace(page[strings.Index(page, "http"):]))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	r.Body.Close()
	t.Logf("%s", body[:min(len(body), 300)])
	if err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("inspect: %s, %v", r.Status, err)
	}
}
