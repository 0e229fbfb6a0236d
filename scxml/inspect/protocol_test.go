package inspect_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

// A rowJSON is a ROW of PROTOCOL.md as far as tests look at it.
type rowJSON struct {
	N                          int
	Kind, Event, Session       string
	Data                       any
	Cause                      *struct{ N int }
	Transitions, Enter, Exit   []string
	Active, Sent, Errors, Logs []string
	Raised                     []string
	Unhandled                  bool
	TimeMS                     float64 `json:"time_ms"`
}

type itemJSON struct {
	Name, Message string
	Value, Before any
	Changed       bool
}

type positionJSON struct {
	N, Length             int
	Status                string
	Configuration, Atomic []string
	Data                  []itemJSON
	External              []struct{ Name string }
	History               []struct {
		State string
		Value []string
	}
	Timers []struct {
		Name, SendID string
		Due          float64 `json:"due_ms"`
		Delay        float64 `json:"delay_ms"`
	}
	Sessions []struct {
		InvokeID, Chart string
		Configuration   []string
		Data            []itemJSON
	}
	Row   rowJSON
	LedTo []struct {
		N     int
		Event string
	} `json:"led_to"`
	Records []struct{ Type string }
	Forms   []struct {
		Event  string
		Own    bool
		Fields []struct {
			Name, Kind string
			Values     []any
		}
	}
}

// get and post decode the answer of a request of session 1 or of another one into v.
func get(t *testing.T, x *fixture, path string, v any) {
	t.Helper()
	status, text, _ := request(t, x.server, "GET", "/api/sessions/"+path, "", nil)
	if err := json.Unmarshal([]byte(text), v); status != 200 || err != nil {
		t.Fatalf("%s: status %d: %s (%v)", path, status, text, err)
	}
}

func post(t *testing.T, x *fixture, path, body string, v any) {
	t.Helper()
	status, text, _ := request(t, x.server, "POST", "/api/sessions/"+path, body, nil)
	if err := json.Unmarshal([]byte(text), v); status != 200 || err != nil {
		t.Fatalf("%s: status %d: %s (%v)", path, status, text, err)
	}
}

func rows(t *testing.T, x *fixture, session string) []rowJSON {
	t.Helper()
	var answer struct {
		Length int
		Rows   []rowJSON
	}
	get(t, x, session+"/rows?from=0&count=500", &answer)
	return answer.Rows
}

const everything = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="all">
	<datamodel><data id="n" expr="0"/><data id="text" expr="'a'"/></datamodel>
	<state id="idle">
		<transition event="go" target="work"><assign location="n" expr="_event.data.by"/></transition>
		<transition event="fail"><assign location="nope" expr="1"/></transition>
		<transition event="error.*"><log label="failed" expr="_event.name"/></transition>
		<transition event="call" target="calling"/>
	</state>
	<state id="work">
		<onentry><send event="self"/><send event="later" id="l" delay="40ms"/><raise event="inside"/></onentry>
		<transition event="self"/>
		<transition event="later" target="idle"/>
	</state>
	<state id="calling">
		<invoke id="child"><content><scxml version="1.0" name="callee" datamodel="ecmascript" initial="c">
			<datamodel><data id="inner" expr="7"/></datamodel>
			<state id="c"><onentry><send target="#_parent" event="hello"/></onentry></state>
		</scxml></content></invoke>
		<transition event="hello"/>
		<transition event="back" target="idle"/>
	</state>
