// Package check says what is wrong with charts: it finds them, checks them, and
// reports as text, JSON or SARIF.
package check

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Options say what to check for, and how to report it.
type Options struct {
	Format       string   // text, json or sarif
	DenyWarnings bool     // they too make the exit status [cli.Refused]
	Portable     []string // engines, see [scxml.LintOptions]
	Declared     []string // names that the host adds, see [scxml.LintOptions]
	Strict       bool     // look for what --strict of run cannot see
	Isolate      string   // one of the modes of package wall
}

// patience is how long a child may take for a document.
const patience = 30 * time.Second

// Run checks the charts that the arguments name, files and folders, and writes the
// report to standard output.
func Run(args []string, o Options) error {
	files, err := findCharts(args)
	if err != nil {
		return err
	}
	stdout := text.NewWriter(os.Stdout)
	showLines := o.Format == "text" && cli.IsTerminal(os.Stdout)
	opts := scxml.LintOptions{Portable: o.Portable, Declared: o.Declared, Trust: o.Strict}
	newLinter := func() linter { return inProcess(opts) }
	if o.Isolate != wall.None {
		pool, err := wall.Pool(o.Isolate, patience, 0)
		if err != nil {
			return err
		}
		defer pool.Close()
		newLinter = func() linter { return inChild(pool, opts) }
	}
	results, err := cli.Get(context.Background(), func() ([]checked, error) { return checkAll(files, newLinter, showLines), nil })
	if err != nil {
		return err
	}
	r := &report{results: results}
	r.count()
	switch o.Format {
	case "json":
		r.writeJSON(stdout)
	case "sarif":
		r.writeSARIF(stdout)
	default:
		for i := range r.results {
			c := &r.results[i]
			text.Diagnostics(stdout, os.Stdout, c.name, c.source, fold(c.diagnostics))
		}
	}
	if stdout.Err != nil {
		return cli.Printed(0, stdout.Err)
	}
	return r.outcome(o)
}

// A report is the result of checking some charts.
type report struct {
	results          []checked
	errors, warnings int
	notes            int
	charts           int // that were read
	failed           int // that could not be read
	odd              int // that have diagnostics
}

func (r *report) count() {
	for i := range r.results {
		c := &r.results[i]
		if c.err != nil {
			r.failed++
			continue
		}
		r.charts++
		if len(c.diagnostics) > 0 {
			r.odd++
		}
		for _, d := range c.diagnostics {
			switch d.Severity {
			case scxml.SeverityError:
				r.errors++
			case scxml.SeverityWarning:
				r.warnings++
			default:
				r.notes++
			}
		}
	}
}

// outcome returns the error for the exit status.
func (r *report) outcome(o Options) error {
	for i := range r.results {
		if c := &r.results[i]; c.err != nil {
			fmt.Fprintln(os.Stderr, "scxmlrun:", cli.Visible(c.err.Error(), cli.EscapeNewlines))
		}
	}
	denied := r.errors > 0 || r.warnings > 0 && o.DenyWarnings
	status := cli.OK
	switch {
	case r.failed > 0:
		status = cli.Failed
	case denied:
		status = cli.Refused
	}
	// What a program reads says it all; so does silence.
	if o.Format == "text" && (r.odd > 0 || cli.IsTerminal(os.Stderr)) {
		fmt.Fprintln(os.Stderr, "scxmlrun:", r.summary())
	}
	if status == cli.OK {
		return nil
	}
	return &cli.Error{Status: status}
}

// summary is a line such as "2 errors and 1 warning in 2 of 5 charts".
func (r *report) summary() string {
	charts := quantity(r.charts, "chart")
	if r.odd == 0 {
		return charts + " checked, nothing to report"
	}
	var found []string
	for _, of := range []struct {
		n    int
		noun string
	}{{r.errors, "error"}, {r.warnings, "warning"}, {r.notes, "note"}} {
		if of.n > 0 {
			found = append(found, quantity(of.n, of.noun))
		}
	}
	where := charts
	if r.charts > 1 {
		where = fmt.Sprintf("%d of %s", r.odd, charts)
	}
	all := strings.Join(found, ", ")
	if last := strings.LastIndex(all, ", "); last >= 0 {
		all = all[:last] + " and" + all[last+1:]
	}
	return all + " in " + where
}

// quantity writes "1 chart" and "2 charts".
func quantity(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
