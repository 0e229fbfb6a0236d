package editor

import "github.com/scxmlrun/scxmlrun/scxml"

// A Problem is a diagnostic of [scxml.Lint] with what an editor shows around it.
type Problem struct {
	Span        Span // what to underline; never empty, unless the text is
	Severity    scxml.Severity
	Code        string
	Message     string
	Explanation scxml.Explanation // of the code
	Related     []Place           // places that the message names
	Fixes       []Fix             // the most probable one first
	Unneeded    bool              // the span has no effect and can be shown pale
}

// A Fix is a change of the text that solves a [Problem].
type Fix struct {
	Title string // such as `write "state"`
	Edits []Edit
}

// Problems returns all diagnostics in document order. The first call takes as long as [scxml.Lint].
func (d *Document) Problems() []Problem { return nil }
