package explore

import (
	"context"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Response is the property that each state in which When holds is one in which Then holds, or leads to
// one, whatever comes.
//
// That is so under a fairness assumption, since otherwise nothing may come at all: an event that from some
// time on could always come and change something does come, and time passes: no delayed event stays
// pending forever, but it can be cancelled again and again. With Options.Strong, an event that could come and
// change something again and again does come. All data of an event count as the same event, unless the
// System has EventOf.
type Response struct {
	Name       string
	When, Then func(ctx context.Context, s System) (bool, error) // as Property.Holds

	look looks
}

// Check returns an error if an expression of [LeadsTo] is not one for the chart, as [Property.Check].
func (r Response) Check(chart *scxml.Chart) error { return r.look.check(chart, r.Name) }

// maxResponses is how many responses one search can check.
const maxResponses = 32

// LeadsTo returns the response that a text "A => B" describes by two expressions of the chart's data model.
// An arrow in brackets or quotes belongs to an expression.
func LeadsTo(text string) (Response, error) {
	at := -1
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], "=>"):
			if at >= 0 {
				return Response{}, fmt.Errorf("%q has two arrows: put an expression with an arrow in parentheses", text)
			}
			at = i
		}
	}
	if at < 0 {
		return Response{}, fmt.Errorf(`%q is not "A => B": want two expressions, for example "In('waits') => In('eats')"`, text)
	}
	when, then := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+2:])
	if when == "" || then == "" {
		return Response{}, fmt.Errorf(`%q is not "A => B": want an expression on each side`, text)
	}
	name := when + " => " + then
	return Response{name, isTrue(name, when), isTrue(name, then), looks{when, then}}, nil
}

// isTrue returns a function that reports whether an expression is true.
func isTrue(name, expr string) func(ctx context.Context, s System) (bool, error) {
	return func(ctx context.Context, s System) (bool, error) {
		v, err := s.Eval(ctx, expr)
		if err != nil {
			return false, fmt.Errorf("property %q: %w", name, err)
		}
		return datamodel.Truth(v), nil
	}
}

// marks has two bits for each response: whether When holds in a state, and whether Then does.
type marks uint64

func (m marks) when(response int) bool { return m>>(2*response)&1 != 0 }
func (m marks) then(response int) bool { return m>>(2*response)&2 != 0 }

func markWith(ctx context.Context, s System, responses []Response) (m marks, err error) {
	for i, r := range responses {
		for bit, f := range []func(context.Context, System) (bool, error){r.When, r.Then} {
			holds, err := f(ctx, s)
			if err != nil {
				return 0, err
			}
			if holds {
				m |= 1 << (2*i + bit)
			}
		}
	}
	return m, nil
}
