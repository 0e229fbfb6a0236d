// Package browsertest tests the pages that examples/sudoku/web/build makes, in headless Chromium. It is
// a module of its own, so that nothing else depends on the driver of the browser.
//
//	cd examples/sudoku/web/browsertest && go test ./...
//
// The tests build the pages once, and need chromium or google-chrome in PATH, or its path in the
// environment variable CHROME; they are skipped without it. With -shots=DIR they leave pictures.
package browsertest
