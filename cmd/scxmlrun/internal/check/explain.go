package check

import (
	"fmt"
	"os"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Explain prints what check --explain says of a code, or all codes for "list".
func Explain(code string) error {
	if code == "list" {
		return cli.Printed(fmt.Fprint(os.Stdout, Codes()))
	}
	text, err := Explanation(code)
	switch {
	case err != nil && cli.Nearest(code, scxml.Codes()) != "":
		return cli.Usagef("%v", err)
	case err != nil:
		return cli.Usagef("%v; \"--explain list\" shows all", err)
	}
	return cli.Printed(fmt.Fprint(os.Stdout, text))
}

// Explanation returns what there is to say about a code.
func Explanation(code string) (string, error) {
	e, ok := scxml.Explain(strings.Trim(code, "[]"))
	if !ok {
		return "", fmt.Errorf("there is no code %q%s", code, cli.DidYouMean(code, scxml.Codes()))
	}
	return explanation(e), nil
}

// Codes returns a line for each code.
func Codes() string {
	var b strings.Builder
	for _, code := range scxml.Codes() {
		e, _ := scxml.Explain(code)
		fmt.Fprintf(&b, "%-23s %-8s %s\n", code, e.Severity, e.Title)
	}
	return b.String()
}

// explanation returns what --explain prints.
func explanation(e scxml.Explanation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", e.Code, e.Title)
	where := e.Severity.String()
	if e.Section != "" {
		spec := "SCXML, section "
		if strings.Contains(e.Section, "XML") {
			spec = ""
		} else if strings.ContainsAny(e.Section, " ,") {
			spec = "SCXML, sections "
		}
		where += "; " + spec + e.Section
	}
	fmt.Fprintf(&b, "%s\n\n%s\n", where, text.Fill(e.Text, 78, ""))
	if e.Wrong != "" {
		fmt.Fprintf(&b, "\nWrong:\n%s\nRight:\n%s", indent(e.Wrong), indent(e.Right))
	}
	return b.String()
}

// oneLine returns text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// indent indents each line of text.
func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
}
