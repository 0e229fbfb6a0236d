package mcp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// counter has no end of states.
var counter = wrap(`<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition event="e"><assign location="n" expr="n + 1"/></transition></state>`)

// hang is a script that nothing interrupts inside of its process.
const hang = "var a = []; a[4294967294] = 1; a.reverse();"

// Whatever a chart does, its call ends with a reason, and the next one is answered.
func TestBounds(t *testing.T) {
	dir := folder(t)
	var many strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&many, `<state id="state-with-a-long-name-%d"/>`, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "many.scxml"), []byte(wrap(many.String())), 0o666); err != nil {
		t.Fatal(err)
	}
	patient := connect(t, dir, isolate.Config{Deadline: 20 * time.Second}, nil)
	impatient := connect(t, dir, isolate.Config{Deadline: time.Second}, nil)
	for name, test := range map[string]struct {
		tool string
		args args
		want string
	}{
		"time":     {"run", args{"source": wrap(`<state id="a"><onentry><script>` + hang + `</script></onentry></state>`)}, "the call was ended: it took too long; give run less to do"},
		"memory":   {"run", args{"source": wrap(`<datamodel><data id="all" expr="[]"/></datamodel><state id="a"><onentry><script>all.push('x'.repeat(100000000))</script></onentry><transition target="a"/></state>`)}, "the call was ended: it needed more memory than it may have; give run less to do"},
		"picture":  {"draw", args{"file": "many.scxml"}, "draw a part of the chart with state or depth"},
		"notation": {"draw", args{"file": "many.scxml", "format": "xstate"}, "draw a part of the chart with state or depth"},
		"page":     {"describe", args{"file": "many.scxml"}, "a description has at most"},
		"depth":    {"check", args{"source": strings.Repeat("<state>", 5000)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			client := patient
			if name == "time" {
				client = impatient
			}
			text, _, failed := ask(t, client, test.tool, test.args)
			if !failed && test.want != "" || !strings.Contains(text, test.want) {
				t.Errorf("got %v\n%.1000s\nwant an error with %s", failed, text, test.want)
			}
			if text, _, failed := ask(t, patient, "check", args{"file": "gate.scxml"}); failed || !strings.Contains(text, "no-way-out") {
				t.Errorf("the next call: %v\n%s", failed, text)
			}
		})
	}
	if text, _, failed := ask(t, patient, "check", args{"file": "many.scxml"}); failed || len(text) > maxReport+100 || !strings.Contains(text, "bytes more: ask for less") {
		t.Errorf("a long report has %d bytes, and ends with %q", len(text), text[max(0, len(text)-100):])
	}
}

// Only files of the folder are read, by calls and by charts, whatever they are called.
func TestFiles(t *testing.T) {
	outside, dir := t.TempDir(), folder(t)
	secret := filepath.Join(outside, "secret.scxml")
	if err := os.WriteFile(secret, []byte(wrap(`<state id="secret"/>`)), 0o666); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link.scxml": secret, "linked": outside, "inside.scxml": "gate.scxml"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	relative, err := filepath.Rel(dir, secret)
	if err != nil {
		t.Fatal(err)
	}
	client := connect(t, dir, isolate.Config{Deadline: 20 * time.Second}, nil)
	if text, _, failed := ask(t, client, "check", args{"file": "inside.scxml"}); failed {
		t.Errorf("a link that stays inside: %s", text)
	}
	names := []string{
		secret, relative, "sub/../" + relative, "link.scxml", "linked/secret.scxml", "sub/../../" + filepath.Base(dir) + "/gate.scxml",
		"gate.scxml\x00", "\x00", "..", ".", "", "/", "//etc/passwd", "C:\\secret.scxml", "..\\secret.scxml", "file://" + secret,
		"/dev/zero", "/proc/self/environ", strings.Repeat("a/", 3000), strings.Repeat("a", 10_000), "\x1b[31m.scxml", "\u202egate",
	}
	for _, name := range names {
		for _, how := range []args{{"file": name}, {"source": wrap(`<state id="a"><onentry><script src="` + strings.NewReplacer("\x00", "", "\x1b", "").Replace(name) + `"/></onentry></state>`)}} {
			text, _, failed := ask(t, client, "describe", how)
			if how["file"] != nil && !failed || strings.Contains(text, `id="secret"`) || strings.Contains(text, "state-1\"></a>secret") {
				t.Errorf("%.100q is read: %.300s", how, text)
			}
			if strings.ContainsAny(text, "\x00\x1b\u202e") {
				t.Errorf("%.100q: the answer has characters that a terminal obeys: %.300q", how, text)
			}
		}
	}
	for _, a := range []args{{"scenario": "-- chart --\n" + relative + "\n-- events --\n\n"}, {"scenario": "-- chart --\n" + secret + "\n-- events --\n\n"}} {
		if text, _, failed := ask(t, client, "run", a); !failed || strings.Contains(text, "enter secret") {
			t.Errorf("%v: %s", a, text)
		}
	}
}

