package compile_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

var (
	compareSnapshots = flag.Int("compare.snapshots", 6, "number of random charts whose snapshots are compared")
	snapshotScripts  = flag.Int("compare.snapshotscripts", 3, "number of charts with random scripts whose snapshots are compared")
)

// TestSnapshotsOfRandomCharts compares snapshots. After each step of a session a machine continues from the snapshot of
// the session, does the next step and is saved; from that a session continues. All do the same, and what is saved is the
// same.
func TestSnapshotsOfRandomCharts(t *testing.T) {
	var all []*step
	charts := snapshotSubjects(t, *compareSnapshots)
	for _, s := range charts {
		steps, err := s.steps()
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		all = append(all, steps...)
	}
	refused := compareSteps(t, all)
	typed, bytes := 0, 0
	for _, s := range charts {
		if s.typed {
			typed++
		}
	}
	for _, step := range all {
		for _, saved := range step.record.Saved {
			if text := step.next.continues(saved); text != "" {
				t.Errorf("%v: the session does something else:\n%s\nfrom %s", step, text, saved)
			} else if text := step.differs(saved); text != "" {
				t.Errorf("%v: %s", step, text)
			} else if saved == string(step.after) {
				bytes++
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d charts, %d of them typed; %d steps, of which %d are refused, and %d snapshots have the same bytes", len(charts), typed, len(all), refused, bytes)
	if refused > len(all)/10 {
		t.Error("too many are refused")
	}
}

// TestSnapshotsOfBusyCharts is TestSnapshotsOfRandomCharts for sessions that are saved while events wait in their queues,
// between the turns of a tree, and in macrosteps that are interrupted. A machine does what is left as the session does.
func TestSnapshotsOfBusyCharts(t *testing.T) {
	var all []*step
	for i, s := range snapshotSubjects(t, *compareSnapshots) {
		steps, err := s.busySteps(i)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		all = append(all, steps...)
	}
	for _, what := range []string{`"internal":`, `"external":`, `"unstable":`, `"fence":`, `"toinvoke":`} {
		if !slices.ContainsFunc(all, func(s *step) bool { return strings.Contains(string(s.record.Snapshot), what) }) {
			t.Errorf("no snapshot has %s", what)
		}
	}
	refused := compareSteps(t, all)
	if t.Logf("%d steps, of which %d are refused", len(all), refused); refused > len(all)/4 { // data whose initialisation was interrupted
		t.Error("too many are refused")
	}
}

// snapshotSubjects returns the first random charts that are compiled, and charts that have what chance seldom leads to.
func snapshotSubjects(t *testing.T, n int) (all []*subject) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go tool")
	}
	seed := *compareSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	for i := range n {
		trial, typed := randomTrial(seed, i)
		s := trialSubject(fmt.Sprintf("chart %d of seed %d", i, seed), trial)
		s.typed = typed
		all = append(all, s)
	}
	for i := range *snapshotScripts {
		trial := randomchart.Scripts(rand.New(rand.NewPCG(seed, uint64(i))))
		s := scriptSubject(t, fmt.Sprintf("scripts %d of seed %d", i, seed), trial, map[string]int{})
		s.texts = false
		all = append(all, s)
	}
	wait := twin.Stimulus{Wait: 1500 * time.Millisecond}
	for name, source := range snapshotCharts {
		s := &subject{name: name, typed: true, file: name, fsys: fstest.MapFS{name: {Data: []byte(source)}}}
		for _, event := range []string{"go", "more", "all", "out", "stay", "off", "back", "go", "leave", "deep", "leave", "shallow", "go", "off"} {
			s.stimuli = append(s.stimuli, twin.Stimulus{Event: event}, wait)
		}
		all = append(all, s)
		dynamic := *s
		dynamic.typed = false
		all = append(all, &dynamic)
	}
	return slices.DeleteFunc(all, func(s *subject) bool {
		if s.why = s.prepare(); s.why != "" && snapshotCharts[s.name] != "" {
			t.Fatalf("%s: %s", s.name, s.why)
		}
		return s.why != ""
	})
}

// A step is what a session does from one snapshot to the next.
type step struct {
	*subject
	record twin.Record
	after  []byte
	next   *step // nil after the last
}

func (step *step) String() string {
	return fmt.Sprintf("%s, from %s to %v", step.name, step.record.Snapshot, step.record.Stimuli)
}

// compareSteps lets machines do the steps, and returns how many they refuse.
func compareSteps(t *testing.T, all []*step) (refused int) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var records []*twin.Record
	for _, step := range all {
		records = append(records, &step.record)
	}
	if err := twin.Compare(t.Context(), root, t.TempDir(), records); err != nil {
		t.Fatal(err)
	}
	for _, step := range all {
		if step.record.Difference != "" {
			t.Fatalf("%v: the machine does something else:\n%s", step, step.record.Difference)
		}
		if step.record.Refused != "" {
			refused++
		}
	}
	return refused
}

