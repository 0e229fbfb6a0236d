//go:build !pages

package main

import "io/fs"

// embedded has the pages if the binary was built with the tag pages.
var embedded fs.FS
