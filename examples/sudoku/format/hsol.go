package format

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// zipStart begins a zip file.
var zipStart = []byte("PK\x03\x04")

// maxHsol is the maximum size of a game of HoDoKu, packed and unpacked.
const maxHsol = 16 << 20

// readHsol reads the file of a game that HoDoKu 2 has saved: a zip file whose only member has
// XML of the class java.beans.XMLEncoder. An object of the class Sudoku2 has the properties
// values, fixed, cells (the candidates) and userCells (candidates that the player has noted),
// arrays of 81 items of which those that have their default value are left out
// (src/sudoku/Sudoku2.java, GuiState.java and MainFrame.java of HoDoKu 2.2).
func readHsol(l *lines, yield func(Game, error) bool) {
	game, err := hsolGame(l)
	var failed *readError
	if err != nil && !errors.As(err, &failed) {
		err = errorAt(datamodel.Position{File: l.file, Line: 1, Col: 1}, "HoDoKu: %v", err)
	}
	yield(game, err)
}

func hsolGame(l *lines) (game Game, err error) {
	packed, err := io.ReadAll(io.LimitReader(l.r, maxHsol+1))
	switch {
	case err != nil:
		return game, &readError{l.file, err}
	case len(packed) > maxHsol:
		return game, errors.New("expected at most 16 MiB")
	}
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return game, err
	}
	if len(archive.File) == 0 {
		return game, errors.New("the zip file is empty")
	}
	member, err := archive.File[0].Open()
	if err != nil {
		return game, err
	}
	defer member.Close()
	s, err := findSudoku2(&bounded{r: member, left: maxHsol})
	if err != nil {
		return game, err
	}
	return s.game(), nil
}

// A sudoku2 is an object of HoDoKu's class. Bit 0 of candidates is the digit 1.
type sudoku2 struct {
	values, fixed, cells, userCells [81]int
	score                           int
}

func newSudoku2() *sudoku2 {
	s := new(sudoku2)
	for i := range s.cells {
		s.cells[i] = allDigits >> 1
	}
	return s
}

// An xmlFrame is an open element.
type xmlFrame struct {
	property string // of <void property=…>
	index    int    // of <void index=…>, or -1
	sudoku   *sudoku2
}

// findSudoku2 finds the puzzle that is played: the property "sudoku" of the program's state,
// or the first object of the file. Others are for undo, or have the solution.
func findSudoku2(r io.Reader) (*sudoku2, error) {
	decoder := xml.NewDecoder(r)
	byID := map[string]*sudoku2{}
	var open []xmlFrame
	var first *sudoku2
	for {
		token, err := decoder.Token()
		switch {
		case err == io.EOF && first != nil:
			return first, nil
		case err == io.EOF:
			return nil, errors.New("it does not have a puzzle of HoDoKu 2")
		case err != nil:
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) == 1000 {
				return nil, errors.New("the elements are nested more than 1000 deep")
			}
			f := xmlFrame{property: attribute(token, "property"), index: -1}
			if i, err := strconv.Atoi(attribute(token, "index")); err == nil {
				f.index = i
			}
			if class := attribute(token, "class"); strings.HasSuffix(class, ".Sudoku2") {
				f.sudoku = newSudoku2()
				byID[attribute(token, "id")] = f.sudoku
			}
			played := len(open) > 0 && open[len(open)-1].property == "sudoku"
			if s := byID[attribute(token, "idref")]; s != nil && played && attribute(token, "idref") != "" {
				return s, nil
			}
			open = append(open, f)
		case xml.EndElement:
			s := open[len(open)-1].sudoku
			open = open[:len(open)-1]
			switch {
			case s == nil:
			case len(open) > 0 && open[len(open)-1].property == "sudoku":
				return s, nil
			case len(open) == 1 && first == nil:
				first = s
			}
		case xml.CharData:
			if err := store(open, strings.TrimSpace(string(token))); err != nil {
				return nil, err
			}
		}
	}
}

// store stores a value in the innermost object.
func store(open []xmlFrame, text string) error {
	property, index := "", -1
	for i := len(open) - 1; i >= 0 && text != ""; i-- {
		switch f := &open[i]; {
		case f.sudoku != nil:
			return f.sudoku.set(property, index, text)
		case f.property != "" && property != "": // of an object within it
			return nil
		case f.property != "":
			property = f.property
		case f.index >= 0 && index < 0:
			index = f.index
		}
	}
	return nil
}

// set sets an item of a property.
func (s *sudoku2) set(property string, index int, text string) error {
	items, limit := (*[81]int)(nil), allDigits>>1
	switch property {
	case "values":
		items, limit = &s.values, 9
	case "fixed":
		items, limit = &s.fixed, 1
		text = strings.NewReplacer("true", "1", "false", "0").Replace(text)
	case "cells":
		items = &s.cells
	case "userCells":
		items = &s.userCells
	case "score":
		s.score, _ = strconv.Atoi(text) // 0 is none
	}
	if items == nil {
		return nil
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < 0 || value > limit || index < 0 || index > 80 {
		return errors.New("expected a number from 0 to " + strconv.Itoa(limit) + " for " + property + " of a cell from 0 to 80, found " +
			strconv.Quote(label(text)) + " for cell " + strconv.Itoa(index))
	}
	items[index] = value
	return nil
}

// game converts the object.
func (s *sudoku2) game() (game Game) {
	var p Progress
	for i, value := range s.values {
		p.Board[i/9][i%9] = value
		if s.fixed[i] == 1 {
			game.Givens[i/9][i%9] = value
		}
	}
	possible, noted := candidates(&p.Board), false
	for i := range 81 {
		// Candidates that no digit excludes any more were deleted.
		if p.Board[i/9][i%9] == 0 {
			p.Notes[i/9][i%9] = uint16(s.cells[i]) << 1
			noted = noted || p.Notes[i/9][i%9] != possible[i/9][i%9]
		}
	}
	if s.userCells != [81]int{} {
		for i, set := range s.userCells {
			p.Notes[i/9][i%9] = uint16(set) << 1
		}
	} else if !noted {
		p.Notes = Notes{}
	}
	game.begun(&p)
	if s.score > 0 {
		game.Info.Rating = "HoDoKu " + strconv.Itoa(s.score)
	}
	return game
}
