package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// maxGames bounds the games that are kept. The oldest ones make room.
const maxGames = 2000

// kept has the games, results and settings of the player. The page keeps them under names:
//
//	game/53007…   a game, and when it was saved
//	last          the 81 digits of the game that was played last
//	result/000003 a [shelf.Result], the fourth
//	settings      a [shelf.Settings]
//	point         where the player was when a game was kept last, for the page
type kept struct {
	put      func(name string, value any) // nil: nothing is kept
	closed   error                        // why nothing may be kept; nil: it may
	problem  error                        // of the page; the next Save returns it
	games    map[string]keptGame
	lastGame string
	results  []shelf.Result
	next     int // the number of the next result
	chosen   shelf.Settings
}

// A keptGame is the value of a game.
type keptGame struct {
	Saved time.Time       `json:"saved"`
	Game  json.RawMessage `json:"game"`
}

var _ game.Store = (*kept)(nil)

// newKept returns what the page has kept. Values that cannot be read are left alone, and count
// as if they were not there.
func newKept(values map[string]json.RawMessage, closed error, put func(string, any)) *kept {
	k := &kept{put: put, closed: closed, games: map[string]keptGame{}, chosen: shelf.Defaults()}
	for _, name := range slices.Sorted(maps.Keys(values)) { // results in their order
		value := values[name]
		digits, isGame := strings.CutPrefix(name, "game/")
		var g keptGame
		switch {
		case isGame && json.Unmarshal(value, &g) == nil:
			k.games[digits] = g
		case name == "last":
			_ = json.Unmarshal(value, &k.lastGame)
		case strings.HasPrefix(name, "result/"):
			var r shelf.Result
			if json.Unmarshal(value, &r) == nil {
				k.results = append(k.results, r)
			}
			if n, err := strconv.Atoi(strings.TrimPrefix(name, "result/")); err == nil {
				k.next = n + 1
			}
		case name == "settings":
			settings := shelf.Defaults()
			if json.Unmarshal(value, &settings) == nil {
				k.chosen = settings
			}
		}
	}
	return k
}

func digits(givens *sudoku.Grid) string { return strings.ReplaceAll(givens.String(), ".", "0") }

// Save keeps a game. A puzzle without progress does not replace a game.
func (k *kept) Save(g *format.Game) error {
	if k.closed != nil {
		return k.closed
	}
	name := digits(&g.Givens)
	before, isOld := k.games[name]
	if !isOld || g.Progress != nil {
		if g.Progress != nil && g.Progress.Mode == format.GivenUp {
			if r, ended := shelf.GaveUp(before.read(), g); ended {
				k.add(r)
			}
		}
		text, err := format.Encode(g)
		if err != nil {
			return err
		}
		if !isOld {
			k.makeRoom()
		}
		now := keptGame{time.Now().UTC().Truncate(time.Millisecond), text}
		k.games[name] = now
		k.put("game/"+name, now)
	}
	if k.lastGame != name {
		k.lastGame = name
		k.put("last", name)
	}
	err := k.problem
	k.problem = nil
	return err
}

// read returns the game, or nil if it cannot be read.
func (g *keptGame) read() *format.Game {
	for saved, err := range format.Read("game.json", bytes.NewReader(g.Game)) {
		if err != nil {
			break
		}
		return &saved
	}
	return nil
}

// Find returns the game with the givens; nil without one.
func (k *kept) Find(givens sudoku.Grid) (*format.Game, error) {
	g, ok := k.games[digits(&givens)]
	if !ok {
		return nil, nil
	}
	saved := g.read()
	if saved == nil {
		return nil, errors.New("the saved game is damaged")
	}
	return saved, nil
}

// Solved adds the result of a game that was solved now.
func (k *kept) Solved(g *format.Game, r game.Result) { k.add(shelf.Solved(g, r)) }

func (k *kept) add(r shelf.Result) {
	if k.closed != nil {
		return
	}
	k.results = append(k.results, r)
	k.put(fmt.Sprintf("result/%06d", k.next), r)
	k.next++
}

// last returns the game to continue; nil without one, and while another window plays it.
func (k *kept) last() *format.Game {
	g, ok := k.games[k.lastGame]
	if !ok || k.closed != nil {
		return nil
	}
	return g.read()
}

// list returns the games, the one that was saved last first.
func (k *kept) list() (all []shelf.Progress) {
	names := make([]string, 0, len(k.games))
	for name := range k.games {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(k.games[b].Saved.Compare(k.games[a].Saved), strings.Compare(a, b))
	})
	for _, name := range names {
		g := k.games[name]
		if saved := g.read(); saved != nil {
			progress := shelf.ProgressOf(saved)
			progress.Saved = g.Saved
			all = append(all, progress)
		}
	}
	return all
}

// makeRoom forgets the oldest game if there are too many.
func (k *kept) makeRoom() {
	if len(k.games) < maxGames {
		return
	}
	oldest := ""
	for name, g := range k.games {
		if oldest == "" || g.Saved.Before(k.games[oldest].Saved) || g.Saved.Equal(k.games[oldest].Saved) && name < oldest {
			oldest = name
		}
	}
	delete(k.games, oldest)
	k.put("game/"+oldest, nil)
}

func (k *kept) settings() shelf.Settings { return k.chosen }

func (k *kept) saveSettings(s shelf.Settings) {
	k.chosen = s
	k.put("settings", s)
}

// failed notes that the page could not keep a value.
func (k *kept) failed(why string) { k.problem = fmt.Errorf("the browser did not keep it: %s", why) }

// keep makes the page keep a value.
func (p *player) keep(name string, value any) {
	message := fields{"type": "keep", "name": name, "value": value}
	if strings.HasPrefix(name, "game/") {
		message["point"] = p.point()
	}
	p.say(message)
}
