package notation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// needTool skips a test without a program.
func needTool(t *testing.T, name string) string {
	t.Helper()
	file, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: what it says of the charts is not tested", name)
	}
	return file
}

// writeAll writes the charts in a format to the files of a folder.
func writeAll(t *testing.T, charts []sample, write func(sample) string, extension string) (dir string, files []string) {
	t.Helper()
	dir = t.TempDir()
	if keep := os.Getenv("SCXML_NOTATION_DIR"); keep != "" {
		dir = keep
	}
	for i, s := range charts {
		file := filepath.Join(dir, s.fileName(i)+extension)
		if err := os.WriteFile(file, []byte(write(s)), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return dir, files
}

// Graphviz draws all charts and says nothing.
func TestGraphvizDraws(t *testing.T) {
	dot := needTool(t, "dot")
	charts := shapes(corpus(t))
	_, files := writeAll(t, charts, func(s sample) string { text, _ := DOT(s.d); return text }, ".dot")
	out, err := exec.Command(dot, append([]string{"-Tsvg", "-O"}, files...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	for i, file := range files {
		svg, err := os.ReadFile(file + ".svg")
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range charts[i].d.Nodes[1:] {
			if name := dotHTML(n.ID); !strings.Contains(strings.ReplaceAll(string(svg), "&#45;", "-"), ">"+name+"</text>") {
				t.Errorf("%s: state %q is not drawn", charts[i].name, n.ID)
			}
		}
	}
}

// PlantUML accepts all charts.
func TestPlantUMLDraws(t *testing.T) {
	plantuml := needTool(t, "plantuml")
	dir, files := writeAll(t, shapes(corpus(t)), func(s sample) string { text, _ := PlantUML(s.d); return text }, ".puml")
	cmd := exec.Command(plantuml, append([]string{"-tsvg", "-o", dir}, files...)...)
	cmd.Env = append(os.Environ(), "JAVA_TOOL_OPTIONS=-Djava.awt.headless=true")
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "rror") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Mermaid draws all charts in a browser.
func TestMermaidDraws(t *testing.T) {
	browser := needTool(t, "chromium")
	script := filepath.Join(nodeModules(t, "mermaid"), "mermaid", "dist", "mermaid.min.js")
	charts := shapes(corpus(t))
	texts := make([]string, len(charts))
	for i, s := range charts {
		texts[i], _ = Mermaid(s.d)
	}
	list, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	page := fmt.Sprintf(`<!DOCTYPE html><meta charset="utf-8"><body><pre id="out">not finished</pre><script src="file://%s"></script><script>
const charts = %s;
(async () => {
	mermaid.initialize({startOnLoad: false, maxTextSize: 1e7});
	const results = [];
	for (let i = 0; i < charts.length; i++) {
		try {
			const {svg} = await mermaid.render("c" + i, charts[i]);
			const doc = new DOMParser().parseFromString(svg, "text/html");
			results.push({texts: [...doc.querySelectorAll("text, foreignObject")].map(e => e.textContent)});
		} catch (e) {
			results.push({error: String(e)});
		}
	}
	document.getElementById("out").textContent = JSON.stringify(results);
})();
</script>`, script, list)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=100000000", "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(out), `<pre id="out">`)
	text, _, _ = strings.Cut(text, "</pre>")
	var results []struct {
		Texts []string
		Error string
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(text)), &results); err != nil || len(results) != len(charts) {
		t.Fatalf("%v\n%.300s", err, text)
	}
	for i, r := range results {
		if r.Error != "" {
			t.Errorf("%s: %s\n%s", charts[i].name, r.Error, texts[i])
		}
		drawn := oneLine(strings.Join(r.Texts, "\n"))
		for _, n := range charts[i].d.Nodes[1:] {
			for _, l := range inside(n) {
				if len(n.Children) == 0 && !strings.Contains(drawn, oneLine(l)) {
					t.Errorf("%s: %q of state %s is not drawn", charts[i].name, l, n.ID)
				}
			}
		}
	}
}

// nodeModules returns the folder in which npm has installed a package: that which NODE_PATH names, or
// that for all users.
func nodeModules(t *testing.T, name string) string {
	t.Helper()
	folders := filepath.SplitList(os.Getenv("NODE_PATH"))
	if global, err := exec.Command("npm", "root", "-g").Output(); err == nil {
		folders = append(folders, strings.TrimSpace(string(global)))
	}
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return folder
		}
	}
	t.Skipf("the npm package %s is not installed: what it says of the charts is not tested", name)
	return ""
}

// state-machine-cat reads all charts: the states with their types, and the transitions with their
// labels.
func TestSMCatReads(t *testing.T) {
	node := needTool(t, "node")
	modules := nodeModules(t, "state-machine-cat")
	charts := corpus(t)
	texts := make([]string, len(charts))
	for i, s := range charts {
		texts[i], _ = SMCat(s.d)
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "read.mjs")
	code := fmt.Sprintf(`
import { render } from %q;
import { readFileSync } from "node:fs";
const flat = m => (m.states ?? []).flatMap(s => [s, ...(s.statemachine ? flat(s.statemachine) : [])]);
const arrows = m => [...(m.transitions ?? []), ...(m.states ?? []).flatMap(s => s.statemachine ? arrows(s.statemachine) : [])];
console.log(JSON.stringify(await Promise.all(JSON.parse(readFileSync(0)).map(async text => {
	try {
		await render(text, {outputType: "dot"});
		const m = await render(text, {outputType: "json"});
		return {states: flat(m).map(s => s.name + " " + s.type), labels: arrows(m).map(t => t.label ?? "")};
	} catch (e) {
		return {error: String(e)};
	}
}))));`, filepath.Join(modules, "state-machine-cat", "dist", "index.mjs"))
	if err := os.WriteFile(script, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, script)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var results []struct {
		States, Labels []string
		Error          string
	}
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		s := charts[i]
		if r.Error != "" {
			t.Errorf("%s: %s\n%s", s.name, r.Error, texts[i])
			continue
		}
		w := new(smcatWriter)
		for _, n := range s.d.Nodes[1:] {
			typ := smcatTypes[n.Kind]
			if n.Deep {
				typ = "deephistory"
			}
			if !slices.Contains(r.States, n.ID+" "+typ) {
				t.Errorf("%s: state %q is not a %s: %q", s.name, n.ID, typ, r.States)
			}
			for _, e := range n.Edges {
				text, ok := strings.CutPrefix(w.label(e), ": ")
				if text, quoted := strings.CutPrefix(text, `"`); ok && quoted {
					text = strings.ReplaceAll(strings.TrimSuffix(text, `"`), `\"`, `"`)
					if !slices.Contains(r.Labels, text) {
						t.Errorf("%s: no transition has the label %q: %q", s.name, text, r.Labels)
					}
				}
			}
		}
	}
}
