// Package editor answers what a text editor asks about an SCXML document while somebody writes it:
// what is wrong, what may be written here, where is this state, who sends this event. The text may
// be broken or cut off anywhere.
//
// [Analyse] reads a text and never fails. The [Document] that it returns is immutable: after each
// change of the text there is a new one. Its methods can be called from several goroutines at once.
// What takes longer is computed when it is first asked for.
//
// All places are byte offsets in the text, which is UTF-8. Offsets outside of the text are moved to
// its start or end. The package does not know any protocol; cmd/scxmlrun has a language server that
// uses it.
package editor
