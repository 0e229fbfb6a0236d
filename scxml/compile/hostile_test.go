package compile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// hostileTexts are what a chart could have in mind for Go source.
var hostileTexts = []string{
	"\n", "\r\n", "\t", `"`, "`", "'", `\`, "*/", "/*", "//", "%s%d%[9]s%!", "{{.}}", "\u2028", "\u2029", "\u0085", "\u007f", "\ufeff", "\u202e",
	"\n//line evil.go:1\n", "*/\n//line evil.go:1\n/*", "/*line evil.go:1*/", ":1:1", "\n//go:embed passwd\n", "\n//go:linkname a b\n",
	"\n}\n\nfunc init() { panic(0) }\n\nfunc x() {\n", `"+evil()+"`, `\"+evil()+\"`, "`+evil()+`", "; evil();", "func", "init", "日本", "e\u0301", "\U0001F600", "\U000e0001",
}

// slots are a chart with texts, each as <NAME> after a letter that keeps its place in the order of names.
const slots = `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="https://github.com/scxmlrun/scxmlrun/scxml" version="1.0" name="<name>" datamodel="ecmascript" initial="a<id>">
  <datamodel><data id="a<dataid>" expr="'x'"/><data id="b" expr="<string>"/><data id="c">'c<unquoted>'</data></datamodel>
  <script src="s<src>"/>
  <state id="a<id>">
    <onentry>
      <log label="<label>" expr="<string>"/>
      <raise event="a<raised>"/>
      <send event="b<sent>" id="<sendid>" target="<target>"><param name="p<param>" expr="b"/></send>
      <send event="c" type="<type>" delay="1s"><content><inline></content></send>
      <send eventexpr="<string>"/>
      <cancel sendid="<cancelled>"/>
      <h:act xmlns:h="u<space>" h:b="b<attr>" c="<attr>"><h:in>t<text></h:in></h:act>
      <assign location="b" expr="<string> + b"/>
      <if cond="b === <string>"><log expr="'x'"/></if>
      <script>b = <string></script>
    </onentry>
    <transition event="g<event>" cond="In('f')" target="b<target2>"/>
    <transition event="h" cond="_event.data[<member>] == 1 &amp;&amp; _event.name != <string>"/>
  </state>
  <state id="b<target2>">
    <invoke type="<invoketype>" id="<invokeid>" src="<invokesrc>"><param name="q<param2>" expr="1"/></invoke>
    <transition event="done.invoke.<done>" target="f"/>
  </state>
  <final id="f"><donedata><param name="d<doneparam>" expr="<string>"/></donedata></final>
</scxml>`

var slotName = regexp.MustCompile(`<([a-z]+\d?)>`)

// elements have none.
var elements = map[string]bool{"datamodel": true, "state": true, "onentry": true, "content": true, "donedata": true, "script": true}

// filled returns the chart with a text in one slot, and the file system with it.
func filled(slot, text string) (source []byte, fsys fstest.MapFS) {
	s := slotName.ReplaceAllStringFunc(slots, func(tag string) string {
		name := tag[1 : len(tag)-1]
		if elements[name] {
			return tag
		}
		value := "x"
		if name == slot {
			value = text
		}
		switch name {
		case "event", "done": // white space would separate several
			value = strings.Join(strings.Fields(value), "_")
		case "string", "member":
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.Encode(value)
			value = strings.TrimSpace(b.String())
		case "src":
			value = url.PathEscape(value)
		}
		return escapeXML(value)
	})
	fsys = fstest.MapFS{"sx": {Data: []byte("\n\nb = 'x' + b")}}
	if slot == "src" {
		fsys["s"+text] = fsys["sx"]
	}
	return []byte(s), fsys
}