// A player is a session whose steps are recorded.
type player struct {
	*scxml.Session
	*twin.Record
	now time.Time
}

// play makes a session, or restores one.
func (s *subject) play(snapshot []byte, now time.Time) (*player, error) {
	limits := lowLimits
	if s.high {
		limits = scxml.Limits{}
	}
	chart, err := scxml.Load(s.fsys, s.file, scxml.WithLimits(limits))
	if err != nil {
		return nil, err
	}
	p := &player{Record: new(twin.Record), now: now}
	*p.Record = s.record
	p.Root, p.Items = nil, nil
	if !s.typed {
		p.Items = []string{"it", "at", "made"}
	}
	opts := scxml.Options{scxml.WithTrace(p.Trace()), scxml.WithMissing(), scxml.WithClock(func() time.Time { return p.now })}
	if snapshot != nil {
		p.Session, err = scxml.Restore(chart, snapshot, opts)
	} else {
		p.Session, err = scxml.New(chart, opts, scxml.WithSessionID("root"))
	}
	p.begin(snapshot)
	return p, err
}

// begin begins the record of a step.
func (p *player) begin(snapshot []byte) {
	p.Transcript, p.Stimuli, p.Record.Snapshot, p.Record.Now, p.Save = twin.Transcript{}, nil, snapshot, p.now, true
	if snapshot != nil {
		p.Watch(p.Session)
		p.Record.Now = p.now // that of the session can be earlier
		p.AddAll(p.Rest()...)
	}
}

// do does what a stimulus asks for.
func (p *player) do(st twin.Stimulus) (err error) {
	p.Record.Stimulus(st)
	ctx := context.Background()
	switch {
	case st.Stop:
		p.Stop()
		_, err = p.Step(ctx, p.now)
	case st.Event == "":
		p.now = p.now.Add(st.Wait)
		err = p.Advance(ctx, p.now)
	default:
		var effect scxml.Effect
		effect, err = p.Do(ctx, p.now, scxml.Event{Name: st.Event, Data: st.Value()})
		p.Add("handled", effect.Handled)
	}
	p.AddAll(p.Rest()...)
	if p.Status() != scxml.Running {
		err = nil // it has ended
	}
	return errors.Join(err, p.Record.Err)
}

// steps lets a session do all stimuli, and saves it after each.
func (s *subject) steps() (all []*step, err error) {
	p, err := s.play(nil, scxmltest.Epoch)
	if err != nil {
		return nil, err
	}
	defer p.Stop()
	// The first step is the start.
	if err := p.Start(context.Background()); err == nil {
		_ = p.Advance(context.Background(), p.now)
	}
	p.AddAll(p.Rest()...)
	for i := 0; ; i++ {
		step := &step{subject: s, record: *p.Record}
		if step.after, err = p.Session.Snapshot(); err != nil {
			return nil, err
		}
		if all = append(all, step); i > 0 {
			all[i-1].next = step
		}
		if i == len(s.record.Stimuli) {
			return all, nil
		}
		p.begin(step.after)
		if err := p.do(s.record.Stimuli[i]); err != nil {
			return nil, err
		}
	}
}

