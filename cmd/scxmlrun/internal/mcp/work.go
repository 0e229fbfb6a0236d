package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

const (
	maxReport  = 64 << 10 // bytes of what a tool tells
	maxContent = 1 << 20  // bytes of a document or picture
)

// Work is what children do, for [isolate.Child].
var Work = isolate.Work{Name: "mcp", Do: func(ctx context.Context, job *isolate.Job) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	var in calling
	if err := json.Unmarshal(job.In, &in); err != nil {
		return nil, err
	}
	all := tools()
	i := slices.IndexFunc(all, func(t *tool) bool { return t.Name == in.Tool })
	if i < 0 {
		return nil, fmt.Errorf("there is no tool %q", in.Tool)
	}
	job.Say(in.Tool + " has begun")
	a, err := all[i].do(ctx, &call{job, scxml.DefaultLimits()}, in.Args)
	if err != nil {
		a = report(describe(err))
		a.Failed = true
	}
	return json.Marshal(a)
}}

// describe returns what an error says, with all that is wrong with a document.
func describe(err error) string {
	var refused *scxml.DocumentError
	if !errors.As(err, &refused) {
		text := err.Error()
		for _, name := range []string{"scxml", "explore", "mutate", "suite", "history"} { // nothing to an assistant
			text = strings.TrimPrefix(text, name+": ")
		}
		return text
	}
	return fmt.Sprintf("the chart was refused:\n%s\n\nThe tool check explains a code in brackets, given as \"code\".", diagnostics(refused.Diagnostics))
}

// diagnostics writes a line for each problem.
func diagnostics(all []scxml.Diagnostic) string {
	var lines []string
	for _, d := range all {
		lines = append(lines, fmt.Sprintf("%s: %s: %s [%s]", d.Pos, d.Severity, d.Message, d.Code))
	}
	return strings.Join(lines, "\n")
}

// visible makes the text of a chart safe to show.
func visible(text string) string { return cli.Visible(text, cli.KeepNewlines) }

// report returns an answer that tells something. If it is long, it is cut.
func report(text string) *answer {
	text = strings.TrimRight(visible(text), "\n")
	if len(text) > maxReport {
		text = strings.ToValidUTF8(text[:maxReport], "") + fmt.Sprintf("\n… and %d bytes more: ask for less", len(text)-maxReport)
	}
	return &answer{Parts: []part{{Text: text}}}
}

// content adds a document to an answer, which nothing may be missing of.
func (a *answer) content(text []byte, less string) error {
	if len(text) > maxContent {
		return fmt.Errorf("the answer has %d bytes: want at most %d; %s", len(text), maxContent, less)
	}
	a.Parts = append(a.Parts, part{Text: string(text)})
	return nil
}

// A call is what a tool works with in the child.
type call struct {
	job    *isolate.Job
	limits scxml.Limits
}

// A chartArg says which chart.
type chartArg struct {
	File   string `json:"file,omitempty" jsonschema:"file of the chart, such as lamp.scxml: a path below the folder of the server"`
	Source string `json:"source,omitempty" jsonschema:"text of the chart, in place of file"`

	name string // of a chart that is given as a text; chart.scxml without
}

// A written is the text of a chart, and the folder from which it loads files.
type written struct {
	name   string
	source []byte
	folder fs.FS
}

// document reads a chart.
func (c *call) document(a chartArg) (*written, error) {
	switch {
	case a.File != "" && a.Source != "":
		return nil, errors.New(`"file" and "source" are both given: want one`)
	case a.Source != "":
		return &written{cmp.Or(a.name, "chart.scxml"), []byte(a.Source), c.job.Files}, nil
	case a.File == "":
		return nil, errors.New(`which chart? Give its text as "source", or a "file"`)
	}
	source, err := c.read(a.File)
	if err != nil {
		return nil, err
	}
	name := path.Clean(a.File)
	folder, err := fs.Sub(c.job.Files, path.Dir(name))
	return &written{name, source, folder}, err
}

// read reads a file of the folder.
func (c *call) read(name string) ([]byte, error) {
	clean := path.Clean(name)
	switch {
	case path.IsAbs(name):
		return nil, fmt.Errorf("%q is an absolute path: want one below the folder of the server", name)
	case !fs.ValidPath(clean):
		return nil, fmt.Errorf("%q is not a path below the folder of the server", name)
	}
	text, err := fs.ReadFile(c.job.Files, clean)
	if err != nil {
		return nil, fmt.Errorf("cannot read %q: %w", name, cli.Plain(err))
	}
	return text, nil
}

// text returns a text that is given, or that of a file.
func (c *call) text(what, text, file string) (string, []byte, error) {
	switch {
	case text != "" && file != "":
		return "", nil, fmt.Errorf("%q and its file are both given: want one", what)
	case text != "":
		return what, []byte(text), nil
	}
	read, err := c.read(file)
	return file, read, err
}

func (c *call) parse(d *written) (*scxml.Chart, error) {
	return scxml.Parse(d.name, d.source, scxml.WithLoader(d.folder), scxml.WithLimits(c.limits))
}

// chart compiles a chart.
func (c *call) chart(a chartArg) (*written, *scxml.Chart, error) {
	d, err := c.document(a)
	if err != nil {
		return nil, nil, err
	}
	chart, err := c.parse(d)
	return d, chart, err
}

// within returns a context for a search that may take some seconds, 0 for the usual 20.
func within(ctx context.Context, seconds float64) (context.Context, context.CancelFunc, error) {
	const most = float64(maxTime/time.Second) - 5
	if seconds == 0 {
		seconds = 20
	}
	if !(seconds > 0 && seconds <= most) {
		return nil, nil, fmt.Errorf(`"seconds": %v is out of range: want more than 0, and at most %v`, seconds, most)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
	return ctx, cancel, nil
}
