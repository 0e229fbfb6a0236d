package doc

import (
	"regexp"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// notXML returns one problem in the place of those of a file that is of another
// format, of which each is but a consequence; nil if the file is meant as XML.
func notXML(file string, src []byte) *xmltree.Problem {
	const enough = 4096
	text, err := xmltree.DecodeText(src)
	if err != nil || scxmlTag.MatchString(text) {
		return nil
	}
	start := strings.TrimSpace(comments().ReplaceAllString(text[:min(len(text), enough)], ""))
	for _, f := range formats() {
		if f.begins.MatchString(start) {
			if f.name == "" {
				return nil
			}
			return &xmltree.Problem{
				Pos:     datamodel.Position{File: file, Line: 1, Col: 1},
				Code:    "not-xml",
				Message: "this is " + f.name + ", not XML: a chart is an XML document whose root element is <scxml>",
			}
		}
	}
	return nil
}

var scxmlTag = regexp.MustCompile(`<([\w.-]+:)?scxml[\s/>]`)

// comments are comments of programs. This and the formats are compiled when a file is not a chart.
var comments = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*(//.*|/\*(?s:.*?)\*/)$`) })

// A format is something else that a file can be, and what such a file begins with.
type format struct {
	name   string
	begins *regexp.Regexp
}

// formats returns the formats. The first that matches counts; one without name is left to the XML
// parser.
var formats = sync.OnceValue(func() []format {
	return []format{
		{"HTML", regexp.MustCompile(`(?i)^<(!doctype\s+html|html)\b`)},
		{"", regexp.MustCompile(`^(<|$)`)},
		{"TOML", regexp.MustCompile(`^\[[\w.-]+\]\s*\n`)},
		{"JSON", regexp.MustCompile(`^[{\[]`)},
		{"Go", regexp.MustCompile(`^package \w+\s*\n`)},
		{"Java", regexp.MustCompile(`^(package|import) [\w.]+;`)},
		{"JavaScript", regexp.MustCompile(`^(import .* from |import ['"{]|export |const |let |var |function\b|class |'use strict'|"use strict"|module\.exports|\(function|\(\()`)},
		{"Python", regexp.MustCompile(`^(from \w+ import |import \w|def |class \w+.*:\s*\n|"""|#!.*python)`)},
		{"a shell script", regexp.MustCompile(`^#!`)},
		{"PlantUML", regexp.MustCompile(`^@start\w+`)},
		{"Mermaid", regexp.MustCompile(`^(stateDiagram|flowchart|graph (TD|LR|TB|RL|BT))`)},
		{"Graphviz", regexp.MustCompile(`^(strict )?(di)?graph\b.*\{`)},
		{"YAML", regexp.MustCompile(`^(---|- |[\w"' -]+:(\s|$))`)},
		{"plain text", regexp.MustCompile(``)},
	}
})
