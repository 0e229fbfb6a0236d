package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/editor"
)

type editArgs struct {
	chartArg
	Operations []map[string]any `json:"operations,omitempty" jsonschema:"such as {\"op\": \"add-state\", \"in\": \"playing\", \"id\": \"paused\"}, one after the other; without, the answer lists all operations and their arguments"`
}

// edit changes a chart.
func edit(_ context.Context, c *call, a editArgs) (*answer, error) {
	if a.Operations == nil {
		if a.chartArg != (chartArg{}) {
			return nil, errors.New(`which "operations"? Call edit without arguments for a list`)
		}
		return report(operations()), nil
	}
	d, err := c.document(a.chartArg)
	if err != nil {
		return nil, err
	}
	ops := make([]editor.Operation, len(a.Operations))
	for i, op := range a.Operations {
		text, err := json.Marshal(op)
		if err == nil {
			err = ops[i].UnmarshalJSON(text)
		}
		if err != nil {
			return nil, fmt.Errorf("operation %d: %w", i+1, err)
		}
	}
	chart := []scxml.ChartOption{scxml.WithLoader(d.folder), scxml.WithLimits(c.limits)}
	changed, err := editor.Operate(d.name, d.source, ops, editor.Options{Chart: chart, Files: d.folder})
	if err != nil {
		return nil, err
	}
	found := "check has nothing to report about the changed chart."
	if all := scxml.Lint(d.name, changed, scxml.LintOptions{}, chart...); len(all) > 0 {
		found = "check says of the changed chart:\n" + diagnostics(all)
	}
	text, _, err := editor.Decode(changed)
	if err != nil {
		return nil, err
	}
	out := report(found)
	return out, out.content([]byte(text), "the chart is too long to be an answer")
}

// operations lists the operations with their arguments.
func operations() string {
	var b strings.Builder
	for _, kind := range editor.Operations() {
		fmt.Fprintf(&b, "%s: %s\n", kind.Name, kind.Text)
		for _, arg := range kind.Args {
			b.WriteString("  " + arg.Name)
			if arg.Required {
				b.WriteString(" (required)")
			}
			b.WriteString(": " + arg.Text)
			if arg.Values != nil {
				b.WriteString("; " + strings.Join(arg.Values, ", "))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
