//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// Any chart on the whole screen is shown whatever the terminal does, which is restored.
func TestHostileTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="s">
    <transition event="add"><assign location="n" expr="n + 1"/></transition>
    <transition event="keep"><assign location="n" expr="_event.data"/></transition>
    <transition event="later"><send event="add" delay="20ms"/></transition>
  </state>
</scxml>`), 0o666); err != nil {
		t.Fatal(err)
	}
	clitest.Hostile(t, binary, file)
}
