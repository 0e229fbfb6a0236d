package scxml_test

import (
	"flag"
	"os"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// With $SCXMLTEST_COVER, the coverage of the scenarios' charts is added to the file that it names.
// With -short there is a fifth of what is random: for the race detector, which needs no luck.
func TestMain(m *testing.M) {
	if flag.Parse(); testing.Short() {
		for _, n := range []*int{randomCharts, mutations, debugCharts, historyCharts, replayCharts} {
			*n /= 5
		}
	}
	os.Exit(scxmltest.Cover(m))
}

func TestScenarios(t *testing.T) {
	scxmltest.RunFiles(t, "testdata/scenario/*.txtar")
}