// busySteps lets a session do its stimuli piece by piece, and returns a step for each piece: what was saved, and what
// comes next.
func (s *subject) busySteps(n int) (all []*step, err error) {
	p, err := s.play(nil, scxmltest.Epoch)
	if err != nil {
		return nil, err
	}
	defer p.Stop()
	patience := func(patience int) context.Context { return &patient{Context: context.Background(), patience: patience} }
	began := n % 3
	if s.typed {
		began = 1000 // a data item whose script is interrupted has no value, which a typed machine cannot hold
	}
	_ = p.Start(patience(began))
	for i, st := range s.record.Stimuli {
		if st.Event != "" {
			_ = p.Send(scxml.Event{Name: st.Event, Data: st.Value()})
		}
		p.now = p.now.Add(st.Wait + time.Second) // several timers fall due at once
		if i%3 > 0 {
			continue // let events collect
		}
		for turn, more := 0, true; more && turn < 4 && p.Status() == scxml.Running; turn++ {
			if more, _ = p.Step(patience(1+(i+turn)%4), p.now); p.Status() != scxml.Running {
				break
			}
			snapshot, err := p.Session.Snapshot()
			if err != nil {
				return nil, err
			}
			next, err := s.play(snapshot, p.now)
			if err != nil {
				return nil, err
			}
			var stimulus twin.Stimulus
			if turn%2 > 0 {
				stimulus = st
			}
			if err := next.do(stimulus); err != nil {
				return nil, err
			}
			all = append(all, &step{subject: s, record: *next.Record})
			next.Stop()
		}
	}
	return all, nil
}

// continues restores a session from what a machine has saved before a step, and lets it do the step.
func (step *step) continues(saved string) string {
	if step == nil {
		return ""
	}
	p, err := step.play([]byte(saved), step.record.Now)
	if err != nil {
		return err.Error()
	}
	defer p.Stop()
	if err := p.do(step.record.Stimuli[0]); err != nil {
		return err.Error()
	}
	return twin.Difference(step.record.Lines, p.Lines)
}

// differs compares a machine's snapshot with the session's, without what Snapshot says can differ.
func (step *step) differs(saved string) string {
	var got, want map[string]any
	if err := errors.Join(json.Unmarshal([]byte(saved), &got), json.Unmarshal(step.after, &want)); err != nil {
		return err.Error()
	}
	if got["now"] == "0001-01-01T00:00:00Z" {
		got["now"] = want["now"] // the machine has never needed it
	}
	remove := func(v any, names ...string) {
		for _, name := range names {
			delete(v.(map[string]any), name)
		}
	}
	for _, snap := range []map[string]any{got, want} {
		remove(snap, "random")
		if snap["sessions"].([]any)[0].(map[string]any)["status"] != "running" {
			remove(snap, "turn", "now", "stop") // which do not matter any more
		}
		for _, v := range snap["sessions"].([]any) {
			remove(v, "event", "steps", "logged", "limit")
			s := v.(map[string]any)
			if stopped := s["stopped"]; stopped != nil {
				remove(stopped, "states", "transitions", "value")
			}
			for _, queue := range []string{"internal", "external"} {
				events, _ := s[queue].([]any)
				for _, e := range events {
					remove(e, "origin", "origintype")
				}
			}
			if s["id"] != "root" {
				remove(s, "id") // of an invoked session, by chance
			}
		}
	}
	for i, d := range want["data"].([]any) {
		if d == nil { // nothing was evaluated
			got["data"].([]any)[i] = nil
			continue
		}
		var data [2]string
		for side, snapshot := range [][]byte{[]byte(saved), step.after} {
			var all struct{ Data []json.RawMessage }
			err := json.Unmarshal(snapshot, &all)
			if err == nil {
				data[side], err = canonical(all.Data[i])
			}
			if err != nil {
				return err.Error()
			}
		}
		if data[0] != data[1] {
			return fmt.Sprintf("data that are saved differ:\n  session %s\n  machine %s", data[1], data[0])
		}
	}
	remove(got, "data")
	remove(want, "data")
	if reflect.DeepEqual(got, want) {
		return ""
	}
	return fmt.Sprintf("what is saved differs:\n  session %s\n  machine %s", step.after, saved)
}

