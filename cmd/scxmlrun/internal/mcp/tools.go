package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A tool is a tool of the protocol, and what it does in a child.
type tool struct {
	*mcp.Tool
	do func(ctx context.Context, c *call, args json.RawMessage) (*answer, error)
}

// tools returns all tools.
func tools() []*tool {
	return []*tool{
		newTool("check", "Check a chart",
			`Says what is wrong or odd with a chart, each with line, column and a code in brackets. With "code" instead of a chart, it explains that code; "list" lists all.`, checkChart),
		newTool("describe", "Describe a chart",
			`Documents a chart as Markdown: the events that it takes and sends with their data, states, transitions, data with their types, services and limits. A chart with errors is described as far as it can be read.`, describeChart),
		newTool("draw", "Draw or export a chart",
			`Draws a chart as PNG (an image) or SVG (text), as a tree of text, or in the notation of another tool: dot, mermaid, plantuml, smcat, xstate (JSON), scjson. Says what the notation cannot express.`, draw),
		newTool("try", "Try an event",
			`Says what an event does in a state, and why: which transitions it matches, whose condition is false with which values, then what happens. Without states it starts the chart.`, try),
		newTool("run", "Run a chart or a scenario",
			`Runs a chart on a virtual clock, from its start, with lines of events: 'NAME', 'NAME {"json":1}', 'advance 5s', 'stop'. Answers with the trace and the state at the end. With a scenario (the format of generate_tests) it says whether it passes.`, run),
		newTool("explore", "Visit all states of a chart",
			`Visits every state that a chart can reach, with data and time. Finds deadlocks, sessions that never rest, exceeded limits, and what breaks a property; each with the fewest inputs that lead there. "holds" is a proof.`, exploreChart),
		newTool("compare", "Compare two charts",
			`Searches for the fewest events after which an old and a new chart differ in what they send, log, raise as errors, in their states or ends. "holds" proves that no events tell them apart.`, compare),
		newTool("edit", "Change a chart",
			`Changes a chart by operations on states, transitions and data, and answers with the changed text: comments and layout stay. What would dangle is refused with its places. Without arguments it lists the operations. States are named by id, transitions as "state/1".`, edit),
		newTool("generate_tests", "Generate tests, and say what tests miss",
			`Writes few short scenarios that cover a chart, with what it answers today, and says what they miss: small changes of the chart that no test notices. The last scenarios notice these. With "scenarios", it judges those instead.`, generateTests),
		newTool("why", "Explain a recording",
			`Says why an event did nothing (or what it did) at a step of a recorded session, or what gave a data item its value. "scxmlrun run --record FILE" records one.`, explainRecording),
		newTool("import", "Import a chart",
			`Makes SCXML of a chart of XState or Stately (JSON) or state-machine-cat, and says what was lost or guessed.`, importChart),
	}
}

// newTool returns a tool whose arguments are the fields of an A.
func newTool[A any](name, title, text string, do func(context.Context, *call, A) (*answer, error)) *tool {
	schema, err := jsonschema.For[A](nil)
	if err != nil {
		panic(err) // the type is one of ours
	}
	for _, p := range schema.Properties { // null is nothing to offer
		if len(p.Types) == 2 && p.Types[0] == "null" {
			p.Type, p.Types = p.Types[1], nil
		}
	}
	closed := false
	return &tool{
		&mcp.Tool{
			Name: name, Title: title, Description: text, InputSchema: schema,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
		},
		func(ctx context.Context, c *call, args json.RawMessage) (*answer, error) {
			in := new(A)
			if err := decode(args, in, slices.Sorted(maps.Keys(schema.Properties))); err != nil {
				return nil, err
			}
			return do(ctx, c, *in)
		},
	}
}

// decode reads the arguments of a tool, which have the given names.
func decode(args json.RawMessage, into any, names []string) error {
	if len(bytes.TrimSpace(args)) == 0 {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(args, &given); err != nil {
		return errors.New("the arguments are not an object")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("there is no argument %q%s", name, cli.DidYouMean(name, names))
		}
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	err := d.Decode(into)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%q is a %s: want %s", wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:], wrong.Value, kinds[strings.TrimLeft(wrong.Type.Kind().String(), "*")])
	}
	if err != nil && err != io.EOF {
		return fmt.Errorf("the arguments cannot be read: %w", err)
	}
	return nil
}

// kinds are the kinds of Go types in words of JSON.
var kinds = map[string]string{"string": "a string", "bool": "true or false", "int": "an integer", "float64": "a number", "slice": "an array", "map": "an object", "struct": "an object"}
