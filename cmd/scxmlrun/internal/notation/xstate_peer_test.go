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
)

// A play is a machine with what is done to it: an event, or a number of milliseconds that pass.
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
		const actor = createActor(createMachine(machine).provide({ guards: { yes: () => true, no: () => false } }), { clock });
		const see = () => {
			const nodes = actor.getSnapshot()._nodes;
			// XState 5.33 loses the parents of states that a history enters.
			if (nodes.some(n => n.parent && !nodes.includes(n.parent))) throw "broken";
			states.push(nodes.filter(n => n.parent).map(n => n.key).sort().join(" "));
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

// Machines that are imported enter the same states as in XState.
func TestXStateAgrees(t *testing.T) {
	node := needTool(t, "node")
	modules := nodeModules(t, "xstate")
	var plays []play
	for seed := range uint64(300) {
		g := &machineGenerator{Rand: rand.New(rand.NewPCG(seed, 2))}
		plays = append(plays, g.play())
	}
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
	var want [][]string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	agree := 0
	for i, p := range plays {
		imported, err := ReadXState("m.json", p.Machine)
		if err != nil {
			t.Fatalf("%v\n%s", err, p.Machine)
		}
		if slices.ContainsFunc(imported.Notes, func(n Note) bool { return strings.Contains(n.Text, "enters it again") }) {
			continue
		}
		got := p.run(t, imported.SCXML)
		if n := len(want[i]) - 1; want[i][n] == "broken" {
			got, want[i] = got[:n], want[i][:n]
		}
		agree += len(got)
		if !slices.Equal(got, want[i]) {
			t.Errorf("machine %d, steps %v:\ngot  %q\nwant %q\n%s\n%s\n%v", i, p.Steps, got, want[i], p.Machine, imported.SCXML, imported.Notes)
			return
		}
	}
	if agree < 2*len(plays) {
		t.Errorf("only %d steps of %d machines were compared", agree, len(plays))
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
