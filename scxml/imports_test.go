package scxml_test

import (
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/scxmlrun/scxmlrun/"

// imports lists the packages of this module and the external modules that each package may import.
// The standard library is free, except for the packages named in stdForbidden. A package that is
// not listed fails the test.
var imports = map[string][]string{
	// Values and the data models. goja is in ecmascript alone.
	"datamodel":                            {"datamodel/internal/..."},
	"datamodel/datamodeltest":              {"datamodel"},
	"datamodel/ecmascript":                 {"datamodel", "datamodel/ecmascript/internal/...", "datamodel/ecmascript/tree", "datamodel/internal/...", "github.com/dop251/goja"},
	"datamodel/ecmascript/internal/dom":    {"datamodel", "datamodel/ecmascript/internal/native", "datamodel/ecmascript/internal/syntax", "github.com/dop251/goja"},
	"datamodel/ecmascript/internal/fast":   {"datamodel", "datamodel/ecmascript/internal/native", "datamodel/ecmascript/internal/syntax", "github.com/dop251/goja"},
	"datamodel/ecmascript/internal/graph":  {"datamodel", "datamodel/ecmascript/internal/dom", "datamodel/ecmascript/internal/fast", "datamodel/ecmascript/internal/guard", "datamodel/ecmascript/internal/native", "datamodel/ecmascript/internal/syntax", "datamodel/internal/...", "github.com/dop251/goja"},
	"datamodel/ecmascript/internal/guard":  {"datamodel", "datamodel/ecmascript/internal/native", "datamodel/ecmascript/internal/syntax", "github.com/dop251/goja"},
	"datamodel/ecmascript/internal/native": {"github.com/dop251/goja"},
	"datamodel/ecmascript/internal/syntax": {"datamodel", "github.com/dop251/goja"},
	"datamodel/ecmascript/internal/uses":   {"datamodel", "datamodel/ecmascript/internal/native", "datamodel/ecmascript/internal/syntax", "github.com/dop251/goja"},
	"datamodel/ecmascript/tree":            {"datamodel"},
	"datamodel/internal/jsontext":          {},
	"datamodel/internal/path":              {},
	"datamodel/null":                       {"datamodel"},

	// The engine. Only tests import the second interpreter, with which it is compared: it shares only the
	// document and the data models with it.
	"scxml":                      {"datamodel", "datamodel/ecmascript", "datamodel/null", "scxml/internal/doc", "scxml/internal/delay", "scxml/internal/eventjson", "scxml/internal/explain", "scxml/internal/lint", "scxml/internal/short", "scxml/internal/table"},
	"scxml/internal/delay":       {"scxml/internal/short"},
	"scxml/internal/doc":         {"datamodel", "scxml/internal/delay", "scxml/internal/short", "scxml/internal/xmltree"},
	"scxml/internal/explain":     {"scxml/internal/doc"},
	"scxml/internal/httpguard":   {},
	"scxml/internal/eventjson":   {"datamodel"},
	"scxml/internal/lint":        {"datamodel", "scxml/internal/delay", "scxml/internal/doc", "scxml/internal/short", "scxml/internal/table"},
	"scxml/internal/randomchart": {"datamodel"}, // for tests
	"scxml/internal/reference":   {"datamodel", "scxml/internal/delay", "scxml/internal/doc"},
	"scxml/internal/rename":      {},
	"scxml/internal/short":       {},
	"scxml/internal/strict":      {"datamodel", "scxml/internal/doc"},
	"scxml/internal/table":       {},
	"scxml/internal/xmltree":     {"datamodel", "scxml/internal/short", "github.com/beevik/etree", "golang.org/x/text"},
	"scxml/internal/zone":        {},

	"scxml/internal/strict/stricttest": {}, // for tests

	// The rooms around the engine use its public API alone.
	"scxml/basichttp":        {"datamodel", "scxml", "scxml/internal/httpguard"},
	"scxml/cover":            {"datamodel", "scxml", "scxml/internal/short"},
	"scxml/debug":            {"datamodel", "scxml", "scxml/history", "scxml/internal/table", "scxml/record"},
	"scxml/diagram":          {"datamodel", "scxml", "scxml/internal/short"},
	"scxml/diagram/cells":    {"datamodel", "scxml", "scxml/diagram", "scxml/internal/short", "golang.org/x/text"},
	"scxml/diagram/raster":   {"scxml/diagram", "golang.org/x/image"},
	"scxml/drive":            {"datamodel", "scxml", "scxml/record", "scxml/record/wire"},
	"scxml/editor":           {"datamodel", "datamodel/ecmascript", "scxml", "scxml/internal/doc", "scxml/internal/short", "scxml/internal/table", "scxml/internal/xmltree"},
	"scxml/explore":          {"datamodel", "scxml", "scxml/internal/table", "scxml/internal/zone"},
	"scxml/explore/compiled": {"datamodel", "scxml", "scxml/compile", "scxml/explore", "scxml/internal/delay", "scxml/internal/short", "scxml/internal/table", "scxml/internal/zone", "scxml/machine", "scxml/machine/search"},
	"scxml/forms":            {"datamodel", "scxml"},
	"scxml/guides":           {},
	"scxml/history":          {"datamodel", "scxml", "scxml/record"},
	"scxml/inspect":          {"datamodel", "scxml", "scxml/diagram", "scxml/forms", "scxml/history", "scxml/internal/httpguard", "scxml/internal/short", "scxml/internal/strict", "scxml/record"},
	"scxml/isolate":          {"datamodel", "scxml", "scxml/drive", "scxml/history", "scxml/internal/eventjson", "scxml/record", "scxml/record/wire", "github.com/dlclark/regexp2", "golang.org/x/sys"},
	"scxml/pool":             {"scxml"},
	"scxml/record":           {"datamodel", "scxml"},
	"scxml/record/wire":      {"datamodel", "scxml", "scxml/internal/strict", "scxml/record"},
	"scxml/scxmltest":        {"datamodel", "scxml", "scxml/cover", "scxml/explore", "scxml/forms", "scxml/internal/doc", "scxml/internal/strict", "scxml/internal/table", "scxml/record"},
	"scxml/why":              {"datamodel", "scxml", "scxml/history", "scxml/internal/table"},

	// Charts compiled to Go. What they import needs the standard library alone.
	"scxml/compile":               {"datamodel", "datamodel/ecmascript", "datamodel/null", "scxml", "scxml/compile/internal/es", "scxml/internal/delay", "scxml/internal/doc", "scxml/internal/table"},
	"scxml/compile/compiletest":   {"datamodel", "scxml", "scxml/compile", "scxml/compile/internal/twin"},
	"scxml/compile/internal/es":   {"datamodel", "datamodel/ecmascript", "datamodel/ecmascript/tree", "scxml/machine/js"},
	"scxml/machine":               {"scxml/internal/delay", "scxml/machine/js"},
	"scxml/machine/js":            nil,
	"scxml/machine/search":        {"scxml/internal/zone", "scxml/machine", "scxml/machine/js"},
	"scxml/machine/dynamic":       {"datamodel", "datamodel/ecmascript", "scxml/machine"},
	"scxml/compile/internal/twin": {"datamodel", "scxml", "scxml/internal/doc", "scxml/machine", "scxml/machine/js"}, // for tests

	// Sessions that live in a store. A driver of a database is in the folder of its store alone.
	"scxml/fleet":                           {"datamodel", "scxml", "scxml/fleet/internal/...", "scxml/internal/rename", "scxml/internal/short"},
	"scxml/fleet/bolt":                      {"scxml/fleet", "scxml/fleet/internal/...", "go.etcd.io/bbolt"},
	"scxml/fleet/census":                    {"scxml/fleet", "scxml/fleet/internal/index"},
	"scxml/fleet/compiled":                  {"datamodel", "scxml", "scxml/fleet", "scxml/internal/doc", "scxml/machine"},
	"scxml/fleet/compiled/internal/counter": {"scxml/machine", "scxml/machine/js"},                                       // for tests
	"scxml/fleet/compiled/internal/errand":  {"datamodel", "scxml/machine", "scxml/machine/dynamic", "scxml/machine/js"}, // for tests
	"scxml/fleet/compiled/internal/order":   {"scxml/machine", "scxml/machine/js"},                                       // for tests
	"scxml/fleet/fleettest":                 {"scxml/fleet", "github.com/anishathalye/porcupine", "pgregory.net/rapid"},
	"scxml/fleet/internal/codec":            {},
	"scxml/fleet/internal/fault":            {},
	"scxml/fleet/internal/index":            {},
	"scxml/fleet/internal/killtest":         {"datamodel", "scxml", "scxml/fleet"},
	"scxml/fleet/internal/share":            {"scxml", "scxml/fleet"},
	"scxml/fleet/internal/pgtest":           {},
	"scxml/fleet/internal/pgtest/pgserver":  {"scxml/fleet/internal/pgtest"},
	"scxml/fleet/internal/proof":            {},
	"scxml/fleet/internal/watermark":        {"scxml/fleet/internal/codec", "scxml/fleet/internal/fault"},
	"scxml/fleet/jetstream":                 {"scxml/fleet", "scxml/fleet/internal/...", "github.com/nats-io/nats.go", "github.com/nats-io/nuid"},
	"scxml/fleet/metrics":                   {"scxml", "scxml/fleet", "scxml/fleet/census"},
	"scxml/fleet/otel":                      {"scxml/fleet", "go.opentelemetry.io/otel"},
	"scxml/fleet/postgres":                  {"scxml/fleet", "scxml/fleet/internal/...", "github.com/jackc/pgx/v5", "github.com/jackc/pgx/v5/..."},
	"scxml/fleet/rest":                      {"datamodel", "scxml", "scxml/basichttp", "scxml/fleet", "scxml/fleet/census", "scxml/internal/httpguard", "scxml/internal/strict"},

	// What ships with the project, and the runners of suites.
	"charts":      {},
	"conformance": {"charts", "datamodel", "scxml", "scxml/basichttp", "scxml/fleet", "scxml/record", "scxml/scxmltest"},

	// What one reads to learn, and the library of the Sudoku.
	"examples/behavioral":                  {"datamodel", "datamodel/ecmascript", "scxml", "scxml/explore"},
	"examples/behavioral/philosophers":     {"examples/behavioral", "scxml", "scxml/explore"},
	"examples/behavioral/tictactoe":        {"examples/behavioral", "scxml", "scxml/explore"},
	"examples/bot":                         {"scxml"},
	"examples/crowd":                       {"scxml/machine", "scxml/machine/js"},
	"examples/device":                      {"scxml"},
	"examples/espresso":                    {"scxml/machine", "scxml/machine/js"},
	"examples/orders":                      {"datamodel", "scxml", "scxml/fleet", "scxml/fleet/bolt"},
	"examples/peers":                       {"scxml", "scxml/explore"},
	"examples/pool":                        {"scxml", "scxml/pool"},
	"examples/shop":                        {"datamodel", "scxml", "scxml/fleet", "scxml/fleet/bolt"},
	"examples/sudoku":                      {},
	"examples/sudoku/bthreads":             {"datamodel", "examples/behavioral", "examples/sudoku", "scxml", "scxml/explore"},
	"examples/sudoku/compare":              {"examples/sudoku", "examples/sudoku/bthreads", "examples/sudoku/csp"},
	"examples/sudoku/compiled":             {"datamodel", "examples/sudoku/game", "scxml", "scxml/drive", "scxml/machine", "scxml/machine/js", "scxml/record", "scxml/record/wire"},
	"examples/sudoku/csp":                  {},
	"examples/sudoku/format":               {"datamodel", "examples/sudoku"},
	"examples/sudoku/game":                 {"datamodel", "examples/sudoku", "examples/sudoku/format", "scxml", "scxml/drive", "scxml/record", "scxml/record/wire"},
	"examples/sudoku/generate":             {"examples/sudoku", "examples/sudoku/human", "examples/sudoku/rate"},
	"examples/sudoku/human":                {"examples/sudoku"},
	"examples/sudoku/lesson":               {"examples/sudoku", "examples/sudoku/format", "examples/sudoku/human"},
	"examples/sudoku/photo":                {"examples/sudoku", "examples/sudoku/photo/internal/...", "golang.org/x/image"},
	"examples/sudoku/photo/gallery":        {"examples/sudoku", "examples/sudoku/photo"},
	"examples/sudoku/photo/internal/digit": {"examples/sudoku/photo/internal/grid"},
	"examples/sudoku/photo/internal/grid":  {},
	"examples/sudoku/picture":              {"examples/sudoku", "examples/sudoku/format", "examples/sudoku/human", "golang.org/x/image"},
	"examples/sudoku/rate":                 {"examples/sudoku", "examples/sudoku/human"},
	"examples/sudoku/service":              {"datamodel", "examples/sudoku", "examples/sudoku/compare", "examples/sudoku/csp", "examples/sudoku/generate", "examples/sudoku/human", "examples/sudoku/rate", "scxml"},
	"examples/ticker":                      {"datamodel", "scxml"},
	"examples/trafficlight":                {"datamodel", "scxml", "scxml/scxmltest"},

	// Applications. tcell is here alone, and nothing outside imports any of it.
	"cmd/internal/cli":                    {"cmd/internal/file", "datamodel", "github.com/gdamore/tcell/v2", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term"},
	"cmd/internal/clitest":                {"cmd/internal/sudoku/shelf", "github.com/creack/pty", "github.com/rogpeppe/go-internal", "golang.org/x/term"}, // for tests,
	"cmd/internal/console":                {"scxml/inspect"},
	"cmd/internal/copies":                 {"scxml", "scxml/fleet", "scxml/history", "scxml/inspect"},
	"cmd/internal/durable":                {"golang.org/x/sys"},
	"cmd/internal/file":                   {},
	"cmd/internal/guides":                 {},
	"cmd/internal/loopback":               {"cmd/internal/cli"},
	"cmd/internal/pgtest":                 {}, // for tests
	"cmd/internal/player":                 {"cmd/internal/cli", "cmd/internal/file", "cmd/internal/sudoku/film", "cmd/internal/sudoku/shelf", "cmd/internal/sudoku/theme", "cmd/internal/sudoku/tui", "cmd/internal/sudoku/words", "examples/sudoku", "examples/sudoku/format", "examples/sudoku/game", "scxml/drive", "github.com/spf13/cobra"},
	"cmd/internal/playground":             {"charts", "cmd/internal/durable", "cmd/internal/file", "scxml", "scxml/diagram", "scxml/drive", "scxml/editor", "scxml/explore", "scxml/history", "scxml/inspect"},
	"cmd/internal/sudoku/action":          {"cmd/internal/sudoku/shelf", "cmd/internal/sudoku/words", "examples/sudoku", "examples/sudoku/format", "examples/sudoku/game", "examples/sudoku/generate", "examples/sudoku/human", "examples/sudoku/lesson", "examples/sudoku/service", "scxml/drive"},
	"cmd/internal/sudoku/bench":           {"examples/sudoku", "examples/sudoku/generate", "examples/sudoku/human"},
	"cmd/internal/sudoku/export":          {"cmd/internal/durable", "examples/sudoku/format", "examples/sudoku/picture"},
	"cmd/internal/sudoku/film":            {"cmd/internal/durable", "golang.org/x/image"},
	"cmd/internal/sudoku/plain":           {"cmd/internal/sudoku/shelf", "cmd/internal/sudoku/words", "examples/sudoku", "examples/sudoku/format", "examples/sudoku/game", "examples/sudoku/human", "examples/sudoku/lesson", "scxml/drive", "scxml/record", "scxml/record/wire"},
	"cmd/internal/sudoku/shelf":           {"cmd/internal/durable", "examples/sudoku", "examples/sudoku/format", "examples/sudoku/game", "examples/sudoku/rate", "github.com/gofrs/flock"},
	"cmd/internal/sudoku/theme":           {"github.com/gdamore/tcell/v2", "golang.org/x/text"},
	"cmd/internal/sudoku/tui":             {"cmd/internal/sudoku/action", "cmd/internal/sudoku/export", "cmd/internal/sudoku/film", "cmd/internal/sudoku/shelf", "cmd/internal/sudoku/theme", "cmd/internal/sudoku/words", "cmd/internal/terminal", "cmd/internal/widget", "examples/sudoku", "examples/sudoku/format", "examples/sudoku/game", "examples/sudoku/photo", "examples/sudoku/rate", "scxml/drive", "scxml/record", "github.com/gdamore/tcell/v2"},
	"cmd/internal/sudoku/web":             {"cmd/internal/sudoku/action", "cmd/internal/sudoku/export", "cmd/internal/sudoku/shelf", "cmd/internal/sudoku/words", "datamodel", "examples/sudoku", "examples/sudoku/format", "examples/sudoku/game", "examples/sudoku/rate", "examples/sudoku/service", "scxml", "scxml/drive", "scxml/record"},
	"cmd/internal/sudoku/web/build":       {"charts", "cmd/internal/sudoku/web", "cmd/internal/sudoku/web/colours", "scxml", "github.com/andybalholm/brotli"},
	"cmd/internal/sudoku/web/colours":     {"cmd/internal/sudoku/theme", "github.com/gdamore/tcell/v2"},
	"cmd/internal/sudoku/web/reading":     {"examples/sudoku/photo"},
	"cmd/internal/sudoku/web/static":      {},
	"cmd/internal/sudoku/words":           {"datamodel", "examples/sudoku/game", "examples/sudoku/human", "golang.org/x/sys", "golang.org/x/text"},
	"cmd/internal/terminal":               {"cmd/internal/cli", "cmd/internal/widget", "github.com/gdamore/tcell/v2", "golang.org/x/sys"},
	"cmd/internal/widget":                 {"datamodel", "github.com/gdamore/tcell/v2", "golang.org/x/text"},
	"cmd/scxmlrun":                        {"charts", "cmd/internal/...", "cmd/internal/console", "cmd/internal/copies", "cmd/internal/durable", "cmd/internal/sudoku/plain", "cmd/internal/sudoku/shelf", "cmd/internal/sudoku/tui", "cmd/internal/terminal", "cmd/internal/widget", "cmd/scxmlrun/internal/...", "cmd/scxmlrun/internal/mcp", "cmd/scxmlrun/internal/mutate", "cmd/scxmlrun/internal/notation", "cmd/scxmlrun/internal/suite", "conformance", "datamodel", "examples/sudoku", "examples/sudoku/format", "examples/sudoku/game", "examples/sudoku/service", "scxml", "scxml/basichttp", "scxml/compile", "scxml/compile/compiletest", "scxml/cover", "scxml/debug", "scxml/diagram", "scxml/diagram/...", "scxml/drive", "scxml/editor", "scxml/explore", "scxml/fleet", "scxml/fleet/bolt", "scxml/fleet/census", "scxml/fleet/jetstream", "scxml/fleet/metrics", "scxml/fleet/otel", "scxml/fleet/postgres", "scxml/fleet/rest", "scxml/forms", "scxml/history", "scxml/inspect", "scxml/isolate", "scxml/record", "scxml/record/...", "scxml/scxmltest", "scxml/why", "github.com/dlclark/regexp2", "github.com/gdamore/tcell/v2", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/image", "golang.org/x/term"},
	"cmd/scxmlrun/internal/dap":           {"cmd/internal/cli", "cmd/internal/file", "cmd/scxmlrun/internal/...", "datamodel", "scxml", "scxml/debug", "scxml/drive", "scxml/history", "scxml/record/wire", "github.com/google/go-dap"},
	"cmd/scxmlrun/internal/mcp":           {"cmd/internal/cli", "cmd/internal/file", "cmd/scxmlrun/internal/...", "cmd/scxmlrun/internal/mutate", "cmd/scxmlrun/internal/notation", "cmd/scxmlrun/internal/suite", "conformance", "datamodel", "scxml", "scxml/diagram", "scxml/diagram/...", "scxml/editor", "scxml/explore", "scxml/guides", "scxml/isolate", "scxml/record", "scxml/scxmltest", "scxml/why", "github.com/google/jsonschema-go", "github.com/modelcontextprotocol/go-sdk"},
	"cmd/scxmlrun/internal/mutate":        {"datamodel", "scxml", "scxml/explore"},
	"cmd/scxmlrun/internal/notation":      {"datamodel", "datamodel/ecmascript", "scxml", "scxml/diagram"},
	"cmd/scxmlrun/internal/otlp":          {"go.opentelemetry.io/otel", "go.opentelemetry.io/otel/sdk"},
	"cmd/scxmlrun/internal/searchprogram": {"scxml", "scxml/explore", "scxml/explore/compiled", "scxml/machine/search"},
	"cmd/scxmlrun/internal/suite":         {"cmd/scxmlrun/internal/searchprogram", "datamodel", "scxml", "scxml/explore", "scxml/explore/compiled", "scxml/forms", "scxml/history", "scxml/machine/search", "scxml/scxmltest"},
	"cmd/sudoku":                          {"charts", "cmd/internal/...", "examples/sudoku", "examples/sudoku/...", "scxml", "scxml/drive", "github.com/spf13/cobra"},
}

// usesSystem are the packages of the engine that use files or the network.
var usesSystem = []string{
	"scxml/basichttp", "scxml/cover", "scxml/fleet/bolt", "scxml/fleet/internal/watermark", "scxml/fleet/jetstream", "scxml/fleet/postgres", "scxml/fleet/rest",
	"scxml/inspect", "scxml/internal/httpguard", "scxml/isolate", "scxml/scxmltest",
}

// stdForbidden are packages of the standard library that only some packages may import.
func stdForbidden(pkg, imp string) bool {
	if pkg == "scxml/fleet/internal/killtest" || pkg == "scxml/compile/internal/twin" || strings.HasPrefix(pkg, "scxml/fleet/internal/pgtest") { // run programs for tests
		return false
	}
	engine := pkg == "datamodel" || pkg == "scxml" || strings.HasPrefix(pkg, "datamodel/") || strings.HasPrefix(pkg, "scxml/")
	switch imp {
	case "net/http":
		return engine && !slices.Contains([]string{"scxml/basichttp", "cmd/internal/console", "cmd/internal/copies", "scxml/fleet/rest", "scxml/inspect", "scxml/internal/httpguard"}, pkg)
	case "os/exec":
		return engine && pkg != "scxml/isolate"
	case "os", "net":
		return engine && !slices.Contains(usesSystem, pkg) || pkg == "examples/sudoku/game" // which also runs in a page
	}
	return false
}

func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg := strings.TrimPrefix(words[0], module)
		allowed, listed := imports[pkg]
		if !listed && strings.HasPrefix(pkg, "cmd/scxmlrun/internal/") {
			allowed, listed = imports["cmd/scxmlrun"], true
		}
		if !listed {
			t.Errorf("package %s is not in the list of imports_test.go", pkg)
			continue
		}
		seen++
		for _, imp := range words[1:] {
			own, isOwn := strings.CutPrefix(imp, module)
			switch {
			case isOwn || strings.Contains(strings.Split(imp, "/")[0], "."):
				if !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, own) }) {
					t.Errorf("%s must not import %s", pkg, imp)
				}
			case stdForbidden(pkg, imp):
				t.Errorf("%s must not import %s", pkg, imp)
			}
		}
	}
	if seen < 8 {
		t.Errorf("go list shows %d packages only", seen)
	}
}

