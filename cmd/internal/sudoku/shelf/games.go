package shelf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// The bounds of the games.
const (
	maxGame  = 5 << 20 // bytes; those that package format writes are smaller
	maxGames = 2000    // see makeRoom
)

// digits returns the 81 digits of a puzzle.
func digits(givens *sudoku.Grid) string { return strings.ReplaceAll(givens.String(), ".", "0") }

// file returns the file of a game.
func (s *Shelf) file(givens *sudoku.Grid) string {
	return filepath.Join(s.state, "games", digits(givens)+".json")
}

// Save keeps a game, in the place of the one with the same givens, and makes it the last
// one. A puzzle without progress does not replace a game.
//
// An error that remains the same is returned once, until Save succeeds. A game that is given
// up is a result.
func (s *Shelf) Save(g *format.Game) error {
	if givenUp(g) && !s.Readonly() {
		before, err := s.Find(g.Givens)
		if err == nil {
			s.GivenUp(before, g)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.save(g)
	if err == nil {
		err, s.untold = s.untold, nil
	}
	return s.tell(err)
}

func (s *Shelf) save(g *format.Game) error {
	if s.state == "" || s.readonly != nil {
		return s.readonly
	}
	name := s.file(&g.Givens)
	_, err := os.Lstat(name)
	isNew := errors.Is(err, fs.ErrNotExist)
	if isNew {
		if err := s.makeRoom(); err != nil {
			return err
		}
	}
	if isNew || g.Progress != nil {
		text, err := format.Encode(g)
		if err != nil {
			return err
		}
		if err := durable.Write(name, text, 0o600); err != nil {
			return durable.Cause(err)
		}
	}
	// The marker comes last, so that it never names a game that is not there.
	if mark := digits(&g.Givens) + "\n"; mark != s.marked {
		if err := durable.Write(filepath.Join(s.state, "last"), []byte(mark), 0o600); err != nil {
			return durable.Cause(err)
		}
		s.marked = mark
	}
	return nil
}

// Find returns the game with the givens; nil without one. It sets a damaged file aside, and
// the error says so.
func (s *Shelf) Find(givens sudoku.Grid) (*format.Game, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(&givens)
}

func (s *Shelf) find(givens *sudoku.Grid) (*format.Game, error) {
	if s.state == "" {
		return nil, nil
	}
	return s.game(s.file(givens))
}

// game returns the game of a file; nil without one.
func (s *Shelf) game(name string) (*format.Game, error) {
	g, err := readGame(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, s.unreadable(name, err)
	}
	return g, nil
}

// readGame reads the only game of a file, which has its name.
func readGame(name string) (*format.Game, error) {
	text, err := read(name, maxGame)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(text, []byte("{")) {
		return nil, errors.New("not a saved game")
	}
	var games []format.Game
	for g, err := range format.Read(filepath.Base(name), bytes.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	switch {
	case len(games) != 1:
		return nil, fmt.Errorf("it has %d games, want one", len(games))
	case digits(&games[0].Givens)+".json" != filepath.Base(name):
		return nil, errors.New("it has another puzzle than its name")
	}
	return &games[0], nil
}

// read reads a regular file of at most limit bytes.
func read(name string, limit int64) ([]byte, error) {
	if info, err := os.Stat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() { // opening a FIFO would wait
		return nil, errors.New("not a regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("larger than %d bytes", limit)
	}
	return text, err
}

// Last returns the game that was saved last; nil without one, and while another process
// plays it.
func (s *Shelf) Last() (*format.Game, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == "" || s.readonly == game.ErrInUse {
		return nil, nil
	}
	mark, err := read(filepath.Join(s.state, "last"), 100)
	if err != nil {
		return nil, nil // no game is lost with it
	}
	var givens sudoku.Grid
	if len(mark) < 81 {
		return nil, nil
	}
	for i, c := range mark[:81] {
		if c < '0' || c > '9' {
			return nil, nil
		}
		givens[i/9][i%9] = int(c - '0')
	}
	return s.find(&givens)
}

// SetAside keeps the game with the givens under another name, before another game of the
// same puzzle replaces it. Without such a game it does nothing.
func (s *Shelf) SetAside(givens sudoku.Grid) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == "" || s.readonly != nil {
		return s.readonly
	}
	if _, err := setAside(s.file(&givens), "old"); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Progress says how far a game has come.
type Progress struct {
	Name   string
	Info   format.Info
	Givens sudoku.Grid
	Board  sudoku.Grid // with what the player has filled in
	Mode   format.Mode
	Filled int // cells that the player has filled in
	Empty  int // cells without a digit
	Time   time.Duration
	Saved  time.Time
	File   string
}

// List returns the progress of all games, the one that was saved last first. It sets
// damaged files aside; the error says so, and the list has the others.
func (s *Shelf) List() ([]Progress, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == "" {
		return nil, nil
	}
	entries, err := s.entries()
	var all []Progress
	for _, e := range entries {
		name := filepath.Join(s.state, "games", e.name)
		g, problem := s.game(name)
		if err = errors.Join(err, problem); g == nil {
			continue
		}
		p := ProgressOf(g)
		p.Saved, p.File = e.saved, name
		all = append(all, p)
	}
	return all, err
}

// ProgressOf returns how far a game has come, without Saved and File.
func ProgressOf(g *format.Game) Progress {
	p := Progress{Name: g.Name, Info: g.Info, Givens: g.Givens, Board: g.Board()}
	p.Empty = p.Board.Empty()
	p.Filled = g.Givens.Empty() - p.Empty
	if g.Progress != nil {
		p.Mode, p.Time = g.Progress.Mode, g.Progress.Time
	}
	return p
}

// An entry is a file of a game.
type entry struct {
	name  string
	saved time.Time
}

// entries returns the files of games, the newest first.
func (s *Shelf) entries() ([]entry, error) {
	files, err := os.ReadDir(filepath.Join(s.state, "games"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []entry
	for _, f := range files {
		if len(f.Name()) != 81+len(".json") || !strings.HasSuffix(f.Name(), ".json") {
			continue
		}
		if info, err := f.Info(); err == nil {
			all = append(all, entry{f.Name(), info.ModTime()})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return b.saved.Compare(a.saved) })
	return all, err
}

// makeRoom removes the oldest games that are solved, or that have not begun, if there are
// too many. The others are never removed.
func (s *Shelf) makeRoom() error {
	entries, err := s.entries()
	if err != nil {
		return durable.Cause(err)
	}
	count := len(entries)
	for _, e := range slices.Backward(entries) {
		if count < maxGames*9/10 || len(entries) < maxGames {
			break
		}
		name := filepath.Join(s.state, "games", e.name)
		g, err := readGame(name)
		if err != nil || g.Progress != nil && g.Progress.Mode != format.Solved {
			continue
		}
		if err := os.Remove(name); err != nil {
			return durable.Cause(err)
		}
		count--
	}
	if count >= maxGames {
		return fmt.Errorf("%d unfinished games are kept, and there is no room for more; remove some of the files in %q", count, filepath.Join(s.state, "games"))
	}
	return nil
}
