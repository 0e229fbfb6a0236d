// Package load reads and compiles the charts named on the command line.
package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Stdin is the FILE that means standard input.
const Stdin = "-"

var urlPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`) })

// IsURL reports whether a name is a URL and not the name of a file.
func IsURL(name string) bool { return urlPattern().MatchString(name) }

// Chart reads and compiles the named chart and prints its diagnostics. The chart can
// load files with src from its own folder only. The limits are those of the chart and
// its session.
func Chart(name string, limits scxml.Limits) (*scxml.Chart, error) {
	source, folder, err := Read(name, limits)
	if err != nil {
		return nil, err
	}
	return Compile(name, source, folder, limits)
}

// Compile is like Chart, for a document that has already been read.
func Compile(name string, source []byte, folder fs.FS, limits scxml.Limits) (*scxml.Chart, error) {
	chart, refused, err := read(scxml.Parse, name, source, folder, limits)
	return chart, cmp.Or(err, refused)
}

// Sketch is like Compile for a command that shows a document as far as it goes. If the document is refused and
// some of it could be read, that is the chart, and the error is refused.
func Sketch(name string, source []byte, folder fs.FS) (chart *scxml.Chart, refused, err error) {
	if chart, refused, err = read(scxml.Sketch, name, source, folder, scxml.Limits{}); chart == nil {
		err = cmp.Or(err, refused)
	}
	return chart, refused, err
}

func read(parse func(string, []byte, ...scxml.ChartOption) (*scxml.Chart, error), name string, source []byte, folder fs.FS, limits scxml.Limits) (chart *scxml.Chart, refused, err error) {
	done := cli.Working("reading " + name)
	chart, err = cli.Get(context.Background(), func() (*scxml.Chart, error) {
		return parse(filepath.ToSlash(name), source, scxml.WithLoader(folder), scxml.WithLimits(limits))
	})
	done()
	var problems *scxml.DocumentError
	switch {
	case errors.As(err, &problems):
		return chart, Refuse(name, source, problems.Diagnostics), nil
	case errors.As(err, new(*cli.Error)): // interrupted
		return nil, nil, err
	case err != nil:
		return nil, nil, &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot read %q: %w", name, err)}
	}
	Print(name, source, chart.Warnings())
	return chart, nil, nil
}

// Read returns the text of the named document, and its folder.
func Read(name string, limits scxml.Limits) ([]byte, fs.FS, error) {
	if name == "" {
		return nil, nil, cli.Usagef("the name of the chart is empty")
	}
	if IsURL(name) {
		return nil, nil, cli.Usagef("%q is a URL, and charts are read from files only; download it first, for example with curl -O, and look at it: a chart is a program", name)
	}
	dir := filepath.Dir(name)
	if name == Stdin {
		dir = "."
	}
	source, err := cli.Get(context.Background(), func() ([]byte, error) {
		if name == Stdin {
			return readDocument(os.Stdin, limits)
		}
		return readFile(name, limits)
	})
	if err != nil {
		if chart, source := Builtin(name); chart != "" && errors.Is(err, fs.ErrNotExist) {
			SayBuiltin(chart)
			return source, charts.FS, nil
		}
		return nil, nil, cannotRead(name, err)
	}
	folder, err := file.OpenFolder(dir)
	if err != nil {
		return nil, nil, cli.Usagef("cannot open the folder of %q: %v", name, cli.Plain(err))
	}
	return source, folder, nil
}

func readFile(name string, limits scxml.Limits) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readDocument(f, limits)
}

// readDocument reads no more than Parse needs to refuse a document as too large: a file
// may be an endless device.
func readDocument(r io.Reader, limits scxml.Limits) ([]byte, error) {
	size := int64(limits.DocumentSize)
	switch {
	case size == 0:
		size = int64(scxml.DefaultLimits().DocumentSize)
	case size < 0:
		size = math.MaxInt32 // the maximum of Parse
	}
	return file.ReadUpTo(r, size)
}

// SayBuiltin says that a built-in chart takes the place of a file.
func SayBuiltin(chart string) {
	fmt.Fprintf(os.Stderr, "scxmlrun: using the built-in charts/%s\n", chart)
}

// Builtin returns the built-in chart that name means, or "".
func Builtin(name string) (chart string, source []byte) {
	chart = strings.TrimPrefix(path.Clean(filepath.ToSlash(name)), "charts/")
	source, err := fs.ReadFile(charts.FS, chart)
	if err != nil || path.Ext(chart) != ".scxml" {
		return "", nil
	}
	return chart, source
}

// cannotRead says why a chart cannot be read, and what to do.
func cannotRead(name string, err error) error {
	if name == Stdin {
		return cli.Usagef("cannot read the chart from standard input: %v", cli.Plain(err))
	}
	if info, statErr := os.Stat(name); statErr == nil && info.IsDir() {
		inside := ChartsInFolder(name)
		for i := range inside {
			inside[i] = filepath.Join(name, inside[i])
		}
		switch n := len(inside); {
		case n == 0:
			return cli.Usagef("%q is a folder without .scxml files", name)
		case n <= 12:
			return cli.Usagef("%q is a folder; name one of its charts: %s", name, cli.List(inside, "or"))
		default:
			return cli.Usagef("%q is a folder; name one of its %d charts, for example %q", name, n, inside[0])
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return cli.Usagef("cannot read %q: %v", name, cli.Plain(err))
	}
	dir := filepath.Dir(name)
	if _, err := os.Stat(dir); err != nil {
		return cli.Usagef("cannot find %q: the folder %q does not exist", name, dir)
	}
	if near := cli.Nearest(filepath.Base(name), ChartsInFolder(dir)); near != "" {
		return cli.Usagef("cannot find %q (did you mean %q?)", name, filepath.Join(dir, near))
	}
	return cli.Usagef("cannot find %q: it is neither a file nor a built-in chart (want %s)", name, cli.List(ChartsIn(charts.FS), "or"))
}

// ChartsIn returns the names of the charts directly in a folder.
func ChartsIn(folder fs.FS) []string {
	names, _ := fs.Glob(folder, "*.scxml")
	return names
}

// ChartsInFolder is ChartsIn for the folder of this name: none if it cannot be opened.
func ChartsInFolder(name string) []string {
	folder, err := file.OpenFolder(name)
	if err != nil {
		return nil
	}
	defer folder.Close()
	return ChartsIn(folder)
}

// Refuse prints the diagnostics of a document that is not a valid chart, and returns the error.
func Refuse(name string, source []byte, diagnostics []scxml.Diagnostic) error {
	Print(name, source, diagnostics)
	errorCount := 0
	for _, d := range diagnostics {
		if d.Severity == scxml.SeverityError {
			errorCount++
		}
	}
	noun := "errors"
	if errorCount == 1 {
		noun = "error"
	}
	if name == Stdin {
		name = "standard input"
	}
	return &cli.Error{Status: cli.Refused, Err: fmt.Errorf("%s was refused: %d %s", name, errorCount, noun)}
}

// Print prints the problems of a document as check does.
func Print(name string, source []byte, diagnostics []scxml.Diagnostic) {
	text.Diagnostics(text.NewWriter(os.Stderr), os.Stderr, name, source, diagnostics)
}
