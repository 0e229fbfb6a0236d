package scxml_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	speed       = flag.Bool("speed", false, "measure, and print the tables of how fast the engine is")
	speedReport = flag.String("speed.report", "", "file that TestSpeed writes the tables to")
)

// speedRow is a row of the table.
type speedRow struct {
	name   string
	engine func(tb testing.TB) func() // returns the operation to measure
	hand   func() func()              // the same by hand, or nil
	reach  time.Duration              // the goal as a time
	ratio  float64                    // or the goal as a multiple of the time by hand
	why    string                     // why the goal is not reached, if that is known
}

const (
	whyLocks = "Send may be called from any goroutine at any time, and Step by one at a time. The three locks and unlocks " +
		"of Send and Step take 1.8 times as long as the whole loop for ping, which has none (51 and 28 ns in runs at one time)."
	whyInternal = "Each of the 101 microsteps takes 53 ns, that of the loop 30. An event of 120 bytes is raised, taken and cleared " +
		"instead of a number, and each microstep is counted and asks for limits, traces, observers and effects. None of these takes a tenth."
	whyGuards = "Send copies the data of the event, which may be any Go data, into memory of the session (192 bytes)."
	whyDo     = "The lists of an effect may be kept, so they take memory (48 bytes). DoInto overwrites those of the effect before."
	whyHello  = "One program has all commands, and 57 MB. A third of its time is the initialisation of packages of others " +
		"(goja's own, encoding/gob by NATS, encodings of terminals, collation), a sixth is what Go's runtime does before in a program of that size, " +
		"an eighth the commands with their flags. Our packages take a twelfth: they compile regular expressions when they first need them. " +
		"The 1,100 page faults, which are in all of this, take a third. A smaller program would need fewer commands."
)

func speedRows(tb testing.TB) []speedRow {
	reach := map[string]speedRow{
		"ping":     {ratio: 2.5, why: whyLocks},
		"deep":     {ratio: 2, why: whyLocks},
		"parallel": {ratio: 1.2},
		"wide":     {ratio: 2},
		"internal": {ratio: 1.2, why: whyInternal},
		"history":  {ratio: 2},
	}
	var rows []speedRow
	for _, c := range speedCharts() {
		row := reach[c.name]
		row.name, row.engine, row.hand = c.name, c.eventOp, c.loopOp
		rows = append(rows, row)
	}
	ping := speedCharts()[0]
	for _, row := range []speedRow{
		{name: "DoInto", ratio: 1.25}, {name: "Do", ratio: 1.25, why: whyDo}, {name: "idle", ratio: 1},
		{name: "Try", ratio: 7}, {name: "Enabled", ratio: 2},
	} {
		way := row.name
		row.name, row.hand = way+" of ping", func() func() { return ping.eventOp(tb) }
		row.engine = func(tb testing.TB) func() { return ping.wayOp(tb, way) }
		rows = append(rows, row)
	}
	session := func(name string, source []byte) func(tb testing.TB) func() {
		return func(tb testing.TB) func() { return sessionOp(tb, compiled(tb, name, source)) }
	}
	load := func(states int) func(tb testing.TB) func() {
		return func(tb testing.TB) func() { return loadOp(tb, loadDocument(states)) }
	}
	return append(rows,
		speedRow{name: "guards", engine: guardsOp, ratio: 1.5, why: whyGuards, hand: func() func() { return guardsByHand(tb) }},
		// The goal of the next two is three times a guard over a number, which is the ratio to it, and that
		// of a guard and an action in Go what qmuntal/stateless takes for the same.
		speedRow{name: "guard over a struct", engine: typedOp("struct"), reach: 400, ratio: 3, hand: func() func() { return typedOp("number")(tb) }},
		speedRow{name: "guard with a host function", engine: typedOp("func"), reach: 400, ratio: 3, hand: func() func() { return typedOp("number")(tb) }},
		speedRow{name: "guard and action in Go", engine: goFuncsOp, reach: 330, ratio: 4, hand: func() func() { return typedOp("number")(tb) }},
		speedRow{
			name: "sudoku tap", engine: sudokuOp, reach: 11 * time.Microsecond, ratio: 1.2,
			hand: func() func() { return sudokuByHand(tb) },
		},
		speedRow{
			name: "sudoku snapshot", reach: 100 * time.Microsecond,
			engine: func(tb testing.TB) func() { return snapshotOp(tb, sudokuGame(tb, 20)) },
		},
		speedRow{
			name: "sudoku try", reach: 400 * time.Microsecond, ratio: 20,
			engine: func(tb testing.TB) func() { return tryOp(tb, "") },
			hand:   func() func() { return guardsOfTryOp(tb, "") },
		},
		speedRow{
			name: "session of ping", engine: session("ping", render("ping", pingChart())), reach: 800,
			hand: func() func() {
				tables := newLoopTables(pingChart())
				return func() { latest = tables.start() }
			},
		},
		speedRow{name: "session of guards", engine: session("guards", []byte(guardsDocument)), reach: 8 * time.Microsecond},
		speedRow{name: "session of an order", engine: orderSessionOp, reach: 8 * time.Microsecond},
		speedRow{name: "load 10,000 states", engine: load(10_000), reach: 80 * time.Millisecond, ratio: 2.6, hand: tokensOf(10_000)},
		speedRow{name: "load 100,000 states", engine: load(100_000), reach: 800 * time.Millisecond, ratio: 2.6, hand: tokensOf(100_000)},
		speedRow{
			name: "process of hello", engine: processOp, reach: 5 * time.Millisecond, ratio: 1.25, why: whyHello,
			hand: func() func() { return bareProcessOp(tb) },
		},
	)
}

