package check

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// The form of --format json. Fields are only ever added.
type (
	jsonReport struct {
		Version     int              `json:"version"` // of this form: 1
		Files       int              `json:"files"`   // that were read
		Errors      int              `json:"errors"`
		Warnings    int              `json:"warnings"`
		Notes       int              `json:"notes"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
		Failures    []jsonFailure    `json:"failures"`
	}
	jsonDiagnostic struct {
		File     string `json:"file"`
		Line     int    `json:"line"`   // from 1
		Column   int    `json:"column"` // in Unicode characters, from 1
		Severity string `json:"severity"`
		Code     string `json:"code"`
		Message  string `json:"message"`
	}
	jsonFailure struct { // a file that could not be read
		File    string `json:"file"`
		Message string `json:"message"`
	}
)

func (r *report) writeJSON(out *text.Writer) {
	form := jsonReport{
		Version: 1, Files: r.charts, Errors: r.errors, Warnings: r.warnings, Notes: r.notes,
		Diagnostics: []jsonDiagnostic{}, Failures: []jsonFailure{},
	}
	for i := range r.results {
		c := &r.results[i]
		if c.err != nil {
			form.Failures = append(form.Failures, jsonFailure{filepath.ToSlash(c.name), c.err.Error()})
		}
		for _, d := range c.diagnostics {
			form.Diagnostics = append(form.Diagnostics, jsonDiagnostic{d.Pos.File, d.Pos.Line, d.Pos.Col, d.Severity.String(), d.Code, d.Message})
		}
	}
	writeJSON(out, form)
}

// writeJSON writes a value, with line breaks and indented.
func writeJSON(out *text.Writer, v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic(err) // there is nothing in it that JSON lacks
	}
	out.Print(cli.Escape(b.String(), cli.InJSON))
}

// The part of SARIF 2.1.0 that is written (OASIS Standard, 27 March 2020; the
// numbers are those of its sections).
type (
	sarifLog struct { // 3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // 3.14
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct { // 3.18
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct { // 3.19
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct { // 3.49
		ID       string      `json:"id"`
		Short    sarifText   `json:"shortDescription"`
		Full     sarifText   `json:"fullDescription"`
		Help     sarifText   `json:"help"`
		Defaults sarifConfig `json:"defaultConfiguration"`
	}
	sarifText struct { // 3.11, 3.12
		Text string `json:"text"`
	}
	sarifConfig struct { // 3.50
		Level string `json:"level"`
	}
	sarifInvocation struct { // 3.20
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct { // 3.58
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifResult struct { // 3.27
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct { // 3.28
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct { // 3.29
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct { // 3.4
		URI string `json:"uri"`
	}
	sarifRegion struct { // 3.30
		Line   int `json:"startLine"`
		Column int `json:"startColumn"`
	}
)

func (r *report) writeSARIF(out *text.Writer) {
	run := sarifRun{
		ColumnKind: "unicodeCodePoints", // 3.14.17: the columns of our positions
		Results:    []sarifResult{},
	}
	driver := sarifDriver{Name: "scxmlrun", Version: cli.Version(), InformationURI: "https://github.com/scxmlrun/scxmlrun", Rules: []sarifRule{}}
	invocation := sarifInvocation{Successful: r.failed == 0}
	var codes []string
	for i := range r.results {
		for _, d := range r.results[i].diagnostics {
			if !slices.Contains(codes, d.Code) {
				codes = append(codes, d.Code)
			}
		}
	}
	slices.Sort(codes)
	for _, code := range codes {
		e, _ := scxml.Explain(code)
		driver.Rules = append(driver.Rules, sarifRule{code, sarifText{e.Title + "."}, sarifText{oneLine(e.Text)}, sarifText{explanation(e)}, sarifConfig{e.Severity.String()}})
	}
	for i := range r.results {
		c := &r.results[i]
		if c.err != nil {
			invocation.Notifications = append(invocation.Notifications, sarifNotification{"error", sarifText{c.err.Error()}, []sarifLocation{locate(filepath.ToSlash(c.name), 0, 0)}})
		}
		for _, d := range c.diagnostics {
			index, _ := slices.BinarySearch(codes, d.Code)
			run.Results = append(run.Results, sarifResult{d.Code, index, d.Severity.String(), sarifText{d.Message}, []sarifLocation{locate(d.Pos.File, d.Pos.Line, d.Pos.Col)}})
		}
	}
	run.Tool.Driver = driver
	run.Invocations = []sarifInvocation{invocation}
	writeJSON(out, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

// locate returns a place in a file. Its name becomes a URI, relative unless
// the name is absolute (SARIF 3.4.3).
func locate(file string, line, col int) sarifLocation {
	u := url.URL{Path: file}
	if filepath.IsAbs(filepath.FromSlash(file)) {
		u.Scheme = "file"
		if file[0] != '/' { // C:/…
			u.Path = "/" + file
		}
	}
	loc := sarifLocation{sarifPhysical{Artifact: sarifArtifact{u.String()}}}
	if line > 0 {
		loc.Physical.Region = &sarifRegion{line, col}
	}
	return loc
}
