package explore

import (
	"context"
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A Property must hold in every state that a system rests in.
type Property struct {
	Name string
	// Holds reports whether the property holds in the present state of s. It may change s, and is
	// called on many goroutines, each with its own system. An error ends the search.
	Holds func(ctx context.Context, s System) (bool, error)
}

// Never is the property that an expression of the chart's data model is not true in any state.
func Never(expr string) Property { return evaluated("never "+expr, expr, false) }

// Always is the property that an expression of the chart's data model is true in every state.
func Always(expr string) Property { return evaluated("always "+expr, expr, true) }

func evaluated(name, expr string, want bool) Property {
	return Property{name, func(ctx context.Context, s System) (bool, error) {
		v, err := s.Eval(ctx, expr)
		if err != nil {
			return false, fmt.Errorf("property %q: %w", name, err)
		}
		return truth(v) == want, nil
	}}
}

// truth is the operation ToBoolean of ECMAScript.
func truth(v datamodel.Value) bool {
	switch v := v.(type) {
	case nil, datamodel.NullType:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0 && v == v
	case string:
		return v != ""
	}
	return true
}