// tokensOf returns a function that reads the XML of the document of load, and makes nothing of it.
func tokensOf(states int) func() func() {
	return func() func() {
		source := loadDocument(states)
		return func() {
			for d := xml.NewDecoder(bytes.NewReader(source)); ; {
				if _, err := d.RawToken(); err != nil {
					return
				}
			}
		}
	}
}

// processOp returns a function that runs scxmlrun from start to exit.
func processOp(tb testing.TB) func() {
	chart := filepath.Join(tb.TempDir(), "hello.scxml")
	if err := os.WriteFile(chart, []byte(helloDocument), 0o666); err != nil {
		tb.Fatal(err)
	}
	return commandOp(tb, "../cmd/scxmlrun", "run", "--ui", "none", chart)
}

// bareProcessOp returns a function that runs a program that has goja and evaluates a text.
func bareProcessOp(tb testing.TB) func() {
	source := filepath.Join(tb.TempDir(), "main.go")
	const program = `package main

import "github.com/dop251/goja"

func main() {
	v, err := goja.New().RunString("'hello'")
	println(v.String(), err)
}
`
	if err := os.WriteFile(source, []byte(program), 0o666); err != nil {
		tb.Fatal(err)
	}
	return commandOp(tb, source)
}

// commandOp builds a program and returns a function that runs it.
func commandOp(tb testing.TB, program string, args ...string) func() {
	binary := filepath.Join(tb.TempDir(), "command")
	build := exec.Command("go", "build", "-o", binary, program)
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // otherwise the dynamic linker takes a sixth of the time
	if out, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	return func() {
		if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
			tb.Fatalf("%v\n%s", err, out)
		}
	}
}

// cost is the cost of an operation.
type cost struct{ ns, allocs, bytes float64 }

// sample runs op for about the given time.
func sample(op func(), d time.Duration) cost {
	var before, after runtime.MemStats
	for n := 1; ; n *= 2 {
		runtime.ReadMemStats(&before)
		start := time.Now()
		for range n {
			op()
		}
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if took > d/2 {
			each := func(total uint64) float64 { return float64(total) / float64(n) }
			return cost{each(uint64(took)), each(after.Mallocs - before.Mallocs), each(after.TotalAlloc - before.TotalAlloc)}
		}
	}
}

// median returns the sample in the middle by time.
func median(samples []cost) cost {
	slices.SortFunc(samples, func(a, b cost) int { return cmp.Compare(a.ns, b.ns) })
	return samples[len(samples)/2]
}

