package scxml_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

func TestScenarios(t *testing.T) {
	scxmltest.RunFiles(t, "testdata/scenario/*.txtar")
}
