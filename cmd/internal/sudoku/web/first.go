package web

import (
	"context"
	"encoding/json"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// First returns what a page needs to play the first puzzle while the program is on its way, as JSON:
//
//	view    the first message of the game to a player who has nothing kept
//	keys    {key: action}: the keys that move, write a digit, clear, undo and redo
//	words   {empty, conflict}: parts of the labels of cells; {rest}: what is on its way
func First(ctx context.Context, chart *scxml.Chart, lang string) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages, views, failed := make(chan Message, 1), make(chan Message, 1), make(chan error, 1)
	messages <- messageOf(fields{"do": "start", "lang": lang})
	go func() {
		failed <- Play(ctx, chart, NewRemote(func(Message) {}), messages, func(m Message) {
			select {
			case views <- m:
			default: // the first one counts
			}
		})
	}()
	var view Message
	select {
	case view = <-views:
	case err := <-failed:
		return nil, err
	}
	keys := map[string]string{}
	for _, a := range action.Table() {
		switch a.Name {
		case "set", "clear", "undo", "redo", "up", "down", "left", "right":
			for _, key := range a.KeyNames(false) {
				keys[key] = a.Name
			}
		}
	}
	for _, key := range browserKeys {
		delete(keys, key)
	}
	w := wordsOf(lang)
	return json.Marshal(fields{"view": json.RawMessage(view.Text), "keys": keys, "words": fields{
		"empty": w.T("empty"), "conflict": w.T("in conflict"), "rest": w.T("Loading notes, hints and other puzzles"),
	}})
}
