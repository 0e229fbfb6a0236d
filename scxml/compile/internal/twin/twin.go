// Package twin compares compiled charts with the interpreter. A [Record] has what a session does. [Compare] builds a
// program that has this file and the compiled charts: it registers them and calls [Main], which writes what they do.
package twin

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A Machine is a compiled chart.
type Machine struct {
	Node    machine.Node
	Start   func(now time.Time) error
	Send    func(name string, data any) (handled bool, err error)
	Handle  func(num uint16) bool
	Advance func(to time.Time)
	Stop    func()
	Data    func(id string) (any, bool) // nil without data
}

// A maker makes a machine that calls sent in its hooks for events that a <send> names.
type maker = func(o machine.Options, sent func(event string)) Machine

var charts = map[string]maker{}

// Register makes a chart known by its name.
func Register(name string, f maker) { charts[name] = f }

// A Stimulus is an event, a time that passes, or a stop.
type Stimulus struct {
	Event string          `json:",omitempty"`
	Data  json.RawMessage `json:",omitempty"` // in the form of datamodel.AppendJSON
	Wait  time.Duration   `json:",omitempty"`
	Stop  bool            `json:",omitempty"`
}

// String is the line that begins what follows from the stimulus.
func (s Stimulus) String() string {
	switch {
	case s.Stop:
		return "> stop"
	case s.Event == "":
		return "> advance " + s.Wait.String()
	}
	return strings.TrimSpace("> " + s.Event + " " + string(s.Data))
}

// Value returns the data of the event.
func (s Stimulus) Value() datamodel.Value {
	if len(s.Data) == 0 {
		return nil
	}
	v, err := datamodel.ParseJSON(s.Data)
	if err != nil {
		panic(err)
	}
	return v
}

// A Job is what is to be done with one chart. Items are data items to be shown.
type Job struct {
	Chart   string
	Session string // its id; by default "root"
	Now     time.Time
	Limits  machine.Limits
	Items   []string
	Stimuli []Stimulus
	Typed   bool // the chart has typed data
	Texts   bool // those of errors are compared
	// Snapshot is where the machine continues, in place of a start. With Save it is saved at the end.
	Snapshot json.RawMessage `json:",omitempty"`
	Save     bool            `json:",omitempty"`
	// Shortcuts leaves out hooks that make a machine work step by step.
	Shortcuts bool
}

// A Transcript collects what a machine does, line by line.
type Transcript struct {
	Lines     []string
	addresses map[string]string
	max       int  // lines; 0: any
	texts     bool // of errors
}

// AddError adds an error, with its text if that is compared.
func (t *Transcript) AddError(event, element, sendid, msg string) {
	values := []any{event, element, sendid}
	if t.texts {
		values = append(values, plain(msg))
	}
	t.Add("error", values...)
}

// plain returns the text of an error without that of a limit, of which the interpreter says more.
func plain(msg string) string {
	for _, begin := range []string{"scxml: limit ", "the limit "} {
		if before, limit, ok := strings.Cut(msg, begin); ok {
			name, _, _ := strings.Cut(limit, " ")
			return before + "limit " + name
		}
	}
	return msg
}

// Add adds a line: a word that says what it is, and values.
func (t *Transcript) Add(what string, values ...any) {
	if t.max > 0 && len(t.Lines) >= t.max {
		panic("the machine does not come to rest")
	}
	var b strings.Builder
	b.WriteString(what)
	for _, v := range values {
		b.WriteByte(' ')
		b.Write(t.appendValue(nil, v))
	}
	t.Lines = append(t.Lines, b.String())
}

// appendValue writes a value. Addresses of sessions are numbered.
func (t *Transcript) appendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "undefined"...)
	case machine.NullType:
		return append(dst, "null"...)
	case *js.Object:
		return t.appendValue(dst, v.Data())
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case string:
		const address = "#_scxml_"
		if id, ok := strings.CutPrefix(v, address); ok && id != "nobody" {
			if t.addresses == nil {
				t.addresses = map[string]string{}
			}
			if t.addresses[id] == "" {
				t.addresses[id] = strconv.Itoa(len(t.addresses) + 1)
			}
			v = address + t.addresses[id]
		}
		return strconv.AppendQuote(dst, v)
	case []datamodel.Value:
		dst = append(dst, '[')
		for _, item := range v {
			dst = append(t.appendValue(dst, item), ',')
		}
		return append(dst, ']')
	case machine.Fields:
		obj := new(datamodel.Object)
		for _, f := range v {
			obj.Set(f.Name, f.Value)
		}
		return t.appendValue(dst, obj)
	case *datamodel.Object:
		_, message := v.Get("message")
		_, element := v.Get("element")
		dst = append(dst, '{')
		for key, item := range v.All() {
			if !(message && element) || key == "element" || t.texts && key == "message" {
				dst = append(strconv.AppendQuote(dst, key), ':')
				if text, ok := item.(string); ok && key == "message" {
					item = plain(text)
				}
				dst = append(t.appendValue(dst, item), ',')
			}
		}
		return append(dst, '}')
	}
	return datamodel.AppendJSON(dst, v)
}

