package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"time"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// verbs are the fields of which every input line of the machine protocol has exactly one.
var verbs = []string{"event", "advance", "cancel", "get", "snapshot", "stop"}

// A command is what an input line of the machine protocol asks for.
type command struct {
	id      datamodel.Value // of the line; nil without one
	verb    string          // one of verbs
	session string          // "" is the root session
	event   scxml.Event     // for event
	advance time.Duration   // for advance
	text    string          // for cancel and get
}

// parseCommand reads an input line. If it fails the command still has the
// line's id when that could be read.
func parseCommand(line inputLine) (command, error) {
	var cmd command
	if line.tooLong {
		return cmd, fmt.Errorf("the line is longer than %d bytes", maxLine)
	}
	if len(bytes.TrimSpace(line.text)) == 0 {
		return cmd, errors.New("the line is empty")
	}
	if i := invalidUTF8(line.text); i >= 0 {
		return cmd, fmt.Errorf("not UTF-8: byte 0x%02x at offset %d", line.text[i], i)
	}
	v, err := datamodel.ParseJSON(line.text)
	if err != nil {
		return cmd, jsonProblem(err)
	}
	o, ok := v.(*datamodel.Object)
	if !ok {
		return cmd, fmt.Errorf(`the line is %s, but it has to be an object such as {"event":"tap"}`, kindOf(v))
	}
	if id, ok := o.Get("id"); ok {
		if cmd.id, err = lineIDValue(id); err != nil {
			return cmd, err
		}
	}
	var keys []string
	for key := range o.All() {
		keys = append(keys, key)
		for _, verb := range verbs {
			if key != verb {
				continue
			}
			if cmd.verb != "" {
				return cmd, fmt.Errorf("%q and %q in one line; write two lines", cmd.verb, key)
			}
			cmd.verb = verb
		}
	}
	if cmd.verb == "" {
		for _, key := range keys {
			if near := cli.Nearest(key, verbs); near != "" && key != "id" && key != "session" {
				return cmd, fmt.Errorf("unknown field %q, and nothing to do (did you mean %q?)", key, near)
			}
		}
		return cmd, fmt.Errorf("nothing to do: the line has none of the fields %s", cli.List(verbs, "and"))
	}
	if v, ok := o.Get("session"); ok {
		if cmd.session, ok = v.(string); !ok {
			return cmd, fmt.Errorf(`"session" has to be a string, but it is %s`, kindOf(v))
		}
	}
	argument, _ := o.Get(cmd.verb)
	return cmd, cmd.setArgument(argument)
}

// maxID is the magnitude up to which every integer is a number of its own in
// all languages: an id beyond it would not come back as it went in.
const maxID = 1<<53 - 1

// lineIDValue returns the id of a line if it is one that can be echoed.
func lineIDValue(v datamodel.Value) (datamodel.Value, error) {
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
			return nil, errors.New(`"id" has to be a string or a number, but it is NaN`)
		case math.Abs(id) > maxID:
			return nil, errBigID
		case id == 0: // -0, which is no JSON any more when it is written
			return int64(0), nil
		}
		return id, nil
	}
	return nil, fmt.Errorf(`"id" has to be a string or a number, but it is %s`, kindOf(v))
}

var errBigID = errors.New(`"id" is a number beyond 9007199254740991 (2^53-1), which would not come back as it is; use a string`)

// setArgument reads the value of the field that is the verb.
func (cmd *command) setArgument(v datamodel.Value) error {
	text, isText := v.(string)
	switch cmd.verb {
	case "event":
		return cmd.setEvent(v)
	case "advance":
		d, err := parseTime(text)
		if err != nil { // text is "" if it is no string
			return fmt.Errorf(`"advance": %w`, err)
		}
		cmd.advance = d
	case "stop", "snapshot":
		if v != true {
			return fmt.Errorf("%q has to be true", cmd.verb)
		}
	default:
		if !isText || text == "" {
			return fmt.Errorf("%q has to be a string that is not empty", cmd.verb)
		}
		cmd.text = text
	}
	return nil
}

// setEvent reads "name" or {"name":"name","data":…}.
func (cmd *command) setEvent(v datamodel.Value) error {
	name := v
	if o, ok := v.(*datamodel.Object); ok {
		if name, ok = o.Get("name"); !ok {
			return errors.New(`"event" has no "name"`)
		}
		cmd.event.Data, _ = o.Get("data")
	}
	text, ok := name.(string)
	if !ok {
		return fmt.Errorf(`"event" has to be a name or {"name":…,"data":…}, but the name is %s`, kindOf(name))
	}
	cmd.event.Name = text
	return datamodel.CheckEventName(text)
}

// find returns the session of the tree that has the id, the root for "".
func (d *driver) find(id string) (*scxml.Session, error) {
	if id == "" {
		return d.session, nil
	}
	var ids []string
	for _, s := range d.session.Sessions() {
		if s.ID() == id {
			return s, nil
		}
		ids = append(ids, s.ID())
	}
	return nil, fmt.Errorf("no session %q%s", id, cli.DidYouMean(id, ids))
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

// jsonProblem says what is wrong with the JSON of a single line.
func jsonProblem(err error) error {
	var at *datamodel.JSONError
	if errors.As(err, &at) {
		return fmt.Errorf("bad JSON, column %d: %s", at.Col, at.Msg)
	}
	return fmt.Errorf("bad JSON: %w", err)
}

// kindOf names the kind of a value, with its article.
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
