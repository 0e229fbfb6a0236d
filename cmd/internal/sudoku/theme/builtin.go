package theme

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// Default is the theme of a player who has chosen none.
const Default = "space"

//go:embed themes/*.theme
var files embed.FS

// builtins are the themes of the files, by name. They have no base.
var builtins struct {
	once   sync.Once
	themes map[string]*Theme
}

// builtin returns a theme of the files, or nil.
func builtin(name string) *Theme {
	builtins.once.Do(func() {
		builtins.themes = map[string]*Theme{}
		names, err := fs.Glob(files, "themes/*.theme")
		for _, name := range names {
			t := &Theme{lines: "double", blocks: true, glyphs: [numGlyphs]rune{'·', '▇', '·'}}
			data, _ := files.ReadFile(name)
			if err = t.read(path.Base(name), strings.NewReader(string(data))); err != nil {
				break
			}
			builtins.themes[strings.TrimSuffix(path.Base(name), ".theme")] = t
		}
		if err != nil {
			panic(fmt.Sprintf("theme: a built-in theme is wrong: %v", err))
		}
	})
	return builtins.themes[name]
}

// Names returns the names of the built-in themes, in the order in which they are offered.
func Names() []string { return []string{"space", "paper", "matrix", "contrast", "mono"} }

// Named returns the built-in theme with that name.
func Named(name string) (t *Theme, ok bool) {
	t = builtin(strings.ToLower(name))
	return t, t != nil
}
