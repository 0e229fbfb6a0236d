// Package lsp is a language server for SCXML: what package editor knows of a document, for editors that speak
// the Language Server Protocol 3.17.
//
// [Serve] reads messages and handles them one after the other, so that a request sees the text as it was when
// the request was sent. The text of a document and what is known of it are immutable, and each change makes a
// new version. So requests run on goroutines of their own, and can be cancelled. They are in requests.go and
// commands.go; sync.go has the notifications and the diagnostics, which follow a pause in the typing.
//
// The types of the protocol that are used are in protocol.go. source.go turns positions into offsets.
package lsp
