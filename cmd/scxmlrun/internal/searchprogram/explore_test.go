package searchprogram

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
	_ "github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// count counts to most, and has a way out; objects are shared.
const count = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/><data id="s" expr="'a'"/><data id="list" expr="[0, {x: 1}]"/><data id="same" expr="list[1]"/></datamodel>
  <parallel>
    <state id="a">
      <transition event="up" cond="n &lt; MOST"><assign location="n" expr="n + 1"/></transition>
      <transition event="down" cond="n &gt; MOST / 2"><assign location="n" expr="0"/></transition>
    </state>
    <state id="p"><state id="b"><transition event="turn" target="c"><script>s += 'b'; same.x = s.length</script></transition></state>
      <state id="c"><transition event="turn" cond="s.length &lt; 5" target="b"><script>list[1].x = -s.length; list.reverse()</script></transition></state></state>
  </parallel>
</scxml>`

// counter counts without end. Where a condition is true, it sends itself more events than a program handles.
const counter = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/><data id="k" expr="0"/></datamodel>
  <state id="a">
    <transition event="up"><assign location="n" expr="n + 1"/></transition>
    <transition event="many" cond="COND"><assign location="k" expr="0"/><send event="more"/></transition>
    <transition event="more" cond="k &lt; 2000"><assign location="k" expr="k + 1"/><send event="more"/></transition>
  </state>
</scxml>`

