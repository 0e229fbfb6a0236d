package mcp

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/check"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/guides"
)

// addResources adds the guides, and what check can say.
func addResources(m *mcp.Server) {
	add := func(uri, name, title, mime string, text func() (string, error)) {
		m.AddResource(&mcp.Resource{URI: uri, Name: name, Title: title, MIMEType: mime},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				t, err := text()
				if err != nil {
					return nil, err
				}
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mime, Text: t}}}, nil
			})
	}
	add("scxmlrun://diagnostics", "diagnostics", "All that check says of charts, explained", "text/plain", func() (string, error) {
		var b strings.Builder
		for _, code := range scxml.Codes() {
			text, err := check.Explanation(code)
			if err != nil {
				return "", err
			}
			b.WriteString(text + "\n")
		}
		return b.String(), nil
	})
	names, err := fs.Glob(guides.FS, "*.md")
	if err != nil {
		panic(err) // the pattern is one
	}
	for _, name := range names {
		read := func() (string, error) {
			text, err := fs.ReadFile(guides.FS, name)
			return string(text), err
		}
		text, err := read()
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err)) // it is compiled in
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		add("scxmlrun://guides/"+name, name, title, "text/markdown", read)
	}
}
