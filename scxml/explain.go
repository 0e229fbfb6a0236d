package scxml

import "github.com/scxmlrun/scxmlrun/scxml/internal/explain"

// An Explanation explains the code of a [Diagnostic].
type Explanation struct {
	Code     string
	Severity Severity // the usual severity of the code
	Title    string   // one line, without a full stop
	Section  string   // section of the REC or, with its name, of another document; "" for a matter of taste
	Text     string   // one paragraph
	Wrong    string   // an example, perhaps of several lines, or ""
	Right    string   // the same, corrected
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
