// Package results has what the commands that run suites of tests share: the ledger of
// tests that are known to fail, and the report.
package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/conformance"
)

// ReadLedger reads the ledger that a flag names.
func ReadLedger(name string, builtIn conformance.Ledger, read func(io.Reader) (conformance.Ledger, error)) (conformance.Ledger, error) {
	switch name {
	case "":
		return builtIn, nil
	case "none":
		return nil, nil
	}
	source, err := cli.ReadText(name, file.MaxInput)
	if err != nil {
		return nil, cli.Usagef("--ledger: cannot read %q: %v", name, cli.Plain(err))
	}
	ledger, err := read(bytes.NewReader(source))
	if err != nil {
		return nil, cli.Usagef("--ledger %s: %v", name, err)
	}
	return ledger, nil
}

// Write writes a report in a format.
func Write(w io.Writer, report *conformance.Report, format string) error {
	switch format {
	case "markdown":
		return report.WriteMarkdown(w)
	case "json":
		return report.WriteJSON(w)
	case "junit":
		return report.WriteJUnit(w)
	}
	return report.WriteText(w)
}

// Finish prints a report and returns the error with the exit status.
func Finish(out *bytes.Buffer, format string, report *conformance.Report, writeErr, runErr error) error {
	if writeErr != nil {
		return &cli.Error{Status: cli.Failed, Err: writeErr}
	}
	text := out.String()
	switch format {
	case "json":
		text = cli.Escape(text, cli.InJSON)
	case "junit":
		text = cli.Escape(text, cli.InXML)
	default: // for people
		text = cli.Visible(text, cli.KeepNewlines)
	}
	if err := cli.Printed(io.WriteString(os.Stdout, text)); err != nil {
		return err
	}
	var stopped *cli.Interrupt
	switch {
	case errors.As(runErr, &stopped):
		return &cli.Error{Status: cli.Interrupted, Err: fmt.Errorf("%w: the report lacks the tests that did not run", runErr)}
	case runErr != nil:
		return &cli.Error{Status: cli.Failed, Err: runErr}
	case report.Bad() > 0:
		return &cli.Error{Status: cli.Failed}
	}
	return nil
}
