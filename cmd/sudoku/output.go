package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// A target is where a command writes.
type target struct {
	file  string // empty: standard output
	force bool   // a file is replaced
}

// bind adds the flags to a command; of says what the file is.
func (t *target) bind(cmd *cobra.Command, of string) {
	cmd.Flags().StringVarP(&t.file, "output", "o", "", "write to this `FILE`"+of)
	bindForce(cmd, &t.force)
}

func bindForce(cmd *cobra.Command, force *bool) {
	cmd.Flags().BoolVar(force, "force", false, "replace files that exist")
}

// outputFlags select the output and its format.
type outputFlags struct {
	target
	to   cli.Choice
	json bool
}

// bind adds the flags to a command.
func (o *outputFlags) bind(cmd *cobra.Command) {
	for _, f := range format.Formats() {
		o.to.All = append(o.to.All, string(f))
	}
	o.to.Flag(cmd, "to", "format: "+strings.Join(o.to.All, ", ")+" (default: by the name of the output; otherwise text on a terminal, else line)")
	o.target.bind(cmd, " instead of standard output")
	cmd.Flags().BoolVar(&o.json, "json", false, "write JSON, one object per line")
}

// format returns the format to write.
func (o *outputFlags) format() format.Format {
	if o.json {
		return format.Saved
	}
	if o.to.Value != "" {
		return format.Format(o.to.Value)
	}
	if f, ok := format.ForFile(o.file); ok {
		return f
	}
	if o.file == "" && cli.IsTerminal(os.Stdout) {
		return format.Text
	}
	return format.Line
}

// An output is a file or standard output. A file is created or changed only when the
// output is closed, because it may also be an input.
type output struct {
	*bufio.Writer
	name     string               // for messages
	progress *progress            // the line on the same terminal, or nil
	direct   *os.File             // written to directly; nil: a file is replaced
	replaced *durable.Replacement // nil: direct is written to
	series   bool                 // one of several files: somebody else says that they are written
}

// open opens the output, for puzzles or for other text.
func (o *outputFlags) open(puzzles bool) (*output, error) {
	if o.json && o.to.Value != "" && o.to.Value != string(format.Saved) {
		return nil, cli.Usagef("--json and --to %s do not go together", o.to.Value)
	}
	if ext := strings.ToLower(filepath.Ext(o.file)); slices.Contains([]string{".pdf", ".png", ".svg"}, ext) && o.to.Value == "" {
		return nil, cli.Usagef("--output %q: for pages and pictures use %q", o.file, "sudoku print")
	}
	if _, known := format.ForFile(o.file); puzzles && !known && !o.json && o.to.Value == "" && o.file != stdinName && o.file != "" {
		if info, err := os.Stat(o.file); err != nil || info.Mode().IsRegular() { // devices and pipes need no ending
			return nil, cli.Usagef("--output %q: want a name that ends in %s, or the format with --to", o.file, strings.Join(format.Endings(), " "))
		}
	}
	return o.create(o.file)
}

// create opens an output. A file that exists is an error without --force.
func (t *target) create(name string) (*output, error) {
	o := &output{name: name}
	var err error
	switch info, statErr := os.Stat(name); {
	case name == "" || name == stdinName:
		o.name, o.direct = "standard output", os.Stdout
	case statErr == nil && info.IsDir():
		return nil, cli.Usagef("--output: %q is a folder", name)
	case statErr == nil && !info.Mode().IsRegular(): // a device, a pipe
		o.direct, err = cli.Get(context.Background(), func() (*os.File, error) { return os.OpenFile(name, os.O_WRONLY, 0) })
	case statErr == nil && !t.force:
		return nil, exists("--output", name)
	default:
		o.replaced, err = durable.Replace(name, 0o666)
	}
	if err != nil {
		return nil, cli.Usagef("--output: cannot write %q: %v", name, cli.Plain(err))
	}
	var w io.Writer = o.direct
	if o.replaced != nil {
		w = o.replaced
	}
	o.Writer = bufio.NewWriterSize(around{o, w}, 64<<10)
	return o, nil
}

// exists says that a file would be replaced.
func exists(flag, name string) error {
	return cli.Usagef("%s: %q exists; add --force to replace it", flag, name)
}

// tellWritten says on standard error which files were written.
func tellWritten(names ...string) {
	switch n := len(names); n {
	case 0:
	case 1:
		fmt.Fprintf(os.Stderr, "written: %s\n", cli.Visible(names[0], cli.EscapeNewlines))
	default:
		fmt.Fprintf(os.Stderr, "written: %d files, %s to %s\n", n, cli.Visible(names[0], cli.EscapeNewlines), cli.Visible(names[n-1], cli.EscapeNewlines))
	}
}

// around writes to an output without the progress line.
type around struct {
	o *output
	w io.Writer
}

func (a around) Write(text []byte) (int, error) {
	if a.o.progress == nil {
		return a.w.Write(text)
	}
	return a.o.progress.Through(a.w, text)
}

// close completes the output. If the command has failed with err, a file remains
// unchanged; findings about puzzles are not failures. It returns the error of the
// command.
func (o *output) close(err error) error {
	var found *finding
	failed := err
	if errors.As(err, &found) {
		failed = nil
	}
	failed = cmp.Or(failed, writeError(o.name, o.Flush()))
	switch {
	case o.replaced != nil && failed != nil:
		o.replaced.Discard()
	case o.replaced != nil:
		if failed = writeError(o.name, o.replaced.Commit()); failed == nil && !o.series {
			tellWritten(o.name)
		}
	case o.direct != os.Stdout:
		failed = cmp.Or(failed, writeError(o.name, o.direct.Close()))
	}
	return cmp.Or(failed, err)
}

// writeError says that an output failed.
func writeError(name string, err error) error {
	if err == nil {
		return nil
	}
	return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot write to %s: %w", name, cli.Plain(err))}
}

// stopped turns the cause of a cancelled context into an error of the command.
func stopped(err error) error {
	var interrupt *cli.Interrupt
	if errors.As(err, &interrupt) {
		return &cli.Error{Status: cli.Interrupted}
	}
	if errors.Is(err, context.Canceled) {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	return err
}

// A record is a line of --json: a saved game with additional fields.
type record struct {
	Version   int     `json:"sudoku"`
	Name      string  `json:"name,omitempty"`
	Givens    string  `json:"givens"`
	Solution  string  `json:"solution,omitempty"`
	Solutions *int    `json:"solutions,omitempty"`
	More      bool    `json:"more,omitempty"`
	Unique    *bool   `json:"unique,omitempty"`
	ER        float64 `json:"er,omitempty"`
	EP        float64 `json:"ep,omitempty"`
	ED        float64 `json:"ed,omitempty"`
	Score     int     `json:"score,omitempty"`
	Class     string  `json:"class,omitempty"`
	Level     int     `json:"level,omitempty"`
	Method    string  `json:"method,omitempty"`
	Seed      *uint64 `json:"seed,omitempty"`
	Number    *uint64 `json:"number,omitempty"`
}

// rated adds a rating, unless it is zero.
func (r *record) rated(x rated) {
	if x.ER != 0 {
		r.ER, r.EP, r.ED = float64(x.ER)/10, float64(x.EP)/10, float64(x.ED)/10
		r.Level = int(x.Rating.Level())
	}
	if x.Points != 0 {
		r.Score, r.Class = x.Points, x.Class.String()
	}
}

func (r *record) write(w io.Writer) error {
	r.Version = format.SavedVersion
	_, err := io.WriteString(w, jsonLine(r))
	return err
}
