package suite

import (
	"context"
	"fmt"
	"io/fs"
	"maps"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
)

// Suggest returns data for the events of a chart that makes a difference, as JSON that
// [explore.ParseData] reads: values on both sides of what its code compares _event.data with, also after
// the data has become that of variables, properties and parameters of functions. What it is compared with
// may be any expression of the chart's data: it is evaluated in the states that some searches find, of
// which opts.MaxStates bounds each (0 is 1,000). Events that have data in opts.Data keep it in these
// searches.
//
// The files of <script src> are read from files, which is the folder of the chart, and may be nil. A part
// of the data of which nothing is known is 1, and what Suggest does not understand is missing: edit the
// result before you rely on it.
func Suggest(ctx context.Context, chart *scxml.Chart, files fs.FS, opts explore.Options) (*datamodel.Object, error) {
	form := forms.New(chart, files)
	answers := form.Answers()
	opts.Reach, opts.Stop, opts.Graph, opts.Errors, opts.Unused = nil, false, false, false, false
	opts.Workers = 1 // the questions share their answers
	if opts.MaxStates == 0 {
		opts.MaxStates = 1000
	}
	opts.Properties = []explore.Property{{Name: "questions", Holds: func(ctx context.Context, s explore.System) (bool, error) {
		answers.Ask(ctx, s.Eval)
		return true, nil
	}}}
	given := opts.Data
	var last *datamodel.Object
	for range maxRounds {
		now := suggestion(chart, form, answers)
		if last != nil && datamodel.Equal(now, last) {
			break
		}
		last = now
		data, err := explore.ParseData(datamodel.AppendJSON(nil, now))
		if err != nil {
			return nil, fmt.Errorf("suite: %w", err)
		}
		maps.Copy(data, given)
		opts.Data = data
		if _, err := explore.Run(ctx, chart, opts); err != nil {
			return nil, fmt.Errorf("suite: %w", err)
		}
	}
	return suggestion(chart, form, answers), nil
}

// How much is suggested.
const (
	maxRounds   = 4    // of searches, each with the data that the one before has led to
	maxCombined = 2000 // values of the data of one event
)

// suggestion returns what is suggested so far, in the form that [explore.ParseData] reads.
func suggestion(chart *scxml.Chart, form *forms.Forms, answers *forms.Answers) *datamodel.Object {
	all := new(datamodel.Object)
	for _, event := range form.Events() {
		name := event
		if name == "" {
			name = explore.Other
		}
		if fields := bounded(answers.Fields(event)); len(fields) > 0 && chart.IsUserEvent(name) {
			all.Set(name, specification(fields))
		}
	}
	return all
}

// bounded returns fields with so few values that their combinations can be tried, and one at least.
func bounded(fields []forms.Field) []forms.Field {
	for i := range fields {
		if len(fields[i].Values) == 0 {
			fields[i].Values = []datamodel.Value{int64(1)} // it is used, and nothing is known
		}
	}
	for {
		combined := 1
		var longest *forms.Field
		for i := range fields {
			f := &fields[i]
			combined *= len(f.Values)
			if longest == nil || len(f.Values) > len(longest.Values) {
				longest = f
			}
		}
		if combined <= maxCombined {
			return fields
		}
		longest.Values = longest.Values[:len(longest.Values)-1]
	}
}

// specification writes the values of fields as JSON: members of objects, a list of values for each, and a
// range for integers in a row.
func specification(fields []forms.Field) datamodel.Value {
	if len(fields) == 1 && len(fields[0].Path) == 0 {
		return span(fields[0].Values)
	}
	o := new(datamodel.Object)
	for _, f := range fields {
		name := f.Path[0]
		if _, done := o.Get(name); done {
			continue
		}
		var below []forms.Field
		for _, other := range fields {
			if other.Path[0] == name {
				below = append(below, forms.Field{Path: other.Path[1:], Values: other.Values})
			}
		}
		o.Set(name, specification(below))
	}
	return o
}

// span returns a list of values, or a range.
func span(values []datamodel.Value) datamodel.Value {
	const few = 3
	first, ok := values[0].(int64)
	for i, v := range values {
		n, isInt := v.(int64)
		ok = ok && isInt && n == first+int64(i)
	}
	if ok && len(values) >= few {
		return fmt.Sprintf("%d..%d", first, first+int64(len(values))-1)
	}
	return values
}
