package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
)

// everything is the capabilities of a client that can do all that the server uses.
const everything = `{
	"textDocument":{"completion":{"completionItem":{"snippetSupport":true}},"documentSymbol":{"hierarchicalDocumentSymbolSupport":true}},
	"window":{"workDoneProgress":true,"showDocument":{"support":true}}}`

// A room is a folder with a chart that is open.
type room struct {
	*client
	uri  string
	text string
}

// openChart opens a chart in a folder of its own. Capabilities are those of the client.
func openChart(t testing.TB, capabilities, text string) *room {
	t.Helper()
	uri := file.URI(filepath.Join(t.TempDir(), "a b.scxml"))
	c := start(t, capabilities)
	c.open(uri, text)
	return &room{c, uri, text}
}

// at returns the place in the middle of the first occurrence of a text, after the one before it.
func (r *room) at(before, text string) placeParams {
	r.t.Helper()
	i := strings.Index(r.text, before)
	j := strings.Index(r.text[max(i, 0):], text)
	if i < 0 || j < 0 {
		r.t.Fatalf("no %q after %q", text, before)
	}
	return placeParams{in(r.uri), newSource(r.text, utf16Units).position(i + j + len(text)/2)}
}

// covered returns the texts of ranges, with their lines.
func (r *room) covered(all ...span) (texts []string) {
	s := newSource(r.text, utf16Units)
	for _, x := range all {
		texts = append(texts, fmt.Sprintf("%d:%s", x.Start.Line+1, r.text[s.offset(x.Start):s.offset(x.End)]))
	}
	return texts
}

