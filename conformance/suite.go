package conformance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Test is one test of a suite that [RunTests] runs.
type Test struct {
	Name string
	// Document returns the text of the chart that the test is for.
	Document func() ([]byte, error)
	// Run runs the test on a virtual clock, with the chart that it is for or, unless it is nil, with
	// another one; then places in error messages do not count. The options are for its session.
	Run func(ctx context.Context, chart *scxml.Chart, opts ...scxml.Option) Result
}

// RunTests runs tests one after the other and reports what passes. It is an
// error if the suite is empty or if an entry of the ledger does not name a
// test. progress, if not nil, is called with each record as soon as it is known.
// The options are for all sessions.
func RunTests(ctx context.Context, suite string, tests []Test, ledger Ledger, progress func(Record), opts ...scxml.Option) (*Report, error) {
	if len(tests) == 0 {
		return nil, errors.New("cannot find any tests: want pairs of files x.scxml and x.json, or scenarios x.txtar")
	}
	r := &Report{Name: suite, Clock: VirtualClock}
	unused := maps.Clone(ledger)
	passed := 0
	for _, t := range tests {
		began := time.Now()
		result := t.Run(ctx, nil, opts...)
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		why, listed := ledger[t.Name]
		delete(unused, t.Name)
		rec := Record{Test: t.Name, Verdict: verdict(result.Passed, listed), Reason: result.Reason, Known: why, Took: time.Since(began)}
		if result.Passed {
			passed++
		} else {
			rec.Configuration, rec.Trace = result.Configuration, result.Trace
		}
		r.Records = append(r.Records, rec)
		if progress != nil {
			progress(rec)
		}
	}
	r.Summary = append(r.Summary, fmt.Sprintf("%d of %d tests pass", passed, len(tests)))
	if n := r.Bad(); n > 0 {
		r.Summary = append(r.Summary, fmt.Sprintf("%d failed", n))
	}
	if len(unused) > 0 {
		names := slices.Sorted(maps.Keys(unused))
		return r, fmt.Errorf("the ledger lists unknown tests: %s", strings.Join(names, ", "))
	}
	return r, nil
}

// eachFile calls f for the files in a folder and its subfolders, except hidden folders and those of npm.
func eachFile(fsys fs.FS, f func(name string) error) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return f(name)
		}
		if base := d.Name(); base == "node_modules" || strings.HasPrefix(base, ".") && name != "." {
			return fs.SkipDir
		}
		return nil
	})
}
