//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

var memoryAll = flag.Bool("memory.all", false, "TestSearchMemory: each command on each chart")

// greedy are charts of which one state takes the memory, or the time.
var greedy = map[string]string{
	"timers": `<state id="s"><onentry><send event="t" delay="1s"/></onentry><transition event="t"><send event="t" delay="1s"/><send event="t" delay="1s"/></transition></state>`,
	"apart":  `<state id="s"><transition event="x"><send event="t" delay="1h"/></transition></state>`,
	"queue": `<datamodel><data id="a" expr="new Array(1000).fill('0123456789')"/></datamodel>
<state id="s"><transition event="x"><foreach array="a" item="i"><foreach array="a" item="j"><send event="y" target="#_internal"><content expr="a"/></send></foreach></foreach></transition></state>`,
	"array":  `<datamodel><data id="a" expr="[1]"/></datamodel><state id="s"><transition event="x"><assign location="a" expr="a.concat(a)"/></transition></state>`,
	"string": `<datamodel><data id="a" expr="'x'"/></datamodel><state id="s"><transition event="x"><assign location="a" expr="a + a"/></transition></state>`,
	"script": `<datamodel><data id="a" expr="[]"/></datamodel><state id="s"><transition event="x"><script>for (;;) a.push({})</script></transition></state>`,
	"start":  `<datamodel><data id="a" expr="[]"/></datamodel><script>for (;;) a.push({})</script><state id="s"/>`,
	"states": `<datamodel><data id="a" expr="0"/><data id="b" expr="0"/></datamodel><state id="s"><transition event="x"><assign location="a" expr="a + 1"/></transition><transition event="y"><assign location="b" expr="b + 1"/></transition></state>`,
}

// writeGreedy writes a chart, and a test that it passes.
func writeGreedy(t *testing.T, name string) (file, tests string) {
	dir := t.TempDir()
	file, tests = filepath.Join(dir, name+".scxml"), filepath.Join(dir, "tests")
	source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">` + greedy[name] + `</scxml>`
	scenario := fmt.Sprintf("-- chart --\n%s\n-- events --\n-- check --\nalways true\n", file)
	for file, text := range map[string]string{file: source, filepath.Join(tests, "test.txtar"): scenario} {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return file, tests
}

// peak reads the peak of a process in bytes until it ends. It is 0 if the process has ended before.
func peak(cmd *exec.Cmd) chan int64 {
	most := make(chan int64, 1)
	go func() {
		bytes := int64(0)
		for {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			_, text, ok := strings.Cut(string(status), "VmHWM:")
			if err != nil || !ok {
				most <- bytes
				return
			}
			kB, _ := strconv.ParseInt(strings.Fields(text)[0], 10, 64)
			bytes = max(bytes, kB<<10)
			time.Sleep(2 * time.Millisecond)
		}
	}()
	return most
}

// checkPeak compares the peak of a process with its bound, both in bytes.
func checkPeak(t *testing.T, got, bound int64) {
	t.Helper()
	const besides = 64 << 20
	most := bound + bound/10 + besides
	t.Logf("peak %d MB of %d", got>>20, most>>20)
	if got == 0 || got > most && !clitest.Race {
		t.Errorf("the process takes %d MB, want at most %d", got>>20, most>>20)
	}
}

// A search takes no more memory than --memory says, whatever one state takes.
func TestSearchMemory(t *testing.T) {
	const bound = 64 // MB
	for name := range greedy {
		file, tests := writeGreedy(t, name)
		for _, args := range [][]string{
			{"explore", file},
			{"explore", file, "--simulate", "--runs", "3"},
			{"explore", "--diff", file, file},
			{"gen", "scenarios", file, "--states", "0", "-o", filepath.Join(t.TempDir(), "out")},
			{"mutate", file, "--tests", tests, "--mutants", "2", "--states", "0"},
		} {
			if plain := len(args) == 2; !plain && name != "timers" && name != "array" && !*memoryAll {
				continue
			}
			t.Run(name+"/"+strings.Join(args[:2], " ")[:7], func(t *testing.T) {
				t.Parallel()
				var out bytes.Buffer
				cmd := exec.Command(binary, append(args, "--memory", strconv.Itoa(bound), "--timeout", "2s")...)
				cmd.Stdout, cmd.Stderr = &out, &out
				if args[0] == "mutate" {
					cmd.Args = append(cmd.Args, "--workers", "2")
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				most, begun := peak(cmd), time.Now()
				late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
				_ = cmd.Wait()
				if !late.Stop() {
					t.Errorf("it does not end: %s", &out)
				}
				if got, took := <-most, time.Since(begun); got > 0 || took > time.Second {
					checkPeak(t, got, bound<<20)
				}
				t.Logf("%v: %.200s", time.Since(begun), &out)
				if strings.Contains(out.String(), "goroutine ") {
					t.Errorf("it crashes: %.1000s", &out)
				}
			})
		}
	}
}

// Ctrl+C ends a search inside one state, without force.
func TestSearchInterrupt(t *testing.T) {
	for name := range greedy {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, _ := writeGreedy(t, name)
			var out bytes.Buffer
			cmd := exec.Command(binary, "explore", file, "--memory", "300")
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond) // it may have ended
			interrupted := cmd.Process.Signal(syscall.SIGINT) == nil
			_ = cmd.Wait()
			got := cmd.ProcessState.ExitCode()
			if interrupted && got == cli.Interrupted && !strings.Contains(out.String(), "inconclusive (interrupted)") || strings.Contains(out.String(), "by force") {
				t.Errorf("exit status %d: %s", got, &out)
			}
		})
	}
}

// The search that a click in an editor starts has bounds, too.
func TestEditorMemory(t *testing.T) {
	file, _ := writeGreedy(t, "timers")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "lsp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	most := peak(cmd)
	uri := "file://" + file
	send := func(id int, method string, params any) {
		message := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
		if id > 0 {
			message["id"] = id
		}
		text, err := json.Marshal(message)
		if err == nil {
			_, err = fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(text), text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	send(1, "initialize", map[string]any{"capabilities": map[string]any{}})
	send(0, "initialized", map[string]any{})
	send(0, "textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "scxml", "version": 1, "text": string(source)}})
	send(2, "workspace/executeCommand", map[string]any{"command": "scxmlrun.explore", "arguments": []string{uri}})
	text := ""
	for buf := make([]byte, 10000); !strings.Contains(text, `"id":2`); {
		n, err := stdout.Read(buf)
		if text += string(buf[:n]); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	if !strings.Contains(text, "bound: timers") || !strings.Contains(text, `delayed events \"t\" are pending`) {
		t.Errorf("%s", text)
	}
	send(3, "shutdown", nil)
	send(0, "exit", nil)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	checkPeak(t, <-most, 512<<20)
}
