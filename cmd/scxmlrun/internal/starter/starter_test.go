package starter

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// Nothing about the charts is worth a warning, a search of them holds and reaches all of them, and their
// scenarios pass.
func TestTemplates(t *testing.T) {
	for _, template := range Templates {
		t.Run(template.Name, func(t *testing.T) {
			files, err := template.Files("my-chart", false)
			if err != nil {
				t.Fatal(err)
			}
			chart, err := scxml.Parse(files[0].Name, files[0].Content)
			if err != nil {
				t.Fatal(err)
			}
			if found := scxml.Lint(files[0].Name, files[0].Content, scxml.LintOptions{}); len(found) > 0 || chart.Name() != "my-chart" {
				t.Errorf("chart %s: %v", chart.Name(), found)
			}
			opts := explore.Options{MaxStates: 1000, Unused: true}
			if template.Data != "" {
				if opts.Data, err = explore.ParseData([]byte(template.Data)); err != nil {
					t.Fatal(err)
				}
			}
			report, err := explore.Run(t.Context(), chart, opts)
			if err != nil {
				t.Fatal(err)
			}
			if report.Verdict != explore.Holds || len(report.Unentered)+len(report.Untaken) > 0 {
				t.Errorf("got %v, %+v", report.Verdict, report)
			}
			dir := t.TempDir()
			for _, f := range files {
				if err := os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			scxmltest.RunFiles(t, filepath.Join(dir, "*.txtar"))
		})
	}
}

// The programs compile, and their tests pass.
func TestPrograms(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/scxmlrun/scxmlrun"
	mod = bytes.Replace(mod, []byte("module "+module), []byte("module example.com/x"), 1)
	mod = fmt.Appendf(mod, "\nrequire %[1]s v0.0.0\nreplace %[1]s => %[2]s\n", module, root)
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", mod)
	write("go.sum", sum)
	for _, template := range Templates {
		files, err := template.Files("my-chart", true)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, template.Name), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			write(filepath.Join(template.Name, f.Name), f.Content)
		}
	}
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("vet", "./...")
	run("test", "./form", "./order")
	cmd := exec.CommandContext(t.Context(), "go", "run", "./form")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader("submit\nchange {\"name\":\"Ada\",\"age\":36}\nsubmit\nsaved\n")
	out, err := cmd.CombinedOutput()
	if want := "state: editing\nsent: refused {\"why\":\"a name is missing\"}\nsent: save {\"name\":\"Ada\",\"age\":36}\nstate: saving\nstate: done\n"; err != nil || string(out) != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, out, want)
	}
}
