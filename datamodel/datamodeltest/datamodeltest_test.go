package datamodeltest_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel/datamodeltest"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/null"
)

var sources = datamodeltest.Sources{
	True: "1 < 2", False: "1 > 2", InActive: "In('active')", InOther: "In('other')",
	Number: "6 * 7", Text: "'x'", List: "[1, 2, 3]", Syntax: "1 +", Fails: "nowhere.near",
	Item: "item", Undeclared: "nowhere", Script: "item = 42", FailsScript: "throw new Error('no')",
	Endless: "for (;;);", EventName: "_event.name", EventData: "_event.data", BadID: "no name",
}

func TestECMAScript(t *testing.T) {
	datamodeltest.Run(t, ecmascript.New(), sources)
}

func TestNull(t *testing.T) {
	datamodeltest.Run(t, null.New(), datamodeltest.Sources{
		True: "In(active)", False: "In(other)", InActive: "In('active')", InOther: "In(other)", Syntax: "1 +", BadID: "x",
	})
}
