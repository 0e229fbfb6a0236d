package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A result is what a search has found, and the processor time that it took.
type result struct {
	states, transitions int
	time                time.Duration
	bytes               float64 // of a state, where that is compared
}

func (r result) rate() float64 { return float64(r.transitions) / r.time.Seconds() }

// A searcher prepares a search of n philosophers. What it returns runs it once. The error says what is
// missing.
type searcher func(ctx context.Context, dir string, n int) (run func() (result, error), err error)

// ours searches a chart with package explore, in a process of its own.
func ours(data string) searcher {
	return func(ctx context.Context, _ string, n int) (func() (result, error), error) {
		program, err := os.Executable()
		return func() (result, error) {
			r, _, err := timed(exec.CommandContext(ctx, program, "-search", data, strconv.Itoa(n)), `(\d+) states, (\d+) transitions`)
			return r, err
		}, err
	}
}

// exploreChart is what that process does.
func exploreChart(ctx context.Context, data string, n int) (*explore.Report, error) {
	chart, err := scxml.Parse(data+".scxml", []byte(chartOf(data, n)))
	if err != nil {
		return nil, err
	}
	return explore.Run(ctx, chart, explore.Options{Workers: 1})
}

// spin makes a verifier of the model with SPIN and gcc.
func spin(ctx context.Context, dir string, n int) (func() (result, error), error) {
	dir = filepath.Join(dir, strconv.Itoa(n))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "model.pml"), []byte(promelaOf(n)), 0o666); err != nil {
		return nil, err
	}
	if err := cmp.Or(build(ctx, dir, "spin -a model.pml"), build(ctx, dir, "gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c")); err != nil {
		return nil, err
	}
	return func() (result, error) {
		cmd := exec.CommandContext(ctx, filepath.Join(dir, "pan"), "-E", "-m1000000")
		cmd.Dir = dir
		r, _, err := timed(cmd, `(\d+) states, stored(?s:.*?)(\d+) transitions`)
		r.transitions-- // SPIN counts the one to the first state
		return r, err
	}, nil
}

//go:embed philosophers.mjs
var module []byte

// xstate runs philosophers.mjs, which measures the time itself, without that of reading XState.
func xstate(folder string) searcher {
	return func(ctx context.Context, _ string, n int) (func() (result, error), error) {
		if folder == "" {
			return nil, errors.New(`want -xstate DIR, a folder in which "npm install xstate" was run`)
		}
		if _, err := exec.LookPath("node"); err != nil {
			return nil, err
		}
		return func() (result, error) {
			cmd := exec.CommandContext(ctx, "node", "--input-type=module", "-", strconv.Itoa(n))
			cmd.Dir, cmd.Stdin = folder, strings.NewReader(string(module))
			out, err := output(cmd)
			if err != nil {
				return result{}, err
			}
			var r result
			var seconds float64
			_, err = fmt.Sscan(string(out), &r.states, &r.transitions, &seconds)
			r.time = time.Duration(seconds * float64(time.Second))
			return r, err
		}, nil
	}
}

// timed runs a command that prints what the pattern matches.
func timed(cmd *exec.Cmd, pattern string) (r result, out []byte, err error) {
	out, err = output(cmd)
	if err != nil {
		return r, out, err
	}
	found := regexp.MustCompile(pattern).FindSubmatch(out)
	if found == nil {
		return r, out, fmt.Errorf("%s prints no states:\n%s", cmd, out)
	}
	r.states, _ = strconv.Atoi(string(found[1]))
	r.transitions, _ = strconv.Atoi(string(found[2]))
	r.time = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return r, out, nil
}

func output(cmd *exec.Cmd) ([]byte, error) {
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 4 { // of scxmlrun: a bound was reached
		return out, nil
	}
	if errors.As(err, &exit) {
		err = fmt.Errorf("%s: %w\n%s", cmd, err, exit.Stderr)
	}
	return out, err
}
