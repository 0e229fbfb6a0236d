//go:build unix

package main

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// Each command writes files as the umask says; private ones are the owner's alone.
func TestFilesHaveModesOfUmask(t *testing.T) {
	chart := map[string]string{"x.scxml": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"><transition event="go"/></state></scxml>`}
	tested := map[string]string{"x.scxml": chart["x.scxml"], "t.txtar": "-- chart --\nx.scxml\n-- events --\ngo\n-- trace --\nenter a\nstable a\nevent go\ntransition a\nstable a\n"}
	clitest.Modes(t, binary, []clitest.FileWriter{
		{Name: "y.svg", Args: "draw x.scxml -o FILE", Files: chart},
		{Name: "y.html", Args: "doc x.scxml -o FILE", Files: chart},
		{Name: "y.svg", Args: "doc x.scxml --format markdown -o y.md --picture FILE", Files: chart},
		{Name: "y.go", Args: "gen go --package x x.scxml -o FILE", Files: chart},
		{Name: "y.dot", Args: "explore x.scxml --dot FILE", Files: map[string]string{"x.scxml": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final id="a"/></scxml>`}},
		{Name: "y.scxml", Args: "import x.json -o FILE", Files: map[string]string{"x.json": `{"id":"m","initial":"a","states":{"a":{}}}`}},
		{Name: "y.json", Args: "test t.txtar --cover FILE", Files: tested},
		{Name: "y.html", Args: "test t.txtar --cover FILE", Files: tested},
		{Name: "y.save", Args: "run --ui line --save FILE x.scxml", Files: chart, Input: "go\n", Private: true},
		{Name: "y.rec", Args: "run --ui line --record FILE x.scxml", Files: chart, Input: "go\n", Private: true, NewOnly: true},
	})
}
