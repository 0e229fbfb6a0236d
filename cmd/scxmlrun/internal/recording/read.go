package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// A Recording is a recording with what a replay needs.
type Recording struct {
	*history.Recording
	Name   string
	Config history.Config
	Files  fs.FS // the document and what it loads
}

// maxRecording is the maximum size of a recording, in bytes. A replay takes some five times as much memory.
const maxRecording = 1 << 30

// Is reports whether a regular file is a recording, as far as its beginning tells. Of a pipe the beginning can
// be read only once.
func Is(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	begin, err := file.ReadUpTo(f, int64(len(history.Magic))-1)
	return err == nil && string(begin) == history.Magic
}

// Open reads the file of a recording. The chart is the one inside, or that of another file if it is not
// "". It has the limits of the recording.
func Open(name, chartFile string) (*Recording, error) { return open(name, chartFile, false) }

// OpenToDebug is Open for a debugger: MacrostepTime has no bound, because it also passes at a breakpoint.
func OpenToDebug(name, chartFile string) (*Recording, error) { return open(name, chartFile, true) }

func open(name, chartFile string, debugged bool) (*Recording, error) {
	text, err := cli.Read(name, maxRecording)
	if err != nil {
		return nil, cli.Usagef("cannot read %q: %v", name, cli.Plain(err))
	}
	return read(name, text, chartFile, debugged)
}

// Read is Open for a recording that has been read, with the chart inside.
func Read(name string, text []byte) (*Recording, error) { return read(name, text, "", false) }

func read(name string, text []byte, chartFile string, debugged bool) (_ *Recording, err error) {
	r := &Recording{Name: name}
	fail := func(err error) (*Recording, error) {
		return nil, &cli.Error{Status: cli.Refused, Err: fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "history: "))}
	}
	if r.Recording, err = history.Open(bytes.NewReader(text)); err != nil {
		return fail(err)
	}
	if r.Len() == 0 {
		return fail(errors.New("it ends before the session has started"))
	}
	if len(r.Functions) > 0 {
		return fail(fmt.Errorf("the session could call functions of its program: %s; replay it there, with history.Open", cli.List(r.Functions, "and")))
	}
	var host Host
	if len(r.Host) > 0 {
		if err := json.Unmarshal(r.Host, &host); err != nil {
			return fail(fmt.Errorf("line 2: %w", err))
		}
	}
	limits, err := load.Limits(host.Strict || host.Bound, host.Limits)
	if err != nil {
		return fail(err)
	}
	if debugged {
		limits.MacrostepTime = -1
	}
	load.BoundMatches(limits)
	var chart *scxml.Chart
	if chartFile != "" {
		chart, r.Files, err = another(chartFile, limits)
	} else {
		chart, r.Files, err = r.inside(limits)
	}
	if err != nil {
		return nil, err
	}
	options, err := r.Options()
	if err != nil {
		return fail(err)
	}
	if host.Strict {
		options = append(options, scxml.WithAccept(chart.IsUserEvent))
	}
	r.Config = history.Config{Chart: chart, Options: options}
	return r, nil
}

// another returns the chart of a file.
func another(name string, limits scxml.Limits) (*scxml.Chart, fs.FS, error) {
	source, folder, err := load.Read(name, limits)
	if err != nil {
		return nil, nil, err
	}
	chart, err := load.Compile(name, source, folder, limits)
	return chart, folder, err
}

// inside returns the chart that the recording has.
func (r *Recording) inside(limits scxml.Limits) (*scxml.Chart, fs.FS, error) {
	folder := fstest.MapFS{}
	for name, text := range r.Recording.Files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	document := folder[path.Base(r.File)]
	if document == nil {
		return nil, nil, cli.Usagef("%s does not have the chart: debug, replay, shrink and why take its file with --chart", r.Name)
	}
	chart, err := load.Compile(r.File, document.Data, folder, limits)
	if err == nil && chart.Hash() != r.Hash {
		err = &cli.Error{Status: cli.Refused, Err: fmt.Errorf("%s: the chart inside is not the one that was recorded: the file is damaged", r.Name)}
	}
	return chart, folder, err
}
