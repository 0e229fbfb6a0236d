//go:build unix

package guides

import (
	"archive/zip"
	"flag"
	"go/format"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/pgtest"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const (
	root    = "../../.."
	module  = "github.com/scxmlrun/scxmlrun"
	version = "v0.1.0"
)

var update = flag.Bool("update", false, "write what the commands print into the guides")

// guides are the documents whose code is run. The pages of one line share a folder: each continues with
// the files of those before it, as its reader does.
var guides = [][]string{
	{"README.md"},
	{"cmd/sudoku/README.md"},
	{"scxml/guides/first-chart.md"},
	{"scxml/guides/embedding.md", "scxml/guides/calling-go.md"},
	{"scxml/guides/time.md", "scxml/guides/time-loops.md"},
	{"scxml/guides/trust.md"},
	{"scxml/guides/data.md"},
	{"scxml/guides/nothing-happens.md"},
	{"scxml/guides/sessions.md"},
	{"scxml/guides/coming-from.md", "scxml/guides/coming-from-stateless.md"},
	{"scxml/guides/behavioral.md", "scxml/guides/behavioral-check.md"},
	{"scxml/guides/checking.md", "scxml/guides/suites.md", "scxml/guides/proofs.md"},
	{"scxml/guides/watching.md", "scxml/guides/other-tools.md", "scxml/guides/editing.md"},
	{"scxml/guides/finding-out-why.md"},
	{"scxml/guides/debugging-a-chart.md", "scxml/guides/debugging-a-recording.md"},
	{"scxml/guides/in-your-editor.md"},
	{"scxml/guides/assistant.md"},
	{"scxml/guides/fleet.md", "scxml/guides/fleet-in-use.md"},
	{"scxml/guides/choosing.md"},
	{"scxml/guides/operating.md", "scxml/guides/upkeep.md"},
	{"scxml/guides/guarantees.md"},
	{"scxml/guides/compiled.md", "scxml/guides/compiled-in-use.md"},
}

// withPostgres are the guides that use the PostgreSQL server of the environment.
var withPostgres = []string{"scxml/guides/choosing.md"}

// others are documents with code for which that makes no sense.
var others = map[string]string{
	"CONTRIBUTING.md":                  "its commands run all tests",
	"cmd/scxmlrun/vscode/README.md":    "settings of an editor; TestExtension of cmd/scxmlrun reads the files",
	"cmd/scxmlrun/PROTOCOL.md":         "records of a chart that is not shown; schema_test.go checks their form",
	"datamodel/ecmascript/SNAPSHOT.md": "excerpts of a format",
	"examples/clients/README.md":       "TestClients runs the clients",
	"examples/sudoku/format/SAVED.md":  "a saved game; saved_test.go reads and writes such games",
}

