package compile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/es"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// This file reads what [Options].Events says of the data of events, and compares it with what the chart does with them.

// A SchemaError says that [Options].Events is not a schema of events.
type SchemaError struct{ msg string }

func (e *SchemaError) Error() string { return e.msg }

// A schema is as much of a JSON Schema as types need.
type schema struct {
	typ        es.Type // 0 if it is not known
	properties map[string]*schema
	required   []string
	closed     bool // it has no other properties
}

var schemaTypes = map[string]es.Type{
	"array": es.Array, "boolean": es.Bool, "integer": es.Number, "null": es.Null, "number": es.Number, "object": es.Object, "string": es.String,
}

// UnmarshalJSON implements [json.Unmarshaler].
func (s *schema) UnmarshalJSON(data []byte) error {
	if text := string(data); text == "true" || text == "false" {
		return nil
	}
	var given struct {
		Type                 json.RawMessage
		Enum                 []any
		Const                any
		Properties           map[string]*schema
		Required             []string
		AdditionalProperties json.RawMessage
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	var names []string
	switch {
	case bytes.HasPrefix(given.Type, []byte("[")):
		if err := json.Unmarshal(given.Type, &names); err != nil {
			return err
		}
	case given.Type != nil:
		names = make([]string, 1)
		if err := json.Unmarshal(given.Type, &names[0]); err != nil {
			return err
		}
	case given.Const != nil:
		given.Enum = []any{given.Const}
		fallthrough
	default:
		for _, value := range given.Enum {
			s.typ |= jsonType(value)
		}
	}
	for _, name := range names {
		if schemaTypes[name] == 0 {
			return fmt.Errorf("type %q is not one of array, boolean, integer, null, number, object and string", name)
		}
		s.typ |= schemaTypes[name]
	}
	s.properties, s.required, s.closed = given.Properties, given.Required, string(given.AdditionalProperties) == "false"
	return nil
}

func jsonType(value any) es.Type {
	switch value.(type) {
	case nil:
		return es.Null
	case bool:
		return es.Bool
	case float64:
		return es.Number
	case string:
		return es.String
	case []any:
		return es.Array
	}
	return es.Object
}

// parseSchema reads the schema of events: an object whose properties are the events.
func parseSchema(text []byte) (map[string]*schema, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var all schema
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, &SchemaError{fmt.Sprintf("cannot read the schema of events: %v", err)}
	}
	if len(all.properties) == 0 {
		return nil, &SchemaError{`the schema of events has no events: want {"properties": {"EVENT": {"properties": {…}}}}`}
	}
	return all.properties, nil
}

// memberInSchema returns what the schema says of a member of the data of an event, with Undefined among the types if it may be missing;
// 0 if it says nothing.
func (f *file) memberInSchema(event, name string) es.Type {
	s := f.schemas[event]
	if s == nil || s.properties[name] == nil || s.properties[name].typ == 0 {
		return 0
	}
	typ := s.properties[name].typ
	if !slices.Contains(s.required, name) {
		typ |= es.Undefined
	}
	return typ
}

// scalarsInSchema returns the members of the data of an event if each of them is required and has one type, which is a scalar,
// by the schema; otherwise nil.
func (f *file) scalarsInSchema(event string) []string {
	s := f.schemas[event]
	if s == nil || s.typ&^es.Object != 0 {
		return nil
	}
	all := sortedKeys(s.properties)
	for _, name := range all {
		if f.memberInSchema(event, name).Go() == "js.Value" || !es.CanBeProperty(name) {
			return nil
		}
	}
	return all
}

// memberType returns the type of the field for a member of the data of an event, or 0 if it can be anything.
func (m *typedModel) memberType(event, name string) es.Type {
	if typ := m.memberInSchema(event, name); typ != 0 {
		return typ.Scalar()
	}
	if typ, used := m.es.MemberType(name); used {
		return typ
	}
	return m.sentType(event, name).Scalar()
}

// sentType returns the types that the chart itself gives to a member of the data of an event that it sends; 0 if it does not.
func (m *typedModel) sentType(event, name string) (all es.Type) {
	eachExec(m.doc, func(e doc.Exec) {
		send, ok := e.(*doc.Send)
		if !ok || send.Event != event {
			return
		}
		typ := es.Undefined // the last one counts
		if send.Content != nil {
			typ = es.Any
		}
		for _, src := range send.Namelist {
			if src.Text == name {
				typ = m.es.Value(m.exprs[src]).Type
			}
		}
		for _, p := range send.Params {
			if src := cmp.Or(p.Location, p.Expr); src != nil && p.Name == name {
				typ = m.es.Value(m.exprs[src]).Type
			}
		}
		all |= typ
	})
	return all
}

// memberTypes returns the types of a member of the data of all events, or 0 if they are not known.
func (m *typedModel) memberTypes(name string) (all es.Type) {
	for event := range m.schemas {
		all |= m.memberInSchema(event, name)
	}
	if typ, used := m.es.MemberType(name); all != 0 || used {
		return cmp.Or(all, typ)
	}
	for _, event := range m.events.names {
		all |= m.sentType(event, name)
	}
	return all
}

// checkEvents reports what the chart does that contradicts the schema of events.
func (m *typedModel) checkEvents() {
	if m.schemas == nil {
		return
	}
	of := map[*es.Expr]*doc.Transition{}
	for _, t := range m.all {
		add := func(src *datamodel.Source) {
			if src != nil {
				of[m.exprs[src]] = t
			}
		}
		add(t.Cond)
		eachSource(t.Body, add)
	}
	takes := func(t *doc.Transition, event string) bool {
		return t != nil && slices.ContainsFunc(t.Events, func(d string) bool { return table.Matches(table.Normalize(d), event) })
	}
	for _, event := range sortedKeys(m.schemas) {
		for _, u := range m.es.Uses() {
			typ, used := m.memberInSchema(event, u.Member)&^es.Undefined, u.Type&^(es.Undefined|es.Null)
			if typ == 0 || used == 0 || typ&used != 0 || u.Converts || !takes(of[u.Expr], event) {
				continue
			}
			hint := "change one of them"
			if convert := map[es.Type]string{es.Number: "Number", es.String: "String", es.Bool: "Boolean"}[used]; convert != "" {
				hint = fmt.Sprintf("write %s(_event.data.%s), or change the schema", convert, u.Member)
			}
			m.problem(u.Pos, "_event.data.%s is %s in the schema of the event %s, and used as %s: %s", u.Member, typ.Words(), event, used.Words(), hint)
		}
		s := m.schemas[event]
		for _, t := range m.all {
			for _, name := range sortedKeys(m.reads[t]) {
				if s.closed && s.properties[name] == nil && takes(t, event) {
					m.problem(t.Pos, "_event.data.%s is not in the schema of the event %s, which has additionalProperties: false: add it there", name, event)
				}
			}
		}
	}
}
