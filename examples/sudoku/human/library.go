package human

import (
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A LibraryLine is a line of HoDoKu's library of techniques: a position with
// candidates, and what a technique does there.
type LibraryLine struct {
	Technique string // HoDoKu's number, as in "0300" or "0600-1"
	Position  *Position
	Eliminate []Candidate
	Place     []Candidate
}

// ParseLibraryLine reads a line of HoDoKu's library:
//
//	:technique:digits:cells:deleted:eliminations:placements:extra
//
// Cells are 81 characters, "." for an empty cell and "+" before a digit that is not
// given; candidates are written digit, row, column, as in "518" for 5 in r1c8. Fields
// at the end may be missing.
func ParseLibraryLine(line string) (LibraryLine, error) {
	fields := strings.Split(strings.TrimSpace(line), ":")
	if len(fields) < 4 || fields[0] != "" {
		return LibraryLine{}, fmt.Errorf("%q is not a line of HoDoKu's library: want \":technique:digits:cells:deleted:eliminations:placements:\"", line)
	}
	for len(fields) < 7 {
		fields = append(fields, "")
	}
	l := LibraryLine{Technique: fields[1]}
	var all, givens sudoku.Grid
	n, placed := 0, false
	for _, r := range fields[3] {
		switch {
		case r == '+' && !placed:
			placed = true
			continue
		case n == 81 || r != '.' && (r < '0' || r > '9') || placed && (r == '.' || r == '0'):
			return LibraryLine{}, fmt.Errorf("cannot read the cells of %q: want 81 digits or dots, with \"+\" only before digits", line)
		}
		if r != '.' {
			all[n/9][n%9] = int(r - '0')
			if !placed {
				givens[n/9][n%9] = int(r - '0')
			}
		}
		n, placed = n+1, false
	}
	if n != 81 {
		return LibraryLine{}, fmt.Errorf("cannot read %q: it has %d cells, want 81", line, n)
	}
	var err error
	if l.Position, err = New(&all); err != nil {
		return LibraryLine{}, err
	}
	for c := range l.Position.given.All() {
		if givens[c/9][c%9] == 0 {
			l.Position.given.remove(c)
		}
	}
	deleted, err := parseCandidates(fields[4])
	if err != nil {
		return LibraryLine{}, err
	}
	for _, c := range deleted {
		l.Position.Eliminate(c.Cell, c.Digit)
	}
	if l.Eliminate, err = parseCandidates(fields[5]); err != nil {
		return LibraryLine{}, err
	}
	l.Place, err = parseCandidates(fields[6])
	return l, err
}

func parseCandidates(field string) (list []Candidate, err error) {
	for _, word := range strings.Fields(field) {
		if len(word) != 3 || strings.Trim(word, "123456789") != "" {
			return nil, fmt.Errorf("%q is not a candidate: want digit, row and column, as in \"518\"", word)
		}
		list = append(list, Candidate{At(int(word[1]-'0'), int(word[2]-'0')), int(word[0] - '0')})
	}
	return list, nil
}

// LibraryLine writes a position in HoDoKu's form, with empty fields for the technique.
func (p *Position) LibraryLine() string {
	var cells strings.Builder
	var deleted []string
	for c := range Cell(81) {
		switch {
		case p.value[c] == 0:
			cells.WriteByte('.')
		case p.given.Has(c):
			cells.WriteByte('0' + p.value[c])
		default:
			cells.WriteByte('+')
			cells.WriteByte('0' + p.value[c])
		}
	}
	g := p.Grid()
	if q, err := New(&g); err == nil {
		for c := range p.empty.All() {
			for d := range (q.cells[c] &^ p.cells[c]).All() {
				deleted = append(deleted, fmt.Sprintf("%d%d%d", d, c.Row(), c.Column()))
			}
		}
	}
	return fmt.Sprintf(":::%s:%s:::", cells.String(), strings.Join(deleted, " "))
}
