package web

import (
	"context"
	"encoding/json"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A point is where the player was in a game when it was kept. Moves that the player made later begin
// there.
type point struct {
	Heard   int64  `json:"heard"` // the number of the last message that counts as kept
	Cells   []int  `json:"cells"` // those that are marked; the selected one is the last
	Pen     string `json:"pen"`
	Playing bool   `json:"playing"`
}

// leftover is what the player did in a page that ended before that was kept, or before there was a
// program to hear it.
type leftover struct {
	point
	Moves []json.RawMessage `json:"moves"` // messages
}

// point returns where the player is.
func (p *player) point() point {
	v := &p.View
	at := point{Heard: p.heard, Cells: []int{}, Pen: penNames[v.Pen], Playing: v.State == game.Playing}
	row, col := v.Selected()
	for i := range 81 {
		if c := &v.Cells[i/9][i%9]; c.Marked && !c.Selected {
			at.Cells = append(at.Cells, i)
		}
	}
	at.Cells = append(at.Cells, 9*row+col)
	return at
}

// tellKept tells the page up to which message everything is kept.
func (p *player) tellKept() {
	if p.heard <= p.known || p.Game.Unsaved() {
		return
	}
	p.known = p.heard
	at := p.point()
	p.say(fields{"type": "kept", "heard": at.Heard, "cells": at.Cells, "pen": at.Pen, "playing": at.Playing})
}

// catchUp carries out what is left over, one move after the other, and shows the game then.
func (p *player) catchUp(ctx context.Context, left *leftover) {
	do := func(one func()) {
		done := make(chan struct{})
		p.Post(ctx, func() {
			p.View = p.Game.View()
			one()
			close(done)
		})
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
	var paused bool
	do(func() { paused = p.View.State == game.Paused })
	if paused && left.Playing {
		do(func() { p.Input(game.Resume{}) })
	}
	for i, cell := range left.Cells {
		how := "drag"
		if i == 0 {
			how = "select"
		}
		do(func() { p.hear(&said{Do: "cell", How: how, Row: cell / 9, Col: cell % 9}) })
	}
	if left.Pen != "" && left.Pen != penNames[game.Digits] {
		do(func() { p.hear(&said{Do: "act", Name: "pen-" + left.Pen}) })
	}
	for _, text := range left.Moves {
		var move said
		if read(text, &move) == nil { // the page may have been of another version
			do(func() { p.hear(&move) })
		}
	}
	if paused {
		do(p.Pause)
	}
	do(func() {
		p.begun = true
		p.shown()
	})
}
