// Package console is the page for the operators of a fleet: which sessions there are, which are stuck
// and why, one of them with its picture, data and queues as they change, and what an operator can do.
//
//	server := rest.New(rest.Config{Fleet: f, Tokens: tokens, Census: people, Picture: draw, Copies: copies.New(copies.Config{Fleet: f}), Page: console.New()})
//
// The page is files without secrets, which need no token. It asks for one, keeps it in the tab, and
// sends it as a header with each request to the server of package rest that it comes from: it is in no
// address and in no cookie, so it is in no log, and no other web site can use it. Its Content-Security-Policy
// lets the browser load and reach nothing else. What the token's scopes do not allow, the server refuses.
//
// Pictures and values are shown by the modules of package inspect. Its whole page, below copy/, shows copies
// of sessions, on which an operator tries things: the server needs package copies for that.
package console
