package explore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// maxData is how many values one event may carry.
const maxData = 100_000

// ParseData reads what [Options].Data says from JSON: an object with a member for each event that
// carries data.
//
//	{"tap": {"x": "0..8", "y": "0..8"}, "coin": [1, 2, 5], "name": ["", "Ada"]}
//
// A range "0..8" stands for its integers, and an array for each of its items. The members of an object
// are combined in all ways, so a tap comes with 81 values. Anything else is itself. An array as data is
// written in another one: [[1, 2]].
func ParseData(text []byte) (map[string][]any, error) {
	v, err := datamodel.ParseStrictJSON(text)
	if err != nil {
		return nil, err
	}
	events, ok := v.(*datamodel.Object)
	if !ok {
		return nil, fmt.Errorf(`want an object with a member for each event, for example {"tap":{"x":"0..8"}}`)
	}
	data := make(map[string][]any)
	for name, spec := range events.All() {
		if err := datamodel.CheckEventName(name); err != nil {
			return nil, err
		}
		values, err := combine(spec)
		if err != nil {
			return nil, fmt.Errorf("event %q: %w", name, err)
		}
		data[name] = values
	}
	return data, nil
}

// combine returns the values that a specification stands for.
func combine(spec datamodel.Value) ([]datamodel.Value, error) {
	switch spec := spec.(type) {
	case string:
		return span(spec)
	case []datamodel.Value:
		if len(spec) == 0 {
			return nil, fmt.Errorf("an empty array stands for no value at all")
		}
		return spec, nil
	case *datamodel.Object:
		all := []*datamodel.Object{{}}
		for key, part := range spec.All() {
			values, err := combine(part)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", key, err)
			}
			if len(all)*len(values) > maxData {
				return nil, fmt.Errorf("it carries more than %d values", maxData)
			}
			var next []*datamodel.Object
			for _, o := range all {
				for _, v := range values {
					extended := new(datamodel.Object)
					for k, old := range o.All() {
						extended.Set(k, old)
					}
					extended.Set(key, v)
					next = append(next, extended)
				}
			}
			all = next
		}
		values := make([]datamodel.Value, len(all))
		for i, o := range all {
			values[i] = o
		}
		return values, nil
	}
	return []datamodel.Value{spec}, nil
}

// span returns the integers of a range, or the text itself.
func span(text string) ([]datamodel.Value, error) {
	first, last, ok := strings.Cut(text, "..")
	from, err := strconv.ParseInt(first, 10, 64)
	if !ok || err != nil {
		return []datamodel.Value{text}, nil
	}
	to, err := strconv.ParseInt(last, 10, 64)
	switch {
	case err != nil:
		return []datamodel.Value{text}, nil
	case to < from || to-from >= maxData || to-from < 0:
		return nil, fmt.Errorf("%q is not a range of 1 to %d integers", text, maxData)
	}
	var values []datamodel.Value
	for n := from; n <= to; n++ {
		values = append(values, n)
	}
	return values, nil
}