// A call that the client cancels is ended: those that wait for its turn are answered.
func TestCancel(t *testing.T) {
	var began sync.WaitGroup
	began.Add(1)
	first := sync.OnceFunc(began.Done)
	client := connect(t, folder(t), isolate.Config{Deadline: time.Minute}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { first() },
	})
	ctx, cancel := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			p := &mcp.CallToolParams{Name: "explore", Arguments: args{"source": counter, "seconds": 45}}
			p.SetProgressToken("x")
			if _, err := client.CallTool(ctx, p); err == nil {
				t.Error("a call that was cancelled is answered")
			}
		})
	}
	began.Wait()
	cancel()
	calls.Wait()
	start := time.Now()
	ask(t, client, "check", args{"file": "gate.scxml"})
	if took := time.Since(start); took > 20*time.Second { // of 45 s that the searches may take
		t.Errorf("the next call is answered after %v", took)
	}
}

// A client that asks for too much at once is told so, and what it has asked for before is answered.
func TestTooManyCalls(t *testing.T) {
	client := connect(t, folder(t), isolate.Config{Deadline: time.Minute}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	var refused atomic.Int64
	for range 2 * maxWait {
		calls.Go(func() {
			r, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "explore", Arguments: args{"source": counter, "seconds": 45}})
			if err != nil {
				return
			}
			if text := r.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "calls are in progress: wait for their answers") {
				t.Errorf("got %s", text)
			}
			if refused.Add(1) == maxWait {
				cancel()
			}
		})
	}
	calls.Wait()
	cancel()
	if n := refused.Load(); n != maxWait {
		t.Errorf("%d calls of %d are refused", n, 2*maxWait)
	}
}

// Calls at the same time get the answers that they get alone.
func TestConcurrentCalls(t *testing.T) {
	client := connect(t, folder(t), isolate.Config{Deadline: 30 * time.Second, Spare: 2}, nil)
	questions := []struct {
		tool string
		args args
	}{
		{"check", args{"file": "gate.scxml"}}, {"explore", args{"file": "gate.scxml"}}, {"run", args{"scenario_file": "kick.txtar"}},
		{"draw", args{"file": "gate.scxml", "format": "svg"}}, {"check", args{"file": "nothing"}},
	}
	alone := make([]string, len(questions))
	for i, q := range questions {
		alone[i], _, _ = ask(t, client, q.tool, q.args)
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			q := questions[i%len(questions)]
			r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: q.tool, Arguments: q.args})
			if err != nil {
				t.Error(err)
				return
			}
			if got := r.Content[0].(*mcp.TextContent).Text + "\n"; got != alone[i%len(questions)] {
				t.Errorf("%s: got %.300s, and alone %.300s", q.tool, got, alone[i%len(questions)])
			}
		})
	}
	all.Wait()
}

// Who asks for progress hears of it, with numbers that grow.
func TestProgress(t *testing.T) {
	var mu sync.Mutex
	var heard []*mcp.ProgressNotificationParams
	client := connect(t, folder(t), isolate.Config{Deadline: 30 * time.Second}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			heard = append(heard, r.Params)
		},
	})
	p := &mcp.CallToolParams{Name: "explore", Arguments: args{"source": counter, "seconds": 0.6}}
	p.SetProgressToken("mine")
	if _, err := client.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(heard) < 2 || !strings.Contains(heard[len(heard)-1].Message, "states, depth ") {
		t.Fatalf("heard %d times of progress", len(heard))
	}
	for i, p := range heard {
		if p.ProgressToken != "mine" || p.Progress != float64(i+1) {
			t.Errorf("%d: token %v, progress %v", i, p.ProgressToken, p.Progress)
		}
	}
}

// The resources are there, and can be read.
func TestResources(t *testing.T) {
	client := connect(t, folder(t), isolate.Config{}, nil)
	guides := 0
	for r, err := range client.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		got, err := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || len(got.Contents) != 1 || len(got.Contents[0].Text) < 500 {
			t.Errorf("%s: %v", r.URI, err)
			continue
		}
		switch {
		case r.URI == "scxmlrun://diagnostics":
			if !strings.Contains(got.Contents[0].Text, "unknown-target: A target is not the id of a state") {
				t.Error("the diagnostics lack one")
			}
		case strings.HasPrefix(r.URI, "scxmlrun://guides/") && r.Title != "" && !strings.HasPrefix(r.Title, "#"):
			guides++
		default:
			t.Errorf("%s is called %q", r.URI, r.Title)
		}
	}
	if guides < 20 {
		t.Errorf("%d guides", guides)
	}
	if _, err := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "scxmlrun://guides/../../go.mod"}); err == nil {
		t.Error("something else is read")
	}
}

// Whatever arguments are, they are read or refused with a reason.
func TestDecode(t *testing.T) {
	all := tools()
	rapid.Check(t, func(t *rapid.T) {
		tool := rapid.SampledFrom(all).Draw(t, "tool")
		text := rapid.SampledFrom([]string{`null`, `[]`, `"x"`, `{`, `{"file":null}`, `{"file":[1]}`, `{"seconds":"1"}`, `{"states":{}}`, `{"data":[]}`, `{"depth":1.5}`, `{"depth":1e99}`, `{"FILE":"a"}`, `{"step":"1"}`, ``}).Draw(t, "arguments")
		into := map[string]any{}
		err := decode([]byte(text), &into, []string{"file"})
		if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "Go ")) {
			t.Fatalf("%s %s: %v", tool.Name, text, err)
		}
	})
}
