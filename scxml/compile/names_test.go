package compile

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"testing/fstest"
)

// Keywords, names of ours, names that fall together, and states without ids have names that compile.
func TestNamesOfCompiledCharts(t *testing.T) {
	const source = `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="https://github.com/scxmlrun/scxmlrun/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="func" expr="1"/><data id="a_b" expr="1"/><data id="aB" expr="1"/><data id="$" expr="1" x:go="Dollar"/><data id="日本" expr="1"/></datamodel>
  <state id="func"/><state id="a-b"/><state id="a_b"/><state id="aB"/><state id="1"/><state/><state/><state id="-"/>
  <state id="new"/><state id="machine"/><state id="state"/><state id="hooks"/><state id="data"/><state id="event"/><state id="日本"/><state id="event.e"/>
  <state id="x" x:go="Chosen"><transition event="chosen e start stop send do a-b a_b * error.x done.x"/></state><state id="chosen"/>
  <state id="y"><onentry><send event="hooks"/><send event="sent"><param name="a-b" expr="1"/><param name="a.b" expr="1"/></send><send event="chosen"><param name="p" expr="1"/></send></onentry></state>
</scxml>`
	want := map[string]string{
		"State": "Func AB StateAB State_aB State1 State6 State7 State__2d_ StateNew StateMachine StateState StateHooks StateData StateEvent State日本 EventE Chosen StateChosen Y",
		"Event": "Other EventAB EventEventAB EventChosen EventDo EventEventE EventHooks EventSend EventSent EventStart EventStop EventDoneX EventErrorCommunication EventErrorExecution EventErrorX",
	}
	code, err := Source(fstest.MapFS{}, "x.scxml", []byte(source), Options{Package: "p"})
	if err != nil {
		t.Fatal(err)
	}
	if err := typeCheck(code); err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.CONST {
			for _, s := range d.Specs {
				spec := s.(*ast.ValueSpec)
				typ := spec.Type.(*ast.Ident).Name
				got[typ] = append(got[typ], spec.Names[0].Name)
			}
		}
	}
	for typ, names := range want {
		if text := strings.Join(got[typ], " "); text != names {
			t.Errorf("%s: got %s\nwant %s", typ, text, names)
		}
	}
}

func TestChosenNames(t *testing.T) {
	const head = `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="https://github.com/scxmlrun/scxmlrun/scxml" version="1.0" datamodel="ecmascript">`
	for source, want := range map[string]string{
		`<state id="a" x:go="lower"/>`:                                            `x.scxml:1:158: go="lower": want a Go identifier that begins with a capital letter`,
		`<state id="a" x:go="A B"/>`:                                              `x.scxml:1:158: go="A B": want a Go identifier that begins with a capital letter`,
		`<state id="a" x:go=""/>`:                                                 `x.scxml:1:158: go="": want a Go identifier that begins with a capital letter`,
		`<state id="a" x:go="Hooks"/>`:                                            `x.scxml:1:158: go="Hooks": the name Hooks is taken`,
		`<state id="a" x:go="B"/><state id="b" x:go="B"/>`:                        `x.scxml:1:182: go="B": the name B is taken`,
		`<datamodel><data id="a" x:go="A }; func init() {"/></datamodel><state/>`: `x.scxml:1:168: go="A }; func init() {": want a Go identifier that begins with a capital letter`,
	} {
		code, err := Source(fstest.MapFS{}, "x.scxml", []byte(head+source+"</scxml>"), Options{Package: "p"})
		var unsupported *UnsupportedError
		if !errors.As(err, &unsupported) || err.Error() != want || code != nil {
			t.Errorf("%s: got %v\nwant %s", source, err, want)
		}
	}
}

// An event can have the name of any method that all machines have.
func TestEventsLikeMethods(t *testing.T) {
	generate := func(events string) []byte {
		source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"><datamodel><data id="n" expr="1"/></datamodel><state id="s"><transition event="` + events + `"/></state></scxml>`
		code, err := Source(fstest.MapFS{}, "x.scxml", []byte(source), Options{Package: "p"})
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", generate("e"), 0)
	if err != nil {
		t.Fatal(err)
	}
	var methods []string
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.IsExported() {
			methods = append(methods, strings.ToLower(f.Name.Name[:1])+f.Name.Name[1:])
		}
	}
	if len(methods) < 20 {
		t.Fatalf("a machine has %d methods only", len(methods))
	}
	if err := typeCheck(generate(strings.Join(methods, " "))); err != nil {
		t.Error(err)
	}
}
