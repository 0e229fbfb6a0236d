package conformance

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// A Report is the result of running a suite.
type Report struct {
	Name    string   `json:"suite"`
	Clock   Clock    `json:"clock"`
	Records []Record `json:"results"` // one for each test and form
	Summary []string `json:"summary"` // sentences
}

// A Record is the result of one test.
type Record struct {
	Form          Form          `json:"form,omitempty"`
	Test          string        `json:"test"`
	Sections      []string      `json:"sections,omitempty"` // of the REC
	Assertion     string        `json:"assertion,omitempty"`
	Verdict       Verdict       `json:"verdict"`
	Reason        string        `json:"reason,omitempty"` // why it did not pass
	Known         string        `json:"ledger,omitempty"` // the ledger's reason
	Configuration []string      `json:"last_configuration,omitempty"`
	Trace         string        `json:"trace,omitempty"`
	Took          time.Duration `json:"-"`
}

// Bad returns the number of records that fail the run.
func (r *Report) Bad() int {
	n := 0
	for _, rec := range r.Records {
		if rec.Verdict.Bad() {
			n++
		}
	}
	return n
}

// name returns the name of the test with its form.
func (rec Record) name() string { return strings.TrimSpace(string(rec.Form) + " " + rec.Test) }

// traceLines is the number of lines of a trace that WriteText prints, from its end.
const traceLines = 25

// WriteText writes what did not pass, and the summary.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, rec := range r.Records {
		switch rec.Verdict {
		case Fail:
			fmt.Fprintf(&b, "FAIL %s: %s\n", rec.name(), rec.Reason)
			if details := rec.details(); details != "" {
				b.WriteString(indent(details) + "\n")
			}
		case UnexpectedPass:
			fmt.Fprintf(&b, "FAIL %s: passes, but the ledger says: %s\n", rec.name(), rec.Known)
		case KnownFail:
			fmt.Fprintf(&b, "known %s: %s: %s\n", rec.name(), rec.Reason, rec.Known)
		}
	}
	for _, line := range r.Summary {
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// details returns what helps to find out why a test does not pass.
func (rec Record) details() string {
	var lines []string
	if rec.Assertion != "" {
		lines = append(lines, fmt.Sprintf("REC %s: %s", strings.Join(rec.Sections, ", "), rec.Assertion))
	}
	if len(rec.Configuration) > 0 {
		lines = append(lines, "last configuration: "+strings.Join(rec.Configuration, " "))
	}
	trace := strings.Split(strings.TrimSpace(rec.Trace), "\n")
	if rec.Trace == "" {
		return strings.Join(lines, "\n")
	}
	if n := len(trace); n > traceLines {
		lines = append(lines, fmt.Sprintf("trace (the last %d of %d lines):", traceLines, n))
		trace = trace[n-traceLines:]
	} else {
		lines = append(lines, "trace:")
	}
	for _, line := range trace {
		lines = append(lines, "  "+line)
	}
	return strings.Join(lines, "\n")
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// WriteJUnit writes the report as JUnit XML, with known failures as skipped.
func (r *Report) WriteJUnit(w io.Writer) error {
	type message struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
	type testCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"`
		Failure *message `xml:"failure"`
		Skipped *message `xml:"skipped"`
	}
	type suite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Time     string     `xml:"time,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	out := suite{Name: r.Name, Tests: len(r.Records)}
	var all time.Duration
	for _, rec := range r.Records {
		c := testCase{Class: strings.TrimRight(r.Name+"."+string(rec.Form), "."), Name: rec.Test, Time: inSeconds(rec.Took)}
		switch rec.Verdict {
		case Fail:
			c.Failure = &message{clean(rec.Reason), clean(rec.details())}
		case UnexpectedPass:
			c.Failure = &message{"passes, but the ledger says: " + clean(rec.Known), ""}
		case KnownFail:
			c.Skipped = &message{clean(rec.Known), ""}
			out.Skipped++
		}
		if c.Failure != nil {
			out.Failures++
		}
		all += rec.Took
		out.Cases = append(out.Cases, c)
	}
	out.Time = inSeconds(all)
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func inSeconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// clean replaces characters that XML does not allow.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r >= ' ' && r != 0xFFFE && r != 0xFFFF {
			return r
		}
		return '\uFFFD'
	}, text)
}

// WriteMarkdown writes what did not pass, and the summary.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", r.Name)
	for _, line := range r.Summary {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	b.WriteString("\n| test | outcome | why |\n|---|---|---|\n")
	for _, rec := range r.Records {
		why := rec.Reason
		if rec.Known != "" {
			why = strings.TrimPrefix(why+"; "+rec.Known, "; ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(rec.name()), rec.Verdict, cell(why))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cell escapes text for a cell of a Markdown table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
}
