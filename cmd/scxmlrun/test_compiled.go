package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/conformance"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile"
	"github.com/scxmlrun/scxmlrun/scxml/compile/compiletest"
)

// runCompiled runs tests with the interpreter and with compiled charts, all of which one program has. It returns tests
// that have these results, and how many ran compiled.
func runCompiled(ctx context.Context, tests []conformance.Test, dynamic bool, opts ...scxml.Option) (_ []conformance.Test, ran int, err error) {
	module, err := goModule(ctx)
	if err != nil {
		return nil, 0, err
	}
	results := make([]conformance.Result, len(tests))
	fail := func(i int, format string, args ...any) {
		r := &results[i]
		r.Passed, r.Reason = false, strings.TrimPrefix(r.Reason+"\n"+fmt.Sprintf(format, args...), "\n")
	}
	var recordings []*compiletest.Recording
	var numbers []int // of the tests
	for i, t := range tests {
		r := new(compiletest.Recording)
		results[i] = t.Run(ctx, nil, append(slices.Clip(opts), scxml.WithTrace(r.Trace()))...)
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		started, err := r.Compile(dynamic)
		if problems := (*compile.UnsupportedError)(nil); errors.As(err, &problems) {
			hint := ""
			if !dynamic {
				hint = "\nwith --compiled=dynamic, data and expressions are left to the script engine"
			}
			fail(i, "the chart cannot be compiled:\n%v%s", err, hint)
		} else if err != nil {
			fail(i, "cannot run compiled: %v", err)
		} else if started {
			recordings, numbers = append(recordings, r), append(numbers, i)
		}
	}
	if len(recordings) > 0 {
		dir, err := os.MkdirTemp("", "scxmlrun-test-")
		if err != nil {
			return nil, 0, err
		}
		defer os.RemoveAll(dir) // what remains is in the folder for temporary files
		if err := compiletest.Compare(ctx, module, dir, recordings); ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		} else if err != nil {
			return nil, 0, cli.Usagef("--compiled: cannot build the charts in the module of %s, which must require github.com/scxmlrun/scxmlrun:\n%v", module, err)
		}
	}
	for j, r := range recordings {
		if text := r.Difference(); text != "" {
			fail(numbers[j], "the compiled chart does something else:\n%s", strings.TrimSuffix(text, "\n"))
		}
	}
	tests = slices.Clone(tests)
	for i := range tests {
		tests[i].Run = func(context.Context, *scxml.Chart, ...scxml.Option) conformance.Result { return results[i] }
	}
	return tests, len(recordings), nil
}

// goModule returns the folder of the Go module that the present folder is in.
func goModule(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", cli.Usagef("--compiled: cannot run the go command, which builds compiled charts: %v", err)
	}
	file := strings.TrimSpace(string(out))
	if file == "" || file == os.DevNull {
		return "", cli.Usagef("--compiled: the present folder is not in a Go module: want one that requires github.com/scxmlrun/scxmlrun; make it with \"go mod init NAME\" and \"go get github.com/scxmlrun/scxmlrun\"")
	}
	return filepath.Dir(file), nil
}