// TestSpeed prints the tables: first the goals, then how cost grows.
func TestSpeed(t *testing.T) {
	if !*speed {
		t.Skip("it measures: give -speed")
	}
	if *speedReport != "" {
		if err := os.WriteFile(*speedReport, []byte(reportHead(t)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("Table", printTable)
	t.Run("Compiled charts", printCompiled)
	t.Run("Peers", printPeers)
	t.Run("Searches", printSearches)
	for _, g := range growths {
		t.Run(g.title, g.print)
	}
}

// printTable measures all rows in turn, by the engine and by hand, several times: a busy machine
// spoils some rounds, but not most of them and not one row alone.
func printTable(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "| what | engine | allocations | bytes | by hand | ratio | goal |\n|---|---:|---:|---:|---:|---:|---:|\n")
	rows := speedRows(t)
	var missed []string
	// Slow operations are measured separately: they fill the memory, so that the garbage collector
	// would run less often in the others.
	short := slices.IndexFunc(rows, func(r speedRow) bool { return r.reach > time.Millisecond })
	for _, rows := range [][]speedRow{rows[:short], rows[short:]} {
		engines, hands := measureRows(t, rows)
		for i, row := range rows {
			e, reached := median(engines[i]), false
			fmt.Fprintf(&b, "| %s | %s | %.0f | %.0f |", row.name, duration(e.ns), e.allocs, e.bytes)
			if row.hand != nil {
				h := median(hands[i])
				fmt.Fprintf(&b, " %s | %.2f |", duration(h.ns), e.ns/h.ns)
				reached = e.ns <= row.ratio*h.ns
			} else {
				b.WriteString(" | |")
			}
			var goals []string
			if row.reach > 0 {
				goals = append(goals, duration(float64(row.reach)))
				reached = reached || e.ns <= float64(row.reach)
			}
			if row.ratio > 0 {
				goals = append(goals, fmt.Sprintf("%.3g×", row.ratio))
			}
			fmt.Fprintf(&b, " ≤ %s |\n", strings.Join(goals, " or "))
			if !reached {
				missed = append(missed, fmt.Sprintf("- %s: %s\n", row.name, cmp.Or(row.why, "no reason is known.")))
			}
		}
	}
	if len(missed) > 0 {
		b.WriteString("\nThe goals that were not reached, and why:\n\n" + strings.Join(missed, ""))
	}
	report(t, b.String())
}

// measureRows returns the samples of each row.
func measureRows(t *testing.T, rows []speedRow) (engines, hands [][]cost) {
	engines, hands = make([][]cost, len(rows)), make([][]cost, len(rows))
	var ops, byHand []func()
	for _, row := range rows {
		ops = append(ops, row.engine(t))
		byHand = append(byHand, nil)
		if row.hand != nil {
			byHand[len(byHand)-1] = row.hand()
		}
	}
	const d = 50 * time.Millisecond // long enough that each sample has its share of garbage collections
	for range 11 {
		for i := range rows {
			engines[i] = append(engines[i], sample(ops[i], d))
			if byHand[i] != nil {
				hands[i] = append(hands[i], sample(byHand[i], d))
			}
		}
	}
	return engines, hands
}

// report prints a table, and appends it to the report.
func report(t *testing.T, table string) {
	t.Log("\n" + table)
	if *speedReport == "" {
		return
	}
	f, err := os.OpenFile(*speedReport, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(table); err != nil {
		t.Fatal(err)
	}
}

// reportHead says how, when and where the report was made.
func reportHead(t *testing.T) string {
	commit, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		t.Logf("git does not say which commit this is: %v", err)
		commit = []byte("unknown")
	}
	cpu := "unknown CPU"
	info, _ := os.ReadFile("/proc/cpuinfo") // only Linux has it
	if _, rest, ok := strings.Cut(string(info), "model name\t: "); ok {
		cpu, _, _ = strings.Cut(rest, "\n")
	}
	return fmt.Sprintf(`# How fast the engine is

Made by "go test ./scxml -run '^TestSpeed$' -speed -speed.report testdata/SPEED.md" on %s, commit %s, %s, %s/%s, %s, %d cores.
Times are medians of a few runs on a machine that may have been busy. An event is given to the session with Send and processed
with Step, where no other call is named; a session is created and started. A goal is a time on the machine for which it was set,
where the loop for ping took 22 ns, or a ratio to the cost of the same without the engine (speed_loop_test.go): a hand-written
loop over bitset tables; for guards, Go functions over a variable of the script engine; for a guard over a struct or with a host
function, a guard over a number in the engine; for a Sudoku tap, the same scripts and copies of the boards; for Try, the guards
that it evaluates; for the calls "of ping", Send and Step for the same event ("idle" is Do without an event); for loading, the
tokens of the XML alone; for a process, one with the script engine alone.

`, time.Now().UTC().Format(time.DateOnly), strings.TrimSpace(string(commit)), runtime.Version(), runtime.GOOS, runtime.GOARCH, cpu, runtime.NumCPU())
}

// duration writes ns with a fitting unit.
func duration(ns float64) string {
	units := []string{"ns", "µs", "ms", "s"}
	for len(units) > 1 && ns >= 10_000 {
		ns, units = ns/1000, units[1:]
	}
	if ns < 100 {
		return fmt.Sprintf("%.3g %s", ns, units[0])
	}
	return fmt.Sprintf("%.0f %s", ns, units[0])
}
