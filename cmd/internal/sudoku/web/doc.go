// Package web plays a Sudoku on a page. It is the part of the page that is written in Go and
// compiled to WebAssembly: the same chart, game, table of actions and words as in the terminal.
//
//	messages := make(chan web.Message) // from the page
//	err := web.Play(ctx, chart, web.NewRemote(tell), messages, tell)
//
// Page and game exchange messages, JSON objects, in some cases with the bytes of a file. The page
// says what the player does, and the game says what there is to see; the documentation of command sudoku-web
// says how they travel. The page knows no rules and no words. It draws cells, menus and dialogs
// that it is told about, and keeps values under names.
//
// # What the page says
//
// Each message has the field "do":
//
//	start    the first message: {"kept": {name: value, …}, "lang": "nl-NL", "readonly": true,
//	         "puzzle": "53..7…", "camera": "file", "screen": true}. kept has what the page was told
//	         to keep, or "unread": "…" why it cannot be read; readonly says that another window
//	         keeps games; puzzle is that of a link;
//	         left has what the page before has left to do, see below;
//	         camera says how the page takes photos: as a "file" that the system makes, with a
//	         "preview" in a dialog, or not (""); screen that it takes pictures of the screen
//	key      {"key": "Ctrl+Z"}: a key with the name that package action has for it
//	act      {"name": "undo"}: an action, by a button or a menu
//	cell     {"row": 0, "col": 8, "how": "select"}: a cell was pressed; drag adds it to those that
//	         are marked, menu wants its menu, wheel adds "by", note makes "digit" its digit
//	part     {"name": "valid"}: a click on a fact, on the puzzle, the hint, or what is under way
//	put      {"digit": 5}: a button of the pad; 0 clears
//	control  {"dialog": 1, "at": 2, "value": …}: a control of a dialog has another value; that of a
//	         board is {"cell": 0, "digit": 5} or {"cell": 0, "written": true}
//	press    {"dialog": 1, "at": 3}: a button, or the choice of a list
//	close    {"dialog": 1}
//	hidden   the page cannot be seen any more
//	text     {"text": "53..7…"}: what was pasted
//	file     {"name": "week.sdk"}, with its bytes
//	read     a [reading.Result] without its pictures: what was read of a picture
//	camera   {"name": "NotAllowedError", "error": "…"}: the camera cannot be used
//	failed   {"error": "…"}: what the game wanted to be kept is not
//
// Messages that can change the game, those of a key, an act, a put and a cell, have a number "no". The
// page writes them down at once, in localStorage, and forgets them when the game says that they are
// kept. What is left over when a page ends is in the message start of the next one.
//
// The game answers what it cannot use, such as an unknown field, with a note that says why.
//
// # What the game says
//
// Each message has the field "type":
//
//	view     what there is to see, see [View]; only what is not as in the message before
//	keep     {"name": "…", "value": …}: the page keeps a value; null forgets it
//	file     {"name": "week.pdf", "media": "application/pdf"}, with its bytes: the player gets a file
//	menu     the menu opens, or closes
//	context  {"at": 8}: the menu of a cell opens
//	open     the player chooses a file; camera, screen: or takes a picture
//	picture  with the bytes of a picture, to be read; unpicture: nobody waits for it any more
//	copy     {"text": "…"}: to the clipboard
//	print    the page is printed
//	kept     {"heard": 8, "cells": [40], "pen": "notes", "playing": true}: all messages up to that number
//	         are kept, and where the player is then
//	failed   {"error": "…"}: the game has ended, which it never should
//
// # The first visit
//
// The program has 5 MB. While it is on its way to a player who has no game yet, first.js plays the
// first puzzle: with the functions of the chart, sudoku.js, and the first view of the game, which the
// build writes for each language (see [First]). It can move, write digits, clear, undo and redo. The
// program hears the same messages when it is there. With a line of 9 Mbit/s the puzzle can be played
// after 0.8 s, with 1.6 Mbit/s after 1.2 s.
//
// # Implementation
//
// Package action has what the page shares with the terminal: actions, keys and dialogs. play.go runs
// the game and hears the page, and view.go says what there is to see: cell.go the cells and menu.go
// the actions. dialog.go hears dialogs; act.go, settings.go, export.go and picture.go do what only the
// page can. kept.go keeps games, results and settings; left.go does what a page has left; first.go is for the first visit. remote.go has the services in another program,
// and rating.go one of them. Folder page has the files of the page, package colours makes its style
// sheet of the themes, and package reading reads pictures.
package web
