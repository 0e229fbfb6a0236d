package notation

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// A play is a machine with what is done to it: an event, or a number of milliseconds that pass. Without steps it
// is not started.
type play struct {
	Machine json.RawMessage `json:"machine"`
	Steps   []any           `json:"steps"`
}

const playScript = `
import { createMachine, createActor, SimulatedClock } from %q;
import { readFileSync } from "node:fs";
const results = [];
for (const { machine, steps } of JSON.parse(readFileSync(0))) {
	const clock = new SimulatedClock();
	const states = [];
	try {
		const made = createMachine(machine);
		if (steps === null) throw "made";
		const actor = createActor(made.provide({ guards: { yes: () => true, no: () => false, "yes()": () => true, "no()": () => false } }), { clock });
		const see = () => {
			const nodes = actor.getSnapshot()._nodes;
			// XState 5.33 loses the parents of states that a history enters.
			if (nodes.some(n => n.parent && !nodes.includes(n.parent))) throw "broken";
			states.push(nodes.filter(n => n.parent && n.key !== "machine").map(n => n.key).sort().join(" "));
		};
		actor.start();
		see();
		for (const step of steps) {
			if (typeof step === "number") for (let ms = 0; ms < step; ms++) clock.increment(1); else actor.send({ type: step });
			see();
		}
	} catch (e) {
		states.push(String(e));
	}
	results.push(states);
}
console.log(JSON.stringify(results));
`

// xstatePlays returns the states that XState enters.
func xstatePlays(t *testing.T, plays []play) (states [][]string) {
	t.Helper()
	node := needTool(t, "node")
	modules := nodeModules(t, "xstate")
	in, err := json.Marshal(plays)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "play.mjs")
	if err := os.WriteFile(script, fmt.Appendf(nil, playScript, filepath.Join(modules, "xstate", "dist", "xstate.esm.js")), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, script)
	cmd.Stdin = strings.NewReader(string(in))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &states); err != nil {
		t.Fatal(err)
	}
	return states
}

// Machines that are imported, and those that are written of them again, enter the same states as in XState,
// unless a note says that they do not.
func TestXStateAgrees(t *testing.T) {
	var plays, written []play
	var documents [][]byte
	var notes []string
	for seed := range uint64(300) {
		g := &machineGenerator{Rand: rand.New(rand.NewPCG(seed, 2))}
		p := g.play()
		imported, err := ReadXState("m.json", p.Machine)
		if err != nil {
			t.Fatalf("%v\n%s", err, p.Machine)
		}
		chart, err := scxml.Parse("m.scxml", imported.SCXML)
		if err != nil {
			t.Fatal(err)
		}
		again, lost := XState(diagram.New(chart))
		plays, written = append(plays, p), append(written, play{json.RawMessage(again), p.Steps})
		documents, notes = append(documents, imported.SCXML), append(notes, fmt.Sprint(imported.Notes, lost))
	}
	agree := 0
	for _, set := range [][]play{plays, written} {
		compared := 0
		for i, want := range xstatePlays(t, set) {
			if strings.Contains(notes[i], "enters it again") || strings.Contains(notes[i], "leave less") {
				continue
			}
			got := plays[i].run(t, documents[i])
			if n := len(want) - 1; want[n] == "broken" {
				got, want = got[:n], want[:n]
			}
			compared += len(got)
			if !slices.Equal(got, want) {
				t.Errorf("machine %d, steps %v:\ngot  %q\nwant %q\n%s\n%s\n%v", i, plays[i].Steps, got, want, set[i].Machine, documents[i], notes[i])
				return
			}
		}
		agree += compared
		if compared < 2*len(plays) {
			t.Errorf("only %d steps of %d machines were compared", compared, len(plays))
		}
	}
	t.Logf("%d steps agree", agree)
}

// XState makes machines of all charts.
func TestXStateReads(t *testing.T) {
	var plays []play
	charts := corpus(t)
	for _, s := range charts {
		text, _ := XState(s.d)
		plays = append(plays, play{Machine: json.RawMessage(text)})
	}
	for i, states := range xstatePlays(t, plays) {
		if states[0] != "made" {
			t.Errorf("%s: %s\n%s", charts[i].name, states[0], plays[i].Machine)
		}
	}
}

