package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// interpretedStates bounds searches by sessions, which take minutes otherwise.
const interpretedStates = 200_000

// compareSystems searches the systems by SPIN, without and with its compression, by sessions, and by compiled charts.
func compareSystems(ctx context.Context, out io.Writer, runs int) error {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command := filepath.Join(dir, "scxmlrun")
	if err := build(ctx, "", "go build -o "+command+" github.com/scxmlrun/scxmlrun/cmd/scxmlrun"); err != nil {
		return err
	}
	fmt.Fprintln(out, "| system | states | transitions | SPIN | collapsed | sessions | compiled | to SPIN | to sessions | bytes a state: SPIN | collapsed | compiled |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	var wrong error
	for _, s := range systems {
		var all []*series
		for _, p := range []struct {
			name   string
			search func(ctx context.Context, dir, command string, s *system) (func() (result, error), error)
		}{{"SPIN", pan()}, {"collapsed", pan("-DCOLLAPSE")}, {"sessions", scxmlrun("never", interpretedStates)}, {"compiled", scxmlrun("always", 0)}} {
			prepare := func(size int) (func() (result, error), error) {
				place := filepath.Join(dir, s.name, p.name, strconv.Itoa(size))
				if err := os.MkdirAll(place, 0o777); err != nil {
					return nil, err
				}
				return p.search(ctx, place, command, s.make(size))
			}
			small, err := prepare(s.small)
			if err != nil {
				return err
			}
			large, err := prepare(s.large)
			if err != nil {
				return err
			}
			all = append(all, &series{name: p.name, small: small, large: large})
		}
		for _, run := range []func() (result, error){all[3].small, all[3].large} { // so that their programs are there
			if _, err := run(); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		for range runs {
			for _, one := range all {
				if err := one.run(); err != nil {
					return fmt.Errorf("%s, %s: %w", s.name, one.name, err)
				}
			}
		}
		first := func(i int) result { return all[i].results[0] }
		fmt.Fprintf(out, "| %s | %d | %d | %s | %s | %s | %s | %s | %s | %.0f | %.0f | %.0f |\n", s.name, first(0).states, first(0).transitions,
			all[0].rate(), all[1].rate(), all[2].rate(), all[3].rate(), all[3].ratio("SPIN", all), all[3].ratio("sessions", all),
			first(0).bytes, first(1).bytes, first(3).bytes)
		for _, i := range []int{1, 3} {
			if got, want := first(i), first(0); got.states != want.states || got.transitions != want.transitions {
				wrong = errors.Join(wrong, fmt.Errorf("%s: %s has %d states and %d transitions, SPIN %d and %d", s.name, all[i].name, got.states, got.transitions, want.states, want.transitions))
			}
		}
	}
	return wrong
}

func build(ctx context.Context, dir, command string) error {
	words := strings.Fields(command)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w %s", command, err, out)
	}
	return nil
}

// pan makes a verifier with SPIN and gcc.
func pan(flags ...string) func(ctx context.Context, dir, command string, s *system) (func() (result, error), error) {
	return func(ctx context.Context, dir, _ string, s *system) (func() (result, error), error) {
		if err := os.WriteFile(filepath.Join(dir, "model.pml"), []byte(s.promela()), 0o666); err != nil {
			return nil, err
		}
		err := cmp.Or(build(ctx, dir, "spin -a model.pml"), build(ctx, dir, "gcc -O3 -w -DSAFETY -DNOREDUCE "+strings.Join(flags, " ")+" -o pan pan.c"))
		return func() (result, error) {
			// A search in depth keeps its way, which is long; what it takes is not counted as bytes of a state.
			cmd := exec.CommandContext(ctx, filepath.Join(dir, "pan"), "-E", "-m5000000")
			cmd.Dir = dir
			r, out, err := timed(cmd, `(\d+) states, stored(?s:.*?)(\d+) transitions`)
			r.transitions-- // SPIN counts the one to the first state
			for _, line := range strings.Split(string(out), "\n") {
				fields := strings.Fields(line)
				if len(fields) > 1 && (strings.Contains(line, "equivalent memory usage for states") && flags == nil || strings.Contains(line, "actual memory usage for states") && flags != nil) {
					megabytes, _ := strconv.ParseFloat(fields[0], 64)
					r.bytes = megabytes * (1 << 20) / float64(r.states)
				}
			}
			return r, err
		}, err
	}
}

// scxmlrun searches a chart with one worker. With most, only so many states are visited.
func scxmlrun(compiled string, most int) func(ctx context.Context, dir, command string, s *system) (func() (result, error), error) {
	return func(ctx context.Context, dir, command string, s *system) (func() (result, error), error) {
		file := filepath.Join(dir, "chart.scxml")
		err := os.WriteFile(file, []byte(s.chart()), 0o666)
		return func() (result, error) {
			cmd := exec.CommandContext(ctx, command, "explore", "--json", "--no-deadlocks", "--workers", "1", "--memory", "0", "--compiled", compiled, "--states", strconv.Itoa(most), file)
			var found struct {
				States, Transitions int
				Compiled            struct {
					Kept int64 `json:"kept_bytes"`
				}
			}
			r, out, err := timed(cmd, `"states":(\d+),"transitions":(\d+)`)
			if err == nil {
				err = json.Unmarshal(out, &found)
			}
			r.bytes = float64(found.Compiled.Kept) / float64(max(1, r.states))
			return r, err
		}, err
	}
}
