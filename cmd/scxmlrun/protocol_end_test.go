package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// After the end of input a session continues until nothing is pending.
func TestEndOfInput(t *testing.T) {
	for _, clock := range []string{"real", "virtual"} {
		t.Run(clock, func(t *testing.T) {
			c := dial(t, counterChart, "--clock", clock)
			c.write(`{"event":"later"}`)
			c.in.Close()
			c.last("idle")
			c.last("idle")
			records := c.until("done")
			if got, want := types(records), []string{"event", "stable", "log", "done"}; !slices.Equal(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
			if got := records[2]["value"]; got != 1.0 {
				t.Errorf("at the end n = %v, want 1", got)
			}
			if got := c.wait(); got != cli.OK {
				t.Errorf("exit status %d", got)
			}
		})
	}
}

// On a virtual clock a line waits until the previous one is processed, however long that takes.
func TestLongAdvance(t *testing.T) {
	c := dial(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="s">
    <onentry><send event="tick" delay="10ms"/></onentry>
    <transition event="tick" target="s"/>
  </state>
</scxml>`, "--clock", "virtual")
	c.write(`{"advance":"200s"}`, `{"event":"next"}`, `{"stop":true}`)
	ticks := 0
	for r := c.read(); r != nil; r = c.read() {
		switch {
		case r["name"] == "tick" && r["type"] == "event":
			ticks++
		case r["name"] == "next" && r["time_ms"] != 200_000.0:
			t.Fatalf("the second line was not taken after the first: %v", r)
		}
	}
	if want := 20_000; ticks != want || ticks < drive.Patience {
		t.Errorf("%d ticks, want %d", ticks, want)
	}
}

// A session that never comes to rest can still be stopped.
func TestStopBusySession(t *testing.T) {
	for _, clock := range []string{"real", "virtual"} {
		t.Run(clock, func(t *testing.T) {
			c := dial(t, counterChart, "--clock", clock)
			c.last("idle")
			c.write(`{"event":"again","id":1}`, `{"stop":true,"id":2}`)
			c.last("done")
			for want := range 2 {
				if got := c.last("idle")["answers"]; got != float64(want+1) {
					t.Errorf("answers %v, want %d", got, want+1)
				}
			}
			if got := c.wait(); got != cli.OK {
				t.Errorf("exit status %d", got)
			}
		})
	}
}

// A busy session does not outlive its timeout on the real clock.
func TestTimeoutOfBusySession(t *testing.T) {
	c := dial(t, counterChart, "--timeout", "100ms")
	c.write(`{"event":"again"}`)
	if got := c.last("done")["reason"]; got != "timeout" {
		t.Errorf("reason %v, want timeout", got)
	}
	if got := c.wait(); got != cli.Timeout {
		t.Errorf("exit status %d, want %d", got, cli.Timeout)
	}
}

func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot send signals")
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		for _, event := range []string{"", "add", "again", "spin"} {
			t.Run(fmt.Sprint(signal, " ", event), func(t *testing.T) {
				c := dial(t, counterChart)
				c.last("idle")
				if event != "" {
					c.write(fmt.Sprintf(`{"event":%q}`, event))
					c.last("event")
				}
				if err := c.cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				records := c.until("done")
				if names := types(records); names[len(names)-2] != "log" {
					t.Errorf("no onexit handler has run: %v", names)
				}
				if got := records[len(records)-1]["reason"]; got != "stopped" {
					t.Errorf("reason %v, want stopped", got)
				}
				if got := c.wait(); got != cli.Interrupted {
					t.Errorf("exit status %d, want %d", got, cli.Interrupted)
				}
			})
		}
	}
}

// If nobody reads the output, a second interrupt ends the command at once, and a single
// one after a while.
func TestInterruptWhileOutputBlocks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot send signals")
	}
	for _, signals := range []int{1, 2} {
		t.Run(fmt.Sprint(signals), func(t *testing.T) {
			t.Parallel()
			c := dial(t, counterChart)
			c.last("idle")
			c.write(`{"event":"shout"}`)
			// It is writing a record that does not fit into a pipe.
			for begin := []byte(nil); !bytes.Contains(begin, []byte("xxxx")); {
				more := make([]byte, 100)
				n, err := c.out.Read(more)
				if err != nil {
					t.Fatal(err)
				}
				if begin = append(begin, more[:n]...); bytes.Contains(begin, []byte(`"type":"idle"`)) {
					t.Fatalf("the record is not there: %s", begin)
				}
			}
			start := time.Now()
			for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[:signals] { // equal ones could become one
				if err := c.cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
			}
			state, err := c.cmd.Process.Wait()
			if err != nil {
				t.Fatal(err)
			}
			if got := state.ExitCode(); got != cli.Interrupted {
				t.Errorf("exit status %d, want %d", got, cli.Interrupted)
			}
			took := time.Since(start)
			if signals == 1 && took < cli.Grace {
				t.Errorf("the first signal ended it after %v", took)
			}
		})
	}
}

// hangingChart has a script that nothing inside the process ends.
const hangingChart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="s">
    <onexit><log label="bye"/></onexit>
    <transition event="hang">
      <script>var a = []; a[4294967294] = 1</script>
      <log label="hanging"/>
      <script>a.reverse()</script>
    </transition>
  </state>
</scxml>`

// A script that hangs inside a function of the library does not outlive --timeout or a
// signal by more than the grace.
func TestHangingScriptEnds(t *testing.T) {
	t.Run("timeout", func(t *testing.T) {
		t.Parallel()
		c := dial(t, hangingChart, "--timeout", "300ms")
		c.write(`{"event":"hang"}`)
		c.last("log")
		if got := c.wait(); got != cli.Timeout || !strings.Contains(c.stderr.String(), "ended by force") {
			t.Errorf("exit status %d, want %d: %s", got, cli.Timeout, &c.stderr)
		}
	})
	t.Run("signal", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("Windows cannot send signals")
		}
		t.Parallel()
		for _, flags := range [][]string{nil, {"--timeout", "1h"}, {"--clock", "virtual"}} {
			c := dial(t, hangingChart, flags...)
			c.write(`{"event":"hang"}`)
			c.last("log")
			if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if got := c.wait(); got != cli.Interrupted || !strings.Contains(c.stderr.String(), "ended by force") {
				t.Errorf("%v: exit status %d, want %d: %s", flags, got, cli.Interrupted, &c.stderr)
			}
		}
	})
}

// A match that takes too long ends, and is an error. To the script it must not look as if
// nothing matches.
func TestLongMatchIsAnError(t *testing.T) {
	text := strings.Repeat("a", 60)
	c := dial(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="s">
    <transition event="match"><script>matches = /^(a+)+(?!x)b/.test("`+text+`")</script></transition>
    <transition event="replace"><script>replaced = "`+text+`".replace(/^(a+)+(?!x)b/g, "")</script></transition>
    <transition event="ask" cond="!/^(a+)+(?!x)b/.test('`+text+`')"><raise event="asked"/></transition>
    <transition event="after"><log expr="typeof matches + ' ' + typeof replaced"/></transition>
  </state>
</scxml>`, "--limit", "ScriptTime=50ms")
	for _, event := range []string{"match", "replace", "ask"} {
		c.write(fmt.Sprintf(`{"event":%q}`, event))
		if got := c.last("error")["message"].(string); !strings.Contains(got, "longer than its time limit of 50ms") {
			t.Errorf("%s: %s", event, got)
		}
	}
	c.write(`{"event":"after"}`)
	if got := c.last("log")["value"]; got != "undefined undefined" {
		t.Errorf("after the scripts: %v", got)
	}
}

// Interrupts work alike in the other front ends.
func TestSignalsToOtherFrontEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot send signals")
	}
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="s">
    <onentry><log label="up"/><send event="never" delay="1h"/></onentry>
    <onexit><log label="bye"/></onexit>
  </state>
</scxml>`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, ui := range []string{"none", "line"} {
		t.Run(ui, func(t *testing.T) {
			cmd := exec.Command(binary, "--ui", ui, file)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			cmd.Stdout, cmd.Stderr = w, w
			in, err := cmd.StdinPipe() // stays open
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			w.Close()
			out := bufio.NewReader(r)
			for line := ""; !strings.HasSuffix(line, "up\n"); {
				if line, err = out.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			cmd.Process.Signal(syscall.SIGTERM)
			rest, _ := io.ReadAll(out)
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != cli.Interrupted {
				t.Errorf("exit status %d, want %d", got, cli.Interrupted)
			}
			if !strings.Contains(string(rest), "bye\n") {
				t.Errorf("no onexit handler has run: %q", rest)
			}
		})
	}
}
