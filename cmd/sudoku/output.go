package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// outputFlags say where to write, and how.
type outputFlags struct {
	file string
	to   cli.Choice
	json bool
}

// bind adds the flags to a command.
func (o *outputFlags) bind(cmd *cobra.Command) {
	for _, f := range format.Formats() {
		o.to.All = append(o.to.All, string(f))
	}
	o.to.Flag(cmd, "to", "format: "+strings.Join(o.to.All, ", ")+" (default: by the name of the output; else text on a terminal, and line)")
	cmd.Flags().StringVarP(&o.file, "output", "o", "", "write to this `FILE` rather than to standard output")
	cmd.Flags().BoolVar(&o.json, "json", false, "write JSON, an object a line")
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

// An output is a file or standard output. A file comes into being, or changes,
// only when the output is closed: it may be one of those that are read.
type output struct {
	*bufio.Writer
	name string   // "" is standard output
	file *os.File // the temporary file
}

func (o *outputFlags) open() (*output, error) {
	if o.json && o.to.Value != "" && o.to.Value != string(format.Saved) {
		return nil, cli.Usagef("--json and --to %s do not go together", o.to.Value)
	}
	return openOutput(o.file)
}

func openOutput(name string) (*output, error) {
	if name == "" || name == stdinName {
		return &output{Writer: bufio.NewWriterSize(os.Stdout, 64<<10)}, nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, cli.Usagef("--output: %q is a folder", name)
	} else if err == nil && !info.Mode().IsRegular() { // a device, a pipe
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, cli.Usagef("--output: cannot write %q: %v", name, cli.Plain(err))
		}
		return &output{bufio.NewWriter(f), "", f}, nil
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, cli.Usagef("--output: cannot write %q: %v", name, cli.Plain(err))
	}
	return &output{bufio.NewWriterSize(f, 64<<10), name, f}, nil
}

// close completes the output if the command has gone well, which err says, and
// leaves everything as it was otherwise. It returns the error of the command.
func (o *output) close(err error) error {
	flushed := o.Flush()
	if o.file == nil {
		return cmpError(err, writeError("standard output", flushed))
	}
	if o.name == "" {
		return cmpError(err, writeError(o.file.Name(), cmpError(flushed, o.file.Close())))
	}
	closed := o.file.Close()
	if err = cmpError(err, writeError(o.name, cmpError(flushed, closed))); err != nil {
		os.Remove(o.file.Name())
		return err
	}
	os.Chmod(o.file.Name(), 0o644) // what a new file has, not a temporary one
	return writeError(o.name, os.Rename(o.file.Name(), o.name))
}

// cmpError returns the first error.
func cmpError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// writeError says that an output failed. A reader that has seen enough is no
// reason to say anything.
func writeError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		return &cli.Error{Status: cli.Failed}
	}
	return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot write to %s: %w", name, cli.Plain(err))}
}

// stopped makes the cause of a cancelled context an error of the command.
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

// A record is a line of --json. It is a saved game for whoever reads it again,
// with more beside it.
type record struct {
	Version   int     `json:"sudoku"`
	Name      string  `json:"name,omitempty"`
	Givens    string  `json:"givens"`
	Solution  string  `json:"solution,omitempty"`
	Solutions *int    `json:"solutions,omitempty"`
	More      bool    `json:"more,omitempty"`
	Unique    *bool   `json:"unique,omitempty"`
	Method    string  `json:"method,omitempty"`
	Seed      *uint64 `json:"seed,omitempty"`
	Number    *uint64 `json:"number,omitempty"`
}

func (r *record) write(w io.Writer) error {
	r.Version = format.SavedVersion
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
