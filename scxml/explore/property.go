package explore

import (
	"context"
	"fmt"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Property must hold in every state that a system rests in.
type Property struct {
	Name string
	// Holds reports whether the property holds in the present state of s. It may change s, and is
	// called on many goroutines, each with its own system. An error ends the search.
	Holds func(ctx context.Context, s System) (bool, error)

	look looks
	want bool // with look
}

// Check returns an error if an expression of [Never] or [Always] is not one for the chart: it does not pass
// [scxml.Chart.CheckLook]. [Run] checks its properties.
func (p Property) Check(chart *scxml.Chart) error { return p.look.check(chart, p.Name) }

// Expression returns the expression of [Never] and [Always], and the value that it must have.
func (p Property) Expression() (expr string, want, ok bool) {
	if p.look == nil {
		return "", false, false
	}
	return p.look[0], p.want, true
}

// looks are expressions of the chart's data model that may look at a session, but not change it.
type looks []string

func (l looks) check(chart *scxml.Chart, property string) error {
	for _, expr := range l {
		if err := chart.CheckLook(expr); err != nil {
			return fmt.Errorf("property %q: %w", property, err)
		}
	}
	return nil
}

// Never is the property that an expression of the chart's data model is not true in any state. See
// [Property.Check].
func Never(expr string) Property { return evaluated("never "+expr, expr, false) }

// Always is the property that an expression of the chart's data model is true in every state. See
// [Property.Check].
func Always(expr string) Property { return evaluated("always "+expr, expr, true) }

func evaluated(name, expr string, want bool) Property {
	holds := isTrue(name, expr)
	return Property{name, func(ctx context.Context, s System) (bool, error) {
		v, err := holds(ctx, s)
		return v == want, err
	}, looks{expr}, want}
}
