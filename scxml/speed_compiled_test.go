package scxml_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/compile"
)

// hookedDocument logs and sends with each transition.
const hookedDocument = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Hooked" initial="a">
 <state id="a"><transition event="t" target="b"><log label="at" expr="'there'"/><send event="moved"/></transition></state>
 <state id="b"><transition event="t" target="a"><log label="at" expr="'there'"/><send event="moved"/></transition></state>
</scxml>`

// compiledSpeed is what the program of testdata/speed/compiled.go.txt prints.
type compiledSpeed struct {
	Pairs []struct {
		Name                       string
		Hand, Methods, Numbers     float64
		MethodAllocs, NumberAllocs float64
	}
	Size int
}

// buildCompiled compiles the charts, and builds the program of testdata/speed/compiled.go.txt of them and of switches.
func buildCompiled(tb testing.TB, charts []speedChart) (program string) {
	tb.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		tb.Skip("the go tool is missing: compiled charts are not built")
	}
	dir := tb.TempDir()
	place, err := filepath.Abs("internal/speedprogram") // which exists for the build only
	if err != nil {
		tb.Fatal(err)
	}
	replace := map[string]string{}
	add := func(name string, code []byte) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, code, 0o666); err != nil {
			tb.Fatal(err)
		}
		replace[filepath.Join(place, name)] = file
	}
	chart := func(name string, source []byte) {
		code, err := compile.Source(fstest.MapFS{}, name+".scxml", source, compile.Options{Package: "main", Type: capital(name)})
		if err != nil {
			tb.Fatal(err)
		}
		add(name+".go", code)
	}
	for _, c := range charts {
		chart(c.name, render(c.name, c.root))
	}
	chart("guards", []byte(guardsDocument))
	chart("hooked", []byte(hookedDocument))
	for _, name := range []string{"compiled", "switches"} {
		code, err := os.ReadFile("testdata/speed/" + name + ".go.txt")
		if err != nil {
			tb.Fatal(err)
		}
		add("speed"+name+".go", code)
	}
	add("speedpairs.go", pairsSource(charts))
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		tb.Fatal(err)
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	program = filepath.Join(dir, "program")
	if err := os.WriteFile(overlayFile, overlay, 0o666); err != nil {
		tb.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-overlay", overlayFile, "-o", program, "./internal/speedprogram").CombinedOutput(); err != nil {
		tb.Fatalf("go build: %v\n%.5000s", err, out)
	}
	return program
}

// runCompiled runs that program.
func runCompiled(tb testing.TB, charts []speedChart, args ...string) (speed compiledSpeed) {
	tb.Helper()
	cmd := exec.Command(buildCompiled(tb, charts), args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &speed)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return speed
}

func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// pairsSource writes the function simple, which returns the pairs of the charts, and the switches of those with many
// states.
func pairsSource(charts []speedChart) []byte {
	var b strings.Builder
	b.WriteString("package main\n\nfunc simple() (all []pair) {\n")
	for _, c := range charts {
		typ := capital(c.name)
		each := func(call func(i int, event string) string) string {
			var lines strings.Builder
			for i, event := range c.events {
				fmt.Fprintf(&lines, "%s\n", call(i, event))
			}
			return fmt.Sprintf("func(n int) {\nfor range n {\n%s}\n}", lines.String())
		}
		var checks []string
		for i, event := range c.events {
			checks = append(checks, fmt.Sprintf("hand.handle(%d) && m.%s() && other.Handle(%sEvent%s)", i, capital(event), typ, capital(event)))
		}
		fmt.Fprintf(&b, `{
hand, m, other := new%[2]sSwitch(), started(New%[2]s(%[2]sHooks{})), started(New%[2]s(%[2]sHooks{}))
all = append(all, pair{Name: %[1]q, check: func() bool { return %[6]s }, hand: %[3]s, methods: %[4]s, numbers: %[5]s})
}
`, c.name, typ,
			each(func(i int, _ string) string { return fmt.Sprintf("hand.handle(%d)", i) }),
			each(func(_ int, event string) string { return fmt.Sprintf("m.%s()", capital(event)) }),
			each(func(_ int, event string) string { return fmt.Sprintf("other.Handle(%sEvent%s)", typ, capital(event)) }),
			strings.Join(checks, " && "))
	}
	b.WriteString("return all\n}\n")
	for _, c := range charts {
		start := ""
		if c.name == "deep" {
			start = "state: 10"
		}
		fmt.Fprintf(&b, "\nfunc new%[1]sSwitch() *%[2]sSwitch { return &%[2]sSwitch{%[3]s} }\n", capital(c.name), c.name, start)
	}
	for _, c := range charts {
		switch c.name {
		case "wide":
			wideSwitch(&b, c.root)
		case "internal":
			internalSwitch(&b, c.root)
		}
	}
	return []byte(b.String())
}

// wideSwitch writes the switch of ringChart: event 0 is the one to the next state.
func wideSwitch(b *strings.Builder, root *node) {
	number := map[string]int{}
	for i, s := range root.children {
		number[s.id] = i
	}
	b.WriteString("\ntype wideSwitch struct{ state uint16 }\n\n//go:noinline\nfunc (m *wideSwitch) handle(event int) bool {\nswitch event {\n")
	events := len(root.children[0].arcs)
	for e := range events {
		fmt.Fprintf(b, "case %d:\nswitch m.state {\n", e)
		for i, s := range root.children {
			fmt.Fprintf(b, "case %d:\nm.state = %d\nreturn true\n", i, number[s.arcs[(e+events-1)%events].target])
		}
		b.WriteString("}\n")
	}
	b.WriteString("}\nreturn false\n}\n")
}

// internalSwitch writes the switch of internalChart: event 0 is from outside, event 1 is raised.
func internalSwitch(b *strings.Builder, root *node) {
	number := map[string]int{}
	for i, s := range root.children {
		number[s.id] = i
	}
	b.WriteString(`
