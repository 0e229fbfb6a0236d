package run

import (
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A dataValue is the value of one --data flag.
type dataValue struct {
	id    string
	value datamodel.Value
}

// Data returns the options that give data items of a chart the values of --data flags.
func Data(chart *scxml.Chart, flags []string) (options []scxml.Option, err error) {
	values, err := parseData(flags)
	if err != nil {
		return nil, err
	}
	for _, v := range values {
		if err := v.check(chart.Data()); err != nil {
			return nil, err
		}
		options = append(options, scxml.WithData(v.id, v.value))
	}
	return options, nil
}

// check returns an error unless the value is for one of the data items.
func (v dataValue) check(data []string) error {
	if slices.Contains(data, v.id) {
		return nil
	}
	return cli.Usagef("--data %s: the chart has no top-level data item %q%s", v.id, v.id, cli.DidYouMean(v.id, data))
}

// parseData parses the values of --data.
func parseData(flags []string) ([]dataValue, error) {
	var all []dataValue
	for _, flag := range flags {
		id, text, ok := strings.Cut(flag, "=")
		if !ok || id == "" {
			return nil, cli.Usagef("--data %s: write id=JSON or id=@file", flag)
		}
		where := ""
		if name, isFile := strings.CutPrefix(text, "@"); isFile {
			source, err := cli.ReadText(name, file.MaxInput)
			if err != nil {
				return nil, cli.Usagef("--data %s: cannot read %q: %v", id, name, cli.Plain(err))
			}
			text, where = string(source), name+":"
		}
		value, err := datamodel.ParseStrictJSON([]byte(text))
		if err != nil {
			hint := ""
			if where == "" {
				hint = `; a string needs quotes, as in --data 'name="Ada"'`
			}
			return nil, cli.Usagef("--data %s: bad JSON, %s%v%s", id, where, err, hint)
		}
		if slices.ContainsFunc(all, func(d dataValue) bool { return d.id == id }) {
			return nil, cli.Usagef("--data %s is given twice", id)
		}
		all = append(all, dataValue{id, value})
	}
	return all, nil
}
