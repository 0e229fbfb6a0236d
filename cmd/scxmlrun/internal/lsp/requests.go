package lsp

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/editor"
)

// lifecycle has the requests that are answered before the next message is handled, which depends on them.
var lifecycle = map[string]func(*server, json.RawMessage) (any, error){
	"initialize": initialize,
	"shutdown":   shutdown,
}

// requests has the others that the server answers.
var requests = map[string]request{
	"textDocument/completion":        about((*server).completion),
	"textDocument/hover":             about((*server).hover),
	"textDocument/definition":        about((*server).definition),
	"textDocument/references":        about((*server).references),
	"textDocument/documentHighlight": about((*server).highlights),
	"textDocument/prepareRename":     about((*server).prepareRename),
	"textDocument/rename":            about((*server).rename),
	"textDocument/documentSymbol":    about((*server).symbols),
	"textDocument/foldingRange":      about((*server).folds),
	"textDocument/codeAction":        about((*server).codeActions),
	"textDocument/codeLens":          about((*server).lenses),
	"textDocument/formatting":        about((*server).format),
	"workspace/executeCommand":       executeCommand,
}

func initialize(s *server, params json.RawMessage) (any, error) {
	if s.stage != starting {
		return nil, failf(invalidRequest, "initialize was already sent")
	}
	p, err := decode[initializeParams](params)
	if err != nil {
		return nil, err
	}
	s.client, s.stage, s.encoding = p, serving, utf16Units
	for _, e := range p.Capabilities.General.PositionEncodings { // the client's favourite first
		if e == utf8Units || e == utf16Units || e == utf32Units {
			s.encoding = e
			break
		}
	}
	return object{
		"serverInfo": object{"name": "scxmlrun", "version": s.opts.Version},
		"capabilities": object{
			"positionEncoding":           s.encoding,
			"textDocumentSync":           object{"openClose": true, "change": incrementalSync, "save": true},
			"completionProvider":         object{"triggerCharacters": []string{"<", "/", " ", `"`, "'", ".", "#"}},
			"hoverProvider":              true,
			"definitionProvider":         true,
			"referencesProvider":         true,
			"documentHighlightProvider":  true,
			"documentSymbolProvider":     true,
			"foldingRangeProvider":       true,
			"codeActionProvider":         object{"codeActionKinds": []string{quickFix}},
			"codeLensProvider":           object{},
			"documentFormattingProvider": true,
			"renameProvider":             object{"prepareProvider": true},
			"executeCommandProvider":     object{"commands": []string{drawCommand, exploreCommand}},
		},
	}, nil
}

func shutdown(s *server, _ json.RawMessage) (any, error) {
	s.stage = ending
	return nil, nil
}

// offset returns the offset of the position of a request.
func (d *document) offset(p placeParams) int { return d.text.offset(p.Position) }

// completionKinds and symbolKinds are the protocol's numbers for what package editor has.
var (
	completionKinds = map[editor.ItemKind]int{
		editor.ElementItem: 10, editor.AttributeItem: 5, editor.ValueItem: 12, editor.StateItem: 7, editor.EventItem: 23,
		editor.DataItem: 6, editor.FunctionItem: 3, editor.IDItem: 18, editor.FileItem: 17,
	}
	symbolKinds = map[editor.SymbolKind]int{
		editor.ChartSymbol: 2, editor.StateSymbol: 5, editor.ParallelSymbol: 10, editor.FinalSymbol: 22, editor.HistorySymbol: 14,
		editor.TransitionSymbol: 24, editor.DataSymbol: 13, editor.InvokeSymbol: 11,
	}
)

