package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	recs "github.com/scxmlrun/scxmlrun/scxml/record"
)

// These tests check that the machine protocol, protocol.schema.json and PROTOCOL.md agree.
// Every record that the command writes in any test is checked here.

const schemaFile = "protocol.schema.json"

// schemas are the published schemas, and a strict one for our own output, in which only
// what is described is valid.
type schemas struct {
	record, line, strict *jsonschema.Schema
	fields               map[string][]string // of the types of records
}

var loadSchemas = sync.OnceValues(func() (*schemas, error) {
	source, err := os.ReadFile(schemaFile)
	if err != nil {
		return nil, err
	}
	var all schemas
	compile := func(doc any, anchor string) (schema *jsonschema.Schema) {
		if err != nil {
			return nil
		}
		c := jsonschema.NewCompiler() // checks the schema against that of its draft
		id := doc.(map[string]any)["$id"].(string)
		if err = c.AddResource(id, doc); err == nil {
			schema, err = c.Compile(id + anchor)
		}
		return schema
	}
	parse := func() map[string]any {
		doc, parseErr := jsonschema.UnmarshalJSON(bytes.NewReader(source))
		if parseErr != nil {
			panic(parseErr)
		}
		return doc.(map[string]any)
	}
	all.record, all.line = compile(parse(), ""), compile(parse(), "#line")

	closed := parse()
	defs := closed["$defs"].(map[string]any)
	record := defs["record"].(map[string]any)
	all.fields = map[string][]string{}
	for _, rule := range record["allOf"].([]any) {
		then := rule.(map[string]any)["then"].(map[string]any)
		if ref, ok := then["$ref"].(string); ok {
			kind := strings.TrimPrefix(ref, "#/$defs/")
			for _, name := range defs[kind].(map[string]any)["required"].([]any) {
				all.fields[kind] = append(all.fields[kind], name.(string))
			}
		}
	}
	var kinds []any
	for _, kind := range slices.Sorted(maps.Keys(all.fields)) {
		kinds = append(kinds, kind)
	}
	record["properties"].(map[string]any)["type"] = map[string]any{"enum": kinds}
	record["unevaluatedProperties"] = false
	defs["frame"].(map[string]any)["unevaluatedProperties"] = false
	all.strict = compile(closed, "")
	return &all, err
})

func mustLoadSchemas(t testing.TB) *schemas {
	t.Helper()
	all, err := loadSchemas()
	if err != nil {
		t.Fatalf("%s: %#v", schemaFile, err)
	}
	return all
}

