package compile

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// withSchema compiles a chart that takes an event e if cond, and notes a member m of its data.
func withSchema(cond, schema string) (field string, err error) {
	source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<state id="a"><transition event="e" cond="` + cond + `"><log expr="_event.data.m"/></transition></state></scxml>`
	code, err := Source(fstest.MapFS{}, "c.scxml", []byte(source), Options{Package: "p", Events: []byte(schema)})
	if err != nil {
		return "", err
	}
	if found := regexp.MustCompile(`(?m)^\s*M +(\S+) +// m$`).FindSubmatch(code); found != nil {
		field = string(found[1])
	}
	return field, nil
}

// TestSchema: a member has the type that the schema says, and otherwise the one that its uses show.
func TestSchema(t *testing.T) {
	const e, required = `{"properties": {"e": {"properties": {"m": `, `}, "required": ["m"]}}}`
	for _, test := range []struct{ cond, schema, want string }{
		{"true", e + `{"type": "number"}` + required, "float64"},
		{"true", e + `{"type": "integer"}` + required, "float64"},
		{"true", e + `{"type": "string"}` + required, "string"},
		{"true", e + `{"type": ["boolean"]}` + required, "bool"},
		{"true", e + `{"enum": ["a", "b"]}` + required, "string"},
		{"true", e + `{"const": 1}` + required, "float64"},
		{"true", e + `{"type": "number"}}}}}`, "any"},
		{"true", e + `{"type": ["number", "null"]}` + required, "any"},
		{"true", e + `{"type": "array"}` + required, "any"},
		{"_event.data.m === 1", e + `{"type": ["number", "null"]}` + required, "any"},
		{"_event.data.m === 1", e + `{}` + required, "float64"},
		{"_event.data.m === 1", e + `true` + required, "float64"},
		{"_event.data.m === 1", `{"properties": {"other": {"properties": {"m": {"type": "string"}}, "required": ["m"]}}}`, "float64"},
		{"Number(_event.data.m) === 1", e + `{"type": "string"}` + required, "string"},
		{"'n' + _event.data.m &lt; 'n' + (1 + _event.data.m)", e + `{"type": "string"}` + required, "string"},
		{"_event.data.m != null", e + `{"type": "string"}` + required, "string"},
		{"_event.data.m", e + `{"type": "string"}` + required, "string"},
	} {
		if got, err := withSchema(test.cond, test.schema); got != test.want || err != nil {
			t.Errorf("%s, %s: m is a %s (%v), want %s", test.cond, test.schema, got, err, test.want)
		}
	}
}

// TestSchemaContradicts: what the chart does with a member that cannot have the type in the schema is a problem.
func TestSchemaContradicts(t *testing.T) {
	for _, test := range []struct{ cond, schema, want string }{
		{"_event.data.m === 1", `{"properties": {"e": {"properties": {"m": {"type": "string"}}}}}`,
			"c.scxml:2:43: _event.data.m is a string in the schema of the event e, and used as a number: write Number(_event.data.m), or change the schema"},
		{"2 * _event.data.m > 1", `{"properties": {"e.x": {"properties": {"m": {"type": ["boolean", "array"]}}}}}`,
			"c.scxml:2:47: _event.data.m is an array or a boolean in the schema of the event e.x, and used as a number: write Number(_event.data.m), or change the schema"},
		{"true", `{"properties": {"e": {"properties": {"n": {}}, "additionalProperties": false}}}`,
			"c.scxml:2:15: _event.data.m is not in the schema of the event e, which has additionalProperties: false: add it there"},
	} {
		_, err := withSchema(test.cond, test.schema)
		if problems := (*UnsupportedError)(nil); !errors.As(err, &problems) || err.Error() != test.want {
			t.Errorf("%s, %s:\n%v, want\n%s", test.cond, test.schema, err, test.want)
		}
	}
}

// TestSchemaErrors: a schema that cannot be used is an error that says why.
func TestSchemaErrors(t *testing.T) {
	for schema, want := range map[string]string{
		`{`:                  "cannot read the schema of events: unexpected end",
		`[]`:                 "cannot read the schema of events: json: cannot unmarshal",
		`{"type": "object"}`: "the schema of events has no events",
		`{"properties": {"e": {"properties": {"m": {"type": "float"}}}}}`: `type "float" is not one of`,
	} {
		_, err := withSchema("true", schema)
		if schemaErr := (*SchemaError)(nil); !errors.As(err, &schemaErr) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", schema, err, want)
		}
	}
}

// TestSchemaChangesStructsAlone: data that come by name are taken as they are, whatever the schema says.
func TestSchemaChangesStructsAlone(t *testing.T) {
	const source = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<state id="a"><transition event="e"><log expr="_event.data.m"/></transition></state></scxml>`
	accepts := func(schema string) string {
		code, err := Source(fstest.MapFS{}, "c.scxml", []byte(source), Options{Package: "p", Events: []byte(schema)})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(regexp.MustCompile(`(?ms)^func \(m \*machine\w*\) (Accept|Event)\(.*?^}`).FindAllString(string(code), -1), "\n")
	}
	with, without := accepts(`{"properties": {"e": {"properties": {"m": {"type": "number"}}, "required": ["m"]}}}`), accepts("")
	if with != without || !strings.Contains(with, "js.AcceptMembers(data, []string{\"m\"})") || !strings.Contains(with, "js.MemberValue") {
		t.Errorf("with a schema:\n%s\nwithout:\n%s", with, without)
	}
}

// TestSchemaOfWholeData: where a chart reads the data as a whole, the method takes a struct if the schema says all of it.
func TestSchemaOfWholeData(t *testing.T) {
	const source = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<state id="a"><transition event="e"><log expr="JSON.stringify(_event.data)"/></transition></state></scxml>`
	for schema, want := range map[string]string{
		`{"m": {"type": "number"}, "10": {"type": "string"}, "b": {"const": true}}, "required": ["m", "10", "b"]`: "E(d E) bool",
		`{"m": {"type": "number"}}`:                                                "E(data any) (handled bool, err error)", // it may be missing
		`{"m": {"type": ["number", "null"]}}, "required": ["m"]`:                   "E(data any) (handled bool, err error)",
		`{"m": {"type": "array"}}, "required": ["m"]`:                              "E(data any) (handled bool, err error)",
		`{"toString": {"type": "string"}}, "required": ["toString"]`:               "E(data any) (handled bool, err error)", // all objects inherit it
		`{"m": {"type": "number"}}, "required": ["m"], "type": ["object", "null"]`: "E(data any) (handled bool, err error)",
		`{}`: "E(data any) (handled bool, err error)",
	} {
		schema = `{"properties": {"e": {"properties": ` + schema + `}}}`
		code, err := Source(fstest.MapFS{}, "c.scxml", []byte(source), Options{Package: "p", Events: []byte(schema)})
		if err == nil {
			err = typeCheck(code)
		}
		if !strings.Contains(string(code), "func (m *Machine) "+want) || err != nil {
			t.Errorf("%s: want %s, %v\n%s", schema, want, err, regexp.MustCompile(`(?m)^func \(m \*Machine\) E\(.*`).Find(code))
		}
	}
}
