package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// What a page has left is done once: neither what is kept is done again, nor is anything lost.
func TestLeftOver(t *testing.T) {
	move := func(no int, key string) map[string]any { return map[string]any{"do": "key", "key": key, "no": no} }
	test(t, "before the program was there", func(t *testing.T) {
		moves := []any{map[string]any{"do": "cell", "row": 2, "col": 6, "how": "select", "no": 1}, move(2, "4"), move(3, "7"), move(4, "U")}
		p := open(t, map[string]any{"lang": "en", "left": map[string]any{"moves": moves}})
		defer p.end()
		p.want("state", "playing")
		if p.cells[24].Digit != 4 {
			t.Errorf("the cell has %d", p.cells[24].Digit)
		}
		if heard := p.last(t, "kept")["heard"]; heard != 4.0 {
			t.Errorf("kept up to %v", heard)
		}
		p.key("U")
		if p.cells[24].Digit != 0 {
			t.Errorf("after undo the cell has %d", p.cells[24].Digit)
		}
	})
	for name, wait := range map[string]bool{"closed at once": false, "closed later": true} {
		test(t, name, func(t *testing.T) {
			p := open(t, map[string]any{"lang": "en"})
			p.say(map[string]any{"do": "cell", "row": 2, "col": 6, "how": "select", "no": 1})
			p.say(move(2, "M"))
			p.say(move(3, "1"))
			point := p.last(t, "kept")
			if point["heard"] != 3.0 || point["pen"] != "notes" || fmt.Sprint(point["cells"]) != "[24]" || point["playing"] != true {
				t.Fatalf("the page is told %v", point)
			}
			moves := []any{move(4, "2"), move(5, "Up"), move(6, "Down"), move(7, "3")}
			kept := maps.Clone(p.kept)
			if wait { // the page has kept some of them, and knows
				p.say(moves[0].(map[string]any))
				point, moves, kept = p.last(t, "kept"), moves[1:], maps.Clone(p.kept)
			}
			for _, move := range moves {
				p.sayAtOnce(move.(map[string]any))
			}
			p.end()
			delete(point, "type")
			point["moves"] = moves
			p = open(t, map[string]any{"lang": "en", "kept": kept, "left": point})
			defer p.end()
			p.want("state", "paused")
			p.key("P")
			if c := p.cells[24]; c.Notes != 1<<1|1<<2|1<<3 {
				t.Errorf("the notes are %b", c.Notes)
			}
			if heard := p.last(t, "kept")["heard"]; heard != 7.0 {
				t.Errorf("kept up to %v", heard)
			}
		})
	}
	test(t, "several cells", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en", "left": map[string]any{"heard": 1, "cells": []int{56, 24}, "pen": "corner", "playing": true, "moves": []any{move(2, "5")}}})
		defer p.end()
		if p.cells[24].Corner != 1<<5 || p.cells[56].Corner != 1<<5 || !p.cells[56].Marked {
			t.Errorf("the cells are %+v and %+v", p.cells[24], p.cells[56])
		}
		p.want("pen", "corner")
	})
	test(t, "damaged", func(t *testing.T) {
		for _, left := range []any{7, map[string]any{"moves": 7}, map[string]any{"moves": []any{7, map[string]any{"new": 7}}}, map[string]any{"cells": []int{-1, 99}, "pen": "?", "moves": []any{move(1, "?")}}} {
			p := open(t, map[string]any{"lang": "en", "left": left})
			p.want("state", "playing")
			p.end()
		}
	})
}

// last returns the last message of a type.
func (p *page) last(t *testing.T, kind string) map[string]any {
	t.Helper()
	for i := len(p.told) - 1; i >= 0; i-- {
		if p.told[i]["type"] == kind {
			return maps.Clone(p.told[i])
		}
	}
	t.Fatalf("there is no message %q", kind)
	return nil
}

// The first puzzle is the one that the program begins with, with all keys that it needs.
func TestFirst(t *testing.T) {
	for _, lang := range words.Languages() {
		chart, err := scxml.Load(charts.FS, "sudoku.scxml")
		if err != nil {
			t.Fatal(err)
		}
		text, err := First(t.Context(), chart, lang)
		if err != nil {
			t.Fatal(err)
		}
		var first struct {
			View struct {
				Lang, State string
				At          int
				Cells       map[int]cell
			}
			Keys, Words map[string]string
		}
		if err := json.Unmarshal(text, &first); err != nil {
			t.Fatal(err)
		}
		v := &first.View
		if v.Lang != lang || v.State != "playing" || len(v.Cells) != 81 || v.Cells[v.At].Digit != 0 {
			t.Errorf("%s: the view is %+v", lang, v)
		}
		for key, want := range map[string]string{"5": "set", "Delete": "clear", "U": "undo", "Ctrl+Y": "redo", "Up": "up", "Ctrl+R": "", "H": ""} {
			if first.Keys[key] != want {
				t.Errorf("the key %s is %q, want %q", key, first.Keys[key], want)
			}
		}
		for _, name := range []string{"empty", "conflict", "rest"} {
			if first.Words[name] == "" {
				t.Errorf("%s: there is no word for %s", lang, name)
			}
		}
	}
}
