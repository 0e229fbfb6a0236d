package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/editor"
)

// pause is how long a document must stay as it is before it is checked.
const pause = 150 * time.Millisecond

// notifications are what the server is told. An error is logged.
var notifications = map[string]func(*server, json.RawMessage) error{
	"initialized":                      (*server).initialized,
	"textDocument/didOpen":             (*server).didOpen,
	"textDocument/didChange":           (*server).didChange,
	"textDocument/didClose":            (*server).didClose,
	"textDocument/didSave":             (*server).filesChanged,
	"workspace/didChangeWatchedFiles":  (*server).filesChanged,
	"$/cancelRequest":                  (*server).cancelRequest,
	"window/workDoneProgress/cancel":   (*server).cancelProgress,
	"workspace/didChangeConfiguration": func(*server, json.RawMessage) error { return nil },
}

// initialized asks the client to watch the files that charts name.
func (s *server) initialized(json.RawMessage) error {
	if !s.client.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		return nil
	}
	s.all.Go(func() {
		_, err := s.call(s.ctx, "client/registerCapability", object{"registrations": []object{{
			"id": "files", "method": "workspace/didChangeWatchedFiles",
			"registerOptions": object{"watchers": []object{{"globPattern": "**/*.{js,json,scxml,txt,xml}"}}},
		}}})
		if err != nil && s.ctx.Err() == nil {
			s.fail(s.log(err.Error()))
		}
	})
	return nil
}

func (s *server) didOpen(params json.RawMessage) error {
	p, err := decode[didOpenParams](params)
	if err != nil {
		return err
	}
	doc := p.TextDocument
	s.put(s.newDocument(doc.URI, doc.Version, newSource(doc.Text, s.encoding)), 0)
	return nil
}

func (s *server) didChange(params json.RawMessage) error {
	p, err := decode[didChangeParams](params)
	if err != nil {
		return err
	}
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return err
	}
	s.put(s.next(d, p.TextDocument.Version, d.text.change(p.ContentChanges)), pause)
	return nil
}

// put makes a version of a document the present one, and has it checked after a time.
func (s *server) put(d *document, after time.Duration) {
	s.mu.Lock()
	old := s.documents[d.uri]
	if old != nil {
		old.abandon()
	}
	s.documents[d.uri] = d
	s.mu.Unlock()
	if d.large != nil && (old == nil || old.large == nil) {
		s.fail(s.say(warningMessage, d.large.Error()))
	}
	s.checkAfter(d.uri, after)
}

func (s *server) didClose(params json.RawMessage) error {
	p, err := decode[documentParams](params)
	if err != nil {
		return err
	}
	s.mu.Lock()
	if d := s.documents[p.uri()]; d != nil {
		d.abandon()
	}
	delete(s.documents, p.uri())
	s.mu.Unlock()
	s.checkAfter(p.uri(), 0)
	return nil
}

// filesChanged checks all documents again, because what they name may have changed.
func (s *server) filesChanged(json.RawMessage) error {
	s.mu.Lock()
	var open []*document
	for _, d := range s.documents {
		open = append(open, d)
	}
	s.mu.Unlock()
	for _, d := range open {
		s.put(s.next(d, d.version, d.text), pause)
	}
	return nil
}

func (s *server) cancelRequest(params json.RawMessage) error {
	p, err := decode[struct {
		ID json.RawMessage `json:"id"`
	}](params)
	s.cancel(string(p.ID))
	return err
}

func (s *server) cancelProgress(params json.RawMessage) error {
	p, err := decode[progressToken](params)
	s.cancel(progressKey(p.Token))
	return err
}

func (s *server) cancel(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[key]; cancel != nil {
		cancel()
	}
}

// checkAfter checks a document after a time in which it does not change.
func (s *server) checkAfter(uri string, after time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timers == nil { // the server ends
		return
	}
	if timer := s.timers[uri]; timer != nil {
		timer.Stop()
	}
	var timer *time.Timer
	timer = time.AfterFunc(after, func() {
		s.mu.Lock()
		if s.timers[uri] != timer {
			s.mu.Unlock()
			return
		}
		delete(s.timers, uri)
		s.all.Add(1)
		s.mu.Unlock()
		defer s.all.Done()
		if _, err := s.guard(s.ctx, "diagnostics", func(context.Context) (any, error) { return nil, s.check(uri) }); !isResponse(err) {
			s.fail(err)
		}
	})
	s.timers[uri] = timer
}

// check sends the diagnostics of the present version of a document, none if it was closed. If the document
// changes meanwhile nothing is sent: it is checked again.
func (s *server) check(uri string) error {
	s.linting.Lock()
	defer s.linting.Unlock()
	d, _ := s.document(uri)
	p := publishDiagnosticsParams{URI: uri, Diagnostics: []diagnostic{}}
	if d != nil && d.large != nil {
		p.Version = &d.version
		p.Diagnostics = append(p.Diagnostics, diagnostic{Severity: severityWarning, Code: "document-limit", Source: "scxmlrun", Message: d.large.Error()})
	} else if d != nil {
		p.Version = &d.version
		problems := d.analysis().Problems()
		if len(problems) > maxShown {
			problems = slices.SortedStableFunc(slices.Values(problems), func(a, b editor.Problem) int { return cmp.Compare(a.Severity, b.Severity) })[:maxShown]
		}
		for _, problem := range problems {
			p.Diagnostics = append(p.Diagnostics, s.diagnostic(d, problem))
		}
	}
	if now, _ := s.document(uri); now != d || s.ctx.Err() != nil {
		return nil
	}
	return s.notify("textDocument/publishDiagnostics", p)
}

func (s *server) diagnostic(d *document, p editor.Problem) diagnostic {
	out := diagnostic{Range: d.span(p.Span), Severity: severityError + int(p.Severity), Code: p.Code, Source: "scxmlrun", Message: p.Message}
	if p.Unneeded {
		out.Tags = []int{unnecessary}
	}
	if uri := s.folder.explanation(p.Explanation); uri != "" {
		out.CodeDescription = &codeDescription{uri}
	}
	for _, place := range p.Related {
		out.RelatedInformation = append(out.RelatedInformation, relatedInformation{d.location(place), place.Text})
	}
	return out
}

// span returns the range of a span of a document.
func (d *document) span(s editor.Span) span { return d.text.span(s.Start, s.End) }
