package ecmascript_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

var attacksToo = flag.Bool("attacks", false, "run the attacks of testdata and ../shared/attacks, each in a process")

// An attack is a hostile script.
type attack struct{ Name, Script string }

func attacksOf(t *testing.T, file string) (all []attack) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		all = append(all, attack{f.Name, string(f.Data)})
	}
	return all
}

// try runs a hostile script as a session with scxml.Strict would, and says how it ends.
func try(t *testing.T, script string) string {
	h := newHost()
	h.limit = time.Second
	st, err := ecmascript.New(ecmascript.WithMaxScript(256<<10), ecmascript.WithMaxDepth(500), ecmascript.WithMaxItems(200_000), ecmascript.WithMaxString(16<<20)).NewStore(h)
	if err != nil {
		t.Fatal(err)
	}
	e, err := ecmascript.New().Compile(datamodel.Script, source(script))
	if err != nil {
		return err.Error()
	}
	st.Begin(t.Context())
	defer st.End()
	if err := st.Run(e); err != nil {
		return err.Error()
	}
	return "nothing"
}

// What all attacks do in process, and how many of them end the process or keep it busy.
func TestAttacksInProcess(t *testing.T) {
	const variable = "SCXML_TEST_ATTACK"
	if script, ok := os.LookupEnv(variable); ok {
		const memory = 4 << 30
		if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: memory, Max: memory}); err != nil {
			t.Fatal(err)
		}
		t.Logf("ends: %.200s", try(t, script))
		return
	}
	if !*attacksToo {
		t.Skip("run with -attacks")
	}
	all := attacksOf(t, "testdata/attacks.txtar")
	if f, err := os.Open("../../../shared/attacks/scripts.jsonl"); err == nil {
		defer f.Close()
		for in := bufio.NewScanner(f); in.Scan(); {
			var a attack
			if err := json.Unmarshal(in.Bytes(), &a); err != nil {
				t.Fatal(err)
			}
			all = append(all, a)
		}
	}
	counts := map[string]int{}
	for _, a := range all {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestAttacksInProcess$", "-test.v")
		cmd.Env = append(os.Environ(), variable+"="+a.Script)
		out, err := cmd.CombinedOutput()
		outcome, what := "dies", string(out)
		switch _, ended, ok := strings.Cut(what, "ends: "); {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			outcome, what = "hangs", ""
		case ok && err == nil:
			outcome = "an error"
			if what = ended; strings.HasPrefix(what, "nothing") {
				outcome = "nothing"
			}
		}
		cancel()
		what, _, _ = strings.Cut(what, "\n")
		counts[outcome]++
		t.Logf("%-26s %-9s %.150s", a.Name, outcome, what)
	}
	t.Logf("of %d attacks: %v", len(all), counts)
}