// run returns the active states after each step.
func (p play) run(t *testing.T, document []byte) []string {
	text := strings.Replace(string(document), "function no() { return true; }", "function no() { return false; }", 1)
	chart, err := scxml.Parse("m.scxml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := scxml.New(chart, scxml.WithClock(func() time.Time { return now }))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	var all []string
	work := func() {
		for more := true; more; {
			if more, err = s.Step(ctx, now); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	}
	settle := func() {
		work()
		var active []string
		for _, id := range s.Configuration() {
			if id != "machine" && !strings.HasPrefix(id, "scxml") {
				active = append(active, id)
			}
		}
		slices.Sort(active)
		all = append(all, strings.Join(active, " "))
	}
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	settle()
	for _, step := range p.Steps {
		switch step := step.(type) {
		case int:
			for range step {
				now = now.Add(time.Millisecond)
				work()
			}
		case string:
			if err := s.Send(scxml.Event{Name: step}); err != nil {
				t.Fatal(err)
			}
		}
		settle()
	}
	return all
}

// A machineGenerator makes random machines.
type machineGenerator struct {
	*rand.Rand
	n int
	// keys of all states, by depth first
	all []string
}

func (g *machineGenerator) play() play {
	shape := g.shape(0)
	var b strings.Builder
	g.write(&b, shape, "machine")
	p := play{Machine: json.RawMessage(b.String())}
	for range 8 {
		if g.IntN(4) == 0 {
			p.Steps = append(p.Steps, 50+100*g.IntN(3))
		} else {
			p.Steps = append(p.Steps, []string{"A", "B", "C", "D"}[g.IntN(4)])
		}
	}
	return p
}

type shape struct {
	key, kind string
	path      string
	children  []*shape
}

func (g *machineGenerator) shape(depth int) *shape {
	s := &shape{key: fmt.Sprintf("s%d", g.n), kind: "atomic"}
	if depth == 0 {
		s.key = "machine"
	}
	g.n++
	if depth == 0 || depth < 3 && g.IntN(2) == 0 {
		s.kind = []string{"compound", "compound", "parallel"}[g.IntN(3)]
		for range 2 + g.IntN(2) {
			s.children = append(s.children, g.shape(depth+1))
		}
		if depth > 0 && g.IntN(4) == 0 {
			s.children = append(s.children, &shape{key: fmt.Sprintf("s%d", g.n), kind: []string{"shallow", "deep"}[g.IntN(2)]})
			g.n++
		}
	}
	return s
}

func (s *shape) each(path string, f func(*shape)) {
	s.path = path + s.key
	f(s)
	for _, c := range s.children {
		c.each(s.path+".", f)
	}
}

func (g *machineGenerator) write(b *strings.Builder, s *shape, name string) {
	if len(g.all) == 0 {
		s.each("", func(s *shape) { g.all = append(g.all, s.path) })
	}
	fmt.Fprintf(b, `{"id":%q`, s.path)
	switch s.kind {
	case "parallel":
		b.WriteString(`,"type":"parallel"`)
	case "compound":
		fmt.Fprintf(b, `,"initial":%q`, s.children[g.IntN(2)].key)
	case "shallow", "deep":
		fmt.Fprintf(b, `,"type":"history","history":%q}`, s.kind)
		return
	}
	// XState never looks at the transitions of a <parallel> and what is around it while a region takes
	// one, SCXML does unless the two conflict (REC 3.13).
	parallel := false
	s.each(strings.TrimSuffix(s.path, s.key), func(s *shape) { parallel = parallel || s.kind == "parallel" })
	if !parallel {
		b.WriteString(`,"on":{`)
		for i, event := range []string{"A", "B", "C", "*"} {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(b, `%q:[`, event)
			if g.IntN(3) == 0 {
				if g.IntN(2) == 0 {
					fmt.Fprintf(b, `{"target":"#%s","guard":"no"},`, g.all[g.IntN(len(g.all)-1)+1])
				}
				fmt.Fprintf(b, `{"target":"#%s","reenter":%v,"guard":"yes"}`, g.all[g.IntN(len(g.all)-1)+1], g.IntN(2) == 0)
			}
			b.WriteString("]")
		}
		b.WriteString("}")
		if g.IntN(4) == 0 {
			fmt.Fprintf(b, `,"after":{"%d":"#%s"}`, 100+100*g.IntN(2)+len(b.String())%50, g.all[g.IntN(len(g.all)-1)+1])
		}
	}
	if len(s.children) > 0 {
		b.WriteString(`,"states":{`)
		for i, c := range s.children {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(b, "%q:", c.key)
			g.write(b, c, c.key)
		}
		b.WriteString("}")
	}
	b.WriteString("}")
}
