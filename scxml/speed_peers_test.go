package scxml_test

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

var speedPeers = flag.String("speed.peers", "", "folder in which npm has installed the peers xstate and @scion-scxml/scxml")

// A peer runs charts.
type peer struct {
	name string
	// run gives a chart its events n times. The events of the chart guards have data, as those of guardsOp. It returns
	// the time that this took, and the active states with the values of data items.
	run func(c speedChart, n int) (took time.Duration, states []string)
}

// startPeer starts a program, which ends with the test. Its first line is its name. It reads lines "CHART N EVENT…",
// and answers with nanoseconds and the states.
func startPeer(t *testing.T, cmd *exec.Cmd) peer {
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	cmd.Stderr = os.Stderr
	if err := cmp.Or(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", cmd, err)
		}
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatalf("%s does not start", cmd)
	}
	return peer{lines.Text(), func(c speedChart, n int) (time.Duration, []string) {
		fmt.Fprintln(in, c.name, n, strings.Join(c.events, " "))
		lines.Scan()
		ns, states, _ := strings.Cut(lines.Text(), " ")
		took, err := time.ParseDuration(ns + "ns")
		if err != nil {
			t.Fatalf("%s answers %q for %s", cmd, lines.Text(), c.name)
		}
		return took, strings.Fields(states)
	}}
}

// interpreter is the peer that our sessions are.
func interpreter(t *testing.T) peer {
	sessions := map[string]driver{}
	return peer{"interpreter", func(c speedChart, n int) (time.Duration, []string) {
		s, ok := sessions[c.name]
		if !ok {
			s = driven(t, compiled(t, c.name, c.source()))
			sessions[c.name] = s
		}
		start := time.Now()
		for i := range n {
			for _, event := range c.events {
				ev := scxml.Event{Name: event}
				if c.root == nil {
					ev.Data = datamodel.NewObject("n", int64(i&127))
				}
				s.process(ev)
			}
		}
		took, states := time.Since(start), s.Configuration()
		if c.root == nil {
			count, err := s.Eval(t.Context(), "count")
			if err != nil {
				t.Fatal(err)
			}
			states = append(states, fmt.Sprint(count))
		}
		return took, states
	}}
}

// source is the document, which for charts with data is that of guards.
func (c speedChart) source() []byte {
	if c.root == nil {
		return []byte(guardsDocument)
	}
	return render(c.name, c.root)
}

