package isolate

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// What a child says is written here as lines: the kind of a frame and its payload.

// An actor plays a child, from the lines of one. It knows nothing of the order in which a service
// makes its requests, so it has the answers to them apart, and answers what it is asked.
type actor struct{ answers, async [][]byte }

// newActor returns an actor. It says each line before an answer together with that.
func newActor(script []byte) *actor {
	a := new(actor)
	var part []byte
	for line := range bytes.Lines(script) {
		part = append(part, line...)
		switch line[0] {
		case frameAnswer:
			a.answers, part = append(a.answers, part), nil
		case frameAsync:
			a.async, part = append(a.async, part), nil
		}
	}
	a.async = append(a.async, []byte(`b{"ID":0}`)) // of a service that was quicker this time
	return a
}

var answerID = regexp.MustCompile(`(?m)^([ab]{"ID":)[0-9]+`)

// play says what is next for each request, and returns when it has nothing to say.
func (a *actor) play(in io.Reader, out io.Writer) {
	for parent := newConn(in, io.Discard, maxRequest); ; {
		f, err := parent.read()
		var req request
		switch {
		case err != nil || f.kind == frameRequest && decode(f, &req) != nil:
			return
		case f.kind != frameRequest || req.ID == 0:
			continue
		}
		parts := &a.answers
		if isAsync(f.name) {
			parts = &a.async
		}
		if len(*parts) == 0 {
			return
		}
		var said []byte
		for line := range bytes.Lines(answerID.ReplaceAll((*parts)[0], fmt.Appendf(nil, "${1}%d", req.ID))) {
			line = bytes.TrimSuffix(line, []byte{'\n'})
			said = append(binary.BigEndian.AppendUint32(said, uint32(len(line))), line...)
		}
		*parts = (*parts)[1:]
		if _, err := out.Write(said); err != nil {
			return
		}
	}
}

// tenant returns a tenant whose child is the actor. There is no process.
func (a *actor) tenant(t testing.TB) *Tenant {
	t.Helper()
	pool := &Pool{cfg: Config{Deadline: 10 * time.Second, HostTime: time.Second, Message: 1 << 20}, tenants: map[*Tenant]bool{}}
	said, say, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	asked, ask, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	proc := &process{cmd: ended(), conn: newConn(said, ask, pool.cfg.Message), ended: make(chan struct{}), pipes: []*os.File{said, ask}}
	close(proc.ended)
	go func() {
		a.play(asked, say)
		say.Close()
		asked.Close()
	}()
	return newTenant(pool, proc)
}

// ended returns a process that has ended, with an id that no process has.
var ended = sync.OnceValue(func() *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		panic(err)
	}
	cmd.Process = &os.Process{Pid: 1 << 30}
	return cmd
})

const everything = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<datamodel><data id="n" expr="1"/><data id="o" expr="f({a: [1, 'b']})"/></datamodel>
<state id="a">
  <onentry><log label="n" expr="n"/><send event="later" delay="5s"/></onentry>
  <transition event="go" target="b"><assign location="n" expr="n + 1"/><send type="post" target="there" event="out"><param name="n" expr="n"/></send></transition>
  <transition event="later" cond="n == 2" target="end"/>
</state>
<state id="b"><invoke type="service" id="i"><param name="n" expr="n"/></invoke><invoke type="handed" id="h"/>
  <transition event="half"><assign location="nowhere.x" expr="1"/><send target="#_i" event="more"/></transition>
  <transition event="done.invoke.i" target="end"/>
