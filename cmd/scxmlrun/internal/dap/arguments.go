package dap

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// arguments are those of the launch request.
type arguments struct {
	Program     string                     `json:"program"`     // the file of a chart
	Recording   string                     `json:"recording"`   // the file of a recording, in place of a program; with one, its chart is used
	Cwd         string                     `json:"cwd"`         // names of files are relative to it
	Data        map[string]json.RawMessage `json:"data"`        // initial values of data items
	Events      []json.RawMessage          `json:"events"`      // inputs: lines as on the console, or commands of the machine protocol
	Seed        *uint64                    `json:"seed"`        // of Math.random and generated ids
	Clock       string                     `json:"clock"`       // real or virtual
	Strict      bool                       `json:"strict"`      // as --strict
	Limits      []string                   `json:"limits"`      // as --limit
	StopOnEntry bool                       `json:"stopOnEntry"` // stop before the initial states are entered
	NoDebug     bool                       `json:"noDebug"`     // run without breakpoints
}

// launchArguments are the names of the arguments.
var launchArguments = []string{"program", "recording", "cwd", "data", "events", "seed", "clock", "strict", "limits", "stopOnEntry", "noDebug"}

// parseLaunch parses and checks the arguments. A client adds its own, which are ignored, but not those
// that are probably misspelled.
func parseLaunch(text json.RawMessage) (*arguments, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil || given == nil {
		return nil, errors.New(`launch needs arguments, at least "program": the file of a chart`)
	}
	if err := datamodel.CheckJSON(text); err != nil {
		return nil, fmt.Errorf("launch: bad JSON: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if near := cli.Nearest(name, launchArguments); near != "" && !slices.Contains(clientArguments, name) {
			return nil, fmt.Errorf("launch: unknown argument %q (did you mean %q?)", name, near)
		}
	}
	a := new(arguments)
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("launch: %w", plainJSON(err))
	}
	switch {
	case a.Program == "" && a.Recording == "":
		return nil, errors.New(`launch: "program" is missing: name the file of a chart`)
	case a.Clock != "" && a.Clock != "real" && a.Clock != "virtual":
		return nil, fmt.Errorf(`launch: clock: %q is neither "real" nor "virtual"%s`, a.Clock, cli.DidYouMean(a.Clock, []string{"real", "virtual"}))
	}
	if a.Recording != "" {
		for _, name := range []string{"data", "events", "seed", "clock", "strict", "limits"} {
			if given[name] != nil {
				return nil, fmt.Errorf("launch: %q does not go with \"recording\", which has everything that came from outside", name)
			}
		}
	}
	var err error
	if a.Cwd, err = filepath.Abs(a.Cwd); err != nil {
		return nil, fmt.Errorf("launch: cwd: %w", err)
	}
	for _, name := range []*string{&a.Program, &a.Recording} {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(a.Cwd, *name)
		}
	}
	return a, nil
}

// clientArguments are arguments of clients for themselves, which resemble ours.
var clientArguments = []string{"name", "type", "request"}

// inputs returns the inputs of the argument events.
func (a *arguments) inputs() (all []wire.Command, err error) {
	for i, text := range a.Events {
		var cmd wire.Command
		var line string
		if json.Unmarshal(text, &line) == nil {
			cmd, err = parseInput(line)
		} else if cmd = (wire.Line{Number: i + 1, Text: text}).Command(); cmd.Err != nil {
			err = cmd.Err
		}
		switch {
		case err != nil:
		case cmd.Verb != wire.Event && cmd.Verb != wire.Advance:
			err = errors.New(`want an event, such as "tap" or {"event":{"name":"tap","data":1}}, or "advance 5s"`)
		case cmd.Verb == wire.Advance && cmd.Session != "":
			err = errors.New(`"advance" concerns all sessions together: write it without "session"`)
		case cmd.Verb == wire.Advance:
			err = a.canAdvance()
		}
		if err != nil {
			return nil, fmt.Errorf("launch: events: item %d: %w", i+1, err)
		}
		all = append(all, cmd)
	}
	return all, nil
}

// canAdvance returns an error unless time passes on command only.
func (a *arguments) canAdvance() error {
	if a.Clock != "virtual" {
		return errors.New(`cannot advance the real clock: launch with "clock": "virtual"`)
	}
	return nil
}

// parseInput parses an input as it is typed: EVENT [JSON], or advance TIME.
func parseInput(line string) (cmd wire.Command, err error) {
	line = strings.TrimSpace(line)
	name, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch name {
	case "advance":
		cmd.Verb = wire.Advance
		if cmd.Advance, err = wire.ParseTime(rest); err != nil {
			err = fmt.Errorf("advance: %w", err)
		}
		return cmd, err
	case "send":
		line = rest
	}
	if line == "" {
		return cmd, errors.New(`which event? Write its name, and its data as JSON if it has any: send tap {"x":0}`)
	}
	cmd.Verb = wire.Event
	cmd.Event, err = wire.ParseEvent(line)
	return cmd, err
}
