package explore_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var keyMistakes = flag.Bool("key.mistakes", false, "TestKeyMistakesAreFound: run it")

// plantedInKeys are mistakes in what makes the key of a state: each makes states equal that are not, or leaves out
// of sight what code looks at.
var plantedInKeys = []struct{ mistake, file, before, after string }{
	{"the invocation that an event came from does not count", "codec_tree.go", `place = slices.IndexFunc(s.running, func(inv *invocation) bool { return inv.invokeID == id })`, `place = -1`},
	{"histories do not count", "codec_tree.go", `		s.history[i] = c.states(chart, s.history[i])`, `		if !c.key {
			s.history[i] = c.states(chart, s.history[i])
		}`},
	{"late bound data do not count", "codec_tree.go", `	c.set(chart, s.bound)`, `	if !c.key {
		c.set(chart, s.bound)
	}`},
	{"the configuration counts by its number", "codec_tree.go", `	c.set(chart, s.config)`, `	if !c.key {
		c.set(chart, s.config)
	} else {
		n := 0
		for st := s.config.Next(0); st != table.None; st = s.config.Next(st + 1) {
			n++
		}
		number(c, &n)
	}`},
	{"the last event never counts", "codec_tree.go", `	past := c.key && c.isPast(s)`, `	past := c.key`},
	{"an event counts without its data", "codec_tree.go", `	} else {
		c.value(&ev.Data)
	}
	c.text(&ev.SendID)`, `	} else if !c.key {
		c.value(&ev.Data)
	}
	c.text(&ev.SendID)`},
	{"the id of a <send> does not count", "codec_tree.go", `	c.text(&ev.SendID)
	if !c.ids {`, `	if !c.key {
		c.text(&ev.SendID)
	}
	if !c.ids {`},
	{"the time until a delayed event is due does not count", "codec_tree.go", `		number(c, &left)`, `		_ = left`},
	{"delayed events do not count", "codec_tree.go", `	c.delayed()
	if c.reads {`, `	if !c.key {
		c.delayed()
	}
	if c.reads {`},
	{"the target of a delayed event does not count", "codec_tree.go", `	c.text(&m.Target)`, `	if !c.key {
		c.text(&m.Target)
	}`},
	{"the queues do not count", "codec_tree.go", `	c.queue(s, &s.external)`, `	if !c.key {
		c.queue(s, &s.external)
	}`},
	{"invocations do not count", "codec_tree.go", `	c.invocations(s)
`, `	if !c.key {
		c.invocations(s)
	}
`},
	{"data do not count", "codec_tree.go", `	if c.err == nil {
		c.store(s, past)`, `	if c.err == nil && !c.key {
		c.store(s, past)`},
	{"ids never count", "looks.go", `	w.ids = w.ids || what&seesIDs != 0`, `	_ = seesIDs`},
	{"what a script looks at is not noted", "looks.go", `	defer w.note(script)
`, ``},
	{"what a condition looks at is not noted", "looks.go", `	defer w.note(cond)
`, ``},
}

// plant returns the text of the file of a mistake, with it.
func plant(t *testing.T, file, before, after string) string {
	source, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), before); n != 1 {
		t.Fatalf("the text to be changed is %d times in %s, want once: %s", n, file, before)
	}
	return strings.Replace(string(source), before, after, 1)
}

// TestKeyMistakesAreFound: the tests of keys and of searches find each mistake.
func TestKeyMistakesAreFound(t *testing.T) {
	for _, m := range plantedInKeys {
		t.Run(m.mistake, func(t *testing.T) {
			text := plant(t, m.file, m.before, m.after)
			if !*keyMistakes {
				return // they fit
			}
			dir := t.TempDir()
			path, err := filepath.Abs(filepath.Join("..", m.file))
			if err != nil {
				t.Fatal(err)
			}
			changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
			list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
			if err != nil {
				t.Fatal(err)
			}
			for name, data := range map[string]string{changed: text, overlay: string(list)} {
				if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			out, err := exec.Command("go", "test", "-vet=off", "-overlay", overlay, "-run", "^Test(Keys?|NeverHolds|Zones|Walks|Search|Timed|Explore|Compare|Planted)", "..", ".").CombinedOutput()
			found := regexp.MustCompile(`(?m)^--- FAIL: (Test\w+)`).FindAllStringSubmatch(string(out), -1)
			var by []string
			for _, f := range found {
				if !slices.Contains(by, f[1]) && !strings.HasPrefix(f[1], "TestKeyMistakes") {
					by = append(by, f[1])
				}
			}
			if err == nil || by == nil {
				t.Fatalf("not found: %v\n%.2000s", err, out)
			}
			t.Logf("found by %v", by)
		})
	}
}