// valid returns nil if a line of JSON is valid.
func valid(schema *jsonschema.Schema, line []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// readBack returns an error if a record changes when it is read, or written and read as
// text.
func readBack(line []byte) error {
	line = bytes.TrimSpace(line)
	r, err := recs.ParseJSON(line)
	if err != nil {
		return err
	}
	if got := r.AppendJSON(nil); !bytes.Equal(got, line) {
		return fmt.Errorf("this record is read as another one\n%s\n%s", line, got)
	}
	again, err := recs.ParseText(r.String())
	if err != nil {
		return err
	}
	if got := again.AppendJSON(nil); !bytes.Equal(got, line) {
		return fmt.Errorf("this record is another one as text\n%s\n%s\n%s", line, r.String(), got)
	}
	return nil
}

// Validation takes longer than everything else together, so records that differ only in
// counters are validated once.
var (
	counted   = regexp.MustCompile(`"(seq|time_ms|answers|next_due_ms)":[0-9]+(\.[0-9]+)?([,}])`)
	wellKnown sync.Map
)

// checkRecord returns an error if a record of the command does not match the schema.
func checkRecord(line []byte) error {
	all, err := loadSchemas()
	if err != nil {
		return err
	}
	key := string(counted.ReplaceAll(line, []byte(`"$1":1$3`)))
	if _, ok := wellKnown.Load(key); ok {
		return nil
	}
	if err := readBack(line); err != nil {
		return err
	}
	if err := valid(all.strict, line); err != nil {
		return fmt.Errorf("this record is not as %s says: %w\n%s", schemaFile, err, line)
	}
	if len(key) < 1000 {
		wellKnown.Store(key, true)
	}
	return nil
}

// checkOutput checks the records in the output of a command, if the output begins with a
// record.
func checkOutput(out []byte) error {
	if !bytes.HasPrefix(out, []byte(`{"type":`)) {
		return nil
	}
	for line := range bytes.Lines(out) {
		if err := checkRecord(line); err != nil {
			return err
		}
	}
	return nil
}

// The schema rejects invalid records.
func TestSchemaRefuses(t *testing.T) {
	all := mustLoadSchemas(t)
	const begin = `"seq":1,"time_ms":0,"session":"s"`
	for _, line := range []string{
		`17`,
		`{}`,
		`{"type":"exit","seq":0,"time_ms":0,"session":"s","state":"a"}`,
		`{"type":"exit","seq":1,"time_ms":"0","session":"s","state":"a"}`,
		`{"type":"exit","seq":1,"time_ms":-1,"session":"s","state":"a"}`,
		`{"type":"exit","seq":1,"time_ms":0,"state":"a"}`,
		`{"type":"exit",` + begin + `}`,
		`{"type":"exit",` + begin + `,"state":null}`,
		`{"type":"exit",` + begin + `,"invokeid":null,"state":"a"}`,
		`{"type":"done",` + begin + `,"reason":"bored","final":null,"data":null}`,
		`{"type":"idle",` + begin + `,"answers":true,"configuration":[],"atomic":[],"next_due_ms":null}`,
		`{"type":"stable",` + begin + `,"configuration":[1],"atomic":[]}`,
		`{"type":"log",` + begin + `,"label":"","value":1}`,
		`{"type":"log",` + begin + `,"label":null,"value":{"$undefined":false}}`,
		`{"type":"log",` + begin + `,"label":null,"value":[{"a":{"$number":"1"}}]}`,
		`{"type":"log",` + begin + `,"label":null,"value":{"$date":"yesterday"}}`,
		`{"type":"log",` + begin + `,"label":null,"value":{"$bigint":"x"}}`,
		`{"type":"log",` + begin + `,"label":null,"value":{"$ref":1}}`,
		`{"type":"log",` + begin + `,"label":null,"value":{"$undefined":true,"a":1}}`,
		`{"type":"error",` + begin + `,"name":"e","message":"m","at":null,"element":null,"sendid":null,"stack":[{}]}`,
	} {
		if valid(all.record, []byte(line)) == nil {
			t.Errorf("valid: %s", line)
		}
	}
}

// The published schema is as open as the protocol, and the one of the tests is not.
func TestSchemaIsOpen(t *testing.T) {
	all := mustLoadSchemas(t)
	for _, line := range []string{
		`{"type":"exit","seq":1,"time_ms":0,"session":"s","state":"a","colour":"red"}`,
		`{"type":"tea","seq":1,"time_ms":0.001,"session":"s","milk":true}`,
	} {
		if err := valid(all.record, []byte(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if valid(all.strict, []byte(line)) == nil {
			t.Errorf("valid for ourselves: %s", line)
		}
	}
}

// The command accepts exactly the lines that are valid in the schema, except where the
// running session decides.
func TestSchemaOfLines(t *testing.T) {
	all := mustLoadSchemas(t)
	accepted := []string{
		`{"event":"add"}`,
		`{"event":"a.b.c","id":"x"}`,
		`{"event":{"name":"keep"},"session":""}`,
		`{"event":{"name":"keep","data":{"a":[1,{"$number":"NaN"},{"$date":"2026-01-31T12:00:00+01:00"}],"$$b":{"$undefined":true}}}}`,
		`{"event":{"name":"keep","data":{"$date":"-000044-03-15T00:00:00Z"}}}`,
		`{"event":{"name":"keep","data":{"$bigint":"-12345678901234567890"}}}`,
		`{"event":{"name":"keep","data":{"$xml":"<a/>"}}}`,
		`{"event":{"name":"keep","data":{"$function":"f"}}}`,
		`{"event":{"name":"keep","data":{"":1,"a$":2,"$$undefined":true}}}`,
		`{"advance":"1s"}`, `{"advance":"1h2m3.5s4ms5us6ns"}`, `{"advance":"0"}`, `{"advance":".5s"}`,
		`{"cancel":"nothing"}`,
		`{"get":"n","id":1.5}`, `{"get":"n","id":9007199254740991}`, `{"get":"n","id":-0}`, `{"get":"n","id":""}`,
	}
	rejected := []string{
		`17`, `[]`, `{}`, `null`,
		`{"evnt":"add"}`,
		`{"event":"add","stop":true}`, `{"get":"n","cancel":"n"}`,
		`{"event":""}`, `{"event":"two words"}`, `{"event":17}`, `{"event":{}}`, `{"event":{"name":null}}`, `{"event":["add"]}`,
		`{"event":{"name":"add","data":{"$ref":1}}}`, `{"event":{"name":"add","data":{"$undefined":1}}}`,
		`{"event":{"name":"add","data":{"$number":"1"}}}`, `{"event":{"name":"add","$x":1}}`,
		`{"event":"add","session":5}`,
		`{"event":"add","id":true}`, `{"event":"add","id":null}`, `{"event":"add","id":{"$number":"NaN"}}`,
		`{"event":"add","id":9007199254740992}`, `{"event":"add","id":1e300}`, `{"event":"add","id":-1e999}`,
		`{"advance":"soon"}`, `{"advance":5}`, `{"advance":"5"}`, `{"advance":"-5s"}`, `{"advance":""}`,
		`{"cancel":5}`, `{"cancel":""}`, `{"get":""}`, `{"get":null}`,
		`{"stop":false}`, `{"stop":"please"}`,
		`{"$x":1,"get":"n"}`, `{"$$x":1,"get":"n"}`, `{"get":"n","colour":"red"}`, `{"Get":"n"}`,
		`{"event":"add","data":1}`, `{"event":{"name":"add","weight":3}}`, `{"why":{"name":"add","id":3}}`,
	}
	unknowable := []string{ // valid, and yet there is something wrong
		`{"event":"add","session":"nobody"}`, `{"get":"nope"}`, `{"get":"1 +"}`, `{"advance":"1000000h"}`,
		`{"event":{"name":"add","data":{"$xml":"<a>"}}}`, `{"event":{"name":"add","data":{"$date":"2026-02-31T12:00:00Z"}}}`,
	}
	c := dial(t, counterChart, "--clock", "virtual")
	c.last("idle")
	answer := func(line string) string {
		c.write(line)
		for {
			switch r := c.read(); r["type"] {
			case "idle", "rejected":
				return r["type"].(string)
			}
		}
	}
	for _, line := range accepted {
		if err := valid(all.line, []byte(line)); err != nil {
			t.Errorf("not valid: %s: %v", line, err)
		}
		if answer(line) != "idle" {
			t.Errorf("rejected: %s", line)
		}
	}
	for _, line := range append(rejected, unknowable...) {
		if isValid := valid(all.line, []byte(line)) == nil; isValid != slices.Contains(unknowable, line) {
			t.Errorf("valid is %v: %s", isValid, line)
		}
		if answer(line) != "rejected" {
			t.Errorf("not rejected: %s", line)
		}
	}
}

var everything = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Everything">
  <state id="s">
    <onentry><send event="e" id="t" delay="1s"/><send event="u" id="u" delay="5s"/></onentry>
    <invoke type="scxml" id="kid"><content><scxml version="1.0" name="Kid"><state id="k"/></scxml></content></invoke>
    <transition event="e" cond="In('s')" target="f"><log label="l"/><raise event="r"/><cancel sendid="u"/><script>nope()</script></transition>
  </state>
  <state id="f"/>
</scxml>`

// The schema, the page and the command know the same types of records.
func TestEveryTypeOfRecord(t *testing.T) {
	all := mustLoadSchemas(t)
	c := dial(t, everything, "--clock", "virtual", "--trace")
	c.write(`{"get":"1"}`, `{}`, `{"advance":"1s"}`, `{"stop":true}`)
	seen := map[string]bool{}
	for r := c.read(); r != nil; r = c.read() {
		seen[r["type"].(string)] = true
	}
	if got, want := slices.Sorted(maps.Keys(seen)), slices.Sorted(maps.Keys(all.fields)); !slices.Equal(got, want) {
		t.Errorf("the command writes %v, the schema has %v", got, want)
	}
}

var protocolRow = regexp.MustCompile("(?m)^\\| `([a-z]+)` +\\| `([a-z_ ]+)` +\\|")

// PROTOCOL.md names the fields of every record in the order of the schema, in which they
// are written. Its examples are valid.
func TestProtocolPage(t *testing.T) {
	all := mustLoadSchemas(t)
	source, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	_, out, _ := strings.Cut(string(source), "\n## Out\n")
	page := map[string][]string{}
	for _, row := range protocolRow.FindAllStringSubmatch(out, -1) {
		page[row[1]] = strings.Fields(row[2])
	}
	if !maps.EqualFunc(page, all.fields, slices.Equal) {
		t.Errorf("PROTOCOL.md has\n%v\nand the schema\n%v", page, all.fields)
	}
	records, lines := 0, 0
	for line := range strings.Lines(string(source)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, `{"type":`) {
			records++
			line = strings.ReplaceAll(line, ",…}", "}")
			var r map[string]any
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Errorf("%v: %s", err, line)
			} else if err := valid(all.strict, []byte(line)); err != nil && r["type"] != "hello" { // which is shortened
				t.Errorf("%v: %s", err, line)
			}
		}
		if command, ok := strings.CutPrefix(line, "> "); ok {
			lines++
			if err := valid(all.line, []byte(command)); err != nil {
				t.Errorf("%v: %s", err, line)
			}
		}
	}
	if records == 0 || lines == 0 {
		t.Errorf("%d records and %d lines as examples", records, lines)
	}
}