// Main reads jobs, one in a line, and writes a transcript for each: its lines, and an empty one.
func Main(r io.Reader, w io.Writer) error {
	in, out := json.NewDecoder(bufio.NewReader(r)), bufio.NewWriter(w)
	for {
		var job Job
		if err := in.Decode(&job); err == io.EOF {
			return out.Flush()
		} else if err != nil {
			return err
		}
		watchdog := time.AfterFunc(time.Minute, func() { panic(job.Chart + " does not come to rest") })
		for _, line := range job.run() {
			fmt.Fprintln(out, line)
		}
		fmt.Fprintln(out)
		if err := out.Flush(); err != nil {
			return err
		}
		watchdog.Stop()
	}
}

func (job *Job) run() (lines []string) {
	t := &Transcript{max: 50_000, texts: job.Texts}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case refusal:
			t.Add("refused", string(x))
			lines = t.Lines
		default:
			lines = append(t.Lines, fmt.Sprintf("panic %v", x))
		}
	}()
	h := machine.Hooks{
		Log: func(label string, data any) { t.Add("log", label, data) },
		Error: func(e *machine.Error) {
			for _, limit := range []string{"which a compiled chart cannot hold", "is not compiled", "would have more than 10000000 items"} {
				if strings.HasSuffix(e.Msg, limit) {
					panic(refusal(e.Msg))
				}
			}
			t.AddError(e.Event, e.Element, e.SendID, e.Msg)
		},
	}
	if !job.Shortcuts {
		h.Sent = func(m machine.Message) {
			t.Add("sent", m.Event.Name, m.Event.Data, m.Target, m.Delay.String(), m.Event.SendID)
		}
		h.Unhandled = func(event string) { t.Add("unhandled", event) }
		h.Entered = func(state string) { t.Add("entered", state) }
		h.Exited = func(state string) { t.Add("exited", state) }
		h.Took = func(transition int) { t.Add("took", transition) }
	}
	m := charts[job.Chart](machine.Options{SessionID: cmp.Or(job.Session, "root"), Limits: job.Limits, Hooks: h}, func(event string) { t.Add("hook", event) })
	now := job.Now
	if job.Snapshot == nil {
		_ = m.Start(now) // job.rest tells of the error
	} else if err := machine.Restore(m.Node, job.Snapshot); err != nil && job.Typed && strings.Contains(err.Error(), "cannot hold") {
		panic(refusal(err.Error()))
	} else if err != nil {
		panic(err)
	}
	job.rest(t, m)
	for _, s := range job.Stimuli {
		t.Lines = append(t.Lines, s.String())
		switch {
		case s.Stop:
			m.Stop()
		case s.Event == "":
			now = now.Add(s.Wait)
			m.Advance(now)
		default:
			job.send(t, m, s)
		}
		job.rest(t, m)
	}
	if job.Save {
		snapshot, err := machine.Snapshot(m.Node)
		if err != nil && job.Typed && strings.Contains(err.Error(), "does not save") {
			panic(refusal(err.Error()))
		} else if err != nil {
			panic(err)
		}
		t.Lines = append(t.Lines, savedMark+string(snapshot))
	}
	return t.Lines
}

const savedMark = "saved "

// A refusal ends a transcript: data that the interpreter can hold, and a typed machine cannot.
type refusal string

// send gives the machine an event, if possible by its number.
func (job *Job) send(t *Transcript, m Machine, s Stimulus) {
	_, chart, _ := m.Node.Machine()
	if num := chart.Match(s.Event); job.Shortcuts && len(s.Data) == 0 && chart.EventName(num) == s.Event {
		t.Add("handled", m.Handle(num))
	} else {
		data := any(s.Value())
		if job.Typed {
			data = typed(data)
		}
		handled, err := m.Send(s.Event, data)
		if err != nil && machine.Running(m.Node) {
			panic(refusal(err.Error()))
		}
		t.Add("handled", handled)
	}
}

// endless reports whether data contains itself, for which the interpreter has no value.
func endless(v any) bool {
	why := ""
	func() {
		defer js.Catch(&why)
		if o, ok := v.(*js.Object); ok {
			o.Value().Copy()
		}
	}()
	return why != ""
}

// typed returns data in the form of package machine.
func typed(v any) any {
	switch v := v.(type) {
	case datamodel.NullType:
		return machine.Null
	case []datamodel.Value:
		items := make([]any, len(v))
		for i := range v {
			items[i] = typed(v[i])
		}
		return items
	case *datamodel.Object:
		fields := machine.Fields{}
		for name, member := range v.All() {
			fields.Set(name, typed(member))
		}
		return fields
	}
	return v
}

// rest writes where the machine is, and what it has.
func (job *Job) rest(t *Transcript, m Machine) {
	_, chart, regs := m.Node.Machine()
	if !machine.Running(m.Node) {
		why := ""
		if limit, ok := machine.Err(m.Node).(*machine.LimitError); ok {
			why = limit.Limit
		}
		t.Add("ended", why, machine.DoneData(m.Node))
	} else {
		var active []datamodel.Value
		for s := 1; s < len(chart.IDs); s++ {
			if k := chart.Kinds[s]; k != machine.Shallow && k != machine.Deep && chart.Active(regs, uint16(s)) {
				active = append(active, int64(s))
			}
		}
		t.Add("in", active)
		if due, ok := machine.NextDue(m.Node); ok {
			t.Add("due", due.Sub(job.Now).String())
		}
	}
	if m.Data != nil {
		for _, id := range job.Items {
			if v, ok := m.Data(id); ok && !endless(v) {
				t.Add("data "+id, v)
			}
		}
	}
}