// Each public package has its line in CONTRIBUTING, with the programs that need it.
func TestPublicPackages(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{if ne .Name "main"}}{{.ImportPath}}{{end}}`, module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var public []string
	for word := range strings.FieldsSeq(string(out)) {
		pkg := strings.TrimPrefix(word, module)
		if !strings.Contains(pkg, "internal/") && !strings.HasPrefix(pkg, "examples/") && !strings.HasPrefix(pkg, "cmd/") {
			public = append(public, pkg)
		}
	}
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "### Public packages")
	table, _, _ = strings.Cut(table, "\n## ")
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(table, -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			listed = append(listed, strings.Trim(name, "`"))
		}
	}
	slices.Sort(public)
	slices.Sort(listed)
	if !slices.Equal(public, listed) {
		t.Errorf("public packages:\n%q\nCONTRIBUTING lists\n%q", public, listed)
	}
}

// TestImportsHaveNoCircle checks that the graph of the top-level folders has no cycle, and that no
// package below internal/ imports the package around it, unless only tests use it.
func TestImportsHaveNoCircle(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	folders := map[string][]string{}
	used := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		for _, imp := range strings.Fields(line)[1:] {
			used[imp] = true
		}
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg := strings.TrimPrefix(words[0], module)
		house, _, isRoom := strings.Cut(pkg, "/internal/")
		isRoom = isRoom && used[words[0]]
		from, _, _ := strings.Cut(pkg, "/")
		for _, imp := range words[1:] {
			own, isOwn := strings.CutPrefix(imp, module)
			if isRoom && own == house && isOwn {
				t.Errorf("%s imports the package around it", pkg)
			}
			if to, _, _ := strings.Cut(own, "/"); isOwn && to != from && !slices.Contains(folders[from], to) {
				folders[from] = append(folders[from], to)
			}
		}
	}
	if len(folders) < 4 {
		t.Fatalf("go list shows %d folders only", len(folders))
	}
	var visit func(folder string, open []string)
	visit = func(folder string, open []string) {
		if slices.Contains(open, folder) {
			t.Errorf("the folders import each other: %s", strings.Join(append(open, folder), " → "))
			return
		}
		for _, to := range folders[folder] {
			visit(to, append(open, folder))
		}
	}
	for folder := range folders {
		visit(folder, nil)
	}
}