</scxml>`

// Rows tell what happened, to which session, and where its event comes from.
// TestHostEvent: what a chart sends for its host is not marked as an event that nothing takes.
func TestHostEvent(t *testing.T) {
	x := newServer(t, inspect.Config{}, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"><transition event="coin"><send event="opened"/></transition></state></scxml>`)
	for _, name := range []string{"coin", "push"} {
		if err := x.session.Send(scxml.Event{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	for x.history.Len() < 4 {
		x.settle()
	}
	for _, r := range rows(t, x, "1") {
		if r.Unhandled != (r.Event == "push") {
			t.Errorf("%s: unhandled is %v", r.Event, r.Unhandled)
		}
	}
}

func TestRows(t *testing.T) {
	x := newServer(t, inspect.Config{}, everything)
	send := func(name string, data any, positions int) {
		t.Helper()
		if err := x.session.Send(scxml.Event{Name: name, Data: data}); err != nil {
			t.Fatal(err)
		}
		for x.history.Len() < positions {
			x.settle()
		}
	}
	send("go", map[string]int{"by": 3}, 4) // go, self, later
	send("fail", nil, 5)
	send("nothing", nil, 6)
	send("call", nil, 9) // call, start of the child, hello
	var lines []string
	for _, r := range rows(t, x, "1") {
		cause := ""
		if r.Cause != nil {
			cause = fmt.Sprintf(" of %d", r.Cause.N)
		}
		line := strings.Join(strings.Fields(fmt.Sprint(r.N, " ", r.Kind, " ", r.Session, " ", r.Event, cause)), " ")
		for i, list := range [][]string{r.Exit, r.Transitions, r.Enter, r.Raised, r.Sent, r.Logs} {
			if len(list) > 0 {
				line += fmt.Sprintf("; %s %s", []string{"exit", "take", "enter", "raise", "send", "log"}[i], strings.Join(list, ", "))
			}
		}
		lines = append(lines, line)
		if (r.Event == "nothing") != r.Unhandled {
			t.Errorf("row %d: unhandled is %v", r.N, r.Unhandled)
		}
		if (r.Event == "fail") != (len(r.Errors) > 0) {
			t.Errorf("row %d: errors %q", r.N, r.Errors)
		}
	}
	want := []string{
		"0 start; enter idle",
		"1 external go; exit idle; take idle/1; enter work; raise inside; send self, later",
		"2 internal self of 1; take work/1",
		"3 timer later of 1; exit work; take work/2; enter idle",
		"4 external fail; take idle/2, idle/3; raise error.execution; log failed: error.execution",
		"5 external nothing",
		"6 external call; exit idle; take idle/4; enter calling",
		"7 invoke child; enter c; send hello",
		"8 invoke hello of 7; take calling/1",
	}
	for i, line := range lines {
		if i >= len(want) || line != want[i] {
			t.Errorf("row %d: %q, want %q", i, line, append(want, "")[min(i, len(want))])
		}
	}
}

// A position has the data with what has changed, delayed events, invoked sessions, what happened, and
// what can be sent. Looking at it changes nothing.
func TestPosition(t *testing.T) {
	x := newServer(t, inspect.Config{}, everything)
	for i, name := range []string{"call", "back", "go"} {
		if err := x.session.Send(scxml.Event{Name: name, Data: map[string]int{"by": 3}}); err != nil {
			t.Fatal(err)
		}
		for x.history.Len() < []int{4, 5, 8}[i] {
			x.settle()
		}
	}
	var p positionJSON
	get(t, x, "1/positions/5", &p)
	if p.N != 5 || p.Length != 8 || p.Status != "running" || fmt.Sprint(p.Configuration, p.Atomic) != "[work] [work]" {
		t.Errorf("position %d of %d, %s in %q, %q", p.N, p.Length, p.Status, p.Configuration, p.Atomic)
	}
	if got := fmt.Sprint(p.Data); got != "[{n  3 0 true} {text  a <nil> false}]" {
		t.Errorf("data %s", got)
	}
	if len(p.Timers) != 1 || p.Timers[0].Name != "later" || p.Timers[0].SendID != "l" || p.Timers[0].Delay != 40 || p.Timers[0].Due < 40 {
		t.Errorf("timers %+v", p.Timers)
	}
	if len(p.External) != 1 || p.External[0].Name != "self" {
		t.Errorf("external queue %+v", p.External)
	}
	if got := fmt.Sprint(p.LedTo); got != "[{6 self} {7 later}]" {
		t.Errorf("led to %s", got)
	}
	if p.Row.Event != "go" || p.Row.N != 5 || len(p.Records) < 8 {
		t.Errorf("row %+v, records %+v", p.Row, p.Records)
	}
	var idle, calling positionJSON
	get(t, x, "1/positions/0", &idle)
	if len(idle.Forms) != 3 || idle.Forms[0].Event != "go" || len(idle.Forms[0].Fields) != 1 || idle.Forms[0].Fields[0].Name != "by" {
		t.Errorf("forms %+v", idle.Forms)
	}
	get(t, x, "1/positions/3", &calling)
	if len(calling.Sessions) != 1 || calling.Sessions[0].InvokeID != "child" || calling.Sessions[0].Chart != "callee" || fmt.Sprint(calling.Sessions[0].Configuration, calling.Sessions[0].Data) != "[c] [{inner  7 <nil> false}]" {
		t.Errorf("invoked sessions %+v", calling.Sessions)
	}
	var last positionJSON
	get(t, x, "1/positions/last", &last)
	if last.N != 7 || last.Row.Event != "later" || last.Length != 8 {
		t.Errorf("the last position is %+v", last)
	}
}

// A branch continues from a position by itself. The session that it branches from does not notice.
func TestBranch(t *testing.T) {
	x := newServer(t, inspect.Config{}, everything)
	type branch struct {
		ID, Clock, Status string
		Length            int
		Branch            struct {
			Of string
			At int
		}
	}
	var b branch
	post(t, x, "1/branch", `{"at":0}`, &b)
	if b.ID != "2" || b.Clock != "virtual" || b.Length != 1 || b.Branch.Of != "1" {
		t.Errorf("branch %+v", b)
	}
	var done struct{ N int }
	post(t, x, "2/send", `{"event":"go","data":{"by":5}}`, &done)
	if done.N != 2 {
		t.Errorf("after an event it is at %d, want 2", done.N)
	}
	var p positionJSON
	get(t, x, "2/positions/last", &p)
	if fmt.Sprint(p.Configuration, p.Data[0].Value, len(p.Timers)) != "[work] 5 1" {
		t.Errorf("the branch is in %q with data %v and %d timers", p.Configuration, p.Data, len(p.Timers))
	}
	var nested branch
	post(t, x, "2/branch", `{"at":2}`, &nested)
	var cancelled struct{ Count int }
	post(t, x, nested.ID+"/cancel", `{"sendid":"l"}`, &cancelled)
	get(t, x, nested.ID+"/positions/last", &p)
	if cancelled.Count != 1 || len(p.Timers) != 0 {
		t.Errorf("%d delayed events cancelled, %d left", cancelled.Count, len(p.Timers))
	}
	if status, text, _ := request(t, x.server, "POST", "/api/sessions/"+nested.ID+"/advance", `{"next":true}`, nil); status != 409 || !strings.Contains(text, "no delayed event") {
		t.Errorf("advance without timers: status %d: %s", status, text)
	}
	post(t, x, "2/advance", `{"by_ms":39.5}`, &done)
	get(t, x, "2/positions/last", &p)
	if p.Configuration[0] != "work" {
		t.Errorf("before the timer is due it is in %q", p.Configuration)
	}
	post(t, x, "2/advance", `{"next":true}`, &done)
	get(t, x, "2/positions/last", &p)
	if p.Configuration[0] != "idle" || p.Row.Kind != "timer" {
		t.Errorf("after the timer is due it is in %q by a %s", p.Configuration, p.Row.Kind)
	}
	post(t, x, "2/stop", `{}`, &done)
	get(t, x, "2/positions/last", &p)
	if p.Status != "stopped" || p.Row.Kind != "stop" {
		t.Errorf("after stop it is %s by a %s", p.Status, p.Row.Kind)
	}
	if status, text, _ := request(t, x.server, "POST", "/api/sessions/2/send", `{"event":"go"}`, nil); status != 409 {
		t.Errorf("send after the end: status %d: %s", status, text)
	}
	x.settle()
	if err := x.session.Call(t.Context(), func(s *scxml.Session) {
		if x.history.Len() != 1 || !s.In("idle") {
			t.Errorf("the session has %d positions", x.history.Len())
		}
	}); err != nil {
		t.Error(err)
	}
	post(t, x, "2/close", `{}`, &struct{}{})
	var list struct{ Sessions []branch }
	_, text, _ := request(t, x.server, "GET", "/api/sessions", "", nil)
	if err := json.Unmarshal([]byte(text), &list); err != nil || len(list.Sessions) != 1 {
		t.Errorf("after close the list is %s", text)
	}
	for range inspect.MaxBranches {
		post(t, x, "1/branch", `{"at":0}`, &b)
	}
	if status, _, _ := request(t, x.server, "POST", "/api/sessions/1/branch", `{"at":0}`, nil); status != 409 {
		t.Errorf("one branch too many: status %d", status)
	}
}

// A trial tells what an event would do, and does not do it.
func TestTry(t *testing.T) {
	x := newServer(t, inspect.Config{}, everything)
	var trial struct {
		Handled, Certain bool
		Candidates       []struct{ Transition, Verdict, At string }
		Rows             []rowJSON
		Changed          []itemJSON
	}
	post(t, x, "1/try", `{"event":"go","data":{"by":9}}`, &trial)
	if !trial.Handled || !trial.Certain || len(trial.Candidates) != 4 || trial.Candidates[0].Transition != "idle/1" || trial.Candidates[0].Verdict != "taken" {
		t.Errorf("trial %+v", trial)
	}
	if len(trial.Rows) != 2 || trial.Rows[0].Enter[0] != "work" || fmt.Sprint(trial.Changed) != "[{n  9 0 true}]" {
		t.Errorf("trial: rows %+v, changed %+v", trial.Rows, trial.Changed)
	}
	x.settle()
	if x.history.Len() != 1 {
		t.Errorf("the session has %d positions after a trial", x.history.Len())
	}
	var list struct{ Sessions []struct{ ID string } }
	_, text, _ := request(t, x.server, "GET", "/api/sessions", "", nil)
	if err := json.Unmarshal([]byte(text), &list); err != nil || len(list.Sessions) != 1 {
		t.Errorf("after a trial the list is %s", text)
	}
}

// A session that its program drives gets events, and can be stopped.
func TestSendAndStop(t *testing.T) {
	x := newServer(t, inspect.Config{}, lamp)
	post(t, x, "1/send", `{"event":"push"}`, &struct{}{})
	for x.history.Len() < 2 {
		x.settle()
	}
	var cancelled struct{ Count int }
	post(t, x, "1/cancel", `{"sendid":"t"}`, &cancelled)
	var p positionJSON
	get(t, x, "1/positions/last", &p)
	if cancelled.Count != 1 || len(p.Timers) != 0 || p.Configuration[0] != "on" {
		t.Errorf("%d cancelled, %d timers left, in %q", cancelled.Count, len(p.Timers), p.Configuration)
	}
	post(t, x, "1/stop", `{}`, &struct{}{})
	<-x.ended
	if _, text, _ := request(t, x.server, "GET", "/api/sessions", "", nil); !strings.Contains(text, `"status":"stopped"`) {
		t.Errorf("after stop: %s", text)
	}
	for path, want := range map[string]int{"send": 409, "cancel": 409, "stop": 200} {
		body := map[string]string{"send": `{"event":"push"}`}[path]
		if status, text, _ := request(t, x.server, "POST", "/api/sessions/1/"+path, body+strings.Repeat("{}", 1-min(1, len(body))), nil); status != want {
			t.Errorf("%s after the end: status %d: %s", path, status, text)
		}
	}
}

// The inspector drives a session if it is told to.
func TestDrive(t *testing.T) {
	x := newServer(t, inspect.Config{}, lamp)
	h := unstarted(t, lamp)
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := scxml.New(h.Chart(), h.Option(), scxml.WithClock(func() time.Time { return now }))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	x.in.Add(inspect.Session{Name: "driven", History: h, Virtual: true, Drive: true})
	var done struct{ N int }
	post(t, x, "2/send", `{"event":"push"}`, &done)
	post(t, x, "2/advance", `{"next":true}`, &done)
	var p positionJSON
	get(t, x, "2/positions/last", &p)
	if done.N != 2 || p.N != 2 || p.Row.Kind != "timer" || p.Row.TimeMS != 5000 || p.Configuration[0] != "off" {
		t.Errorf("at %d: %+v", done.N, p)
	}
	if status, text, _ := request(t, x.server, "POST", "/api/sessions/2/close", "{}", nil); status != 409 {
		t.Errorf("close: status %d: %s", status, text)
	}
	post(t, x, "2/stop", `{}`, &done)
	if s.Status() != scxml.Stopped {
		t.Errorf("after stop it is %v", s.Status())
	}
}

// A session that has not started yet is in the list, and has no positions.
func TestBeforeStart(t *testing.T) {
	x := newServer(t, inspect.Config{}, lamp)
	x.in.Add(inspect.Session{Name: "later", History: unstarted(t, lamp)})
	if _, text, _ := request(t, x.server, "GET", "/api/sessions", "", nil); !strings.Contains(text, `"status":"unstarted","final":"","first":0,"length":0`) {
		t.Errorf("list %s", text)
	}
	for _, test := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "chart", "", 200}, {"GET", "picture.svg", "", 200}, {"GET", "rows", "", 200}, {"GET", "find?text=x", "", 200},
		{"GET", "positions/last", "", 409}, {"GET", "positions/0", "", 409}, {"POST", "send", `{"event":"push"}`, 409},
		{"POST", "stop", "{}", 409}, {"POST", "branch", `{"at":0}`, 409}, {"POST", "try", `{"event":"push"}`, 409},
	} {
		if status, text, _ := request(t, x.server, test.method, "/api/sessions/2/"+test.path, test.body, nil); status != test.want {
			t.Errorf("%s: status %d, want %d: %s", test.path, status, test.want, text)
		}
	}
}

