package scxml_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestExplanations checks the examples of the explanations: the wrong one has a diagnostic of the
// code, the right one has neither that nor an error.
func TestExplanations(t *testing.T) {
	for _, code := range scxml.Codes() {
		t.Run(code, func(t *testing.T) {
			e, ok := scxml.Explain(code)
			if !ok || e.Code != code || e.Title == "" || e.Text == "" || strings.HasSuffix(e.Title, ".") || !strings.HasSuffix(e.Text, ".") && !strings.HasSuffix(e.Text, ")") {
				t.Errorf("incomplete: %+v", e)
			}
			if code == "document-limit" {
				return
			}
			found := false
			for _, d := range lintText(t, e.Wrong) {
				if d.Code == code {
					found = true
					if d.Severity != e.Severity {
						t.Errorf("it is explained as an %v, but %v is an %v", e.Severity, d, d.Severity)
					}
				}
			}
			if !found {
				t.Errorf("wrong is not wrong: %s\n%v", e.Wrong, lintText(t, e.Wrong))
			}
			for _, d := range lintText(t, e.Right) {
				if d.Code == code || d.Severity == scxml.SeverityError {
					t.Errorf("right is not right: %v [%s]", d, d.Code)
				}
			}
		})
	}
	if _, ok := scxml.Explain("no-such-code"); ok {
		t.Error("Explain knows a code that does not exist")
	}
}

// lintText returns all diagnostics of a document or of a part of one.
func lintText(t *testing.T, text string) []scxml.Diagnostic {
	t.Helper()
	loader := scxml.WithLoader(fstest.MapFS{"good.js": {Data: []byte("var a = 1;")}})
	return scxml.Lint("chart.scxml", []byte(complete(text)), scxml.LintOptions{Portable: scxml.Engines(), Trust: true}, loader)
}

// complete makes an example a document.
func complete(text string) string {
	has := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
	}
	switch {
	case has("<scxml", "<scmxl", "<?", "<!", "{"):
		return text
	case has("<state", "<parallel", "<final", "<datamodel", "<script"):
	case has("<transition", "<onentry", "<invoke", "<history"):
		text = `<state id="s">` + text + `</state><final id="t"/>`
	default:
		text = `<state id="s"><onentry>` + text + `</onentry></state>`
	}
	if strings.HasPrefix(text, "<datamodel") || strings.HasPrefix(text, "<script") {
		text += "<final/>"
	}
	return `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">` + text + "</scxml>"
}

// TestCodes compares the codes in the source of the engine with the explained ones, and checks that
// each code and each of its messages occurs in a test, at its place in a document.
func TestCodes(t *testing.T) {
	emitted, formats := map[string]bool{}, map[string]bool{}
	for _, dir := range []string{".", "internal/doc", "internal/xmltree", "internal/lint"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s: %v", dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool { return codesIn(n, emitted, formats) })
		}
	}
	for code := range emitted {
		if _, ok := scxml.Explain(code); !ok {
			t.Errorf("the code %q has no explanation", code)
		}
	}
	for _, code := range scxml.Codes() {
		if !emitted[code] {
			t.Errorf("the code %q is explained, but nothing reports it", code)
		}
	}
	tests := ""
	for _, pattern := range []string{"testdata/diagnostics/*.scxml", "internal/doc/testdata/diagnostics/*.scxml", "internal/xmltree/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tests += strings.ReplaceAll(string(text), "- -", "--") // see TestLint
		}
	}
	for code := range emitted {
		if !strings.Contains(tests, " "+code+": ") {
			t.Errorf("no test has a diagnostic of the code %q at its place", code)
		}
	}
	for format := range formats {
		pattern := verbs.ReplaceAllStringFunc(regexp.QuoteMeta(format), func(verb string) string {
			switch verb {
			case "%q":
				return `"[^\n]*"`
			case "%d":
				return `\d+`
			}
			return `[^\n]*`
		})
		if !regexp.MustCompile(": " + pattern).MatchString(tests) {
			t.Errorf("no test has the message %q at its place", format)
		}
	}
	if all := scxml.Codes(); len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Error("a code is explained twice")
	}
}

var verbs = regexp.MustCompile(`%[0-9]*[a-zA-Z]`)

// codesIn collects the codes of a node: the second argument of the functions that report, fields
// Code, and variables code; and the formats of messages, the third argument of these functions.
func codesIn(n ast.Node, codes, formats map[string]bool) bool {
	collect := func(e ast.Expr, set map[string]bool) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				set[text] = true
			}
		}
	}
	add := func(e ast.Expr) { collect(e, codes) }
	switch n := n.(type) {
	case *ast.CallExpr:
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) >= 3 {
			switch sel.Sel.Name {
			case "errorf", "warnf", "note", "fail", "minor", "stop":
				add(n.Args[1])
				collect(n.Args[2], formats)
			}
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
			add(n.Value)
		}
	case *ast.CompositeLit:
		if id, ok := n.Type.(*ast.Ident); ok && id.Name == "Diagnostic" && len(n.Elts) == 4 {
			add(n.Elts[2])
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if id, ok := left.(*ast.Ident); ok && id.Name == "code" && len(n.Lhs) == len(n.Rhs) {
				add(n.Rhs[i])
			}
		}
	}
	return true
}
