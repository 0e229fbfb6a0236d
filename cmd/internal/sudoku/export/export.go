package export

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

// Endings returns the endings that names may have.
func Endings() []string {
	return slices.Sorted(slices.Values(append(format.Endings(), ".pdf", ".png", ".svg")))
}

// Write writes a game as the ending says, which is one of [Endings].
func Write(w io.Writer, g *format.Game, ending string) error {
	switch ending {
	case ".png":
		return picture.PNG(w, g, 2, picture.White)
	case ".svg":
		return picture.SVG(w, g)
	case ".pdf":
		pages, err := picture.NewPages(w, picture.Options{})
		if err != nil {
			return err
		}
		return cmp.Or(pages.Add(g, nil, ""), pages.Close())
	}
	f, ok := format.ForFile(ending)
	switch {
	case !ok:
		return fmt.Errorf("%q is not an ending: want %s", ending, strings.Join(Endings(), " "))
	case ending == ".txt": // for people
		f = format.Text
	}
	out := format.NewWriter(w, f)
	return cmp.Or(out.Write(g), out.Close())
}

// Name proposes a name for the file of a game, in the current folder.
func Name(g *format.Game, ending string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' {
			return r
		}
		return '-'
	}, g.Name)
	return cmp.Or(strings.Trim(name, "-"), "sudoku") + ending
}

// File writes a game to the named file, whose ending says how. "~/" is the player's home.
// If the file exists, it is replaced, or the error is [fs.ErrExist].
func File(name string, g *format.Game, replace bool) error {
	name, err := Home(name)
	if err != nil {
		return err
	}
	ending := strings.ToLower(filepath.Ext(name))
	if strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)) == "" || !slices.Contains(Endings(), ending) {
		return fmt.Errorf("%q is not a name for a file: want one that ends in %s", name, strings.Join(Endings(), " "))
	}
	if _, err := os.Lstat(name); err == nil && !replace {
		return fmt.Errorf("%q: %w", name, fs.ErrExist)
	}
	var content bytes.Buffer
	if err := Write(&content, g, ending); err != nil {
		return err
	}
	if err := durable.Write(name, content.Bytes(), 0o666); err != nil {
		return fmt.Errorf("cannot write %q: %w", name, durable.Cause(err))
	}
	return nil
}

// Home replaces "~/" at the beginning of a name.
func Home(name string) (string, error) {
	rest, ok := strings.CutPrefix(name, "~/")
	if !ok {
		return name, nil
	}
	dir, err := os.UserHomeDir()
	return filepath.Join(dir, rest), err
}

// The bounds of the files that are read.
const (
	maxFile  = 64 << 20 // bytes
	maxGames = 100_000
)

// Open opens a regular file to be read. "~/" is the player's home.
func Open(name string) (*os.File, error) {
	name, err := Home(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %q: %w", name, durable.Cause(err))
	}
	if !info.Mode().IsRegular() { // reading a pipe would wait
		return nil, fmt.Errorf("cannot read %q: not a regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %q: %w", name, durable.Cause(err))
	}
	return f, nil
}

// Load reads the games of a file that Open takes, in any format that package format reads.
func Load(name string) ([]format.Game, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("cannot read %q: %w", name, durable.Cause(err))
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("cannot read %q: larger than %d bytes", name, maxFile)
	}
	var games []format.Game
	for g, err := range format.Read(name, io.LimitReader(f, maxFile)) {
		switch {
		case err != nil:
			return nil, err
		case len(games) == maxGames:
			return nil, fmt.Errorf("cannot read %q: it has more than %d games", name, maxGames)
		}
		games = append(games, g)
	}
	return games, nil
}
