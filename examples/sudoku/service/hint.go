package service

import (
	"context"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/scxml"
)

type hintParams struct {
	InitState    sudoku.Grid  `json:"initState"`
	CurrentState sudoku.Grid  `json:"currentState"`
	Notes        [9][9]uint16 `json:"notes"`
}

type help struct {
	Found     string      `json:"found"`
	Cells     []place     `json:"cells,omitempty"`
	Technique *technique  `json:"technique,omitempty"`
	ER        float64     `json:"er,omitempty"`
	Set       []candidate `json:"set,omitzero"`
	Exclude   []candidate `json:"exclude,omitzero"`
	Causes    []candidate `json:"causes,omitzero"`
	Digits    []int       `json:"digits,omitzero"`
	Houses    []house     `json:"houses,omitzero"`
	Text      []string    `json:"text,omitempty"`
	Step      string      `json:"step,omitempty"`
}

// hint is the service sudoku-hint.
func hint(ctx context.Context, _ *scxml.Invocation, p hintParams) (*help, error) {
	left, _, wrong, solutions := fit(&p.InitState, &p.CurrentState)
	switch {
	case solutions == 0:
		return &help{Found: "unsolvable"}, nil
	case wrong != nil:
		return &help{Found: "wrong", Cells: wrong}, nil
	}
	position, err := human.Resume(&p.InitState, &left)
	if err != nil {
		return nil, err
	}
	techniques := order(solutions)
	var finder human.Finder
	for ctx.Err() == nil {
		step, ok := finder.Next(position, techniques...)
		if !ok {
			return &help{Found: "nothing"}, nil
		}
		if len(step.Place) > 0 || !p.note(step.Eliminate) {
			return helpOf(position, &step), nil
		}
		if err := position.Apply(&step); err != nil {
			return nil, err
		}
	}
	return nil, context.Cause(ctx)
}

// note reports whether the player's notes lack all the candidates.
func (p *hintParams) note(excluded []human.Candidate) bool {
	for _, c := range excluded {
		at := placeOf(c.Cell)
		if notes := p.Notes[at.X][at.Y]; notes == 0 || notes>>c.Digit&1 != 0 {
			return false
		}
	}
	return true
}

func helpOf(p *human.Position, s *human.Step) *help {
	h := &help{
		Found: "step", Technique: techniqueOf(s), ER: float64(s.Rating) / 10,
		Set: candidatesOf(s.Place), Exclude: candidatesOf(s.Eliminate), Causes: causes(p, s),
		Digits: []int{}, Houses: make([]house, len(s.Houses)),
		Text: []string{s.Hint(human.Vague), s.Hint(human.Where), s.Hint(human.Full)},
		Step: s.Encode(),
	}
	for d := range s.Digits.All() {
		h.Digits = append(h.Digits, d)
	}
	for i, at := range s.Houses {
		h.Houses[i] = house{[...]string{"row", "column", "box"}[at/9], int(at)%9 + 1}
	}
	return h
}

// causes returns what is seen of the reason of a step: the candidates of its pattern, and
// the filled cells that leave a single no other digit or no other place.
func causes(p *human.Position, s *human.Step) []candidate {
	var digits [81]human.Digits
	add := func(cells human.Set, of human.Digits) {
		for c := range cells.All() {
			digits[c] |= p.Candidates(c) & of
		}
	}
	add(human.Cells(s.Cells...), s.Digits)
	add(s.Fins, s.Digits)
	for _, set := range s.Sets {
		add(set.Cells, set.Digits)
	}
	for _, chain := range s.Chains {
		for _, link := range chain {
			add(link.From.Cells, 1<<link.From.Digit)
			add(link.To.Cells, 1<<link.To.Digit)
		}
	}
	for _, target := range s.Place {
		digits[target.Cell] &^= 1 << target.Digit
		for c := range human.Cell(81) {
			if s.Supports(p, c) {
				digits[c] = 1 << p.Digit(c)
			}
		}
	}
	list := []candidate{}
	for c := range human.Cell(81) {
		at := placeOf(c)
		for d := range digits[c].All() {
			list = append(list, candidate{at.X, at.Y, d})
		}
	}
	return list
}
