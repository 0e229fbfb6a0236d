package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// FindQQWing returns the path of qqwing, or "" if it is not installed.
func FindQQWing() string {
	path, err := exec.LookPath("qqwing")
	if err != nil {
		return ""
	}
	return path
}

func solveQQWing(ctx context.Context, path string, grids []sudoku.Grid, n int) (time.Duration, error) {
	var in bytes.Buffer
	for i := range n {
		in.WriteString(grids[i%len(grids)].String() + "\n")
	}
	return runQQWing(ctx, path, &in, n, "--solve", "--one-line")
}

// runQQWing runs qqwing, which must print n lines, and returns how long it took.
func runQQWing(ctx context.Context, path string, in io.Reader, n int, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin = in
	start := time.Now()
	out, err := cmd.Output()
	took := time.Since(start)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return 0, fmt.Errorf("qqwing: %w: %s", err, bytes.TrimSpace(exit.Stderr))
	}
	if err != nil {
		return 0, fmt.Errorf("qqwing: %w", err)
	}
	if lines := bytes.Count(out, []byte("\n")); lines != n {
		return 0, fmt.Errorf("qqwing: expected %d lines, found %d", n, lines)
	}
	return took, nil
}
