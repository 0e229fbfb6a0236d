//go:build unix

package main

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// A game answers its player whatever the terminal does, and restores it.
func TestHostileTerminal(t *testing.T) { clitest.Hostile(t, binary, "play") }
