// Package static serves the folder that command build makes: the pages, and WebAssembly that is
// compressed already.
//
//	handler, err := static.New(os.DirFS("dist/web"))
//	…
//	err = http.ListenAndServe("127.0.0.1:8080", handler)
//
// Of a file NAME the folder may have NAME.br and NAME.gz too, or NAME.gz alone. A request gets the
// smallest that its Accept-Encoding allows; a client that allows none gets what is in NAME.gz,
// unpacked.
package static
