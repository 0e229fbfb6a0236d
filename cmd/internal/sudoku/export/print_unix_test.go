//go:build unix

package export_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/export"
)

func TestPrint(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if err := export.Print(t.Context(), game()); err == nil || !strings.Contains(err.Error(), `"lp"`) {
		t.Errorf("without lp: %v", err)
	}
	printed := filepath.Join(dir, "printed")
	lp := func(script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "lp"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	lp("while read -r line; do printf '%s\\n' \"$line\"; done > '" + printed + "'")
	if err := export.Print(t.Context(), game()); err != nil {
		t.Fatal(err)
	}
	if page, err := os.ReadFile(printed); err != nil || !bytes.HasPrefix(page, []byte("%PDF-")) {
		t.Errorf("got %.20q, %v", page, err)
	}
	lp("echo 'no paper' >&2; exit 3")
	if err := export.Print(t.Context(), game()); err == nil || !strings.Contains(err.Error(), "no paper") {
		t.Errorf("got %v", err)
	}
}
