package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
// that have these results, and how many charts ran.
func runCompiled(ctx context.Context, tests []conformance.Test, dynamic bool, opts ...scxml.Option) (_ []conformance.Test, ran int, err error) {
	module, err := goModule(ctx)
	if err != nil {
		return nil, 0, err
	}
	results := make([]conformance.Result, len(tests))
	fail := func(i int, format string, args ...any) {
		r := &results[i]
		reason := fmt.Sprintf(format, args...)
		if !r.Passed {
			reason = r.Reason + "\n" + reason
		}
		r.Passed, r.Reason = false, reason
	}
	charts, recordings := map[string][]byte{}, map[int]*compiletest.Recording{}
	for i, t := range tests {
		r := new(compiletest.Recording)
		results[i] = t.Run(ctx, nil, append(slices.Clip(opts), scxml.WithTrace(r.Trace()))...)
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		if t.Interpreter != "" {
			fail(i, "%s: only the interpreter can do this", t.Interpreter)
			continue
		}
		name, code, err := r.Compile(dynamic)
		if problems := (*compile.UnsupportedError)(nil); errors.As(err, &problems) {
			hint := ""
			if !dynamic {
				hint = "\nwith --compiled=dynamic, data and expressions are left to the script engine"
			}
			fail(i, "the chart cannot be compiled:\n%v%s", err, hint)
		} else if err != nil {
			fail(i, "cannot run compiled: %v", err)
		} else if name != "" {
			charts[name], recordings[i] = code, r
		}
	}
	if len(charts) > 0 {
		program, remove, err := buildCharts(ctx, module, charts)
		defer remove()
		if err != nil {
			return nil, 0, err
		}
		for i, r := range recordings {
			var got [2][]string
			for j, job := range r.Jobs() {
				if got[j], err = runChart(ctx, program, job); err != nil {
					return nil, 0, err
				}
			}
			if text := r.Difference(got); text != "" {
				fail(i, "the compiled chart does something else:\n%s", strings.TrimSuffix(text, "\n"))
			}
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

// buildCharts builds a program with charts, by name, as if its files were in the module. Remove it after use.
func buildCharts(ctx context.Context, module string, charts map[string][]byte) (program string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "scxmlrun-test-")
	if err != nil {
		return "", func() {}, err
	}
	remove = func() { _ = os.RemoveAll(dir) } // what remains is in the folder for temporary files
	files := compiletest.Program(slices.Sorted(maps.Keys(charts)))
	for name, code := range charts {
		files[name+".go"] = code
	}
	place := filepath.Base(dir) // which the module does not have
	replace := map[string]string{}
	for name, code := range files {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, code, 0o600); err != nil {
			return "", remove, err
		}
		replace[filepath.Join(module, place, name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600)
	}
	if err != nil {
		return "", remove, err
	}
	program = filepath.Join(dir, "program.exe") // as Windows wants it
	// These flags save half of the time.
	cmd := exec.CommandContext(ctx, "go", "build", "-gcflags=-N -l -dwarf=false", "-ldflags=-s -w", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "./"+place)
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return "", remove, context.Cause(ctx)
		}
		return "", remove, cli.Usagef("--compiled: cannot build the charts in the module of %s, which must require github.com/scxmlrun/scxmlrun:\n%.5000s", module, bytes.TrimSpace(out))
	}
	return program, remove, nil
}

// runChart returns the transcript of a job. A program that ends early is part of it.
func runChart(ctx context.Context, program string, job any) (lines []string, err error) {
	in, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	lines = strings.Split(strings.TrimSuffix(string(out), "\n\n"), "\n")
	if err != nil {
		message, _ := bufio.NewReader(&stderr).ReadString('\n')
		lines = append(lines, fmt.Sprintf("the process has ended: %v: %s", err, strings.TrimSpace(message)))
	}
	return lines, nil
}
