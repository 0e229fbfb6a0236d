package results

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/cover"
)

// A Cover says what to do with the coverage of tests.
type Cover struct {
	File string  // to which it is added, or ""
	Min  float64 // percent
}

// Wanted reports whether coverage is to be collected.
func (c *Cover) Wanted() bool { return c.File != "" || c.Min > 0 }

// Open returns what the file has, or nil if there is none yet.
func (c *Cover) Open() (*cover.Profile, error) {
	if !(c.Min >= 0 && c.Min <= 100) {
		return nil, cli.Usagef("--cover-min %v: want a number from 0 to 100", c.Min)
	}
	if c.File == "" {
		return nil, nil
	}
	profile, err := cover.Open(c.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, cli.Usagef("--cover: %v", err)
	}
	return profile, nil
}

// Finish adds the coverage of tests to the file, and to their report if that is text. It fails if
// the coverage is too low.
func (c *Cover) Finish(out *bytes.Buffer, format string, profile *cover.Profile) error {
	var err error
	if format == "text" {
		err = profile.WriteText(out)
	}
	if c.File != "" && err == nil {
		err = profile.AddTo(c.File)
	}
	return cmp.Or(err, profile.AtLeast(c.Min))
}

// Show prints what the file has, and fails if that is too little.
func (c *Cover) Show(profile *cover.Profile) error {
	var out bytes.Buffer
	err := profile.WriteText(&out)
	if err == nil {
		err = cli.Printed(io.WriteString(os.Stdout, cli.Visible(out.String(), cli.KeepNewlines)))
	}
	if err == nil {
		err = profile.AtLeast(c.Min)
	}
	if err != nil {
		err = &cli.Error{Status: cli.Failed, Err: err}
	}
	return err
}
