//go:build unix

package main

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// Each command writes files as the umask says; saved games are the owner's alone.
func TestFilesHaveModesOfUmask(t *testing.T) {
	const puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	clitest.Modes(t, binary, []clitest.FileWriter{
		{Name: "y.sdm", Args: "solve " + puzzle + " -o FILE --force"},
		{Name: "y.txt", Args: "rate " + puzzle + " -o FILE --force"},
		{Name: "y.pdf", Args: "print " + puzzle + " -o FILE --force"},
		{Name: "y.png", Args: "print " + puzzle + " -o FILE --force"},
		{Name: "y.svg", Args: "print " + puzzle + " -o FILE --force"},
		{Name: "y.gif", Args: "solve " + puzzle + " --film FILE --force"},
		{Name: "y.png", Args: "solve " + puzzle + " --film FILE --force"},
		{Name: "y.cast", Args: "solve " + puzzle + " --film FILE --force"},
		{Name: "y.sudoku", Args: "play --ui plain --save FILE", Input: "r1c1 8\n", Private: true, NewOnly: true},
	})
}
