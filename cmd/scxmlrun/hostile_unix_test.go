//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// Any chart on the whole screen is shown whatever the terminal does, which is restored.
func TestHostileTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(counterChart, "while (true) {}", "")), 0o666); err != nil {
		t.Fatal(err)
	}
	clitest.Hostile(t, binary, file)
}
