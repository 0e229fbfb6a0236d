package player

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/film"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/tui"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// Flags are the flags of the board.
type Flags struct {
	fresh       bool
	lang        cli.Choice
	theme, film string
	vi, force   bool
	names       []string
	cmd         *cobra.Command
}

// Bind adds the flags to a command.
func (f *Flags) Bind(cmd *cobra.Command) {
	f.cmd, f.lang.All = cmd, words.Languages()
	f.names = []string{"fresh", "lang", "theme", "vi", "film", "force"}
	cmd.Flags().BoolVar(&f.fresh, "fresh", false, "on the Sudoku board, neither continue nor keep a game, and use no settings")
	f.lang.Flag(cmd, "lang", "language of the Sudoku board: en or nl (default: by the settings, or else the locale)")
	cmd.Flags().StringVar(&f.theme, "theme", "", "look of the Sudoku board, as `NAME` or file: "+cli.List(theme.Names(), "or"))
	if err := cmd.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions(theme.Names(), cobra.ShellCompDirectiveDefault)); err != nil {
		panic(err) // the flag has just been added
	}
	cmd.Flags().BoolVar(&f.vi, "vi", false, "on the Sudoku board, h, j, k and l move the selection")
	cmd.Flags().StringVar(&f.film, "film", "", "save what the Sudoku board shows to this `FILE`, whose name ends in .gif, .cast or .png")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace the file of --film if it exists")
}

// Given returns the name of a flag of the board that was given, or "".
func (f *Flags) Given() string {
	for _, name := range f.names {
		if f.cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// Files are the files of a player, see [Flags.Open].
type Files struct {
	*shelf.Shelf
	Settings shelf.Settings // with the flags
	Words    *words.Words
	Themes   []*theme.Theme // of files
	Film     *film.Film     // nil: none
	folder   string         // of the player's puzzles, or ""
	notes    []error
}

// Screen returns the configuration of the board on the screen.
func (f *Files) Screen(driver drive.Config) tui.Config {
	cfg := tui.Config{
		Driver: driver, Shelf: f.Shelf, Settings: &f.Settings, Words: f.Words, Themes: f.Themes, Folder: f.folder, Film: f.Film,
	}
	if len(f.notes) > 0 {
		cfg.Note = f.notes[0].Error() // Tell has the others
	}
	return cfg
}

// Open opens the files of the player, none with --fresh. Call End at the end. The error is
// about a flag. inLines says that the board is lines of text.
func (f *Flags) Open(inLines bool) (*Files, error) {
	if inLines && f.film != "" {
		return nil, cli.Usagef("--film needs the screen, and this is --ui plain")
	}
	state, config := "", ""
	files := &Files{}
	if !f.fresh {
		var err error
		if state, config, err = shelf.Folders(); err != nil {
			files.note(fmt.Errorf("cannot keep games: %w", err))
		}
	}
	files.Shelf, _ = shelf.Open(state, config) // Save tells why games are not kept
	var err error
	files.Settings, err = files.Shelf.Settings()
	files.note(err)
	if f.lang.Value != "" {
		files.Settings.Lang = f.lang.Value
	}
	if f.cmd.Flags().Changed("vi") {
		files.Settings.Vi = f.vi
	}
	if files.Words, err = words.New(files.Settings.Lang); err != nil {
		files.note(fmt.Errorf("the settings: %w", err))
		if files.Words, err = words.New(""); err != nil {
			return nil, err
		}
	}
	if config != "" {
		files.readThemes(filepath.Join(config, "themes"))
		files.folder = filepath.Join(config, "puzzles")
	}
	if err := files.chooseTheme(f.theme); err != nil {
		return nil, err
	}
	if f.film != "" {
		if name := film.Existing(f.film); name != "" && !f.force {
			return nil, cli.Usagef("--film: %q exists; add --force to replace it", name)
		}
		if files.Film, err = film.Create(f.film); err != nil {
			return nil, cli.Usagef("--film: %v", err)
		}
	}
	return files, nil
}

func (f *Files) note(err error) {
	if err != nil {
		f.notes = append(f.notes, err)
	}
}

// Tell writes what is wrong with the files to standard error. On a screen, it appears again
// at the end of the game.
func (f *Files) Tell(command string) {
	for _, err := range f.notes {
		fmt.Fprintf(os.Stderr, "%s: %s\n", command, cli.Visible(err.Error(), cli.KeepNewlines))
	}
}
