package shelf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/gofrs/flock"
	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// Variable is the environment variable that names another folder for everything.
const Variable = "SUDOKU_HOME"

// Folders returns the folders of the player, which need not exist.
func Folders() (state, config string, err error) {
	if home := os.Getenv(Variable); home != "" {
		home, err = filepath.Abs(home)
		return home, home, err
	}
	if config, err = os.UserConfigDir(); err != nil {
		return "", "", err
	}
	switch runtime.GOOS {
	case "windows":
		state, err = os.UserCacheDir() // %LocalAppData%
	case "darwin", "ios", "plan9":
		state = config
	default:
		if state = os.Getenv("XDG_STATE_HOME"); !filepath.IsAbs(state) { // the XDG Base Directory Specification ignores others
			state, err = os.UserHomeDir()
			state = filepath.Join(state, ".local", "state")
		}
	}
	return filepath.Join(state, "scxmlrun", "sudoku"), filepath.Join(config, "scxmlrun", "sudoku"), err
}

// A Shelf has the files of a player. It may be used by several goroutines.
type Shelf struct {
	state, config string
	lock          *flock.Flock // nil if nothing is kept

	mu       sync.Mutex
	readonly error  // why games are not kept, or nil
	told     string // the last error of Save, until it succeeds
	untold   error  // of Solved, for Save to return
	marked   string // the content of the file last
}

// Open opens the shelf in two folders, and creates them when it writes. In a folder without
// a name nothing is read or written.
//
// The error says why games are not kept: it is [game.ErrInUse] if another process keeps them.
// The Shelf can be used all the same, see [Shelf.Readonly].
func Open(state, config string) (*Shelf, error) {
	s := &Shelf{state: state, config: config}
	if state == "" {
		return s, nil
	}
	if err := os.MkdirAll(filepath.Join(state, "games"), 0o700); err != nil {
		s.readonly = fmt.Errorf("cannot keep games: %w", err)
		return s, s.readonly
	}
	s.lock = flock.New(filepath.Join(state, "lock"), flock.SetPermissions(0o600))
	switch locked, err := s.lock.TryLock(); {
	case err != nil:
		s.readonly = fmt.Errorf("cannot keep games: %w", err)
	case !locked:
		s.readonly = game.ErrInUse
	}
	return s, s.readonly
}

// Read returns a shelf that only reads, and so does not keep others from writing.
func Read(state, config string) *Shelf {
	return &Shelf{state: state, config: config, readonly: errors.New("the files are only read")}
}

// Readonly reports whether games and results are not kept, see [Open].
func (s *Shelf) Readonly() bool { return s.readonly != nil || s.state == "" }

// Close lets other processes keep games. Its error is that of the last Save or Solved, if
// something is not in its file; but not that of [Open], which the player knows.
func (s *Shelf) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.untold
	if s.told != "" && s.readonly == nil {
		err = errors.New(s.told)
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// tell returns an error that Save did not return the last time: what cannot be changed is
// said once.
func (s *Shelf) tell(err error) error {
	switch {
	case err == nil:
		s.told = ""
	case s.told == err.Error():
		return nil
	default:
		s.told = err.Error()
	}
	return err
}

// unreadable returns an error for a file that cannot be used, and sets it aside.
func (s *Shelf) unreadable(name string, why error) error {
	why = durable.Cause(why)
	if s.readonly == nil {
		if aside, err := setAside(name, "damaged"); err == nil {
			return fmt.Errorf("the file is damaged (%w) and has been renamed to %q", why, aside)
		}
	}
	return fmt.Errorf("cannot read %q: %w", name, why)
}

// setAside gives a file a name that is free, and returns it.
func setAside(name, ending string) (string, error) {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.%s-%d", name, ending, n)
		if _, err := os.Lstat(aside); err != nil {
			return aside, os.Rename(name, aside)
		}
	}
}