func (r *room) expect(what string, got, want []string) {
	r.t.Helper()
	if !slices.Equal(got, want) {
		r.t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func ranges(all []location) (spans []span) {
	for _, l := range all {
		spans = append(spans, l.Range)
	}
	return spans
}

// The smile before the states makes columns differ from bytes.
const door = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="closed">
  <script src="lib.js"/>
  <datamodel><data id="count" expr="0"/></datamodel>
  <!-- 😀
  -->
  <!-- 😀 --><state id="closed"><transition event="open" cond="!In('opened')" target="opened"/></state>
  <state id="opened">
    <onentry><assign location="count" expr="count + 1"/><raise event="opens"/></onentry>
    <transition event="opens close" target="closde"/>
  </state>
</scxml>
`

func TestRequests(t *testing.T) {
	r := openChart(t, everything, door)
	dir := filepath.Dir(file.FromURI(r.uri))
	d := r.diagnostics()
	var codes []string
	for _, x := range d.Diagnostics {
		codes = append(codes, x.Code+" "+r.covered(x.Range)[0])
		page, err := os.ReadFile(file.FromURI(x.CodeDescription.Href))
		if err != nil || !strings.Contains(string(page), x.Code) {
			t.Errorf("%s: the explanation is %q, %v", x.Code, page, err)
		}
	}
	if !slices.Contains(codes, "cannot-load 2:lib.js") || !slices.Contains(codes, "unknown-target 9:closde") {
		t.Errorf("diagnostics: %q", codes)
	}
	if err := os.WriteFile(filepath.Join(dir, "lib.js"), []byte("var loaded = 1;"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.notify("workspace/didChangeWatchedFiles", struct{}{})
	for _, x := range r.diagnostics().Diagnostics {
		if x.Code == "cannot-load" {
			t.Errorf("the file was not read again: %s", x.Message)
		}
	}

	h := result[hover](t, r.must("textDocument/hover", r.at("<transition", "In(")))
	if !strings.Contains(h.Contents.Value, "active") {
		t.Errorf("hover: %+v", h)
	}
	h = result[hover](t, r.must("textDocument/hover", r.at("target", "closde")))
	if !strings.Contains(h.Contents.Value, "(unknown-target)") || !slices.Equal(r.covered(h.Range), []string{"9:closde"}) {
		t.Errorf("hover of a problem: %+v", h)
	}
	if got := r.must("textDocument/hover", r.at("", "-->")); string(got) != "null" {
		t.Errorf("hover of a comment: %s", got)
	}

	defined := result[[]location](t, r.must("textDocument/definition", r.at("In('", "opened")))
	r.expect("definition", r.covered(ranges(defined)...), []string{"7:opened"})
	if got := result[[]location](t, r.must("textDocument/definition", r.at("src", "lib.js"))); len(got) != 1 || got[0].URI != file.URI(filepath.Join(dir, "lib.js")) {
		t.Errorf("definition of src: %+v", got)
	}
	refer := referenceParams{placeParams: r.at("id=", "opened")}
	r.expect("references", r.covered(ranges(result[[]location](t, r.must("textDocument/references", refer)))...), []string{"6:opened", "6:opened"})
	refer.Context.IncludeDeclaration = true
	r.expect("references", r.covered(ranges(result[[]location](t, r.must("textDocument/references", refer)))...), []string{"6:opened", "6:opened", "7:opened"})
	var marked []span
	for _, m := range result[[]documentHighlight](t, r.must("textDocument/documentHighlight", r.at("id=", "count"))) {
		marked = append(marked, m.Range)
	}
	r.expect("highlights", r.covered(marked...), []string{"3:count", "8:count", "8:count"})

	ready := result[prepareRename](t, r.must("textDocument/prepareRename", r.at("In('", "opened")))
	r.expect("prepareRename", r.covered(ready.Range), []string{"6:" + ready.Placeholder})
	edits := result[workspaceEdit](t, r.must("textDocument/rename", renameParams{r.at("In('", "opened"), "wide"})).Changes[r.uri]
	var changed []span
	for _, e := range edits {
		changed = append(changed, e.Range)
		if e.NewText != "wide" {
			t.Errorf("rename: %+v", e)
		}
	}
	r.expect("rename", r.covered(changed...), []string{"6:opened", "6:opened", "7:opened"})
	if e := r.refused("textDocument/prepareRename", r.at("", "version")); e.Code != requestFailed {
		t.Errorf("prepareRename: %v", e)
	}
	if e := r.refused("textDocument/rename", renameParams{r.at("In('", "opened"), "closed"}); e.Code != requestFailed || !strings.Contains(e.Message, "closed") {
		t.Errorf("rename to a name that exists: %v", e)
	}

	var names []string
	var visit func([]documentSymbol)
	visit = func(all []documentSymbol) {
		for _, s := range all {
			names = append(names, s.Name)
			visit(s.Children)
		}
	}
	visit(result[[]documentSymbol](t, r.must("textDocument/documentSymbol", in(r.uri))))
	r.expect("symbols", names, []string{"scxml", "count", "closed", "open", "opened", "opens close"})
	r.expect("folds", []string{string(r.must("textDocument/foldingRange", in(r.uri)))}, []string{
		`[{"startLine":0,"endLine":10},{"startLine":3,"endLine":4,"kind":"comment"},{"startLine":6,"endLine":9}]`,
	})

	where := r.at("target", "closde").Position
	actions := result[[]codeAction](t, r.must("textDocument/codeAction", codeActionParams{documentParams: in(r.uri), Range: span{where, where}}))
	if len(actions) != 1 || !actions[0].IsPreferred || actions[0].Diagnostics[0].Code != "unknown-target" || actions[0].Edit.Changes[r.uri][0].NewText != "closed" {
		t.Errorf("code actions: %+v", actions)
	}
	only := codeActionParams{documentParams: in(r.uri), Range: span{where, where}}
	only.Context.Only = []string{"refactor"}
	if got := r.must("textDocument/codeAction", only); string(got) != "[]" {
		t.Errorf("code actions of another kind: %s", got)
	}
	var lenses []string
	for _, l := range result[[]codeLens](t, r.must("textDocument/codeLens", in(r.uri))) {
		lenses = append(lenses, l.Command.Command)
	}
	r.expect("lenses", lenses, []string{drawCommand, exploreCommand})
}

// Every request is answered for a text that is cut anywhere, at its end.
func TestEveryPrefix(t *testing.T) {
	c := start(t, everything)
	const uri = "untitled:door"
	c.open(uri, "")
	for i := range len(door) {
		if !utf8.RuneStart(door[i]) {
			continue
		}
		c.change(uri, contentChange{Text: door[:i]})
		end := placeParams{in(uri), newSource(door[:i], utf16Units).position(i)}
		for _, method := range []string{"completion", "hover", "definition", "documentHighlight"} {
			c.must("textDocument/"+method, end)
		}
		for _, method := range []string{"documentSymbol", "foldingRange", "codeLens"} {
			c.must("textDocument/"+method, in(uri))
		}
		c.must("textDocument/formatting", formattingParams{documentParams: in(uri)})
		c.must("textDocument/references", referenceParams{placeParams: end})
		c.must("textDocument/codeAction", codeActionParams{documentParams: in(uri), Range: span{position{}, end.Position}})
		if m := c.response(c.ask("textDocument/rename", renameParams{end, "other"})); m.Error != nil && m.Error.Code != requestFailed {
			t.Fatalf("rename after %q: %v", door[:i], m.Error)
		}
	}
}

// A document is formatted as the editor is set, and its lines stay.
func TestFormatting(t *testing.T) {
	r := openChart(t, `{}`, "<scxml>\n<!-- 😀 -->\n    <state\n     id='a'/>  \n</scxml>\n")
	for options, want := range map[formattingOptions]string{
		{4, true}:  `[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":11}},"newText":"    <!-- 😀 -->"},{"range":{"start":{"line":3,"character":0},"end":{"line":3,"character":15}},"newText":"     id='a'/>"}]`,
		{2, true}:  "  <!-- 😀 -->",
		{8, false}: "\t<!-- 😀 -->",
		{0, true}:  " <!-- 😀 -->",
	} {
		got := r.must("textDocument/formatting", formattingParams{in(r.uri), options})
		if edits := result[[]textEdit](t, got); options.TabSize == 4 && string(got) != want || options.TabSize != 4 && edits[0].NewText != want {
			t.Errorf("%+v: %s", options, got)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, snippets := range []bool{true, false} {
		r := openChart(t, fmt.Sprintf(`{"textDocument":{"completion":{"completionItem":{"snippetSupport":%v}}}}`, snippets), strings.Replace(door, "closde", "", 1))
		p := r.at("opens close", `target=""`)
		p.Position.Character += 4 // between the quotes
		list := result[completionList](t, r.must("textDocument/completion", p))
		var labels []string
		for _, item := range list.Items {
			labels = append(labels, item.Label)
		}
		if !slices.Contains(labels, "closed") || !slices.Contains(labels, "opened") {
			t.Errorf("targets: %q", labels)
		}
		p = r.at("<onentry", "<assign")
		p.Position.Character -= 3 // after <onentry>
		list = result[completionList](t, r.must("textDocument/completion", p))
		i := slices.IndexFunc(list.Items, func(item completionItem) bool { return item.Label == "log" })
		if i < 0 {
			t.Fatalf("elements: %+v", list)
		}
		if got := list.Items[i]; (got.InsertTextFormat == snippet) != snippets || strings.Contains(got.TextEdit.NewText, "$0") != snippets {
			t.Errorf("snippets %v: %+v", snippets, got)
		}
	}
}

// A client that has the commands of Visual Studio Code gets lenses with places.
func TestCommandsOfTheClient(t *testing.T) {
	c := connect(t, Options{}, nil)
	c.must("initialize", json.RawMessage(`{"capabilities":{},"initializationOptions":{"commands":["scxmlrun.showPlaces"]}}`))
	const uri = "file:///door.scxml"
	c.open(uri, lamp)
	var found []any
	for _, l := range result[[]codeLens](t, c.must("textDocument/codeLens", in(uri))) {
		if l.Command.Command == showPlacesCommand {
			found = l.Command.Arguments
		}
	}
	if len(found) != 3 || found[0] != uri {
		t.Errorf("got %v", found)
	}
	flat := result[[]symbolInformation](t, c.must("textDocument/documentSymbol", in(uri)))
	if len(flat) != 5 || flat[2].ContainerName != "off" {
		t.Errorf("symbols: %+v", flat)
	}
	c.must("shutdown", nil)
}

func run(command, uri string) executeCommandParams {
	return executeCommandParams{Command: command, Arguments: []json.RawMessage{json.RawMessage(fmt.Sprintf("%q", uri))}}
}

func TestDraw(t *testing.T) {
	r := openChart(t, everything, lamp)
	r.answers["window/showDocument"] = json.RawMessage(`{"success":true}`)
	uri := result[string](t, r.must("workspace/executeCommand", run(drawCommand, r.uri)))
	if shown := result[object](t, r.await("window/showDocument")); shown["uri"] != uri || shown["external"] != true {
		t.Errorf("shown %v, want %s", shown, uri)
	}
	picture, err := os.ReadFile(file.FromURI(uri))
	if err != nil || filepath.Base(file.FromURI(uri)) != "a b.svg" || !strings.Contains(string(picture), "push") {
		t.Errorf("%s: %.60s, %v", uri, picture, err)
	}
	r.change(r.uri, contentChange{Text: "<scxml><state id='a'/>"})
	uri = result[string](t, r.must("workspace/executeCommand", run(drawCommand, r.uri)))
	if picture, err := os.ReadFile(file.FromURI(uri)); err != nil || !strings.Contains(string(picture), "is not closed") {
		t.Errorf("a document with errors: %.60s, %v", picture, err)
	}
	r.change(r.uri, contentChange{Text: "no document"})
	if e := r.refused("workspace/executeCommand", run(drawCommand, r.uri)); !strings.Contains(e.Message, "cannot draw a b.scxml before this is corrected: ") {
		t.Errorf("no document: %v", e)
	}
}

// What the server writes is gone when it ends.
func TestFilesAreRemoved(t *testing.T) {
	var uri string
	t.Cleanup(func() { // after that of connect, which waits for the end
		if _, err := os.Stat(file.FromURI(uri)); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", uri, err)
		}
	})
	c := connect(t, Options{}, nil)
	c.must("initialize", struct{}{})
	c.open("untitled:Untitled-1", lamp)
	uri = result[string](t, c.must("workspace/executeCommand", run(drawCommand, "untitled:Untitled-1")))
	if said := result[messageParams](t, c.await("window/showMessage")); !strings.Contains(said.Message, file.FromURI(uri)) {
		t.Errorf("the message is %q", said.Message)
	}
	if _, err := os.Stat(file.FromURI(uri)); err != nil {
		t.Error(err)
	}
	c.must("shutdown", nil)
	c.notify("exit", nil)
}

func TestExplore(t *testing.T) {
	r := openChart(t, everything, lamp)
	r.answers["window/workDoneProgress/create"] = json.RawMessage("null")
	got := result[string](t, r.must("workspace/executeCommand", run(exploreCommand, r.uri)))
	if want := "a b.scxml: no deadlock, exceeded limit or endless loop; 2 states, 2 transitions"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if said := result[messageParams](t, r.await("window/showMessage")); said.Message != got || said.Type != infoMessage {
		t.Errorf("said %+v", said)
	}
	for _, want := range []string{"begin", "end"} {
		for result[progressParams](t, r.await("$/progress")).Value.Kind != want {
		}
	}
	r.change(r.uri, contentChange{Text: strings.Replace(lamp, `<transition event="push" target="off"/>`, "", 1)})
	if got := result[string](t, r.must("workspace/executeCommand", run(exploreCommand, r.uri))); !strings.Contains(got, "1 violation") || !strings.Contains(got, "\n1. push") {
		t.Errorf("a deadlock: %q", got)
	}
}

// counter counts without end, and slowly.
const counter = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/><data id="i" expr="0"/></datamodel>
  <state id="s"><transition event="e"><script>for (i = 0; i &lt; 20000; i++) { n = n + 1 }</script></transition></state>
</scxml>`

// A search ends when the user cancels its progress, and so does its program.
func TestExploreIsCancelled(t *testing.T) {
	for _, mode := range []string{"", "always"} {
		t.Run(mode, func(t *testing.T) {
			needGo(t, mode)
			c := startWith(t, Options{Compiled: mode}, everything)
			uri := file.URI(filepath.Join(t.TempDir(), "c.scxml"))
			c.open(uri, counter)
			p := run(exploreCommand, uri)
			p.WorkDoneToken = json.RawMessage(`7`)
			id := c.ask("workspace/executeCommand", p)
			if began := result[progressParams](t, c.await("$/progress")); began.Value.Kind != "begin" || string(began.Token) != "7" {
				t.Errorf("progress: %+v", began)
			}
			if mode == "always" {
				c.await("$/progress") // of the program
			}
			c.notify("window/workDoneProgress/cancel", progressToken{json.RawMessage(`7`)})
			if m := c.response(id); m.Error == nil || m.Error.Code != requestCancelled {
				t.Errorf("got %s, %v", m.Result, m.Error)
			}
		})
	}
}

// A program that is made of the chart can do the search, within the same bounds.
func TestExploreByProgram(t *testing.T) {
	needGo(t, "always")
	c := startWith(t, Options{Compiled: "always"}, everything)
	c.answers["window/workDoneProgress/create"] = json.RawMessage("null")
	uri := file.URI(filepath.Join(t.TempDir(), "c.scxml"))
	c.open(uri, strings.Replace(counter, "20000", "1", 1))
	got := result[string](t, c.must("workspace/executeCommand", run(exploreCommand, uri)))
	if want := "c.scxml: nothing wrong so far, but not all states were visited (bound: states); 100000 states, 100000 transitions\n"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	c.change(uri, contentChange{Text: strings.Replace(counter, "n + 1", "Date.now()", 1)})
	if e := c.refused("workspace/executeCommand", run(exploreCommand, uri)); !strings.Contains(e.Message, "a program cannot do this search: the chart looks at the clock") {
		t.Errorf("got %q", e.Message)
	}
}

func needGo(t *testing.T, mode string) {
	if _, err := exec.LookPath("go"); err != nil && mode == "always" {
		t.Skip("no go command")
	}
}

func TestMain(m *testing.M) { os.Exit(clitest.OwnCache(m)) }
