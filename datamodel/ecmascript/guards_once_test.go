package ecmascript_test

import "testing"

// TestGuardsReadArgumentsOnce: what a guard has found small enough is what the
// library gets, although an object can say something else when it is asked again.
func TestGuardsReadArgumentsOnce(t *testing.T) {
	st := newStore(t)
	for _, script := range []string{
		"var n = 0; if ('x'.padStart({valueOf: () => n++ ? 4e8 : 3}).length !== 3) throw 'twice'",
		"var n = 0; if ('x'.padEnd({valueOf: () => n++ ? 4e8 : 3}).length !== 3) throw 'twice'",
		"var n = 0; if ('x'.repeat({valueOf: () => n++ ? 4e8 : 3}).length !== 3) throw 'twice'",
		"var n = 0; if (''.padStart.call({toString: () => n++ ? 'xxxx' : 'x'}, 3).length !== 3) throw 'twice'",
		"var n = 0; if (''.repeat.call({toString: () => n++ ? 'xxxx' : 'x'}, 3).length !== 3) throw 'twice'",
	} {
		st.run(script)
	}
}
