// Package guides has the guides of this project, for programs that show them.
//
//	text, err := guides.FS.ReadFile("README.md") // which lists the others
package guides

import "embed"

// FS has the guides, as Markdown.
//
//go:embed *.md
var FS embed.FS