type internalSwitch struct {
	state uint8
	queue []int
}

//go:noinline
func (m *internalSwitch) handle(event int) bool {
	if !m.take(event) {
		return false
	}
	for {
		for m.eventless() {
		}
		if len(m.queue) == 0 {
			return true
		}
		event := m.queue[0]
		m.queue = append(m.queue[:0], m.queue[1:]...)
		m.take(event)
	}
}

func (m *internalSwitch) enter(state uint8) {
	m.state = state
	switch state {
`)
	for i, s := range root.children {
		if s.raise != "" {
			fmt.Fprintf(b, "case %d:\nm.queue = append(m.queue, 1)\n", i)
		}
	}
	b.WriteString("}\n}\n")
	for _, f := range []struct {
		head   string
		events []string
	}{{"take(event int)", []string{"go", "i"}}, {"eventless()", []string{""}}} {
		fmt.Fprintf(b, "\nfunc (m *internalSwitch) %s bool {\nswitch m.state {\n", f.head)
		for i, s := range root.children {
			for _, a := range s.arcs {
				for e, event := range f.events {
					if a.event != event {
						continue
					}
					fmt.Fprintf(b, "case %d:\n", i)
					if event != "" {
						fmt.Fprintf(b, "if event != %d {\nreturn false\n}\n", e)
					}
					fmt.Fprintf(b, "m.enter(%d)\nreturn true\n", number[a.target])
				}
			}
		}
		b.WriteString("}\nreturn false\n}\n")
	}
}

// TestCompiledAllocatesNothing: an event for a compiled chart allocates nothing, with data and hooks too.
func TestCompiledAllocatesNothing(t *testing.T) {
	charts := slices.DeleteFunc(speedCharts(), func(c speedChart) bool { return c.name == "wide" }) // it takes long to build
	speed := runCompiled(t, charts, "allocs")
	if len(speed.Pairs) != len(charts)+4 {
		t.Fatalf("%d pairs for %d charts", len(speed.Pairs), len(charts))
	}
	for _, p := range speed.Pairs {
		want := 0.0
		if p.Name == "New and Start" {
			want = 3 // the machines themselves
		}
		if p.Name == "every hook" {
			continue // the table has it: such a machine does not use shortcuts
		}
		if p.MethodAllocs != want || p.NumberAllocs != want {
			t.Errorf("%s: three times allocate %v by methods and %v by numbers, want %v", p.Name, p.MethodAllocs, p.NumberAllocs, want)
		}
	}
	if speed.Size > 64 {
		t.Errorf("a flat machine has %d bytes, want 64 at most", speed.Size)
	}
}

// printCompiled prints the table of compiled charts beside the switches by hand.
func printCompiled(t *testing.T) {
	charts := speedCharts()
	speed := runCompiled(t, charts)
	goals := map[string]float64{"ping": 1.5, "history": 1.5, "wide": 1.5, "deep": 1, "parallel": 1, "internal": 1, "guards": 2.5, "hooks": 6}
	var b strings.Builder
	b.WriteString(compiledHead)
	least := func(op func()) string {
		best := sample(op, 20*time.Millisecond).ns
		for range 10 {
			best = min(best, sample(op, 20*time.Millisecond).ns)
		}
		return duration(best)
	}
	for _, p := range speed.Pairs {
		events, interpreter, loop := 1.0, "", ""
		if i := slices.IndexFunc(charts, func(c speedChart) bool { return c.name == p.Name }); i >= 0 {
			events = float64(len(charts[i].events))
			interpreter, loop = least(charts[i].eventOp(t)), least(charts[i].loopOp())
		} else if p.Name == "guards" {
			interpreter = least(guardsOp(t))
		}
		goal := "≤ 100 ns"
		if ratio := goals[p.Name]; ratio > 0 {
			goal = fmt.Sprintf("≤ %.1f×", ratio)
		} else if p.Name == "every hook" {
			goal = ""
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f | %s | %s | %s | %s |\n", p.Name, duration(p.Hand/events), duration(p.Methods/events),
			p.Methods/p.Hand, goal, duration(p.Numbers/events), interpreter, loop)
	}
	fmt.Fprintf(&b, "\nA flat machine has %d bytes (goal: 64).\n", speed.Size)
	report(t, b.String())
}

const compiledHead = `
### Compiled charts

Each event by the method that package compile writes for it, and by Handle with its number, beside a switch that was
written by hand for the chart (testdata/speed/switches.go.txt). Minima of many short runs in one program, in turn. The switch
of deep calls its entry and exit functions level by level, as the chart has handlers there, which are empty;
a switch over its two leaves would be that of ping. "hooks" is a
flat chart with a log and a send in each transition and the hooks for them, and by hand the same calls; "every hook" has all
hooks of package machine as well, so that it does without shortcuts. The switch beside New and Start is allocated, no more.
guards is near its goal, 2.2 to 2.8 times: the switch has the number in a register, and a machine writes the event with its
data to memory, where conditions read it.

| chart | switch by hand | compiled | ratio | goal | by number | interpreter | loop over tables |
|---|---:|---:|---:|---:|---:|---:|---:|
`
