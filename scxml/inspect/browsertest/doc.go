// Package browsertest tests the page of package inspect in headless Chromium. It is a module of its
// own, so that programs with an inspector do not depend on the driver of the browser.
//
//	cd scxml/inspect/browsertest && go test ./...
//
// The tests need chromium or google-chrome in PATH, or its path in the environment variable CHROME,
// and are skipped without it. With -shots=DIR they leave pictures of the page.
package browsertest
