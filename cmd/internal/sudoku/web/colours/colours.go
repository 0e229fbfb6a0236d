// Package colours turns themes of the terminal into a style sheet for the page. Each role of package
// theme becomes variables: --given is its ink, and --peer-paper its paper. A paper has an ink only
// if it decides that of all digits on it.
//
// Besides the themes of package theme there are two for the page alone, light and dark, between
// which the system chooses.
package colours

import (
	"embed"
	"fmt"
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
)

//go:embed *.theme
var files embed.FS

// Names returns the names of the themes, the page's own first.
func Names() []string {
	names := []string{"light", "dark"}
	for _, name := range theme.Names() {
		if t, _ := theme.Named(name); t.For(1<<24, true).Colours { // otherwise they are the terminal's
			names = append(names, name)
		}
	}
	return names
}

// Styles returns the styles of a theme.
func Styles(name string) (*theme.Styles, error) {
	t, ok := theme.Named(name)
	if !ok {
		file, err := files.Open(name + ".theme")
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if t, err = theme.Read(name+".theme", file); err != nil {
			return nil, err
		}
	}
	return t.For(1<<24, true), nil
}

// CSS returns the style sheet. Without the attribute data-theme the root of the document has the
// theme light or dark.
func CSS() ([]byte, error) {
	var b strings.Builder
	b.WriteString("/* Code generated from the themes. DO NOT EDIT. */\n")
	for _, name := range Names() {
		rules, err := variables(name)
		if err != nil {
			return nil, err
		}
		switch name {
		case "light":
			fmt.Fprintf(&b, ":root {\n%s}\n", rules)
		case "dark":
			fmt.Fprintf(&b, "@media (prefers-color-scheme: dark) { :root:not([data-theme]) {\n%s} }\n", rules)
		}
		fmt.Fprintf(&b, ":root[data-theme=%s] {\n%s}\n", name, rules)
	}
	return []byte(b.String()), nil
}

// variables returns the variables of a theme.
func variables(name string) (string, error) {
	s, err := Styles(name)
	if err != nil {
		return "", err
	}
	scheme := "light"
	if ink, paper := inkAndPaper(s.Of(theme.Text)); ink > paper { // as numbers: light ink
		scheme = "dark"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  color-scheme: %s;\n", scheme)
	for i, role := range theme.Roles() {
		r := theme.Role(i)
		ink, paper := inkAndPaper(s.Of(r))
		if theme.Cell <= r && r <= theme.Odd || theme.Peer <= r && r < theme.Idle {
			given, _ := inkAndPaper(s.On(r, theme.Given))
			note, _ := inkAndPaper(s.On(r, theme.Note))
			if ink = given; given != note {
				ink = ""
			}
		}
		if ink != "" {
			fmt.Fprintf(&b, "  --%s: %s;\n", role, ink)
		}
		fmt.Fprintf(&b, "  --%s-paper: %s;\n", role, paper)
	}
	return b.String(), nil
}

// inkAndPaper returns the colours of a style, as in "#1a2b3c".
func inkAndPaper(style tcell.Style) (ink, paper string) {
	fg, bg, _ := style.Decompose()
	return fmt.Sprintf("#%06x", fg.Hex()), fmt.Sprintf("#%06x", bg.Hex())
}