// qtPeer compiles the charts with Qt's compiler, and g++. The error says what is missing.
func qtPeer(t *testing.T, dir string, charts []speedChart) (*exec.Cmd, error) {
	query := func(args ...string) ([]string, error) {
		out, err := exec.Command("pkg-config", args...).Output()
		return strings.Fields(string(out)), err
	}
	libexec, err1 := query("--variable=libexecdir", "Qt6Core")
	flags, err2 := query("--cflags", "--libs", "Qt6Scxml")
	if err := cmp.Or(err1, err2); err != nil {
		return nil, fmt.Errorf("Qt, whose modules Core and Scxml pkg-config does not find: %w", err)
	}
	run := func(name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%.5000s", cmd, err, out)
		}
	}
	create := "static QScxmlStateMachine *create(const std::string &name) {\n"
	var header strings.Builder
	for _, c := range charts {
		run(filepath.Join(libexec[0], "qscxmlc"), c.name+".scxml", "-o", c.name, "--classname", capital(c.name))
		fmt.Fprintf(&header, "#include \"%s.cpp\"\n", c.name)
		create += fmt.Sprintf("if (name == %q) return new %s;\n", c.name, capital(c.name))
	}
	header.WriteString(create + "return nullptr;\n}\n")
	if err := os.WriteFile(filepath.Join(dir, "charts.h"), []byte(header.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("testdata/speed/peers/qt.cpp")
	if err != nil {
		t.Fatal(err)
	}
	run("g++", append([]string{"-O2", "-fPIC", "-std=c++17", "-I.", source, "-o", "qt"}, flags...)...)
	return exec.Command(filepath.Join(dir, "qt")), nil
}

// nodePeer is a package of npm. The error says what is missing.
func nodePeer(name, dir string) (*exec.Cmd, error) {
	if *speedPeers == "" {
		return nil, fmt.Errorf("%s: -speed.peers is not given", name)
	}
	folder, err1 := filepath.Abs(*speedPeers)
	_, err2 := os.Stat(filepath.Join(folder, "node_modules", name))
	node, err3 := exec.LookPath("node")
	return exec.Command(node, "testdata/speed/peers/node.mjs", name, folder, dir), cmp.Or(err1, err2, err3)
}

// printPeers prints a table of compiled charts beside what others make of the same charts.
func printPeers(t *testing.T) {
	charts, dir := append(speedCharts(), speedChart{name: "guards", events: []string{"tick"}}), t.TempDir()
	command := filepath.Join(t.TempDir(), "scxmlrun")
	if out, err := exec.Command("go", "build", "-o", command, "../cmd/scxmlrun").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range charts {
		file := filepath.Join(dir, c.name)
		if err := os.WriteFile(file+".scxml", c.source(), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(command, "draw", "--format", "xstate", file+".scxml", "-o", file+".json").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	peers, missing := []peer{startPeer(t, exec.Command(buildCompiled(t, speedCharts()), "serve")), interpreter(t)}, ""
	join := func(cmd *exec.Cmd, err error) {
		if err != nil {
			missing += fmt.Sprintf("\nNot measured: %v.\n", err)
			return
		}
		peers = append(peers, startPeer(t, cmd))
	}
	join(qtPeer(t, dir, charts))
	join(nodePeer("xstate", dir))
	join(nodePeer("@scion-scxml/scxml", dir))

	table := peersHead
	for _, p := range peers[1:] {
		table += fmt.Sprintf(" %s | ratio |", p.name)
	}
	table += "\n|---|---:|" + strings.Repeat("---:|---:|", len(peers)-1) + "\n"
	for _, c := range charts {
		checkPeers(t, peers[1:], c)
		least := leastOf(peers, c)
		table += fmt.Sprintf("| %s | %s |", c.name, duration(least[0]))
		for _, ns := range least[1:] {
			table += fmt.Sprintf(" %s | %.0f |", duration(ns), ns/least[0])
		}
		table += "\n"
	}
	report(t, table+missing)
}

// checkPeers compares the states that the peers get into with those of the first one.
func checkPeers(t *testing.T, peers []peer, c speedChart) {
	for range 8 {
		_, want := peers[0].run(c, 1)
		slices.Sort(want)
		for _, p := range peers[1:] {
			if _, got := p.run(c, 1); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
				t.Fatalf("%s: %s gets into %q, %s into %q", c.name, p.name, got, peers[0].name, want)
			}
		}
	}
}

// leastOf returns the nanoseconds of an event in each peer: the least of many runs, in turn, which are so long that
// each has its share of garbage collections.
func leastOf(peers []peer, c speedChart) []float64 {
	times, least := make([]int, len(peers)), make([]float64, len(peers))
	for i, p := range peers {
		times[i] = 1
		for took := time.Duration(0); took < 20*time.Millisecond; times[i] *= 2 {
			took, _ = p.run(c, times[i])
		}
	}
	for round := range 25 {
		for i, p := range peers {
			took, _ := p.run(c, times[i])
			if each := float64(took) / float64(times[i]*len(c.events)); round == 0 || each < least[i] {
				least[i] = each
			}
		}
	}
	return least
}

const peersHead = `
### Compiled charts beside others

The charts of the table before, in the forms of others: compiled by Qt's qscxmlc and g++ -O2 (submitEvent, then sendPostedEvents);
for XState the machine that "scxmlrun draw --format xstate" writes, with JavaScript functions as guards (send of an actor); for SCION
the document, which it compiles to JavaScript (gen). Each event is processed before the next one is given, and all get into the
same states. Minima of 25 runs of at least 20 ms, in turn. The ratios are to the compiled chart.

| chart | compiled |`

// printSearches prints the table of searches beside those of SPIN.
func printSearches(t *testing.T) {
	for _, command := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(command); err != nil {
			t.Skip(err)
		}
	}
	cmd := exec.Command("go", "run", "./examples/peers", "-systems")
	cmd.Dir = ".."
	cmd.Stderr = os.Stderr
	table, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, table)
	}
	report(t, `### Searches

Systems that are written once and told to both, searched with one worker by SPIN (-O3 -DSAFETY -DNOREDUCE, in depth), by SPIN with
its compression (-DCOLLAPSE), by sessions, of which the first 200,000 states are visited, and by the program that "scxmlrun
explore --compiled always" makes of the chart, in breadth: "go run ./examples/peers -systems". Transitions a second of
processor time, medians of three rounds, without those for a small system, which are for starting; bytes of what is kept of a
state, for SPIN without its search stack.

`+string(table)+"\n")
}
