package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	name string   // of the file, or of what is written to directly
	file *os.File // what is written to
	temp bool     // file is a temporary one beside the file
	mode fs.FileMode
}

func (o *outputFlags) open() (*output, error) {
	if o.json && o.to.Value != "" && o.to.Value != string(format.Saved) {
		return nil, cli.Usagef("--json and --to %s do not go together", o.to.Value)
	}
	if ext := strings.ToLower(filepath.Ext(o.file)); slices.Contains([]string{".pdf", ".png", ".svg"}, ext) && o.to.Value == "" {
		return nil, cli.Usagef("--output %q: pages and pictures are made by %q", o.file, "sudoku print")
	}
	return openOutput(o.file)
}

func openOutput(name string) (*output, error) {
	o := &output{name: name, file: os.Stdout, mode: 0o644}
	var err error
	switch info, statErr := os.Stat(name); {
	case name == "" || name == stdinName:
		o.name = "standard output"
	case statErr == nil && info.IsDir():
		return nil, cli.Usagef("--output: %q is a folder", name)
	case statErr == nil && !info.Mode().IsRegular(): // a device, a pipe
		o.file, err = os.OpenFile(name, os.O_WRONLY, 0)
	default:
		if statErr == nil {
			o.mode = info.Mode().Perm()
		}
		if target, err := filepath.EvalSymlinks(name); err == nil {
			o.name = target
		}
		o.temp = true
		o.file, err = os.CreateTemp(filepath.Dir(o.name), "."+filepath.Base(o.name)+".*")
	}
	if err != nil {
		return nil, cli.Usagef("--output: cannot write %q: %v", name, cli.Plain(err))
	}
	o.Writer = bufio.NewWriterSize(o.file, 64<<10)
	return o, nil
}

// close completes the output, and leaves a file as it was if the command has
// failed, which err says. What was found out about the puzzles is no failure.
// It returns the error of the command.
func (o *output) close(err error) error {
	var found *finding
	failed := err
	if errors.As(err, &found) {
		failed = nil
	}
	written := o.Flush()
	if o.file != os.Stdout {
		written = firstError(written, o.file.Close())
	}
	failed = firstError(failed, writeError(o.name, written))
	if o.temp {
		if failed == nil {
			failed = writeError(o.name, firstError(os.Chmod(o.file.Name(), o.mode), os.Rename(o.file.Name(), o.name)))
		}
		if failed != nil {
			os.Remove(o.file.Name()) // nothing more can be done about an error
		}
	}
	return firstError(failed, err)
}

// firstError returns the first error.
func firstError(errs ...error) error {
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