func escapeXML(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("&<>\"'\n\r\t\u0085\u2028", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// A text of a chart, or its file name, changes quoted literals, comments and identifiers, and no other token.
func TestTextsStayTexts(t *testing.T) {
	names := []string{"file"}
	for _, m := range slotName.FindAllStringSubmatch(slots, -1) {
		if !elements[m[1]] && !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	compiled := map[string]int{}
	for _, dynamic := range []bool{false, true} {
		plainSource, fsys := filled("", "")
		plain, err := Source(fsys, "x.scxml", plainSource, Options{Package: "p", Dynamic: dynamic})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Source(fsys, "x.scxml", plainSource, Options{Package: "p", Dynamic: dynamic}); err != nil || !bytes.Equal(again, plain) {
			t.Errorf("the same chart gives another file (%v)", err)
		}
		want := tokens(t, plain)
		for j, slot := range names {
			for i, text := range hostileTexts {
				if (i+j)%5 != 0 || dynamic && i%2 != 0 {
					continue
				}
				name := "x.scxml"
				source, fsys := filled(slot, text)
				if slot == "file" {
					if strings.Contains(text, "/") {
						text = strings.ReplaceAll(text, "/", ":")
					}
					name = text + ".scxml"
				}
				code, err := Source(fsys, name, source, Options{Package: "p", Dynamic: dynamic})
				if errors.As(err, new(*scxml.DocumentError)) || errors.As(err, new(*UnsupportedError)) {
					continue
				}
				if err != nil {
					t.Fatalf("slot %s, text %q: %v", slot, text, err)
				}
				compiled[slot]++
				if err := sameTokens(want, tokens(t, code)); err != nil {
					t.Errorf("slot %s, text %q: %v", slot, text, err)
				}
				if i%6 == 0 && !dynamic {
					if err := typeCheck(code); err != nil {
						t.Errorf("slot %s, text %q: %v", slot, text, err)
					}
				}
			}
		}
	}
	for _, slot := range []string{"file", "name", "id", "string", "label", "raised", "sent", "sendid", "target", "param", "inline", "space", "attr", "text", "event", "src", "member", "doneparam", "invokesrc"} {
		if compiled[slot] < 2 {
			t.Errorf("slot %s: %d texts were compiled", slot, compiled[slot])
		}
	}
	t.Log(compiled)
}

// tokens returns the tokens of a file. It checks that its comments are of the forms that the generator writes.
func tokens(t *testing.T, code []byte) (all []string) {
	t.Helper()
	if _, err := parser.ParseFile(token.NewFileSet(), "", code, parser.SkipObjectResolution); err != nil {
		t.Fatalf("%v\n%s", err, code)
	}
	lineDirective := regexp.MustCompile(`^//line [^\n]*:[1-9]\d*$`)
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(code)), code, nil, scanner.ScanComments)
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return all
		case tok == token.COMMENT:
			if text != "//go:noinline" && !strings.HasPrefix(text, "// ") && !strings.HasPrefix(text, "/* ") && text != "//" && !strings.HasPrefix(text, "//\t") && !lineDirective.MatchString(text) {
				t.Errorf("a comment is %q", text)
			}
		case tok == token.STRING, tok == token.IDENT:
			if tok == token.STRING && text[0] != '"' {
				t.Errorf("a string is %s", text)
			}
			all = append(all, tok.String())
		case tok == token.INT: // a number of something, or its place
			all = append(all, tok.String())
		case tok == token.SEMICOLON:
			all = append(all, ";") // written or not
		default:
			all = append(all, tok.String()+text)
		}
	}
}

func sameTokens(want, got []string) error {
	for i, tok := range want {
		if i >= len(got) || got[i] != tok {
			return fmt.Errorf("token %d: got %q, want %q", i, got[min(max(i-5, 0), len(got)):min(i+5, len(got))], want[max(i-5, 0):min(i+5, len(want))])
		}
	}
	if len(got) > len(want) {
		return fmt.Errorf("%d tokens too much", len(got)-len(want))
	}
	return nil
}

// exports are the files with the types of the packages that generated code imports.
var exports = sync.OnceValues(func() (map[string]string, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", machinePath, dynamicPath, "time", "slices").Output()
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return files, err
})

var imported types.Importer

// The namespaces, attributes, texts and comments of inline XML change quoted literals only.
func TestInlineXMLStaysText(t *testing.T) {
	write := func(text string) []byte {
		in := escapeXML(text)
		source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"><datamodel><data id="a"><x xmlns="u` + in + `" b="` + in +
			`"><!-- ` + strings.ReplaceAll(text, "--", "") + ` -->t` + in + `<y/></x></data></datamodel><state id="s"/></scxml>`
		code, err := Source(fstest.MapFS{}, "x.scxml", []byte(source), Options{Package: "p", Dynamic: true})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		return code
	}
	want := tokens(t, write("x"))
	for _, text := range hostileTexts {
		if err := sameTokens(want, tokens(t, write(text))); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// typeCheck does what the compiler does before it makes code.
func typeCheck(code []byte) error {
	files, err := exports()
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	if imported == nil {
		imported = importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	}
	file, err := parser.ParseFile(fset, "x_gen.go", code, 0)
	if err != nil {
		return err
	}
	_, err = (&types.Config{Importer: imported}).Check("p", fset, []*ast.File{file}, nil)
	return err
}

// The charts of testdata/hostile are refused, or are compiled to code that compiles.
func TestHostileCharts(t *testing.T) {
	files, err := filepath.Glob("../testdata/hostile/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	escapes := regexp.MustCompile(`\\x[0-9A-F]{2}|\\\{`)
	compiled, refused, unsupported := 0, 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "=== ")[1:] {
			title, rest, _ := strings.Cut(part, "\n")
			source, _, _ := strings.Cut(rest, ">>> ")
			if escapes.MatchString(source) {
				continue // bytes, and repetitions
			}
			source = strings.ReplaceAll(source, `\head`, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`)
			for _, dynamic := range []bool{false, true} {
				code, err := Source(fstest.MapFS{}, "f.scxml", []byte(source), Options{Package: "p", Dynamic: dynamic})
				switch {
				case errors.As(err, new(*UnsupportedError)):
					unsupported++
				case errors.As(err, new(*scxml.DocumentError)):
					refused++
				case err != nil:
					t.Errorf("%s: %v", title, err)
				default:
					compiled++
					tokens(t, code)
					if err := typeCheck(code); err != nil {
						t.Errorf("%s (dynamic: %t): %v", title, dynamic, err)
					}
				}
				if err != nil && code != nil {
					t.Errorf("%s: code and an error", title)
				}
			}
		}
	}
	t.Logf("%d compiled, %d refused, %d cannot be compiled", compiled, refused, unsupported)
	if compiled < 50 || refused < 50 {
		t.Errorf("%d compiled, %d refused", compiled, refused)
	}
}
