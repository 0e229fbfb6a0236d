package scxml_test

import (
	"os"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// With $SCXMLTEST_COVER, the coverage of the scenarios' charts is added to the file that it names.
func TestMain(m *testing.M) { os.Exit(scxmltest.Cover(m)) }

func TestScenarios(t *testing.T) {
	scxmltest.RunFiles(t, "testdata/scenario/*.txtar")
}
