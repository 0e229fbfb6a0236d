package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// A chartFile is a file to be checked, or the reason why there is none.
type chartFile struct {
	name    string
	err     error
	builtin []byte // the text of a built-in chart
}

// findCharts returns the files that the arguments of check name.
func findCharts(args []string) ([]chartFile, error) {
	var files []chartFile
	for _, arg := range args {
		if arg == "" {
			return nil, cli.Usagef("the name of the chart is empty")
		}
		if load.IsURL(arg) {
			return nil, cli.Usagef("%q is a URL, and charts are read from files only; download it first, for example with curl -O", arg)
		}
		if arg == load.Stdin {
			files = append(files, chartFile{name: arg})
			continue
		}
		info, err := os.Stat(arg)
		chart, source := load.Builtin(arg)
		switch {
		case errors.Is(err, fs.ErrNotExist) && chart != "":
			load.SayBuiltin(chart)
			files = append(files, chartFile{name: arg, builtin: source})
			continue
		case err != nil:
			return nil, cannotCheck(arg, err)
		case !info.IsDir():
			files = append(files, chartFile{name: arg})
			continue
		}
		inside := chartsBelow(arg)
		if len(inside) == 0 {
			return nil, cli.Usagef("there is no .scxml file in the folder %q", arg)
		}
		files = append(files, inside...)
	}
	return files, nil
}

// chartsBelow returns the charts in a folder and in those below it, in the
// order of their names. Symbolic links to folders are not followed.
func chartsBelow(folder string) []chartFile {
	var files []chartFile
	_ = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error { // it returns what the function returns: nil
		switch {
		case err != nil:
			files = append(files, chartFile{name: name, err: fmt.Errorf("cannot read %q: %w", name, cli.Plain(err))})
		case d.IsDir():
			if name != folder && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
		case strings.EqualFold(filepath.Ext(name), ".scxml"):
			if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
				files = append(files, chartFile{name: name}) // one that cannot be read says so then
			}
		}
		return nil
	})
	return files
}

// cannotCheck says why an argument names no file.
func cannotCheck(name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return cli.Usagef("cannot read %q: %v", name, cli.Plain(err))
	}
	if near := cli.Nearest(filepath.Base(name), load.ChartsInFolder(filepath.Dir(name))); near != "" {
		return cli.Usagef("there is no file %q (did you mean %q?)", name, filepath.Join(filepath.Dir(name), near))
	}
	return cli.Usagef("there is no file or folder %q", name)
}

// checked is what there is to say about one chart.
type checked struct {
	name        string
	err         error // it could not be read
	diagnostics []scxml.Diagnostic
	source      []byte // the document, if lines of it are to be shown
}

// A linter reports the problems of a document.
type linter func(name string, source []byte, folder fs.FS) ([]scxml.Diagnostic, error)

// inProcess returns a linter of this process.
func inProcess(opts scxml.LintOptions) linter {
	return func(name string, source []byte, folder fs.FS) ([]scxml.Diagnostic, error) {
		return scxml.Lint(name, source, opts, scxml.WithLoader(folder)), nil
	}
}

// inChild returns a linter with a child process. A document that ends it costs the next one a new
// child.
func inChild(pool *isolate.Pool, opts scxml.LintOptions) linter {
	var tenant *isolate.Tenant
	return func(name string, source []byte, folder fs.FS) (_ []scxml.Diagnostic, err error) {
		if tenant == nil || tenant.Err() != nil {
			if tenant, err = pool.Tenant(context.Background()); err != nil {
				return nil, err
			}
		}
		return tenant.Lint(context.Background(), name, source, opts, scxml.WithLoader(folder), scxml.WithLimits(scxml.DefaultLimits()))
	}
}

// checkAll checks files in parallel. The results are in the order of the files.
func checkAll(files []chartFile, newLinter func() linter, keepSource bool) []checked {
	results := make([]checked, len(files))
	jobs, done := make(chan int), make(chan struct{}, len(files))
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		go func() {
			lint := newLinter()
			for i := range jobs {
				results[i] = checkFile(files[i], lint)
				if !keepSource || len(results[i].diagnostics) == 0 {
					results[i].source = nil
				}
				done <- struct{}{}
			}
		}()
	}
	go func() {
		for i := range files {
			jobs <- i
		}
		close(jobs)
	}()
	if len(files) == 1 {
		defer cli.Working("checking " + files[0].name)()
	}
	progress := cli.NewProgress()
	for have := range files {
		<-done
		if progress.Due() {
			progress.Write(fmt.Sprintf("checking: %d of %d charts", have+1, len(files)))
		}
	}
	progress.Clear()
	return results
}

// maxCheck is the largest document that is accepted; the parser refuses a longer
// one with its own message.
const maxCheck = 64 << 20

// checkFile checks one chart.
func checkFile(chart chartFile, lint linter) checked {
	c := checked{name: chart.name, err: chart.err}
	if c.err != nil {
		return c
	}
	if chart.builtin != nil {
		c.source = chart.builtin
		if c.diagnostics, c.err = lint(filepath.ToSlash(chart.name), c.source, charts.FS); c.err != nil {
			c.err = fmt.Errorf("cannot check %q: %w", chart.name, c.err)
		}
		return c
	}
	dir := filepath.Dir(chart.name)
	in := os.Stdin
	if chart.name == load.Stdin {
		dir = "."
	} else {
		f, err := os.Open(chart.name)
		if err != nil {
			c.err = fmt.Errorf("cannot read %q: %w", chart.name, cli.Plain(err))
			return c
		}
		defer f.Close()
		in = f
	}
	var err error
	if c.source, err = file.ReadUpTo(in, maxCheck); err != nil {
		c.err = fmt.Errorf("cannot read %q: %w", chart.name, cli.Plain(err))
		return c
	}
	folder, err := file.OpenFolder(dir)
	if err != nil {
		c.err = fmt.Errorf("cannot open the folder of %q: %w", chart.name, cli.Plain(err))
		return c
	}
	defer folder.Close()
	if c.diagnostics, err = lint(filepath.ToSlash(chart.name), c.source, folder); err != nil {
		c.err = fmt.Errorf("cannot check %q: %w", chart.name, err)
	}
	return c
}