</state>
<final id="end"><donedata><content expr="({n: n})"/></donedata></final></scxml>`

// audience is a front end that reads all that it is told.
type audience struct{}

func (audience) Failed() error { return nil }
func (audience) Tell(r *record.Record) {
	fmt.Fprintf(io.Discard, "%s%s", r.AppendText(nil), r.AppendJSON(nil))
}

// converse uses all that a tenant has to offer, and looks at all that it gets. It returns what went
// wrong.
func converse(t testing.TB, tenant *Tenant) (failed []error) {
	ctx := t.Context()
	now := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	seen := func(err error, all ...any) error {
		for _, v := range all {
			fmt.Fprintf(io.Discard, "%v%+v", v, v)
		}
		if err != nil {
			failed = append(failed, err)
			_ = err.Error()
		}
		return err
	}
	spec := Spec{
		Name: "chart.scxml", Source: []byte(everything), Options: []scxml.ChartOption{scxml.WithLoader(os.DirFS("testdata"))},
		Records: audience{}.Tell, Kinds: ^record.Set(0), SnapshotEvery: 2,
	}
	service := scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		seen := inv.Send(scxml.Event{Name: "half", Data: inv.Params})
		_, err := inv.Receive(ctx)
		return 1, errors.Join(seen, err)
	})
	f := func(v map[string]any) any { return v }
	common := []scxml.RestoreOption{
		scxml.WithFunc("f", f), scxml.WithInvoker("service", service), scxml.WithClock(func() time.Time { return now }),
	}
	box := append(slices.Clone(common), scxml.WithOutbox(scxml.Outbox{
		Processors: []string{"post"}, Services: []string{"handed"}, Location: func(string, string) string { return "here" },
		Check: func(string, scxml.Message) error { return nil },
	}))
	use := func(s *Session) {
		seen(s.Start(ctx))
		snapshot, err := s.Snapshot(ctx)
		seen(err, snapshot)
		for _, name := range []string{"go", "other"} {
			effect, err := s.Do(ctx, now, scxml.Event{Name: name, Data: map[string]any{"x": 1}})
			seen(err, effect)
			for _, e := range effect.Errors {
				seen(nil, e.Error())
			}
		}
		trial, err := s.Try(ctx, scxml.Event{Name: "half"})
		seen(err, trial)
		v, err := s.Get(ctx, "o")
		seen(err, v)
		enabled, err := s.Enabled(ctx)
		seen(err, enabled)
		for _, task := range s.Outbox() {
			changed, err := s.Report(ctx, scxml.Outcome{Task: task.ID, Data: 1})
			seen(err, task, changed)
		}
		found, err := s.Deliver(ctx, "x", scxml.Event{Name: "half"})
		seen(err, found)
		dropped, err := s.DropDue(ctx, now)
		seen(err, dropped)
		data, err := s.Data(ctx)
		seen(err, data.Len())
		seen(s.Send(scxml.Event{Name: "half"}))
		seen(s.Advance(ctx, now.Add(time.Minute)))
		seen(s.Stop())
		effect, err := s.Do(ctx, now, scxml.Event{})
		seen(err, effect)
		due, ok := s.NextDue()
		seen(s.Err(), s.Status(), s.Configuration(), s.In("a"), s.Now(), due, ok, s.Busy(), s.FinalState(), datamodel.Text(s.DoneData()))
		chart := s.Chart()
		seen(nil, *chart, chart.IsUserEvent("go"))
	}
	var saved []byte
	opts := make([]scxml.Option, len(box))
	for i, opt := range box {
		opts[i] = opt.(scxml.Option)
	}
	if s, err := tenant.New(ctx, spec, opts...); seen(err) == nil {
		use(s)
		saved, err = s.Saved()
		seen(err)
		seen(s.Close())
	}
	if s, err := tenant.Restore(ctx, spec, saved, box...); seen(err) == nil {
		seen(s.Close())
	}
	diagnostics, err := tenant.Lint(ctx, "chart.scxml", []byte(everything), scxml.LintOptions{}, spec.Options...)
	seen(err, diagnostics)
	made, err := tenant.Work(ctx, "hash", spec, nil)
	seen(err, made)
	var recording bytes.Buffer
	spec.Recording = &recording
	d, err := tenant.Drive(ctx, spec, drive.Config{
		Front: audience{}, Kinds: ^record.Set(0), Virtual: true, Restoring: common, Save: func([]byte) error { return nil },
	})
	if seen(err) == nil {
		seen(nil, *d.Chart())
		inputs := make(chan drive.Input, 2)
		inputs <- func(s drive.Session) error {
			for _, view := range s.Look() {
				for _, state := range view.Active {
					if state.Depth < 0 || state.Depth > 1000 {
						t.Errorf("the child says that %q is nested %d deep", state.Name, state.Depth)
					}
				}
				seen(nil, view)
			}
			return nil
		}
		close(inputs)
		ctx, cancel := context.WithTimeout(ctx, time.Second) // a child may say that there is nothing to do yet
		defer cancel()
		end, err := d.Run(ctx, inputs)
		seen(err, end)
	}
	return failed
}

var updateConversation = flag.Bool("conversation.update", false, "make testdata/conversation.txt again")

// honest are the errors of converse with an honest child: it is told to stop.
var honest = []string{"scxml: session stopped", "scxml: session stopped"}

func texts(errs []error) (all []string) {
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

// conversation returns what an honest child says in converse.
func conversation(t testing.TB) []byte {
	t.Helper()
	const file = "testdata/conversation.txt"
	if *updateConversation {
		if err := os.WriteFile(file, overhear(t), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// overhear converses with a child and returns what it says.
func overhear(t testing.TB) []byte {
	pool, err := NewPool(Config{Deadline: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	proc, err := pool.start()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	proc.conn = newConn(io.TeeReader(proc.pipes[0], &said), proc.pipes[1], pool.cfg.Message)
	tenant := newTenant(pool, proc)
	if failed := converse(t, tenant); !slices.Equal(texts(failed), honest) {
		t.Errorf("%q", failed)
	}
	tenant.Close()
	var script bytes.Buffer
	for c := newConn(&said, io.Discard, pool.cfg.Message); ; {
		f, err := c.read()
		if err == io.EOF {
			return script.Bytes()
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.name != "" {
			f.name += " "
		}
		fmt.Fprintf(&script, "%c%s%s\n", f.kind, f.name, f.payload)
	}
}

// values returns where the name, if there is one, and the values and the names of fields of a line are.
func values(text []byte) (at [][2]int) {
	var open []int
	first := bytes.IndexByte(text, '{')
	if first > 0 {
		at = append(at, [2]int{0, first - 1})
	}
	for in, end := json.NewDecoder(bytes.NewReader(text[first:])), first; ; {
		token, err := in.Token()
		if err != nil {
			return at
		}
		start := end + len(text[end:]) - len(bytes.TrimLeft(text[end:], " ,:"))
		end = first + int(in.InputOffset())
		switch token {
		case json.Delim('{'), json.Delim('['):
			open = append(open, start)
			continue
		case json.Delim('}'), json.Delim(']'):
			start, open = open[len(open)-1], open[:len(open)-1]
		}
		at = append(at, [2]int{start, end})
	}
}

// change replaces a value in a line of a script, or with the number after the last one puts a line
// before it. It returns nil if there is no such place.
func change(script []byte, line, value int, text []byte) []byte {
	lines := slices.Collect(bytes.Lines(script))
	if line >= len(lines) {
		return nil
	}
	old := lines[line]
	all := values(old[1:])
	switch {
	case value < len(all):
		at := all[value]
		lines[line] = slices.Concat(old[:1+at[0]], text, old[1+at[1]:])
	case value == len(all):
		lines[line] = slices.Concat(text, []byte{'\n'}, old)
	default:
		return nil
	}
	return bytes.Join(lines, nil)
}

// listen lets a child say something. Its parent gets an answer or learns what is wrong, and never waits
// for the deadline.
func listen(t *testing.T, script []byte) {
	tenant := newActor(script).tenant(t)
	defer tenant.Close()
	for _, err := range converse(t, tenant) {
		if died := new(Error); errors.As(err, &died) && died.Reason != Protocol && died.Reason != Crash {
			t.Errorf("%v", err)
		}
	}
}

// A parent copes with whatever its child says instead of one value of an honest conversation.
func TestChildSaysOddThings(t *testing.T) {
	script := conversation(t)
	if failed := converse(t, newActor(script).tenant(t)); !slices.Equal(texts(failed), honest) {
		t.Fatalf("the conversation of testdata went wrong; -conversation.update makes it again: %q", failed)
	}
	odd := []string{"null", "-1", "1e18", `"x"`, "[null]", "{}", "true", `[{"a":[[]]}]`}
	step := 1
	if testing.Short() {
		step = 10
	}
	for line, text := range slices.Collect(bytes.Lines(script)) {
		for value := 0; value < len(values(text[1:])); value += step {
			listen(t, change(script, line, value, []byte(odd[(line+value)%len(odd)])))
		}
	}
}

// A child may invoke a service of a session while its parent closes that.
func TestInvokeCrossesClose(t *testing.T) {
	tenant := newActor([]byte(`a{"ID":1,"Out":{}}
a{"ID":2}
sinvoke {"Service":1,"Session":1,"Task":{"kind":"invoke","service":{"type":"service"}}}
a{"ID":3,"Out":{}}
`)).tenant(t)
	s, err := tenant.New(t.Context(), Spec{})
	if err == nil {
		err = s.Close()
	}
	if err == nil {
		_, err = tenant.New(t.Context(), Spec{})
	}
	if err != nil {
		t.Error(err)
	}
}

func FuzzChildSays(f *testing.F) {
	script := conversation(f)
	for line := range uint8(bytes.Count(script, []byte{'\n'})) {
		f.Add(line, line, []byte("null"))
	}
	f.Add(uint8(0), uint8(0), []byte(`{"ID":1,"Out":null}`))
	f.Fuzz(func(t *testing.T, line, value uint8, text []byte) {
		if changed := change(script, int(line), int(value), text); changed != nil {
			listen(t, changed)
		}
	})
}