// snapshotCharts have what typed machines can have.
var snapshotCharts = map[string]string{
	"values": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" name="values">
  <datamodel><data id="n" expr="1.5"/><data id="t" expr="'a&lt;\u007f\u0430'"/><data id="b" expr="true"/><data id="any"/><data id="bad" expr="0/0"/></datamodel>
  <script>var count = 0; const half = 0.5; let last = 'none'; var never;</script>
  <state id="a">
    <onentry><send event="later" delay="3s"><param name="x" expr="n"/><param name="who" expr="t"/></send><send event="x" delay="5s"/><send event="y" delay="4s"/></onentry>
    <transition event="go" target="b"><assign location="any" expr="_event.data.code"/></transition>
    <transition event="more"><assign location="n" expr="n * -3.25"/><assign location="bad" expr="-0"/><script>count++; last = _event.name; var found = 1;</script></transition>
    <transition event="later" cond="_event.data.x &gt; 1" target="b"><assign location="any" expr="_event.data.who"/></transition>
  </state>
  <state id="b">
    <onexit><log label="left for" expr="_event.name"/></onexit>
    <transition event="back" target="a"><assign location="any" expr="null"/><assign location="t" expr="t + _event.name"/></transition>
    <transition event="off" target="end"/>
  </state>
  <final id="end"><donedata><param name="n" expr="n * half"/><param name="any" expr="any"/></donedata></final>
</scxml>`,
	"structure": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" binding="late">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state>
    <history id="deep" type="deep"><transition target="p"/></history>
    <history id="shallow"><transition target="q"/></history>
    <parallel id="p">
      <history id="all"><transition target="p1 p2b"/></history>
      <state id="p1"><datamodel><data id="late" expr="n + 1"/></datamodel>
        <state id="p1a"><transition event="go" target="p1b"/></state><state id="p1b"><transition event="go back" target="p1a"/></state></state>
      <state id="p2"><state><transition event="more" target="p2b"/></state><state id="p2b"><transition event="more" target="p2"/></state></state>
      <transition event="out" target="q"/><transition event="all" target="all"/>
    </parallel>
    <state id="q"><onentry><assign location="n" expr="n + 1"/></onentry><state id="q1"><transition event="go" target="q2"/></state><final id="q2"/>
      <transition event="out" target="p"/></state>
    <transition event="leave" target="away"/>
  </state>
  <state id="away"><transition event="deep" target="deep"/><transition event="shallow" target="shallow"/><transition event="off" target="end"/></state>
  <final id="end"/>
</scxml>`,
	"invoke": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="got" expr="0"/><data id="name" expr="''"/></datamodel>
  <state id="idle"><transition event="go" target="busy"/></state>
  <state id="busy">
    <invoke id="child" autoforward="true"><param name="start" expr="got + 2"/>
      <content><scxml version="1.0" datamodel="ecmascript">
        <datamodel><data id="start" expr="1"/></datamodel>
        <state id="c1"><onentry><send event="tick" delay="2s" id="t"/></onentry>
          <transition event="tick" target="c1"><assign location="start" expr="start + 1"/><send target="#_parent" event="ticked"><param name="n" expr="start"/></send></transition>
          <transition event="off" target="c2"/></state>
        <final id="c2"><donedata><param name="n" expr="start"/></donedata></final>
      </scxml></content>
      <finalize><assign location="got" expr="_event.data.n"/></finalize>
    </invoke>
    <invoke idlocation="name"><content><scxml version="1.0" datamodel="null"><state><transition event="x" target="f"/></state><final id="f"/></scxml></content></invoke>
    <transition event="ticked"><send event="mine" delay="1s"/><send target="#_child" event="x"/></transition>
    <transition event="done.invoke.child" target="done"/>
    <transition event="stay"/>
  </state>
  <state id="done"><transition event="back" target="idle"/></state>
</scxml>`,
	"undefined": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="none" expr="[]"/><data id="some" expr="[]"/><data id="got"/><data id="loops" expr="0"/></datamodel>
  <state id="a">
    <transition event="go"><foreach array="none" item="ofNone" index="atNone"><assign location="loops" expr="loops + atNone"/></foreach></transition>
    <transition event="more"><script>some.push(undefined); var later, found = some.length; if (loops &gt; 99) { var seldom = 1 }</script></transition>
    <transition event="all"><foreach array="some" item="one"><if cond="one == null"><assign location="loops" expr="loops + 1"/></if></foreach></transition>
    <transition event="out"><send event="list" delay="2s"><content expr="[1, undefined, [undefined, null], {u: undefined, n: null}]"/></send></transition>
    <transition event="list"><assign location="got" expr="_event.data"/></transition>
    <transition event="stay"><send event="twice" delay="3s"><param name="a b" expr="'c d&amp;e'"/><param name="a b" expr="[1, 'x', null]"/></send></transition>
    <transition event="twice"><assign location="got" expr="_event.data['a b']"/></transition>
    <transition event="off" target="b"/>
  </state>
  <state id="b"><transition event="back" target="a"/></state>
</scxml>`,
}