// Find looks forward and back, in parts of a long log.
func TestFind(t *testing.T) {
	x := newServer(t, inspect.Config{}, counter)
	const events, at = 2300, 1200
	for i := range events {
		ev := scxml.Event{Name: "e"}
		if i+1 == at {
			ev = scxml.Event{Name: "Needle", Data: "hay"}
		}
		if err := x.session.Send(ev); err != nil {
			t.Fatal(err)
		}
	}
	for x.history.Len() < events+1 {
		x.settle()
	}
	type answer struct{ N, Next *int }
	for _, test := range []struct {
		query string
		want  int // -1: none
		calls int
	}{
		{"text=needle&from=0", at, 2}, {"text=HAY&from=1300&back=true", at, 1}, {"text=needle&from=1200", at, 1}, {"text=needle&back=true", at, 2},
		{"text=needle&from=1201", -1, 2}, {"text=needle&from=1199&back=true", -1, 2}, {"text=needle&from=9999", -1, 1},
	} {
		query, found := test.query, -1
		calls := 0
		for query != "" {
			var a answer
			get(t, x, "1/find?"+query, &a)
			calls++
			query = ""
			if a.N != nil {
				found = *a.N
			} else if a.Next != nil {
				back := ""
				if strings.Contains(test.query, "back") {
					back = "&back=true"
				}
				query = fmt.Sprintf("text=needle&from=%d%s", *a.Next, back)
			}
		}
		if found != test.want || calls != test.calls {
			t.Errorf("%s: found %d in %d calls, want %d in %d", test.query, found, calls, test.want, test.calls)
		}
	}
}

