package uses

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// What may not be parsed has no uses: 400,000 nested parentheses ended the process here.
func TestTextThatIsTooDeep(t *testing.T) {
	const n = 400_000
	for _, code := range []string{
		strings.Repeat("(", n) + "a == 1" + strings.Repeat(")", n), strings.Repeat("[", n) + "a == 1" + strings.Repeat("]", n),
		"a == 1" + strings.Repeat(" + a", 50_000), strings.Repeat("!", 50_000) + "(a == 1)", strings.Repeat("a == 1 ? a : ", 20_000) + "b",
	} {
		if got := Of(syntax.DefaultLimits, datamodel.Condition, code); got != nil {
			t.Errorf("%.20s… has %d uses", code, len(got))
		}
		if got := Reads(syntax.DefaultLimits, datamodel.Condition, code, nil); got != nil {
			t.Errorf("%.20s… reads %v", code, got)
		}
	}
}
