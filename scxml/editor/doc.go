// Package editor answers what a text editor asks about an SCXML document while somebody writes it:
// what is wrong, what may be written here, where is this state, who sends this event. The text may
// be broken or cut off anywhere.
//
//	d := editor.Analyse("door.scxml", text, editor.Options{})
//	for _, p := range d.Problems() {
//		fmt.Println(d.LineAt(p.Span.Start)+1, p.Message)
//	}
//	for _, item := range d.Complete(cursor).Items {
//		fmt.Println(item.Label, item.Detail)
//	}
//
// [Analyse] reads a text and never fails. The [Document] that it returns is immutable: after each
// change of the text there is a new one, see [Document.Change]. Its methods can be called from several
// goroutines at once. What takes longer is computed when it is first asked for.
//
// The problems of a document are the diagnostics of [scxml.Lint], and no others. All other answers come
// from the package's own tree of the text, which needs no closing tag or quote. In an invoked document
// that is written inside another one, ids are its own.
//
// [Document.Operate] changes what a chart is made of: it adds, moves and deletes states and transitions, and
// leaves the rest of the text as it is. The function [Operate] does so with the bytes of a file in any encoding.
//
// All places are byte offsets in the text, which is UTF-8. Offsets outside of the text are moved to
// its start or end. The package does not know any protocol; cmd/scxmlrun has a language server that
// uses it.
//
// Names in code are understood for the data model ECMAScript; of others, only the ids in In('id') are.
// Script files are read to see whether a name can be changed, but are not changed themselves.
package editor