func chart(t *testing.T, source string) *scxml.Chart {
	t.Helper()
	c, err := scxml.Parse("chart.scxml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMain(m *testing.M) { os.Exit(clitest.OwnCache(m)) }

func needGo(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
}

// A program finds what sessions find, also the second time, when it is there already.
func TestProgram(t *testing.T) {
	needGo(t)
	c := chart(t, strings.ReplaceAll(count, "MOST", "300")) // more values than numbers of 8 bits
	opts := explore.Options{NoDeadlocks: true, Properties: []explore.Property{explore.Never("n > 200 && s == 'ab'"), explore.Always("same.x < 4")}, Reach: []string{"c"}}
	want, program, err := Explore(t.Context(), c, opts, "never")
	if err != nil || program != nil {
		t.Fatal(program, err)
	}
	for round := range 3 {
		opts.Workers = round
		got, program, err := Explore(t.Context(), c, opts, "always")
		if err != nil {
			t.Fatal(err)
		}
		if program.StateBytes == 0 || program.KeptBytes == 0 {
			t.Errorf("the program is %+v", program)
		}
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("a program has found\n%+v\nwant\n%+v", got, want)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if programs, err := filepath.Glob(filepath.Join(cache, "scxmlrun", "search", "*.exe")); err != nil || len(programs) != 1 {
		t.Errorf("programs: %q, %v; want one, of both numbers of workers", programs, err)
	}
}

// timed has a light that goes out after 5 s, or 3 s after it was dimmed.
const timed = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="off"><transition event="press" target="on"/></state>
  <state id="on">
    <onentry><send event="out" delay="5s" id="out"/></onentry>
    <transition event="dim" target="dimmed"><send event="soon" delay="3s"/></transition>
    <transition event="out" target="off"/>
  </state>
  <state id="dimmed">
    <transition event="soon" target="off"><cancel sendid="out"/></transition>
    <transition event="out" target="late"/>
  </state>
  <state id="late"><transition event="soon" target="off"/></state>
</scxml>`

// Delayed events are due at all times that are possible, and at no others.
func TestProgramWaits(t *testing.T) {
	needGo(t)
	opts := explore.Options{Properties: []explore.Property{explore.Never("In('late')")}, Reach: []string{"late"}}
	for _, timing := range []explore.Timing{explore.Zones, explore.Any} {
		opts.Time = timing
		want, err := explore.Run(t.Context(), chart(t, timed), opts)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Explore(t.Context(), chart(t, timed), opts, "always")
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("a program has found\n%+v\nwant\n%+v", got, want)
		}
		if path := fmt.Sprint(got.Reached[0].Path); path != "[press advance 3s dim advance 2s]" {
			t.Errorf("the state late is reached by %s", path)
		}
	}
}

// A search that takes long is continued by a program; one that a program cannot do is not.
func TestRace(t *testing.T) {
	needGo(t)
	defer func(old time.Duration) { patience = old }(patience)
	patience = 300 * time.Millisecond
	for name, test := range map[string]struct {
		source string
		most   int
		by     bool
	}{
		"short":  {strings.ReplaceAll(counter, "COND", "n == -1"), 1000, false},
		"long":   {strings.ReplaceAll(counter, "COND", "n == -1"), 400_000, true},
		"clock":  {strings.ReplaceAll(counter, "COND", "Date.now() == 0"), 50_000, false},
		"strays": {strings.ReplaceAll(counter, "COND", "n == 150000"), 200_000, false}, // to what a program gives up at
	} {
		t.Run(name, func(t *testing.T) {
			if test.most > 1000 && testing.Short() {
				t.Skip("-short: it takes seconds")
			}
			r, program, err := Explore(t.Context(), chart(t, test.source), explore.Options{MaxStates: test.most, NoDeadlocks: true}, "auto")
			if err != nil {
				t.Fatal(err)
			}
			if (program != nil) != test.by || r.States != test.most {
				t.Errorf("program %+v has found %d states, want %v and %d", program, r.States, test.by, test.most)
			}
		})
	}
}

// A program compares two charts as sessions do.
func TestCompare(t *testing.T) {
	needGo(t)
	source := strings.ReplaceAll(count, "MOST", "20")
	old := chart(t, source)
	for name, test := range map[string]struct{ from, to, want string }{
		"same":      {`n + 1`, `1 + n`, ""},
		"different": {`expr="0"/></transition>`, `expr="0"/><log expr="s"/></transition>`, "log"},
	} {
		t.Run(name, func(t *testing.T) {
			other := chart(t, strings.ReplaceAll(source, test.from, test.to))
			want, _, err := Compare(t.Context(), old, other, explore.Options{}, nil, "never")
			if err != nil {
				t.Fatal(err)
			}
			if found := want.Violations; len(found) > 0 != (test.want != "") || found != nil && found[0].Property != test.want {
				t.Errorf("sessions find %v, want %q", found, test.want)
			}
			got, program, err := Compare(t.Context(), old, other, explore.Options{}, nil, "always")
			if err != nil {
				t.Fatal(err)
			}
			if program == nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
				t.Errorf("by %+v:\n%+v\nwant\n%+v", program, got, want)
			}
		})
	}
}

// A comparison that takes long is continued by a program.
func TestCompareRace(t *testing.T) {
	needGo(t)
	if testing.Short() {
		t.Skip("-short: it takes seconds")
	}
	defer func(old time.Duration) { patience = old }(patience)
	patience = 300 * time.Millisecond
	c := chart(t, strings.ReplaceAll(counter, "COND", "n == -1"))
	r, program, err := Compare(t.Context(), c, c, explore.Options{MaxStates: 400_000}, nil, "auto")
	if err != nil || program == nil || r.Bound != "states" || r.States != 400_000 {
		t.Errorf("%+v by %+v, %v", r, program, err)
	}
}

// An interrupted search says what it has found until then, and ends its process.
func TestInterrupt(t *testing.T) {
	needGo(t)
	c := chart(t, strings.ReplaceAll(count, "MOST", "1e9"))
	ctx, cancel := context.WithCancel(t.Context())
	var last explore.Progress
	r, _, err := Explore(ctx, c, explore.Options{Workers: 1, Progress: func(p explore.Progress) {
		if last = p; p.States > 10_000 {
			cancel()
		}
	}}, "always")
	if err != nil || r.Bound != "time" || r.States < last.States || len(r.Grows) == 0 || r.Grows[0].Name != "n" {
		t.Errorf("%+v, %v; the last progress is %+v", r, err, last)
	}
}

// A script that does not end, and data that take all memory, end a program, and not the command.
func TestHostile(t *testing.T) {
	needGo(t)
	defer func(old time.Duration) { silence = old }(silence)
	silence = 2 * time.Second
	head := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="s" expr="'x'"/><data id="i" expr="0"/></datamodel><state id="a"><transition event="e"><script>`
	for name, test := range map[string]struct{ script, want string }{
		"endless": {"while (true) { i = i + 1 }", "takes too long"},
		"memory":  {"for (i = 0; i &lt; 40; i++) { s += s }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, _, err := Explore(t.Context(), chart(t, head+test.script+`</script></transition></state></scxml>`), explore.Options{MaxMemory: 64 << 20}, "always")
			if err == nil || !strings.Contains(err.Error(), test.want) || time.Since(began) > time.Minute {
				t.Errorf("after %v: %v, want %q", time.Since(began), err, test.want)
			}
		})
	}
}

// What a program cannot be made of is said.
func TestNoCompiler(t *testing.T) {
	t.Setenv("PATH", "")
	_, _, err := Explore(t.Context(), chart(t, strings.ReplaceAll(count, "MOST", "3")), explore.Options{}, "always")
	if err == nil || !strings.Contains(err.Error(), "the go command is not installed") {
		t.Errorf("%v, want that there is no go command", err)
	}
}
