package human

import (
	"reflect"
	"strings"
	"testing"
)

// A step that is read says the same as the one that was written.
func TestEncodedStepIsTheSame(t *testing.T) {
	var f Finder
	for _, e := range examples(t) {
		s, _ := f.Next(e.line.Position, e.technique)
		got, err := DecodeStep(s.Encode())
		if err != nil {
			t.Fatalf("%v: %v", e.technique, err)
		}
		if !reflect.DeepEqual(*got, s) {
			t.Errorf("%v is read as %v", s.String(), got)
		}
	}
}

// A text of another program does not end this one.
func TestDecodeStepRefusesOtherTexts(t *testing.T) {
	for _, text := range []string{
		"", "null", "{}", `{"Technique":"X-Wing"}`, `{"Technique":"Y-Wing"}`, `{"Technique":"AIC","Chains":[[]]}`,
		`{"Technique":"Naked Single","Cells":[1],"Place":[]}`, `{"Technique":"Pointing","Houses":[99],"Cover":[1],"Cells":[1]}`,
		`{"Technique":"Naked Single","Cells":[81],"Place":[{"Cell":80,"Digit":1}]}`,
		`{"Technique":"Unique Loop","Fins":[81]}`, `{"Technique":"Naked Pair","Cells":[-7]}`,
	} {
		if s, err := DecodeStep(text); err == nil || !strings.Contains(err.Error(), "is not a step") {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
}

// Every part of a reason is said, so that it can be said in another language.
func TestExplainSaysEverything(t *testing.T) {
	shout := func(p Phrase, args ...any) string { return strings.ToUpper(english(p, args...)) }
	var f Finder
	for _, e := range examples(t) {
		s, _ := f.Next(e.line.Position, e.technique)
		for stage := Vague; stage <= Full; stage++ {
			if got, want := s.Explain(stage, shout), strings.ToUpper(s.Hint(stage)); got != want {
				t.Errorf("%v: %s\nwant %s", e.technique, got, want)
			}
		}
	}
}
