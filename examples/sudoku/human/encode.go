package human

import (
	"encoding/json"
	"fmt"
)

// Encode returns a step as text for [DecodeStep], for example to send it to another program.
func (s *Step) Encode() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // it has only numbers
	}
	return string(text)
}

// DecodeStep reads the text of a step. The step can be explained, even if the text does not
// come from Encode; whether it is right is another question.
func DecodeStep(text string) (s *Step, err error) {
	defer func() {
		if fault := recover(); fault != nil { // it lacks what its technique is about, or has numbers of no cell
			s, err = nil, fmt.Errorf("human: %q is not a step: %v", text, fault)
		}
	}()
	s = new(Step)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		return nil, fmt.Errorf("human: %q is not a step: %w", text, err)
	}
	for stage := Vague; stage <= Full; stage++ {
		s.Explain(stage, exact)
	}
	return s, nil
}

// exact is a Say that panics if a cell or a house does not exist.
func exact(p Phrase, args ...any) string {
	for _, a := range args {
		switch a := a.(type) {
		case Cell:
			_ = housesOf[a]
		case Candidate:
			_ = housesOf[a.Cell]
		case House:
			_ = houses[a]
		}
	}
	return english(p, args...)
}

// MarshalText returns the name of a technique.
func (t Technique) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the name of a technique, see [ParseTechnique].
func (t *Technique) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTechnique(string(text))
	return err
}

// MarshalJSON returns the numbers of the cells.
func (s Set) MarshalJSON() ([]byte, error) { return json.Marshal(s.list()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Set) UnmarshalJSON(text []byte) error {
	var list []Cell
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	for _, c := range list {
		if c < 0 || c > 80 {
			return fmt.Errorf("%d is not a cell: want 0 to 80", c)
		}
	}
	*s = Cells(list...)
	return nil
}
