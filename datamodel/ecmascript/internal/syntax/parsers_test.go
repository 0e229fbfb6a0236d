package syntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// parsing are the functions of goja that parse a text, and the place of the text among their arguments.
var parsing = map[string]int{
	"ParseFile": 2, "ParseFunction": 1, "TransformRegExp": 0, "Parse": 1, "Compile": 1, "MustCompile": 1, "RunString": 0, "RunScript": 1,
}

// Only [Limits.parse] parses text that is not written in this repository, in all of its modules.
func TestOneFunctionParses(t *testing.T) {
	want := []string{
		"datamodel/ecmascript/internal/native/native.go: RunString", // of the callers of Pristine.Func
		"datamodel/ecmascript/internal/syntax/tree.go: ParseFile",
	}
	root := filepath.FromSlash("../../../..")
	got := map[string]bool{}
	modules := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == "go.mod":
			modules++
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".git") || d.Name() == "testdata"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(text), `"github.com/dop251/goja`) {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				name, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				at, ok := parsing[name.Sel.Name]
				if !ok || len(call.Args) <= at {
					return true
				}
				if _, written := call.Args[at].(*ast.BasicLit); !written {
					rel, _ := filepath.Rel(root, path)
					got[filepath.ToSlash(rel)+": "+name.Sel.Name] = true
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if list := slices.Sorted(maps.Keys(got)); !slices.Equal(list, want) || modules < 2 {
		t.Errorf("%d modules parse text in\n%s\nwant\n%s", modules, strings.Join(list, "\n"), strings.Join(want, "\n"))
	}
}
