//go:build unix && !darwin && !ios

package shelf_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

func TestFoldersOfTheSystem(t *testing.T) {
	for _, test := range []struct{ stateHome, configHome, state, config string }{
		{"", "", "/home/ada/.local/state/scxmlrun/sudoku", "/home/ada/.config/scxmlrun/sudoku"},
		{"/state", "/config", "/state/scxmlrun/sudoku", "/config/scxmlrun/sudoku"},
		{"relative", "", "/home/ada/.local/state/scxmlrun/sudoku", "/home/ada/.config/scxmlrun/sudoku"},
	} {
		t.Setenv(shelf.Variable, "")
		t.Setenv("HOME", "/home/ada")
		t.Setenv("XDG_STATE_HOME", test.stateHome)
		t.Setenv("XDG_CONFIG_HOME", test.configHome)
		if state, config, err := shelf.Folders(); state != test.state || config != test.config || err != nil {
			t.Errorf("got %q, %q, %v, want %q, %q", state, config, err, test.state, test.config)
		}
	}
	t.Setenv("HOME", "")
	if _, _, err := shelf.Folders(); err == nil {
		t.Error("there are folders without a home")
	}
}
