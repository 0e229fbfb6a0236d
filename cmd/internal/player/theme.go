package player

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
)

// readThemes reads the themes of a folder.
func (f *Files) readThemes(folder string) {
	names, _ := filepath.Glob(filepath.Join(folder, "*.theme")) // the pattern is right
	for _, name := range names {
		t, err := readTheme(name, file.ReadRegular)
		if err != nil {
			f.note(err)
			continue
		}
		f.Themes = append(f.Themes, t)
	}
}

func readTheme(name string, read func(string, int64) ([]byte, error)) (*theme.Theme, error) {
	text, err := read(name, maxTheme)
	if err != nil {
		return nil, fmt.Errorf("cannot read the theme %q: %w", name, cli.Plain(err))
	}
	return theme.Read(filepath.ToSlash(name), bytes.NewReader(text))
}

// maxTheme is the maximum size of a theme, in bytes.
const maxTheme = 1 << 20

// chooseTheme chooses the theme of --theme: one of those that are there, or of a file.
// Without the flag it is that of the settings.
func (f *Files) chooseTheme(flag string) error {
	name := cmp.Or(flag, f.Settings.Theme)
	if name == "" {
		return nil
	}
	if t, ok := theme.Named(name); ok {
		f.Settings.Theme = t.Name
		return nil
	}
	var names []string
	for _, t := range f.Themes {
		names = append(names, t.Name)
	}
	for _, known := range theme.Names() {
		t, _ := theme.Named(known)
		names = append(names, known, t.Name)
	}
	switch {
	case slices.Contains(names, name):
		f.Settings.Theme = name
		return nil
	case flag == "":
		f.note(fmt.Errorf("the settings: %q is not a theme%s", name, cli.DidYouMean(name, names)))
		return nil
	}
	t, err := readTheme(name, cli.Read)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return cli.Usagef("--theme %s: neither a theme nor a file%s", name, cli.DidYouMean(name, names))
	case err != nil:
		return cli.Usagef("--theme: %v", err)
	}
	f.Themes = append(f.Themes, t)
	f.Settings.Theme = t.Name
	return nil
}
