package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A client may write everything before it reads anything.
func TestManyEventsAtOnce(t *testing.T) {
	const n = 20_000 // many times what the pipes hold
	c := dial(t, counterChart, "--clock", "virtual")
	if _, err := io.WriteString(c.in, strings.Repeat(`{"event":"add"}`+"\n", n)+`{"get":"n"}`); err != nil {
		t.Fatal(err)
	}
	c.in.Close()
	idles, value := 0, any(nil)
	for r := c.read(); r != nil; r = c.read() {
		switch r["type"] {
		case "idle":
			if want := any(float64(idles)); idles > 0 && r["answers"] != want {
				t.Fatalf("answers %v, want %v", r["answers"], want)
			}
			idles++
		case "value":
			value = r["value"]
		}
	}
	if want := n + 2; idles != want { // the start, and the get
		t.Errorf("%d records of type idle, want %d", idles, want)
	}
	if value != float64(n) {
		t.Errorf("n = %v, want %d", value, n)
	}
	if got := c.status(); got != cli.OK {
		t.Errorf("exit status %d", got)
	}
}

func TestLongLines(t *testing.T) {
	c := dial(t, counterChart)
	c.last("idle")
	for _, size := range []int{1 << 20, 4 << 20} {
		c.write(`{"event":{"name":"keep","data":"` + strings.Repeat("x", size) + `"}}`)
		event := c.until("event")[0]
		if got := len(event["data"].(string)); got != size {
			t.Errorf("data of %d characters, want %d", got, size)
		}
		c.last("idle")
		if got := c.get("last.length"); got != float64(size) {
			t.Errorf("last.length = %v, want %d", got, size)
		}
	}

	// Beyond the bound the line is rejected, and the next one is read as usual.
	c.write(`{"event":"`+strings.Repeat("x", wire.MaxLine)+`"}`, `{"event":"add","id":"next"}`)
	rejected := c.last("rejected")
	if rejected["line"] != 5.0 || rejected["message"] != fmt.Sprintf("the line is longer than %d bytes", wire.MaxLine) {
		t.Errorf("rejected: %v", rejected)
	}
	if idle := c.last("idle"); idle["answers"] != "next" {
		t.Errorf("idle: %v", idle)
	}
}

func TestInvalidUTF8(t *testing.T) {
	c := dial(t, counterChart)
	c.last("idle")
	c.write("{\"event\":\"ad\xffd\"}")
	if got, want := c.last("rejected")["message"], "not UTF-8: byte 0xff at offset 12"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	c.write("\xed\xa0\x80") // a surrogate
	c.last("rejected")
	c.write("\uFEFF{\"event\":\"add\"}") // a byte order mark is skipped only at the start
	c.last("rejected")
	if got := c.get("n"); got != 0.0 {
		t.Errorf("n = %v, want 0", got)
	}
}

func TestLineEnds(t *testing.T) {
	c := dial(t, counterChart)
	io.WriteString(c.in, "\uFEFF{\"event\":\"add\"}\r\n{\"event\":\"add\"}\r\n{\"get\":\"n\"}")
	c.in.Close()
	if got := c.last("value")["value"]; got != 2.0 {
		t.Errorf("n = %v, want 2", got)
	}
}

// A slow reader loses nothing.
func TestSlowReader(t *testing.T) {
	const n = 5000
	c := dial(t, counterChart, "--clock", "virtual")
	c.out = bufio.NewReaderSize(c.out, 16)
	c.write(slices.Repeat([]string{`{"event":"add"}`}, n)...)
	c.in.Close()
	records := 0
	for c.read() != nil { // read checks seq
		if records++; records%100 == 0 {
			runtime.Gosched()
		}
	}
	if want := 3 + 3*n + 2; records != want {
		t.Errorf("%d records, want %d", records, want)
	}
}

// A session that waits for input ends if its reader has gone.
func TestClosedOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(counterChart), 0o666); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := exec.Command(binary, "--ui", "json", file)
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &stderr
	in, err := cmd.StdinPipe() // stays open
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	err = cmd.Run()
	w.Close()
	if got := cmd.ProcessState.ExitCode(); got != cli.Failed || stderr.Len() > 0 && runtime.GOOS != "windows" {
		t.Errorf("exit status %d (%v), want %d: %s", got, err, cli.Failed, &stderr)
	}
}

// A session ends if its reader disappears while it works.
func TestReaderGoesAway(t *testing.T) {
	c := dial(t, counterChart)
	c.last("idle")
	c.write(`{"event":"again"}`) // never ends
	c.last("stable")
	c.pipe.Close()
	if got := c.status(); got != cli.Failed {
		t.Errorf("exit status %d, want %d", got, cli.Failed)
	}
}

// Unreadable input is a failure, but does not end what is pending.
func TestUnreadableInput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a folder cannot be opened like this")
	}
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(counterChart), 0o666); err != nil {
		t.Fatal(err)
	}
	folder, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	cmd := exec.Command(binary, "--ui", "json", file)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = folder, &stdout, &stderr
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != cli.Failed {
		t.Errorf("exit status %d, want %d", got, cli.Failed)
	}
	if got, want := stderr.String(), "scxmlrun: cannot read the input: is a directory\n"; got != want {
		t.Errorf("stderr %q, want %q", got, want)
	}
	if err := checkOutput(stdout.Bytes()); err != nil || !strings.Contains(stdout.String(), `"type":"done"`) {
		t.Errorf("%v\n%s", err, stdout.String())
	}
}

// A full disk is reported, whichever record no longer fits.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system lacks /dev/full")
	}
	defer full.Close()
	_, noSpace := full.Write([]byte("x"))
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(counterChart), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, ui := range []string{"json", "line"} {
		cmd := exec.Command(binary, "--ui", ui, file)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != cli.Failed {
			t.Errorf("%s: exit status %d, want %d", ui, got, cli.Failed)
		}
		if got, want := stderr.String(), fmt.Sprintf("scxmlrun: cannot write the output: %v\n", errors.Unwrap(noSpace)); got != want {
			t.Errorf("%s: stderr %q, want %q", ui, got, want)
		}
	}
}

// The data of an event is bounded by the engine.
func TestTooMuchData(t *testing.T) {
	c := dial(t, counterChart)
	c.last("idle")
	c.write(`{"event":{"name":"keep","data":"` + strings.Repeat("x", 17<<20) + `"}}`)
	if got := c.last("rejected")["message"].(string); !strings.Contains(got, "limit") {
		t.Errorf("message %q", got)
	}
	c.write(`{"event":"add"}`)
	c.last("idle")
}
