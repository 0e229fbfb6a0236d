package proof

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

var simMistakes = flag.Bool("sim.mistakes", false, "TestMistakesAreFound: run it")

// A mistake is a change to package fleet that breaks a promise. Its file in testdata/mistakes says
// which, and has the old text, under the name of the file that contains it, and the new text.
type mistake struct {
	name, file    string // file: in package fleet
	before, after string
}

func mistakes(t *testing.T) (all []mistake) {
	files, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(archive.Files) != 2 || archive.Files[1].Name != "new" {
			t.Fatalf("%s: want the old text and then the new text", file)
		}
		m := mistake{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), file: archive.Files[0].Name}
		source, err := os.ReadFile(filepath.Join("../..", m.file))
		if err != nil {
			t.Fatal(err)
		}
		old := string(archive.Files[0].Data)
		if n := strings.Count(string(source), old); n != 1 {
			t.Errorf("%s: the old text is %d times in %s, want once", file, n, m.file)
		}
		m.before = string(source)
		m.after = strings.Replace(m.before, old, string(archive.Files[1].Data), 1)
		all = append(all, m)
	}
	if len(all) < 10 {
		t.Errorf("there are %d mistakes, want at least 10", len(all))
	}
	return all
}

// TestMistakesFit: the planted mistakes are changes to the package as it is, and compile.
func TestMistakesFit(t *testing.T) {
	list, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", "../..").Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(list)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		exports[name] = file
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	pkg, err := build.ImportDir("../..", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mistakes(t) {
		var files []*ast.File
		for _, name := range pkg.GoFiles {
			var source any
			if name == m.file {
				source = m.after
			}
			f, err := parser.ParseFile(fset, filepath.Join(pkg.Dir, name), source, 0)
			if err != nil {
				t.Fatalf("%s: %v", m.name, err)
			}
			files = append(files, f)
		}
		if _, err := (&types.Config{Importer: imports}).Check("fleet", fset, files, nil); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

// TestMistakesAreFound: TestSimulation fails within 1,000 seeds when there is a mistake in the fleet.
func TestMistakesAreFound(t *testing.T) {
	if !*simMistakes {
		t.Skip("takes minutes: want -sim.mistakes")
	}
	for _, m := range mistakes(t) {
		t.Run(m.name, func(t *testing.T) {
			dir := t.TempDir()
			path, err := filepath.Abs(filepath.Join("../..", m.file))
			if err != nil {
				t.Fatal(err)
			}
			changed, overlay, binary := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "proof.test")
			list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
			if err != nil {
				t.Fatal(err)
			}
			for name, data := range map[string]string{changed: m.after, overlay: string(list)} {
				if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			began := time.Now()
			run := exec.Command(binary, "-test.run=^TestSimulation$", "-test.timeout=5m", "-sim.seeds=1000", fmt.Sprint("-sim.seed=", *simSeed))
			out, err := run.CombinedOutput()
			if err == nil {
				t.Fatal("not found within 1,000 seeds")
			}
			found := regexp.MustCompile(`(seed \d+) failed`).FindSubmatch(out)
			if found == nil {
				t.Fatalf("the simulation did not tell a seed: %v\n%s", err, out)
			}
			what := regexp.MustCompile(`(?m)^ +\w+_test.go:\d+: (.*)$`).FindSubmatch(out)
			if what == nil {
				what = [][]byte{nil, []byte("a panic")}
			}
			t.Logf("found by %s in %v: %s", found[1], time.Since(began).Round(time.Millisecond), what[1])
		})
	}
}
