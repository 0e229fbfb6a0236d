package isolate

import (
	"encoding/json"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// protocol is the version of the messages. Parent and child must have the same.
const protocol = 1

// A hello is what a child says of itself.
type hello struct {
	Protocol int
	Missing  []string // what it could not limit
}

// An op is what a request asks for.
type op string

// The requests. Those of a session and of a driver have its number.
const (
	opLint     op = "lint"     // check a document
	opWork     op = "work"     // do a Work with a document
	opNew      op = "new"      // make a session, or restore one
	opStart    op = "start"    // start it
	opDo       op = "do"       // Session.Do
	opAdvance  op = "advance"  // Session.Advance
	opTry      op = "try"      // Session.Try
	opGet      op = "get"      // Session.Eval
	opEnabled  op = "enabled"  // Session.Enabled
	opSnapshot op = "snapshot" // Session.Snapshot
	opReport   op = "report"   // ServerView.Report
	opPost     op = "post"     // ServerView.Deliver of a session of the tree
	opDropDue  op = "dropdue"  // ServerView.Reschedule
	opData     op = "data"     // Data
	opClose    op = "close"    // forget it

	opDrive   op = "drive"   // make a driver
	opNext    op = "next"    // Driver.Next
	opTake    op = "take"    // Driver.Take
	opCommand op = "command" // Driver.Do
	opSettle  op = "settle"  // Driver.Settle
	opLook    op = "look"    // Driver.Look
	opFinish  op = "finish"  // Driver.Finish

	// These do not wait for the request in progress.
	opSend    op = "send"    // Session.Send
	opStop    op = "stop"    // Session.Stop
	opDeliver op = "deliver" // Invocation.Send
	opCancel  op = "cancel"  // interrupt the request with the same id; there is no answer
)

// aside reports whether a request does not wait for the one in progress.
func (o op) aside() bool { return o == opSend || o == opStop || o == opDeliver || o == opCancel }

// A request asks a child for something.
type request struct {
	ID        uint64
	Op        op
	Session   int             `json:",omitempty"` // its number, or that of a service
	Now       time.Time       `json:",omitzero"`
	Event     *event          `json:",omitempty"`
	Text      string          `json:",omitempty"` // an expression, the id of a session, or the name of a Work
	Outcome   *outcome        `json:",omitempty"`
	Command   json.RawMessage `json:",omitempty"` // of package wire
	Line      int             `json:",omitempty"` // of the command
	CommandID json.RawMessage `json:",omitempty"` // its id
	Open      bool            `json:",omitempty"` // for next
	Snapshot  bool            `json:",omitempty"` // of do: also take one
	Document  *document       `json:",omitempty"`
	Setup     *setup          `json:",omitempty"`
	Drive     *driving        `json:",omitempty"`
	Lint      *scxml.LintOptions
}

// A document is a chart to be compiled.
type document struct {
	Name   string
	Source []byte
	Loader bool // files are loaded from the host
	Limits *scxml.Limits

	loaded func(name, text string) // in the child: hears of each file; or nil
}

// A setup has the options of a session.
type setup struct {
	Limits     *scxml.Limits
	Data       []preset
	Seed       *uint64
	SessionID  string
	Timers     scxml.TimerPolicy
	Funcs      []string
	Services   []string // types
	Outbox     *outbox
	UserEvents bool
	Kinds      record.Set
	Saved      []byte // a snapshot to restore
	Migrated   bool   // it may be of another version
}

// An outbox is a [scxml.Outbox].
type outbox struct {
	Processors, Services []string
	Location, Sessions   bool
	Check                bool
}

type preset struct {
	ID    string
	Value json.RawMessage
}

// A driving has the fields of a [drive.Config].
type driving struct {
	Kinds         record.Set
	Virtual       bool
	File, Version string
	Timeout       *time.Duration
	Reachable     bool
	Save          bool
	Recording     *history.Note `json:",omitempty"` // nil: there is none
}

// An event is a [scxml.Event].
type event struct {
	Name       string
	Type       datamodel.EventType `json:",omitempty"`
	Data       json.RawMessage     `json:",omitempty"`
	SendID     string              `json:",omitempty"`
	Origin     string              `json:",omitempty"`
	OriginType string              `json:",omitempty"`
	InvokeID   string              `json:",omitempty"`
	Raw        string              `json:",omitempty"`
}

func packEvent(ev scxml.Event) (*event, error) {
	data, err := pack(ev.Data)
	return &event{ev.Name, ev.Type, data, ev.SendID, ev.Origin, ev.OriginType, ev.InvokeID, ev.Raw}, err
}

func (ev *event) unpack() (scxml.Event, error) {
	if ev == nil {
		return scxml.Event{}, nil
	}
	data, err := unpack(ev.Data)
	return scxml.Event{
		Name: ev.Name, Type: ev.Type, Data: data, SendID: ev.SendID, Origin: ev.Origin, OriginType: ev.OriginType,
		InvokeID: ev.InvokeID, Raw: ev.Raw,
	}, err
}

// pack returns any Go data as JSON, nil for undefined.
func pack(data any) (json.RawMessage, error) {
	v, err := datamodel.From(data)
	if v == nil || err != nil {
		return nil, err
	}
	return datamodel.AppendJSON(nil, v), nil
}

func unpack(text json.RawMessage) (datamodel.Value, error) {
	if len(text) == 0 {
		return nil, nil
	}
	return datamodel.ParseJSON(text)
}

// An answer is the end of a request.
type answer struct {
	ID          uint64
	Err         *failure           `json:",omitempty"`
	State       *state             `json:",omitempty"` // of the session after the request
	Chart       *Chart             `json:",omitempty"`
	Diagnostics []scxml.Diagnostic `json:",omitempty"`
	Value       json.RawMessage    `json:",omitempty"`
	Effect      *effect            `json:",omitempty"`
	Trial       *Trial             `json:",omitempty"`
	Enabled     []string           `json:",omitempty"`
	Changed     bool               `json:",omitempty"`
	Found       bool               `json:",omitempty"`
	Dropped     []string           `json:",omitempty"`
	Snapshot    []byte             `json:",omitempty"`
	Made        []byte             `json:",omitempty"` // by a Work
	Unsaved     *failure           `json:",omitempty"` // why there is none, of a do
	Wait        *drive.Wait        `json:",omitempty"`
	End         *drive.End         `json:",omitempty"`
	SaveErr     string             `json:",omitempty"` // of the End
	Views       []drive.View       `json:",omitempty"`
	Recording   []byte             `json:",omitempty"` // what is new of it
}

// A state is what a parent knows of a session.
type state struct {
	Status        scxml.Status
	Configuration []string
	Now           time.Time
	Due           time.Time       `json:",omitzero"`
	Busy          bool            `json:",omitempty"`
	Final         string          `json:",omitempty"`
	Done          json.RawMessage `json:",omitempty"`
	Err           *failure        `json:",omitempty"`
	Tasks         []task          `json:",omitempty"`
}

// An effect is an [Effect].
type effect struct {
	Taken, Handled  bool
	Transitions     []Transition `json:",omitempty"`
	Exited, Entered []string     `json:",omitempty"`
	Sent            []message    `json:",omitempty"`
	Errors          []execution  `json:",omitempty"`
	Out             []uint64     `json:",omitempty"` // IDs of tasks of the state
}

// A message is a [scxml.Message].
type message struct {
	Event        *event
	Target, Type string
	Delay        time.Duration
	Params       []preset `json:",omitempty"` // of a task
}

func packMessage(m *scxml.Message) (message, error) {
	ev, err := packEvent(m.Event)
	return message{Event: ev, Target: m.Target, Type: m.Type, Delay: m.Delay}, err
}

func (m *message) unpack() (scxml.Message, error) {
	ev, err := m.Event.unpack()
	return scxml.Message{Event: ev, Target: m.Target, Type: m.Type, Delay: m.Delay}, err
}

// An execution is a [scxml.ExecutionError], without its cause.
type execution struct {
	scxml.ExecutionError
	Host int `json:",omitempty"` // number of the host's error that is the cause
}

// A call asks the host for something during a request.
type call struct {
	Op   op     // one of the following
	Name string // of a function or a file
	Args []json.RawMessage
	Data []byte // to be saved
}

const (
	callFunc op = "func" // call a function
	callLoad op = "load" // read a file
	callSave op = "save" // save a snapshot
	callAddr op = "addr" // Outbox.Location of the type Name and the session Args
	callTask op = "task" // Outbox.Check of the task in Args
	callLook op = "look" // a front end may look at the session, with requests inside this one
)

// A reply is the result of a call.
type reply struct {
	Value   json.RawMessage
	Data    []byte
	Err     string // "" if it succeeded
	Number  int    // of the error
	Missing bool   // the file does not exist

	cause error // stays with the host
}

// A note is about a service.
type note struct {
	Op      op
	Service int
	// of a new one
	Session       int             `json:",omitempty"`
	ID, Type, Src string          `json:",omitempty"`
	Params        json.RawMessage `json:",omitempty"`
	Content       json.RawMessage `json:",omitempty"`
	Restored      bool            `json:",omitempty"`

	Event  *event          `json:",omitempty"`
	Data   json.RawMessage `json:",omitempty"` // the result
	Err    string          `json:",omitempty"`
	Number int             `json:",omitempty"` // of the error
}

const (
	noteInvoke op = "invoke" // child: a service is invoked
	noteEvent  op = "event"  // child: an event for it
	noteCancel op = "cancel" // child: it is cancelled
	noteWake   op = "wake"   // child: a session has work
	noteWait   op = "wait"   // parent: it waits for an event
	noteDone   op = "done"   // parent: it has returned
)
