package playground

import (
	"net/http"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Problem is a diagnostic of the document.
type Problem struct {
	Line     int    `json:"line"`   // 1 is the first one; 0 means that the place is unknown
	Column   int    `json:"column"` // in characters, from 1
	Severity string `json:"severity"`
	Code     string `json:"code"` // for GET explain/CODE; may be empty
	Message  string `json:"message"`
}

// check returns the problems of a document in document order.
func (p *Playground) check(source []byte) []Problem {
	problems := []Problem{}
	for _, d := range scxml.Lint(fileName, source, scxml.LintOptions{}, options(p.files)...) {
		problems = append(problems, Problem{d.Pos.Line, d.Pos.Col, d.Severity.String(), d.Code, d.Message})
	}
	return problems
}

func hasErrors(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity == scxml.SeverityError.String() })
}

func serveExplain(w http.ResponseWriter, r *http.Request) {
	code := r.PathValue("code")
	e, ok := scxml.Explain(code)
	if !ok {
		http.Error(w, "there is no explanation of "+code, http.StatusNotFound)
		return
	}
	answer(w, map[string]string{"title": e.Title, "section": e.Section, "text": e.Text, "wrong": e.Wrong, "right": e.Right})
}
