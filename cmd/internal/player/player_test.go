package player

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

// openFiles opens the files of a folder with flags.
func openFiles(t *testing.T, home string, inLines bool, flags ...string) (*Files, error) {
	t.Helper()
	t.Setenv(shelf.Variable, home)
	var f Flags
	cmd := &cobra.Command{}
	f.Bind(cmd)
	if err := cmd.ParseFlags(flags); err != nil {
		t.Fatal(err)
	}
	files, err := f.Open(inLines)
	if err == nil {
		t.Cleanup(func() {
			if err := files.End(nil, nil); err != nil && files.Film == nil { // a film that shows nothing
				t.Error(err)
			}
		})
	}
	return files, err
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The flags come before the settings.
func TestFlagsAndSettings(t *testing.T) {
	home := t.TempDir()
	write(t, filepath.Join(home, "settings.json"), `{"lang": "nl", "theme": "paper", "vi": true}`)
	f, err := openFiles(t, home, false)
	if err != nil || f.Settings.Theme != "Paper" || !f.Settings.Vi || f.Words.Lang() != "nl" || len(f.notes) > 0 {
		t.Errorf("got %+v, %v", f, err)
	}
	if f, err = openFiles(t, home, false, "--lang=en", "--theme=matrix", "--vi=false"); err != nil || f.Settings.Theme != "Matrix" || f.Settings.Vi || f.Words.Lang() != "en" {
		t.Errorf("got %+v, %v", f, err)
	}
	if f, err = openFiles(t, home, false, "--fresh"); err != nil || f.Settings.Theme != "" || f.Settings.Vi {
		t.Errorf("got %+v, %v", f, err)
	}
}

// A wrong language or theme in the settings costs a message, and no game.
func TestSettingsThatAreNotThere(t *testing.T) {
	for _, text := range []string{`{"lang": "tlh"}`, `{"theme": "tlh"}`} {
		home := t.TempDir()
		write(t, filepath.Join(home, "settings.json"), text)
		if f, err := openFiles(t, home, false); err != nil || f.Words == nil || len(f.notes) != 1 || !strings.Contains(f.notes[0].Error(), "tlh") {
			t.Errorf("got %+v, %v", f, err)
		}
	}
}

// A theme is built in, or a file: one of the folder, or any.
func TestThemes(t *testing.T) {
	home := t.TempDir()
	mine := filepath.Join(t.TempDir(), "mine.theme")
	write(t, mine, "base paper\n")
	write(t, filepath.Join(home, "themes", "own.theme"), "name Night\n")
	write(t, filepath.Join(home, "themes", "wrong.theme"), "glyph\n")
	for flag, want := range map[string]string{"matrix": "Matrix", "High contrast": "High contrast", "contrast": "High contrast", mine: "mine", "Night": "Night"} {
		f, err := openFiles(t, home, false, "--theme", flag)
		if err != nil || f.Settings.Theme != want {
			t.Errorf("%s: got %q, %v", flag, f.Settings.Theme, err)
			continue
		}
		if len(f.notes) != 1 || !strings.Contains(f.notes[0].Error(), "wrong.theme:1: ") {
			t.Errorf("%s: it says %v", flag, f.notes)
		}
	}
	for flag, want := range map[string]string{
		"matrx":                       `neither a theme nor a file (did you mean "matrix"?)`,
		filepath.Join(home, "themes"): "cannot read the theme",
		filepath.Join(home, "themes/wrong.theme"): "wrong.theme:1: ",
	} {
		if _, err := openFiles(t, home, false, "--theme", flag); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", flag, err, want)
		}
	}
}

func TestFilms(t *testing.T) {
	for _, test := range []struct {
		inLines    bool
		film, want string
	}{
		{true, "x.gif", "--film needs the screen"}, {false, "x.avi", "want one that ends in .png, .gif or .cast"},
		{false, filepath.Join(t.TempDir(), "no", "x.gif"), "cannot write the film"},
	} {
		if _, err := openFiles(t, t.TempDir(), test.inLines, "--film", test.film); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.film, err, test.want)
		}
	}
	if f, err := openFiles(t, t.TempDir(), false, "--film", filepath.Join(t.TempDir(), "x.gif")); err != nil || f.Film == nil {
		t.Errorf("got %+v, %v", f, err)
	}
}