// The engine does not link pictures, so that neither does a program that embeds it. Only what is below
// scxml/diagram does, and a kit for tests of stores.
func TestEngineHasNoPictures(t *testing.T) {
	out, err := exec.Command("go", "list", module+"scxml/...", module+"datamodel/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := slices.DeleteFunc(strings.Fields(string(out)), func(p string) bool {
		return strings.HasPrefix(p, module+"scxml/diagram/") || p == module+"scxml/fleet/fleettest"
	})
	if out, err = exec.Command("go", append([]string{"list", "-deps"}, packages...)...).Output(); err != nil {
		t.Fatalf("go list: %v", err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, module+"scxml/drive") {
		t.Errorf("go list shows %d packages, but not the engine", len(deps))
	}
	for _, dep := range deps {
		if dep == "image" || strings.HasPrefix(dep, "image/") || strings.HasPrefix(dep, "golang.org/x/image") || strings.HasPrefix(dep, module+"examples/") {
			t.Errorf("a package below scxml or datamodel depends on %s", dep)
		}
	}
}

// covers reports whether an entry of imports allows the import path.
func covers(entry, path string) bool {
	if prefix, ok := strings.CutSuffix(entry, "/..."); ok {
		return path == prefix || strings.HasPrefix(path, prefix+"/")
	}
	return path == entry || strings.Contains(strings.Split(entry, "/")[0], ".") && strings.HasPrefix(path, entry+"/")
}

// No package compiles a regular expression when a program starts: together they took a tenth of the time of "scxmlrun
// version". The pattern belongs into a sync.OnceValue.
func TestPackagesCompileNothing(t *testing.T) {
	eager := regexp.MustCompile(`(?m)^(var |\t)\w+ += regexp\.MustCompile`)
	seen := 0
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		seen++
		text, err := os.ReadFile("../" + path)
		if at := eager.Find(text); at != nil && !strings.HasPrefix(path, "cmd/internal/clitest/") {
			t.Errorf("%s: %q: want a sync.OnceValue", path, at)
		}
		return err
	})
	if err != nil || seen < 100 {
		t.Errorf("%d files, %v", seen, err)
	}
}
