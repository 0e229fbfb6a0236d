package words

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const (
	self      = "github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	explainer = "github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A use is a place in the code that has a key.
type use struct {
	at   token.Position
	key  string
	args int // that T gets with it; -1 if the key is elsewhere, in a table for example
}

// uses returns the keys in the code of this module: its constants of the types Key and
// human.Phrase.
func uses(t *testing.T) (all []use) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,Dir,GoFiles,Imports", "../../../../examples/sudoku/...", "../../../...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	type pkg struct {
		ImportPath, Export, Dir string
		GoFiles, Imports        []string
	}
	exports := map[string]string{}
	var using []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath == self || p.ImportPath == explainer || slices.Contains(p.Imports, self) {
			using = append(using, p)
		}
	}
	set := token.NewFileSet()
	compiled := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range using {
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if _, err := (&types.Config{Importer: compiled}).Check(p.ImportPath, set, parsed, info); err != nil {
			t.Fatal(err)
		}
		isKey := func(e ast.Expr) bool {
			switch t := info.Types[e].Type; t.String() {
			case self + ".Key", explainer + ".Phrase":
				return true
			}
			return false
		}
		args := map[ast.Expr]int{}
		for _, f := range parsed {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if len(call.Args) > 0 && isKey(call.Args[0]) && !info.Types[call.Fun].IsType() {
					args[call.Args[0]] = len(call.Args) - 1
				}
				if info.Types[call.Fun].IsType() && isKey(call) && info.Types[call].Value == nil && !isKey(call.Args[0]) {
					t.Errorf("%s: this key is not a constant: its translation cannot be found", set.Position(call.Pos()))
				}
				return true
			})
		}
		for e, value := range info.Types {
			if value.Value == nil || !isKey(e) || constant.StringVal(value.Value) == "" {
				continue
			}
			u := use{set.Position(e.Pos()), constant.StringVal(value.Value), -1}
			if n, ok := args[e]; ok {
				u.args = n
			}
			all = append(all, u)
		}
	}
	slices.SortFunc(all, func(a, b use) int { return strings.Compare(a.at.String(), b.at.String()) })
	return all
}

// verbs returns the verbs of a format by the number of their argument, and the number of
// arguments.
func verbs(format string) (by map[int]string, args int) {
	by = map[int]string{}
	next := 1
	for _, m := range verb().FindAllStringSubmatch(format, -1) {
		if m[3] == "%" {
			continue
		}
		if index := m[1] + m[2]; index != "" {
			fmt.Sscan(index, &next)
		}
		by[next] = m[3]
		args = max(args, next)
		next++
	}
	return by, args
}

// Every text has a translation into each language, and each translation is of a text.
func TestEveryKeyIsTranslated(t *testing.T) {
	all := uses(t)
	if len(all) < 10 {
		t.Fatalf("only %d keys found", len(all))
	}
	used := map[string]bool{}
	for _, name := range names() {
		used[name] = true
		if m := puzzle().FindStringSubmatch(name); m != nil {
			used[m[2]] = true
		}
	}
	for _, u := range all {
		used[u.key] = true
		if _, n := verbs(u.key); u.args >= 0 && u.args != n {
			t.Errorf("%s: T(%q) has %d arguments, want %d", u.at, u.key, u.args, n)
		}
	}
	for _, lang := range Languages() {
		texts, err := read(lang)
		if err != nil {
			t.Fatal(err)
		}
		for key := range texts {
			if !used[key] {
				t.Errorf("%s/*.json: %q is not used: remove it", lang, key)
			}
		}
		var missing strings.Builder
		for _, u := range all {
			if _, ok := texts[u.key]; !ok && lang != "en" && strings.ContainsFunc(verb().ReplaceAllString(u.key, ""), unicode.IsLetter) {
				texts[u.key] = text{} // told once
				fmt.Fprintf(&missing, "%s\n%q: \"\",\n", u.at, u.key)
			}
		}
		if missing.Len() > 0 {
			t.Errorf("%s/*.json lack translations. Add them:\n%s", lang, missing.String())
		}
	}
}

// A translation writes what the text does: the verbs are the same. Only the counted
// number may be missing where it is spelled out.
func TestVerbsAgree(t *testing.T) {
	for _, lang := range Languages() {
		texts, err := read(lang)
		if err != nil {
			t.Fatal(err)
		}
		for key, translation := range texts {
			want, _ := verbs(key)
			forms := map[string]string{"": translation.other}
			if translation.cases != nil {
				forms = translation.cases
				if forms["other"] == "" || counted(key) == 0 {
					t.Errorf("%s: %q: a plural needs a %%d in the key and the case \"other\"", lang, key)
				}
			}
			for name, form := range forms {
				got, _ := verbs(form)
				if n := counted(key); name == "one" || name == "=0" || name == "=1" {
					if _, ok := got[n]; !ok {
						got[n] = want[n]
					}
				}
				if !maps.Equal(got, want) {
					t.Errorf("%s: %q: verbs of %q differ", lang, key, form)
				}
			}
		}
	}
}

// Labels of menus, buttons and key lines are short in all languages: a short text does
// not become twice as long.
func TestLabelsStayShort(t *testing.T) {
	texts, err := read("nl")
	if err != nil {
		t.Fatal(err)
	}
	for key, translation := range texts {
		n := utf8.RuneCountInString(key)
		if got := utf8.RuneCountInString(translation.other); n <= 30 && got > max(n+n/2, n+10) {
			t.Errorf("%q has %d characters, its translation %d: %q", key, n, got, translation.other)
		}
	}
}

// No key occurs twice in the catalogues of a language: one of them would win in silence.
func TestCataloguesHaveEachKeyOnce(t *testing.T) {
	names, _ := filepath.Glob("*/*.json")
	seen := map[string]string{}
	for _, name := range names {
		source, err := files.ReadFile(filepath.ToSlash(name))
		if err != nil {
			t.Fatalf("%v: is it embedded?", err)
		}
		d := json.NewDecoder(bytes.NewReader(source))
		d.Token()
		for d.More() {
			key, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			id := fmt.Sprintf("%s: %q", filepath.Dir(name), key)
			if seen[id] != "" {
				t.Errorf("%s has %q, as has %s", name, key, seen[id])
			}
			seen[id] = name
			var translation text
			if err := d.Decode(&translation); err != nil {
				t.Fatalf("%s: %q: %v", name, key, err)
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("only %d texts found", len(seen))
	}
}
