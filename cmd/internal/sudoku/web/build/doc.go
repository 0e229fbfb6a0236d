// Command build makes a folder with the pages of this project: the Sudoku, and the playground for
// charts. The folder is all that a web server needs, and "sudoku web" serves it too:
//
//	go run ./cmd/internal/sudoku/web/build -o dist/web
//	sudoku web --folder dist/web
//
// The folder has
//
//	index.html, *.js, …     the page of the game; what it loads lies next to it
//	rules.js, first/        the functions of the chart and the first view, to play while the program arrives
//	playground/             the playground
//	*.wasm                  the programs
//	wasm_exec.js            the part of Go's runtime that is JavaScript, from the Go that builds
//	wasm.js, program.js     what loads a program
//	offline.js, update.js   what keeps a page for times without a network, and replaces its version
//	build.js                the version, and the sizes and hashes of all files
//	*.gz, *.br              the same files compressed, of those that get smaller
//	licences/               of Go and of the modules that the programs contain
//
// The same sources and the same version of Go make the same bytes. The build fails if a program is
// larger than its page may load, see the table in pages.go.
package main
