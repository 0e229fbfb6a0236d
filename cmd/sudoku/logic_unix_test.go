//go:build unix

package main

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// The memory does not grow with the number of puzzles.
func TestManyPuzzlesTakeBoundedMemory(t *testing.T) {
	const puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
	memory := func(n int) int64 {
		cmd := exec.Command(binary, "hint", "--json")
		cmd.Stdin = strings.NewReader(strings.Repeat(puzzle, n))
		var out lineCounter
		cmd.Stdout = &out
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		if int(out) != n {
			t.Errorf("%d lines for %d puzzles", out, n)
		}
		return int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	}
	few, many := memory(3_000), memory(60_000)
	if many > 2*few {
		t.Errorf("twenty times as many puzzles take %d times the memory", many/few)
	}
}

// A lineCounter counts the lines written to it.
type lineCounter int

func (c *lineCounter) Write(p []byte) (int, error) {
	*c += lineCounter(strings.Count(string(p), "\n"))
	return len(p), nil
}