func (s *server) completion(d *document, p placeParams) (any, error) {
	c := d.analysis().Complete(d.offset(p))
	list := completionList{IsIncomplete: c.Incomplete, Items: []completionItem{}}
	where := d.span(c.Replace)
	for i, item := range c.Items {
		out := completionItem{
			Label: item.Label, Kind: completionKinds[item.Kind], Detail: item.Detail, SortText: fmt.Sprintf("%05d", i),
			TextEdit: textEdit{where, item.Insert},
		}
		if item.Doc != "" {
			out.Documentation = markdown(item.Doc)
		}
		switch {
		case !s.client.Capabilities.TextDocument.Completion.CompletionItem.SnippetSupport: // some insert one line only
			out.TextEdit.NewText = strings.ReplaceAll(item.Insert, "\n", "")
		case item.Cursor != len(item.Insert):
			out.InsertTextFormat = snippet
			out.TextEdit.NewText = snippetText(item.Insert[:item.Cursor]) + "$0" + snippetText(item.Insert[item.Cursor:])
		}
		if item.Again && s.client.has(suggestCommand) {
			out.Command = &command{Title: "Complete", Command: suggestCommand}
		}
		list.Items = append(list.Items, out)
	}
	return list, nil
}

// snippetText returns a text as it is written in a snippet.
var snippetText = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`).Replace

func (s *server) hover(d *document, p placeParams) (any, error) {
	at := d.offset(p)
	h, found := d.analysis().Hover(at)
	var texts, codes []string
	for _, problem := range d.analysis().Problems() {
		if problem.Span.Start <= at && at < problem.Span.End && !slices.Contains(codes, problem.Code) {
			codes = append(codes, problem.Code)
			texts = append(texts, explanation(problem.Explanation))
			if !found {
				h.Span = problem.Span
			}
		}
	}
	if found {
		texts = append(texts, h.Text)
	}
	if len(texts) == 0 {
		return nil, nil
	}
	return hover{markdown(strings.Join(texts, "\n\n---\n\n")), d.span(h.Span)}, nil
}

// explanation returns an explanation as Markdown.
func explanation(e scxml.Explanation) string {
	if e.Code == "" {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** (%s)\n\n%s\n", inMarkdown(e.Title), e.Code, inMarkdown(e.Text))
	if e.Wrong != "" {
		fmt.Fprintf(&b, "\nWrong:\n\n```xml\n%s\n```\n", e.Wrong)
	}
	if e.Right != "" {
		fmt.Fprintf(&b, "\nRight:\n\n```xml\n%s\n```\n", e.Right)
	}
	if e.Section != "" {
		fmt.Fprintf(&b, "\nSee %s of the W3C Recommendation.\n", e.Section)
	}
	return b.String()
}

var tag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("</?[a-z]+/?>") })

// inMarkdown returns a text with its tags as code.
func inMarkdown(text string) string { return tag().ReplaceAllString(text, "`$0`") }

// location returns where a place of a document is.
func (d *document) location(p editor.Place) location {
	if p.File == "" {
		return location{d.uri, d.span(p.Span)}
	}
	return location{URI: file.URI(filepath.Join(filepath.Dir(file.FromURI(d.uri)), filepath.FromSlash(p.File)))}
}

func (d *document) locations(places []editor.Place) []location {
	out := []location{}
	for _, p := range places {
		if p.File == "" || file.FromURI(d.uri) != "" {
			out = append(out, d.location(p))
		}
	}
	return out
}

func (s *server) definition(d *document, p placeParams) (any, error) {
	return d.locations(d.analysis().Definition(d.offset(p))), nil
}

func (s *server) references(d *document, p referenceParams) (any, error) {
	return d.locations(d.analysis().References(d.offset(p.placeParams), p.Context.IncludeDeclaration)), nil
}

func (s *server) highlights(d *document, p placeParams) (any, error) {
	out := []documentHighlight{}
	for _, place := range d.analysis().References(d.offset(p), true) {
		if place.File == "" {
			out = append(out, documentHighlight{d.span(place.Span)})
		}
	}
	return out, nil
}

func (s *server) prepareRename(d *document, p placeParams) (any, error) {
	span, err := d.analysis().CanRename(d.offset(p))
	if err != nil {
		return nil, err
	}
	return prepareRename{d.span(span), d.text.content[span.Start:span.End]}, nil
}

func (s *server) rename(d *document, p renameParams) (any, error) {
	edits, err := d.analysis().Rename(d.offset(p.placeParams), p.NewName)
	if err != nil {
		return nil, err
	}
	return d.edit(edits), nil
}

func (s *server) format(d *document, p formattingParams) (any, error) {
	indent := "\t"
	if p.Options.InsertSpaces {
		indent = strings.Repeat(" ", min(max(p.Options.TabSize, 1), 16))
	}
	return d.edits(d.analysis().Format(indent)), nil
}

// edits returns edits of a document as the client wants them.
func (d *document) edits(edits []editor.Edit) []textEdit {
	out := []textEdit{}
	for _, e := range edits {
		out = append(out, textEdit{d.span(e.Span), e.Text})
	}
	return out
}

// edit returns the edits of a document.
func (d *document) edit(edits []editor.Edit) workspaceEdit {
	return workspaceEdit{map[string][]textEdit{d.uri: d.edits(edits)}}
}

func (s *server) symbols(d *document, _ documentParams) (any, error) {
	tree := d.symbols(d.analysis().Symbols())
	if s.client.Capabilities.TextDocument.DocumentSymbol.Hierarchical {
		return tree, nil
	}
	flat := []symbolInformation{}
	var add func(in string, all []documentSymbol)
	add = func(in string, all []documentSymbol) {
		for _, sym := range all {
			flat = append(flat, symbolInformation{sym.Name, sym.Kind, location{d.uri, sym.Range}, in})
			add(sym.Name, sym.Children)
		}
	}
	add("", tree)
	return flat, nil
}

func (d *document) symbols(all []editor.Symbol) []documentSymbol {
	out := []documentSymbol{}
	for _, sym := range all {
		out = append(out, documentSymbol{
			sym.Name, sym.Detail, symbolKinds[sym.Kind], d.span(sym.Span), d.span(sym.NameSpan), d.symbols(sym.Children),
		})
	}
	return out
}

func (s *server) folds(d *document, _ documentParams) (any, error) {
	out := []foldingRange{}
	for _, f := range d.analysis().Folds() {
		where := d.span(f.Span)
		fold := foldingRange{StartLine: where.Start.Line, EndLine: where.End.Line}
		if f.Comment {
			fold.Kind = "comment"
		}
		out = append(out, fold)
	}
	return out, nil
}

func (s *server) codeActions(d *document, p codeActionParams) (any, error) {
	out := []codeAction{}
	only := p.Context.Only
	if len(only) > 0 && !slices.Contains(only, quickFix) && !slices.Contains(only, "") {
		return out, nil
	}
	from, to := d.text.offset(p.Range.Start), d.text.offset(p.Range.End)
	for _, problem := range d.analysis().Problems() {
		if problem.Span.End < min(from, to) || problem.Span.Start > max(from, to) {
			continue
		}
		for i, fix := range problem.Fixes {
			out = append(out, codeAction{fix.Title, quickFix, []diagnostic{s.diagnostic(d, problem)}, i == 0, d.edit(fix.Edits)})
		}
	}
	return out, nil
}

func (s *server) lenses(d *document, _ documentParams) (any, error) {
	out := []codeLens{}
	for _, lens := range d.analysis().Lenses() {
		where := d.span(lens.Span)
		c := command{Title: lens.Title, Arguments: []any{d.uri}}
		switch lens.Action {
		case editor.Draw:
			c.Command = drawCommand
		case editor.Explore:
			c.Command = exploreCommand
		case editor.ShowPlaces:
			if !s.client.has(showPlacesCommand) {
				continue
			}
			c.Command, c.Arguments = showPlacesCommand, []any{d.uri, where.Start, d.locations(lens.Places)}
		}
		out = append(out, codeLens{where, c})
	}
	return out, nil
}