// The picture names its states and transitions as rows do.
func TestPicture(t *testing.T) {
	x := newServer(t, inspect.Config{}, lamp)
	status, svg, header := request(t, x.server, "GET", "/api/sessions/1/picture.svg", "", nil)
	if status != 200 || header.Get("Content-Type") != "image/svg+xml" {
		t.Fatalf("status %d, content type %q", status, header.Get("Content-Type"))
	}
	var chart struct {
		States      []struct{ Name, Kind, At string }
		Transitions []struct{ ID, Source string }
		Source      string
	}
	get(t, x, "1/chart", &chart)
	if len(chart.States) != 3 || len(chart.Transitions) != 3 || chart.Source != lamp {
		t.Errorf("chart %+v", chart)
	}
	for _, s := range chart.States[1:] {
		if !strings.Contains(svg, `data-state="`+s.Name+`"`) {
			t.Errorf("state %q is not in the picture", s.Name)
		}
	}
	for _, tr := range chart.Transitions {
		if !strings.Contains(svg, `data-transition="`+tr.ID+`"`) {
			t.Errorf("transition %q is not in the picture", tr.ID)
		}
	}
	if strings.Contains(svg, "style=") {
		t.Error("the picture has style attributes, which the Content-Security-Policy does not allow")
	}
}

// Data that is too large for a page is shortened, so that an answer is bounded.
func TestLargeData(t *testing.T) {
	x := newServer(t, inspect.Config{}, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="text" expr="'a'.repeat(5e6)"/><data id="list" expr="Array(1e5).fill(1)"/><data id="small" expr="[1]"/></datamodel>
		<state id="s"/></scxml>`)
	if err := x.session.Send(scxml.Event{Name: "e", Data: strings.Repeat("é", 1000)}); err != nil {
		t.Fatal(err)
	}
	for x.history.Len() < 2 {
		x.settle()
	}
	status, text, _ := request(t, x.server, "GET", "/api/sessions/1/positions/last", "", nil)
	if status != 200 || len(text) > 20_000 {
		t.Errorf("status %d, %d bytes", status, len(text))
	}
	for _, want := range []string{`{"$long":"` + strings.Repeat("a", 80) + `…"}`, `{"$long":"[100000 values]"}`, `"value":[1]`, `"data":{"$long":"` + strings.Repeat("é", 80) + `…"}`} {
		if !strings.Contains(text, want) {
			t.Errorf("%.300s does not contain %.100s", text, want)
		}
	}
}
