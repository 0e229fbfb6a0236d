package lsp

import (
	"encoding/json"
	"slices"
)

// The types of the Language Server Protocol 3.17, as far as the server uses them. Their names and
// those of their fields are the protocol's.

// An object is a value of the protocol that is sent in one place only.
type object map[string]any

type position struct {
	Line      uint32 `json:"line"`      // from 0
	Character uint32 `json:"character"` // from 0, see encoding
}

type span struct { // Range
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

// Lifecycle.

type initializeParams struct {
	Capabilities          clientCapabilities `json:"capabilities"`
	InitializationOptions struct {           // ours
		Commands []string `json:"commands"` // showPlacesCommand and suggestCommand, if the client has them
	} `json:"initializationOptions"`
}

func (p *initializeParams) has(command string) bool {
	return slices.Contains(p.InitializationOptions.Commands, command)
}

type clientCapabilities struct {
	General struct {
		PositionEncodings []encoding `json:"positionEncodings"`
	} `json:"general"`
	TextDocument struct {
		Completion struct {
			CompletionItem struct {
				SnippetSupport bool `json:"snippetSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
		DocumentSymbol struct {
			Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
	} `json:"textDocument"`
	Window struct {
		WorkDoneProgress bool `json:"workDoneProgress"`
		ShowDocument     struct {
			Support bool `json:"support"`
		} `json:"showDocument"`
	} `json:"window"`
	Workspace struct {
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
	} `json:"workspace"`
}

const incrementalSync = 2

// Documents.

type didOpenParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int32  `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int32  `json:"version"`
	} `json:"textDocument"`
	ContentChanges []contentChange `json:"contentChanges"`
}

type contentChange struct {
	Range *span  `json:"range"` // nil: the whole text
	Text  string `json:"text"`
}

type documentParams struct { // of didClose, didSave, documentSymbol, foldingRange and codeLens
	TextDocument documentID `json:"textDocument"`
}

func (p documentParams) uri() string { return p.TextDocument.URI }

type documentID struct {
	URI string `json:"uri"`
}

// Diagnostics.

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int32       `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range              span                 `json:"range"`
	Severity           int                  `json:"severity"`
	Code               string               `json:"code"`
	CodeDescription    *codeDescription     `json:"codeDescription,omitempty"`
	Source             string               `json:"source"`
	Message            string               `json:"message"`
	Tags               []int                `json:"tags,omitempty"`
	RelatedInformation []relatedInformation `json:"relatedInformation,omitempty"`
}

const (
	severityError   = 1
	severityWarning = 2
	unnecessary     = 1 // a tag
)

type codeDescription struct {
	Href string `json:"href"`
}

type relatedInformation struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

// Requests about a place.

type placeParams struct { // TextDocumentPositionParams
	documentParams
	Position position `json:"position"`
}

type referenceParams struct {
	placeParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

type renameParams struct {
	placeParams
	NewName string `json:"newName"`
}

type formattingParams struct {
	documentParams
	Options formattingOptions `json:"options"`
}

type formattingOptions struct {
	TabSize      int  `json:"tabSize"`
	InsertSpaces bool `json:"insertSpaces"`
}

type codeActionParams struct {
	documentParams
	Range   span `json:"range"`
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type executeCommandParams struct {
	Command       string            `json:"command"`
	Arguments     []json.RawMessage `json:"arguments"`
	WorkDoneToken json.RawMessage   `json:"workDoneToken"`
}

// Answers.

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type completionItem struct {
	Label            string   `json:"label"`
	Kind             int      `json:"kind"`
	Detail           string   `json:"detail,omitempty"`
	Documentation    *markup  `json:"documentation,omitempty"`
	SortText         string   `json:"sortText"`
	InsertTextFormat int      `json:"insertTextFormat,omitempty"`
	TextEdit         textEdit `json:"textEdit"`
	Command          *command `json:"command,omitempty"`
}

const snippet = 2 // an insertTextFormat

type markup struct { // MarkupContent
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(text string) *markup { return &markup{"markdown", text} }

type hover struct {
	Contents *markup `json:"contents"`
	Range    span    `json:"range"`
}

type documentHighlight struct {
	Range span `json:"range"`
}

type prepareRename struct {
	Range       span   `json:"range"`
	Placeholder string `json:"placeholder"`
}

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          span             `json:"range"`
	SelectionRange span             `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

type symbolInformation struct { // for clients without hierarchicalDocumentSymbolSupport
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	Location      location `json:"location"`
	ContainerName string   `json:"containerName,omitempty"`
}

type foldingRange struct {
	StartLine uint32 `json:"startLine"`
	EndLine   uint32 `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

const quickFix = "quickfix"

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

// What the server tells and asks the client.

type messageParams struct { // of window/showMessage and window/logMessage
	Type    int    `json:"type"`
	Message string `json:"message"`
}

const (
	errorMessage   = 1
	warningMessage = 2
	infoMessage    = 3
)

type progressParams struct {
	Token json.RawMessage `json:"token"`
	Value workDone        `json:"value"`
}

type progressToken struct { // of window/workDoneProgress/create and cancel
	Token json.RawMessage `json:"token"`
}

type workDone struct {
	Kind        string `json:"kind"` // begin, report or end
	Title       string `json:"title,omitempty"`
	Cancellable bool   `json:"cancellable,omitempty"`
	Message     string `json:"message,omitempty"`
}
