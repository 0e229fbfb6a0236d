// Package explain explains the code of each diagnostic: what is wrong, which section of the REC says
// so, and an example.
package explain

import (
	"cmp"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// An Explanation explains what diagnostics with a code mean.
type Explanation struct {
	Code     string
	Severity doc.Severity // what diagnostics of the code usually have
	Title    string       // one line, without a full stop
	Section  string       // of the rule: in the REC, unless it names another document; "" for a matter of taste
	Text     string       // one paragraph
	Wrong    string       // an example, several lines perhaps; "" if there is none
	Right    string       // the same as it should be
}

// All returns all explanations, sorted by code.
func All() []Explanation {
	all := slices.Concat(ofXML, ofDocument, ofContent, ofLint)
	slices.SortFunc(all, func(a, b Explanation) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// The examples are documents, or parts of one: elements that belong in <scxml>,
// in a <state> or in an <onentry>.
