//go:build !js

// A page is printed by its browser.

package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// Print prints a game on the default printer, on a page, with the command lp.
func Print(ctx context.Context, g *format.Game) error {
	lp, err := exec.LookPath("lp")
	if err != nil {
		return errors.New(`cannot find the command "lp" to print with; write a file that ends in .pdf, and print that`)
	}
	var page bytes.Buffer
	if err := Write(&page, g, ".pdf"); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, lp, "-t", "Sudoku")
	cmd.Stdin = &page
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot print: %w: %s", err, bytes.TrimSpace(out[:min(len(out), 500)]))
	}
	return nil
}
