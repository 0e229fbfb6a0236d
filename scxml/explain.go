package scxml

import "github.com/scxmlrun/scxmlrun/scxml/internal/explain"

// An Explanation says at length what a [Diagnostic] of a code means.
type Explanation struct {
	Code     string
	Severity Severity // what diagnostics of the code usually have
	Title    string   // one line, without a full stop
	Section  string   // where the rule stands: in the REC, unless it names another document; "" for a matter of taste
	Text     string   // one paragraph
	Wrong    string   // an example, several lines perhaps; "" if there is none
	Right    string   // the same as it should be
}

// Explain returns the explanation of the code of a [Diagnostic].
func Explain(code string) (Explanation, bool) {
	for _, e := range explain.All() {
		if e.Code == code {
			return Explanation{e.Code, Severity(e.Severity), e.Title, e.Section, e.Text, e.Wrong, e.Right}, true
		}
	}
	return Explanation{}, false
}

// Codes returns the codes of all diagnostics, sorted.
func Codes() []string {
	var all []string
	for _, e := range explain.All() {
		all = append(all, e.Code)
	}
	return all
}
