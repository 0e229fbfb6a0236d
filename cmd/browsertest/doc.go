// Package browsertest tests the pages of this project in headless Chromium: the game and the playground,
// which cmd/internal/sudoku/web/build makes, and the page of package inspect. It is a module of its own, so
// that nothing else depends on the driver of the browser.
//
//	cd cmd/browsertest && go test ./...
//
// The tests build the pages once, and need chromium or google-chrome in PATH, or its path in the
// environment variable CHROME; they are skipped without it. With -shots=DIR they leave pictures, and with
// -folder=DIR they test pages that are built already.
package browsertest