func TestGuides(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	env := newProxy(t)
	for _, pages := range guides {
		t.Run(pages[0], func(t *testing.T) {
			g := guide{t: t, dir: t.TempDir(), env: env, files: map[string]bool{}}
			if slices.Contains(withPostgres, pages[0]) {
				_, address := pgtest.Start(t)
				host, port, err := net.SplitHostPort(address)
				if err != nil {
					t.Fatal(err)
				}
				g.env = append(slices.Clip(env), "PGHOST="+host, "PGPORT="+port, "PGUSER=postgres", "PGDATABASE=postgres")
			}
			for _, name := range pages {
				source, err := os.ReadFile(filepath.Join(root, name))
				if err != nil {
					t.Fatal(err)
				}
				got := g.run(string(source))
				if *update && got != string(source) {
					if err := os.WriteFile(filepath.Join(root, name), []byte(got), 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// What a document of the module links to is there, and so is the heading that the link names.
func TestLinks(t *testing.T) {
	fence := regexp.MustCompile("(?ms)^```.*?^```")
	code := regexp.MustCompile("`[^`\n]*`")
	link := regexp.MustCompile(`\]\(([^)#\s]*)#?([^)\s]*)[^)]*\)`)
	documents, anchors := map[string]string{}, map[string][]string{}
	walk(t, func(name string) {
		if filepath.Ext(name) != ".md" {
			return
		}
		source, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		documents[name] = fence.ReplaceAllString(string(source), "")
		anchors[name] = anchorsOf(documents[name])
	})
	links, headings := 0, 0
	for name, text := range documents {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			to := name
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(name), m[1])
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s: a link to %s: %v", name, m[1], err)
			} else if m[2] != "" {
				headings++
				if !slices.Contains(anchors[to], m[2]) {
					t.Errorf("%s: a link to #%s, which is not a heading of %s: want one of %q", name, m[2], to, anchors[to])
				}
			}
		}
	}
	if links < 20 || headings < 5 {
		t.Errorf("found %d links only, %d of them to headings", links, headings)
	}
}

// anchorsOf returns the names that GitHub gives to the headings of a document: in lower case, without punctuation,
// with a hyphen for each space, and a number for each that repeats.
func anchorsOf(text string) []string {
	heading := regexp.MustCompile(`(?m)^#+ +(.*?)[ #]*$`)
	target := regexp.MustCompile(`\]\([^)]*\)`)
	punctuation := regexp.MustCompile(`[^\pL\pM\pN\p{Pc} -]`)
	var anchors []string
	times := map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		anchor := punctuation.ReplaceAllString(target.ReplaceAllString(m[1], ""), "")
		anchor = strings.ReplaceAll(strings.ToLower(anchor), " ", "-")
		times[anchor]++
		if n := times[anchor]; n > 1 {
			anchor += "-" + strconv.Itoa(n-1)
		}
		anchors = append(anchors, anchor)
	}
	return anchors
}

func TestAnchors(t *testing.T) {
	text := "# The W3C's suite\n## `TestFast`, [a link](x.md#y) & snake_case #\n## Über 2.5 %\n# To add …\n# To add …\n#hash\n"
	want := []string{"the-w3cs-suite", "testfast-a-link--snake_case", "über-25-", "to-add-", "to-add--1"}
	if got := anchorsOf(text); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A new document with code is a guide, or says why it is not.
func TestAllGuidesAreRun(t *testing.T) {
	known := map[string]bool{}
	for _, name := range slices.Concat(guides...) {
		known[name] = true
	}
	for name := range others {
		known[name] = true
	}
	walk(t, func(name string) {
		source, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".md" && strings.Contains(string(source), "\n```") && !known[name] {
			t.Errorf("%s has code: add it to guides, or to others with the reason why it cannot be run", name)
		}
	})
}

// walk calls f for each file of the module.
func walk(t *testing.T, f func(name string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "dist" || name != "." && (strings.HasPrefix(d.Name(), ".") || isModule(name))):
			return fs.SkipDir
		case d.Type().IsRegular():
			f(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isModule reports whether a folder has a module of its own, which is not part of this one.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(root, dir, "go.mod"))
	return err == nil
}

// newProxy makes a module proxy that has this module, and returns an environment
// in which the go command uses it. Other modules come from the module cache, if
// they are there.
func newProxy(t *testing.T) []string {
	t.Helper()
	proxy, home := t.TempDir(), t.TempDir()
	dir := filepath.Join(proxy, module, "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	archive, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	z := zip.NewWriter(archive)
	walk(t, func(name string) {
		source, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.Create(module + "@" + version + "/" + name)
		if err == nil {
			_, err = w.Write(source)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"list": version + "\n", version + ".mod": string(mod), version + ".info": `{"Version":"` + version + `"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	goenv := strings.Split(string(out), "\n")
	bin := filepath.Join(home, "go", "bin")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close()
	return append(os.Environ(),
		"HOME="+home, "SUDOKU_HOME="+filepath.Join(home, "sudoku"), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"GOPATH="+filepath.Join(home, "go"), "GOBIN="+bin, "GOMODCACHE="+filepath.Join(home, "go", "mod"), "GOCACHE="+goenv[1],
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(goenv[0], "cache", "download")+","+goenv[2], "GOSUMDB=off", "GONOSUMDB=", "GOPRIVATE=", "GOENV=off",
		// The path of the copy is not in what is built, so that the build cache knows it the next time.
		// A server of a guide listens at an address that nobody uses.
		"SCXMLRUN_LISTEN="+free.Addr().String(), "SCXMLRUN_SERVER=http://"+free.Addr().String(),
		"GOFLAGS=-trimpath -modcacherw", "SCXMLTEST_COVER=", "GOTOOLCHAIN=local", "GOWORK=off", "CGO_ENABLED=0")
}

// A guide is being followed.
type guide struct {
	t     *testing.T
	dir   string
	env   []string
	files map[string]bool // those of all its pages so far
}

var fence = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// run follows a page of the guide, and returns it with what the commands have printed.
func (g *guide) run(source string) string {
	files, commands := map[string]bool{}, ""
	got := fence.ReplaceAllStringFunc(source, func(block string) string {
		m := fence.FindStringSubmatch(block)
		language, file, _ := strings.Cut(m[1], " ")
		switch {
		case language == "console":
			commands += m[2]
			console := g.console
			if file == "source" {
				console = g.source
			}
			return "```" + m[1] + "\n" + console(m[2]) + "```"
		case strings.HasPrefix(file, "+"):
			file = file[1:]
			if !g.files[file] {
				g.t.Errorf("a block adds to %s, which does not exist yet", file)
			}
			g.add(file, m[2])
		case file != "":
			files[file], g.files[file] = true, true
			g.write(file, m[2])
		case language == "go", language == "xml", language == "sh", language == "shell", language == "bash":
			g.t.Errorf("a block of %s is neither a file nor a console:\n%s", language, m[2])
		}
		return block
	})
	for file := range files {
		used := strings.Contains(commands, file)
		switch {
		case strings.HasSuffix(file, "_test.go"):
			used = used || strings.Contains(commands, "$ go test")
		case filepath.Ext(file) == ".go":
			used = used || strings.Contains(commands, "$ go run .")
		case filepath.Ext(file) == ".scxml":
			used = used || strings.Contains(source, `"`+file+`"`) // a program loads it
		}
		if !used {
			g.t.Errorf("no command uses %s", file)
		}
	}
	return got
}

// add writes what a block adds to a file.
func (g *guide) add(file, text string) {
	before, err := os.ReadFile(filepath.Join(g.dir, file))
	if err != nil {
		g.t.Fatal(err)
	}
	g.write(file, string(before)+"\n"+text)
}

func (g *guide) write(file, text string) {
	if err := os.WriteFile(filepath.Join(g.dir, file), []byte(text), 0o666); err != nil {
		g.t.Fatal(err)
	}
	switch filepath.Ext(file) {
	case ".go":
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			g.t.Errorf("%s is not as gofmt writes it: %v", file, err)
		}
	case ".scxml":
		if _, err := scxml.Parse(file, []byte(text)); err != nil {
			g.t.Errorf("%v", err)
		}
	}
}

// source types commands in the folder of the source, but for the run of all tests, of which this one is
// a part.
func (g *guide) source(shown string) string {
	dir, err := filepath.Abs(root)
	if err != nil {
		g.t.Fatal(err)
	}
	// The environment is that of the tests, so that what they have built is not built a second time.
	copied := guide{t: g.t, dir: dir, env: append(os.Environ(), "SUDOKU_HOME="+filepath.Join(g.dir, "sudoku"))}
	copied.console(strings.ReplaceAll(shown, "$ go test ./...\n", ""))
	return shown
}

// console types what the terminal shows, and returns what it then shows.
func (g *guide) console(shown string) string {
	var b strings.Builder
	before, rest, found := strings.Cut("\n"+shown, "\n$ ")
	if strings.TrimSpace(before) != "" || !found {
		g.t.Fatalf("a console begins with a command:\n%s", shown)
	}
	for found {
		var step string
		step, rest, found = strings.Cut(rest, "\n$ ")
		command, want, _ := strings.Cut(strings.TrimSuffix(step, "\n"), "\n")
		if want != "" {
			want += "\n"
		}
		b.WriteString("$ " + command + "\n" + g.command(command, want))
	}
	return b.String()
}

// command runs a command and returns what it prints, or want if that says so.
func (g *guide) command(command, want string) string {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = g.dir, append(g.env, "PWD="+g.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	g.t.Cleanup(func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }) // what it has left in the background
	var typed strings.Builder
	for line := range strings.Lines(want) {
		if line, ok := strings.CutPrefix(line, "> "); ok {
			typed.WriteString(line)
		}
	}
	cmd.Stdin = strings.NewReader(typed.String())
	out, err := cmd.CombinedOutput()
	got := string(out)
	if want == "" {
		if err != nil {
			g.t.Fatalf("%s: %v\n%s", command, err, got)
		}
		return ""
	}
	pattern := regexp.QuoteMeta(want)
	pattern = regexp.MustCompile(`(?m)^…\n`).ReplaceAllString(pattern, "(?:.*\n)*")
	pattern = strings.ReplaceAll(pattern, "…", ".*")
	if regexp.MustCompile("^" + pattern + "$").MatchString(got) {
		return want
	}
	if !*update {
		g.t.Errorf("%s prints\n%s\nwant\n%s", command, got, want)
	}
	return got
}
