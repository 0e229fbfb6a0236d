package wire

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/strict"
)

// A Command is a request to a session tree. If it has an ID or a Line, records with the same answer
// it.
type Command struct {
	ID      datamodel.Value // a string or number; nil without one
	Line    int             // number of its line; 0 without one
	Verb    Verb
	Session string        // id of a session; "" for the root of the tree
	Event   scxml.Event   // name and data, for Event and Why
	Advance time.Duration // not negative
	Text    string        // the sendid for Cancel, the expression for Get

	// Err says why a line is not a command and must be rejected.
	Err error
}

// A Verb is what a command asks for.
type Verb uint8

const (
	None     Verb = iota // only an answer when the present work is done
	Event                // put an event into the external queue
	Advance              // advance a virtual clock
	Cancel               // cancel delayed events
	Get                  // evaluate an expression
	Why                  // tell what an event would do
	Snapshot             // save the session tree
	Stop                 // end it
	verbs
)

var verbNames = [verbs]string{"none", "event", "advance", "cancel", "get", "why", "snapshot", "stop"}

// String returns the name of the verb, which is the name of its field in a line.
func (v Verb) String() string {
	if v >= verbs {
		return fmt.Sprintf("Verb(%d)", uint8(v))
	}
	return verbNames[v]
}

// The fields of a line, and of the object that follows event or why.
var (
	lineFields  = append(slices.Clone(verbNames[1:]), "session", "id")
	eventFields = []string{"name", "data"}
)

func list(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
}

// AppendJSON appends the command as a line without its end and returns the extended slice. It does
// not write Line and Err. The Verb must not be None.
func (cmd *Command) AppendJSON(dst []byte) []byte {
	var v datamodel.Value = true
	switch cmd.Verb {
	case Event, Why:
		v = cmd.Event.Name
		if cmd.Event.Data != nil {
			v = datamodel.NewObject("name", cmd.Event.Name, "data", cmd.Event.Data)
		}
	case Advance:
		v = cmd.Advance.String()
	case Cancel, Get:
		v = cmd.Text
	}
	o := datamodel.NewObject(cmd.Verb.String(), v)
	if cmd.Session != "" {
		o.Set("session", cmd.Session)
	}
	if cmd.ID != nil {
		o.Set("id", cmd.ID)
	}
	return datamodel.AppendJSON(dst, o)
}

// Command parses the line. If its Err is not nil, it still has the ID if that could be read.
func (line Line) Command() Command {
	cmd := Command{Line: line.Number}
	cmd.Err = cmd.parse(line)
	return cmd
}

func (cmd *Command) parse(line Line) error {
	if line.Err != nil {
		return line.Err
	}
	if line.TooLong {
		return fmt.Errorf("the line is longer than %d bytes", MaxLine)
	}
	if len(bytes.TrimSpace(line.Text)) == 0 {
		return errors.New("the line is empty")
	}
	if i := invalidUTF8(line.Text); i >= 0 {
		return fmt.Errorf("not UTF-8: byte 0x%02x at offset %d", line.Text[i], i)
	}
	v, err := datamodel.ParseStrictJSON(line.Text)
	if err != nil {
		return JSONProblem(err)
	}
	o, ok := v.(*datamodel.Object)
	if !ok {
		return fmt.Errorf(`the line is %s: want an object such as {"event":"tap"}`, kindOf(v))
	}
	if id, ok := o.Get("id"); ok {
		if cmd.ID, err = lineID(id); err != nil {
			return err
		}
	}
	for key := range o.All() {
		switch verb := Verb(slices.Index(verbNames[:], key)); {
		case verb >= Event && verb < verbs: // -1 is a Verb too, the greatest
			if cmd.Verb != None {
				return fmt.Errorf("%q and %q in one line: write two lines", cmd.Verb, key)
			}
			cmd.Verb = verb
		case key == "name" || key == "data":
			return fmt.Errorf(`%q is not a field of the line: write it inside "event", as in {"event":{"name":"tap","data":1}}`, key)
		default:
			if err := strict.Name("field", key, lineFields); err != nil {
				return err
			}
		}
	}
	if cmd.Verb == None {
		return errors.New("nothing to do: the line has none of the fields " + list(verbNames[1:]))
	}
	if v, ok := o.Get("session"); ok {
		if cmd.Session, ok = v.(string); !ok {
			return fmt.Errorf(`"session" is %s: want a string`, kindOf(v))
		}
	}
	argument, _ := o.Get(cmd.Verb.String())
	return cmd.setArgument(argument)
}

// maxID is the largest integer that all languages represent exactly. A larger id would not be
// echoed unchanged.
const maxID = 1<<53 - 1

// lineID returns the id of a line, if it can be echoed.
func lineID(v datamodel.Value) (datamodel.Value, error) {
	switch id := v.(type) {
	case string:
		return id, nil
	case int64:
		if id >= -maxID && id <= maxID {
			return id, nil
		}
		return nil, errBigID
	case float64:
		switch {
		case math.IsNaN(id):
			return nil, errors.New(`"id" is NaN: want a string or a number`)
		case math.Abs(id) > maxID:
			return nil, errBigID
		case id == 0: // -0, which JSON cannot express
			return int64(0), nil
		}
		return id, nil
	}
	return nil, fmt.Errorf(`"id" is %s: want a string or a number`, kindOf(v))
}

var errBigID = errors.New(`"id" is a number beyond 9007199254740991 (2^53-1), which cannot be echoed exactly: want a string`)

// setArgument sets the value of the verb's field.
func (cmd *Command) setArgument(v datamodel.Value) (err error) {
	text, isText := v.(string)
	switch cmd.Verb {
	case Event, Why:
		return cmd.setEvent(v)
	case Advance:
		if cmd.Advance, err = ParseTime(text); err != nil { // text is "" if v is not a string
			return fmt.Errorf(`"advance": %w`, err)
		}
	case Stop, Snapshot:
		if v != true {
			return fmt.Errorf("%q is not true", cmd.Verb)
		}
	default:
		if !isText || text == "" {
			return fmt.Errorf("%q: want a non-empty string", cmd.Verb)
		}
		cmd.Text = text
	}
	return nil
}

// setEvent parses "name" or {"name":"name","data":…}.
func (cmd *Command) setEvent(v datamodel.Value) error {
	name := v
	if o, ok := v.(*datamodel.Object); ok {
		for key := range o.All() {
			if slices.Contains(lineFields, key) {
				return fmt.Errorf(`%q is not a field of the event: write it outside, as in {"event":{"name":"tap"},%q:…}`, key, key)
			}
			if err := strict.Name("field", key, eventFields); err != nil {
				return fmt.Errorf("%q: %w", cmd.Verb, err)
			}
		}
		if name, ok = o.Get("name"); !ok {
			return fmt.Errorf(`%q has no "name"`, cmd.Verb)
		}
		cmd.Event.Data, _ = o.Get("data")
	}
	text, ok := name.(string)
	if !ok {
		return fmt.Errorf(`the name of %q is %s: want a name or {"name":…,"data":…}`, cmd.Verb, kindOf(name))
	}
	cmd.Event.Name = text
	return datamodel.CheckEventName(text)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	i := 0
	for {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// ParseEvent reads an event as a person types it: its name, and its data as JSON if it has any.
func ParseEvent(text string) (ev scxml.Event, err error) {
	name, data, _ := strings.Cut(strings.TrimSpace(text), " ")
	if err := datamodel.CheckEventName(name); err != nil {
		return ev, err
	}
	ev.Name = name
	if data = strings.TrimSpace(data); data != "" {
		if ev.Data, err = datamodel.ParseStrictJSON([]byte(data)); err != nil {
			return ev, fmt.Errorf("the data of %s: %w", name, JSONProblem(err))
		}
	}
	return ev, nil
}

// JSONProblem describes an error of [datamodel.ParseStrictJSON] for a single line.
func JSONProblem(err error) error {
	var at *datamodel.JSONError
	if errors.As(err, &at) {
		return fmt.Errorf("bad JSON, column %d: %s", at.Col, at.Msg)
	}
	return fmt.Errorf("bad JSON: %w", err)
}

// kindOf names the kind of a value, with an article.
func kindOf(v datamodel.Value) string {
	switch v.(type) {
	case *datamodel.Object:
		return "an object"
	case []datamodel.Value:
		return "an array"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case int64, float64:
		return "a number"
	case datamodel.NullType:
		return "null"
	}
	return "something else"
}
